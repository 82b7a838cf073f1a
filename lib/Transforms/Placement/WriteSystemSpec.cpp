//===- WriteSystemSpec.cpp - Describes the machine in DLTI's terms --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   module attributes {hetero.topology = #hetero.topology<devices = [...]>}
// becomes
//   module attributes {
//     dlti.target_system_spec = #dlti.target_system_spec<"cpu:0" = ...>,
//     hetero.topology = #hetero.topology<devices = [...]>}
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_WRITESYSTEMSPECPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

namespace {
struct WriteSystemSpecPass
    : public mlir::hetero::impl::WriteSystemSpecPassBase<WriteSystemSpecPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto topology = module->getAttrOfType<TopologyAttr>(kTopologyAttrName);
    // Its own system spec describes the machine already, or is wrong.
    if (!topology && failed(verifySystemSpec(module)))
      return signalPassFailure();
    if (topology)
      module->setAttr(DLTIDialect::kTargetSystemDescAttrName,
                      writeSystemSpec(topology, module.getTargetSystemSpec()));
    remarkSummary(
        module, getArgument(),
        {{"written", topology ? int64_t(topology.getDevices().size()) : 0}});
    markAllAnalysesPreserved();
  }
};
} // namespace
