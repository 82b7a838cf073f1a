//===- CompileOptions.h - What code does besides ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_COMPILEOPTIONS_H
#define HETERO_LIB_EMULATOR_TRANSLATE_COMPILEOPTIONS_H

#include "Emulator/ABI/CompiledCode.h"

#include <cstdint>
#include <string>

namespace hetero::emulator {

struct CompileOptions {
  /// Count in ThreadContext::counters what each thread does. An addition, a
  /// multiplication, a function is one operation, a fused multiply-add is two,
  /// and those of packed types count for each element.
  bool counts = false;
  /// Call the executor for each access to global memory, windows or not.
  bool asks = false;
  /// The same for shared memory.
  bool asksShared = false;
  /// A thread that executes more instructions stops; 0: no thread does.
  uint64_t limit = 0;
  /// A folder that keeps compiled code, or nothing.
  std::string cache;
  /// Calls add(name, function) for each function of WarpCallbacks.h; without
  /// them there are no functions of warps.
  void (*warpCallbacks)(AddFunction add, void *state) = nullptr;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_TRANSLATE_COMPILEOPTIONS_H
