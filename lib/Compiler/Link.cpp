//===- Link.cpp - Runs the system's linker --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Outputs.h"

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

/// The folder of libhetero_runtime: beside the tool's own, when built and when
/// installed.
static std::string libraryFolder(StringRef toolPath) {
  static int anchor;
  std::string tool =
      sys::fs::getMainExecutable(toolPath.str().c_str(), &anchor);
  SmallString<256> folder(sys::path::parent_path(sys::path::parent_path(tool)));
  sys::path::append(folder, "lib");
  return folder.str().str();
}

Error mlir::hetero::link(StringRef object, StringRef output, StringRef toolPath,
                         StringRef runtimePath, ArrayRef<std::string> libraries,
                         bool executable) {
  Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();
  std::string folder = libraryFolder(toolPath);
  std::string search = "-L" + folder;
  std::string path =
      "-Wl,-rpath," + (runtimePath.empty() ? folder : runtimePath.str());
  SmallVector<StringRef> arguments = {*linker, "-o", output, object};
  if (executable)
    arguments.push_back("-lHeteroRunner");
  else
    arguments.push_back("-shared");
  // The libraries must follow what uses them.
  arguments.insert(arguments.begin() + 1, search);
  arguments.append({"-lhetero_runtime", "-lm", path});
  // Files are found again where they are now; other names are the system's.
  std::vector<std::string> paths;
  for (const std::string &library : libraries) {
    SmallString<256> file(library);
    if (!sys::fs::exists(file) || sys::fs::make_absolute(file)) {
      paths.push_back("-l:" + library);
      continue;
    }
    paths.push_back(file.str().str());
    paths.push_back("-Wl,-rpath," + sys::path::parent_path(file).str());
  }
  arguments.append(paths.begin(), paths.end());
  std::string message;
  int status =
      sys::ExecuteAndWait(*linker, arguments, std::nullopt, {}, 0, 0, &message);
  if (status == 0)
    return Error::success();
  return createStringError("the linker " + *linker + " failed" +
                           (message.empty() ? "" : ": " + message));
}
