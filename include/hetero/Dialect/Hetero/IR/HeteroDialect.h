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
#include <optional>

namespace mlir {
class ModuleOp;

namespace hetero {
/// Kind of the host.
inline constexpr llvm::StringLiteral kHostKind = "cpu";
} // namespace hetero
} // namespace mlir

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h.inc"

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

/// Names of the discardable attributes.
inline constexpr llvm::StringLiteral kDeviceAttrName = "hetero.device";
inline constexpr llvm::StringLiteral kOriginAttrName = "hetero.origin";
/// The origin of what carries an annotation of its own. Those of annotations
/// that stand elsewhere begin with it.
inline constexpr llvm::StringLiteral kPinnedOrigin = "pinned";
/// Why the operation stands there, and what elsewhere would cost; for readers.
inline constexpr llvm::StringLiteral kExplainAttrName = "hetero.explain";
inline constexpr llvm::StringLiteral kPhaseAttrName = "hetero.phase";
inline constexpr llvm::StringLiteral kTopologyAttrName = "hetero.topology";
inline constexpr llvm::StringLiteral kPinsAttrName = "hetero.pins";
/// Devices that the rules file names (an array), and its `default`.
inline constexpr llvm::StringLiteral kDevicesAttrName = "hetero.devices";
inline constexpr llvm::StringLiteral kDefaultAttrName = "hetero.default";
/// Where control flow carries its values: per result, per init of a loop whose
/// arguments are not its results, per argument of each block but the first.
inline constexpr llvm::StringLiteral kCarriedAttrName = "hetero.carried";
inline constexpr llvm::StringLiteral kCarriedInitsAttrName =
    "hetero.carried_inits";
inline constexpr llvm::StringLiteral kBlockArgumentsAttrName =
    "hetero.block_arguments";
inline constexpr llvm::StringLiteral kRegionAttrName = "hetero.region";
inline constexpr llvm::StringLiteral kValueAttrName = "hetero.value";
inline constexpr llvm::StringLiteral kFromAttrName = "hetero.from";
inline constexpr llvm::StringLiteral kToAttrName = "hetero.to";

/// The phases of the pipeline, in order. `None` is a module as it came in.
enum class Phase {
  None,
  Annotated,
  Placed,
  Materialized,
  CopiesOptimized,
  Partitioned,
  Codegen,
  Bufferized,
  Scheduled,
  Planned,
  GPU,
  LLVM
};

/// The name of a phase as `hetero.phase` spells it.
llvm::StringRef stringifyPhase(Phase phase);
/// The phase of that name.
std::optional<Phase> symbolizePhase(llvm::StringRef name);
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
/// Removes this dialect's attributes from an operation and, if it is a
/// function, from its arguments: for tools that do not know the dialect.
void removeOwnAttributes(Operation *op);

/// Where control flow carries the value that becomes this result: what
/// `hetero.carried` says, else what the type says, else the host.
DeviceAttr getCarriedDevice(OpResult result);
/// The same for an argument of a region of control flow, which is carried like
/// the result or the init that it is tied to, and for an argument of a block
/// that branches lead to (this walks the blocks before it).
DeviceAttr getCarriedDevice(BlockArgument argument);
/// Where `hetero.block_arguments` of `op` has an argument of a block, counted
/// with the entry block; null without the attribute.
DeviceAttr getBlockArgumentDevice(Operation *op, unsigned block,
                                  unsigned argument);

/// Write those attributes, or remove them where everything is on the host: one
/// device per result, per init, and per argument of each block but the first.
void setCarriedDevices(Operation *op, ArrayRef<DeviceAttr> results);
void setCarriedInitDevices(Operation *op, ArrayRef<DeviceAttr> inits);
void setBlockArgumentDevices(Operation *op,
                             ArrayRef<SmallVector<DeviceAttr>> blocks);
/// Removes all three, once the types say it.
void removeCarriedDevices(Operation *op);

/// The result that an argument of a region is tied to: the same value arrives
/// there when the operation ends. Null for inits that no result is tied to,
/// and for arguments that no operand is passed to (induction variables).
OpResult getTiedResult(BlockArgument argument);

/// Fails unless one of the three attributes fits the operation.
LogicalResult verifyCarriedDevices(Operation *op, NamedAttribute attr);

} // namespace mlir::hetero

#include "hetero/Dialect/Hetero/IR/HeteroInterfaces.h.inc"

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroOps.h.inc"

#endif // HETERO_DIALECT_HETERO_IR_HETERODIALECT_H
