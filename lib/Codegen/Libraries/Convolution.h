//===- Convolution.h - Convolutions of libraries ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_LIBRARIES_CONVOLUTION_H
#define HETERO_CODEGEN_LIBRARIES_CONVOLUTION_H

#include "Candidate.h"

namespace mlir::hetero {

/// The convolution that the operation is, if it is one, with the pad before it
/// and what is after it as far as the call can compute that.
std::optional<Candidate> matchConvolution(linalg::GenericOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_LIBRARIES_CONVOLUTION_H
