//===- networks.cpp - Layers of convolutional networks --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneDNN has a call for each layer, bias, sum and ReLU included. It has the
// images in the program's order throughout, or in whatever order it likes, with
// a copy before the first and after the last layer.
//
//===----------------------------------------------------------------------===//

#include "window.h"

using namespace kernels;
using dnnl::memory;

namespace {
/// One layer. Values are numbered: 0 is the argument, and each layer makes one.
struct Layer {
  Window window;
  bool isPool = false, hasRelu = true;
  /// The value that is added, -1 for none.
  int residual = -1;
  /// Inputs of the case: filters, and a bias after them.
  int filters = -1;
};

class Network {
public:
  Network(const Sizes &shape) : shape(shape) { addInput(item, shape); }

  void convolve(int64_t filters, int64_t size, int64_t stride = 1,
                bool depthwise = false, bool relu = true, int residual = -1);
  void pool(int64_t size, int64_t stride, int64_t padding);
  /// The value that the last layer makes.
  int getLast() const { return layers.size(); }
  Case finish();

private:
  using Values = std::vector<double>;
  Values evaluate(const Layer &layer, const std::vector<Values> &values) const;
  Contender call(bool own) const;
  void call(const Layer &layer, Sequence &sequence, std::vector<memory> &values,
            memory argument, bool own) const;
  void callPool(const Layer &layer, Sequence &sequence,
                std::vector<memory> &values, bool own) const;

  Case item;
  Sizes shape;
  std::vector<Layer> layers;
};
} // namespace

void Network::convolve(int64_t filters, int64_t size, int64_t stride,
                       bool depthwise, bool relu, int residual) {
  Sizes sizes = {shape[0], shape[1], shape[2], shape[3],
                 filters,  size,     stride,   size / 2};
  Layer layer{Window(sizes, depthwise, /*channelsLast=*/false)};
  layer.hasRelu = relu;
  layer.residual = residual;
  layer.filters = addInput(item, layer.window.filterShape());
  addInput(item, {filters});
  item.constants.push_back(layer.filters);
  item.constants.push_back(layer.filters + 1);
  shape = layer.window.outputShape();
  layers.push_back(layer);
}

void Network::pool(int64_t size, int64_t stride, int64_t padding) {
  Sizes sizes = {shape[0], shape[1], shape[2], shape[3],
                 shape[1], size,     stride,   padding};
  Layer layer{Window(sizes, /*depthwise=*/true, /*channelsLast=*/false)};
  layer.isPool = true;
  shape = layer.window.outputShape();
  layers.push_back(layer);
}

//===----------------------------------------------------------------------===//
// The expected result
//===----------------------------------------------------------------------===//

