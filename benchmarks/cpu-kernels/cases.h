//===- cases.h - The kinds of cases -----------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_BENCHMARKS_CPUKERNELS_CASES_H
#define HETERO_BENCHMARKS_CPUKERNELS_CASES_H

#include "onednn.h"
#include <cmath>

namespace kernels {

/// A sum in double precision, and what bounds the error of one in single.
struct Sum {
  double value = 0, magnitude = 0;
  int64_t terms = 0;
  void add(double term) {
    value += term;
    magnitude += std::abs(term);
    ++terms;
  }
  Expected get() const;
};

// Sizes: m, n, k, with the batch before them where there is one.
Case makeMatmul(const Sizes &sizes);
/// The same of matrices of which one is transposed: k x m, or n x k.
Case makeMatmulTransposeA(const Sizes &sizes);
Case makeMatmulTransposeB(const Sizes &sizes);
/// The same with a second matrix that is a constant of the program.
Case makeMatmulWeights(const Sizes &sizes);
Case makeBatchMatmul(const Sizes &sizes);
Case makeBatchMatmulTransposeB(const Sizes &sizes);
Case makeMatmulGelu(const Sizes &sizes);
/// The same with a second matrix that is a constant of the program.
Case makeMatmulWeightsGelu(const Sizes &sizes);
/// softmax(Q K) V; sizes: heads, length, width of a head.
Case makeAttention(const Sizes &sizes);

// Sizes: images, channels, height, width, filters, window, stride, padding.
// With channels last, those of a pixel are next to each other.
Case makeConvolution(const Sizes &sizes, bool channelsLast);
Case makeConvolutionAddRelu(const Sizes &sizes, bool channelsLast);
Case makeDepthwise(const Sizes &sizes, bool channelsLast);
/// Sizes: images, channels, height, width, window, stride, padding.
Case makeMaxPool(const Sizes &sizes, bool channelsLast);

// Layers of networks, with bias and ReLU and constant weights.
/// A convolution of 7 x 7 and a pooling; sizes: images, channels, height,
/// width, filters.
Case makeStem(const Sizes &sizes);
/// Two blocks with a sum each; sizes: images, channels, height, width.
Case makeResidual(const Sizes &sizes);
Case makeBottleneck(const Sizes &sizes);
Case makeInverted(const Sizes &sizes);
/// Two times each channel on its own, then all pixels; sizes: images, channels,
/// height, width, filters.
Case makeSeparable(const Sizes &sizes);

// Sizes: rows, columns.
Case makeSoftmax(const Sizes &sizes);
Case makeLayerNorm(const Sizes &sizes);
Case makeGelu(const Sizes &sizes);
Case makeGeluChain(const Sizes &sizes);
Case makeRowSums(const Sizes &sizes);

} // namespace kernels

#endif // HETERO_BENCHMARKS_CPUKERNELS_CASES_H
