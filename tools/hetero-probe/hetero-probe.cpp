//===- hetero-probe.cpp - Writes the topology of this machine -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures once, and finds what was measured again for the same machine.
//
//===----------------------------------------------------------------------===//

#include "../support/CompileFlags.h"
#include "../support/OptionNames.h"
#include "hetero/Compiler/Tuning/ProbeMachine.h"
#include "hetero/Runner/Files.h"
#include "hetero/Support/CodeCache.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

using namespace mlir::hetero;
namespace cl = llvm::cl;
namespace runner = ::hetero::runner;

static constexpr llvm::StringLiteral tool = "hetero-probe";

namespace {
struct Options {
  cl::opt<std::string> output{
      "output", cl::init("-"),
      cl::desc("Write the topology to this file; default: standard output"),
      cl::value_desc("file")};
  cl::alias o{"o", cl::desc("Alias for --output"), cl::aliasopt(output)};
  cl::opt<bool> force{
      "force", cl::desc("Measure also where this machine was measured before")};
};
} // namespace

/// Where the emulator keeps what it has compiled, too; empty without a home.
static std::string getCacheFolder() {
  llvm::SmallString<128> folder;
  if (!llvm::sys::path::cache_directory(folder))
    return "";
  llvm::sys::path::append(folder, "hetero");
  return std::string(folder);
}

/// The topology of this machine, as it was found, or as it is measured now.
static mlir::FailureOr<std::string> getTopologyText(bool isForced) {
  CompilationHost host{tool.str(), llvm::errs(), nullptr, nullptr};
  mlir::FailureOr<std::string> machine = identifyMachine(host);
  if (failed(machine))
    return mlir::failure();
  ::hetero::CodeCache cache(getCacheFolder());
  std::string key = ::hetero::CodeCache::keyOf({"topology", *machine});
  if (!isForced)
    if (auto known = cache.find(key))
      return known->getBuffer().str();
  mlir::FailureOr<std::string> measured = probeMachine(host);
  if (succeeded(measured))
    cache.store(key, *measured);
  return measured;
}

static int run(const Options &options) {
  std::string error;
  bool isFile = options.output != "-";
  // A file that cannot be written must not cost the measurement.
  if (isFile && !runner::canWriteFile(options.output, error))
    return reportError(tool, error);
  mlir::FailureOr<std::string> text = getTopologyText(options.force);
  if (failed(text))
    return 1;
  if (!isFile) {
    llvm::outs() << *text;
    return 0;
  }
  return runner::writeFile(options.output, {*text}, error)
             ? 0
             : reportError(tool, error);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  hideLibraryOptions();
  Options options;
  if (!checkOptionNames(argc, argv) || !checkOptionValues(argc, argv))
    return 1;
  cl::ParseCommandLineOptions(
      argc, argv,
      "measures this machine and writes it as a #hetero.topology\n");
  int status = run(options);
  heteroReset();
  return status;
}
