//===- JitOptions.cpp - Options of calls that compile ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Modules/JitOptions.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

void LogBuffer::write(const std::string &message) const {
  size_t length = 0;
  if (text && size > 0) {
    length = std::min(size - 1, message.size());
    std::memcpy(text, message.data(), length);
    text[length] = 0;
  }
  if (written)
    *written = reinterpret_cast<void *>(length);
}

cuda::Result JitOptions::read(unsigned count, const int *options,
                              void **values) {
  enum : int { kWallTime = 2, kInfoLog = 3, kInfoSize = 4, kNumOptions = 35 };
  begin = std::chrono::steady_clock::now();
  if (count > 0 && (!options || !values))
    return cuda::kInvalidValue;
  auto setSize = [](LogBuffer &log, void *&value) {
    log.size = static_cast<unsigned>(reinterpret_cast<uintptr_t>(value));
    log.written = &value;
  };
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] < 0 || options[i] >= kNumOptions)
      return cuda::kInvalidValue;
    if (options[i] == cuda::kJitErrorLogBuffer)
      errors.text = static_cast<char *>(values[i]);
    if (options[i] == cuda::kJitErrorLogBufferSizeBytes)
      setSize(errors, values[i]);
    if (options[i] == kInfoLog)
      infos.text = static_cast<char *>(values[i]);
    if (options[i] == kInfoSize)
      setSize(infos, values[i]);
    if (options[i] == kWallTime)
      milliseconds = &values[i];
  }
  return cuda::kSuccess;
}

void JitOptions::report(const std::string &text) const {
  errors.write(text);
  infos.write("");
  float time = std::chrono::duration<float, std::milli>(
                   std::chrono::steady_clock::now() - begin)
                   .count();
  if (milliseconds)
    std::memcpy(milliseconds, &time, sizeof time);
}
