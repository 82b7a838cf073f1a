//===- Linker.h - Makes one PTX module of several ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_LINKER_H
#define HETERO_LIB_EMULATOR_PTX_LINKER_H

#include <string>
#include <vector>

namespace hetero::emulator {

/// Why a text is no PTX module, or an empty string.
std::string checkImage(const std::string &image);

/// A module with all that the images have, each of which checkImage takes. What
/// one declares as .extern is what another one defines; names that are not
/// visible stay apart; of weak definitions there is the first.
std::string linkImages(const std::vector<std::string> &images);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_PTX_LINKER_H
