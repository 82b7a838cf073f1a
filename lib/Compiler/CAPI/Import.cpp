//===- Import.cpp - C API of the ONNX reader ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero-c/Import.h"

#include "Options.h"
#include "hetero/Import/ONNX/ImportONNX.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::hetero;

struct HeteroImport {
  std::string bytecode;
  ONNXSignature signature;
};

/// Reads a model, and writes the texts of an error.
static HeteroImport *importModel(std::unique_ptr<llvm::MemoryBuffer> file,
                                 const HeteroCompileOptions *options,
                                 char **diagnostics, char **constants) {
  std::string error;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto result = std::make_unique<HeteroImport>();
  std::string path = file->getBufferIdentifier().str();
  OwningOpRef<ModuleOp> module =
      importONNX(std::move(file), llvm::sys::path::parent_path(path),
                 options ? options->options.onnx : ONNXImportOptions(),
                 &context, error, &result->signature);
  if (diagnostics)
    *diagnostics = copyString(error);
  if (constants)
    *constants =
        copyString(llvm::formatv("{0}", llvm::json::Value(llvm::json::Array(
                                            result->signature.constants)))
                       .str());
  llvm::raw_string_ostream os(result->bytecode);
  return module && succeeded(writeBytecodeToFile(*module, os))
             ? result.release()
             : nullptr;
}

HeteroImport *heteroImportFile(const char *path,
                               const HeteroCompileOptions *options,
                               char **diagnostics, char **constants) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (file)
    return importModel(std::move(*file), options, diagnostics, constants);
  if (diagnostics)
    *diagnostics = copyString(std::string("cannot read '") + path +
                              "': " + file.getError().message());
  if (constants)
    *constants = copyString("[]");
  return nullptr;
}

HeteroImport *heteroImportBuffer(const void *data, int64_t bytes,
                                 const char *name,
                                 const HeteroCompileOptions *options,
                                 char **diagnostics, char **constants) {
  llvm::StringRef source(static_cast<const char *>(data), bytes);
  return importModel(
      llvm::MemoryBuffer::getMemBuffer(source, name,
                                       /*RequiresNullTerminator=*/false),
      options, diagnostics, constants);
}

const void *heteroGetImportBytecode(const HeteroImport *import,
                                    int64_t *bytes) {
  *bytes = import->bytecode.size();
  return import->bytecode.data();
}

static void describe(llvm::json::OStream &json,
                     llvm::ArrayRef<ONNXSignature::Value> values) {
  for (const ONNXSignature::Value &value : values)
    json.object([&] {
      json.attribute("name", value.name);
      json.attribute("type", value.elementType);
      json.attribute("sizes", llvm::json::Array(value.sizes));
      json.attribute("dims", llvm::json::Array(value.dims));
    });
}

char *heteroDescribeImport(const HeteroImport *import) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attributeArray("inputs",
                        [&] { describe(json, import->signature.inputs); });
    json.attributeArray("results",
                        [&] { describe(json, import->signature.results); });
    json.attribute("structure", llvm::json::Array(import->signature.structure));
  });
  return copyString(text);
}

void heteroDestroyImport(HeteroImport *import) { delete import; }
