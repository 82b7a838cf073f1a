//===- ElementType.cpp - Names and sizes of element types -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/ElementType.h"

#include "hetero/Runtime/ElementTypes.h"

using namespace hetero;

std::string hetero::runtime::nameType(int32_t type) {
  const ElementTypeInfo *info = findElementType(type);
  return info ? info->name : "<unknown type " + std::to_string(type) + ">";
}

int64_t hetero::runtime::getElementBytes(int32_t type) {
  const ElementTypeInfo *info = findElementType(type);
  return info ? info->bytes : 0;
}
