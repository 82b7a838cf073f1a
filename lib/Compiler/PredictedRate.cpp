//===- PredictedRate.cpp - Requests that follow each other ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/PredictedRate.h"

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::hetero;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// What is predicted
//===----------------------------------------------------------------------===//

/// More are not needed for any pipeline of that many devices and links.
static constexpr int32_t kMostInFlight = 32;

namespace {
/// Lists the loads of a machine.
class LoadLister {
public:
  LoadLister(const MachineLoads &loads, const Topology &topology)
      : loads(loads), topology(topology) {}

  std::vector<PredictedLoad> run();

private:
  std::string getName(DeviceIndex device) const {
    return topology.getDevice(device).str();
  }
  void addLink(DeviceIndex from, DeviceIndex to, int64_t time);
  void addEngine(const std::string &name, ArrayRef<PredictedLoad> links);
  void addEngines(DeviceIndex device);

  const MachineLoads &loads;
  const Topology &topology;
  std::vector<PredictedLoad> list;
};
} // namespace

void LoadLister::addLink(DeviceIndex from, DeviceIndex to, int64_t time) {
  if (time > 0)
    list.push_back({getName(from) + " -> " + getName(to), PredictedLoad::Link,
                    time * 1e-12});
}

/// Of one link alone the engine has nothing to add.
void LoadLister::addEngine(const std::string &name,
                           ArrayRef<PredictedLoad> links) {
  if (links.size() < 2)
    return;
  PredictedLoad engine{name, PredictedLoad::Engine, 0};
  for (const PredictedLoad &link : links) {
    engine.seconds += link.seconds;
    engine.links.push_back(link.name);
  }
  list.push_back(std::move(engine));
}

/// A gpu has one engine for copies to it and one for those from it.
void LoadLister::addEngines(DeviceIndex device) {
  std::vector<PredictedLoad> to, from;
  std::string name = getName(device);
  for (const PredictedLoad &load : list) {
    if (load.kind != PredictedLoad::Link)
      continue;
    auto [source, target] = StringRef(load.name).split(" -> ");
    if (target == name)
      to.push_back(load);
    if (source == name)
      from.push_back(load);
  }
  addEngine("copies to " + name, to);
  addEngine("copies from " + name, from);
}

std::vector<PredictedLoad> LoadLister::run() {
  for (auto [device, time] : llvm::enumerate(loads.devices))
    if (time > 0)
      list.push_back({getName(device), PredictedLoad::Device, time * 1e-12});
  for (const auto &[link, time] : loads.links)
    addLink(link.first, link.second, time);
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    if (!topology.isHostOfNode(device))
      addEngines(device);
  return std::move(list);
}

static double getLargest(ArrayRef<PredictedLoad> loads) {
  double largest = 0;
  for (const PredictedLoad &load : loads)
    largest = std::max(largest, load.seconds);
  return largest;
}

/// A request is under way as long as all devices and links work on it, one
/// after the other, and the busiest can begin one whenever it is done with the
/// last: so many are under way, and two wait.
static int32_t chooseInFlight(ArrayRef<PredictedLoad> loads) {
  double sum = 0, largest = getLargest(loads);
  for (const PredictedLoad &load : loads)
    if (load.kind != PredictedLoad::Engine)
      sum += load.seconds;
  if (largest == 0)
    return 1;
  return std::min<double>(std::ceil(sum / largest) + 2, kMostInFlight);
}

/// As many as have their memory on each device of a known size.
static int32_t limitByMemory(int32_t inFlight, const PlacementPrice &price,
                             const Topology &topology) {
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    std::optional<int64_t> capacity = topology.getCapacity(device);
    int64_t needed = price.devices[device].memory;
    if (capacity && needed > 0)
      inFlight = std::min<int64_t>(inFlight, *capacity / needed);
  }
  return std::max(inFlight, 1);
}

