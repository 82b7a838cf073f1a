//===- MatrixEmitter.cpp - Products of matrices that a warp holds ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Matrices/MatrixEmitter.h"

#include "Emulator/Translate/Matrices/MatrixShape.h"
#include "Emulator/Translate/RuleWords.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> MatrixEmitter::rules() {
  using E = MatrixEmitter;
  static const Rule table[] = {
      {"mma", "f16 f32", MMA "|m16n8k8 m16n8k16", "", 4, 4,
       &E::emitMatrixMultiply, 4},
      {"mma", "f16 f32", "sync|aligned|m8n8k4", "row col", 4, 4,
       &E::emitQuadMultiply, 4},
      {"mma", "bf16 f32", MMA "|m16n8k8 m16n8k16", "", 4, 4,
       &E::emitMatrixMultiply, 4},
      {"mma", "tf32 f32", MMA "|m16n8k4 m16n8k8", "", 4, 4,
       &E::emitMatrixMultiply, 4},
      {"mma", "f64", MMA "|m8n8k4 m16n8k4 m16n8k8 m16n8k16", "rn", 4, 4,
       &E::emitMatrixMultiply, 4},
      {"mma", "e4m3 e5m2 f16 f32", MMA "|m16n8k16 m16n8k32", "", 4, 4,
       &E::emitMatrixMultiply, 4},
      {"mma", "s8 u8 s32", MMA "|m8n8k16 m16n8k16 m16n8k32", "satfinite", 4, 4,
       &E::emitMatrixMultiply, 4},
      {"mma", "s4 u4 s32", MMA "|m8n8k32 m16n8k32 m16n8k64", "satfinite", 4, 4,
       &E::emitMatrixMultiply, 4},
      {"mma", "b1 s32", MMA "|m8n8k128 m16n8k128 m16n8k256|xor and|popc", "", 4,
       4, &E::emitMatrixMultiply, 4},
      {"ldmatrix", "b16", "sync|aligned|m8n8|x1 x2 x4",
       "trans shared shared::cta", 2, 2, &E::emitLoadMatrix},
      {"stmatrix", "b16", "sync|aligned|m8n8|x1 x2 x4",
       "trans shared shared::cta", 2, 2, &E::emitStoreMatrix},
      {"stmatrix", "b8", "sync|aligned|m16n8|x1 x2 x4|trans",
       "shared shared::cta", 2, 2, &E::emitStoreMatrix},
      {"movmatrix", "b16", "sync|aligned|m8n8|trans", "", 2, 2,
       &E::emitMoveMatrix},
  };
  return table;
}

/// mma.sync: D, A, B, C, with their types in this order.
void MatrixEmitter::emitMatrixMultiply(Op op) {
  std::array<unsigned, 3> sizes = findShape(op);
  std::vector<MatrixElement> all = matrices.elementTypes();
  MatrixElement a = all[1], with = all[2], c = all[3];
  if (!goTogether(a, with) || all[0] != c || !isSumOf(c, a))
    f.fail(op, "its types do not go together");
  unsigned rows = sizes[0], depth = sizes[2];
  unsigned operandBits = std::max(32u, bitsOf(a));
  unsigned perRegister = operandBits / bitsOf(a);
  if (depth % (4 * perRegister) != 0)
    f.fail(op, "its types do not go with its shape");
  unsigned ofB = depth / (4 * perRegister), ofA = rows / 8 * ofB;
  unsigned sumBits = std::max(32u, bitsOf(c)), ofC = rows / 4;
  if (bitsOf(c) == 16)
    ofC /= 2;
  Value *result = f.scratch(llvm::ArrayType::get(b.getInt64Ty(), rows / 4));
  f.meeting("heteroEmuMatrixMultiply", b.getVoidTy(),
            {f.context, b.getInt32(rows), b.getInt32(depth),
             b.getInt32(uint32_t(a)), b.getInt32(uint32_t(with)),
             b.getInt32(uint32_t(c)), b.getInt32(f.has("satfinite")),
             matrices.readRegisters(op, op.operands[1], ofA, operandBits),
             matrices.readRegisters(op, op.operands[2], ofB, operandBits),
             matrices.readRegisters(op, op.operands[3], ofC, sumBits), result});
  matrices.writeRegisters(op, op.operands[0], ofC, sumBits, result);
  // Of the whole product, a lane's share.
  if (!isInteger(a))
    f.count(kCountedFlops, b.getInt64(uint64_t(2) * rows * 8 * depth / 32));
}

