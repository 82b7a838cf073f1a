//===- LeastSquares.cpp - Least squares without negative values -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeastSquares.h"

#include "hetero/Support/Assert.h"

#include <algorithm>
#include <cmath>

using namespace mlir::hetero;

LeastSquares::LeastSquares(unsigned numUnknowns)
    : n(numUnknowns), matrix(n * n), right(n) {}

void LeastSquares::addRow(const std::vector<double> &row, double value) {
  HETERO_ASSERT(row.size() == n, "a row has a number for each unknown");
  for (unsigned i = 0; i < n; ++i) {
    right[i] += row[i] * value;
    for (unsigned j = 0; j < n; ++j)
      matrix[i * n + j] += row[i] * row[j];
  }
}

/// The least sum where the others are 0, whatever the signs: by elimination,
/// without exchanges, as the matrix is symmetric and not negative.
std::vector<double>
LeastSquares::solveFor(const std::vector<bool> &isFree) const {
  std::vector<unsigned> free;
  for (unsigned i = 0; i < n; ++i)
    if (isFree[i])
      free.push_back(i);
  unsigned m = free.size();
  std::vector<double> a(m * m), b(m);
  for (unsigned i = 0; i < m; ++i) {
    b[i] = right[free[i]];
    for (unsigned j = 0; j < m; ++j)
      a[i * m + j] = matrix[free[i] * n + free[j]];
  }
  std::vector<bool> isTold(m);
  for (unsigned k = 0; k < m; ++k) {
    // What is left of a column that depends on the earlier ones is rounding.
    isTold[k] = a[k * m + k] > 1e-14 * matrix[free[k] * n + free[k]];
    for (unsigned i = k + 1; isTold[k] && i < m; ++i) {
      double factor = a[i * m + k] / a[k * m + k];
      for (unsigned j = k; j < m; ++j)
        a[i * m + j] -= factor * a[k * m + j];
      b[i] -= factor * b[k];
    }
  }
  std::vector<double> x(n);
  for (unsigned k = m; k-- > 0;) {
    double rest = b[k];
    for (unsigned j = k + 1; j < m; ++j)
      rest -= a[k * m + j] * x[free[j]];
    x[free[k]] = isTold[k] ? rest / a[k * m + k] : 0;
  }
  return x;
}

/// Moves towards the target until an unknown that is free becomes 0, which is
/// not free then; its number, or that of all of them if none does.
static unsigned moveTo(const std::vector<double> &target,
                       std::vector<bool> &isFree, std::vector<double> &x) {
  unsigned n = x.size(), first = n;
  double step = 1;
  for (unsigned i = 0; i < n; ++i) {
    if (!isFree[i] || target[i] >= 0)
      continue;
    double most = x[i] / (x[i] - target[i]);
    if (first == n || most < step) {
      first = i;
      step = most;
    }
  }
  for (unsigned i = 0; i < n; ++i)
    x[i] += step * (target[i] - x[i]);
  if (first != n) {
    isFree[first] = false;
    x[first] = 0;
  }
  return first;
}

std::vector<double> LeastSquares::solve() const {
  std::vector<double> x(n);
  std::vector<bool> isFree(n);
  // What the sum falls by where an unknown grows, in units of its own.
  auto getSlope = [&](unsigned i) {
    double slope = right[i];
    for (unsigned j = 0; j < n; ++j)
      slope -= matrix[i * n + j] * x[j];
    return matrix[i * n + i] > 0 ? slope / std::sqrt(matrix[i * n + i]) : 0;
  };
  double largest = 0;
  for (unsigned i = 0; i < n; ++i)
    largest = std::max(largest, std::abs(getSlope(i)));
  // Each round frees one; rounding must not make it endless.
  for (unsigned round = 0; round < 3 * n; ++round) {
    unsigned best = n;
    for (unsigned i = 0; i < n; ++i)
      if (!isFree[i] && getSlope(i) > 1e-12 * largest &&
          (best == n || getSlope(i) > getSlope(best)))
        best = i;
    if (best == n)
      break;
    isFree[best] = true;
    // As far as none becomes negative, as often as one would.
    for (unsigned i = best; i != n;)
      i = moveTo(solveFor(isFree), isFree, x);
  }
  return x;
}
