//===- HalfPrecision.cpp - Conversions of f16 and bf16 --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of compiler-rt that LLVM calls to convert f16 and bf16 on a
// processor without instructions for them (every x86-64 of the baseline). They
// are here because not every C compiler's library has them, and compiled
// programs need nothing but this library. All round to nearest, ties to even.
//
// Nothing here may convert the types with the language's conversions, which are
// calls of these very functions.
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroRuntime.h"

#include <cstdint>
#include <cstring>

// The calling convention is that of the types: in a vector register.
#if defined(__x86_64__) && defined(__clang__)

template <typename To, typename From> static To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "expected types of one size");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Fields of an IEEE format narrower than double.
struct Format {
  int exponentBits, mantissaBits;
  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << mantissaBits;
  }
};

static constexpr Format kF16 = {5, 10}, kBF16 = {8, 7}, kF32 = {8, 23},
                        kF64 = {11, 52};

/// `value` / 2^shift, to nearest, ties to even.
static uint64_t shiftRounded(uint64_t value, int shift) {
  if (shift > 63)
    return 0;
  uint64_t quotient = value >> shift;
  uint64_t rest = value & ((uint64_t(1) << shift) - 1);
  uint64_t half = shift ? uint64_t(1) << (shift - 1) : 0;
  bool up = shift && (rest > half || (rest == half && (quotient & 1)));
  return quotient + up;
}

/// The bits of a number in a narrower format.
static uint64_t narrow(uint64_t bits, Format from, Format to) {
  uint64_t sign = bits >> (from.exponentBits + from.mantissaBits)
                              << (to.exponentBits + to.mantissaBits);
  uint64_t fraction = (uint64_t(1) << from.mantissaBits) - 1;
  uint64_t magnitude = bits & (from.infinity() | fraction);
  int dropped = from.mantissaBits - to.mantissaBits;
  if (magnitude > from.infinity()) // quiet, with the payload's upper bits
    return sign | to.infinity() | uint64_t(1) << (to.mantissaBits - 1) |
           (magnitude & fraction) >> dropped;
  if (magnitude == from.infinity())
    return sign | to.infinity();
  uint64_t mantissa = magnitude & fraction;
  int exponent = static_cast<int>(magnitude >> from.mantissaBits);
  if (exponent != 0)
    mantissa |= uint64_t(1) << from.mantissaBits;
  else
    exponent = 1;
  exponent += to.bias() - from.bias();
  // A carry out of the mantissa is one into the exponent, up to infinity.
  uint64_t result = exponent < 1
                        ? shiftRounded(mantissa, dropped + 1 - exponent)
                        : (uint64_t(exponent - 1) << to.mantissaBits) +
                              shiftRounded(mantissa, dropped);
  return sign | (result < to.infinity() ? result : to.infinity());
}

/// The bits of an f16 in f32, exactly.
static uint32_t widenF16(uint32_t bits) {
  uint32_t sign = (bits & 0x8000) << 16, magnitude = bits & 0x7fff;
  if (magnitude >= kF16.infinity())
    return sign | 0x7f800000 | (magnitude & 0x3ff) << 13 |
           (magnitude > kF16.infinity() ? 0x400000 : 0);
  // The mantissa times the weight of its last bit; exact, also below normal.
  uint32_t exponent = magnitude >> 10, mantissa = magnitude & 0x3ff;
  if (exponent)
    return sign | (exponent + 112) << 23 | mantissa << 13;
  return sign | bitCast<uint32_t>(static_cast<float>(mantissa) * 0x1p-24f);
}

extern "C" {

HETERO_EXPORT float __extendhfsf2(_Float16 value) {
  return bitCast<float>(widenF16(bitCast<uint16_t>(value)));
}

HETERO_EXPORT double __extendhfdf2(_Float16 value) {
  return bitCast<float>(widenF16(bitCast<uint16_t>(value)));
}

HETERO_EXPORT _Float16 __truncsfhf2(float value) {
  uint64_t bits = narrow(bitCast<uint32_t>(value), kF32, kF16);
  return bitCast<_Float16>(static_cast<uint16_t>(bits));
}

HETERO_EXPORT _Float16 __truncdfhf2(double value) {
  uint64_t bits = narrow(bitCast<uint64_t>(value), kF64, kF16);
  return bitCast<_Float16>(static_cast<uint16_t>(bits));
}

HETERO_EXPORT __bf16 __truncsfbf2(float value) {
  uint64_t bits = narrow(bitCast<uint32_t>(value), kF32, kBF16);
  return bitCast<__bf16>(static_cast<uint16_t>(bits));
}

HETERO_EXPORT __bf16 __truncdfbf2(double value) {
  uint64_t bits = narrow(bitCast<uint64_t>(value), kF64, kBF16);
  return bitCast<__bf16>(static_cast<uint16_t>(bits));
}

} // extern "C"

#endif // x86-64 and clang
