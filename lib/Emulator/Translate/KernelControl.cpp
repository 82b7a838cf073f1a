//===- KernelControl.cpp - Jumps and ends of threads ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

void KernelTranslator::emitBranch(Op op) {
  const Operand &target = op.operands[0];
  if (target.kind != Operand::Identifier)
    fail(op, "expected a label");
  b.CreateBr(findLabel(op, target.name));
}

/// brx.idx: to the label of a table; beyond its end nothing is defined.
void KernelTranslator::emitIndexedBranch(Op op) {
  Value *index = readWord(op, op.operands[0]);
  const Operand &table = op.operands[1];
  const std::vector<Name> *targets =
      table.kind == Operand::Identifier ? findTable(table.name) : nullptr;
  if (!targets)
    fail(op, "expected the label of a '.branchtargets' directive");
  auto *beyond = BasicBlock::Create(b.getContext(), "", body);
  auto *choice = b.CreateSwitch(index, beyond, targets->size());
  for (size_t i = 0; i < targets->size(); ++i)
    choice->addCase(b.getInt32(i), findLabel(op, (*targets)[i]));
  b.SetInsertPoint(beyond);
  trap(op.line, "jumps beyond the end of a table of labels");
}

void KernelTranslator::emitReturn(Op op) { leave(op.opcode == "exit"); }

void KernelTranslator::trap(unsigned line, const char *what) {
  callback("heteroEmuTrap", b.getVoidTy(),
           {context, b.CreateGlobalString(what), b.getInt32(line)});
  b.CreateUnreachable();
}

void KernelTranslator::emitTrap(Op op) {
  trap(op.line, op.opcode == "trap" ? "trap" : "brkpt");
}

/// Lets other threads run.
void KernelTranslator::emitSleep(Op op) {
  callback("heteroEmuSleep", b.getVoidTy(),
           {context, readWord(op, op.operands[0])});
}
