//===- ElementType.cpp - Element types and their conversions --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementType.h"

#include "hetero/Runtime/ElementTypes.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace hetero;

int64_t runner::elementBytes(int32_t type) {
  const ElementTypeInfo *info = findElementType(type);
  return info ? info->bytes : 0;
}

const char *runner::elementTypeName(int32_t type) {
  const ElementTypeInfo *info = findElementType(type);
  return info ? info->name : nullptr;
}

int32_t runner::parseElementType(std::string_view name) {
  for (int32_t type = 0; type < kNumElementTypes; ++type)
    if (name == kElementTypes[type].name)
      return type;
  return -1;
}

static bool isKind(int32_t type, ElementClass kind) {
  const ElementTypeInfo *info = findElementType(type);
  return info && info->kind == kind;
}

bool runner::isFloat(int32_t type) { return isKind(type, ElementClass::Float); }

bool runner::isUnsigned(int32_t type) {
  return type == HETERO_TYPE_I1 || isKind(type, ElementClass::Unsigned);
}

bool runner::isComplex(int32_t type) {
  return isKind(type, ElementClass::Complex);
}

int32_t runner::partType(int32_t type) {
  const ElementTypeInfo *info = findElementType(type);
  return info ? info->part : type;
}

template <typename T> static T loadAs(const uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T> static void storeAs(uint8_t *to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

namespace {
/// A float that has no C++ type.
struct SmallFormat {
  int exponentBits, fractionBits;
  /// Without infinities: what would be the first is a number, and the largest
  /// pattern is not a number.
  bool isFinite = false;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint16_t signBit() const { return 1 << (exponentBits + fractionBits); }
  uint16_t quietNaN() const {
    return isFinite ? signBit() - 1 : infinity() | (1 << (fractionBits - 1));
  }
  uint16_t infinity() const {
    return ((1 << exponentBits) - 1) << fractionBits;
  }
  /// What numbers that are too large become.
  uint16_t overflow() const { return isFinite ? quietNaN() : infinity(); }
};
} // namespace

/// The format of a type; none of the others.
static const SmallFormat *findSmallFormat(int32_t type) {
  static const SmallFormat f16{5, 10}, bf16{8, 7}, e4m3fn{4, 3, true},
      e5m2{5, 2};
  switch (type) {
  case HETERO_TYPE_F16:
    return &f16;
  case HETERO_TYPE_BF16:
    return &bf16;
  case HETERO_TYPE_F8E4M3FN:
    return &e4m3fn;
  case HETERO_TYPE_F8E5M2:
    return &e5m2;
  default:
    return nullptr;
  }
}

static double decodeSmallFloat(uint16_t bits, const SmallFormat &format) {
  int exponent = (bits & (format.signBit() - 1)) >> format.fractionBits;
  int fraction = bits & ((1 << format.fractionBits) - 1);
  double sign = bits & format.signBit() ? -1.0 : 1.0;
  uint16_t magnitude = bits & (format.signBit() - 1);
  if (!format.isFinite && magnitude == format.infinity())
    return sign * std::numeric_limits<double>::infinity();
  if (format.isFinite ? magnitude == format.quietNaN()
                      : magnitude > format.infinity())
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  int least = 1 - format.bias() - format.fractionBits;
  if (exponent == 0)
    return sign * std::ldexp(fraction, least);
  return sign * std::ldexp(fraction + (1 << format.fractionBits),
                           exponent - 1 + least);
}

/// Encodes with rounding to nearest even, straight from the double: going
/// through float first would round twice.
static uint16_t encodeSmallFloat(double number, const SmallFormat &format) {
  uint16_t sign = std::signbit(number) ? format.signBit() : 0;
  if (std::isnan(number))
    return sign | format.quietNaN();
  number = std::fabs(number);
  if (number == 0)
    return sign;
  int bias = format.bias();
  int exponent = std::isinf(number) ? bias + 2 : std::ilogb(number);
  if (exponent > bias + 1)
    return sign | format.overflow();
  int scale = std::max(exponent, 1 - bias) - format.fractionBits;
  // A fraction that rounds up carries into the exponent field by itself.
  int units = static_cast<int>(std::nearbyint(std::ldexp(number, -scale)));
  int biased = exponent < 1 - bias ? 0 : exponent + bias - 1;
  int encoded = (biased << format.fractionBits) + units;
  return sign | (encoded >= format.overflow() ? format.overflow()
                                              : static_cast<uint16_t>(encoded));
}

double runner::loadDouble(int32_t type, const uint8_t *element) {
  if (const SmallFormat *format = findSmallFormat(type))
    return decodeSmallFloat(elementBytes(type) == 1 ? *element
                                                    : loadAs<uint16_t>(element),
                            *format);
  if (type == HETERO_TYPE_F32)
    return loadAs<float>(element);
  if (type == HETERO_TYPE_F64)
    return loadAs<double>(element);
  int64_t number = loadInteger(type, element);
  return isUnsigned(type) ? static_cast<double>(static_cast<uint64_t>(number))
                          : static_cast<double>(number);
}

int64_t runner::loadInteger(int32_t type, const uint8_t *element) {
  bool zeroExtends = isUnsigned(type);
  switch (elementBytes(type)) {
  case 1:
    return zeroExtends ? *element : loadAs<int8_t>(element);
  case 2:
    return zeroExtends ? loadAs<uint16_t>(element) : loadAs<int16_t>(element);
  case 4:
    return zeroExtends ? static_cast<int64_t>(loadAs<uint32_t>(element))
                       : loadAs<int32_t>(element);
  default:
    return loadAs<int64_t>(element);
  }
}

void runner::storeDouble(int32_t type, uint8_t *element, double number) {
  int64_t bytes = elementBytes(type);
  if (const SmallFormat *format = findSmallFormat(type)) {
    uint16_t bits = encodeSmallFloat(number, *format);
    std::memcpy(element, &bits, bytes);
  } else if (type == HETERO_TYPE_F32) {
    storeAs<float>(element, static_cast<float>(number));
  } else if (type == HETERO_TYPE_F64) {
    storeAs<double>(element, number);
  } else if (type == HETERO_TYPE_I1) {
    *element = number != 0;
  } else if (type == HETERO_TYPE_UI64) {
    storeAs<uint64_t>(element, static_cast<uint64_t>(number));
  } else {
    // The low bytes are what is left of a number that is too large.
    auto whole = static_cast<int64_t>(number);
    std::memcpy(element, &whole, bytes);
  }
}