/// mma.m8n8k4: four products, each of two groups of four lanes, of operands in
/// rows or columns.
void MatrixEmitter::emitQuadMultiply(Op op) {
  std::vector<Name> layouts;
  for (Name name : op.modifiers)
    if (name == "row" || name == "col")
      layouts.push_back(name);
  std::vector<MatrixElement> all = matrices.elementTypes();
  auto isSum = [](MatrixElement element) {
    return element == MatrixElement::F16 || element == MatrixElement::F32;
  };
  if (layouts.size() != 2 || all[1] != MatrixElement::F16 ||
      all[2] != MatrixElement::F16 || !isSum(all[0]) || !isSum(all[3]))
    f.fail(op, "expected two layouts and types that go together");
  unsigned ofC = bitsOf(all[3]) / 4, ofD = bitsOf(all[0]) / 4;
  Value *result = f.scratch(llvm::ArrayType::get(b.getInt64Ty(), 8));
  f.meeting("heteroEmuQuadMultiply", b.getVoidTy(),
            {f.context, b.getInt32(layouts[0] == "col"),
             b.getInt32(layouts[1] == "row"), b.getInt32(uint32_t(all[3])),
             b.getInt32(uint32_t(all[0])),
             matrices.readRegisters(op, op.operands[1], 2, 32),
             matrices.readRegisters(op, op.operands[2], 2, 32),
             matrices.readRegisters(op, op.operands[3], ofC, 32), result});
  matrices.writeRegisters(op, op.operands[0], ofD, 32, result);
  // Of four products of 8 x 8 x 4, a lane's share.
  f.count(kCountedFlops, b.getInt64(uint64_t(4) * 2 * 8 * 8 * 4 / 32));
}

void MatrixEmitter::emitLoadMatrix(Op op) {
  unsigned number = f.has("x4") ? 4 : f.has("x2") ? 2 : 1;
  Value *words = f.scratch(llvm::ArrayType::get(b.getInt64Ty(), number));
  bool isShared = f.has("shared") || f.has("shared::cta");
  f.meeting("heteroEmuLoadMatrix", b.getVoidTy(),
            {f.context, b.getInt32(number), b.getInt32(f.has("trans")),
             b.getInt32(isShared), addresses.addressValue(op, op.operands[1]),
             b.getInt32(op.line), words});
  matrices.writeRegisters(op, op.operands[0], number, 32, words);
}

void MatrixEmitter::emitStoreMatrix(Op op) {
  unsigned number = f.has("x4") ? 4 : f.has("x2") ? 2 : 1;
  MatrixLayout layout = f.has("m16n8")   ? MatrixLayout::Bytes
                        : f.has("trans") ? MatrixLayout::Transposed
                                         : MatrixLayout::Plain;
  bool isShared = f.has("shared") || f.has("shared::cta");
  f.meeting("heteroEmuStoreMatrix", b.getVoidTy(),
            {f.context, b.getInt32(number), b.getInt32(uint32_t(layout)),
             b.getInt32(isShared), addresses.addressValue(op, op.operands[0]),
             b.getInt32(op.line),
             matrices.readRegisters(op, op.operands[1], number, 32)});
}

void MatrixEmitter::emitMoveMatrix(Op op) {
  f.write(op, op.operands[0],
          f.meeting("heteroEmuMoveMatrix", b.getInt32Ty(),
                    {f.context, f.readWord(op, op.operands[1])}));
}
