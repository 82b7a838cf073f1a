//===- driver-program.cu - The kernel of driver-program.cpp ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void scale(const float *from, float *to, float by,
                                 int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    to[i] = by * from[i];
}
