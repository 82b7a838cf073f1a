//===- HeteroDialect.h - The hetero dialect ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its attributes, interfaces and operations, and the few helpers
// that every phase needs: a tensor's device, and the module's phase.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETERODIALECT_H
#define HETERO_DIALECT_HETERO_IR_HETERODIALECT_H

#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <cstdint>

namespace mlir {
class ModuleOp;

namespace hetero {
/// Kind of the host.
inline constexpr llvm::StringLiteral kHostKind = "cpu";
/// No machine has more devices of a kind; the runtime counts in 32 bits.
inline constexpr int64_t kLargestOrdinal = 65535;
/// Largest node: `#hetero.device<gpu:0, node = 65535>`.
inline constexpr int64_t kLargestNode = 65535;
} // namespace hetero
} // namespace mlir

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h.inc"

#include "hetero/Dialect/Hetero/IR/HeteroEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroAttrs.h.inc"

namespace mlir::hetero {
class TensorSizes;

/// Where an operand or a result of an operation is.
enum class PlacementConstraint {
  /// On the device that runs the operation.
  SameAsOp,
  /// On the host, wherever the operation runs.
  Host,
  /// Anywhere: only the type is looked at (tensor.dim), not the contents.
  Any
};

/// Arithmetic operations and bytes of memory traffic of one execution.
struct PlacementCost {
  int64_t flops = 0;
  int64_t bytes = 0;
};

/// The origin of what carries an annotation of its own. Those of annotations
/// that stand elsewhere begin with it.
inline constexpr llvm::StringLiteral kPinnedOrigin = "pinned";

/// The phase that the module says it is in.
Phase getPhase(Operation *module);
void setPhase(Operation *module, Phase phase);

/// The device of a tensor type or memref type (its memory space): the host
/// where there is none. Null for types that are neither, and for tensors with
/// an encoding of another dialect.
DeviceAttr getTypeDevice(Type type);
/// The same tensor type on a device; no encoding for the host. Other types come
/// back unchanged.
Type withDevice(Type type, DeviceAttr device);
/// The same tensor type without an encoding.
Type withoutDevice(Type type);

/// The `hetero.device` attribute of an operation, or null.
DeviceAttr getDevice(Operation *op);
void setDevice(Operation *op, DeviceAttr device);

/// What becomes of what annotations leave open of the operation, as it or what
/// is around it says; where nobody does, `otherwise`.
ConflictMode getConflictMode(Operation *op, ConflictMode otherwise);
/// The same for a value: what makes it says it.
ConflictMode getConflictMode(Value value, ConflictMode otherwise);
/// True if what makes the value says that it is in memory that the host and
/// all devices address.
bool isInUnifiedMemory(Value value);

/// The elements of a constant under another tensor type with as many of them:
/// that of another device, or of a view; null for a kind of attribute that is
/// not known.
Attribute retypeElements(Attribute value, ShapedType type);

/// Removes this dialect's attributes from an operation and, if it is a
/// function, from its arguments: for tools that do not know the dialect.
void removeOwnAttributes(Operation *op);

} // namespace mlir::hetero

#include "hetero/Dialect/Hetero/IR/HeteroInterfaces.h.inc"

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroOps.h.inc"

#endif // HETERO_DIALECT_HETERO_IR_HETERODIALECT_H
