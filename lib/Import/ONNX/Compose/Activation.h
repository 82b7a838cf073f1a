//===- Activation.h - Activation functions ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activation functions, as operators, cells of recurrent networks and fused
// operators have them.

#ifndef HETERO_LIB_IMPORT_ONNX_COMPOSE_ACTIVATION_H
#define HETERO_LIB_IMPORT_ONNX_COMPOSE_ACTIVATION_H

#include "Formulas.h"

namespace mlir::hetero::onnx {

/// A function with the defaults of its numbers, null for those it has not.
struct ActivationKind {
  StringRef name;
  std::optional<double> alpha, beta;
  Number (*apply)(Number x, double alpha, double beta);
};
/// A function of recurrent networks by its name in any case; null if there is
/// none.
const ActivationKind *findActivation(StringRef name);

/// nan stays nan, for the comparison is unordered; what follows convolutions
/// knows this form.
Value relu(Scalars &s, Value x);

/// The function of a fused operator by its attributes, if it has one.
Tensor activate(NodeBuilder &n, const Tensor &x);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_COMPOSE_ACTIVATION_H
