//===- hetero-compile.cpp - Compiles a model to a file --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../support/OptionNames.h"
#include "hetero/Codegen/CPU/Processor.h"
#include "hetero/Compiler/Compilation.h"
#include "hetero/Compiler/Outputs.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace mlir::hetero;
using mlir::LogicalResult;
namespace cl = llvm::cl;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral tool = "hetero-compile";

namespace {
enum class Kind { SharedLibrary, Object, LLVMIR, PTX, Cubin, Executable };

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

static std::optional<Kind> kindOf(llvm::StringRef name) {
  if (name == "so")
    return Kind::SharedLibrary;
  if (name == "o")
    return Kind::Object;
  if (name == "ll")
    return Kind::LLVMIR;
  if (name == "ptx")
    return Kind::PTX;
  if (name == "cubin")
    return Kind::Cubin;
  if (name == "exe")
    return Kind::Executable;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Writes through a temporary file: a failure leaves `name` as it was.
static int writeFile(llvm::StringRef name, llvm::StringRef bytes) {
  llvm::Error error =
      llvm::writeToOutput(name, [&](llvm::raw_ostream &os) -> llvm::Error {
        os << bytes;
        return llvm::Error::success();
      });
  if (!error)
    return 0;
  // The error names the file.
  return reportError(tool, "cannot write " + llvm::toString(std::move(error)));
}

/// Links `object` to the output, again through a temporary file.
static int writeLinked(const Options &options, llvm::StringRef object,
                       llvm::StringRef toolPath, bool executable) {
  llvm::StringRef name = options.output;
  llvm::SmallString<256> objectFile, linked;
  if (auto code = llvm::sys::fs::createTemporaryFile("hetero", "o", objectFile))
    return reportError(tool,
                       "cannot write a temporary file: " + code.message());
  llvm::FileRemover removeObject(objectFile);
  if (int status = writeFile(objectFile, object))
    return status;
  if (auto code = llvm::sys::fs::createUniqueFile(name + ".tmp%%%%%%", linked))
    return reportError(tool, "cannot write '" + name + "': " + code.message());
  llvm::FileRemover removeLinked(linked);
  if (llvm::Error error =
          link(objectFile, linked, toolPath, options.runtimePath,
               getSharedLibraries(), executable))
    return reportError(tool, llvm::toString(std::move(error)));
  llvm::sys::fs::setPermissions(linked, static_cast<llvm::sys::fs::perms>(
                                            0777 & ~llvm::sys::fs::getUmask()));
  if (auto code = llvm::sys::fs::rename(linked, name))
    return reportError(tool, "cannot write '" + name + "': " + code.message());
  removeLinked.releaseFile();
  return 0;
}

/// "x.ptx" for the only image, else "x.NAME.ptx".
static std::string imageFile(llvm::StringRef output, llvm::StringRef name,
                             bool only) {
  if (only || output == "-")
    return output.str();
  llvm::SmallString<256> file(output);
  llvm::StringRef suffix = path::extension(output);
  path::replace_extension(file, "");
  return (file + "." + name + suffix).str();
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static int writeDeviceCode(Compilation &compilation, const Options &options,
                           Kind kind) {
  auto images = collectDeviceImages(compilation.getModule());
  if (images.empty())
    return reportError(tool, "'" + options.model +
                                 "' has no device code: nothing of it runs on "
                                 "a gpu");
  for (const DeviceImage &image : images)
    if (kind == Kind::Cubin && image.cubin.empty())
      return reportError(tool, "no cubin was made, for want of a ptxas that "
                               "knows the chip; install the CUDA toolkit or "
                               "set CUDA_HOME, or write .ptx");
  for (const DeviceImage &image : images) {
    std::string file =
        imageFile(options.output, image.name, images.size() == 1);
    if (images.size() > 1 && options.output != "-")
      llvm::outs() << file << "\n";
    if (int status =
            writeFile(file, kind == Kind::PTX ? image.ptx : image.cubin))
      return status;
  }
  return 0;
}

static int writeHeaderBeside(Compilation &compilation, const Options &options,
                             Kind kind) {
  std::string file = options.header;
  if (file.empty()) {
    if (kind != Kind::SharedLibrary && kind != Kind::Object)
      return 0;
    llvm::SmallString<256> beside(options.output);
    path::replace_extension(beside, ".h");
    file = beside.str().str();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  writeHeader(os, path::filename(options.model), path::filename(file),
              compilation.getEntryPoints());
  return writeFile(file, text);
}

static int writeHostCode(Compilation &compilation, const Options &options,
                         Kind kind, llvm::StringRef toolPath) {
  if (mlir::failed(compilation.translate()))
    return 1;
  llvm::Module &module = compilation.getLLVMModule();
  renameEntries(module, compilation.getEntryPoints());
  if (kind == Kind::Executable)
    addMain(module, compilation.getEntryPoints());
  if (kind == Kind::LLVMIR) {
    std::string text;
    llvm::raw_string_ostream(text) << compilation.getOptimizedModule();
    return writeFile(options.output, text);
  }
  auto object = compilation.emitObject();
  if (mlir::failed(object))
    return 1;
  llvm::StringRef bytes = (*object)->getBuffer();
  if (kind == Kind::Object)
    return writeFile(options.output, bytes);
  return writeLinked(options, bytes, toolPath, kind == Kind::Executable);
}

/// What an executable lacks is an error here and not one of the linker; a
/// library may find it where it is loaded.
static LogicalResult checkElsewhere(const Compilation &compilation, Kind kind) {
  if (kind != Kind::Executable && kind != Kind::SharedLibrary)
    return mlir::success();
  if (llvm::Error missing = loadSharedLibraries(getSharedLibraries()))
    return mlir::failure(
        reportError(tool, llvm::toString(std::move(missing))) != 0);
  if (kind == Kind::Executable)
    return checkExternalFunctions(compilation.getExternalFunctions());
  if (getSharedLibraries().empty())
    for (const ExternalFunction &function : compilation.getExternalFunctions())
      mlir::emitRemark(function.loc)
          << "the library leaves '" << function.symbol
          << "' to who loads it; --shared-libs links a library that has it";
  return mlir::success();
}

static int compile(const Options &options, llvm::StringRef toolPath) {
  std::string name = options.emit;
  if (name.empty())
    name = path::extension(options.output)
               .drop_front(path::has_extension(options.output));
  std::optional<Kind> kind = kindOf(name);
  if (!kind)
    return reportError(tool, "cannot tell what to write to '" + options.output +
                                 "' from '" + name +
                                 "'; expected so, o, ll, ptx, cubin or exe as "
                                 "its suffix or with --emit");
  Compilation compilation(tool);
  if (mlir::failed(compilation.parse(options.model)))
    return 1;
  if (compilation.getEntryPoints().empty())
    return reportError(tool, "'" + options.model +
                                 "' has no entry point; make a function with "
                                 "a body public");
  if (mlir::failed(checkElsewhere(compilation, *kind)))
    return 1;
  bool device = *kind == Kind::PTX || *kind == Kind::Cubin;
  if (device)
    compilation.useOneProcessor();
  if (mlir::failed(compilation.lower()))
    return 1;
  int status = device ? writeDeviceCode(compilation, options, *kind)
                      : writeHostCode(compilation, options, *kind, toolPath);
  if (status)
    return status;
  status = writeHeaderBeside(compilation, options, *kind);
  // A library without the header that was asked for is not what was asked for.
  if (status && !device && options.output != "-")
    llvm::sys::fs::remove(options.output);
  return status;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  hideLibraryOptions();
  Options options;
  registerCompileOptions(kAllProcessors);
  if (!checkOptionNames(argc, argv))
    return 1;
  cl::ParseCommandLineOptions(argc, argv, "compiles an MLIR model to a file\n");
  return compile(options, argv[0]);
}
