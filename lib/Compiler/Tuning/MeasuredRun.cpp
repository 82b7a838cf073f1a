//===- MeasuredRun.cpp - What a run took, by its parts --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasuredRun.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::hetero;
namespace json = llvm::json;

static constexpr double kSecondsPerPicosecond = 1e-12;

/// The objects of a list.
static std::vector<const json::Object *> getObjects(const json::Object &object,
                                                    llvm::StringRef key) {
  std::vector<const json::Object *> objects;
  if (const json::Array *array = object.getArray(key))
    for (const json::Value &value : *array)
      if (const json::Object *element = value.getAsObject())
        objects.push_back(element);
  return objects;
}

static std::string getText(const json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

namespace {
/// Operations of a region by number, and the seconds of a call that they took
/// together.
struct Group {
  llvm::SetVector<unsigned> operations;
  double seconds = 0;
};

/// What was measured of one region: its kernels, or its loops on the host.
class RegionTimes {
public:
  explicit RegionTimes(const RegionDescription &region) : region(region) {}

  /// Adds a kernel, or the work on the host.
  void add(const json::Object &run, int64_t calls);
  /// The groups that have times of their own.
  void take(std::vector<MeasuredRegion> &regions);

private:
  void add(Group group);
  void addRest();

  const RegionDescription &region;
  std::vector<Group> groups;
  /// Of which nothing says for which operations it was.
  double restSeconds = 0;
  /// In a call, at least.
  double executions = 0;
};
} // namespace

/// What is for one operation is one group.
void RegionTimes::add(Group group) {
  for (auto it = groups.begin(); it != groups.end();) {
    if (llvm::none_of(it->operations, [&](unsigned operation) {
          return group.operations.contains(operation);
        })) {
      ++it;
      continue;
    }
    group.operations.insert_range(it->operations);
    group.seconds += it->seconds;
    it = groups.erase(it);
  }
  groups.push_back(std::move(group));
}

void RegionTimes::add(const json::Object &run, int64_t calls) {
  std::optional<double> seconds = run.getNumber("seconds");
  if (!seconds)
    return;
  double own = run.getNumber("measured").value_or(calls) / calls;
  // A kernel that one execution launches twice is no second execution.
  executions = executions == 0 ? own : std::min(executions, own);
  double rest = *seconds;
  for (const json::Object *part : getObjects(run, "parts")) {
    llvm::StringSet<> nodes;
    if (const json::Array *names = part->getArray("nodes"))
      for (const json::Value &name : *names)
        nodes.insert(name.getAsString().value_or(""));
    Group group;
    for (auto [index, operation] : llvm::enumerate(region.operations))
      if (llvm::any_of(operation.sources, [&](const std::string &source) {
            return nodes.contains(source);
          }))
        group.operations.insert(index);
    if (group.operations.empty())
      continue;
    double time = part->getNumber("seconds").value_or(0);
    rest -= time;
    group.seconds = time * own;
    add(std::move(group));
  }
  restSeconds += std::max(rest, 0.0) * own;
}

/// What cannot be told apart is the largest group's.
void RegionTimes::addRest() {
  if (groups.empty())
    groups.emplace_back();
  auto largest = llvm::max_element(groups, [](const Group &a, const Group &b) {
    return a.seconds < b.seconds;
  });
  largest->seconds += restSeconds;
  for (unsigned i = 0; i < region.operations.size(); ++i)
    if (llvm::none_of(groups, [&](const Group &group) {
          return group.operations.contains(i);
        }))
      largest->operations.insert(i);
}

void RegionTimes::take(std::vector<MeasuredRegion> &regions) {
  if (executions == 0)
    return;
  addRest();
  for (const Group &group : groups) {
    MeasuredRegion &result = regions.emplace_back();
    result.device = region.device.str();
    result.seconds = group.seconds / executions;
    result.executions = executions;
    for (unsigned index : group.operations) {
      const RegionOperation &operation = region.operations[index];
      std::optional<RooflineWork> work;
      if (operation.work)
        work = RooflineWork{double(operation.work->flops),
                            double(operation.work->bytes)};
      result.operations.push_back({operation.conditions, operation.op,
                                   describeLocation(operation.loc),
                                   operation.seconds, operation.share, work});
    }
  }
}

//===----------------------------------------------------------------------===//
// Copies and the machine
//===----------------------------------------------------------------------===//

/// What the topology has for a copy; nothing for ends that it lacks.
static std::optional<double> predictCopy(const Topology &topology,
                                         llvm::StringRef from,
                                         llvm::StringRef to, int64_t bytes) {
  MLIRContext *context = topology.getAttr().getContext();
  auto lookup = [&](llvm::StringRef name) -> std::optional<DeviceIndex> {
    DeviceAttr device = parseDevice(name, context);
    return device ? topology.lookup(device) : std::nullopt;
  };
  std::optional<DeviceIndex> source = lookup(from), target = lookup(to);
  if (!source || !target || !topology.isReachable(*source, *target))
    return std::nullopt;
  return topology.getTransferTime(*source, *target, bytes) *
         kSecondsPerPicosecond;
}

static void addCopies(const json::Object &report, const Topology &topology,
                      int64_t calls, MeasuredRun &run) {
  for (const json::Object *copy : getObjects(report, "copies")) {
    std::optional<double> seconds = copy->getNumber("measured_seconds");
    int64_t bytes = copy->getInteger("measured_bytes").value_or(0);
    std::string from = getText(*copy, "from"), to = getText(*copy, "to");
    std::optional<double> predicted = predictCopy(topology, from, to, bytes);
    if (seconds && predicted)
      run.copies.push_back({getText(*copy, "value"), from, to, bytes, *seconds,
                            *predicted,
                            copy->getNumber("measured").value_or(0) / calls});
  }
}

static void addMachine(const Topology &topology, MeasuredRun &run) {
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    DeviceSpecAttr spec = topology.getSpec(device);
    run.devices[topology.getDevice(device).str()] = {
        spec.getLaunch() * kSecondsPerPicosecond, 1.0 / spec.getCompute(),
        1.0 / spec.getBandwidth()};
  }
  for (LinkAttr link : topology.getAttr().getLinks())
    if (!link.getUnified())
      run.links[{link.getFrom().getBare().str(),
                 link.getTo().getBare().str()}] = {
          link.getLatency() * kSecondsPerPicosecond, 0,
          1.0 / link.getBandwidth()};
}

std::optional<MeasuredRun>
mlir::hetero::readMeasuredRun(llvm::StringRef report, const ProgramParts &parts,
                              int64_t calls) {
  llvm::Expected<json::Value> parsed = json::parse(report);
  if (!parsed) {
    consumeError(parsed.takeError());
    return std::nullopt;
  }
  const json::Object *object = parsed->getAsObject();
  if (!object || !object->getArray("devices"))
    return std::nullopt;
  llvm::MapVector<int64_t, RegionTimes> times;
  for (const json::Object *device : getObjects(*object, "devices"))
    for (llvm::StringRef key : {"regions", "kernels"})
      for (const json::Object *part : getObjects(*device, key))
        if (int64_t region = findRegion(parts.regions, getText(*part, "name"),
                                        key == "kernels");
            region >= 0)
          times.insert({region, RegionTimes(parts.regions[region])})
              .first->second.add(*part, calls);
  MeasuredRun run;
  for (auto &[region, time] : times)
    time.take(run.regions);
  addCopies(*object, parts.topology, calls, run);
  addMachine(parts.topology, run);
  return run;
}
