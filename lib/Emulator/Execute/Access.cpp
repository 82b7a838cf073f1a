//===- Access.cpp - What is said of an access that is wrong ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Access.h"

#include <cstdio>

using namespace hetero::emulator;
using namespace hetero;

std::string hetero::emulator::hexadecimal(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", (unsigned long long)number);
  return text;
}

std::string hetero::emulator::describe(const Access &access,
                                       const char *space) {
  return std::string(access.isStore() ? "stores " : "loads ") +
         std::to_string(access.size) + " bytes " +
         (access.isStore() ? "to " : "from ") + space + " address " +
         hexadecimal(access.address) + " (line " + std::to_string(access.line) +
         " of the PTX), ";
}

void hetero::emulator::reportUnwritten(PTXThread &thread, const Access &access,
                                       const char *space,
                                       const std::string &where) {
  thread.block->report(thread, cuda::kLaunchFailed,
                       describe(access, space) + "which nothing has written" +
                           where);
}

bool hetero::emulator::checkShared(PTXThread &thread, uint32_t member,
                                   SharedChecks &checks, const Access &access) {
  Block &block = *thread.block;
  if (block.launch.checksUninitialized && access.reads() &&
      !checks.isWritten(access.address, access.size)) {
    reportUnwritten(thread, access, "shared", "");
    return false;
  }
  if (access.isStore())
    checks.noteWritten(access.address, access.size);
  if (!block.launch.checksShared)
    return true;
  auto conflict = checks.access(member, access.address, access.size,
                                access.kind, access.line);
  if (!conflict)
    return true;
  block.report(thread, cuda::kLaunchFailed,
               describe(access, "shared") + "where " +
                   block.nameOfMember(conflict->thread) +
                   (conflict->isWrite ? " stores" : " loads") + " (line " +
                   std::to_string(conflict->line) +
                   " of the PTX), and nothing orders them; let a barrier lie "
                   "between them");
  return false;
}
