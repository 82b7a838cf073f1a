//===- SourceLines.cpp - Where PTX comes from -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/ABI/SourceLines.h"

#include <cstdlib>
#include <iterator>

using namespace hetero::emulator;

std::string SourceLines::annotate(const std::string &message) const {
  static const std::string kBefore = "(line ", kAfter = " of the PTX";
  std::string result;
  size_t at = 0;
  while (true) {
    size_t begin = message.find(kBefore, at);
    size_t end =
        begin == std::string::npos ? begin : message.find(kAfter, begin);
    if (end == std::string::npos)
      return result + message.substr(at);
    size_t next = end + kAfter.size();
    result += message.substr(at, next - at);
    at = next;
    auto number = static_cast<uint32_t>(
        std::strtoul(message.c_str() + begin + kBefore.size(), nullptr, 10));
    auto line = lines.upper_bound(number);
    if (line == lines.begin())
      continue;
    --line;
    auto file = files.find(line->second.file);
    if (file != files.end())
      result += ", " + file->second + ":" + std::to_string(line->second.line);
  }
}
