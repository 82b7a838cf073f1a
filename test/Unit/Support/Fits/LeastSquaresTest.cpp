//===- LeastSquaresTest.cpp - Least squares without negative values -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Fits/LeastSquares.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir::hetero;

namespace {
struct Rows {
  std::vector<std::vector<double>> rows;
  std::vector<double> values;

  double getSum(const std::vector<double> &x) const {
    double sum = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      double rest = -values[i];
      for (size_t j = 0; j < x.size(); ++j)
        rest += rows[i][j] * x[j];
      sum += rest * rest;
    }
    return sum;
  }
  /// What the sum changes by for a step in one unknown.
  double getSlope(const std::vector<double> &x, size_t unknown) const {
    double slope = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      double rest = -values[i];
      for (size_t j = 0; j < x.size(); ++j)
        rest += rows[i][j] * x[j];
      slope += 2 * rest * rows[i][unknown];
    }
    return slope;
  }
};
} // namespace

static std::vector<double> solve(const Rows &rows, unsigned n) {
  LeastSquares problem(n);
  for (size_t i = 0; i < rows.rows.size(); ++i)
    problem.addRow(rows.rows[i], rows.values[i]);
  return problem.solve();
}

// Without a bound that matters it is the plain solution.
TEST(LeastSquares, SolvesEquations) {
  std::vector<double> x = solve({{{2, 1}, {1, 3}}, {5, 10}}, 2);
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_NEAR(x[1], 3, 1e-12);
}

// What would be negative is 0, and the rest is the best for that.
TEST(LeastSquares, KeepsUnknownsFromBeingNegative) {
  std::vector<double> x = solve({{{1, 1}, {0, 1}}, {1, 2}}, 2);
  EXPECT_EQ(x[0], 0);
  EXPECT_NEAR(x[1], 1.5, 1e-12);
}

// What no row tells is 0, and so is what an earlier unknown tells already.
TEST(LeastSquares, LeavesOutWhatNothingTells) {
  EXPECT_EQ(solve({{{0, 2}}, {4}}, 2), (std::vector<double>{0, 2}));
  std::vector<double> x = solve({{{1, 1}, {1, 1}}, {2, 4}}, 2);
  EXPECT_NEAR(x[0] + x[1], 3, 1e-12);
}

// The conditions of Karush, Kuhn and Tucker, which are sufficient: nothing is
// negative, no step up makes the sum smaller, and none of what is positive
// changes it at all.
TEST(LeastSquares, IsTheBestOfRandomProblems) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  unsigned numBound = 0;
  for (unsigned n = 1; n <= 8; ++n)
    for (int problem = 0; problem < 50; ++problem) {
      Rows rows;
      for (unsigned i = 0; i < n + problem % 5; ++i) {
        std::vector<double> row(n);
        for (double &entry : row)
          entry = number(random);
        rows.rows.push_back(row);
        rows.values.push_back(number(random));
      }
      std::vector<double> x = solve(rows, n);
      for (unsigned i = 0; i < n; ++i) {
        ASSERT_GE(x[i], 0);
        double slope = rows.getSlope(x, i);
        ASSERT_GE(slope, -1e-7) << "unknown " << i << " of " << n;
        if (x[i] > 0)
          ASSERT_LE(slope, 1e-7) << "unknown " << i << " of " << n;
        numBound += x[i] == 0;
      }
      ASSERT_LE(rows.getSum(x), rows.getSum(std::vector<double>(n)) + 1e-12);
    }
  EXPECT_GT(numBound, 100u);
}
