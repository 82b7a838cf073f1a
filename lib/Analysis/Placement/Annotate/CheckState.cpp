//===- CheckState.cpp - State and the operations that use it --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// State is a symbol that operations read and write by its name, like a global.
// Where it is annotated with a device, all of them must run there.
//
//===----------------------------------------------------------------------===//

#include "CheckState.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if one of the devices that `spec` names can run the operation. Else
/// `reason` says why not.
static bool canRunThere(Operation *op, const Topology &topology,
                        DeviceAttr spec, std::string &reason) {
  if (!isPlaceable(op)) {
    reason = "the host runs it";
    (void)hetero::canRunOn(op, spec.getKind(), reason);
    return false;
  }
  // That there is no such device is an error about the state itself.
  SmallVector<DeviceIndex> matching = topology.getMatching(spec);
  return matching.empty() || llvm::any_of(matching, [&](DeviceIndex device) {
           return succeeded(canRunOn(op, topology, device, reason));
         });
}

/// Fails if an operation that uses the state cannot run where the state is.
static LogicalResult checkState(Operation *state, DeviceAttr device,
                                ModuleOp module, const Topology &topology) {
  auto uses = SymbolTable::getSymbolUses(state, &module.getBodyRegion());
  if (!uses)
    return success();
  for (const SymbolTable::SymbolUse &use : *uses) {
    Operation *user = use.getUser();
    std::string reason;
    if (canRunThere(user, topology, device, reason))
      continue;
    InFlightDiagnostic error = emitError(user->getLoc())
                               << "'" << user->getName()
                               << "' op uses state on " << device.str()
                               << ", which cannot run it: " << reason
                               << "; annotate the state with cpu:0";
    error.attachNote(state->getLoc()) << "the state is annotated here";
    return failure();
  }
  return success();
}

LogicalResult mlir::hetero::checkStates(ModuleOp module,
                                        const Topology &topology) {
  bool hasErrors = false;
  for (Operation &op : *module.getBody()) {
    DeviceAttr device = getDevice(&op);
    if (!device || device.meet(DeviceAttr::getHost(op.getContext())) ||
        isa<FunctionOpInterface>(op) || !isa<SymbolOpInterface>(op))
      continue;
    hasErrors |= failed(checkState(&op, device, module, topology));
  }
  return failure(hasErrors);
}

void mlir::hetero::noteState(InFlightDiagnostic &error, Operation *op) {
  for (NamedAttribute attr : op->getAttrs()) {
    auto symbol = dyn_cast<SymbolRefAttr>(attr.getValue());
    Operation *state =
        symbol ? SymbolTable::lookupNearestSymbolFrom(op, symbol) : nullptr;
    if (state && !isa<FunctionOpInterface>(state))
      error.attachNote(state->getLoc()) << "it uses this state";
  }
}
