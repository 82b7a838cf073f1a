//===- Kernel.h - Translates PTX functions to LLVM IR -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_KERNEL_H
#define HETERO_LIB_EMULATOR_TRANSLATE_KERNEL_H

#include "Emulator/Translate/FunctionBuilder.h"
#include "Emulator/Translate/Instructions.h"

namespace hetero::emulator::ptx {

/// Emits a kernel, as `void ptx.name(ThreadContext *)`, or another function.
/// Throws PTXError.
class KernelTranslator {
public:
  KernelTranslator(ModuleState &state, const Function &function,
                   llvm::Module &module);
  /// Fills in the parameters of `kernel`.
  void runKernel(CompiledKernel &kernel);
  void runFunction();

private:
  using Value = llvm::Value;
  using Symbol = FunctionState::Symbol;

  void bindParams(CompiledKernel &kernel);
  void bindArgument(const Variable &variable, Value *pointer, bool isResult);
  void checkStack();
  void translateBody();
  void translate(const Block &block);
  void translate(const Instruction &op);

  FunctionBuilder f;
  llvm::IRBuilder<> &b;
  Emitters emitters;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_KERNEL_H
