//===- BLAS.h - Products of matrices by a BLAS ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_BLAS_H
#define HETERO_LIB_RUNTIME_LIBRARIES_BLAS_H

#include "Runtime/Libraries/Libraries.h"

namespace hetero::runtime {

/// gemm of a library with the interface of CBLAS, and of oneDNN.
HeteroStatus callGemm(const LibraryCall &call);
HeteroStatus callGemmOfOneDNN(const LibraryCall &call);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_LIBRARIES_BLAS_H
