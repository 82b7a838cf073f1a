//===- Printf.cpp - printf and assert in kernels --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Blocks/Block.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <cstdio>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

/// Longest text that is read from device memory.
static constexpr size_t kMostText = 4096;

/// Reads a zero-terminated text into `buffer` of kMostText bytes. No object
/// with a destructor may live across it: a bad address leaves the stack.
static void readText(ThreadContext *context, uint64_t address, char *buffer) {
  AccessWindow unused = {};
  size_t size = 0;
  while (size + 1 < kMostText) {
    char c = static_cast<char>(
        *heteroEmuTranslate(context, address + size, 1, 0, 0, &unused));
    if (c == 0)
      break;
    buffer[size++] = c;
  }
  buffer[size] = 0;
}

/// The next argument: packed at multiples of its size.
static uint64_t readArgument(ThreadContext *context, uint64_t &address,
                             uint32_t size) {
  AccessWindow unused = {};
  address = (address + size - 1) / size * size;
  uint64_t value = 0;
  std::memcpy(&value, heteroEmuTranslate(context, address, size, 0, 0, &unused),
              size);
  address += size;
  return value;
}

/// Prints one conversion, "%...c" in `spec`; returns the characters written.
static int printOne(ThreadContext *context, const char *spec, char conversion,
                    bool isLong, uint64_t &arguments, char *out, size_t room) {
  if (std::strchr("aAeEfFgG", conversion)) {
    uint64_t bits = readArgument(context, arguments, 8);
    double number;
    std::memcpy(&number, &bits, 8);
    return std::snprintf(out, room, spec, number);
  }
  if (conversion == 's') {
    char text[kMostText];
    readText(context, readArgument(context, arguments, 8), text);
    return std::snprintf(out, room, spec, text);
  }
  if (conversion == 'p' || isLong) {
    uint64_t number = readArgument(context, arguments, 8);
    if (conversion == 'p')
      return std::snprintf(out, room, "0x%llx", (unsigned long long)number);
    return std::snprintf(out, room, spec, (unsigned long long)number);
  }
  return std::snprintf(out, room, spec,
                       (unsigned)readArgument(context, arguments, 4));
}

int32_t heteroEmuPrintf(ThreadContext *context, uint64_t format,
                        uint64_t arguments) {
  char text[kMostText], line[2 * kMostText];
  readText(context, format, text);
  size_t size = 0;
  int32_t count = 0;
  for (const char *c = text; *c && size + 1 < sizeof line;) {
    if (*c != '%' || c[1] == '%') {
      c += *c == '%';
      line[size++] = *c++;
      continue;
    }
    size_t length = 1 + std::strspn(c + 1, "-+ #0123456789.*");
    size_t modifiers = std::strspn(c + length, "lhjzt");
    bool isLong = modifiers > 0 && c[length] != 'h';
    char conversion = c[length + modifiers];
    // Rewritten with ll where it is 64 bits wide; %n and the like print as is.
    char spec[96];
    if (!conversion || length > 32 ||
        !std::strchr("aAeEfFgGsdiuoxXcp", conversion)) {
      line[size++] = *c++;
      continue;
    }
    bool integer = std::strchr("diuoxX", conversion) != nullptr;
    size_t used = 0;
    for (size_t i = 0; i < length; ++i)
      if (c[i] != '*')
        spec[used++] = c[i];
      else if (used < 48)
        used += std::snprintf(
            spec + used, 16, "%d",
            static_cast<int>(readArgument(context, arguments, 4)));
    std::snprintf(spec + used, sizeof spec - used, "%s%c",
                  isLong && integer ? "ll" : "", conversion);
    int written = printOne(context, spec, conversion, isLong, arguments,
                           line + size, sizeof line - size);
    size = std::min(sizeof line - 1, size + std::max(written, 0));
    c += length + modifiers + 1;
    ++count;
  }
  std::fwrite(line, 1, size, stdout);
  return count;
}

void heteroEmuAssertFail(ThreadContext *context, uint64_t message,
                         uint64_t file, uint32_t line, uint64_t function) {
  char text[kMostText], path[kMostText], what[2 * kMostText + 64];
  readText(context, message, text);
  readText(context, file, path);
  std::snprintf(what, sizeof what, "stops: assertion `%s` of %s:%u failed",
                text, path, line);
  PTXThread &thread = *static_cast<PTXThread *>(context->executor);
  thread.block->report(thread, hetero::cuda::kAssert, what);
  thread.block->leave(thread);
}
