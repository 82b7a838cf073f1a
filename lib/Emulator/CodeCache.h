//===- CodeCache.h - Compiled code on the disk ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Object files by what they were made from. A file that cannot be read, or
// whose bytes are not those that were written, is as good as none, and is
// replaced.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_CODECACHE_H
#define HETERO_LIB_EMULATOR_CODECACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace hetero::emulator::ptx {

class CodeCache {
public:
  /// Of a folder, which need not exist; without one nothing is kept.
  explicit CodeCache(std::string folder) : folder(std::move(folder)) {}

  /// A name for the code that this build of the emulator makes from the texts
  /// for a machine.
  static std::string keyOf(llvm::ArrayRef<llvm::StringRef> texts);

  std::unique_ptr<llvm::MemoryBuffer> find(const std::string &key) const;
  void store(const std::string &key, llvm::StringRef object) const;

private:
  std::string pathOf(const std::string &key) const;

  std::string folder;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_CODECACHE_H
