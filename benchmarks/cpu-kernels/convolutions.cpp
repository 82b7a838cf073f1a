//===- convolutions.cpp - Convolutions and pooling of oneDNN --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "window.h"

using namespace kernels;
using dnnl::memory;

dnnl::convolution_forward::primitive_desc kernels::describeConvolution(
    const Window &window, dnnl::algorithm algorithm, const memory::desc &input,
    const memory::desc &output, const dnnl::primitive_attr &attributes) {
  memory::dims strides(2, window.stride), padding(2, window.padding);
  return {{dnnl::prop_kind::forward_inference, algorithm, input,
           anyLayout(window.filterShape()), anyLayout({window.filters}), output,
           strides, padding, padding},
          attributes,
          Engine::get().engine};
}

dnnl::pooling_forward::primitive_desc
kernels::describePooling(const Window &window, const memory::desc &input,
                         const memory::desc &output) {
  memory::dims sizes(2, window.window), strides(2, window.stride),
      padding(2, window.padding);
  return {{dnnl::prop_kind::forward_inference, dnnl::algorithm::pooling_max,
           input, output, strides, sizes, padding, padding},
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
      window, algorithm, own ? anyLayout(in) : window.layout(in),
      own ? anyLayout(out) : window.layout(out), attributes);
  memory result = residual ? sequence.import(*residual, window.layout(out),
                                             primitive.dst_desc())
                           : sequence.make(primitive.dst_desc());
  sequence.add(
      dnnl::convolution_forward(primitive),
      {{DNNL_ARG_SRC, sequence.import(item.inputs[0], window.layout(in),
                                      primitive.src_desc())},
       {DNNL_ARG_WEIGHTS, sequence.import(item.inputs[1], window.filterLayout(),
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
    Window::Position at = window.locate(index);
    Sum sum;
    int64_t depth = window.depthwise ? 1 : window.channels;
    for (int64_t i = 0; i < depth; ++i) {
      int64_t source = window.depthwise ? at.channel : i;
      window.forEachTap(at.row, at.column, [&](int64_t pixel, int64_t tap) {
        sum.add(double(input[window.inputIndex(at.image, source, pixel)]) *
                filter[window.filterIndex(at.channel, i, tap)]);
      });
    }
    return sum.get();
  };
}

/// The filters as the program has them.
static Sizes getFilterShape(const Window &window) {
  int64_t taps = window.window;
  if (window.channelsLast && window.depthwise)
    return {taps, taps, window.channels};
  if (window.channelsLast)
    return {taps, taps, window.channels, window.filters};
  if (window.depthwise)
    return {window.channels, taps, taps};
  return window.filterShape();
}

static Case makeContraction(const Window &window) {
  Case item;
  addInput(item, window.order(window.inputShape()));
  item.constants = {addInput(item, getFilterShape(window))};
  item.resultElements = countElements(window.outputShape());
  item.reference = referenceConvolution(item, window);
  return item;
}

static Contender convolve(const Case &item, const Window &window, bool own,
                          dnnl::algorithm algorithm, const std::string &name) {
  Sequence sequence;
  Floats zeros(window.filters);
  memory result = convolve(sequence, item, zeros, window, own, algorithm);
  return sequence.finish(name, result, window.layout(window.outputShape()));
}

static Case makeAnyConvolution(const Window &window) {
  Case item = makeContraction(window);
  auto direct = dnnl::algorithm::convolution_direct;
  item.contenders = {convolve(item, window, false, direct, "onednn"),
                     convolve(item, window, true, direct, "onednn-own")};
  // Winograd's algorithm where oneDNN has it.
  if (!window.depthwise && window.window == 3 && window.stride == 1)
    try {
      item.contenders.push_back(convolve(item, window, true,
                                         dnnl::algorithm::convolution_winograd,
                                         "onednn-winograd"));
    } catch (const dnnl::error &) {
    }
  return item;
}

Case kernels::makeConvolution(const Sizes &sizes, bool channelsLast) {
  return makeAnyConvolution(Window(sizes, false, channelsLast));
}

Case kernels::makeDepthwise(const Sizes &sizes, bool channelsLast) {
  return makeAnyConvolution(Window(sizes, true, channelsLast));
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
  memory residual =
      sequence.import(item.inputs[3], window.layout(out), window.layout(out));
  memory::desc layout = result.get_desc();
  const dnnl::engine &engine = Engine::get().engine;
  dnnl::binary::primitive_desc sum(
      {dnnl::algorithm::binary_add, layout, window.layout(out), layout},
      engine);
  sequence.add(dnnl::binary(sum), {{DNNL_ARG_SRC_0, result},
                                   {DNNL_ARG_SRC_1, residual},
                                   {DNNL_ARG_DST, result}});
  dnnl::eltwise_forward::primitive_desc relu(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_relu,
       layout},
      engine);
  sequence.add(dnnl::eltwise_forward(relu),
               {{DNNL_ARG_SRC, result}, {DNNL_ARG_DST, result}});
  return sequence.finish("onednn", result, window.layout(out));
}

Case kernels::makeConvolutionAddRelu(const Sizes &sizes, bool channelsLast) {
  Window window(sizes, false, channelsLast);
  Case item = makeContraction(window);
  addInput(item, {window.filters});
  addInput(item, window.order(window.outputShape()));
  auto product = item.reference;
  const float *bias = item.inputs[2].data();
  const float *residual = item.inputs[3].data();
  item.reference = [=](int64_t index) {
    Expected sum = product(index);
    int64_t channel = window.locate(index).channel;
    return Expected{std::max(0.0, sum.value + bias[channel] + residual[index]),
                    sum.tolerance + 1e-6 * std::abs(sum.value) + 1e-6};
  };
  Sequence fused;
  memory result =
      convolve(fused, item, item.inputs[2], window, true,
               dnnl::algorithm::convolution_direct, &item.inputs[3]);
  item.contenders = {
      convolveInSequence(item, window),
      fused.finish("onednn-own", result, window.layout(window.outputShape()))};
  return item;
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

static Contender pool(const Case &item, const Window &window, bool own) {
  Sizes in = window.inputShape(), out = window.outputShape();
  // The layout of convolutions, whose results are pooled.
  memory::desc input = own ? memory::desc(in, memory::data_type::f32,
                                          memory::format_tag::nChw16c)
                           : window.layout(in);
  auto primitive =
      describePooling(window, input, own ? anyLayout(out) : window.layout(out));
  Sequence sequence;
  memory result = sequence.make(primitive.dst_desc());
  sequence.add(dnnl::pooling_forward(primitive),
               {{DNNL_ARG_SRC,
                 sequence.import(item.inputs[0], window.layout(in), input)},
                {DNNL_ARG_DST, result}});
  return sequence.finish(own ? "onednn-own" : "onednn", result,
                         window.layout(out));
}

Case kernels::makeMaxPool(const Sizes &sizes, bool channelsLast) {
  Window window({sizes[0], sizes[1], sizes[2], sizes[3], sizes[1], sizes[4],
                 sizes[5], sizes[6]},
                true, channelsLast);
  Case item;
  addInput(item, window.order(window.inputShape()));
  item.resultElements = countElements(window.outputShape());
  const float *input = item.inputs[0].data();
  item.reference = [=](int64_t index) {
    Window::Position at = window.locate(index);
    double most = -INFINITY;
    window.forEachTap(at.row, at.column, [&](int64_t pixel, int64_t) {
      double element = input[window.inputIndex(at.image, at.channel, pixel)];
      most = std::max(most, element);
    });
    return Expected{most, 0};
  };
  item.contenders = {pool(item, window, false), pool(item, window, true)};
  return item;
}
