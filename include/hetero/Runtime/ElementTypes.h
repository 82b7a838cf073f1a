//===- ElementTypes.h - What the element types of values are ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of the types that cross entry points, for the runtime and for what
// reads and prints values.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNTIME_ELEMENTTYPES_H
#define HETERO_RUNTIME_ELEMENTTYPES_H

#include "hetero/Runtime/HeteroRuntime.h"

#include <cstdint>

namespace hetero {

/// As HETERO_ELEMENT_TYPES says. The integers come first.
enum class ElementClass { Signless, Signed, Unsigned, Float, Complex };

struct ElementTypeInfo {
  /// HETERO_TYPE_*.
  int32_t number;
  /// As MLIR spells it.
  const char *name;
  int64_t bytes;
  ElementClass kind;
  /// NumPy's type string.
  const char *numpy;
  /// HETERO_TYPE_* of a complex type's parts, else its own.
  int32_t part;
};

/// Indexed by HETERO_TYPE_*.
#define HETERO_ELEMENT_TYPE_INFO(ID, NAME, BYTES, CLASS, NUMPY, PART)          \
  {HETERO_TYPE_##ID,    NAME,  BYTES,                                          \
   ElementClass::CLASS, NUMPY, HETERO_TYPE_##PART},
inline constexpr ElementTypeInfo kElementTypes[] = {
    HETERO_ELEMENT_TYPES(HETERO_ELEMENT_TYPE_INFO)};
#undef HETERO_ELEMENT_TYPE_INFO

inline constexpr int32_t kNumElementTypes =
    sizeof(kElementTypes) / sizeof(kElementTypes[0]);

constexpr bool areElementTypesInOrder() {
  for (int32_t type = 0; type < kNumElementTypes; ++type)
    if (kElementTypes[type].number != type)
      return false;
  return kNumElementTypes == HETERO_TYPE_COMPLEX_F64 + 1;
}
static_assert(areElementTypesInOrder());

/// Null of a number that is no type.
inline const ElementTypeInfo *findElementType(int32_t type) {
  return type >= 0 && type < kNumElementTypes ? &kElementTypes[type] : nullptr;
}

} // namespace hetero

#endif // HETERO_RUNTIME_ELEMENTTYPES_H
