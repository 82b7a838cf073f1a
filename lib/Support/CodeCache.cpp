//===- CodeCache.cpp - Compiled code on the disk --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/CodeCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace hetero;

/// Folders stay below this size; files have the name that pruning looks for.
static constexpr uint64_t kMostBytes = uint64_t(512) << 20;
static constexpr llvm::StringLiteral kPrefix = "llvmcache-hetero-";

static std::string hash(llvm::StringRef text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true);
}

CodeCache CodeCache::ofCompiler() {
  const char *folder = std::getenv("HETERO_CACHE");
  return CodeCache(folder ? folder : "");
}

std::string CodeCache::identify(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return path.str();
  return path.str() + " " + std::to_string(status.getSize()) + " " +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

/// The file that a function is in. A program that was found by PATH does not
/// know its own: the system does.
static std::string fileOf(void *function) {
  Dl_info info;
  if (dladdr(function, &info) && llvm::sys::path::is_absolute(info.dli_fname))
    return info.dli_fname;
  return llvm::sys::fs::getMainExecutable(nullptr, nullptr);
}

/// Which build of the program or library this is in, and of LLVM.
static std::string thisBuild() {
  llvm::StringRef (*llvmFunction)(llvm::StringRef, llvm::sys::path::Style) =
      llvm::sys::path::filename;
  return LLVM_VERSION_STRING " " +
         CodeCache::identify(fileOf(reinterpret_cast<void *>(&thisBuild))) +
         " " +
         CodeCache::identify(fileOf(reinterpret_cast<void *>(llvmFunction)));
}

std::string CodeCache::keyOf(llvm::ArrayRef<llvm::StringRef> texts) {
  static const std::string build = thisBuild();
  // The length of each text says where it ends.
  std::string all = build;
  for (llvm::StringRef text : texts)
    all += "\n" + std::to_string(text.size()) + "\n" + text.str();
  return hash(all);
}

std::string CodeCache::pathOf(const std::string &key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, kPrefix + key);
  return std::string(path);
}

/// A file is the hash of the object, and the object.
std::unique_ptr<llvm::MemoryBuffer>
CodeCache::find(const std::string &key) const {
  if (folder.empty())
    return nullptr;
  auto file = llvm::MemoryBuffer::getFile(pathOf(key), /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return nullptr;
  llvm::StringRef bytes = (*file)->getBuffer();
  constexpr size_t kHashLength = 64;
  if (bytes.size() < kHashLength)
    return nullptr;
  llvm::StringRef object = bytes.drop_front(kHashLength);
  if (hash(object) != bytes.take_front(kHashLength))
    return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(object, "cache");
}

/// A file of its own beside the others; an empty name if there is none.
/// LLVM's own temporary files would install handlers of signals.
static std::string writeNewFile(const std::string &path,
                                llvm::StringRef object) {
  int descriptor;
  llvm::SmallString<128> name;
  if (llvm::sys::fs::createUniqueFile(path + ".%%%%%%", descriptor, name))
    return "";
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << hash(object) << object;
  stream.close();
  if (!stream.has_error())
    return std::string(name);
  stream.clear_error();
  llvm::sys::fs::remove(name);
  return "";
}

/// Readers see a whole file or none. Nothing is said when it cannot be written.
void CodeCache::store(const std::string &key, llvm::StringRef object) const {
  if (folder.empty() || llvm::sys::fs::create_directories(folder))
    return;
  std::string path = pathOf(key), name = writeNewFile(path, object);
  if (name.empty())
    return;
  if (llvm::sys::fs::rename(name, path))
    llvm::sys::fs::remove(name);
  llvm::CachePruningPolicy policy;
  policy.MaxSizeBytes = kMostBytes;
  llvm::pruneCache(folder, policy);
}
