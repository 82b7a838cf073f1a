//===- Graph.cpp - Operations that are launched as one --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Submit/Graph.h"

#include "Runtime/Device/Device.h"

#include <algorithm>

using namespace hetero::runtime;
using namespace hetero;

/// Locks the devices of a graph, in an order that all graphs have.
class Graph::Lock {
public:
  explicit Lock(const std::vector<Device *> &devices) : devices(devices) {
    for (Device *device : devices)
      device->getMutex().lock();
  }
  ~Lock() {
    for (Device *device : devices)
      device->getMutex().unlock();
  }

private:
  const std::vector<Device *> &devices;
};

const cuda::Functions &Graph::functions() const {
  return devices.front()->getContext().getFunctions();
}

/// What fails here is the next call's to report: nothing depends on it.
bool Graph::enter(const Lane &lane) const {
  return lane.device->getContext().tryEnter();
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

Graph::Lane &Graph::laneOf(Device *device, int32_t unit) {
  for (Lane &lane : lanes)
    if (lane.device == device && lane.unit == unit)
      return lane;
  return lanes.emplace_back(Lane{device, unit, UINT64_MAX, nullptr, {}, {}});
}

std::unique_ptr<Graph>
Graph::create(const std::vector<const Operation *> &operations) {
  std::unique_ptr<Graph> graph(new Graph);
  for (const Operation *operation : operations) {
    graph->laneOf(operation->device, operation->unit);
    // An event is made, recorded, waited for and destroyed.
    graph->numCalls += operation->kind == Operation::Order ? 4 : 1;
    if (operation->kind == Operation::Order)
      graph->laneOf(operation->other, operation->otherUnit);
  }
  for (const Lane &lane : graph->lanes)
    graph->devices.push_back(lane.device);
  std::vector<Device *> &devices = graph->devices;
  std::sort(devices.begin(), devices.end(),
            [](Device *a, Device *b) { return a->getId() < b->getId(); });
  devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
  if (!graph->instantiate(operations))
    return nullptr;
  graph->findCovered(operations);
  return graph;
}

/// What is done when a lane is: of each lane so many operations.
void Graph::findCovered(const std::vector<const Operation *> &operations) {
  using Clock = std::vector<int64_t>;
  std::vector<Clock> clocks(lanes.size(), Clock(lanes.size()));
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    lanes[lane].follows.assign(lanes.size(), false);
    lanes[lane].follows[lane] = true;
  }
  for (const Operation *operation : operations) {
    size_t lane = &laneOf(operation->device, operation->unit) - lanes.data();
    if (operation->kind != Operation::Order) {
      ++clocks[lane][lane];
      continue;
    }
    size_t after =
        &laneOf(operation->other, operation->otherUnit) - lanes.data();
    for (size_t i = 0; i < lanes.size(); ++i) {
      clocks[lane][i] = std::max(clocks[lane][i], clocks[after][i]);
      lanes[lane].follows[i] =
          lanes[lane].follows[i] || lanes[after].follows[i];
    }
  }
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (const Clock &other : clocks)
      lanes[lane].covers.push_back(std::equal(
          other.begin(), other.end(), clocks[lane].begin(),
          [](int64_t theirs, int64_t mine) { return theirs <= mine; }));
}

bool Graph::instantiate(const std::vector<const Operation *> &operations) {
  const cuda::Functions &cu = functions();
  bool isCaptured = openLanes();
  cuda::Graph captured = nullptr;
  if (isCaptured) {
    cuda::Stream origin = lanes.front().stream;
    isCaptured = cu.streamBeginCapture(origin, cuda::kCaptureThreadLocal) ==
                 cuda::kSuccess;
    if (isCaptured) {
      isCaptured = capture(operations);
      isCaptured &=
          cu.streamEndCapture(origin, &captured) == cuda::kSuccess && captured;
    }
  }
  bool isDone =
      isCaptured && cu.graphInstantiate(&exec, captured, 0) == cuda::kSuccess;
  if (captured)
    cu.graphDestroy(captured);
  // One of the streams becomes that of the launches, unless there is one
  // already that orders the graph with the only unit's work.
  for (Lane &lane : lanes) {
    if (isDone && hasLanes() && !stream)
      stream = lane.stream;
    else if (lane.stream)
      cu.streamDestroy(lane.stream);
    lane.stream = nullptr;
  }
  return isDone;
}

/// Gives each lane a stream to be captured from, and its unit the events.
bool Graph::openLanes() {
  const cuda::Functions &cu = functions();
  Lock lock(devices);
  for (Lane &lane : lanes) {
    if (!enter(lane) ||
        cu.streamCreate(&lane.stream, cuda::kStreamNonBlocking) !=
            cuda::kSuccess)
      return false;
    if (!hasLanes())
      stream = lane.device->getStreams()[lane.unit].stream;
    else if (!lane.device->getStreams().makeEvents(lane.unit))
      return false;
  }
  return true;
}

/// What the lane gets from now on comes after what the other has got.
bool Graph::join(Lane &lane, Lane &after) {
  const cuda::Functions &cu = functions();
  cuda::Event event = nullptr;
  if (!enter(after) ||
      cu.eventCreate(&event, cuda::kEventDisableTiming) != cuda::kSuccess)
    return false;
  bool isDone = cu.eventRecord(event, after.stream) == cuda::kSuccess &&
                enter(lane) &&
                cu.streamWaitEvent(lane.stream, event, 0) == cuda::kSuccess;
  cu.eventDestroy(event);
  return isDone;
}

