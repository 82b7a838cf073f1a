//===- Activations.cpp - Activation functions -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Activation.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Functions that recurrent networks have not.
static const ActivationKind kMoreKinds[] = {
    {"Celu", 1, 0,
     [](Number x, double a, double) {
       return max(0, x) + min(0, expm1(x / a) * a);
     }},
    {"HardSwish", 0, 0,
     [](Number x, double, double) {
       return x * max(0, min(1, x * (1.0f / 6) + 0.5));
     }},
    {"Mish", 0, 0,
     [](Number x, double, double) {
       return x * tanh(findActivation("Softplus")->apply(x, 0, 0));
     }},
    {"QuickGelu", 1.702f, 0,
     [](Number x, double a, double) { return x * sigmoid(x * a); }},
    {"Selu", 1.67326319217681884765625f, 1.05070102214813232421875f,
     [](Number x, double a, double gamma) {
       return select(Number(0) < x, x, expm1(x) * a) * gamma;
     }},
    {"Swish", 1, 0,
     [](Number x, double a, double) { return x * sigmoid(x * a); }},
};

static void buildActivation(NodeBuilder &n) {
  const ActivationKind *kind = findActivation(n.op());
  if (!kind)
    kind = llvm::find_if(kMoreKinds, [&](const ActivationKind &more) {
      return more.name == n.op();
    });
  double alpha = n.getFloat("alpha", kind->alpha.value_or(0));
  double beta =
      n.getFloat(n.op() == "Selu" ? "gamma" : "beta", kind->beta.value_or(0));
  auto body = [&](ArrayRef<Number> e) {
    return kind->apply(e[0], alpha, beta);
  };
  n.set(0, map(n, n.in(0), body, Compute::Wide));
}

static void buildPRelu(NodeBuilder &n) {
  // The slope broadcasts to the input, not the other way.
  n.set(0, elementwise(n, {n.in(0), n.in(1)}, [](Scalars &s, ValueRange e) {
          return s.select(s.less(e[0], s.constantLike(e[0], 0)),
                          s.mul(e[0], e[1]), e[0]);
        }));
}

/// x times the normal distribution, or the approximation of it by tanh.
static Number gelu(Number x, bool isTanh) {
  Number inner = isTanh ? tanh((x + x * x * x * 0.044715) * 0.7978845608028654)
                        : erf(x * 0.7071067811865476);
  return x * 0.5 * (inner + 1);
}

static void buildGelu(NodeBuilder &n) {
  bool isTanh = n.getString("approximate", "none") == "tanh";
  auto body = [&](ArrayRef<Number> e) { return gelu(e[0], isTanh); };
  n.set(0, map(n, n.in(0), body, Compute::Wide));
}

/// The function of the sum of an input and a bias, which may be left out.
template <bool isTanh> static void buildBiasGelu(NodeBuilder &n) {
  SmallVector<Tensor> operands{n.in(0)};
  if (n.has(1))
    operands.push_back(n.in(1));
  auto body = [](ArrayRef<Number> e) {
    return gelu(e.size() > 1 ? e[0] + e[1] : e[0], isTanh);
  };
  n.set(0, map(n, operands, body, Compute::Wide));
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
  auto body = [&](ArrayRef<Number> e) {
    return e[0] * sigmoid(e[0] * alpha) * e[1];
  };
  n.set(0, map(n, {gate, linear}, body, Compute::Wide));
}

static void buildShrink(NodeBuilder &n) {
  double lambda = n.getFloat("lambd", 0.5f), bias = n.getFloat("bias", 0);
  ElementType type = n.in(0).type;
  // Integers are compared and moved as floats that hold them.
  ElementType wide = isFloat(type)             ? type
                     : getBitWidth(type) >= 32 ? ElementType::F64
                                               : ElementType::F32;
  Tensor x = castTo(n, n.in(0), wide);
  auto body = [&](ArrayRef<Number> e) {
    Number above = select(Number(lambda) < e[0], e[0] - bias, 0);
    return select(e[0] < -lambda, e[0] + bias, above);
  };
  Tensor made = map(n, x, body, Compute::Wide);
  n.set(0, castTo(n, made, type));
}

void mlir::hetero::onnx::addActivations(OperatorTable &table) {
  table.add("Relu", {6, 13, 14}, [](NodeBuilder &n) {
    n.set(0, elementwise(n, n.in(0), [](Scalars &s, ValueRange e) {
            return relu(s, e[0]);
          }));
  });
  table.add("LeakyRelu", {6, 16}, buildActivation);
  table.add("ThresholdedRelu", {10, 22}, buildActivation);
  table.add("PRelu", {7, 9, 16}, buildPRelu);
  table.add("Elu", {6, 22}, buildActivation);
  table.add("Celu", {12}, buildActivation);
  table.add("Selu", {6, 22}, buildActivation);
  table.add("HardSigmoid", {6, 22}, buildActivation);
  table.add("HardSwish", {14, 22}, buildActivation);
  table.add("Sigmoid", {6, 13}, buildActivation);
  table.add("Tanh", {6, 13}, buildActivation);
  table.add("Softplus", {1, 22}, buildActivation);
  table.add("Softsign", {1, 22}, buildActivation);
  table.add("Mish", {18, 22}, buildActivation);
  table.add("Gelu", {20}, buildGelu);
  table.add("Gelu", {1}, buildGelu, kMicrosoft);
  table.add("BiasGelu", {1}, buildBiasGelu<false>, kMicrosoft);
  table.add("FastGelu", {1}, buildBiasGelu<true>, kMicrosoft);
  table.add("Swish", {24}, buildActivation);
  table.add("QuickGelu", {1}, buildActivation, kMicrosoft);
  table.add("Shrink", {9}, buildShrink);
  table.add("SwiGLU", {28}, buildSwiGLU);
}
