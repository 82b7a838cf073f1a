//===- PTXFuzzer.cpp - Feeds texts to the PTX compiler --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text is translated or refused: the parser and the translator neither
// crash nor make IR that LLVM's verifier refuses.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Compile/Compiler.h"

#include <cstdio>
#include <cstdlib>

using namespace hetero::emulator;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  CompileOptions options;
  options.counts = size % 2 != 0;
  auto error = checkPTX(text, 9, 0, options);
  // Errors of the translator name a line; those of the verifier do not.
  if (error && error->kind == CompileError::InvalidPTX &&
      error->message.compare(0, 5, "line ") != 0) {
    std::fprintf(stderr, "%s\n", error->message.c_str());
    std::abort();
  }
  return 0;
}
