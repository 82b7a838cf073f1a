//===- MergeProducers.h - Makes one of equal operations ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_MERGEPRODUCERS_H
#define HETERO_CODEGEN_CPU_PREPARE_MERGEPRODUCERS_H

namespace mlir {
class Operation;
class RewriterBase;
} // namespace mlir

namespace mlir::hetero {

/// Fusion computes a producer for each of its readers. Once is enough, and
/// loops that prefetch do not look the same later. But tensors that are filled
/// or empty stay apart: each is overwritten.
void mergeProducers(RewriterBase &rewriter, Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_MERGEPRODUCERS_H
