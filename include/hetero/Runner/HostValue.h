//===- HostValue.h - Values that a program is run with ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors and scalars in host memory: made from the text of an --input option
// or from an .npy file, printed, and compared. Shared by hetero-run and by the
// executables that hetero-compile writes, so nothing here includes MLIR or
// LLVM headers.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNNER_HOSTVALUE_H
#define HETERO_RUNNER_HOSTVALUE_H

#include "hetero/Runtime/HeteroRuntime.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hetero {
namespace runner {

/// A tensor or scalar in host memory, row-major.
struct HostValue {
  int32_t type = HETERO_TYPE_F32;
  bool scalar = false;
  std::vector<int64_t> sizes;
  std::shared_ptr<uint8_t> data;
  /// Read from a file whose type code says no more than how many bytes an
  /// element has.
  bool isRaw = false;

  int64_t numElements() const;
  int64_t numBytes() const;
  uint8_t *element(int64_t index) const;

  /// Allocates zeroed memory for the type and sizes; false when there is not
  /// enough of it.
  bool allocate();

  /// The value as the entry point takes it; it points into this one.
  HeteroValue toArgument() const;
  /// Moves the bits of a scalar to and from where the ABI has them.
  void packScalar(HeteroValue &value) const;
  void unpackScalar(const HeteroValue &value);
};

/// The sizes of each value.
std::vector<std::vector<int64_t>>
getShapes(const std::vector<HostValue> &values);

/// "5x7xf32", or "f32" for a scalar and a tensor of rank 0.
std::string shapeText(const HostValue &value);

/// "tensor<5x7xf32>", or "f32" for a scalar.
std::string typeText(const HostValue &value);

/// Number of bytes that `sizes` elements of `type` take, or -1 when that is
/// negative or does not fit.
int64_t checkedBytes(int32_t type, const std::vector<int64_t> &sizes);

/// Parses "SHAPExTYPE=VALUES" or "TYPE=VALUE": one number for all elements, a
/// list with one number per element (complex ones as 1+2j or (1,2)), `iota`,
/// `random:SEED` (floats in [-1, 1)), or `randint:SEED` (integers in [-4, 4] in
/// any type). "@FILE" reads an .npy file. Returns false and says in `error`
/// what is wrong.
bool parseValue(std::string_view text, HostValue &value, std::string &error);

/// "5x7xf32=[1 2 3][4 5 6]..."; stops after `maxElements`.
std::string formatValue(const HostValue &value, int64_t maxElements);

} // namespace runner
} // namespace hetero

#endif // HETERO_RUNNER_HOSTVALUE_H
