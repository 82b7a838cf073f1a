//===- HalfPrecisionTest.cpp - Conversions of f16 and bf16 ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against a reference in arithmetic of double, whose results are exact.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

#if defined(__x86_64__) && defined(__clang__)

extern "C" {
float __extendhfsf2(_Float16 value);
double __extendhfdf2(_Float16 value);
_Float16 __truncsfhf2(float value);
_Float16 __truncdfhf2(double value);
__bf16 __truncsfbf2(float value);
__bf16 __truncdfbf2(double value);
}

namespace {

template <typename To, typename From> To bitCast(From from) {
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// The value of the bits of a 16-bit format.
double valueOf(uint16_t bits, int mantissaBits) {
  int exponentBits = 15 - mantissaBits, most = (1 << exponentBits) - 1;
  int exponent = (bits & 0x7fff) >> mantissaBits;
  int mantissa = bits & ((1 << mantissaBits) - 1);
  double magnitude;
  if (exponent == most)
    magnitude = mantissa ? NAN : INFINITY;
  else
    magnitude = std::ldexp(exponent ? mantissa + (1 << mantissaBits) : mantissa,
                           std::max(exponent, 1) - (most >> 1) - mantissaBits);
  return std::copysign(magnitude, bits & 0x8000 ? -1.0 : 1.0);
}

/// The nearest number of a 16-bit format, by the current rounding: to nearest,
/// ties to even.
double roundTo(double value, int mantissaBits) {
  if (!std::isfinite(value) || value == 0)
    return value;
  int bias = (1 << (14 - mantissaBits)) - 1;
  int exponent = std::max(std::ilogb(value), 1 - bias);
  double unit = std::ldexp(1.0, exponent - mantissaBits);
  double rounded = std::nearbyint(value / unit) * unit;
  double most = std::ldexp(2.0, bias);
  return std::fabs(rounded) < most ? rounded : std::copysign(INFINITY, value);
}

bool isSame(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         (a == b && std::signbit(a) == std::signbit(b));
}

void checkFloat(float value) {
  double f16 = valueOf(bitCast<uint16_t>(__truncsfhf2(value)), 10);
  ASSERT_TRUE(isSame(f16, roundTo(value, 10))) << value << " is " << f16;
  double bf16 = valueOf(bitCast<uint16_t>(__truncsfbf2(value)), 7);
  ASSERT_TRUE(isSame(bf16, roundTo(value, 7))) << value << " is " << bf16;
}

void checkDouble(double value) {
  double f16 = valueOf(bitCast<uint16_t>(__truncdfhf2(value)), 10);
  ASSERT_TRUE(isSame(f16, roundTo(value, 10))) << value << " is " << f16;
  double bf16 = valueOf(bitCast<uint16_t>(__truncdfbf2(value)), 7);
  ASSERT_TRUE(isSame(bf16, roundTo(value, 7))) << value << " is " << bf16;
}

TEST(HalfPrecision, WidensEveryF16) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    auto half = bitCast<_Float16>(static_cast<uint16_t>(bits));
    double expected = valueOf(static_cast<uint16_t>(bits), 10);
    ASSERT_TRUE(isSame(__extendhfsf2(half), expected)) << bits;
    ASSERT_TRUE(isSame(__extendhfdf2(half), expected)) << bits;
    // And back: a quiet NaN keeps its payload.
    uint16_t back = bitCast<uint16_t>(__truncsfhf2(__extendhfsf2(half)));
    ASSERT_EQ(back, std::isnan(expected) ? bits | 0x200 : bits);
  }
}

TEST(HalfPrecision, NarrowsFloats) {
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 4093)
    checkFloat(bitCast<float>(static_cast<uint32_t>(bits)));
}

// Halfway between two numbers, and next to that.
TEST(HalfPrecision, RoundsTiesToEven) {
  for (int mantissaBits : {10, 7})
    for (uint32_t bits = 0; bits < 32768; ++bits) {
      double low = valueOf(static_cast<uint16_t>(bits), mantissaBits);
      double high = valueOf(static_cast<uint16_t>(bits + 1), mantissaBits);
      if (!std::isfinite(high))
        continue;
      double middle = (low + high) / 2;
      for (double value : {middle, std::nextafter(middle, 0.0),
                           std::nextafter(middle, INFINITY)}) {
        checkDouble(value);
        checkDouble(-value);
      }
      float tie = static_cast<float>(middle);
      checkFloat(tie);
      checkFloat(std::nextafter(tie, 0.0f));
      checkFloat(-std::nextafter(tie, INFINITY));
    }
}

TEST(HalfPrecision, NarrowsDoubles) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000000; ++i) {
    uint64_t bits = random();
    if (i % 2) // near the range of f16
      bits = (bits & 0x800fffffffffffff) | (1023 - 26 + bits % 44) << 52;
    checkDouble(bitCast<double>(bits));
  }
  for (double value : {65504.0, 65519.999, 65520.0, 65536.0, 0x1p-25, 0x1p-24,
                       0x1.000001p-25, 3.39e38, 3.4e38, 0x1p-149, 0x1p-1074})
    checkDouble(value);
}

} // namespace

#endif // x86-64 and clang
