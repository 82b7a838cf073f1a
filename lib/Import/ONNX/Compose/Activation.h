//===- Activation.h - Activation functions ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activation functions that several operators have.

#ifndef HETERO_LIB_IMPORT_ONNX_COMPOSE_ACTIVATION_H
#define HETERO_LIB_IMPORT_ONNX_COMPOSE_ACTIVATION_H

#include "../Emit/Elementwise.h"

namespace mlir::hetero::onnx {

/// nan stays nan, for the comparison is unordered; what follows convolutions
/// knows this form.
Value relu(Scalars &s, Value x);
Value leakyRelu(Scalars &s, Value x, double alpha);
/// max(0, min(1, alpha * x + beta))
Value hardSigmoid(Scalars &s, Value x, double alpha, double beta);
/// x times the normal distribution, or the approximation of it by tanh.
Value gelu(Scalars &s, Value x, bool isTanh);

/// The function of a fused operator by its attributes, if it has one.
Tensor activate(NodeBuilder &n, const Tensor &x);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_COMPOSE_ACTIVATION_H
