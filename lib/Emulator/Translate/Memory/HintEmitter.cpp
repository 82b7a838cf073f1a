//===- HintEmitter.cpp - What changes no result ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Memory/HintEmitter.h"

#include "Emulator/Translate/RuleWords.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> HintEmitter::rules() {
  using E = HintEmitter;
  static const Rule table[] = {
      {"prefetch", "", "tensormap", "param const", 1, 1, &E::emitNothing},
      {"prefetch prefetchu", "", "L1 L2 L2::evict_last L2::evict_normal",
       "global local", 1, 1, &E::emitNothing},
      {"discard", "", "L2", "global", 2, 2, &E::emitNothing},
      {"applypriority", "", "L2::evict_normal", "global", 2, 2,
       &E::emitNothing},
      {"createpolicy", "b64", "fractional", POLICIES, 1, 2, &E::emitPolicy},
      {"createpolicy", "b64", "range|global", POLICIES, 4, 4, &E::emitPolicy},
      {"createpolicy", "b64", "cvt|L2", "", 2, 2, &E::emitPolicy},
      {"griddepcontrol", "", "launch_dependents wait", "", 0, 0,
       &E::emitNothing},
      {"pragma", "", "", "", 1, 1, &E::emitNothing},
      {"setmaxnreg", "u32", "inc dec|sync|aligned", "", 1, 1,
       &E::emitRegisterCount},
      {"pmevent", "", "", "mask", 1, 1, &E::emitNothing},
  };
  return table;
}

/// createpolicy: hints are not looked at.
void HintEmitter::emitPolicy(Op op) {
  f.write(op, op.operands[0], b.getInt64(0));
}

/// setmaxnreg: registers here are as many as there are.
void HintEmitter::emitRegisterCount(Op op) {
  const Operand &count = op.operands[0];
  if (count.kind != Operand::Integer || count.integer < 24 ||
      count.integer > 256 || count.integer % 8 != 0)
    f.fail(op,
           "expected a number of registers from 24 to 256, a multiple of 8");
}
