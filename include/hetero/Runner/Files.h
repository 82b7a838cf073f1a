//===- Files.h - Files that a run writes ------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNNER_FILES_H
#define HETERO_RUNNER_FILES_H

#include <initializer_list>
#include <string>
#include <string_view>

namespace hetero::runner {

bool isFolder(const std::string &path);

/// Whether a file can be written there, as far as that is known before; else
/// says why not.
bool canWriteFile(const std::string &path, std::string &error);

/// True if the paths name one file. What is written to a device such as
/// /dev/null overwrites nothing.
bool areOneFile(const std::string &a, const std::string &b);

/// Writes the parts, or leaves what was there and says why not.
bool writeFile(const std::string &path,
               std::initializer_list<std::string_view> parts,
               std::string &error);

} // namespace hetero::runner

#endif // HETERO_RUNNER_FILES_H
