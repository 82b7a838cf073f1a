//===- Iteration.h - Loops over passes of a body ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over passes of a body: Loop, Scan and the recurrent networks. The body
// is imported as often as it takes to find what stays the same in all passes:
// values, sizes, and contents that are known. So blocks of branches and loops
// are imported before the types of what they pass on are known, as drafts.

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_ITERATION_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_ITERATION_H

#include "Layout.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::hetero::onnx {

/// The tensors that values have: of sequences, all that are in them.
SmallVector<Tensor> getLeaves(ArrayRef<Tensor> values);
/// Values like others, with these leaves instead of theirs.
SmallVector<Tensor> replaceLeaves(ArrayRef<Tensor> values,
                                  ArrayRef<Tensor> leaves);
/// True if values have the same structure, and their leaves the same types and
/// ranks.
bool haveSameStructure(ArrayRef<Tensor> lhs, ArrayRef<Tensor> rhs);

/// A block of which the types of arguments and results are not known yet. It
/// lies at the builder's place, in an operation of its own.
class Draft {
public:
  /// Builds in the block from now on, until `leave`.
  explicit Draft(NodeBuilder &n);

  Block *block() { return &op.getRegion().front(); }
  /// Moves arithmetic of outer values before the draft, and builds there.
  void leave();
  /// The size if it is known outside of the block, else null.
  OpFoldResult getOuter(OpFoldResult size) const;
  /// Moves the operations to the end of another block, for whose arguments
  /// those of this one stand.
  void moveTo(Block *target, ValueRange arguments);
  /// The value that now stands for one of the block, or for those of a tensor.
  OpFoldResult resolve(OpFoldResult value) const;
  Tensor resolve(const Tensor &tensor) const;
  void erase();

private:
  NodeBuilder &n;
  scf::ExecuteRegionOp op;
  /// Values that were moved, and equal ones that were there before; arguments,
  /// and those they stand for.
  DenseMap<Value, Value> moved;
};

/// Facts about a tensor that control flow passes on.
struct Slot {
  /// The type, the sizes that are known outside (others are null), and, of a
  /// few integers, `elements` of nothing: they are passed on as scalars.
  Tensor tensor;

  Slot(ElementType type, ArrayRef<OpFoldResult> sizes)
      : tensor(type, Sizes(sizes)) {}
  /// One for a tensor, and others whose sizes are those.
  Slot(const Tensor &tensor, ArrayRef<OpFoldResult> sizes);

  bool isScalars() const { return tensor.elements.has_value(); }
  void addTypes(NodeBuilder &n, SmallVectorImpl<Type> &types) const;
  /// The values to pass on for a tensor, which has this slot's sizes.
  void addValues(NodeBuilder &n, const Tensor &tensor,
                 SmallVectorImpl<Value> &values) const;
  /// The tensor that was passed on, and drops its values.
  Tensor takeValues(NodeBuilder &n, ValueRange &values) const;
};

/// The results of one pass.
struct LoopPass {
  /// True, of type i1, if another pass follows.
  OpFoldResult goesOn;
  /// The values for the next pass, or the results.
  SmallVector<Tensor> carried;
  /// A slice of each result that has one for each pass.
  SmallVector<Tensor> slices;
};

/// Builds a pass at the builder's place; failure after an error.
using LoopBody = llvm::function_ref<FailureOr<LoopPass>(
    OpFoldResult number, ArrayRef<Tensor> carried)>;

struct LoopResults {
  SmallVector<Tensor> carried, stacked;
};

/// Builds a loop of at most `count` passes (not negative; null for any number)
/// while the condition, of type i1, holds. If the number of passes is a
/// constant, ranks of carried values may differ between them, and the body may
/// need the pass's number as a constant: the loop is unrolled.
FailureOr<LoopResults> loop(NodeBuilder &n, OpFoldResult count,
                            OpFoldResult condition, ArrayRef<Tensor> initial,
                            LoopBody body);
/// The tensor with a slice written at a place of its first dimension.
Tensor insertSlice(NodeBuilder &n, const Tensor &tensor, const Tensor &slice,
                   OpFoldResult place);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_ITERATION_H
