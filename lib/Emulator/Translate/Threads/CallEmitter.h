//===- CallEmitter.h - Calls and the stack ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_THREADS_CALLEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_THREADS_CALLEMITTER_H

#include "Emulator/Translate/Emitter.h"

#include <functional>
#include <set>

namespace hetero::emulator::ptx {

/// Calls. A .func is `i1 func.name(context, frame, results..., parameters...)`.
/// `frame` is where its .local memory begins. Results and parameters are
/// pointers to memory of the caller, which LLVM's inlining and SROA remove. The
/// returned bit says that the thread has executed `exit`.
class CallEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitAlloca(Op op);
  void emitStackPointer(Op op);
  void emitCall(Op op);
  struct CallOperands;
  /// What a call through an address may reach: with such types, and of these
  /// functions if there are any.
  struct CallTargets {
    const std::vector<Variable> *returns = nullptr, *params = nullptr;
    std::set<const Function *> functions;
  };
  CallOperands callOperands(Op op) const;
  Value *passArgument(Op op, const Variable &variable, const Operand &operand,
                      bool isResult);
  void
  emitCallOf(Op op, const CallOperands &operands,
             const std::vector<Variable> &results,
             const std::vector<Variable> &params,
             const std::function<Value *(llvm::ArrayRef<Value *>)> &target);
  CallTargets targetsOf(Op op, const CallOperands &operands);
  void emitIndirectCall(Op op, const CallOperands &operands);
  void callBuiltin(Op op, const Function &callee,
                   llvm::ArrayRef<Value *> pointers);
  Value *endOfFrame();

  Value *top = nullptr; ///< Where the frame ends, if alloca moves that.
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_THREADS_CALLEMITTER_H
