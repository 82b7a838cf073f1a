//===- ElementType.cpp - Element types and their conversions --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/HostValue.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace hetero;

namespace {
struct TypeInfo {
  const char *name;
  int64_t bytes;
  bool isFloat;
};
} // namespace

/// Indexed by HETERO_TYPE_*.
static const TypeInfo typeInfos[] = {
    {"i1", 1, false},  {"i8", 1, false},   {"i16", 2, false}, {"i32", 4, false},
    {"i64", 8, false}, {"f16", 2, true},   {"bf16", 2, true}, {"f32", 4, true},
    {"f64", 8, true},  {"index", 8, false}};
static const int32_t numTypes = sizeof(typeInfos) / sizeof(typeInfos[0]);

int64_t runner::elementBytes(int32_t type) {
  return type >= 0 && type < numTypes ? typeInfos[type].bytes : 0;
}

const char *runner::elementTypeName(int32_t type) {
  return type >= 0 && type < numTypes ? typeInfos[type].name : nullptr;
}

int32_t runner::parseElementType(std::string_view name) {
  for (int32_t type = 0; type < numTypes; ++type)
    if (name == typeInfos[type].name)
      return type;
  return -1;
}

bool runner::isFloat(int32_t type) {
  return type >= 0 && type < numTypes && typeInfos[type].isFloat;
}

template <typename T> static T loadAs(const uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T> static void storeAs(uint8_t *to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

/// Decodes a float of `exponentBits` and `fractionBits`.
static double decodeSmallFloat(uint16_t bits, int exponentBits,
                               int fractionBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = (bits >> fractionBits) & ((1 << exponentBits) - 1);
  int fraction = bits & ((1 << fractionBits) - 1);
  double sign = bits >> 15 ? -1.0 : 1.0;
  if (exponent == (1 << exponentBits) - 1)
    return fraction
               ? std::copysign(std::numeric_limits<double>::quiet_NaN(), sign)
               : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0)
    return sign * std::ldexp(fraction, 1 - bias - fractionBits);
  return sign * std::ldexp(fraction + (1 << fractionBits),
                           exponent - bias - fractionBits);
}

/// Encodes with rounding to nearest even, straight from the double: going
/// through float first would round twice.
static uint16_t encodeSmallFloat(double number, int exponentBits,
                                 int fractionBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  uint16_t infinity = ((1 << exponentBits) - 1) << fractionBits;
  if (std::isnan(number))
    return sign | infinity | (1 << (fractionBits - 1));
  number = std::fabs(number);
  if (number == 0)
    return sign;
  int exponent = std::isinf(number) ? bias + 2 : std::ilogb(number);
  if (exponent > bias)
    return sign | infinity;
  int scale = std::max(exponent, 1 - bias) - fractionBits;
  // A fraction that rounds up carries into the exponent field by itself.
  uint16_t units = std::nearbyint(std::ldexp(number, -scale));
  int biased = exponent < 1 - bias ? 0 : exponent + bias - 1;
  return sign | ((biased << fractionBits) + units);
}

double runner::loadDouble(int32_t type, const uint8_t *element) {
  switch (type) {
  case HETERO_TYPE_F16:
    return decodeSmallFloat(loadAs<uint16_t>(element), 5, 10);
  case HETERO_TYPE_BF16:
    return decodeSmallFloat(loadAs<uint16_t>(element), 8, 7);
  case HETERO_TYPE_F32:
    return loadAs<float>(element);
  case HETERO_TYPE_F64:
    return loadAs<double>(element);
  default:
    return static_cast<double>(loadInteger(type, element));
  }
}

int64_t runner::loadInteger(int32_t type, const uint8_t *element) {
  switch (elementBytes(type)) {
  case 1:
    return type == HETERO_TYPE_I1 ? *element : loadAs<int8_t>(element);
  case 2:
    return loadAs<int16_t>(element);
  case 4:
    return loadAs<int32_t>(element);
  default:
    return loadAs<int64_t>(element);
  }
}

void runner::storeDouble(int32_t type, uint8_t *element, double number) {
  switch (type) {
  case HETERO_TYPE_F16:
    return storeAs<uint16_t>(element, encodeSmallFloat(number, 5, 10));
  case HETERO_TYPE_BF16:
    return storeAs<uint16_t>(element, encodeSmallFloat(number, 8, 7));
  case HETERO_TYPE_F32:
    return storeAs<float>(element, static_cast<float>(number));
  case HETERO_TYPE_F64:
    return storeAs<double>(element, number);
  case HETERO_TYPE_I1:
    return storeAs<uint8_t>(element, number != 0);
  case HETERO_TYPE_I8:
    return storeAs<int8_t>(element, static_cast<int8_t>(number));
  case HETERO_TYPE_I16:
    return storeAs<int16_t>(element, static_cast<int16_t>(number));
  case HETERO_TYPE_I32:
    return storeAs<int32_t>(element, static_cast<int32_t>(number));
  default:
    return storeAs<int64_t>(element, static_cast<int64_t>(number));
  }
}
