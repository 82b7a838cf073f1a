//===- contractions.cpp - Products and convolutions of the libraries ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases.h"

#include <cblas.h>
#include <cmath>
#include <limits>

using namespace kernels;
using dnnl::memory;

Expected Sum::get() const {
  // Twice the expected size of the error of `terms` roundings that are
  // independent, plus a few that are not.
  double epsilon = std::numeric_limits<float>::epsilon();
  return {value, epsilon * (8 + 2 * std::sqrt(terms)) * magnitude + 1e-30};
}

static double gelu(double x) {
  return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Which of the operands of a product are transposed.
struct Orders {
  bool a = false, b = false;
};

/// Products of `batch` pairs of matrices in row-major order with BLAS.
static Contender multiplyWithBlas(const float *a, const float *b, int64_t batch,
                                  int64_t m, int64_t n, int64_t k,
                                  Orders orders = {}) {
  auto c = std::make_shared<Floats>(batch * m * n);
  auto run = [=] {
    for (int64_t i = 0; i < batch; ++i)
      cblas_sgemm(CblasRowMajor, orders.a ? CblasTrans : CblasNoTrans,
                  orders.b ? CblasTrans : CblasNoTrans, m, n, k, 1,
                  a + i * m * k, orders.a ? m : k, b + i * k * n,
                  orders.b ? k : n, 0, c->data() + i * m * n, n);
  };
  return {"openblas", run, [c] { return *c; }};
}

static Contender multiplyWithSgemm(const float *a, const float *b, int64_t m,
                                   int64_t n, int64_t k, Orders orders = {}) {
  auto c = std::make_shared<Floats>(m * n);
  auto run = [=] {
    dnnl::sgemm(orders.a ? 'T' : 'N', orders.b ? 'T' : 'N', m, n, k, 1, a,
                orders.a ? m : k, b, orders.b ? k : n, 0, c->data(), n);
  };
  return {"onednn", run, [c] { return *c; }};
}

static dnnl::matmul::primitive_desc
describeProduct(const memory::desc &a, const memory::desc &b,
                const memory::desc &c, const dnnl::primitive_attr &attributes) {
  return {dnnl::matmul::desc(a, b, c), attributes, Engine::get().engine};
}

/// oneDNN's primitive, with the second matrix in the layout that it prefers if
/// `own`.
static Contender multiply(const Case &item, const Sizes &a, const Sizes &b,
                          const Sizes &c, bool own) {
  Sequence sequence;
  auto primitive = describeProduct(
      plainLayout(a), own ? anyLayout(b) : plainLayout(b), plainLayout(c), {});
  memory result = sequence.make(primitive.dst_desc());
  sequence.add(
      dnnl::matmul(primitive),
      {{DNNL_ARG_SRC, sequence.import(item.inputs[0], a, primitive.src_desc())},
       {DNNL_ARG_WEIGHTS,
        sequence.import(item.inputs[1], b, primitive.weights_desc())},
       {DNNL_ARG_DST, result}});
  return sequence.finish(own ? "onednn-own" : "onednn", result);
}

static std::function<Expected(int64_t)> referenceProduct(const Case &item,
                                                         int64_t m, int64_t n,
                                                         int64_t k,
                                                         Orders orders = {}) {
  const float *a = item.inputs[0].data(), *b = item.inputs[1].data();
  return [=](int64_t index) {
    int64_t column = index % n, row = index / n % m, batch = index / n / m;
    const float *left = a + batch * m * k, *right = b + batch * k * n;
    Sum sum;
    for (int64_t i = 0; i < k; ++i)
      sum.add(double(left[orders.a ? i * m + row : row * k + i]) *
              right[orders.b ? column * k + i : i * n + column]);
    return sum.get();
  };
}

Case kernels::makeMatmul(const Sizes &sizes) {
  int64_t m = sizes[0], n = sizes[1], k = sizes[2];
  Case item;
  addInput(item, {m, k});
  addInput(item, {k, n});
  item.resultElements = m * n;
  item.reference = referenceProduct(item, m, n, k);
  const float *a = item.inputs[0].data(), *b = item.inputs[1].data();
  item.contenders = {multiplyWithBlas(a, b, 1, m, n, k),
                     multiplyWithSgemm(a, b, m, n, k),
                     multiply(item, {m, k}, {k, n}, {m, n}, true)};
  return item;
}

static Case makeTransposed(const Sizes &sizes, Orders orders) {
  int64_t m = sizes[0], n = sizes[1], k = sizes[2];
  Case item;
  addInput(item, orders.a ? Sizes{k, m} : Sizes{m, k});
  addInput(item, orders.b ? Sizes{n, k} : Sizes{k, n});
  item.resultElements = m * n;
  item.reference = referenceProduct(item, m, n, k, orders);
  const float *a = item.inputs[0].data(), *b = item.inputs[1].data();
  item.contenders = {multiplyWithBlas(a, b, 1, m, n, k, orders),
                     multiplyWithSgemm(a, b, m, n, k, orders)};
  return item;
}

Case kernels::makeMatmulTransposeA(const Sizes &sizes) {
  return makeTransposed(sizes, {true, false});
}

Case kernels::makeMatmulTransposeB(const Sizes &sizes) {
  return makeTransposed(sizes, {false, true});
}

Case kernels::makeBatchMatmulTransposeB(const Sizes &sizes) {
  int64_t batch = sizes[0], m = sizes[1], n = sizes[2], k = sizes[3];
  Orders orders = {false, true};
  Case item;
  addInput(item, {batch, m, k});
  addInput(item, {batch, n, k});
  item.resultElements = batch * m * n;
  item.reference = referenceProduct(item, m, n, k, orders);
  item.contenders = {multiplyWithBlas(
      item.inputs[0].data(), item.inputs[1].data(), batch, m, n, k, orders)};
  return item;
}

Case kernels::makeMatmulWeights(const Sizes &sizes) {
  int64_t m = sizes[0], n = sizes[1], k = sizes[2];
  Case item = makeMatmul(sizes);
  item.constants = {1};
  // Weights may be in any layout.
  Contender packed = multiply(item, {m, k}, {k, n}, {m, n}, true);
  packed.name = "onednn";
  item.contenders = {item.contenders[0], packed};
  return item;
}

Case kernels::makeBatchMatmul(const Sizes &sizes) {
  int64_t batch = sizes[0], m = sizes[1], n = sizes[2], k = sizes[3];
  Case item;
  addInput(item, {batch, m, k});
  addInput(item, {batch, k, n});
  item.resultElements = batch * m * n;
  item.reference = referenceProduct(item, m, n, k);
  const float *a = item.inputs[0].data(), *b = item.inputs[1].data();
  item.contenders = {
      multiplyWithBlas(a, b, batch, m, n, k),
      multiply(item, item.shapes[0], item.shapes[1], {batch, m, n}, false)};
  return item;
}

/// Product, bias and GELU: one call after the other, or all in the product if
/// `fused`; the second matrix in the layout that oneDNN prefers if `packed`.
static Contender multiplyWithEpilogue(const Case &item, const Sizes &sizes,
                                      bool fused, bool packed) {
  int64_t m = sizes[0], n = sizes[1], k = sizes[2];
  Sequence sequence;
  dnnl::post_ops operations;
  if (fused)
    operations.append_eltwise(1, dnnl::algorithm::eltwise_gelu_erf, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(operations);
  memory::desc output = plainLayout({m, n});
  dnnl::matmul::primitive_desc primitive(
      {plainLayout({m, k}), packed ? anyLayout({k, n}) : plainLayout({k, n}),
       plainLayout({1, n}), output},
      attributes, Engine::get().engine);
  memory result = sequence.make(output);
  sequence.add(dnnl::matmul(primitive),
               {{DNNL_ARG_SRC,
                 sequence.import(item.inputs[0], {m, k}, primitive.src_desc())},
                {DNNL_ARG_WEIGHTS, sequence.import(item.inputs[1], {k, n},
                                                   primitive.weights_desc())},
                {DNNL_ARG_BIAS,
                 sequence.import(item.inputs[2], {1, n}, plainLayout({1, n}))},
                {DNNL_ARG_DST, result}});
  if (!fused) {
    dnnl::eltwise_forward::primitive_desc activation(
        {dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_gelu_erf,
         output},
        Engine::get().engine);
    sequence.add(dnnl::eltwise_forward(activation),
                 {{DNNL_ARG_SRC, result}, {DNNL_ARG_DST, result}});
  }
  return sequence.finish(fused ? "onednn-own" : "onednn", result);
}

Case kernels::makeMatmulGelu(const Sizes &sizes) {
  int64_t m = sizes[0], n = sizes[1], k = sizes[2];
  Case item;
  addInput(item, {m, k});
  addInput(item, {k, n});
  addInput(item, {n});
  item.resultElements = m * n;
  const float *bias = item.inputs[2].data();
  auto product = referenceProduct(item, m, n, k);
  item.reference = [=](int64_t index) {
    Expected sum = product(index);
    // GELU is nowhere steeper than 1.13.
    return Expected{gelu(sum.value + bias[index % n]),
                    1.2 * sum.tolerance + 1e-6 * std::abs(sum.value) + 1e-6};
  };
  item.contenders = {multiplyWithEpilogue(item, sizes, false, false),
                     multiplyWithEpilogue(item, sizes, true, true)};
  return item;
}

Case kernels::makeMatmulWeightsGelu(const Sizes &sizes) {
  Case item = makeMatmulGelu(sizes);
  item.constants = {1};
  // Weights may be in any layout: whichever is the faster.
  item.contenders.push_back(multiplyWithEpilogue(item, sizes, false, true));
  return item;
}
