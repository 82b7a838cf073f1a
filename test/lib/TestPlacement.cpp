//===- TestPlacement.cpp - Passes that test placement ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --test-hetero-pin-randomly annotates operations at random, so that programs
// can be run under many placements. --test-hetero-print-topology prints a
// module's topology and the times that it gives. --test-hetero-print-costs
// asks for costs as passes of others do.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/MachineCosts.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Pass/Pass.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {
struct PinRandomlyPass
    : public PassWrapper<PinRandomlyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PinRandomlyPass)

  PinRandomlyPass() = default;
  PinRandomlyPass(const PinRandomlyPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-hetero-pin-randomly"; }
  StringRef getDescription() const override {
    return "Annotates operations with devices at random";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<HeteroDialect>();
  }
  void runOnOperation() override {
    if (failed(pin(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult pin(ModuleOp module);
  LogicalResult pinAll(ArrayRef<Operation *> ops, const Topology &topology,
                       DeviceIndex device);
  LogicalResult pinShares(SmallVector<Operation *> ops,
                          const Topology &topology,
                          ArrayRef<DeviceIndex> indices);

  Option<uint64_t> seed{*this, "seed", llvm::cl::desc("Seed"),
                        llvm::cl::init(0)};
  ListOption<std::string> devices{*this, "devices",
                                  llvm::cl::desc("Devices to use")};
  Option<double> minShare{*this, "min-share",
                          llvm::cl::desc("Least share of the operations that "
                                         "each device gets"),
                          llvm::cl::init(0.3)};
  Option<std::string> all{*this, "all",
                          llvm::cl::desc("Pin everything that can to this "
                                         "device"),
                          llvm::cl::init("")};
};
} // namespace

static bool canRun(Operation *op, const Topology &topology,
                   DeviceIndex device) {
  std::string reason;
  return succeeded(canRunOn(op, topology, device, reason));
}

static void pinTo(Operation *op, const Topology &topology, DeviceIndex device) {
  setDevice(op, topology.getDevice(device));
}

LogicalResult PinRandomlyPass::pinAll(ArrayRef<Operation *> ops,
                                      const Topology &topology,
                                      DeviceIndex device) {
  for (Operation *op : ops)
    if (canRun(op, topology, device))
      pinTo(op, topology, device);
  return success();
}

/// Gives each device its share from a shuffled list, the host last because it
/// takes anything, then deals out the rest.
LogicalResult PinRandomlyPass::pinShares(SmallVector<Operation *> ops,
                                         const Topology &topology,
                                         ArrayRef<DeviceIndex> indices) {
  std::mt19937_64 random(seed);
  for (size_t i = ops.size(); i > 1; --i)
    std::swap(ops[i - 1], ops[random() % i]);
  size_t share = minShare * ops.size();
  if (share == 0 && ops.size() >= indices.size())
    share = 1;
  SmallVector<DeviceIndex> order(indices);
  llvm::sort(order, std::greater<DeviceIndex>());
  SmallVector<bool> taken(ops.size(), false);
  for (DeviceIndex device : order) {
    size_t count = 0;
    for (size_t i = 0; i < ops.size() && count < share; ++i) {
      if (taken[i] || !canRun(ops[i], topology, device))
        continue;
      taken[i] = true;
      pinTo(ops[i], topology, device);
      ++count;
    }
    if (count < share)
      return emitError(getOperation().getLoc())
             << "expected " << share << " of " << ops.size()
             << " operations for " << topology.getDevice(device).str()
             << ", got " << count;
  }
  for (size_t i = 0; i < ops.size(); ++i) {
    SmallVector<DeviceIndex> capable;
    for (DeviceIndex device : indices)
      if (canRun(ops[i], topology, device))
        capable.push_back(device);
    if (!taken[i] && !capable.empty())
      pinTo(ops[i], topology, capable[random() % capable.size()]);
  }
  return success();
}

/// All that use one state run where it is: where the first of them was pinned.
static void joinUsesOfState(ArrayRef<Operation *> ops) {
  llvm::DenseMap<Attribute, DeviceAttr> states;
  for (Operation *op : ops)
    if (SymbolRefAttr state = getStateName(op))
      if (DeviceAttr device = getDevice(op))
        setDevice(op, states.try_emplace(state, device).first->second);
}

LogicalResult PinRandomlyPass::pin(ModuleOp module) {
  SmallVector<DeviceAttr> named;
  auto add = [&](StringRef text) -> LogicalResult {
    DeviceAttr device = parseDevice(text, module.getContext());
    if (!device)
      return emitError(module.getLoc()) << "no device: '" << text << "'";
    named.push_back(device);
    return success();
  };
  for (const std::string &text : devices)
    if (failed(add(text)))
      return failure();
  if (!all.empty() && failed(add(all)))
    return failure();
  auto given = module->getAttrOfType<TopologyAttr>(kTopologyAttrName);
  Topology topology(given ? given
                          : Topology::getDefault(module.getContext(), named),
                    /*isExplicit=*/bool(given));
  SmallVector<DeviceIndex> indices;
  for (DeviceAttr device : named) {
    SmallVector<DeviceIndex> matching = topology.getMatching(device);
    if (matching.empty())
      return emitError(module.getLoc())
             << "the topology has no device " << device.str();
    indices.push_back(matching.front());
  }
  SmallVector<Operation *> ops;
  walkPlacedOperations(module, [&](Operation *op) {
    op->removeAttr(kDeviceAttrName);
    op->removeAttr(kOriginAttrName);
    if (isPlaceable(op) && !hetero::isReplicable(op) && !isa<CopyOp>(op))
      ops.push_back(op);
  });
  LogicalResult pinned = all.empty() ? pinShares(ops, topology, indices)
                                     : pinAll(ops, topology, indices.back());
  joinUsesOfState(ops);
  return pinned;
}

namespace {
struct PrintTopologyPass
    : public PassWrapper<PrintTopologyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintTopologyPass)

  StringRef getArgument() const override {
    return "test-hetero-print-topology";
  }
  StringRef getDescription() const override {
    return "Prints the topology of the module and the times that it gives";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<HeteroDialect>();
  }
  void runOnOperation() override {
    Topology topology = Topology::get(getOperation());
    llvm::raw_ostream &os = llvm::outs();
    os << (topology.isExplicit() ? "explicit" : "default") << "\n";
    for (DeviceSpecAttr spec : topology.getAttr().getDevices())
      os << spec << "\n";
    for (LinkAttr link : topology.getAttr().getLinks())
      os << link << "\n";
    if (NetworkAttr network = topology.getAttr().getNetwork())
      os << network << "\n";
    for (DeviceIndex from = 0; from < topology.size(); ++from) {
      os << topology.getDevice(from).str() << ": 1e9 flops in "
         << topology.getRooflineTime(from, {1000000000, 0}) << " ps\n";
      for (DeviceIndex to = 0; to < topology.size(); ++to)
        if (to != from && topology.isReachable(from, to))
          os << topology.getDevice(from).str() << " to "
             << topology.getDevice(to).str() << ": 1e6 bytes in "
             << topology.getTransferTime(from, to, 1000000) << " ps\n";
    }
  }
};
} // namespace

namespace {
struct PrintCostsPass
    : public PassWrapper<PrintCostsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintCostsPass)

  StringRef getArgument() const override { return "test-hetero-print-costs"; }
  StringRef getDescription() const override {
    return "Prints what operations and copies of their results cost";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<HeteroDialect>();
  }
  void runOnOperation() override {
    const auto &costs = getAnalysis<MachineCosts>();
    walkPlacedOperations(getOperation(), [&](Operation *op) {
      if (isPlaceable(op))
        print(op, costs);
    });
    markAllAnalysesPreserved();
  }

private:
  static void print(Operation *op, const MachineCosts &costs) {
    llvm::raw_ostream &os = llvm::outs();
    PlacementCost work = costs.getWork(op);
    os << op->getName() << ": " << work.flops << " flops, " << work.bytes
       << " bytes, " << costs.getExecutions(op) << " times\n";
    const Topology &topology = costs.getTopology();
    for (DeviceIndex i = 0; i < topology.size(); ++i) {
      DeviceAttr device = topology.getDevice(i);
      std::string reason;
      os << "  " << device.str() << ": ";
      if (auto time = costs.getTime(op, device, &reason))
        os << time->picoseconds << " ps" << describeSource(time->source);
      else
        os << reason;
      if (auto time = costs.getCopyTime(op->getResult(0), device,
                                        topology.getDevice(0)))
        os << ", result to cpu:0 " << *time << " ps";
      os << "\n";
    }
  }
};
} // namespace

namespace mlir::hetero::test {
void registerTestPlacementPasses() {
  PassRegistration<PinRandomlyPass>();
  PassRegistration<PrintTopologyPass>();
  PassRegistration<PrintCostsPass>();
}
} // namespace mlir::hetero::test
