//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNNER_NPY_H
#define HETERO_RUNNER_NPY_H

#include "hetero/Runner/HostValue.h"

namespace hetero {
namespace runner {

/// Reads an .npy file of format version 1, 2 or 3. Arrays in Fortran order are
/// transposed to row-major. NumPy has no bf16, f8 or complex<f16>: they are
/// void elements of their size ("V2", "V1", "V4"), as ml_dtypes writes them.
/// What such a file leaves open (and bytes, `uint8`, which may be f8) is
/// settled by the type that is wanted.
bool readNpy(const std::string &path, HostValue &value, std::string &error);

/// Writes `value` through a temporary file, so that `path` never holds half an
/// array. What is no file, such as /dev/null, is written as it is.
bool writeNpy(const std::string &path, const HostValue &value,
              std::string &error);

} // namespace runner
} // namespace hetero

#endif // HETERO_RUNNER_NPY_H
