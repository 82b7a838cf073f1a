//===- LocalUses.h - Uses that share a copy behind a value ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most values of a large module are read by placed operations of their own
// block, on their own device or on one other: one copy behind the definition
// serves all of these. To look at a value's uses is then cheaper than to look
// at the operands of its users one by one, which come from far apart in memory.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_LOCALUSES_H
#define HETERO_DIALECT_HETERO_TRANSFORMS_LOCALUSES_H

#include "hetero/Dialect/Hetero/Transforms/DeviceConstraints.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir {
namespace hetero {

/// Uses that want the same copy of a value, the first user first.
struct SharedUses {
  Value value;
  DeviceAttr device;
  SmallVector<OpOperand *, 4> uses;
};

/// Sorts uses of values whose types say their device.
class LocalUses {
public:
  explicit LocalUses(DeviceConstraints &constraints)
      : constraints(constraints) {}

  /// The uses of the value that want the same copy of it, if there are such.
  /// Uses that want something else are left.
  SharedUses collect(Value value);

  /// True if the operation, or one in its body, has uses that were left.
  bool isLeft(Operation *op) const { return left.contains(op); }

private:
  /// True if the use wants nothing else than an instance of the value behind
  /// its definition, or the value itself.
  bool isLocal(OpOperand &use);
  /// Adds the use to those that share a copy, unless it is settled or left.
  /// True unless the value's uses cannot share one.
  bool add(OpOperand &use, DeviceAttr actual, SharedUses &shared);
  void leave(Operation *user);

  DeviceConstraints &constraints;
  llvm::DenseSet<Operation *> left;
};

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_LOCALUSES_H
