//===- CUDNNConvolution.h - Convolutions of cuDNN, on a device --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_CUDNNCONVOLUTION_H
#define HETERO_LIB_RUNTIME_LIBRARIES_CUDNNCONVOLUTION_H

#include "Runtime/Libraries/Libraries.h"

namespace hetero::runtime {

HeteroStatus callConvolutionOfCUDNN(const LibraryCall &call);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_LIBRARIES_CUDNNCONVOLUTION_H
