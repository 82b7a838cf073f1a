//===- Files.cpp - Files that a run writes --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace hetero;

bool runner::isFolder(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

/// True for what is no file that another can take the place of, such as
/// /dev/null.
static bool isSpecial(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

bool runner::canWriteFile(const std::string &path, std::string &error) {
  size_t slash = path.find_last_of('/');
  std::string folder = slash == std::string::npos ? "."
                       : slash == 0               ? "/"
                                                  : path.substr(0, slash);
  if (path.empty() || isFolder(path)) {
    error = path.empty() ? "cannot write a file without a name; name a file"
                         : "cannot write '" + path +
                               "': it is a folder; name a file in it";
    return false;
  }
  if (::access(isSpecial(path) ? path.c_str() : folder.c_str(), W_OK) == 0)
    return true;
  error = "cannot write '" + path + "': " + std::strerror(errno) +
          "; name a file in a folder that can be written";
  return false;
}

bool runner::areOneFile(const std::string &a, const std::string &b) {
  std::error_code code;
  auto normalize = [&](const std::string &path) {
    return std::filesystem::weakly_canonical(path, code);
  };
  return !isSpecial(a) && (a == b || (normalize(a) == normalize(b) && !code));
}

bool runner::writeFile(const std::string &path,
                       std::initializer_list<std::string_view> parts,
                       std::string &error) {
  bool isDirect = isSpecial(path);
  std::string temporary =
      isDirect ? path : path + ".tmp" + std::to_string(::getpid());
  std::ofstream file(temporary, std::ios::binary);
  for (std::string_view part : parts)
    file.write(part.data(), static_cast<std::streamsize>(part.size()));
  file.close();
  if (file && (isDirect || std::rename(temporary.c_str(), path.c_str()) == 0))
    return true;
  error = "cannot write '" + path + "': " + std::strerror(errno);
  if (!isDirect)
    std::remove(temporary.c_str());
  return false;
}
