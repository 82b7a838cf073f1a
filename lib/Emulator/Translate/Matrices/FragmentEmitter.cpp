//===- FragmentEmitter.cpp - Matrices in fragments ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Matrices/FragmentEmitter.h"

#include "Emulator/Translate/Matrices/MatrixShape.h"
#include "Emulator/Translate/RuleWords.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> FragmentEmitter::rules() {
  using E = FragmentEmitter;
  static const Rule table[] = {
      {"wmma", "s4 u4", "load|a b|sync|aligned|row col|m8n8k32",
       FRAGMENT_SPACES, 2, 3, &E::emitFragmentLoad},
      {"wmma", "b1", "load|a b|sync|aligned|row col|m8n8k128", FRAGMENT_SPACES,
       2, 3, &E::emitFragmentLoad},
      {"wmma", "s32", "load|c|sync|aligned|row col|m8n8k32 m8n8k128",
       FRAGMENT_SPACES, 2, 3, &E::emitFragmentLoad},
      {"wmma", "s32", "store|d|sync|aligned|row col|m8n8k32 m8n8k128",
       FRAGMENT_SPACES, 2, 3, &E::emitFragmentStore},
      {"wmma", "s4 u4 s32", "mma|sync|aligned|row|col|m8n8k32", "satfinite", 4,
       4, &E::emitFragmentMultiply, 4},
      {"wmma", "b1 s32", "mma|sync|aligned|row|col|m8n8k128|xor and|popc", "",
       4, 4, &E::emitFragmentMultiply, 4},
      {"wmma", "f16 bf16 s8 u8",
       "load|a b|sync|aligned|row col|m16n16k16 m8n32k16 m32n8k16",
       FRAGMENT_SPACES, 2, 3, &E::emitFragmentLoad},
      {"wmma", "tf32", "load|a b|sync|aligned|row col|m16n16k8",
       FRAGMENT_SPACES, 2, 3, &E::emitFragmentLoad},
      {"wmma", "f64", "load|a b c|sync|aligned|row col|m8n8k4", FRAGMENT_SPACES,
       2, 3, &E::emitFragmentLoad},
      {"wmma", "f16 f32 s32",
       "load|c|sync|aligned|row col|m16n16k16 m8n32k16 m32n8k16 m16n16k8",
       FRAGMENT_SPACES, 2, 3, &E::emitFragmentLoad},
      {"wmma", "f16 f32 s32",
       "store|d|sync|aligned|row col|m16n16k16 m8n32k16 m32n8k16 m16n16k8",
       FRAGMENT_SPACES, 2, 3, &E::emitFragmentStore},
      {"wmma", "f64", "store|d|sync|aligned|row col|m8n8k4", FRAGMENT_SPACES, 2,
       3, &E::emitFragmentStore},
      {"wmma", "f16 f32", "mma|sync|aligned|m16n16k16 m8n32k16 m32n8k16",
       "row col", 4, 4, &E::emitFragmentMultiply, 2},
      {"wmma", "bf16 s8 u8 f32 s32",
       "mma|sync|aligned|m16n16k16 m8n32k16 m32n8k16", "row col satfinite", 4,
       4, &E::emitFragmentMultiply, 4},
      {"wmma", "tf32 f32", "mma|sync|aligned|m16n16k8", "row col", 4, 4,
       &E::emitFragmentMultiply, 4},
      {"wmma", "f64", "mma|sync|aligned|m8n8k4", "row col rn", 4, 4,
       &E::emitFragmentMultiply, 4},
  };
  return table;
}

/// A matrix of wmma. Operands of f16 have registers for all elements twice.
FragmentType FragmentEmitter::fragmentType(Op op, char operand,
                                           MatrixElement element) const {
  auto [m, n, k] = findShape(op);
  FragmentType result;
  result.element = element;
  result.rows = operand == 'b' ? k : m;
  result.columns = operand == 'a' ? k : n;
  result.isByColumn = operand == 'b';
  unsigned bits = bitsOf(result.element), words = 32 / std::min(bits, 32u);
  bool isSum = operand != 'a' && operand != 'b';
  result.numRegisters = result.rows * result.columns / 32 / words;
  if (!isSum && result.element == MatrixElement::F16)
    result.numRegisters = 8;
  return result;
}

