//===- DeviceNotice.cpp - Says which devices placement considers ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceNotice.h"

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::hetero;

/// Why the topology has these devices and no others.
static std::string explain(ModuleOp module, const Topology &topology) {
  if (topology.isExplicit())
    return "those of the topology";
  auto machine = module->getAttrOfType<ArrayAttr>(kMachineAttrName);
  if (!machine)
    return "HETERO_CUDA_DRIVER names the emulator";
  if (!machine.empty())
    return "what this machine has, and what the program and its rules name";
  if (topology.size() > 1)
    return "the program or its rules name them; this machine has no GPU, so "
           "the "
           "emulator stands in";
  return "this machine has no GPU; an annotation, a rule or "
         "HETERO_CUDA_DRIVER=emulator brings in the emulated one";
}

void DeviceNotice::runBeforePass(Pass *pass, Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module || pass->getArgument() != "hetero-place")
    return;
  auto topology = Topology::get(
      module, module->getAttrOfType<DeviceAttr>(kDefaultAttrName));
  os << tool << ": devices considered: " << topology.listDevices() << " ("
     << explain(module, topology) << ")\n";
}
