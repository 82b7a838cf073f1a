//===- CallBuilder.h - Emits calls of the runtime ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_RUNTIMEABI_CALLBUILDER_H
#define HETERO_CONVERSION_RUNTIMEABI_CALLBUILDER_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Emits runtime calls at one place.
class CallBuilder {
public:
  CallBuilder(OpBuilder &builder, Operation *op);

  Type i32();
  Type i64();
  Type ptr();

  Value constant32(int64_t value);
  Value constant64(int64_t value);
  Value device(DeviceAttr device);
  /// The device and the number of its unit.
  Value stream(DeviceAttr device);
  Value string(StringRef text);

  /// Stack memory of `count` elements in the function's entry block, so that a
  /// loop does not grow the stack.
  Value stackSlot(Type type, int64_t count = 1, unsigned alignment = 0);

  void call(StringRef name, ValueRange arguments);

  /// Allocates and returns the address.
  Value alloc(Value place, Value bytes, int64_t alignment);

private:
  OpBuilder &builder;
  Operation *op;
  Location loc;
  ModuleOp module;
};

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_RUNTIMEABI_CALLBUILDER_H
