//===- Import.cpp - C API of the ONNX reader ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero-c/Import.h"

#include "ImportedModel.h"
#include "Options.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::hetero;

/// Reads a model, and writes the texts of an error.
static HeteroImport *importModel(std::unique_ptr<llvm::MemoryBuffer> file,
                                 const HeteroCompileOptions *options,
                                 char **diagnostics, char **constants) {
  std::string error;
  auto result = std::make_unique<HeteroImport>();
  ImportedModel &model = *result->model;
  model.name = file->getBufferIdentifier().str();
  model.module =
      importONNX(std::move(file), llvm::sys::path::parent_path(model.name),
                 options ? options->options.onnx : ONNXImportOptions(),
                 &model.context, error, &model.signature);
  if (diagnostics)
    *diagnostics = copyString(error);
  if (constants)
    *constants =
        copyString(llvm::formatv("{0}", llvm::json::Value(llvm::json::Array(
                                            model.signature.constants)))
                       .str());
  return model.module ? result.release() : nullptr;
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
  ImportedModel &model = *import->model;
  std::lock_guard<std::mutex> lock(model.mutex);
  if (model.bytecode.empty()) {
    llvm::raw_string_ostream os(model.bytecode);
    if (failed(writeBytecodeToFile(*model.module, os)))
      return nullptr;
  }
  *bytes = model.bytecode.size();
  return model.bytecode.data();
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
  const ONNXSignature &signature = import->model->signature;
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attributeArray("inputs", [&] { describe(json, signature.inputs); });
    json.attributeArray("results", [&] { describe(json, signature.results); });
    json.attribute("structure", llvm::json::Array(signature.structure));
  });
  return copyString(text);
}

void heteroDestroyImport(HeteroImport *import) { delete import; }
