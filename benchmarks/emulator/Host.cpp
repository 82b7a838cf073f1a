//===- Host.cpp - The benchmark's kernels, for the CPU --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled with -O3 -march=native. Loops over threads stand between barriers.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <algorithm>

static constexpr int kTile = 16;

void host::matmul(const float *a, const float *b, float *c, int n, int first,
                  int end) {
  for (int block = first; block < end; ++block) {
    int row = block / (n / kTile) * kTile, column = block % (n / kTile) * kTile;
    float tileA[kTile][kTile], tileB[kTile][kTile], sums[kTile][kTile] = {};
    for (int k = 0; k < n; k += kTile) {
      for (int y = 0; y < kTile; ++y)
        for (int x = 0; x < kTile; ++x) {
          tileA[y][x] = a[(row + y) * n + k + x];
          tileB[y][x] = b[(k + y) * n + column + x];
        }
      for (int y = 0; y < kTile; ++y)
        for (int i = 0; i < kTile; ++i)
          for (int x = 0; x < kTile; ++x)
            sums[y][x] += tileA[y][i] * tileB[i][x];
    }
    for (int y = 0; y < kTile; ++y)
      std::copy(sums[y], sums[y] + kTile, c + (row + y) * n + column);
  }
}

void host::stencil(const float *in, float *out, int n, int first, int end) {
  int wide = (n + 31) / 32;
  for (int block = first; block < end; ++block)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 32; ++x) {
        int row = block / wide * 8 + y, column = block % wide * 32 + x;
        if (row >= n || column >= n)
          continue;
        int i = row * n + column;
        bool isBorder =
            row == 0 || column == 0 || row == n - 1 || column == n - 1;
        out[i] = isBorder ? in[i]
                          : 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - n] +
                                    in[i + n]);
      }
}

void host::reduce(const float *in, float *sums, int n, int blocks, int first,
                  int end) {
  for (int block = first; block < end; ++block) {
    float partial[256] = {};
    for (int from = block * 256; from < n; from += blocks * 256)
      for (int x = 0; x < std::min(256, n - from); ++x)
        partial[x] += in[from + x];
    for (int step = 128; step > 0; step /= 2)
      for (int x = 0; x < step; ++x)
        partial[x] += partial[x + step];
    sums[block] = partial[0];
  }
}

void host::saxpy(const float *x, float *y, float a, int n, int first, int end) {
  for (int i = first * 256; i < std::min(n, end * 256); ++i)
    y[i] = a * x[i] + y[i];
}

void host::tensor(const _Float16 *a, const _Float16 *b, float *c, int n,
                  int first, int end) {
  for (int block = first; block < end; ++block) {
    int row = block / (n / 8) * 16, column = block % (n / 8) * 8;
    float sums[16][8] = {};
    for (int k = 0; k < n; k += 16)
      for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 8; ++x)
          for (int i = 0; i < 16; ++i)
            sums[y][x] += static_cast<float>(a[(row + y) * n + k + i]) *
                          static_cast<float>(b[(column + x) * n + k + i]);
    for (int y = 0; y < 16; ++y)
      std::copy(sums[y], sums[y] + 8, c + (row + y) * n + column);
  }
}
