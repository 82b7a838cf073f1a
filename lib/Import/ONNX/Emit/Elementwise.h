//===- Elementwise.h - Elementwise operations -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations over loops, and elementwise ones with ONNX's broadcasting.

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_ELEMENTWISE_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_ELEMENTWISE_H

#include "../NodeBuilder.h"
#include "Scalars.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::hetero::onnx {

/// Builds linalg.generic, with `maps` of the operands and then of the results,
/// which start as `inits`; what no result's map has is reduced. `s` has the
/// type of the first result, and `elements` those of the operands and of the
/// results.
SmallVector<Tensor> buildLoops(
    NodeBuilder &n, ArrayRef<Tensor> operands, ArrayRef<Tensor> inits,
    ArrayRef<AffineMap> maps,
    llvm::function_ref<SmallVector<Value>(Scalars &s, ValueRange elements)>
        body);

/// Computes an element of the result from those of the operands. `s` has the
/// type of the first operand.
using ElementBody = llvm::function_ref<Value(Scalars &s, ValueRange elements)>;
/// The same with one result.
Tensor buildLoops(NodeBuilder &n, ArrayRef<Tensor> operands, const Tensor &init,
                  ArrayRef<AffineMap> maps, ElementBody body);

/// In which type narrow floats are computed.
enum class Compute {
  /// As they are: operations that round once.
  Native,
  /// As f32, and rounded at the end: functions and compositions.
  Wide
};

/// The sizes of broadcast operands. Of two sizes that are not known to be equal
/// and may be 1, the larger is taken; others are checked.
Sizes broadcastSizes(NodeBuilder &n, ArrayRef<Tensor> operands);

/// The operands with dimensions of the result wherever they may be 1 and the
/// result may not: what is decided at run time is decided once.
SmallVector<Tensor> broadcastOperands(NodeBuilder &n, ArrayRef<Tensor> operands,
                                      ArrayRef<OpFoldResult> sizes);

/// Applies `body` to each element of the operands, broadcast. Known elements
/// of small tensors are computed one by one, so that shapes stay known.
Tensor elementwise(NodeBuilder &n, ArrayRef<Tensor> operands,
                   ElementType result, ElementBody body,
                   Compute compute = Compute::Native);
/// With a result of the first operand's type.
inline Tensor elementwise(NodeBuilder &n, ArrayRef<Tensor> operands,
                          ElementBody body, Compute compute = Compute::Native) {
  return elementwise(n, operands, operands.front().type, body, compute);
}

/// Computes each element of a result from its indices and the elements of
/// operands, which broadcast to its sizes by known ones. `s` has the result's
/// type.
using PlacedBody = llvm::function_ref<Value(Scalars &s, ValueRange place,
                                            ValueRange elements)>;
Tensor computeAt(NodeBuilder &n, ElementType type, ArrayRef<Tensor> operands,
                 ArrayRef<OpFoldResult> sizes, PlacedBody body);

/// A tensor of larger sizes: one with these after broadcasting, copied.
Tensor broadcastTo(NodeBuilder &n, const Tensor &tensor,
                   ArrayRef<OpFoldResult> sizes);
/// The tensor with elements of another type, as Cast has it.
Tensor castTo(NodeBuilder &n, const Tensor &tensor, ElementType type,
              bool saturates = true);

// Arithmetic on tensors, for operators that are composed of others.
Tensor add(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs);
Tensor sub(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs);
Tensor mul(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs);
Tensor div(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_ELEMENTWISE_H
