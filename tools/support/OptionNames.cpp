//===- OptionNames.cpp - Refuses misspelt options -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionNames.h"

#include "hetero/Support/NestingDepth.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// The registered option that `name` was most likely meant to be, or "".
static StringRef
nearestOption(StringRef name,
              const DenseMap<StringRef, cl::Option *> &options) {
  StringRef best;
  unsigned bestDistance = name.size() / 3 + 1;
  for (const auto &entry : options) {
    unsigned distance = name.edit_distance(
        entry.first, /*AllowReplacements=*/true, bestDistance);
    // Of equally near ones the alphabetically first: the map has no order.
    if (distance < bestDistance ||
        (distance == bestDistance && !best.empty() && entry.first < best)) {
      best = entry.first;
      bestDistance = distance;
    }
  }
  return best;
}

bool mlir::hetero::checkOptionNames(int argc, char **argv) {
  auto &options = cl::getRegisteredOptions();
  for (int i = 1; i < argc; ++i) {
    StringRef word = argv[i];
    if (word == "--")
      return true;
    if (!word.consume_front("-"))
      continue;
    word.consume_front("-");
    StringRef name = word.split('=').first;
    if (!name.starts_with("h") || name == "h" || options.count(name))
      continue;
    WithColor::error(errs(), sys::path::filename(argv[0]))
        << "unknown option '" << argv[i] << "'; ";
    StringRef nearest = nearestOption(name, options);
    if (!nearest.empty())
      errs() << "did you mean '--" << nearest << "'?\n";
    else
      errs() << "--help lists all options\n";
    return false;
  }
  return true;
}

bool mlir::hetero::checkOptionValues(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef word = argv[i];
    if (word == "--")
      return true;
    if (!word.starts_with("-") || word.find('=') + 1 != word.size())
      continue;
    WithColor::error(errs(), sys::path::filename(argv[0]))
        << "the option '" << word
        << "' has no value; give one, or leave the option out\n";
    return false;
  }
  return true;
}

bool mlir::hetero::checkNesting(const char *tool, const char *path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  std::string nesting =
      file ? findDeepNesting((*file)->getBuffer()) : std::string();
  if (nesting.empty())
    return true;
  WithColor::error(errs(), sys::path::filename(tool))
      << "'" << path << "', " << nesting << "\n";
  return false;
}

void mlir::hetero::hideLibraryOptions() {
  for (const auto &entry : cl::getRegisteredOptions())
    if (!entry.first.starts_with("help") && entry.first != "version")
      entry.second->setHiddenFlag(cl::Hidden);
}