void FragmentEmitter::accessFragment(Op op, const FragmentType &type,
                                     const Operand &address, bool isStore,
                                     Value *words) {
  bool isColumnMajor = f.has("col"), hasStride = op.operands.size() == 3;
  bool isShared = f.has("shared") || f.has("shared::cta");
  if (bitsOf(type.element) < 8 && isColumnMajor != bool(type.isByColumn))
    f.fail(op, "its type does not go with its layout");
  Value *stride = hasStride
                      ? f.readWord(op, op.operands[2])
                      : b.getInt32(isColumnMajor ? type.rows : type.columns);
  // The fields of a FragmentAccess.
  Value *access = matrices.constantWords(
      {uint32_t(type.element), type.rows, type.columns, type.isByColumn,
       type.numRegisters, isColumnMajor, isShared, isStore,
       static_cast<uint32_t>(op.line)});
  f.meeting(
      "heteroEmuAccessFragment", b.getVoidTy(),
      {f.context, access, addresses.addressValue(op, address), stride, words});
}

void FragmentEmitter::emitFragmentLoad(Op op) {
  char operand = f.has("a") ? 'a' : f.has("b") ? 'b' : 'c';
  FragmentType type = fragmentType(op, operand, matrices.elementTypes()[0]);
  Value *words =
      f.scratch(llvm::ArrayType::get(b.getInt64Ty(), type.numRegisters));
  accessFragment(op, type, op.operands[1], /*isStore=*/false, words);
  matrices.writeRegisters(op, op.operands[0], type.numRegisters,
                          std::max(32u, bitsOf(type.element)), words);
}

void FragmentEmitter::emitFragmentStore(Op op) {
  FragmentType type = fragmentType(op, 'd', matrices.elementTypes()[0]);
  Value *words = matrices.readRegisters(op, op.operands[1], type.numRegisters,
                                        std::max(32u, bitsOf(type.element)));
  accessFragment(op, type, op.operands[0], /*isStore=*/true, words);
}

/// wmma.mma: D, A, B, C. With two types, of D and C, the others are f16.
void FragmentEmitter::emitFragmentMultiply(Op op) {
  std::vector<MatrixElement> all = matrices.elementTypes();
  if (all.size() == 2)
    all = {all[0], MatrixElement::F16, MatrixElement::F16, all[1]};
  else if (all[0] != all[3])
    f.fail(op, "its types do not go together");
  if (!goTogether(all[1], all[2]) || !isSumOf(all[0], all[1]) ||
      !isSumOf(all[3], all[1]))
    f.fail(op, "its types do not go together");
  const char operands[] = {'a', 'b', 'c', 'd'};
  const size_t places[] = {1, 2, 3, 0}; // Of their types and registers.
  std::vector<uint32_t> words;
  std::vector<Value *> arguments;
  FragmentType types[4];
  for (int i = 0; i < 4; ++i) {
    FragmentType &type = types[i] =
        fragmentType(op, operands[i], all[places[i]]);
    words.insert(words.end(), {uint32_t(type.element), type.rows, type.columns,
                               type.isByColumn, type.numRegisters});
    if (operands[i] != 'd')
      arguments.push_back(
          matrices.readRegisters(op, op.operands[places[i]], type.numRegisters,
                                 std::max(32u, bitsOf(type.element))));
  }
  Value *result =
      f.scratch(llvm::ArrayType::get(b.getInt64Ty(), types[3].numRegisters));
  f.meeting("heteroEmuMultiplyFragments", b.getVoidTy(),
            {f.context, matrices.constantWords(words),
             b.getInt32(f.has("satfinite")), arguments[0], arguments[1],
             arguments[2], result});
  matrices.writeRegisters(op, op.operands[0], types[3].numRegisters,
                          std::max(32u, bitsOf(types[3].element)), result);
  if (!isInteger(all[1]))
    f.count(kCountedFlops,
            b.getInt64(uint64_t(2) * types[3].rows * types[3].columns *
                       types[0].columns / 32));
}
