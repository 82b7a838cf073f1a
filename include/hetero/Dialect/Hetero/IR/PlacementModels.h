//===- PlacementModels.h - Models of PlacementOpInterface -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What placement knows of the operations of the upstream dialects and of this
// one, and functions that ask any operation, with or without the interface. An
// operation without a model runs on the host, with all its tensors there.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_PLACEMENTMODELS_H
#define HETERO_DIALECT_HETERO_IR_PLACEMENTMODELS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"

namespace mlir {
namespace linalg {
class LinalgOp;
} // namespace linalg
class DialectRegistry;

namespace hetero {
class DeviceKind;

/// Attaches the models when their dialects are loaded.
void registerPlacementModels(DialectRegistry &registry);

/// True if the operation has a tensor among its operands or results.
bool hasTensors(Operation *op);
/// True if placement goes into the regions of the operation and places what
/// is there: control flow, but not the bodies of linalg operations.
bool isControlFlow(Operation *op);

/// The methods of PlacementOpInterface for any operation.
/// The operation must not exclude the kind, and the kind must run it.
LogicalResult canRunOn(Operation *op, StringRef kind, std::string &reason);
/// The same for a kind that was looked up; null if it is not registered.
LogicalResult canRunOn(Operation *op, StringRef kind,
                       const DeviceKind *registered, std::string &reason);
PlacementConstraint getOperandConstraint(OpOperand &operand);
/// The same for an operand that is a tensor: its type is not looked at.
PlacementConstraint getTensorConstraint(OpOperand &operand);
PlacementConstraint getResultConstraint(OpResult result);
PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes);
bool isReplicable(Operation *op);
bool readsOperand(OpOperand &operand);
/// The name of the state that the operation uses, or null.
SymbolRefAttr getStateName(Operation *op);

/// True if no result moves along a reduction, as the sums of a scan do: each of
/// its elements is stored once.
bool storesOncePerPoint(linalg::LinalgOp op);
/// A scan is run by one thread for each row: with fewer rows it stays on the
/// host.
inline constexpr int64_t kFewestScanRows = 32;
/// Calls `visit` for every value that the operation needs: its operands, and
/// what its regions capture. A value may be visited several times.
void visitReads(Operation *op, llvm::function_ref<void(Value)> visit);

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_IR_PLACEMENTMODELS_H
