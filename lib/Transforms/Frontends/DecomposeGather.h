//===- DecomposeGather.h - tensor.gather as a linalg.generic ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_DECOMPOSEGATHER_H
#define HETERO_TRANSFORMS_FRONTENDS_DECOMPOSEGATHER_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class RewriterBase;
namespace tensor {
class GatherOp;
} // namespace tensor
} // namespace mlir

namespace mlir::hetero {

/// Turns a gather into a linalg.generic that reads one element per result.
void decomposeGather(RewriterBase &rewriter, tensor::GatherOp op);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_DECOMPOSEGATHER_H
