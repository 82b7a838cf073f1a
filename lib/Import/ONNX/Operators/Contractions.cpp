//===- Contractions.cpp - Products ----------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Emit/Contraction.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Fails unless the inputs have elements of one type.
static bool haveOneType(NodeBuilder &n) {
  for (unsigned i = 1; i < n.numInputs(); ++i)
    if (n.has(i) && n.in(i).type != n.in(0).type)
      n.fail("its inputs have elements of unlike types");
  return !n.failed();
}

static void buildMatMul(NodeBuilder &n) {
  const Tensor &lhs = n.in(0), &rhs = n.in(1);
  if (haveOneType(n))
    n.set(0, castTo(n, matmul(n, lhs, rhs), lhs.type));
}

/// A tensor times a constant, as it is for 1. Integers are scaled as doubles.
static Tensor scale(NodeBuilder &n, const Tensor &tensor, double factor) {
  if (factor == 1)
    return tensor;
  return elementwise(n, {tensor}, [&](Scalars &s, ValueRange e) {
    if (s.isFloat())
      return s.mul(e[0], s.constantLike(e[0], factor));
    Scalars wide(s.b, s.loc, ElementType::F64);
    Value product =
        wide.mul(s.convert(e[0], s.type, wide.type), wide.constant(factor));
    return s.convert(product, wide.type, s.type);
  });
}

/// alpha * A' * B' + beta * C
static void buildGemm(NodeBuilder &n) {
  Tensor lhs = n.in(0), rhs = n.in(1);
  if (lhs.rank() != 2 || rhs.rank() != 2)
    n.fail("its inputs are no matrices");
  if (!haveOneType(n))
    return;
  ElementType type = lhs.type;
  if (n.getBool("transA"))
    lhs = transpose(n, lhs, {1, 0});
  if (n.getBool("transB"))
    rhs = transpose(n, rhs, {1, 0});
  Tensor product = matmul(n, lhs, rhs);
  product = scale(n, product, n.getFloat("alpha", 1));
  if (n.has(2)) {
    Tensor addend = castTo(n, n.in(2), product.type);
    product = add(n, product, scale(n, addend, n.getFloat("beta", 1)));
  }
  n.set(0, castTo(n, product, type));
}

static void buildConv(NodeBuilder &n) {
  const Tensor &x = n.in(0), &weights = n.in(1);
  if (!haveOneType(n))
    return;
  auto convolution = readConvolution(n, x, weights, n.scalar(x.type, 0));
  if (!convolution)
    return;
  const Tensor *bias = n.has(2) ? &n.in(2) : nullptr;
  Tensor start = startAtBias(n, *convolution, getAccumulator(x.type), bias);
  if (!n.failed())
    n.set(0, castTo(n, convolve(n, *convolution, weights, start), x.type));
}

void mlir::hetero::onnx::addContractions(OperatorTable &table) {
  table.add("MatMul", {1, 9, 13}, buildMatMul);
  table.add("Gemm", {7, 9, 11, 13}, buildGemm);
  table.add("Conv", {1, 11, 22}, buildConv);
}
