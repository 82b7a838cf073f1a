//===- AST.cpp - What the tree of a module says of itself -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/AST.h"

using namespace hetero::emulator::ptx;

std::string Instruction::text() const {
  std::string result(opcode);
  for (Name modifier : modifiers)
    result.append(".").append(modifier);
  return result;
}

bool hetero::emulator::ptx::parseScalarType(std::string_view text,
                                            ScalarType &type) {
  struct Entry {
    std::string_view name;
    ScalarType type;
  };
  using K = ScalarType;
  static const Entry entries[] = {
      {"pred", {K::Pred, 1, 1}},     {"b8", {K::Bits, 8, 1}},
      {"b16", {K::Bits, 16, 1}},     {"b32", {K::Bits, 32, 1}},
      {"b64", {K::Bits, 64, 1}},     {"b128", {K::Bits, 128, 1}},
      {"u8", {K::Unsigned, 8, 1}},   {"u16", {K::Unsigned, 16, 1}},
      {"u32", {K::Unsigned, 32, 1}}, {"u64", {K::Unsigned, 64, 1}},
      {"s8", {K::Signed, 8, 1}},     {"s16", {K::Signed, 16, 1}},
      {"s32", {K::Signed, 32, 1}},   {"s64", {K::Signed, 64, 1}},
      {"f16", {K::Float, 16, 1}},    {"f32", {K::Float, 32, 1}},
      {"f64", {K::Float, 64, 1}},    {"f16x2", {K::Float, 16, 2}},
      {"bf16", {K::BFloat, 16, 1}},  {"bf16x2", {K::BFloat, 16, 2}},
      {"tf32", {K::TFloat, 32, 1}},  {"u16x2", {K::Unsigned, 16, 2}},
      {"s16x2", {K::Signed, 16, 2}}, {"f32x2", {K::Float, 32, 2}}};
  for (const Entry &entry : entries) {
    if (entry.name != text)
      continue;
    type = entry.type;
    return true;
  }
  return false;
}

std::string hetero::emulator::ptx::toString(ScalarType type) {
  static const char *const letters[] = {"pred", "b", "u", "s", "f", "bf", "tf"};
  std::string text = letters[type.kind];
  if (type.kind != ScalarType::Pred)
    text += std::to_string(type.bits);
  return type.elements == 2 ? text + "x2" : text;
}
