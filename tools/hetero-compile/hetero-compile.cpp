//===- hetero-compile.cpp - Compiles a model to a file --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../support/CompileFlags.h"
#include "../support/OptionNames.h"
#include "../support/Plugins.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Compiler/Nodes/ProgramNodes.h"
#include "hetero/Compiler/Outputs.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

using namespace mlir::hetero;
using mlir::LogicalResult;
namespace cl = llvm::cl;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral tool = "hetero-compile";

namespace {
struct Options {
  cl::opt<std::string> model{cl::Positional, cl::Required,
                             cl::desc("<model.mlir>")};
  cl::opt<std::string> output{
      "o", cl::Required,
      cl::desc("Output; its suffix says what: .so .o .ll .ptx .cubin .exe"),
      cl::value_desc("file")};
  cl::opt<std::string> emit{
      "emit",
      cl::desc("What to write, whatever the suffix: so, o, ll, ptx, "
               "cubin or exe"),
      cl::value_desc("kind")};
  cl::opt<std::string> header{
      "header",
      cl::desc("C header to write; default: beside a .so or .o output"),
      cl::value_desc("file")};
  cl::opt<std::string> runtimePath{
      "runtime-path",
      cl::desc("Where a .so or .exe looks for libhetero_runtime, for example "
               "$ORIGIN; default: where it is now"),
      cl::value_desc("folder")};
};
} // namespace

/// What an executable lacks is an error here and not one of the linker; a
/// library may find it where it is loaded.
static LogicalResult checkElsewhere(Compilation &compilation, OutputKind kind) {
  if (kind != OutputKind::Executable && kind != OutputKind::SharedLibrary)
    return mlir::success();
  std::vector<std::string> libraries =
      compilation.getOptions().getSharedLibraries();
  if (llvm::Error missing = loadSharedLibraries(libraries))
    return compilation.fail(llvm::toString(std::move(missing)));
  if (kind == OutputKind::Executable)
    return checkExternalFunctions(compilation.getExternalFunctions());
  if (libraries.empty())
    for (const ExternalFunction &function : compilation.getExternalFunctions())
      mlir::emitRemark(function.loc)
          << "the library leaves '" << function.symbol
          << "' to who loads it; --shared-libs links a library that has it";
  return mlir::success();
}

/// How many gpus each node has whose program the output gets; none after an
/// error.
static std::vector<int32_t> chooseNodes(Compilation &compilation,
                                        OutputKind kind) {
  ProgramNodes nodes = describeNodes(compilation);
  int32_t count = nodes.count;
  int64_t node = compilation.getNode();
  std::string last = std::to_string(count - 1);
  bool hasAll =
      kind == OutputKind::Executable || kind == OutputKind::SharedLibrary;
  if (node >= count)
    (void)compilation.fail("expected --node to be at most " + last + ", got " +
                           llvm::Twine(node));
  else if (hasAll && node >= 0 && count > 1)
    (void)compilation.fail("a library or an executable has the programs of all "
                           "nodes; leave out --node, or write .o or .ll");
  else if (!hasAll && node < 0 && count > 1)
    (void)compilation.fail("the program has " + llvm::Twine(count) +
                           " nodes, and such a file is of one; say with "
                           "--node=N of which, from 0 to " +
                           last + ", or write .so or .exe");
  else
    return hasAll && count > 1 ? nodes.numGPUs : std::vector<int32_t>{0};
  return {};
}

/// Of the tool's own installation.
static std::string getLibraryFolder(const char *toolPath) {
  static int anchor;
  std::string file = llvm::sys::fs::getMainExecutable(toolPath, &anchor);
  llvm::SmallString<256> folder(path::parent_path(path::parent_path(file)));
  path::append(folder, "lib");
  return folder.str().str();
}

static LogicalResult compile(const Options &options,
                             const CompileOptions &compileOptions,
                             const Plugins &plugins, const char *toolPath) {
  auto registerMore = [&](mlir::DialectRegistry &registry) {
    plugins.registerDialects(registry);
  };
  Compilation compilation(compileOptions,
                          {tool.str(), llvm::errs(), registerMore,
                           mlir::applyPassManagerCLOptions});
  std::string error;
  std::optional<OutputKind> kind = chooseOutputKind(
      options.output.getValue(), options.emit.getValue(), error);
  if (!kind)
    return compilation.fail(error);
  if (failed(compilation.parse(options.model)))
    return mlir::failure();
  if (compilation.getEntryPoints().empty())
    return compilation.fail("'" + options.model +
                            "' has no entry point; make a function with a body "
                            "public");
  if (failed(checkElsewhere(compilation, *kind)))
    return mlir::failure();
  if (isDeviceCode(*kind))
    compilation.useOneProcessor();
  if (*kind == OutputKind::PTX)
    compilation.leaveOutCubins();
  std::vector<int32_t> numGPUs = chooseNodes(compilation, *kind);
  if (numGPUs.empty())
    return mlir::failure();
  if (numGPUs.size() > 1)
    compilation.setNode(0);
  if (failed(compilation.lower()))
    return mlir::failure();
  std::vector<std::string> images;
  LogicalResult result =
      writeOutput(compilation,
                  {*kind, options.output, options.model, options.header,
                   getLibraryFolder(toolPath), options.runtimePath, numGPUs,
                   /*note=*/{}},
                  images);
  if (images.size() > 1 && options.output != "-")
    for (const std::string &file : images)
      llvm::outs() << file << "\n";
  return result;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  hideLibraryOptions();
  Options options;
  CompileOptions compileOptions(kAllProcessors);
  CompileFlags flags(compileOptions);
  Plugins plugins;
  if (!checkOptionNames(argc, argv) || !checkOptionValues(argc, argv))
    return 1;
  cl::ParseCommandLineOptions(argc, argv, "compiles an MLIR model to a file\n");
  std::string error;
  if (!plugins.load(error))
    return reportError(tool, error);
  return failed(compile(options, compileOptions, plugins, argv[0]));
}
