//===- DamagedBytecode.cpp - Bytecode that cannot be read -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DamagedBytecode.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <mutex>

using namespace mlir;

/// Reads the buffer; what it says of it is said by who reads it for good.
static void read(llvm::MemoryBufferRef buffer, MLIRContext &context) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  llvm::SourceMgr sourceManager;
  sourceManager.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(buffer,
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  (void)parseSourceFile<ModuleOp>(sourceManager, &context);
}

bool mlir::hetero::crashesReader(llvm::MemoryBufferRef buffer,
                                 const DialectRegistry &registry) {
  if (!isBytecode(buffer))
    return false;
  // Signal handlers are the process's.
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  llvm::CrashRecoveryContext::Enable();
  bool survived =
      llvm::CrashRecoveryContext().RunSafely([&] { read(buffer, *context); });
  llvm::CrashRecoveryContext::Disable();
  // After a crash nothing of it can be relied on, not even to be destroyed.
  if (!survived)
    (void)context.release();
  return !survived;
}
