//===- ImportedModel.cpp - A model that was imported ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ImportedModel.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

OwningOpRef<ModuleOp> ImportedModel::copy(MLIRContext *target) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string code;
  llvm::raw_string_ostream os(code);
  BytecodeWriterConfig config;
  config.setElideResourceDataFlag();
  if (failed(writeBytecodeToFile(*module, os, config)))
    return nullptr;
  auto copy = parseSourceString<ModuleOp>(code, target);
  if (!copy)
    return nullptr;
  mlir::hetero::nameDimensions(*copy, signature);
  auto getBlobs = [](MLIRContext *context) -> DialectResourceBlobManager & {
    return DenseResourceElementsHandle::getManagerInterface(context)
        .getBlobManager();
  };
  DialectResourceBlobManager &blobs = getBlobs(target);
  getBlobs(&context).getBlobMap([&](const auto &own) {
    for (const auto &entry : own) {
      const AsmResourceBlob *blob = entry.second.getBlob();
      if (blob && blobs.lookup(entry.first()))
        blobs.update(
            entry.first(),
            UnmanagedAsmResourceBlob::allocateWithAlign(
                blob->getData(), blob->getDataAlignment(),
                [keeper = shared_from_this()](void *, size_t, size_t) mutable {
                  keeper.reset();
                },
                /*dataIsMutable=*/false));
    }
  });
  return copy;
}
