//===- DeviceConstraints.h - Where values must be ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one answer to "where must this operand be, where is this result" that
// materialization, partitioning and verification share.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_DEVICECONSTRAINTS_H
#define HETERO_TRANSFORMS_PLACEMENT_DEVICECONSTRAINTS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::hetero {

/// True for operations whose regions hold operations that are placed one by
/// one: functions, modules, structured control flow. Other operations (linalg,
/// hetero.execute) are placed as a whole, with everything inside.
bool hasPlacedRegions(Operation *op);

/// The device that runs the operation: control flow, calls and terminators run
/// on the host, others where `hetero.device` says, or else where their tensor
/// types say. Null if nothing says.
DeviceAttr getRunDevice(Operation *op);

/// What control flow makes of an operand: arguments of regions and blocks,
/// results. Empty for operands that are not passed.
SmallVector<Value> getSuccessorInputs(OpOperand &operand);

/// Answers questions about many operations of one module: what follows from the
/// name of an operation alone is found out once per name.
class DeviceConstraints {
public:
  explicit DeviceConstraints(MLIRContext *context)
      : host(DeviceAttr::getHost(context)),
        deviceName(StringAttr::get(context, kDeviceAttrName)) {}

  /// As the functions of these names.
  bool hasPlacedRegions(Operation *op);
  DeviceAttr getTypeDevice(Type type);
  DeviceAttr getDevice(Operation *op);
  DeviceAttr getRunDevice(Operation *op);

  /// Where a tensor operand must be, without unit and codegen; null if it may
  /// be anywhere. Operands of calls and returns follow the function's
  /// signature, those that control flow passes the type of what they become.
  DeviceAttr getOperandDevice(OpOperand &operand);

  /// Where a tensor result is, without unit and codegen; null if unknown.
  /// Results of calls follow the function's signature, those of control flow
  /// what it carries them on (getCarriedDevice).
  DeviceAttr getResultDevice(OpResult result);

private:
  unsigned getTraits(Operation *op);
  bool isHostOnly(Operation *op);
  /// The device of what is not the host's in any case.
  DeviceAttr getPlacedDevice(Operation *op);
  DeviceAttr getSpecialOperandDevice(OpOperand &operand, unsigned traits);

  DeviceAttr host;
  StringAttr deviceName;
  SymbolTableCollection symbols;
  llvm::DenseMap<OperationName, unsigned> traits;
};

/// True if repeating the operation is cheaper than copying its results, and no
/// annotation pins it to its device.
bool canBeReplicated(Operation *op);
/// The same, and a device of this kind can run the operation.
bool canBeReplicatedOn(Operation *op, StringRef kind);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_DEVICECONSTRAINTS_H
