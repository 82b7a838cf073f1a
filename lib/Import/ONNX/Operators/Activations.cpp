//===- Activations.cpp - Activation functions -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Compose/Activation.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Sets the result of a function of the one input.
static void setUnary(NodeBuilder &n,
                     llvm::function_ref<Value(Scalars &s, Value x)> body,
                     Compute compute = Compute::Wide) {
  n.set(0,
        elementwise(
            n, {n.in(0)},
            [&](Scalars &s, ValueRange e) { return body(s, e[0]); }, compute));
}

static void buildLeakyRelu(NodeBuilder &n) {
  double alpha = n.getFloat("alpha", 0.01f);
  setUnary(n, [&](Scalars &s, Value x) { return leakyRelu(s, x, alpha); });
}

static void buildThresholdedRelu(NodeBuilder &n) {
  double alpha = n.getFloat("alpha", 1);
  setUnary(n, [&](Scalars &s, Value x) {
    return s.select(s.less(s.constantLike(x, alpha), x), x,
                    s.constantLike(x, 0));
  });
}

static void buildPRelu(NodeBuilder &n) {
  // The slope broadcasts to the input, not the other way.
  n.set(0, elementwise(n, {n.in(0), n.in(1)}, [](Scalars &s, ValueRange e) {
          return s.select(s.less(e[0], s.constantLike(e[0], 0)),
                          s.mul(e[0], e[1]), e[0]);
        }));
}

static void buildElu(NodeBuilder &n) {
  double alpha = n.getFloat("alpha", 1);
  setUnary(n, [&](Scalars &s, Value x) {
    Value below = s.mul(s.math<math::ExpM1Op>(x), s.constantLike(x, alpha));
    return s.select(s.less(x, s.constantLike(x, 0)), below, x);
  });
}

/// max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
static void buildCelu(NodeBuilder &n) {
  double alpha = n.getFloat("alpha", 1);
  setUnary(n, [&](Scalars &s, Value x) {
    Value scale = s.constantLike(x, alpha), zero = s.constantLike(x, 0);
    Value below = s.mul(scale, s.math<math::ExpM1Op>(s.div(x, scale)));
    return s.add(s.max(zero, x), s.min(zero, below));
  });
}

static void buildSelu(NodeBuilder &n) {
  double alpha = n.getFloat("alpha", 1.67326319217681884765625f);
  double gamma = n.getFloat("gamma", 1.05070102214813232421875f);
  setUnary(n, [&](Scalars &s, Value x) {
    Value below = s.mul(s.math<math::ExpM1Op>(x), s.constantLike(x, alpha));
    Value inner = s.select(s.less(s.constantLike(x, 0), x), x, below);
    return s.mul(inner, s.constantLike(x, gamma));
  });
}

static void buildHardSigmoid(NodeBuilder &n) {
  double alpha = n.getFloat("alpha", 0.2f), beta = n.getFloat("beta", 0.5f);
  setUnary(n,
           [&](Scalars &s, Value x) { return hardSigmoid(s, x, alpha, beta); });
}

/// log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|)), which does not overflow.
static Value softplus(Scalars &s, Value x) {
  Value power = s.exp(s.neg(s.abs(x)));
  return s.add(s.max(x, s.constantLike(x, 0)), s.math<math::Log1pOp>(power));
}

static void buildGelu(NodeBuilder &n) {
  bool isTanh = n.getString("approximate", "none") == "tanh";
  setUnary(n, [&](Scalars &s, Value x) { return gelu(s, x, isTanh); });
}

/// The function of the sum of an input and a bias, which may be left out.
template <bool isTanh> static void buildBiasGelu(NodeBuilder &n) {
  SmallVector<Tensor> operands{n.in(0)};
  if (n.has(1))
    operands.push_back(n.in(1));
  n.set(0, elementwise(
               n, operands,
               [](Scalars &s, ValueRange e) {
                 Value x = e.size() > 1 ? s.add(e[0], e[1]) : e[0];
                 return gelu(s, x, isTanh);
               },
               Compute::Wide));
}

/// QuickGelu is the same with another alpha.
static void buildSwish(NodeBuilder &n) {
  bool isQuick = n.op() == "QuickGelu";
  double alpha = n.getFloat("alpha", isQuick ? 1.702f : 1);
  setUnary(n, [&](Scalars &s, Value x) {
    return s.mul(x, s.sigmoid(s.mul(x, s.constantLike(x, alpha))));
  });
}

