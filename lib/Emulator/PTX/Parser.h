//===- Parser.h - A recursive-descent parser of PTX -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_PARSER_H
#define HETERO_LIB_EMULATOR_PTX_PARSER_H

#include "Emulator/PTX/AST.h"

#include <string_view>

namespace hetero::emulator::ptx {

/// Parses a module. Throws PTXError. The result refers to the text.
Module parseModule(std::string_view text);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_PARSER_H
