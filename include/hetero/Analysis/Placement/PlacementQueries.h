//===- PlacementQueries.h - Questions about one operation -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PLACEMENTQUERIES_H
#define HETERO_ANALYSIS_PLACEMENT_PLACEMENTQUERIES_H

#include "hetero/Analysis/Machine/Topology.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::hetero {

/// True if a device can be chosen for the operation: it has a tensor among its
/// operands or results that must be where the operation runs.
bool isPlaceable(Operation *op);
/// True if the host alone may run what is in this operation's regions, because
/// their iterations run in parallel.
bool isInParallelRegion(Operation *op);
/// Success if this device of the topology can run the operation.
LogicalResult canRunOn(Operation *op, const Topology &topology,
                       DeviceIndex device, std::string &reason);
/// True for an operation with results that are no tensors: these are on the
/// host, and so is the operation, also where other devices run host code.
bool makesScalars(Operation *op);
/// True if the device handles the element types of the operation.
bool hasElementsOf(Operation *op, const Topology &topology, DeviceIndex device,
                   std::string *reason = nullptr);

/// The operations that are placed, in program order: those of function bodies
/// and of control flow in them, without terminators.
void walkPlacedOperations(ModuleOp module,
                          llvm::function_ref<void(Operation *)> callback);

/// True if a function of the module has a signature that is open to choice.
bool hasPrivateFunctions(ModuleOp module);

/// The annotation of an argument or a result of a function; null for none.
DeviceAttr getArgumentDevice(FunctionOpInterface function, unsigned index);
DeviceAttr getResultDevice(FunctionOpInterface function, unsigned index);

/// "model.mlir:3:8", or the name of a named location; empty for unknown ones.
std::string describeLocation(Location loc);

/// Calls `visit` with the description of each location that one was fused from:
/// what an operation has that does the work of several. Unknown ones have none.
void forEachSource(Location loc, llvm::function_ref<void(StringRef)> visit);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PLACEMENTQUERIES_H
