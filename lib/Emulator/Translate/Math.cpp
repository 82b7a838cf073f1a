//===- Math.cpp - Arithmetic that compiled PTX calls ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Math.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace hetero::emulator::ptx;

//===----------------------------------------------------------------------===//
// Directed rounding by the host's control word
//===----------------------------------------------------------------------===//

static int hostMode(uint32_t rounding) {
  switch (static_cast<Rounding>(rounding)) {
  case Rounding::Zero:
    return FE_TOWARDZERO;
  case Rounding::Down:
    return FE_DOWNWARD;
  case Rounding::Up:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

namespace {
/// Sets the rounding of the host while it lives.
class HostRounding {
public:
  explicit HostRounding(uint32_t rounding) : old(std::fegetround()) {
    std::fesetround(hostMode(rounding));
  }
  ~HostRounding() { std::fesetround(old); }

private:
  int old;
};
} // namespace

/// `volatile` keeps the operation between the changes of the control word.
template <typename T>
static T compute(uint32_t operation, uint32_t rounding, T x, T y, T z) {
  volatile T a = x, b = y, c = z, result = 0;
  HostRounding guard(rounding);
  switch (static_cast<Arithmetic>(operation)) {
  case Arithmetic::Add:
    result = a + b;
    break;
  case Arithmetic::Sub:
    result = a - b;
    break;
  case Arithmetic::Mul:
    result = a * b;
    break;
  case Arithmetic::Fma:
    result = std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
    break;
  case Arithmetic::Div:
    result = a / b;
    break;
  case Arithmetic::Sqrt:
    result = std::sqrt(static_cast<T>(a));
    break;
  }
  return result;
}

float heteroPtxArithmetic32(uint32_t operation, uint32_t rounding, float x,
                            float y, float z) {
  return compute(operation, rounding, x, y, z);
}

double heteroPtxArithmetic64(uint32_t operation, uint32_t rounding, double x,
                             double y, double z) {
  return compute(operation, rounding, x, y, z);
}

double heteroPtxFromSigned(int64_t x, uint32_t rounding) {
  HostRounding guard(rounding);
  // A long double holds every 64-bit integer.
  volatile long double exact = x;
  volatile double result = exact;
  return result;
}

double heteroPtxFromUnsigned(uint64_t x, uint32_t rounding) {
  HostRounding guard(rounding);
  volatile long double exact = x;
  volatile double result = exact;
  return result;
}

//===----------------------------------------------------------------------===//
// Rounding to odd
//===----------------------------------------------------------------------===//

static uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t bitsOf(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// `x` is a number next to one whose magnitude is larger or smaller: the odd
/// one of the two that enclose it.
template <typename T> static T toOdd(T x, bool isLarger) {
  auto bits = bitsOf(x);
  if ((bits & 1) == 0)
    bits += isLarger ? 1 : -1;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

static float toOddSingle(double x) {
  float result = static_cast<float>(x);
  if (std::isnan(x) || result == x)
    return result;
  return toOdd(result, std::fabs(x) > std::fabs(static_cast<double>(result)));
}

float heteroPtxFmaToOdd(float x, float y, float z) {
  double product = static_cast<double>(x) * y, addend = z;
  double sum = product + addend;
  // What the addition has lost (Knuth's two-sum); the product is exact.
  double part = sum - product;
  double error = (product - (sum - part)) + (addend - part);
  if (std::isfinite(sum) && error != 0)
    sum = toOdd(sum, (error > 0) == (sum > 0));
  return toOddSingle(sum);
}

double heteroPtxUnsignedToOdd(uint64_t x) {
  unsigned shift = 0;
  while (x >> shift >> 53)
    ++shift;
  uint64_t top = x >> shift;
  bool inexact = (top << shift) != x;
  return std::ldexp(static_cast<double>(top | inexact), shift);
}

double heteroPtxSignedToOdd(int64_t x) {
  uint64_t magnitude = x < 0 ? 0 - static_cast<uint64_t>(x) : x;
  double result = heteroPtxUnsignedToOdd(magnitude);
  return x < 0 ? -result : result;
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

namespace {
/// Significant bits, and the exponents of the least and greatest normal number.
struct FormatTraits {
  int precision, least, greatest;
};
} // namespace

static FormatTraits traitsOf(uint32_t format) {
  switch (static_cast<Format>(format)) {
  case Format::F16:
    return {11, -14, 15};
  case Format::BF16:
    return {8, -126, 127};
  case Format::TF32:
    return {11, -126, 127};
  default:
    return {24, -126, 127};
  }
}

static double toInteger(double x, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(x);
  case Rounding::Down:
    return std::floor(x);
  case Rounding::Up:
    return std::ceil(x);
  case Rounding::NearestAway:
    return std::round(x);
  default:
    return std::nearbyint(x);
  }
}

double heteroPtxRound(double x, uint32_t rounding, uint32_t format) {
  if (!std::isfinite(x) || x == 0)
    return x;
  auto mode = static_cast<Rounding>(rounding);
  FormatTraits traits = traitsOf(format);
  int unit = std::max(std::ilogb(x), traits.least) - (traits.precision - 1);
  double result = std::ldexp(toInteger(std::ldexp(x, -unit), mode), unit);
  if (std::fabs(result) >= std::ldexp(1.0, traits.greatest + 1)) {
    bool stays = mode == Rounding::Zero ||
                 mode == (x > 0 ? Rounding::Down : Rounding::Up);
    double most =
        std::ldexp(2 - std::ldexp(1.0, 1 - traits.precision), traits.greatest);
    result = stays ? most : std::numeric_limits<double>::infinity();
  }
  return std::copysign(result, x);
}

namespace {
/// What bits mean in a format. `most` is the code of the largest number.
struct SmallTraits {
  int exponentBits, mantissaBits, bias;
  uint32_t most, ofNaN;
};
} // namespace

static SmallTraits smallTraitsOf(uint32_t format) {
  switch (static_cast<SmallFormat>(format)) {
  case SmallFormat::E4M3:
    return {4, 3, 7, 0x7e, 0x7f};
  case SmallFormat::E5M2:
    return {5, 2, 15, 0x7b, 0x7f};
  case SmallFormat::E2M1:
    return {2, 1, 1, 0x7, 0x7};
  case SmallFormat::E2M3:
    return {2, 3, 1, 0x1f, 0x1f};
  default: // E3M2
    return {3, 2, 3, 0x1f, 0x1f};
  }
}

/// The exponent of the power of two next to |x|, or NaN.
static uint32_t toExponent(float x, uint32_t flags) {
  constexpr uint32_t kNaN = 0xff, kMost = 0xfe;
  float magnitude = std::fabs(x);
  if (std::isnan(x))
    return kNaN;
  uint32_t bits = bitsOf(magnitude), code = bits >> 23;
  bool isExact = (bits & 0x7fffff) == 0;
  if (flags & kSmallUp && !isExact && magnitude > 0x1p-127f)
    ++code;
  return flags & kSmallFinite ? std::min(code, kMost) : code;
}

uint32_t heteroPtxToSmall(float x, uint32_t format, uint32_t flags) {
  if (format == static_cast<uint32_t>(SmallFormat::UE8M0))
    return toExponent(x, flags);
  SmallTraits traits = smallTraitsOf(format);
  if (std::isnan(x))
    return traits.ofNaN;
  bool isNegative = std::signbit(x);
  if (isNegative && flags & kSmallRelu)
    return 0;
  uint32_t sign = uint32_t(isNegative)
                  << (traits.exponentBits + traits.mantissaBits);
  if (std::isinf(x))
    return sign | traits.most;
  // Below the least exponent the mantissa has no leading one.
  double magnitude = std::fabs(x);
  int least = 1 - traits.bias;
  int exponent = magnitude > 0 ? std::max(std::ilogb(magnitude), least) : least;
  auto mantissa = static_cast<uint64_t>(
      std::nearbyint(std::ldexp(magnitude, traits.mantissaBits - exponent)));
  uint64_t code =
      mantissa + (uint64_t(exponent - least) << traits.mantissaBits);
  return sign | static_cast<uint32_t>(std::min<uint64_t>(code, traits.most));
}

float heteroPtxFromSmall(uint32_t bits, uint32_t format) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  if (format == static_cast<uint32_t>(SmallFormat::UE8M0))
    return bits == 0xff ? kNaN : std::ldexp(1.0f, static_cast<int>(bits) - 127);
  SmallTraits traits = smallTraitsOf(format);
  int width = traits.exponentBits + traits.mantissaBits;
  uint32_t magnitude = bits & ((1u << width) - 1);
  float sign = bits >> width & 1 ? -1.0f : 1.0f;
  if (magnitude > traits.most) // E5M2 has infinity, and several NaN.
    return magnitude == traits.most + 1 && traits.ofNaN != magnitude
               ? sign * std::numeric_limits<float>::infinity()
               : kNaN;
  int exponent = static_cast<int>(magnitude >> traits.mantissaBits);
  uint32_t mantissa = magnitude & ((1u << traits.mantissaBits) - 1);
  if (exponent > 0)
    mantissa |= 1u << traits.mantissaBits;
  return sign *
         std::ldexp(static_cast<float>(mantissa),
                    std::max(exponent, 1) - traits.bias - traits.mantissaBits);
}

uint32_t heteroPtxFindSet(uint32_t mask, uint32_t base, int32_t offset) {
  int64_t step = offset < 0 ? -1 : 1;
  int64_t wanted = std::max<int64_t>(std::abs(static_cast<int64_t>(offset)), 1);
  for (int64_t place = base; place >= 0 && place < 32; place += step) {
    if (mask >> place & 1 && --wanted == 0)
      return static_cast<uint32_t>(place);
    if (offset == 0)
      break;
  }
  return ~0u;
}

void hetero::emulator::ptx::forEachMathFunction(
    const std::function<void(const char *, void *)> &add) {
#define HETERO_ADD(name) add(#name, reinterpret_cast<void *>(&name))
  HETERO_ADD(heteroPtxArithmetic32);
  HETERO_ADD(heteroPtxArithmetic64);
  HETERO_ADD(heteroPtxFmaToOdd);
  HETERO_ADD(heteroPtxRound);
  HETERO_ADD(heteroPtxToSmall);
  HETERO_ADD(heteroPtxFromSmall);
  HETERO_ADD(heteroPtxFindSet);
  HETERO_ADD(heteroPtxFromSigned);
  HETERO_ADD(heteroPtxFromUnsigned);
  HETERO_ADD(heteroPtxSignedToOdd);
  HETERO_ADD(heteroPtxUnsignedToOdd);
#undef HETERO_ADD
}
