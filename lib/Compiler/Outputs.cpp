//===- Outputs.cpp - Writes what a compilation made -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Outputs.h"

#include "Header.h"
#include "Link.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::hetero;
namespace path = llvm::sys::path;

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static std::optional<OutputKind> parseOutputKind(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<OutputKind>>(name)
      .Case("so", OutputKind::SharedLibrary)
      .Case("o", OutputKind::Object)
      .Case("ll", OutputKind::LLVMIR)
      .Case("ptx", OutputKind::PTX)
      .Case("cubin", OutputKind::Cubin)
      .Case("exe", OutputKind::Executable)
      .Default(std::nullopt);
}

std::optional<OutputKind> mlir::hetero::chooseOutputKind(llvm::StringRef file,
                                                         llvm::StringRef name,
                                                         std::string &error) {
  if (name.empty())
    name = path::extension(file).drop_front(path::has_extension(file));
  std::optional<OutputKind> kind = parseOutputKind(name);
  if (!kind)
    error = "cannot tell what to write to '" + file.str() + "' from '" +
            name.str() +
            "'; expected so, o, ll, ptx, cubin or exe as its suffix or with "
            "--emit";
  return kind;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// A temporary file that is gone with its object.
class TemporaryObject {
public:
  ~TemporaryObject() {
    if (!name.empty())
      llvm::sys::fs::remove(name);
  }
  std::error_code create() {
    llvm::SmallString<256> file;
    std::error_code code =
        llvm::sys::fs::createTemporaryFile("hetero", "o", file);
    if (!code)
      name = file.str().str();
    return code;
  }
  std::string name;
};

class OutputWriter {
public:
  OutputWriter(Compilation &compilation, const OutputOptions &options,
               std::vector<std::string> &images)
      : compilation(compilation), options(options), imageFiles(images) {}

  LogicalResult run();

private:
  using Object = std::unique_ptr<llvm::MemoryBuffer>;

  LogicalResult writeFile(llvm::StringRef name, llvm::StringRef bytes);
  LogicalResult writeLinked(llvm::ArrayRef<Object> objects);
  LogicalResult emitProgram();
  LogicalResult emitNodes();
  LogicalResult writeImages();
  LogicalResult writeHostCode();
  LogicalResult writeHeaderBeside();
  LogicalResult checkNames();
  std::string getImageFile(llvm::StringRef image, bool isOnly);

  Compilation &compilation;
  const OutputOptions &options;
  std::vector<std::string> &imageFiles;
  /// By node.
  std::vector<Object> programs;
  std::vector<NodeEntries> nodes;
};
} // namespace

/// True for a device or a pipe, which no file may take the place of.
static bool isSpecial(llvm::StringRef name) {
  llvm::sys::fs::file_status status;
  return name != "-" && !llvm::sys::fs::status(name, status) &&
         llvm::sys::fs::is_other(status);
}

/// Writes to a device or a pipe.
static llvm::Error writeDirectly(llvm::StringRef name, llvm::StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream os(name, code);
  if (!code) {
    os << bytes;
    os.close();
    code = os.error();
    os.clear_error();
  }
  return llvm::errorCodeToError(code);
}

/// Writes through a temporary file: a failure leaves `name` as it was.
LogicalResult OutputWriter::writeFile(llvm::StringRef name,
                                      llvm::StringRef bytes) {
  llvm::Error error =
      isSpecial(name) ? writeDirectly(name, bytes)
                      : llvm::writeToOutput(
                            name, [&](llvm::raw_ostream &os) -> llvm::Error {
                              os << bytes;
                              return llvm::Error::success();
                            });
  if (!error)
    return success();
  return compilation.fail("cannot write '" + name + "': " +
                          llvm::errorToErrorCode(std::move(error)).message());
}

