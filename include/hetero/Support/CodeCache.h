//===- CodeCache.h - Compiled code on the disk ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code by what it was made from. A file that cannot be read, or whose bytes are
// not those that were written, is as good as none, and is replaced.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_CODECACHE_H
#define HETERO_SUPPORT_CODECACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace hetero {

/// Files of code in a folder, named by keys. Safe for any number of processes:
/// what cannot be read or written is only compiled again.
class CodeCache {
public:
  /// Of a folder, which need not exist; without one nothing is kept.
  explicit CodeCache(std::string folder) : folder(std::move(folder)) {}

  /// The compiler's: of the folder that HETERO_CACHE names, if it does.
  static CodeCache ofCompiler();

  bool isEnabled() const { return !folder.empty(); }

  /// What tells one version of a file from another: path, size and time.
  static std::string identify(llvm::StringRef path);

  /// A name for the code that this build of the program or library makes from
  /// the texts.
  static std::string keyOf(llvm::ArrayRef<llvm::StringRef> texts);

  std::unique_ptr<llvm::MemoryBuffer> find(const std::string &key) const;
  void store(const std::string &key, llvm::StringRef object) const;

private:
  std::string pathOf(const std::string &key) const;

  std::string folder;
};

} // namespace hetero

#endif // HETERO_SUPPORT_CODECACHE_H
