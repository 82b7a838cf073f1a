//===- Activation.cpp - Activation functions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Activation.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Value onnx::relu(Scalars &s, Value x) {
  Value zero = s.constantLike(x, 0);
  if (!s.isFloat())
    return s.max(x, zero);
  Value positive =
      arith::CmpFOp::create(s.b, s.loc, arith::CmpFPredicate::UGT, x, zero);
  return s.select(positive, x, zero);
}

Value onnx::leakyRelu(Scalars &s, Value x, double alpha) {
  Value below = s.mul(x, s.constantLike(x, alpha));
  return s.select(s.less(x, s.constantLike(x, 0)), below, x);
}

Value onnx::hardSigmoid(Scalars &s, Value x, double alpha, double beta) {
  Value line =
      s.add(s.mul(x, s.constantLike(x, alpha)), s.constantLike(x, beta));
  return s.max(s.constantLike(x, 0), s.min(s.constantLike(x, 1), line));
}

Value onnx::gelu(Scalars &s, Value x, bool isTanh) {
  Value one = s.constantLike(x, 1), half = s.constantLike(x, 0.5), inner;
  if (isTanh) {
    Value cube = s.mul(s.mul(x, x), x);
    Value sum = s.add(x, s.mul(s.constantLike(x, 0.044715), cube));
    inner = s.tanh(s.mul(s.constantLike(x, 0.7978845608028654), sum));
  } else {
    inner =
        s.math<math::ErfOp>(s.mul(x, s.constantLike(x, 0.7071067811865476)));
  }
  return s.mul(s.mul(half, x), s.add(one, inner));
}

Tensor onnx::activate(NodeBuilder &n, const Tensor &x) {
  StringRef name = n.getString("activation");
  if (name.empty())
    return x;
  SmallVector<float> numbers = n.getFloats("activation_params");
  for (StringRef each : {"activation_alpha", "activation_beta"})
    if (n.hasAttr(each))
      numbers.push_back(n.getFloat(each, 0));
  auto number = [&](size_t i, double otherwise) {
    return i < numbers.size() ? double(numbers[i]) : otherwise;
  };
  using Body = std::function<Value(Scalars &, Value)>;
  Body body =
      llvm::StringSwitch<Body>(name)
          .Case("Relu", relu)
          .Case("Tanh", [](Scalars &s, Value v) { return s.tanh(v); })
          .Case("Sigmoid", [](Scalars &s, Value v) { return s.sigmoid(v); })
          .Case("LeakyRelu",
                [&](Scalars &s, Value v) {
                  return leakyRelu(s, v, number(0, 0.01));
                })
          .Case("HardSigmoid",
                [&](Scalars &s, Value v) {
                  return hardSigmoid(s, v, number(0, 0.2), number(1, 0.5));
                })
          .Case("Clip",
                [&](Scalars &s, Value v) {
                  double most = std::numeric_limits<float>::max();
                  Value low = s.constantLike(v, number(0, -most));
                  return s.min(s.max(v, low),
                               s.constantLike(v, number(1, most)));
                })
          .Default(nullptr);
  if (!body) {
    n.fail("its activation is '" + name + "', which is not supported");
    return x;
  }
  return elementwise(n, {x},
                     [&](Scalars &s, ValueRange e) { return body(s, e[0]); });
}
