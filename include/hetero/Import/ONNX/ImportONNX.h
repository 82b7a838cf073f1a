//===- ImportONNX.h - Reads ONNX models -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads an ONNX model as a function on tensors in func, linalg, tensor, arith,
// math, scf, ml_program and tm_tensor.

#ifndef HETERO_IMPORT_ONNX_IMPORTONNX_H
#define HETERO_IMPORT_ONNX_IMPORTONNX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;

namespace hetero {

/// Options for the import of one model.
struct ONNXImportOptions {
  /// Sizes of dynamic dimensions, by their names.
  llvm::StringMap<int64_t> dims;
  /// Texts of values for inputs that become constants, by their names: "1,2",
  /// or nested lists as in "[[1, 2], [3, 4]]".
  llvm::StringMap<std::string> values;
  /// Descriptions of inputs by their names: a list of sizes (null, -1 or a name
  /// where one is dynamic), for a sequence a list of these, or null for an
  /// optional that is absent.
  llvm::StringMap<llvm::json::Value> shapes;

  /// A flag of tools that adds to these; words are "NAME=SIZE" and the like.
  struct Flag {
    StringRef name, form, help;
  };
  static llvm::ArrayRef<Flag> getFlags();
  /// Adds a word of a flag. Returns the text of an error, or nothing.
  std::string add(StringRef flag, StringRef word);
  bool empty() const {
    return dims.empty() && values.empty() && shapes.empty();
  }
};

/// The inputs and results of the imported function, as the model has them.
struct ONNXSignature {
  struct Value {
    std::string name;
    /// ONNX's name of the element type, which has the sign: "uint8".
    std::string elementType;
    /// Sizes, -1 where they are dynamic, and their names in the file.
    std::vector<int64_t> sizes;
    std::vector<std::string> dims;
  };
  std::vector<Value> inputs, results;
  /// The model's results in order: the name of one of `results`, a list of
  /// those of a sequence, or null for an optional that is absent.
  llvm::json::Array structure;
  /// Inputs that are to be constants: after an error those without which its
  /// node cannot be imported, else those by which one branch was to be chosen.
  std::vector<std::string> constants;
};

/// Registers the dialects that imported modules have.
void registerONNXImportDialects(DialectRegistry &registry);

/// Imports a model from bytes, which stay where they are while a constant of
/// the module refers to them. External data lies in `folder`. The context has
/// the dialects of registerONNXImportDialects. Null after an error, whose text
/// is in `error`.
OwningOpRef<ModuleOp> importONNX(std::shared_ptr<llvm::MemoryBuffer> bytes,
                                 StringRef folder,
                                 const ONNXImportOptions &options,
                                 MLIRContext *context, std::string &error,
                                 ONNXSignature *signature = nullptr);

/// Writes the names of dynamic dimensions on the arguments of an imported
/// function, for costs (`hetero.dimension_names`).
void nameDimensions(ModuleOp module, const ONNXSignature &signature);

/// True if the name of a file ends in ".onnx".
bool isONNXFile(StringRef path);

/// Registers hetero-translate's --import-onnx.
void registerONNXTranslation();

} // namespace hetero
} // namespace mlir

#endif // HETERO_IMPORT_ONNX_IMPORTONNX_H
