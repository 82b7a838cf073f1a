//===- Matrices.cpp - Batches of matrices ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Matrices.h"

#include "../Emit/Layout.h"
#include "../Emit/Selection.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

std::optional<Matrices> onnx::readMatrices(NodeBuilder &n, unsigned input,
                                           bool isSquare) {
  Tensor x = n.in(input);
  if (x.rank() < 2 || !isFloat(x.type))
    n.fail("its input " + Twine(input) + " is no matrix of floats");
  if (n.failed())
    return std::nullopt;
  if (isSquare) {
    OpFoldResult &rows = x.sizes[x.rank() - 2], &columns = x.sizes.back();
    rows = columns = n.checkEqual(rows, columns, "its matrices are not square");
    if (n.failed())
      return std::nullopt;
    x = n.make(x.type, x.sizes, n.value(x));
  }
  Matrices made;
  made.outer.assign(x.sizes.begin(), x.sizes.end() - 2);
  Sizes sizes{n.ix.product(made.outer), x.sizes[x.rank() - 2], x.sizes.back()};
  made.tensor = reshape(n, castTo(n, x, getAccumulator(x.type)), sizes);
  return made;
}

Tensor onnx::restore(NodeBuilder &n, const Matrices &of, const Tensor &tensor,
                     ElementType type) {
  Sizes sizes = of.outer;
  sizes.append(tensor.sizes.begin() + 1, tensor.sizes.end());
  return castTo(n, reshape(n, tensor, sizes), type);
}

Tensor onnx::fill(NodeBuilder &n, ElementType type,
                  ArrayRef<OpFoldResult> sizes, double number) {
  return n.make(type, sizes, n.fill(type, sizes, n.scalar(type, number)));
}

Tensor onnx::makeUnit(NodeBuilder &n, ElementType type,
                      ArrayRef<OpFoldResult> sizes) {
  return generate(n, type, {}, sizes,
                  [](Scalars &s, ValueRange place, ValueRange) {
                    Scalars i(s.b, s.loc, ElementType::I64);
                    return s.select(i.equal(place[1], place[2]), s.constant(1),
                                    s.constant(0));
                  });
}
