//===- ImportedModel.h - A model that was imported --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HETERO_LIB_COMPILER_CAPI_IMPORTEDMODEL_H
#define HETERO_LIB_COMPILER_CAPI_IMPORTEDMODEL_H

#include "hetero/Import/ONNX/ImportONNX.h"
#include "mlir/IR/MLIRContext.h"
#include <memory>
#include <mutex>

/// An imported module. Its weights are bytes of the model's files. Each
/// compilation works on a copy in a context of its own, which has its
/// diagnostics, so that several may run at once.
struct ImportedModel : std::enable_shared_from_this<ImportedModel> {
  /// Copies the module to a context that has no resources yet. Weights stay
  /// where they are, and keep this. Null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> copy(mlir::MLIRContext *target);

  std::string name;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::hetero::ONNXSignature signature;
  /// Empty until somebody asks for it.
  std::string bytecode;
  /// For the context, which has no locks of its own.
  std::mutex mutex;
};

struct HeteroImport {
  std::shared_ptr<ImportedModel> model = std::make_shared<ImportedModel>();
};

#endif // HETERO_LIB_COMPILER_CAPI_IMPORTEDMODEL_H
