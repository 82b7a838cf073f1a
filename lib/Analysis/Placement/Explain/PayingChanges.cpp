//===- PayingChanges.cpp - What would make a device pay -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module is placed anew on machines that are faster in one respect. A
// faster device attracts more, so that the least factor is found by doubling
// and bisection.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/Explain/PayingChanges.h"

#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "mlir/IR/Diagnostics.h"

#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

/// Bisections between a factor that does and one half of it that does not.
static constexpr unsigned kNumBisections = 5;

static int64_t scaleRate(int64_t rate, double factor) {
  return int64_t(std::min(double(rate) * factor, 9e18));
}

static DeviceSpecAttr makeFaster(DeviceSpecAttr spec, double factor) {
  return DeviceSpecAttr::get(
      spec.getContext(), spec.getDevice(), spec.getMemory(),
      scaleRate(spec.getCompute(), factor),
      scaleRate(spec.getBandwidth(), factor),
      int64_t(double(spec.getLaunch()) / factor), spec.getTypes(),
      spec.getTarget(), spec.getOverlap());
}

static LinkAttr makeFaster(LinkAttr link, double factor) {
  return LinkAttr::get(link.getContext(), link.getFrom(), link.getTo(),
                       scaleRate(link.getBandwidth(), factor),
                       int64_t(double(link.getLatency()) / factor),
                       link.getUnified());
}

/// The machine with a part that is so many times as fast.
static Topology makeFaster(const Topology &topology, DeviceIndex device,
                           MachinePart part, double factor) {
  DeviceAttr changed = topology.getDevice(device);
  TopologyAttr attr = topology.getAttr();
  SmallVector<DeviceSpecAttr> specs(attr.getDevices());
  SmallVector<LinkAttr> links(attr.getLinks());
  if (part != MachinePart::Links)
    for (DeviceSpecAttr &spec : specs)
      if (spec.getDevice() == changed)
        spec = makeFaster(spec, factor);
  if (part != MachinePart::Device)
    for (LinkAttr &link : links)
      if (link.getFrom() == changed || link.getTo() == changed)
        link = makeFaster(link, factor);
  return Topology(
      TopologyAttr::get(attr.getContext(), specs, links, attr.getNetwork()),
      topology.isExplicit());
}

namespace {
/// Places one module on several machines.
class ChangeFinder {
public:
  ChangeFinder(ModuleOp module, const Topology &topology, const BlockTree &tree)
      : module(module), topology(topology), tree(tree) {}

  PayingChange find(DeviceIndex device, MachinePart part);

private:
  int64_t countOps(const Topology &machine, DeviceIndex device);

  ModuleOp module;
  const Topology &topology;
  const BlockTree &tree;
};
} // namespace

/// Operations that cost puts on the device. What is made wherever it is needed
/// follows others.
int64_t ChangeFinder::countOps(const Topology &machine, DeviceIndex device) {
  PlacementOptions options;
  options.reopensCosts = true;
  FailureOr<Placement> placement =
      computePlacement(module, machine, tree, options);
  if (failed(placement))
    return 0;
  DeviceAttr wanted = machine.getDevice(device);
  return llvm::count_if(placement->decisions,
                        [&](const PlacementDecision &decision) {
                          return decision.reason == PlacementReason::Cost &&
                                 decision.device.isSameDevice(wanted) &&
                                 !isRepeatable(decision.op);
                        });
}

PayingChange ChangeFinder::find(DeviceIndex device, MachinePart part) {
  PayingChange change{device, part, std::nullopt};
  auto pays = [&](double factor) {
    int64_t ops = countOps(makeFaster(topology, device, part, factor), device);
    if (ops == 0)
      return false;
    change.factor = factor;
    change.ops = ops;
    return true;
  };
  double factor = 1;
  while (factor <= kMostPaying && !pays(factor))
    factor *= 2;
  if (!change.factor || factor == 1)
    return change;
  double low = factor / 2, high = factor;
  for (unsigned i = 0; i < kNumBisections; ++i) {
    double middle = std::sqrt(low * high);
    (pays(middle) ? high : low) = middle;
  }
  return change;
}

SmallVector<PayingChange>
mlir::hetero::findPayingChanges(ModuleOp module, const Topology &topology,
                                const BlockTree &tree) {
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  ChangeFinder finder(module, topology, tree);
  SmallVector<PayingChange> changes;
  for (DeviceIndex device = 1; device < topology.size(); ++device)
    for (MachinePart part :
         {MachinePart::Device, MachinePart::Links, MachinePart::Both}) {
      changes.push_back(finder.find(device, part));
      // It is used: nothing has to change.
      if (changes.back().factor == 1.0)
        break;
    }
  return changes;
}