FailureOr<PredictedRate> mlir::hetero::predictRate(Compilation &compilation) {
  OwningOpRef<ModuleOp> placed =
      compilation.runUntil(Phase::Placed, /*isQuiet=*/true);
  if (!placed)
    return failure();
  std::optional<Profile> profile;
  if (failed(loadProfileOption(compilation.getOptions().profile,
                               placed->getLoc(), profile)))
    return failure();
  Topology topology = Topology::get(*placed);
  PlacementOptions options;
  options.wantsPrice = true;
  options.profile = profile ? &*profile : nullptr;
  options.objective = PlacementObjective::Throughput;
  FailureOr<Placement> placement =
      computePlacement(*placed, topology, BlockTree(*placed), options);
  if (failed(placement))
    return failure();
  const PlacementPrice &price = placement->price;
  PredictedRate rate;
  rate.loads = LoadLister(price.loads, topology).run();
  if (double largest = getLargest(rate.loads))
    rate.perSecond = 1 / largest;
  rate.inFlight = limitByMemory(chooseInFlight(rate.loads), price, topology);
  return rate;
}

//===----------------------------------------------------------------------===//
// What a run did
//===----------------------------------------------------------------------===//

namespace {
/// When something worked, in microseconds.
struct Span {
  double begin, end;
};

/// When each device and link worked, by name.
class BusySpans {
public:
  /// False if it is no trace.
  bool read(llvm::StringRef trace);
  /// How long at least one of their spans lasts.
  double getSeconds(ArrayRef<std::string> names) const;

private:
  void add(const json::Object &event);

  std::map<int64_t, std::string> processes;
  std::map<std::string, std::vector<Span>> spans;
};
} // namespace

/// A copy between two gpus is on the rows of both: the same span twice.
void BusySpans::add(const json::Object &event) {
  const json::Object *arguments = event.getObject("args");
  int64_t process = event.getInteger("pid").value_or(0);
  if (event.getString("name") == "process_name" && arguments)
    processes[process] = arguments->getString("name").value_or("").str();
  std::optional<llvm::StringRef> category = event.getString("cat");
  if (event.getString("ph") != "X" || !category || !arguments)
    return;
  std::string name = processes[process];
  if (*category == "copy")
    name = (arguments->getString("from").value_or("") + " -> " +
            arguments->getString("to").value_or(""))
               .str();
  else if (*category != "kernel" && *category != "region")
    return;
  double begin = event.getNumber("ts").value_or(0);
  spans[name].push_back({begin, begin + event.getNumber("dur").value_or(0)});
}

bool BusySpans::read(llvm::StringRef trace) {
  llvm::Expected<json::Value> parsed = json::parse(trace);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return false;
  }
  const json::Object *object = parsed->getAsObject();
  const json::Array *events =
      object ? object->getArray("traceEvents") : parsed->getAsArray();
  if (!events)
    return false;
  for (const json::Value &event : *events)
    if (const json::Object *fields = event.getAsObject())
      add(*fields);
  return true;
}

double BusySpans::getSeconds(ArrayRef<std::string> names) const {
  std::vector<Span> sorted;
  for (const std::string &name : names)
    if (auto found = spans.find(name); found != spans.end())
      llvm::append_range(sorted, found->second);
  llvm::sort(sorted, [](const Span &a, const Span &b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  double sum = 0, last = -1;
  for (const Span &span : sorted) {
    sum += std::max(0.0, span.end - std::max(span.begin, last));
    last = std::max(last, span.end);
  }
  return sum * 1e-6;
}

std::optional<std::string>
mlir::hetero::addPrediction(llvm::StringRef report, const PredictedRate &rate,
                            llvm::StringRef trace) {
  llvm::Expected<json::Value> parsed = json::parse(report);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  json::Object *object = parsed->getAsObject();
  json::Object *requests = object ? object->getObject("requests") : nullptr;
  BusySpans busy;
  if (!requests || (!trace.empty() && !busy.read(trace)))
    return std::nullopt;
  double seconds = requests->getNumber("seconds").value_or(0);
  json::Array loads;
  for (const PredictedLoad &load : rate.loads) {
    static constexpr llvm::StringLiteral kKinds[] = {"device", "link",
                                                     "engine"};
    json::Object fields{{kKinds[load.kind], load.name},
                        {"predicted_seconds", load.seconds}};
    ArrayRef<std::string> names =
        load.links.empty() ? ArrayRef(load.name) : ArrayRef(load.links);
    if (!trace.empty() && seconds > 0)
      fields["busy"] = std::min(1.0, busy.getSeconds(names) / seconds);
    loads.push_back(std::move(fields));
  }
  (*requests)["predicted_per_second"] = rate.perSecond;
  (*requests)["loads"] = std::move(loads);
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(*object));
  return text;
}
