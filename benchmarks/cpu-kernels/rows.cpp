//===- rows.cpp - Elementwise and row-wise operations of oneDNN -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases.h"

#include <algorithm>
#include <map>

using namespace kernels;
using dnnl::memory;

static constexpr auto kInference = dnnl::prop_kind::forward_inference;

static double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}

static Expected close(double value) {
  return {value, 2e-6 + 5e-6 * std::abs(value)};
}

/// Reads the arguments and writes the result of a primitive.
static dnnl::memory addStep(Sequence &sequence, dnnl::primitive primitive,
                            Sequence::Arguments arguments,
                            const memory::desc &layout) {
  memory result = sequence.make(layout);
  arguments.emplace(DNNL_ARG_DST, result);
  sequence.add(std::move(primitive), std::move(arguments));
  return result;
}

static dnnl::softmax_forward describeSoftmax(const memory::desc &layout) {
  return dnnl::softmax_forward::primitive_desc(
      {kInference, layout, layout.data.ndims - 1}, Engine::get().engine);
}

static dnnl::eltwise_forward describeGelu(const memory::desc &layout) {
  return dnnl::eltwise_forward::primitive_desc(
      {kInference, dnnl::algorithm::eltwise_gelu_tanh, layout},
      Engine::get().engine);
}

static dnnl::binary describeBinary(dnnl::algorithm algorithm,
                                   const memory::desc &left,
                                   const memory::desc &right) {
  return dnnl::binary::primitive_desc({algorithm, left, right, left},
                                      Engine::get().engine);
}

/// A primitive that reads the first argument and writes a result like it.
static Contender applyToRows(const Case &item, dnnl::primitive primitive) {
  memory::desc layout = plainLayout(item.shapes[0]);
  Sequence sequence;
  memory input = sequence.import(item.inputs[0], item.shapes[0], layout);
  memory result =
      addStep(sequence, std::move(primitive), {{DNNL_ARG_SRC, input}}, layout);
  return sequence.finish("onednn", result);
}

static Case makeRows(const Sizes &sizes) {
  Case item;
  addInput(item, sizes);
  item.resultElements = sizes[0] * sizes[1];
  return item;
}

Case kernels::makeSoftmax(const Sizes &sizes) {
  Case item = makeRows(sizes);
  const float *input = item.inputs[0].data();
  int64_t columns = sizes[1];
  item.reference = [=](int64_t index) {
    const float *row = input + index / columns * columns;
    double sum = 0;
    for (int64_t i = 0; i < columns; ++i)
      sum += std::exp(double(row[i]));
    return close(std::exp(double(input[index])) / sum);
  };
  item.contenders = {applyToRows(item, describeSoftmax(plainLayout(sizes)))};
  return item;
}

Case kernels::makeLayerNorm(const Sizes &sizes) {
  Case item = makeRows(sizes);
  int64_t columns = sizes[1];
  addInput(item, {columns});
  addInput(item, {columns});
  const float *input = item.inputs[0].data();
  const float *scale = item.inputs[1].data(), *shift = item.inputs[2].data();
  item.reference = [=](int64_t index) {
    const float *row = input + index / columns * columns;
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < columns; ++i)
      mean += row[i] / double(columns);
    for (int64_t i = 0; i < columns; ++i)
      variance += (row[i] - mean) * (row[i] - mean) / columns;
    return close((input[index] - mean) / std::sqrt(variance + 1e-5) *
                     scale[index % columns] +
                 shift[index % columns]);
  };
  memory::desc layout = plainLayout(sizes), vector = plainLayout({columns});
  dnnl::layer_normalization_forward::primitive_desc primitive(
      {kInference, layout, 1e-5f,
       dnnl::normalization_flags::use_scale |
           dnnl::normalization_flags::use_shift},
      Engine::get().engine);
  Sequence sequence;
  memory result = addStep(
      sequence, dnnl::layer_normalization_forward(primitive),
      {{DNNL_ARG_SRC, sequence.import(item.inputs[0], sizes, layout)},
       {DNNL_ARG_SCALE, sequence.import(item.inputs[1], {columns}, vector)},
       {DNNL_ARG_SHIFT, sequence.import(item.inputs[2], {columns}, vector)}},
      layout);
  item.contenders = {sequence.finish("onednn", result)};
  return item;
}

