//===- LeastSquares.h - Least squares without negative values ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_SUPPORT_FITS_LEASTSQUARES_H
#define HETERO_LIB_SUPPORT_FITS_LEASTSQUARES_H

#include <vector>

namespace mlir::hetero {

/// Rows a and numbers b; the unknowns x, none of them negative, for which the
/// sum of (a x - b)^2 is the least. For few unknowns: the work is their cube,
/// and rows are added up to the normal equations.
class LeastSquares {
public:
  explicit LeastSquares(unsigned numUnknowns);

  void addRow(const std::vector<double> &row, double value);
  /// The active set method of Lawson and Hanson, Solving Least Squares
  /// Problems, 1974, chapter 23. What no row tells is 0.
  std::vector<double> solve() const;

private:
  std::vector<double> solveFor(const std::vector<bool> &isFree) const;

  unsigned n;
  /// Row by row.
  std::vector<double> matrix;
  std::vector<double> right;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_SUPPORT_FITS_LEASTSQUARES_H
