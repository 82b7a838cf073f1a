//===- BLAS.h - Products that BLAS computes ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_LIBRARIES_BLAS_H
#define HETERO_CODEGEN_LIBRARIES_BLAS_H

#include "Candidate.h"

namespace mlir::hetero {

/// The product of matrices that a contraction is, if it is one. Of several
/// loops over rows all but one are as good as a batch that one input does not
/// have.
std::optional<Candidate> matchProduct(linalg::GenericOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_LIBRARIES_BLAS_H