Case kernels::makeGelu(const Sizes &sizes) {
  Case item = makeRows(sizes);
  const float *input = item.inputs[0].data();
  item.reference = [=](int64_t index) { return close(gelu(input[index])); };
  item.contenders = {applyToRows(item, describeGelu(plainLayout(sizes)))};
  return item;
}

/// One call after the other; all write to one tensor if `inPlace`.
static Contender activateInSequence(const Case &item, bool inPlace) {
  const Sizes &sizes = item.shapes[0];
  memory::desc layout = plainLayout(sizes);
  memory::desc vector = plainLayout({1, sizes[1]});
  Sequence sequence;
  memory sum = sequence.make(layout);
  memory activated = inPlace ? sum : sequence.make(layout);
  memory result = inPlace ? sum : sequence.make(layout);
  sequence.add(
      describeBinary(dnnl::algorithm::binary_add, layout, vector),
      {{DNNL_ARG_SRC_0, sequence.import(item.inputs[0], sizes, layout)},
       {DNNL_ARG_SRC_1, sequence.import(item.inputs[1], {1, sizes[1]}, vector)},
       {DNNL_ARG_DST, sum}});
  sequence.add(describeGelu(layout),
               {{DNNL_ARG_SRC, sum}, {DNNL_ARG_DST, activated}});
  sequence.add(
      describeBinary(dnnl::algorithm::binary_mul, layout, layout),
      {{DNNL_ARG_SRC_0, activated},
       {DNNL_ARG_SRC_1, sequence.import(item.inputs[2], sizes, layout)},
       {DNNL_ARG_DST, result}});
  return sequence.finish("onednn", result);
}

/// gelu(x + bias) * gate.
Case kernels::makeGeluChain(const Sizes &sizes) {
  Case item = makeRows(sizes);
  int64_t columns = sizes[1];
  addInput(item, {columns});
  addInput(item, sizes);
  const float *input = item.inputs[0].data(), *bias = item.inputs[1].data();
  const float *gate = item.inputs[2].data();
  item.reference = [=](int64_t index) {
    double sum = double(input[index]) + bias[index % columns];
    return close(gelu(sum) * gate[index]);
  };
  item.contenders = {activateInSequence(item, false),
                     activateInSequence(item, true)};
  return item;
}

Case kernels::makeRowSums(const Sizes &sizes) {
  Case item = makeRows(sizes);
  item.resultElements = sizes[0];
  const float *input = item.inputs[0].data();
  item.reference = [input, columns = sizes[1]](int64_t index) {
    Sum sum;
    for (int64_t i = 0; i < columns; ++i)
      sum.add(input[index * columns + i]);
    return sum.get();
  };
  memory::desc layout = plainLayout(sizes), output = plainLayout({sizes[0], 1});
  dnnl::reduction::primitive_desc primitive(
      {dnnl::algorithm::reduction_sum, layout, output, 0, 0},
      Engine::get().engine);
  Sequence sequence;
  memory result = addStep(
      sequence, dnnl::reduction(primitive),
      {{DNNL_ARG_SRC, sequence.import(item.inputs[0], sizes, layout)}}, output);
  item.contenders = {sequence.finish("onednn", result)};
  return item;
}

