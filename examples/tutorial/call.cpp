//===- call.cpp - Calls the tutorial's compiled model ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model.h" // Written by hetero-compile beside model.so.

#include <cstdio>
#include <vector>

/// A contiguous tensor of f32 in host memory that the caller owns.
static HeteroValue describe(std::vector<float> &data, int64_t rows,
                            int64_t columns) {
  HeteroValue value = {};
  value.data = data.data();
  value.type = HETERO_TYPE_F32;
  value.rank = 2;
  value.device = HETERO_HOST;
  value.sizes[0] = rows;
  value.sizes[1] = columns;
  value.strides[0] = columns;
  value.strides[1] = 1;
  return value;
}

static int predictRows(int64_t rows, int64_t columns) {
  std::vector<float> x(rows * columns);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  HeteroValue argument = describe(x, rows, columns), result = {};
  if (predict(&argument, 1, &result, 1) != HETERO_OK) {
    std::printf("failed: %s\n", heteroLastError());
    return 1;
  }
  const auto *y = static_cast<const float *>(result.data);
  for (int64_t i = 0; i < result.sizes[0]; ++i)
    std::printf("%g %g\n", y[2 * i], y[2 * i + 1]);
  heteroReleaseValue(&result);
  return 0;
}

int main() {
  // The second call gives rows of the wrong length.
  return predictRows(3, 4) == 0 && predictRows(3, 5) == 1 ? 0 : 1;
}
