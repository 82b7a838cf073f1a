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
/// transposed to row-major. NumPy has no bf16: two-byte void elements ("V2",
/// what ml_dtypes writes) are read as bf16. Unsigned integers are taken for the
/// signless type of their size.
bool readNpy(const std::string &path, HostValue &value, std::string &error);

/// Writes `value` through a temporary file, so that `path` never holds half an
/// array.
bool writeNpy(const std::string &path, const HostValue &value,
              std::string &error);

} // namespace runner
} // namespace hetero

#endif // HETERO_RUNNER_NPY_H
