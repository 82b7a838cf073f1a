//===- Host.h - The benchmark's kernels, for the CPU ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Kernels.cu computes, block by block: `first` and `end` are numbers of
// blocks, so that threads can share them as the emulator's do.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_BENCHMARKS_EMULATOR_HOST_H
#define HETERO_BENCHMARKS_EMULATOR_HOST_H

namespace host {

void matmul(const float *a, const float *b, float *c, int n, int first,
            int end);
/// Blocks of 32 x 8 elements.
void stencil(const float *in, float *out, int n, int first, int end);
/// Blocks of 256 threads, `blocks` in all.
void reduce(const float *in, float *sums, int n, int blocks, int first,
            int end);
/// Blocks of 256 elements.
void saxpy(const float *x, float *y, float a, int n, int first, int end);
/// Blocks of 16 x 8 elements.
void tensor(const _Float16 *a, const _Float16 *b, float *c, int n, int first,
            int end);

} // namespace host

#endif // HETERO_BENCHMARKS_EMULATOR_HOST_H