Network::Values Network::evaluate(const Layer &layer,
                                  const std::vector<Values> &values) const {
  const Window &window = layer.window;
  const Values &input = values.back();
  Values result(countElements(window.outputShape()));
  for (size_t index = 0; index < result.size(); ++index) {
    Window::Position at = window.locate(index);
    double value = layer.isPool ? -INFINITY : 0;
    int64_t depth = window.depthwise ? 1 : window.channels;
    for (int64_t i = 0; i < depth; ++i) {
      int64_t source = window.depthwise ? at.channel : i;
      window.forEachTap(at.row, at.column, [&](int64_t pixel, int64_t tap) {
        double element = input[window.inputIndex(at.image, source, pixel)];
        if (layer.isPool)
          value = std::max(value, element);
        else
          value +=
              element * item.inputs[layer.filters]
                                   [window.filterIndex(at.channel, i, tap)];
      });
    }
    if (!layer.isPool) {
      value += item.inputs[layer.filters + 1][at.channel];
      if (layer.residual >= 0)
        value += values[layer.residual][index];
      if (layer.hasRelu)
        value = std::max(value, 0.0);
    }
    result[index] = value;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// oneDNN
//===----------------------------------------------------------------------===//

void Network::callPool(const Layer &layer, Sequence &sequence,
                       std::vector<memory> &values, bool own) const {
  const Window &window = layer.window;
  Sizes out = window.outputShape();
  auto primitive = describePooling(window, values.back().get_desc(),
                                   own ? anyLayout(out) : plainLayout(out));
  memory result = sequence.make(primitive.dst_desc());
  sequence.add(dnnl::pooling_forward(primitive),
               {{DNNL_ARG_SRC, values.back()}, {DNNL_ARG_DST, result}});
  values.push_back(result);
}

/// A value in the order that a primitive wants.
static memory convert(Sequence &sequence, memory value,
                      const memory::desc &layout) {
  if (value.get_desc() == layout)
    return value;
  memory result = sequence.make(layout);
  sequence.add(dnnl::reorder(value, result),
               {{DNNL_ARG_FROM, value}, {DNNL_ARG_TO, result}});
  return result;
}

/// A value that a convolution may add its result to, because no one reads it
/// later; of the argument, which stays, a copy.
static memory claim(Sequence &sequence, memory value, memory argument,
                    const memory::desc &layout) {
  if (value.get() != argument.get())
    return convert(sequence, value, layout);
  memory copy = sequence.make(layout);
  sequence.add(dnnl::reorder(value, copy),
               {{DNNL_ARG_FROM, value}, {DNNL_ARG_TO, copy}});
  return copy;
}

void Network::call(const Layer &layer, Sequence &sequence,
                   std::vector<memory> &values, memory argument,
                   bool own) const {
  const Window &window = layer.window;
  Sizes in = window.inputShape(), out = window.outputShape();
  dnnl::post_ops operations;
  if (layer.residual >= 0)
    operations.append_sum(1);
  if (layer.hasRelu)
    operations.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(operations);
  auto primitive =
      describeConvolution(window, dnnl::algorithm::convolution_direct,
                          own ? anyLayout(in) : plainLayout(in),
                          own ? anyLayout(out) : plainLayout(out), attributes);
  // Who adds it later has it in this order, too.
  values.back() = convert(sequence, values.back(), primitive.src_desc());
  memory source = values.back();
  memory result = layer.residual < 0 ? sequence.make(primitive.dst_desc())
                                     : claim(sequence, values[layer.residual],
                                             argument, primitive.dst_desc());
  Sequence::Arguments arguments = {
      {DNNL_ARG_SRC, source},
      {DNNL_ARG_WEIGHTS,
       sequence.import(item.inputs[layer.filters], window.filterShape(),
                       primitive.weights_desc())},
      {DNNL_ARG_BIAS,
       sequence.import(item.inputs[layer.filters + 1], {window.filters},
                       plainLayout({window.filters}))},
      {DNNL_ARG_DST, result}};
  sequence.add(dnnl::convolution_forward(primitive), arguments);
  values.push_back(result);
}

Contender Network::call(bool own) const {
  Sequence sequence;
  Sizes in = layers.front().window.inputShape();
  memory argument = sequence.import(item.inputs[0], in, plainLayout(in));
  std::vector<memory> values = {argument};
  for (const Layer &layer : layers)
    if (layer.isPool)
      callPool(layer, sequence, values, own);
    else
      call(layer, sequence, values, argument, own);
  memory result = convert(sequence, values.back(), plainLayout(shape));
  return sequence.finish("onednn", result);
}

Case Network::finish() {
  std::vector<Values> values = {
      Values(item.inputs[0].begin(), item.inputs[0].end())};
  for (const Layer &layer : layers)
    values.push_back(evaluate(layer, values));
  double most = 0;
  for (double value : values.back())
    most = std::max(most, std::abs(value));
  item.resultElements = values.back().size();
  item.reference = [result = values.back(), most](int64_t index) {
    return Expected{result[index], 1e-5 * most};
  };
  item.contenders = {call(/*own=*/false), call(/*own=*/true)};
  return item;
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

Case kernels::makeStem(const Sizes &sizes) {
  Network network({sizes[0], sizes[1], sizes[2], sizes[3]});
  network.convolve(sizes[4], 7, 2);
  network.pool(3, 2, 1);
  return network.finish();
}

Case kernels::makeResidual(const Sizes &sizes) {
  Network network(sizes);
  for (int block = 0; block < 2; ++block) {
    int source = network.getLast();
    network.convolve(sizes[1], 3);
    network.convolve(sizes[1], 3, 1, false, true, source);
  }
  return network.finish();
}

Case kernels::makeBottleneck(const Sizes &sizes) {
  int64_t channels = sizes[1];
  Network network({sizes[0], 4 * channels, sizes[2], sizes[3]});
  for (int block = 0; block < 2; ++block) {
    int source = network.getLast();
    network.convolve(channels, 1);
    network.convolve(channels, 3);
    network.convolve(4 * channels, 1, 1, false, true, source);
  }
  return network.finish();
}

Case kernels::makeInverted(const Sizes &sizes) {
  int64_t channels = sizes[1];
  Network network(sizes);
  for (int block = 0; block < 2; ++block) {
    int source = network.getLast();
    network.convolve(6 * channels, 1);
    network.convolve(6 * channels, 3, 1, /*depthwise=*/true);
    network.convolve(channels, 1, 1, false, /*relu=*/false, source);
  }
  return network.finish();
}

Case kernels::makeSeparable(const Sizes &sizes) {
  int64_t channels = sizes[1], filters = sizes[4];
  Network network({sizes[0], channels, sizes[2], sizes[3]});
  network.convolve(channels, 3, 2, /*depthwise=*/true);
  network.convolve(filters, 1);
  network.convolve(filters, 3, 1, /*depthwise=*/true);
  network.convolve(filters, 1);
  return network.finish();
}
