//===- Buffers.h - What is known of buffers ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After bufferization: where buffers come from and are, how large they are, and
// who touches them.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_BUFFERS_H
#define HETERO_TRANSFORMS_BUFFERS_BUFFERS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::hetero {

/// A buffer that an operation touches, and whether it writes it.
using BufferUse = std::pair<Value, bool>;

/// The allocation that a view is of.
Value getRootBuffer(Value buffer);

/// The device of the buffer, or null for the host's.
DeviceAttr getBufferDevice(Value buffer);

/// The size in bytes of a buffer without gaps; none if that is not known.
std::optional<int64_t> getBufferBytes(MemRefType type);

/// The operations that use the buffer or a view of it, but for those that only
/// make the views.
SmallVector<Operation *> getBufferUsers(Value buffer);

/// The buffers that an operation touches, those of the host included. What is
/// neither a kernel nor a copy may write each of its operands.
SmallVector<BufferUse> getBufferUses(Operation *op);

/// True if all memory that the operation and those inside touch is that of
/// buffers that they name.
bool namesBuffers(Operation *op);

/// True if the buffer comes from inside of the operation; what it aliases from
/// outside is an operand too.
bool isInside(Value buffer, Operation *op);

/// True if it is known that two buffers that are no views are not the same
/// memory: one is allocated in the block, the other is too, or comes from
/// outside.
bool areDistinct(Value a, Value b, Block *block);

/// True if the operation, unless it is a call, may give a buffer that it has
/// another name.
bool mayRename(Operation *user);

/// Allocates a buffer of a type as large as another one, and copies that there.
Value copyBuffer(OpBuilder &builder, Location loc, Value buffer,
                 MemRefType type);

/// True if no other value is the memory of this one, wherever both come from: a
/// slot for constants, or a constant that goes through one.
bool isStreamed(Value root);

/// The names of a module's state: memory that any function may change.
using StateNames = llvm::DenseSet<StringAttr>;
StateNames collectStateNames(ModuleOp module);

/// The name of the state that a buffer, which is no view, is; null for other
/// buffers.
StringAttr getState(Value root, const StateNames &states);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_BUFFERS_H
