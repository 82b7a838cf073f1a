//===- Link.cpp - Runs the system's linker --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Link.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace mlir::hetero;

/// The compiler driver that links. C++, for the runner in executables.
static Expected<std::string> findLinker() {
  for (const char *name : {"clang++-22", "c++", "g++", "clang++"})
    if (auto path = sys::findProgramByName(name))
      return *path;
  return createStringError(
      "no C++ compiler was found to link with; install g++ or clang-22, or "
      "write an object with a name that ends in .o");
}

Error mlir::hetero::link(ArrayRef<std::string> objects, StringRef output,
                         const OutputOptions &options,
                         ArrayRef<std::string> libraries) {
  Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();
  std::vector<std::string> arguments = {*linker, "-L" + options.libraryFolder,
                                        "-o", output.str()};
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  // The libraries must follow what uses them.
  arguments.push_back(options.kind == OutputKind::Executable ? "-lHeteroRunner"
                                                             : "-shared");
  arguments.insert(
      arguments.end(),
      {"-lhetero_runtime", "-lm",
       "-Wl,-rpath," + (options.runtimePath.empty() ? options.libraryFolder
                                                    : options.runtimePath)});
  // Files are found again where they are now; other names are the system's.
  for (const std::string &library : libraries) {
    SmallString<256> file(library);
    if (!sys::fs::exists(file) || sys::fs::make_absolute(file)) {
      arguments.push_back("-l:" + library);
      continue;
    }
    arguments.push_back(file.str().str());
    arguments.push_back("-Wl,-rpath," + sys::path::parent_path(file).str());
  }
  SmallVector<StringRef> words(arguments.begin(), arguments.end());
  std::string message;
  int status =
      sys::ExecuteAndWait(*linker, words, std::nullopt, {}, 0, 0, &message);
  if (status == 0)
    return Error::success();
  return createStringError("the linker " + *linker + " failed" +
                           (message.empty() ? "" : ": " + message));
}
