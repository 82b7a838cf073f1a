//===- window.h - Windows that go over images -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_BENCHMARKS_CPUKERNELS_WINDOW_H
#define HETERO_BENCHMARKS_CPUKERNELS_WINDOW_H

#include "cases.h"

#include <algorithm>

namespace kernels {

/// Sizes of a case by name.
struct Window {
  int64_t images, channels, height, width, filters, window, stride, padding;
  bool depthwise = false;
  /// The channels of a pixel are next to each other, and so are the filters of
  /// an element of the window.
  bool channelsLast = false;

  Window(const Sizes &sizes, bool depthwise, bool channelsLast)
      : images(sizes[0]), channels(sizes[1]), height(sizes[2]), width(sizes[3]),
        filters(sizes[4]), window(sizes[5]), stride(sizes[6]),
        padding(sizes[7]), depthwise(depthwise), channelsLast(channelsLast) {}

  int64_t output(int64_t size) const {
    return (size + 2 * padding - window) / stride + 1;
  }
  Sizes inputShape() const { return {images, channels, height, width}; }
  Sizes outputShape() const {
    return {images, filters, output(height), output(width)};
  }
  /// As oneDNN wants it.
  Sizes filterShape() const {
    if (depthwise)
      return {channels, 1, 1, window, window};
    return {filters, channels, window, window};
  }
  /// Of the program's images and filters.
  dnnl::memory::desc layout(const Sizes &shape) const {
    return channelsLast ? channelsLastLayout(shape) : plainLayout(shape);
  }
  dnnl::memory::desc filterLayout() const {
    if (!channelsLast)
      return plainLayout(filterShape());
    return {filterShape(), dnnl::memory::data_type::f32,
            depthwise ? dnnl::memory::format_tag::hwigo
                      : dnnl::memory::format_tag::hwio};
  }
  /// The same sizes as the program has them.
  Sizes order(Sizes shape) const {
    if (channelsLast)
      std::rotate(shape.begin() + 1, shape.begin() + 2, shape.end());
    return shape;
  }

  /// An element of the output.
  struct Position {
    int64_t image, channel, row, column;
  };
  Position locate(int64_t index) const {
    int64_t columns = output(width), rows = output(height);
    int64_t channel = 0;
    if (channelsLast) {
      channel = index % filters;
      index /= filters;
    }
    int64_t column = index % columns, row = index / columns % rows;
    index /= columns * rows;
    if (channelsLast)
      return {index, channel, row, column};
    return {index / filters, index % filters, row, column};
  }
  /// Where an element of the input is.
  int64_t inputIndex(int64_t image, int64_t channel, int64_t pixel) const {
    if (channelsLast)
      return (image * height * width + pixel) * channels + channel;
    return (image * channels + channel) * height * width + pixel;
  }
  /// Where an element of a filter is.
  int64_t filterIndex(int64_t filter, int64_t channel, int64_t tap) const {
    int64_t depth = depthwise ? 1 : channels;
    if (channelsLast)
      return (tap * depth + channel) * filters + filter;
    return (filter * depth + channel) * window * window + tap;
  }

  /// Calls `fn` with the positions in a channel of the input, and in the
  /// window, that an element of the output reads.
  template <typename Fn>
  void forEachTap(int64_t row, int64_t column, Fn fn) const {
    for (int64_t i = 0; i < window; ++i)
      for (int64_t j = 0; j < window; ++j) {
        int64_t y = row * stride + i - padding;
        int64_t x = column * stride + j - padding;
        if (y >= 0 && y < height && x >= 0 && x < width)
          fn(y * width + x, i * window + j);
      }
  }
};

/// The convolution, or pooling, of images in these layouts.
dnnl::convolution_forward::primitive_desc
describeConvolution(const Window &window, dnnl::algorithm algorithm,
                    const dnnl::memory::desc &input,
                    const dnnl::memory::desc &output,
                    const dnnl::primitive_attr &attributes = {});
dnnl::pooling_forward::primitive_desc
describePooling(const Window &window, const dnnl::memory::desc &input,
                const dnnl::memory::desc &output);

} // namespace kernels

#endif // HETERO_BENCHMARKS_CPUKERNELS_WINDOW_H
