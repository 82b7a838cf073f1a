//===- CompareValues.cpp - Checks results against expected values ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/CompareValues.h"

#include "ElementType.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <sstream>

using namespace hetero;
using namespace hetero::runner;

/// A few units in the last place: enough for another order of summation of a
/// few terms, too little to hide a wrong one.
static Tolerance defaultTolerance(int32_t type) {
  switch (partType(type)) {
  case HETERO_TYPE_F8E4M3FN:
    return {0.13, 1e-2};
  case HETERO_TYPE_F8E5M2:
    return {0.26, 1e-4};
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

/// One element of a type of floats; the imaginary part is zero without one.
static std::complex<double> loadNumber(int32_t type, const uint8_t *element) {
  int32_t part = partType(type);
  return {loadDouble(part, element),
          isComplex(type) ? loadDouble(part, element + elementBytes(part))
                          : 0.0};
}

static bool isNaN(std::complex<double> number) {
  return std::isnan(number.real()) || std::isnan(number.imag());
}

static bool isInfinite(std::complex<double> number) {
  return std::isinf(number.real()) || std::isinf(number.imag());
}

static bool closeEnough(std::complex<double> got, std::complex<double> want,
                        const Tolerance &tolerance) {
  if (isNaN(got) || isNaN(want))
    return isNaN(got) && isNaN(want);
  if (got == want)
    return true;
  // Infinities that differ; below, infinity times a tolerance would allow all.
  if (isInfinite(got) || isInfinite(want))
    return false;
  return std::abs(got - want) <=
         tolerance.absolute + tolerance.relative * std::abs(want);
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

static std::string elementText(const HostValue &value, int64_t index) {
  std::ostringstream text;
  text.precision(9);
  if (!isComplex(value.type)) {
    text << loadDouble(value.type, value.element(index));
    return text.str();
  }
  std::complex<double> number = loadNumber(value.type, value.element(index));
  text << number.real() << std::showpos << number.imag() << "j";
  return text.str();
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
    if (isFloat(got.type) || isComplex(got.type)) {
      std::complex<double> a = loadNumber(got.type, got.element(i));
      std::complex<double> b = loadNumber(want.type, want.element(i));
      equal = closeEnough(a, b, limit);
      difference = std::abs(a - b);
    } else {
      equal = std::memcmp(got.element(i), want.element(i),
                          elementBytes(got.type)) == 0;
      difference = std::fabs(loadDouble(got.type, got.element(i)) -
                             loadDouble(want.type, want.element(i)));
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
  text << "expected " << elementText(want, first) << " at "
       << indexText(got, first) << ", got " << elementText(got, first) << "; "
       << different << " of " << got.numElements()
       << " elements differ, the largest difference is " << worst;
  error = text.str();
  return false;
}

/// Infinities and what is no number aside.
static double getLargest(const HostValue &value) {
  double largest = 0;
  for (int64_t i = 0, e = value.numElements(); i < e; ++i)
    if (double size = std::abs(loadNumber(value.type, value.element(i)));
        std::isfinite(size))
      largest = std::max(largest, size);
  return largest;
}

bool runner::compareRounded(const HostValue &got, const HostValue &want,
                            const Tolerance &tolerance, std::string &error) {
  constexpr double kFactor = 10;
  Tolerance limit = tolerance;
  double usual = kFactor * defaultTolerance(want.type).relative;
  if (limit.relative < 0)
    limit.relative = usual;
  if (limit.absolute < 0)
    limit.absolute = tolerance.relative < 0 ? usual * getLargest(want) : 0;
  return compareValues(got, want, limit, error);
}