/// a * sigmoid(alpha * a) * b, of inputs of equal sizes.
static void buildSwiGLU(NodeBuilder &n) {
  double alpha = n.getFloat("alpha", 1);
  Tensor gate = n.in(0), linear = n.in(1);
  if (gate.rank() != linear.rank())
    return n.fail("its inputs have unlike ranks");
  for (auto [own, other] : llvm::zip_equal(gate.sizes, linear.sizes))
    own = other = n.checkEqual(own, other, "its inputs have unlike sizes");
  if (n.failed())
    return;
  gate = n.make(gate.type, gate.sizes, n.value(gate));
  linear = n.make(linear.type, linear.sizes, n.value(linear));
  n.set(0, elementwise(
               n, {gate, linear},
               [&](Scalars &s, ValueRange e) {
                 Value inner = s.mul(e[0], s.constantLike(e[0], alpha));
                 return s.mul(s.mul(e[0], s.sigmoid(inner)), e[1]);
               },
               Compute::Wide));
}

static void buildShrink(NodeBuilder &n) {
  double lambda = n.getFloat("lambd", 0.5f), bias = n.getFloat("bias", 0);
  ElementType type = n.in(0).type;
  // Integers are compared and moved as floats.
  ElementType wide = isFloat(type) ? type : ElementType::F32;
  Tensor x = castTo(n, n.in(0), wide);
  Tensor made = elementwise(
      n, {x},
      [&](Scalars &s, ValueRange e) {
        Value limit = s.constantLike(e[0], lambda);
        Value move = s.constantLike(e[0], bias);
        Value above = s.select(s.less(limit, e[0]), s.sub(e[0], move),
                               s.constantLike(e[0], 0));
        return s.select(s.less(e[0], s.neg(limit)), s.add(e[0], move), above);
      },
      Compute::Wide);
  n.set(0, castTo(n, made, type));
}

void mlir::hetero::onnx::addActivations(OperatorTable &table) {
  table.add("Relu", {6, 13, 14},
            [](NodeBuilder &n) { setUnary(n, relu, Compute::Native); });
  table.add("LeakyRelu", {6, 16}, buildLeakyRelu);
  table.add("ThresholdedRelu", {10, 22}, buildThresholdedRelu);
  table.add("PRelu", {7, 9, 16}, buildPRelu);
  table.add("Elu", {6, 22}, buildElu);
  table.add("Celu", {12}, buildCelu);
  table.add("Selu", {6, 22}, buildSelu);
  table.add("HardSigmoid", {6, 22}, buildHardSigmoid);
  table.add("HardSwish", {14, 22}, [](NodeBuilder &n) {
    setUnary(n, [](Scalars &s, Value x) {
      return s.mul(x, hardSigmoid(s, x, 1.0f / 6, 0.5));
    });
  });
  table.add("Sigmoid", {6, 13}, [](NodeBuilder &n) {
    setUnary(n, [](Scalars &s, Value x) { return s.sigmoid(x); });
  });
  table.add("Tanh", {6, 13}, [](NodeBuilder &n) {
    setUnary(n, [](Scalars &s, Value x) { return s.tanh(x); });
  });
  table.add("Softplus", {1, 22}, [](NodeBuilder &n) { setUnary(n, softplus); });
  table.add("Softsign", {1, 22}, [](NodeBuilder &n) {
    setUnary(n, [](Scalars &s, Value x) {
      return s.div(x, s.add(s.constantLike(x, 1), s.abs(x)));
    });
  });
  table.add("Mish", {18, 22}, [](NodeBuilder &n) {
    setUnary(n, [](Scalars &s, Value x) {
      return s.mul(x, s.tanh(softplus(s, x)));
    });
  });
  table.add("Gelu", {20}, buildGelu);
  table.add("Gelu", {1}, buildGelu, kMicrosoft);
  table.add("BiasGelu", {1}, buildBiasGelu<false>, kMicrosoft);
  table.add("FastGelu", {1}, buildBiasGelu<true>, kMicrosoft);
  table.add("Swish", {24}, buildSwish);
  table.add("QuickGelu", {1}, buildSwish, kMicrosoft);
  table.add("Shrink", {9}, buildShrink);
  table.add("SwiGLU", {28}, buildSwiGLU);
}
