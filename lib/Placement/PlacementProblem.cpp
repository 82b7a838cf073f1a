//===- PlacementProblem.cpp - What placement decides, as numbers ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Placement/PlacementProblem.h"

#include <algorithm>
#include <cmath>

using namespace mlir::hetero;

bool PlacementProblem::isLimited() const {
  return std::any_of(capacities.begin(), capacities.end(),
                     [](int64_t bytes) { return bytes != kUnlimited; });
}

int64_t PlacementProblem::getTime(unsigned node, unsigned device) const {
  const ProblemNode &n = nodes[node];
  if (n.times >= 0)
    return times[n.times + device];
  return n.kind == ProblemNodeKind::Carried ? 0 : kNever;
}

bool PlacementProblem::canRunOn(unsigned node, unsigned device) const {
  bool isHosts = nodes[node].kind == ProblemNodeKind::Host ||
                 nodes[node].kind == ProblemNodeKind::Copy;
  return isHosts ? device == kHost : getTime(node, device) != kNever;
}

bool PlacementProblem::isAllowed(unsigned node, unsigned device) const {
  const std::vector<unsigned> &set = sets[nodes[node].allowed];
  return std::find(set.begin(), set.end(), device) != set.end() &&
         canRunOn(node, device);
}

int64_t PlacementProblem::scale(int64_t time, unsigned block) const {
  return multiplyTime(time, blocks[block].frequency);
}

/// The longest time that is not never.
static constexpr int64_t kLongest = INT64_MAX - 1;

/// The least whole number that is no less than the product, the frequency taken
/// as the fraction that it is: whoever checks a price computes the same.
static int64_t multiplyExactly(int64_t time, double frequency) {
  int exponent;
  auto mantissa =
      static_cast<int64_t>(std::ldexp(std::frexp(frequency, &exponent), 53));
  exponent -= 53;
  __int128 product = static_cast<__int128>(time) * mantissa;
  if (exponent >= 0)
    return kLongest; // Neither is 0, and the frequency is no small number.
  // The product has 116 bits.
  if (exponent <= -117)
    return 1;
  __int128 unit = static_cast<__int128>(1) << -exponent;
  __int128 whole = product / unit + (product % unit != 0);
  return static_cast<int64_t>(std::min<__int128>(whole, kLongest));
}

int64_t mlir::hetero::multiplyTime(int64_t time, double frequency) {
  if (frequency == 1.0 || time == 0 || time == INT64_MAX)
    return time;
  // Nearly all frequencies are whole.
  auto times = static_cast<int64_t>(frequency);
  int64_t product;
  if (double(times) == frequency &&
      !__builtin_mul_overflow(time, times, &product))
    return std::min(product, kLongest);
  return multiplyExactly(time, frequency);
}