/// Links the objects to the output, again through a temporary file.
LogicalResult OutputWriter::writeLinked(llvm::ArrayRef<Object> objects) {
  std::vector<TemporaryObject> files(objects.size());
  std::vector<std::string> names;
  for (auto [file, object] : llvm::zip_equal(files, objects)) {
    if (auto code = file.create())
      return compilation.fail("cannot write a temporary file: " +
                              code.message());
    if (failed(writeFile(file.name, object->getBuffer())))
      return failure();
    names.push_back(file.name);
  }
  llvm::StringRef name = options.file;
  llvm::SmallString<256> linked;
  auto cannotWrite = [&](std::error_code code) {
    return compilation.fail("cannot write '" + name + "': " + code.message());
  };
  if (isSpecial(name))
    return compilation.fail("cannot write '" + name +
                            "': it is no file, and a linker makes one; name a "
                            "file, or write .o or .ll");
  if (auto code = llvm::sys::fs::createUniqueFile(name + ".tmp%%%%%%", linked))
    return cannotWrite(code);
  llvm::FileRemover removeLinked(linked);
  if (llvm::Error error = link(names, linked, options,
                               compilation.getOptions().getSharedLibraries()))
    return compilation.fail(llvm::toString(std::move(error)));
  llvm::sys::fs::setPermissions(linked, static_cast<llvm::sys::fs::perms>(
                                            0777 & ~llvm::sys::fs::getUmask()));
  if (auto code = llvm::sys::fs::rename(linked, name))
    return cannotWrite(code);
  removeLinked.releaseFile();
  return success();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// "x.ptx" for the only image, else "x.NAME.ptx".
std::string OutputWriter::getImageFile(llvm::StringRef image, bool isOnly) {
  if (isOnly || options.file == "-")
    return options.file;
  llvm::SmallString<256> file(options.file);
  path::replace_extension(file, "");
  return (file + "." + image + path::extension(options.file)).str();
}

LogicalResult OutputWriter::writeImages() {
  auto images = collectDeviceImages(compilation.getLoweredModule());
  if (images.empty())
    return compilation.fail("'" + options.model +
                            "' has no device code: nothing of it runs on a "
                            "gpu");
  bool isPTX = options.kind == OutputKind::PTX;
  for (const DeviceImage &image : images)
    if (!isPTX && image.cubin.empty())
      return compilation.fail("no cubin was made, for want of a ptxas that "
                              "knows the chip; install the CUDA toolkit or "
                              "set CUDA_HOME, or write .ptx");
  for (const DeviceImage &image : images) {
    std::string file = getImageFile(image.name, images.size() == 1);
    imageFiles.push_back(file);
    if (failed(writeFile(file, isPTX ? image.ptx : image.cubin)))
      return failure();
  }
  return success();
}

LogicalResult OutputWriter::emitProgram() {
  if (!compilation.isTranslated() && failed(compilation.translate()))
    return failure();
  nodes.push_back(compilation.getNodeEntries());
  nodes.back().numGPUs = options.numGPUs[nodes.size() - 1];
  nodes.back().note = options.note;
  if (options.kind == OutputKind::LLVMIR)
    return success();
  FailureOr<Object> program = compilation.emitObject();
  if (succeeded(program))
    programs.push_back(std::move(*program));
  return program;
}

/// Those besides the first are compiled now.
LogicalResult OutputWriter::emitNodes() {
  if (failed(emitProgram()))
    return failure();
  for (size_t node = 1; node < options.numGPUs.size(); ++node) {
    compilation.setNode(node);
    if (failed(compilation.lower()) || failed(emitProgram()))
      return failure();
  }
  return success();
}

LogicalResult OutputWriter::writeHostCode() {
  if (failed(emitNodes()))
    return failure();
  if (options.kind == OutputKind::LLVMIR)
    return writeFile(options.file, compilation.printOptimized());
  if (options.kind == OutputKind::Object)
    return writeFile(options.file, programs.front()->getBuffer());
  FailureOr<Object> table = compilation.emitEntryTable(
      nodes, /*hasMain=*/options.kind == OutputKind::Executable);
  if (failed(table))
    return failure();
  programs.push_back(std::move(*table));
  return writeLinked(programs);
}

LogicalResult OutputWriter::writeHeaderBeside() {
  std::string file = options.header;
  if (file.empty()) {
    if (options.kind != OutputKind::SharedLibrary &&
        options.kind != OutputKind::Object)
      return success();
    llvm::SmallString<256> beside(options.file);
    path::replace_extension(beside, ".h");
    file = beside.str().str();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  writeHeader(os, path::filename(options.model), path::filename(file), nodes);
  return writeFile(file, text);
}

/// Nothing that is written overwrites the model or something else of it.
LogicalResult OutputWriter::checkNames() {
  auto refuse = [&](llvm::StringRef name, const llvm::Twine &what) {
    return compilation.fail("'" + name + "' is " + what +
                            "; name another file to write");
  };
  auto isOne = [](llvm::StringRef a, llvm::StringRef b) {
    return a == b || llvm::sys::fs::equivalent(a, b);
  };
  for (llvm::StringRef name : {options.file, options.header})
    if (!name.empty() && !isSpecial(name) && isOne(name, options.model))
      return refuse(name, "the model");
  if (!isSpecial(options.file) && isOne(options.file, options.header))
    return refuse(options.header, "the output, too");
  return success();
}

LogicalResult OutputWriter::run() {
  if (failed(checkNames()))
    return failure();
  bool isDevice = isDeviceCode(options.kind);
  if (failed(isDevice ? writeImages() : writeHostCode()))
    return failure();
  if (succeeded(writeHeaderBeside()))
    return success();
  // A library without the header that was asked for is not what was asked for.
  if (!isDevice && options.file != "-")
    llvm::sys::fs::remove(options.file);
  return failure();
}

LogicalResult mlir::hetero::writeOutput(Compilation &compilation,
                                        const OutputOptions &options,
                                        std::vector<std::string> &images) {
  return OutputWriter(compilation, options, images).run();
}
