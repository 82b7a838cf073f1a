//===- ElementType.h - Element types and conversions ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNNER_ELEMENTTYPE_H
#define HETERO_LIB_RUNNER_ELEMENTTYPE_H

#include <cstdint>
#include <string_view>

namespace hetero {
namespace runner {

/// Bytes of one element.
int64_t elementBytes(int32_t type);

/// "f32", "i1", ...; nullptr when `type` is none of HETERO_TYPE_*.
const char *elementTypeName(int32_t type);

/// The HETERO_TYPE_* of a name, or -1.
int32_t parseElementType(std::string_view name);

/// One element as a double, or as an integer for the integer types (those of an
/// unsigned type are to be taken as unsigned). Of a complex element: one part.
double loadDouble(int32_t type, const uint8_t *element);
int64_t loadInteger(int32_t type, const uint8_t *element);

/// Rounds to the type (nearest, ties to even) and stores.
void storeDouble(int32_t type, uint8_t *element, double number);

bool isFloat(int32_t type);
bool isUnsigned(int32_t type);
bool isComplex(int32_t type);

/// The type of the parts of a complex type; of others the type itself.
int32_t partType(int32_t type);

} // namespace runner
} // namespace hetero

#endif // HETERO_LIB_RUNNER_ELEMENTTYPE_H
