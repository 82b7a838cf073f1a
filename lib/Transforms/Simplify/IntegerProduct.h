//===- IntegerProduct.h - Products of dequantized tensors -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_INTEGERPRODUCT_H
#define HETERO_TRANSFORMS_SIMPLIFY_INTEGERPRODUCT_H

#include "Dequantized.h"

namespace mlir::hetero {

class ElementwiseResult;

/// A sum of products whose two factors are integers less a zero point, maybe
/// scaled.
class IntegerProduct {
public:
  /// The product that `op` is; none if it is no such product. `reason` then
  /// says why where its factors are dequantized all the same.
  static std::optional<IntegerProduct> match(linalg::LinalgOp op,
                                             StringRef &reason);

  /// The same result from sums of i32 of the integers as they are.
  Value build(OpBuilder &builder);

private:
  /// An operand of the product.
  struct Factor {
    Dequantized tensor;
    /// From the loops to the dimensions of the tensor after its moves.
    AffineMap map;
    /// From the loops to the scales.
    AffineMap scaleMap;
    /// The tensor after its moves; made when it is built.
    Value data;
  };

  explicit IntegerProduct(linalg::LinalgOp op) : op(op) {}

  bool matchFloats(StringRef &reason);
  bool matchIntegers();
  bool mapScale(Factor &factor);
  bool fitsInSums();
  AffineMap getResultMap();

  Value buildSums(OpBuilder &builder);
  Value buildFactorSums(OpBuilder &builder, const Factor &factor,
                        AffineMap loops);
  void takeOff(OpBuilder &builder, const Factor &factor, const Factor &other,
               bool isFirst, ElementwiseResult &result);
  void addScales(OpBuilder &builder, ElementwiseResult &result);
  void addInit(ElementwiseResult &result);

  linalg::LinalgOp op;
  Factor factors[2];
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SIMPLIFY_INTEGERPRODUCT_H
