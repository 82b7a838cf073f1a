//===- CopyRemarks.h - Says what is copied and why --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_COPIES_COPYREMARKS_H
#define HETERO_TRANSFORMS_COPIES_COPYREMARKS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Says of copies what they move, how much, and for whom, and of operations
/// that were repeated on a device instead for whom; in this order, if somebody
/// listens.
void remarkOnInstances(ArrayRef<Operation *> instances);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_COPIES_COPYREMARKS_H
