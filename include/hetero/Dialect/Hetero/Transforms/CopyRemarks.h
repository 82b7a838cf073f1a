//===- CopyRemarks.h - Says what is copied and why --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_COPYREMARKS_H
#define HETERO_DIALECT_HETERO_TRANSFORMS_COPYREMARKS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Who needs an instance of a value, the last one first. Finding them takes
/// time, so that somebody has to listen.
using FindUsers = llvm::function_ref<SmallVector<Operation *>()>;

/// What a new copy moves, how much, and for whom.
void remarkOnCopy(CopyOp copy, FindUsers findUsers);

/// An operation that was repeated on a device instead.
void remarkOnReplica(Operation *replica, DeviceAttr device,
                     FindUsers findUsers);

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_COPYREMARKS_H
