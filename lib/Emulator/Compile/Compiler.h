//===- Compiler.h - From PTX text to host machine code ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// compilePTX parses a PTX module, translates it to LLVM IR and compiles it for
// the host. A compiled kernel is a function that runs one PTX thread; the
// executor calls it once per thread of the grid with a ThreadContext and
// provides the functions of ExecutorCallbacks.h.
//
// How a module is loaded:
//   1. compilePTX;
//   2. allocate device memory for each of globals(), and bindGlobal it;
//   3. copy the `init` of each of globals() to the device (bindGlobal has by
//      then written the addresses of other globals into the initializers);
//   4. launch.
// A CompiledModule is bound to one set of addresses, so that a module that is
// loaded twice, or on two devices, is compiled twice.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_COMPILE_COMPILER_H
#define HETERO_LIB_EMULATOR_COMPILE_COMPILER_H

#include "Emulator/ABI/CompiledCode.h"
#include "Emulator/Translate/CompileOptions.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace hetero::emulator {

struct CompileError {
  enum Kind {
    InvalidPTX,  ///< Malformed PTX or an instruction that is not supported.
    NewerPTX,    ///< Of a version that the driver does not know.
    InvalidImage ///< Well-formed, but for another device.
  } kind;
  std::string message; ///< Names the instruction and the line.
};

/// Compiles PTX text for a device of compute capability major.minor. The text
/// may end in zero bytes. Thread-safe.
std::variant<std::unique_ptr<CompiledModule>, CompileError>
compilePTX(std::string_view ptx, unsigned targetMajor, unsigned targetMinor,
           const CompileOptions &options = {});

/// Translates the text but compiles nothing: what compilePTX would refuse it
/// for.
std::optional<CompileError> checkPTX(std::string_view ptx, unsigned targetMajor,
                                     unsigned targetMinor,
                                     const CompileOptions &options = {});

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_COMPILE_COMPILER_H
