//===- Access.h - Accesses to memory that are checked -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_ACCESS_H
#define HETERO_LIB_EMULATOR_EXECUTE_ACCESS_H

#include "Emulator/Execute/Blocks/Block.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <string>

namespace hetero::emulator {

/// An access that compiled code, or what it has begun, asks about.
struct Access {
  uint64_t address;
  uint32_t size;
  uint32_t kind; ///< An AccessKind.
  uint32_t line;

  bool isStore() const { return kind & kWrites; }
  bool reads() const { return !isStore() || kind & kReadsToo; }
};

/// "0x800000000".
std::string hexadecimal(uint64_t number);

/// "loads 4 bytes from global address 0x800000000 (line 12 of the PTX), ".
std::string describe(const Access &access, const char *space);

// The functions that report leave no string, so that their caller can
// leave the thread's stack.

/// Reports a read of memory that nothing has written; `where` goes on.
void reportUnwritten(PTXThread &thread, const Access &access, const char *space,
                     const std::string &where);

/// What is right about the address may be wrong about the access of a thread,
/// or of an agent for it, to shared memory: it is reported, and false.
bool checkShared(PTXThread &thread, uint32_t member, SharedChecks &checks,
                 const Access &access);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_ACCESS_H
