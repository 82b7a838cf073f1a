//===- MatrixOperands.h - Registers that hold parts of matrices -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_MATRIXOPERANDS_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_MATRIXOPERANDS_H

#include "Emulator/ABI/MatrixTypes.h"
#include "Emulator/Translate/FunctionBuilder.h"

namespace hetero::emulator::ptx {

/// Whether A and B have the same type, but for the signs of integers.
bool goTogether(MatrixElement a, MatrixElement b);
/// Whether sums of products of such elements may have the type.
bool isSumOf(MatrixElement sum, MatrixElement operand);

/// The types of an instruction on matrices, and its registers as words of 64
/// bits in memory.
class MatrixOperands {
public:
  using Value = llvm::Value;
  using Op = const Instruction &;

  explicit MatrixOperands(FunctionBuilder &f) : f(f), b(f.b) {}

  std::vector<MatrixElement> elementTypes() const;
  Value *readRegisters(Op op, const Operand &operand, unsigned count,
                       unsigned bits);
  void readRegistersTo(Value *words, Op op, const Operand &operand,
                       unsigned count, unsigned bits);
  void writeRegisters(Op op, const Operand &operand, unsigned count,
                      unsigned bits, Value *words);
  Value *constantWords(llvm::ArrayRef<uint32_t> words);

private:
  llvm::ArrayRef<Operand> registersOf(Op op, const Operand &operand,
                                      unsigned count);

  FunctionBuilder &f;
  llvm::IRBuilder<> &b;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_MATRIXOPERANDS_H
