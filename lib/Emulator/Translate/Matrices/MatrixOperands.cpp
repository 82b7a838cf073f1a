//===- MatrixOperands.cpp - Registers that hold parts of matrices ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Matrices/MatrixOperands.h"

#include "Emulator/PTX/Lexer.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

static MatrixElement elementOf(const ScalarType &type) {
  switch (type.kind) {
  case ScalarType::TFloat:
    return MatrixElement::TF32;
  case ScalarType::BFloat:
    return MatrixElement::BF16;
  case ScalarType::Float:
    return type.bits == 16   ? MatrixElement::F16
           : type.bits == 32 ? MatrixElement::F32
                             : MatrixElement::F64;
  case ScalarType::Unsigned:
    return MatrixElement::U8;
  default:
    return type.bits == 8 ? MatrixElement::S8 : MatrixElement::S32;
  }
}

/// The registers of a vector, or of one register, as words of 64 bits.
llvm::Value *MatrixOperands::readRegisters(Op op, const Operand &operand,
                                           unsigned count, unsigned bits) {
  Value *words = f.scratch(llvm::ArrayType::get(b.getInt64Ty(), count));
  readRegistersTo(words, op, operand, count, bits);
  return words;
}

void MatrixOperands::readRegistersTo(Value *words, Op op,
                                     const Operand &operand, unsigned count,
                                     unsigned bits) {
  llvm::ArrayRef<Operand> parts = registersOf(op, operand, count);
  ScalarType type;
  type.bits = bits;
  for (unsigned i = 0; i < count; ++i)
    b.CreateStore(b.CreateZExt(f.readBits(op, parts[i], type), b.getInt64Ty()),
                  b.CreateConstGEP1_64(b.getInt64Ty(), words, i));
}

void MatrixOperands::writeRegisters(Op op, const Operand &operand,
                                    unsigned count, unsigned bits,
                                    Value *words) {
  llvm::ArrayRef<Operand> parts = registersOf(op, operand, count);
  for (unsigned i = 0; i < count; ++i) {
    Value *word = b.CreateLoad(b.getInt64Ty(),
                               b.CreateConstGEP1_64(b.getInt64Ty(), words, i));
    f.write(op, parts[i], b.CreateTrunc(word, f.bitsType(bits)));
  }
}

llvm::ArrayRef<Operand>
MatrixOperands::registersOf(Op op, const Operand &operand, unsigned count) {
  bool isVector = operand.kind == Operand::Vector;
  size_t found = isVector ? operand.elements.size() : 1;
  if (found != count)
    f.fail(op, "expected " + std::to_string(count) + " registers, got " +
                   std::to_string(found));
  return isVector ? llvm::ArrayRef<Operand>(operand.elements)
                  : llvm::ArrayRef<Operand>(operand);
}

/// The types of the instruction, in its order.
std::vector<MatrixElement> MatrixOperands::elementTypes() const {
  std::vector<MatrixElement> result;
  ScalarType type;
  for (Name name : f.current->modifiers) {
    if (name == "s4" || name == "u4")
      result.push_back(name == "s4" ? MatrixElement::S4 : MatrixElement::U4);
    else if (name == "e4m3" || name == "e5m2")
      result.push_back(name == "e4m3" ? MatrixElement::E4M3
                                      : MatrixElement::E5M2);
    else if (name == "b1")
      result.push_back(f.has("xor") ? MatrixElement::XorBit
                                    : MatrixElement::AndBit);
    else if (parseScalarType(name, type))
      result.push_back(elementOf(type));
  }
  return result;
}

llvm::Value *MatrixOperands::constantWords(llvm::ArrayRef<uint32_t> words) {
  auto *data = llvm::ConstantDataArray::get(b.getContext(), words);
  return new llvm::GlobalVariable(f.module, data->getType(),
                                  /*isConstant=*/true,
                                  llvm::GlobalValue::PrivateLinkage, data);
}

bool hetero::emulator::ptx::goTogether(MatrixElement a, MatrixElement b) {
  // Bytes, integers or not, and integers of four bits.
  return a == b || (isInteger(a) == isInteger(b) && bitsOf(a) == bitsOf(b) &&
                    bitsOf(a) > 1 && bitsOf(a) <= 8);
}

bool hetero::emulator::ptx::isSumOf(MatrixElement sum, MatrixElement operand) {
  if (isInteger(operand))
    return sum == MatrixElement::S32 && bitsOf(operand) <= 8;
  if (operand == MatrixElement::F16 || operand == MatrixElement::F64)
    return sum == operand ||
           (sum == MatrixElement::F32 && operand == MatrixElement::F16);
  if (sum == MatrixElement::F16)
    return bitsOf(operand) == 8;
  return sum == MatrixElement::F32 && operand != MatrixElement::F32;
}
