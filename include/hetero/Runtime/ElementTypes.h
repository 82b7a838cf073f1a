//===- ElementTypes.h - What the element types of values are ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of the types that cross entry points, for the runtime and for
// what reads and prints values.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNTIME_ELEMENTTYPES_H
#define HETERO_RUNTIME_ELEMENTTYPES_H

#include "hetero/Runtime/HeteroRuntime.h"

#include <cstdint>

namespace hetero {

enum class ElementClass {
  /// Integers whose sign is a matter of the operations on them.
  Signless,
  Signed,
  Unsigned,
  Float,
  /// Two floats, the real part first.
  Complex
};

struct ElementTypeInfo {
  /// As MLIR spells it.
  const char *name;
  int64_t bytes;
  ElementClass kind;
  /// NumPy's type string. NumPy has no bf16, f8 or complex<f16>: they are void
  /// of their size, which is what ml_dtypes writes.
  const char *numpy;
  /// HETERO_TYPE_* of a complex type's parts.
  int32_t part = -1;
};

/// Indexed by HETERO_TYPE_*.
inline constexpr ElementTypeInfo kElementTypes[] = {
    {"i1", 1, ElementClass::Signless, "|b1"},
    {"i8", 1, ElementClass::Signless, "|i1"},
    {"i16", 2, ElementClass::Signless, "<i2"},
    {"i32", 4, ElementClass::Signless, "<i4"},
    {"i64", 8, ElementClass::Signless, "<i8"},
    {"f16", 2, ElementClass::Float, "<f2"},
    {"bf16", 2, ElementClass::Float, "<V2"},
    {"f32", 4, ElementClass::Float, "<f4"},
    {"f64", 8, ElementClass::Float, "<f8"},
    {"index", 8, ElementClass::Signless, "<i8"},
    {"si8", 1, ElementClass::Signed, "|i1"},
    {"si16", 2, ElementClass::Signed, "<i2"},
    {"si32", 4, ElementClass::Signed, "<i4"},
    {"si64", 8, ElementClass::Signed, "<i8"},
    {"ui8", 1, ElementClass::Unsigned, "|u1"},
    {"ui16", 2, ElementClass::Unsigned, "<u2"},
    {"ui32", 4, ElementClass::Unsigned, "<u4"},
    {"ui64", 8, ElementClass::Unsigned, "<u8"},
    {"f8E4M3FN", 1, ElementClass::Float, "<V1"},
    {"f8E5M2", 1, ElementClass::Float, "<V1"},
    {"complex<f16>", 4, ElementClass::Complex, "<V4", HETERO_TYPE_F16},
    {"complex<f32>", 8, ElementClass::Complex, "<c8", HETERO_TYPE_F32},
    {"complex<f64>", 16, ElementClass::Complex, "<c16", HETERO_TYPE_F64}};

inline constexpr int32_t kNumElementTypes =
    sizeof(kElementTypes) / sizeof(kElementTypes[0]);
static_assert(kNumElementTypes == HETERO_TYPE_COMPLEX_F64 + 1);

/// Null of a number that is no type.
inline const ElementTypeInfo *findElementType(int32_t type) {
  return type >= 0 && type < kNumElementTypes ? &kElementTypes[type] : nullptr;
}

} // namespace hetero

#endif // HETERO_RUNTIME_ELEMENTTYPES_H
