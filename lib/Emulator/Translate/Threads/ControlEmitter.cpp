//===- ControlEmitter.cpp - Jumps and ends of threads ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Threads/ControlEmitter.h"

#include "Emulator/Translate/RuleWords.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> ControlEmitter::rules() {
  using E = ControlEmitter;
  static const Rule table[] = {
      {"bra", "", "", "uni", 1, 1, &E::emitBranch},
      {"brx", "", "idx", "uni", 2, 2, &E::emitIndexedBranch},
      {"ret", "", "", "uni", 0, 0, &E::emitReturn},
      {"exit", "", "", "", 0, 0, &E::emitReturn},
      {"trap brkpt", "", "", "", 0, 0, &E::emitTrap},
      {"nanosleep", "u32", "", "", 1, 1, &E::emitSleep},
  };
  return table;
}

void ControlEmitter::emitBranch(Op op) {
  const Operand &target = op.operands[0];
  if (target.kind != Operand::Identifier)
    f.fail(op, "expected a label");
  b.CreateBr(f.findLabel(op, target.name));
}

/// brx.idx: to the label of a table; beyond its end nothing is defined.
void ControlEmitter::emitIndexedBranch(Op op) {
  Value *index = f.readWord(op, op.operands[0]);
  const Operand &table = op.operands[1];
  const std::vector<Name> *targets =
      table.kind == Operand::Identifier ? f.findTable(table.name) : nullptr;
  if (!targets)
    f.fail(op, "expected the label of a '.branchtargets' directive");
  auto *beyond = f.newBlock();
  auto *choice = b.CreateSwitch(index, beyond, targets->size());
  for (size_t i = 0; i < targets->size(); ++i)
    choice->addCase(b.getInt32(i), f.findLabel(op, (*targets)[i]));
  b.SetInsertPoint(beyond);
  f.trap(op.line, "jumps beyond the end of a table of labels");
}

void ControlEmitter::emitReturn(Op op) { f.leave(op.opcode == "exit"); }

void ControlEmitter::emitTrap(Op op) {
  f.trap(op.line, op.opcode == "trap" ? "trap" : "brkpt");
}

/// Lets other threads run.
void ControlEmitter::emitSleep(Op op) {
  f.callback("heteroEmuSleep", b.getVoidTy(),
             {f.context, f.readWord(op, op.operands[0])});
}
