//===- SoftmaxOnBuffers.h - Takes softmax on memrefs apart ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_SOFTMAXONBUFFERS_H
#define HETERO_TRANSFORMS_FRONTENDS_SOFTMAXONBUFFERS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Takes each linalg.softmax on memrefs apart, which upstream does on tensors
/// only. Returns how many there were.
int64_t decomposeSoftmaxOnBuffers(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_SOFTMAXONBUFFERS_H
