//===- ClusterEmitter.cpp - Blocks of a cluster ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Threads/ClusterEmitter.h"

using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> ClusterEmitter::rules() {
  using E = ClusterEmitter;
  static const Rule table[] = {
      {"barrier", "", "cluster|arrive", "release relaxed aligned", 0, 0,
       &E::emitBarrier},
      {"barrier", "", "cluster|wait", "acquire aligned", 0, 0, &E::emitBarrier},
      {"mapa", "u32 u64", "", "shared::cluster", 3, 3, &E::emitMap},
      {"getctarank", "u32 u64", "", "shared::cluster", 2, 2, &E::emitRank},
  };
  return table;
}

void ClusterEmitter::emitBarrier(Op) {
  f.meeting("heteroEmuClusterBarrier", b.getVoidTy(),
            {f.context, b.getInt32(f.has("arrive"))});
}

/// mapa: the address of the same variable in another block, and the only block
/// is this one.
void ClusterEmitter::emitMap(Op op) {
  auto *other = f.newBlock();
  auto *next = f.newBlock();
  b.CreateCondBr(b.CreateIsNotNull(f.readWord(op, op.operands[2])), other,
                 next);
  b.SetInsertPoint(other);
  f.trap(op.line, "mapa names a block that the cluster does not have");
  b.SetInsertPoint(next);
  f.write(op, op.operands[0], f.readBits(op, op.operands[1], f.type(op)));
}

void ClusterEmitter::emitRank(Op op) {
  f.readBits(op, op.operands[1], f.type(op));
  f.write(op, op.operands[0], b.getInt32(0));
}