Case kernels::makeCase(const std::string &kind, const Sizes &sizes) {
  static const std::map<std::string, Case (*)(const Sizes &)> kinds = {
      {"matmul", makeMatmul},
      {"matmul_weights", makeMatmulWeights},
      {"matmul_transpose_a", makeMatmulTransposeA},
      {"matmul_transpose_b", makeMatmulTransposeB},
      {"batch_matmul", makeBatchMatmul},
      {"batch_matmul_transpose_b", makeBatchMatmulTransposeB},
      {"matmul_gelu", makeMatmulGelu},
      {"matmul_weights_gelu", makeMatmulWeightsGelu},
      {"attention", makeAttention},
      {"stem", makeStem},
      {"residual", makeResidual},
      {"bottleneck", makeBottleneck},
      {"inverted", makeInverted},
      {"separable", makeSeparable},
      {"softmax", makeSoftmax},
      {"layer_norm", makeLayerNorm},
      {"gelu", makeGelu},
      {"gelu_chain", makeGeluChain},
      {"row_sums", makeRowSums}};
  static const std::map<std::string, Case (*)(const Sizes &, bool)> windows = {
      {"convolution", makeConvolution},
      {"convolution_add_relu", makeConvolutionAddRelu},
      {"depthwise", makeDepthwise},
      {"max_pool", makeMaxPool}};
  if (auto found = kinds.find(kind); found != kinds.end())
    return found->second(sizes);
  const std::string ending = "_channels_last";
  size_t end = kind.rfind(ending);
  bool channelsLast =
      end != std::string::npos && end + ending.size() == kind.size();
  auto found = windows.find(kind.substr(0, channelsLast ? end : kind.size()));
  return found == windows.end() ? Case() : found->second(sizes, channelsLast);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Softmax(Q K) V in double precision, by element.
static std::function<Expected(int64_t)> referenceAttention(const Case &item) {
  const float *q = item.inputs[0].data(), *k = item.inputs[1].data();
  const float *v = item.inputs[2].data();
  int64_t length = item.shapes[0][1], width = item.shapes[0][2];
  return [=](int64_t index) {
    int64_t row = index / width, head = row / length, column = index % width;
    double sum = 0, value = 0;
    for (int64_t i = 0; i < length; ++i) {
      double score = 0;
      for (int64_t j = 0; j < width; ++j)
        score +=
            double(q[row * width + j]) * k[(head * width + j) * length + i];
      double weight = std::exp(score);
      sum += weight;
      value += weight * v[(head * length + i) * width + column];
    }
    return Expected{value / sum, 5e-5};
  };
}

/// One call after the other; softmax overwrites the scores if `inPlace`.
static Contender attendInSequence(const Case &item, bool inPlace) {
  int64_t heads = item.shapes[0][0], length = item.shapes[0][1];
  memory::desc square = plainLayout({heads, length, length});
  Sequence sequence;
  auto multiply = [&](memory left, memory right, const memory::desc &layout) {
    dnnl::matmul::primitive_desc primitive(
        {left.get_desc(), right.get_desc(), layout}, Engine::get().engine);
    return addStep(sequence, dnnl::matmul(primitive),
                   {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, right}}, layout);
  };
  auto argument = [&](int i) {
    return sequence.import(item.inputs[i], item.shapes[i],
                           plainLayout(item.shapes[i]));
  };
  memory scores = multiply(argument(0), argument(1), square);
  memory weights = inPlace ? scores : sequence.make(square);
  sequence.add(describeSoftmax(square),
               {{DNNL_ARG_SRC, scores}, {DNNL_ARG_DST, weights}});
  memory result = multiply(weights, argument(2), plainLayout(item.shapes[0]));
  return sequence.finish("onednn", result);
}

Case kernels::makeAttention(const Sizes &sizes) {
  int64_t heads = sizes[0], length = sizes[1], width = sizes[2];
  Case item;
  Sizes narrow = {heads, length, width}, wide = {heads, width, length};
  for (const Sizes &shape : {narrow, wide, narrow})
    addInput(item, shape);
  item.resultElements = heads * length * width;
  item.reference = referenceAttention(item);
  item.contenders = {attendInSequence(item, false),
                     attendInSequence(item, true)};
  return item;
}
