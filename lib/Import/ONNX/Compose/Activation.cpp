//===- Activation.cpp - Activation functions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Activation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

static constexpr std::nullopt_t kNone = std::nullopt;

static const ActivationKind kKinds[] = {
    {"Affine", 1, 0, [](Number x, double a, double b) { return x * a + b; }},
    {"Elu", 1, kNone,
     [](Number x, double a, double) { return select(x < 0, expm1(x) * a, x); }},
    {"HardSigmoid", 0.2f, 0.5f,
     [](Number x, double a, double b) { return max(0, min(1, x * a + b)); }},
    {"LeakyRelu", 0.01f, kNone,
     [](Number x, double a, double) { return select(x < 0, x * a, x); }},
    {"Relu", kNone, kNone, [](Number x, double, double) { return max(x, 0); }},
    {"ScaledTanh", 1, 1,
     [](Number x, double a, double b) { return tanh(x * b) * a; }},
    {"Sigmoid", kNone, kNone,
     [](Number x, double, double) { return sigmoid(x); }},
    // log(1 + exp(x)), which does not overflow.
    {"Softplus", kNone, kNone,
     [](Number x, double, double) { return max(x, 0) + log1p(exp(-abs(x))); }},
    {"Softsign", kNone, kNone,
     [](Number x, double, double) { return x / (abs(x) + 1); }},
    {"Tanh", kNone, kNone, [](Number x, double, double) { return tanh(x); }},
    {"ThresholdedRelu", 1, kNone,
     [](Number x, double a, double) { return select(Number(a) < x, x, 0); }},
};

const ActivationKind *onnx::findActivation(StringRef name) {
  const auto *found = llvm::find_if(kKinds, [&](const ActivationKind &kind) {
    return name.equals_insensitive(kind.name);
  });
  return found == std::end(kKinds) ? nullptr : found;
}

Value onnx::relu(Scalars &s, Value x) {
  Value zero = s.constantLike(x, 0);
  if (!s.isFloat())
    return s.max(x, zero);
  Value positive =
      arith::CmpFOp::create(s.b, s.loc, arith::CmpFPredicate::UGT, x, zero);
  return s.select(positive, x, zero);
}

Tensor onnx::activate(NodeBuilder &n, const Tensor &x) {
  StringRef name = n.getString("activation");
  if (name.empty())
    return x;
  if (name == "Relu")
    return elementwise(n, x,
                       [](Scalars &s, ValueRange e) { return relu(s, e[0]); });
  SmallVector<float> numbers = n.getFloats("activation_params");
  for (StringRef each : {"activation_alpha", "activation_beta"})
    if (n.findAttr(each))
      numbers.push_back(n.getFloat(each, 0));
  auto number = [&](size_t i, std::optional<double> otherwise) {
    return i < numbers.size() ? double(numbers[i]) : otherwise.value_or(0);
  };
  constexpr double kMost = std::numeric_limits<float>::max();
  if (name == "Clip")
    return map(n, x, [&](ArrayRef<Number> e) {
      return min(max(e[0], number(0, -kMost)), number(1, kMost));
    });
  const ActivationKind *kind = findActivation(name);
  if (!kind) {
    n.fail("its activation is '" + name + "', which is not supported");
    return x;
  }
  return map(n, x, [&](ArrayRef<Number> e) {
    return kind->apply(e[0], number(0, kind->alpha), number(1, kind->beta));
  });
}
