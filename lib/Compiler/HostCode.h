//===- HostCode.h - LLVM IR of a program and its object code ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_HOSTCODE_H
#define HETERO_LIB_COMPILER_HOSTCODE_H

#include "hetero/Compiler/EntryPoints.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace mlir::hetero {

struct Processor;

/// The processor that code is generated for, and how well.
struct HostTarget {
  /// Named by the user, or empty.
  std::string cpu;
  /// What functions may be for; they say so themselves. The least of these is
  /// the processor of the rest, this machine's if there are none and no `cpu`.
  llvm::ArrayRef<const Processor *> processors;
  /// 0 to 3.
  int64_t level = 3;
  /// Whose program it is.
  int32_t node = 0;
};

/// Width in bits of the vectors of a processor by LLVM's name; empty after an
/// error, which `fail` gets.
std::optional<int64_t>
lookupVectorBits(const std::string &cpu,
                 llvm::function_ref<void(const llvm::Twine &)> fail);

/// The host code of one program.
class HostCode {
public:
  using Object = std::unique_ptr<llvm::MemoryBuffer>;

  /// Translates a module of the llvm dialect and gives its entry points their
  /// exported names. Null after an error, which has been emitted on the module.
  static std::unique_ptr<HostCode> translate(ModuleOp module,
                                             llvm::ArrayRef<EntryPoint> entries,
                                             const HostTarget &target);

  /// The LLVM IR after LLVM's optimizations.
  llvm::Module &optimize();
  /// The object code, generated now or found in the cache; null if LLVM cannot
  /// write any.
  Object emitObject();
  /// An object with the tables of entry points, and main() if `hasMain`.
  Object emitEntryTable(llvm::ArrayRef<NodeEntries> nodes, uint64_t hash,
                        bool hasMain);

private:
  Object generate(llvm::Module &from);
  std::string getKey() const;

  int64_t level = 3;
  bool isOptimized = false;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_COMPILER_HOSTCODE_H
