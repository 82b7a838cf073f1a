//===- Signatures.cpp - Values and what is wanted -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signatures.h"

#include "ElementType.h"
#include "hetero/Runtime/ElementTypes.h"

#include <algorithm>

using namespace hetero;
using namespace hetero::runner;

std::string runner::signatureText(const HeteroSignatureValue &value) {
  std::string text;
  for (int32_t i = 0; i < value.rank; ++i)
    text +=
        (value.sizes[i] == HETERO_DYNAMIC ? std::string("?")
                                          : std::to_string(value.sizes[i])) +
        "x";
  text += elementTypeName(value.type);
  return value.rank == HETERO_SCALAR ? text : "tensor<" + text + ">";
}

/// True if elements of one type are those of the other, bit by bit: integers
/// where one has no sign of its own, and what a file left open.
static bool isSameElement(const HostValue &value, int32_t wanted) {
  const ElementTypeInfo &got = kElementTypes[value.type];
  const ElementTypeInfo &want = kElementTypes[wanted];
  if (value.type == wanted)
    return true;
  if (got.bytes != want.bytes || value.type == HETERO_TYPE_I1 ||
      wanted == HETERO_TYPE_I1)
    return false;
  bool areIntegers = std::max(got.kind, want.kind) <= ElementClass::Unsigned;
  if (areIntegers)
    return got.kind == ElementClass::Signless ||
           want.kind == ElementClass::Signless;
  return value.isRaw && want.numpy[1] == 'V';
}

bool runner::fitValue(HostValue &value, const HeteroSignatureValue &wanted) {
  if (value.sizes.empty() && wanted.rank <= 0)
    value.scalar = wanted.rank == HETERO_SCALAR;
  if (isSameElement(value, wanted.type))
    value.type = wanted.type;
  int32_t rank =
      value.scalar ? HETERO_SCALAR : static_cast<int32_t>(value.sizes.size());
  if (value.type != wanted.type || rank != wanted.rank)
    return false;
  for (int32_t i = 0; i < rank; ++i)
    if (wanted.sizes[i] != HETERO_DYNAMIC && wanted.sizes[i] != value.sizes[i])
      return false;
  return true;
}