bool Graph::capture(const std::vector<const Operation *> &operations) {
  const cuda::Functions &cu = functions();
  Lane &origin = lanes.front();
  bool isDone = true;
  for (Lane &lane : lanes) {
    if (&lane != &origin)
      isDone = isDone && join(lane, origin);
    if (hasLanes())
      isDone = isDone &&
               cu.streamWaitEvent(lane.stream,
                                  lane.device->getStreams()[lane.unit].ready,
                                  cuda::kEventWaitExternal) == cuda::kSuccess;
  }
  for (const Operation *operation : operations) {
    Lane &lane = laneOf(operation->device, operation->unit);
    if (!isDone)
      break;
    if (operation->kind == Operation::Order)
      isDone = join(lane, laneOf(operation->other, operation->otherUnit));
    else
      isDone = enter(lane) && issue(*operation, lane.stream) == cuda::kSuccess;
  }
  for (Lane &lane : lanes) {
    if (hasLanes())
      isDone =
          isDone && cu.eventRecordWithFlags(
                        lane.device->getStreams()[lane.unit].done, lane.stream,
                        cuda::kEventRecordExternal) == cuda::kSuccess;
    if (&lane != &origin)
      isDone = isDone && join(origin, lane);
  }
  return isDone;
}

Graph::~Graph() {
  if (devices.empty() || !enter(lanes.front()))
    return;
  const cuda::Functions &cu = functions();
  if (exec) {
    cu.streamSynchronize(stream);
    cu.graphExecDestroy(exec);
  }
  if (stream && hasLanes())
    cu.streamDestroy(stream);
}

/// True if the lane's operations are done when those of `waited` are, and the
/// work from before the graph that they come after.
bool GraphLanes::isDoneWith(const GraphLane &lane,
                            const GraphLane &waited) const {
  bool isDone = waited.covers[&lane - lanes.data()];
  for (size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].hadWork && lane.follows[i])
      isDone = isDone && waited.follows[i];
  return isDone;
}

/// Units of other devices are left out if somebody uses their device just now:
/// that only costs calls.
void GraphLanes::settle(const Device &waited, int32_t unit) const {
  auto mine =
      std::find_if(lanes.begin(), lanes.end(), [&](const GraphLane &lane) {
        return lane.device == &waited && lane.unit == unit;
      });
  for (size_t i = 0; i < lanes.size(); ++i) {
    Device &device = *lanes[i].device;
    if (!isDoneWith(lanes[i], *mine))
      continue;
    std::unique_lock<std::recursive_mutex> lock(device.getMutex(),
                                                std::try_to_lock);
    if (!lock)
      continue;
    UnitStream &other = device.getStreams()[lanes[i].unit];
    if (other.state != UnitStream::InGraph || other.graph.get() != this)
      continue;
    // What failed is known of the own device only.
    other.state = &device == &waited ? UnitStream::Idle : UnitStream::Done;
    ++other.waits;
    other.graph = nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// A graph runs once at a time. A unit that the host has waited for since says
/// that its lane is done.
bool Graph::isRunning() const {
  return std::any_of(lanes.begin(), lanes.end(), [](const Lane &lane) {
    return lane.waits == lane.device->getStreams()[lane.unit].waits;
  });
}

/// Work that is under way costs calls before the launch, which delay its first
/// operation: they have to be far fewer than those of all operations.
bool Graph::isWorthwhile() const {
  int64_t calls = 1;
  for (const Lane &lane : lanes) {
    UnitStream::State state = lane.device->getStreams()[lane.unit].state;
    calls += state == UnitStream::InGraph ? 2 : state == UnitStream::Busy;
  }
  return 2 * calls <= numCalls;
}

/// Lets the lanes wait for what their units have under way.
bool Graph::prepare() {
  const cuda::Functions &cu = functions();
  for (const Lane &lane : lanes) {
    UnitStream &unit = lane.device->getStreams()[lane.unit];
    if (!unit.isUnderWay())
      continue;
    if (!enter(lane) || lane.device->getStreams().leaveGraph(unit) != HETERO_OK)
      return false;
    if (hasLanes() && cu.eventRecord(unit.ready, unit.stream) != cuda::kSuccess)
      return false;
  }
  return true;
}

bool Graph::launch(const std::vector<Operation> &operations) {
  Lock lock(devices);
  // The stream of a single unit orders what it gets as it always does.
  if ((hasLanes() && (isRunning() || !isWorthwhile())) || !prepare())
    return false;
  Lane &first = lanes.front();
  hasFailed =
      !enter(first) || functions().graphLaunch(exec, stream) != cuda::kSuccess;
  if (hasFailed)
    return false;
  for (Lane &lane : lanes) {
    UnitStream &unit = lane.device->getStreams()[lane.unit];
    lane.hadWork = unit.isUnderWay();
    unit.state = hasLanes() ? UnitStream::InGraph : UnitStream::Busy;
    lane.waits = unit.waits;
    if (hasLanes())
      unit.graph = shared;
    // Blocks that were freed meanwhile are in use again.
    lane.device->getStreams().noteReuse(true);
  }
  for (const Operation &operation : operations)
    operation.device->keep(operation);
  return true;
}
