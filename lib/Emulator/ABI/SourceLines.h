//===- SourceLines.h - Where PTX comes from ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_ABI_SOURCELINES_H
#define HETERO_LIB_EMULATOR_ABI_SOURCELINES_H

#include <cstdint>
#include <map>
#include <string>

namespace hetero::emulator {

/// What .file and .loc of a module say.
class SourceLines {
public:
  void addFile(uint64_t number, std::string path) {
    files[number] = std::move(path);
  }
  /// From this line of the PTX on.
  void addLine(uint32_t ofPTX, uint64_t file, uint64_t line) {
    lines[ofPTX] = {file, line};
  }
  /// No line is known from there on: a function begins.
  void addEnd(uint32_t ofPTX) { lines[ofPTX] = {0, 0}; }

  /// Adds the source to each "(line 12 of the PTX)" of a message:
  /// "(line 12 of the PTX, sum.cu:7)".
  std::string annotate(const std::string &message) const;

private:
  struct Line {
    uint64_t file, line;
  };
  std::map<uint64_t, std::string> files;
  std::map<uint32_t, Line> lines;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_ABI_SOURCELINES_H
