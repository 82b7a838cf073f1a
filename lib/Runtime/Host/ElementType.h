//===- ElementType.h - Names and sizes of element types ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_HOST_ELEMENTTYPE_H
#define HETERO_LIB_RUNTIME_HOST_ELEMENTTYPE_H

#include <cstdint>
#include <string>

namespace hetero::runtime {

/// "f32" of HETERO_TYPE_F32; a text that says so of a number that is no type.
std::string nameType(int32_t type);

/// Bytes of one element; 0 of a number that is no type.
int64_t getElementBytes(int32_t type);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_ELEMENTTYPE_H
