//===- CompareValues.cpp - Checks results against expected values ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/HostValue.h"

#include <cmath>
#include <sstream>

using namespace hetero;
using namespace hetero::runner;

/// A few units in the last place: enough for another order of summation of a
/// few terms, too little to hide a wrong one.
static Tolerance defaultTolerance(int32_t type) {
  switch (type) {
  case HETERO_TYPE_F16:
    return {2e-3, 1e-3};
  case HETERO_TYPE_BF16:
    return {2e-2, 1e-2};
  case HETERO_TYPE_F32:
    return {1e-5, 1e-6};
  case HETERO_TYPE_F64:
    return {1e-12, 1e-14};
  default:
    return {0, 0};
  }
}

static bool closeEnough(double got, double want, const Tolerance &tolerance) {
  if (std::isnan(got) || std::isnan(want))
    return std::isnan(got) && std::isnan(want);
  if (got == want)
    return true;
  // Infinities that differ; below, infinity times a tolerance would allow all.
  if (std::isinf(got) || std::isinf(want))
    return false;
  return std::fabs(got - want) <=
         tolerance.absolute + tolerance.relative * std::fabs(want);
}

static std::string indexText(const HostValue &value, int64_t index) {
  std::string text;
  for (size_t i = value.sizes.size(); i-- > 0;) {
    std::string here = std::to_string(index % value.sizes[i]);
    text = text.empty() ? here : here + ", " + text;
    index /= value.sizes[i];
  }
  return "[" + text + "]";
}

bool runner::compareValues(const HostValue &got, const HostValue &want,
                           const Tolerance &tolerance, std::string &error) {
  if (got.type != want.type || got.sizes != want.sizes) {
    error = "expected " + typeText(want) + ", got " + typeText(got);
    return false;
  }
  Tolerance limit = defaultTolerance(got.type);
  if (tolerance.relative >= 0)
    limit.relative = tolerance.relative;
  if (tolerance.absolute >= 0)
    limit.absolute = tolerance.absolute;
  int64_t different = 0, first = -1;
  double worst = 0;
  for (int64_t i = 0, e = got.numElements(); i < e; ++i) {
    bool equal;
    double difference = 0;
    if (isFloat(got.type)) {
      double a = loadDouble(got.type, got.element(i));
      double b = loadDouble(want.type, want.element(i));
      equal = closeEnough(a, b, limit);
      difference = std::fabs(a - b);
    } else {
      int64_t a = loadInteger(got.type, got.element(i));
      int64_t b = loadInteger(want.type, want.element(i));
      equal = a == b;
      difference = std::fabs(static_cast<double>(a) - static_cast<double>(b));
    }
    if (equal)
      continue;
    if (first < 0)
      first = i;
    if (!(difference <= worst))
      worst = difference;
    ++different;
  }
  if (!different)
    return true;
  std::ostringstream text;
  text.precision(9);
  text << "expected " << loadDouble(want.type, want.element(first)) << " at "
       << indexText(got, first) << ", got "
       << loadDouble(got.type, got.element(first)) << "; " << different
       << " of " << got.numElements()
       << " elements differ, the largest difference is " << worst;
  error = text.str();
  return false;
}
