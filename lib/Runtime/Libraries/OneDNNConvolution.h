//===- OneDNNConvolution.h - Convolutions of oneDNN -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_ONEDNNCONVOLUTION_H
#define HETERO_LIB_RUNTIME_LIBRARIES_ONEDNNCONVOLUTION_H

#include "Runtime/Libraries/Libraries.h"

namespace hetero::runtime {

HeteroStatus callConvolution(const LibraryCall &call);

/// Drops what is kept for pointers in [data, data + bytes).
void forgetLibraryState(const void *data, int64_t bytes);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_LIBRARIES_ONEDNNCONVOLUTION_H
