//===- convolutions.cpp - Convolutions and pooling of oneDNN --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases.h"

#include <algorithm>

using namespace kernels;
using dnnl::memory;

namespace {
/// Sizes of a case by name.
struct Window {
  int64_t images, channels, height, width, filters, window, stride, padding;
  bool depthwise = false;

  Window(const Sizes &sizes, bool depthwise)
      : images(sizes[0]), channels(sizes[1]), height(sizes[2]), width(sizes[3]),
        filters(sizes[4]), window(sizes[5]), stride(sizes[6]),
        padding(sizes[7]), depthwise(depthwise) {}

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
} // namespace

static dnnl::convolution_forward::primitive_desc
describeConvolution(const Window &window, dnnl::algorithm algorithm,
                    const memory::desc &input, const memory::desc &output,
                    const dnnl::primitive_attr &attributes = {}) {
  memory::dims strides(2, window.stride), padding(2, window.padding);
  return {{dnnl::prop_kind::forward_inference, algorithm, input,
           anyLayout(window.filterShape()), anyLayout({window.filters}), output,
           strides, padding, padding},
          attributes,
          Engine::get().engine};
}

/// Adds the convolution with bias to `sequence`; its result. With a residual,
/// which stands where the result will, that is added, and then comes ReLU.
static memory convolve(Sequence &sequence, const Case &item, const Floats &bias,
                       const Window &window, bool own,
                       dnnl::algorithm algorithm,
                       const Floats *residual = nullptr) {
  dnnl::post_ops operations;
  if (residual) {
    operations.append_sum(1);
    operations.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(operations);
  Sizes in = window.inputShape(), out = window.outputShape();
  auto primitive = describeConvolution(
      window, algorithm, own ? anyLayout(in) : plainLayout(in),
      own ? anyLayout(out) : plainLayout(out), attributes);
  memory result = residual
                      ? sequence.import(*residual, out, primitive.dst_desc())
                      : sequence.make(primitive.dst_desc());
  sequence.add(
      dnnl::convolution_forward(primitive),
      {{DNNL_ARG_SRC,
        sequence.import(item.inputs[0], in, primitive.src_desc())},
       {DNNL_ARG_WEIGHTS, sequence.import(item.inputs[1], window.filterShape(),
                                          primitive.weights_desc())},
       {DNNL_ARG_BIAS,
        sequence.import(bias, {window.filters}, plainLayout({window.filters}))},
       {DNNL_ARG_DST, result}});
  return result;
}

static std::function<Expected(int64_t)>
referenceConvolution(const Case &item, const Window &window) {
  const float *input = item.inputs[0].data(), *filter = item.inputs[1].data();
  return [=](int64_t index) {
    int64_t columns = window.output(window.width);
    int64_t rows = window.output(window.height);
    int64_t column = index % columns, row = index / columns % rows;
    int64_t image = index / (columns * rows) / window.filters;
    int64_t channel = index / (columns * rows) % window.filters;
    int64_t area = window.height * window.width;
    int64_t taps = window.window * window.window;
    Sum sum;
    int64_t depth = window.depthwise ? 1 : window.channels;
    for (int64_t i = 0; i < depth; ++i) {
      int64_t source = window.depthwise ? channel : i;
      const float *plane = input + (image * window.channels + source) * area;
      const float *weights = filter + (channel * depth + i) * taps;
      window.forEachTap(row, column, [&](int64_t at, int64_t tap) {
        sum.add(double(plane[at]) * weights[tap]);
      });
    }
    return sum.get();
  };
}

static Case makeContraction(const Window &window) {
  Case item;
  addInput(item, window.inputShape());
  Sizes filter = window.filterShape();
  if (window.depthwise)
    filter = {window.channels, window.window, window.window};
  item.constant = addInput(item, filter);
  item.resultElements = countElements(window.outputShape());
  item.reference = referenceConvolution(item, window);
  return item;
}

static Contender convolve(const Case &item, const Window &window, bool own,
                          dnnl::algorithm algorithm, const std::string &name) {
  Sequence sequence;
  Floats zeros(window.filters);
  memory result = convolve(sequence, item, zeros, window, own, algorithm);
  return sequence.finish(name, result);
}

static Case makeAnyConvolution(const Sizes &sizes, bool depthwise) {
  Window window(sizes, depthwise);
  Case item = makeContraction(window);
  auto direct = dnnl::algorithm::convolution_direct;
  item.contenders = {convolve(item, window, false, direct, "onednn"),
                     convolve(item, window, true, direct, "onednn-own")};
  // Winograd's algorithm where oneDNN has it.
  if (!depthwise && window.window == 3 && window.stride == 1)
    try {
      item.contenders.push_back(convolve(item, window, true,
                                         dnnl::algorithm::convolution_winograd,
                                         "onednn-winograd"));
    } catch (const dnnl::error &) {
    }
  return item;
}

Case kernels::makeConvolution(const Sizes &sizes) {
  return makeAnyConvolution(sizes, false);
}

Case kernels::makeDepthwise(const Sizes &sizes) {
  return makeAnyConvolution(sizes, true);
}

//===----------------------------------------------------------------------===//
// Convolution, bias, residual, ReLU
//===----------------------------------------------------------------------===//

/// One call after the other.
static Contender convolveInSequence(const Case &item, const Window &window) {
  Sizes out = window.outputShape();
  Sequence sequence;
  memory result = convolve(sequence, item, item.inputs[2], window, false,
                           dnnl::algorithm::convolution_direct);
  memory residual = sequence.import(item.inputs[3], out, plainLayout(out));
  memory::desc layout = result.get_desc();
  const dnnl::engine &engine = Engine::get().engine;
  dnnl::binary::primitive_desc sum(
      {dnnl::algorithm::binary_add, layout, plainLayout(out), layout}, engine);
  sequence.add(dnnl::binary(sum), {{DNNL_ARG_SRC_0, result},
                                   {DNNL_ARG_SRC_1, residual},
                                   {DNNL_ARG_DST, result}});
  dnnl::eltwise_forward::primitive_desc relu(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_relu,
       layout},
      engine);
  sequence.add(dnnl::eltwise_forward(relu),
               {{DNNL_ARG_SRC, result}, {DNNL_ARG_DST, result}});
  return sequence.finish("onednn", result);
}

Case kernels::makeConvolutionAddRelu(const Sizes &sizes) {
  Window window(sizes, false);
  Case item = makeContraction(window);
  addInput(item, {window.filters});
  addInput(item, window.outputShape());
  auto product = item.reference;
  const float *bias = item.inputs[2].data();
  const float *residual = item.inputs[3].data();
  int64_t area = window.output(window.height) * window.output(window.width);
  item.reference = [=](int64_t index) {
    Expected sum = product(index);
    int64_t channel = index / area % window.filters;
    return Expected{std::max(0.0, sum.value + bias[channel] + residual[index]),
                    sum.tolerance + 1e-6 * std::abs(sum.value) + 1e-6};
  };
  Sequence fused;
  memory result =
      convolve(fused, item, item.inputs[2], window, true,
               dnnl::algorithm::convolution_direct, &item.inputs[3]);
  item.contenders = {convolveInSequence(item, window),
                     fused.finish("onednn-own", result)};
  return item;
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

static Contender pool(const Case &item, const Window &window, bool own) {
  Sizes in = window.inputShape(), out = window.outputShape();
  memory::dims sizes(2, window.window), strides(2, window.stride),
      padding(2, window.padding);
  // The layout of convolutions, whose results are pooled.
  memory::desc input = own ? memory::desc(in, memory::data_type::f32,
                                          memory::format_tag::nChw16c)
                           : plainLayout(in);
  dnnl::pooling_forward::primitive_desc primitive(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::pooling_max, input,
       own ? anyLayout(out) : plainLayout(out), strides, sizes, padding,
       padding},
      Engine::get().engine);
  Sequence sequence;
  memory result = sequence.make(primitive.dst_desc());
  sequence.add(dnnl::pooling_forward(primitive),
               {{DNNL_ARG_SRC, sequence.import(item.inputs[0], in, input)},
                {DNNL_ARG_DST, result}});
  return sequence.finish(own ? "onednn-own" : "onednn", result);
}

Case kernels::makeMaxPool(const Sizes &sizes) {
  Window window({sizes[0], sizes[1], sizes[2], sizes[3], sizes[1], sizes[4],
                 sizes[5], sizes[6]},
                true);
  Case item;
  addInput(item, window.inputShape());
  item.resultElements = countElements(window.outputShape());
  const float *input = item.inputs[0].data();
  item.reference = [=](int64_t index) {
    int64_t columns = window.output(window.width);
    int64_t rows = window.output(window.height);
    int64_t plane = index / (columns * rows);
    double most = -INFINITY;
    window.forEachTap(index / columns % rows, index % columns,
                      [&](int64_t at, int64_t) {
                        int64_t area = window.height * window.width;
                        most = std::max<double>(most, input[plane * area + at]);
                      });
    return Expected{most, 0};
  };
  item.contenders = {pool(item, window, false), pool(item, window, true)};
  return item;
}
