//===- KernelMatrix.cpp - Matrices that a warp holds ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include "Emulator/Execute/ExecutorCallbacks.h"
#include "Emulator/Execute/Matrices/MatrixTypes.h"
#include "Emulator/PTX/Lexer.h"

#include <array>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

/// The sizes in a modifier like "m16n8k32".
static bool parseShape(Name name, std::array<unsigned, 3> &sizes) {
  const char letters[] = {'m', 'n', 'k'};
  for (int i = 0; i < 3; ++i) {
    if (name.empty() || name.front() != letters[i])
      return false;
    name.remove_prefix(1);
    size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    if (digits == 0 || digits > 3)
      return false;
    sizes[i] = std::stoi(std::string(name.substr(0, digits)));
    name.remove_prefix(digits);
  }
  return name.empty();
}

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
llvm::Value *KernelTranslator::readRegisters(Op op, const Operand &operand,
                                             unsigned count, unsigned bits) {
  Value *words = atEntry(llvm::ArrayType::get(b.getInt64Ty(), count));
  readRegistersTo(words, op, operand, count, bits);
  return words;
}

void KernelTranslator::readRegistersTo(Value *words, Op op,
                                       const Operand &operand, unsigned count,
                                       unsigned bits) {
  llvm::ArrayRef<Operand> parts = registersOf(op, operand, count);
  ScalarType type;
  type.bits = bits;
  for (unsigned i = 0; i < count; ++i)
    b.CreateStore(b.CreateZExt(readBits(op, parts[i], type), b.getInt64Ty()),
                  b.CreateConstGEP1_64(b.getInt64Ty(), words, i));
}

void KernelTranslator::writeRegisters(Op op, const Operand &operand,
                                      unsigned count, unsigned bits,
                                      Value *words) {
  llvm::ArrayRef<Operand> parts = registersOf(op, operand, count);
  for (unsigned i = 0; i < count; ++i) {
    Value *word = b.CreateLoad(b.getInt64Ty(),
                               b.CreateConstGEP1_64(b.getInt64Ty(), words, i));
    write(op, parts[i], b.CreateTrunc(word, bitsType(bits)));
  }
}

llvm::ArrayRef<Operand>
KernelTranslator::registersOf(Op op, const Operand &operand, unsigned count) {
  bool isVector = operand.kind == Operand::Vector;
  size_t found = isVector ? operand.elements.size() : 1;
  if (found != count)
    fail(op, "expected " + std::to_string(count) + " registers, got " +
                 std::to_string(found));
  return isVector ? llvm::ArrayRef<Operand>(operand.elements)
                  : llvm::ArrayRef<Operand>(operand);
}

static std::array<unsigned, 3> findShape(const Instruction &op) {
  std::array<unsigned, 3> sizes{};
  for (Name name : op.modifiers)
    if (parseShape(name, sizes))
      break;
  return sizes;
}

/// The types of the instruction, in its order.
std::vector<MatrixElement> KernelTranslator::elementTypes() const {
  std::vector<MatrixElement> result;
  ScalarType type;
  for (Name name : current->modifiers) {
    if (name == "s4" || name == "u4")
      result.push_back(name == "s4" ? MatrixElement::S4 : MatrixElement::U4);
    else if (name == "b1")
      result.push_back(has("xor") ? MatrixElement::XorBit
                                  : MatrixElement::AndBit);
    else if (parseScalarType(name, type))
      result.push_back(elementOf(type));
  }
  return result;
}

bool hetero::emulator::ptx::goTogether(MatrixElement a, MatrixElement b) {
  return a == b || (isInteger(a) && isInteger(b) && bitsOf(a) == bitsOf(b) &&
                    bitsOf(a) > 1);
}

bool hetero::emulator::ptx::isSumOf(MatrixElement sum, MatrixElement operand) {
  if (isInteger(operand))
    return sum == MatrixElement::S32 && bitsOf(operand) <= 8;
  if (operand == MatrixElement::F16 || operand == MatrixElement::F64)
    return sum == operand ||
           (sum == MatrixElement::F32 && operand == MatrixElement::F16);
  return sum == MatrixElement::F32 && operand != MatrixElement::F32;
}

/// mma.sync: D, A, B, C, with their types in this order.
void KernelTranslator::emitMatrixMultiply(Op op) {
  std::array<unsigned, 3> sizes = findShape(op);
  std::vector<MatrixElement> all = elementTypes();
  MatrixElement a = all[1], with = all[2], c = all[3];
  if (!goTogether(a, with) || all[0] != c || !isSumOf(c, a))
    fail(op, "its types do not go together");
  unsigned rows = sizes[0], depth = sizes[2];
  unsigned operandBits = std::max(32u, bitsOf(a));
  unsigned perRegister = operandBits / bitsOf(a);
  if (depth % (4 * perRegister) != 0)
    fail(op, "its types do not go with its shape");
  unsigned ofB = depth / (4 * perRegister), ofA = rows / 8 * ofB;
  unsigned sumBits = std::max(32u, bitsOf(c)), ofC = rows / 4;
  if (bitsOf(c) == 16)
    ofC /= 2;
  Value *result = atEntry(llvm::ArrayType::get(b.getInt64Ty(), rows / 4));
  meeting("heteroEmuMatrixMultiply", b.getVoidTy(),
          {context, b.getInt32(rows), b.getInt32(depth),
           b.getInt32(uint32_t(a)), b.getInt32(uint32_t(with)),
           b.getInt32(uint32_t(c)), b.getInt32(has("satfinite")),
           readRegisters(op, op.operands[1], ofA, operandBits),
           readRegisters(op, op.operands[2], ofB, operandBits),
           readRegisters(op, op.operands[3], ofC, sumBits), result});
  writeRegisters(op, op.operands[0], ofC, sumBits, result);
  // Of the whole product, a lane's share.
  if (!isInteger(a))
    count(kCountedFlops, b.getInt64(uint64_t(2) * rows * 8 * depth / 32));
}

/// mma.m8n8k4: four products, each of two groups of four lanes, of operands in
/// rows or columns.
void KernelTranslator::emitQuadMultiply(Op op) {
  std::vector<Name> layouts;
  for (Name name : op.modifiers)
    if (name == "row" || name == "col")
      layouts.push_back(name);
  std::vector<MatrixElement> all = elementTypes();
  auto isSum = [](MatrixElement element) {
    return element == MatrixElement::F16 || element == MatrixElement::F32;
  };
  if (layouts.size() != 2 || all[1] != MatrixElement::F16 ||
      all[2] != MatrixElement::F16 || !isSum(all[0]) || !isSum(all[3]))
    fail(op, "expected two layouts and types that go together");
  unsigned ofC = bitsOf(all[3]) / 4, ofD = bitsOf(all[0]) / 4;
  Value *result = atEntry(llvm::ArrayType::get(b.getInt64Ty(), 8));
  meeting("heteroEmuQuadMultiply", b.getVoidTy(),
          {context, b.getInt32(layouts[0] == "col"),
           b.getInt32(layouts[1] == "row"), b.getInt32(uint32_t(all[3])),
           b.getInt32(uint32_t(all[0])),
           readRegisters(op, op.operands[1], 2, 32),
           readRegisters(op, op.operands[2], 2, 32),
           readRegisters(op, op.operands[3], ofC, 32), result});
  writeRegisters(op, op.operands[0], ofD, 32, result);
  // Of four products of 8 x 8 x 4, a lane's share.
  count(kCountedFlops, b.getInt64(uint64_t(4) * 2 * 8 * 8 * 4 / 32));
}

void KernelTranslator::emitLoadMatrix(Op op) {
  unsigned matrices = has("x4") ? 4 : has("x2") ? 2 : 1;
  Value *words = atEntry(llvm::ArrayType::get(b.getInt64Ty(), matrices));
  bool isShared = has("shared") || has("shared::cta");
  meeting("heteroEmuLoadMatrix", b.getVoidTy(),
          {context, b.getInt32(matrices), b.getInt32(has("trans")),
           b.getInt32(isShared), addressValue(op, op.operands[1]),
           b.getInt32(op.line), words});
  writeRegisters(op, op.operands[0], matrices, 32, words);
}

void KernelTranslator::emitStoreMatrix(Op op) {
  unsigned matrices = has("x4") ? 4 : has("x2") ? 2 : 1;
  MatrixLayout layout = has("m16n8")   ? MatrixLayout::Bytes
                        : has("trans") ? MatrixLayout::Transposed
                                       : MatrixLayout::Plain;
  bool isShared = has("shared") || has("shared::cta");
  meeting("heteroEmuStoreMatrix", b.getVoidTy(),
          {context, b.getInt32(matrices), b.getInt32(uint32_t(layout)),
           b.getInt32(isShared), addressValue(op, op.operands[0]),
           b.getInt32(op.line),
           readRegisters(op, op.operands[1], matrices, 32)});
}

void KernelTranslator::emitMoveMatrix(Op op) {
  write(op, op.operands[0],
        meeting("heteroEmuMoveMatrix", b.getInt32Ty(),
                {context, readWord(op, op.operands[1])}));
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

/// A matrix of wmma. Operands of f16 have registers for all elements twice.
FragmentType KernelTranslator::fragmentType(Op op, char operand,
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

llvm::Value *KernelTranslator::constantWords(llvm::ArrayRef<uint32_t> words) {
  auto *data = llvm::ConstantDataArray::get(b.getContext(), words);
  return new llvm::GlobalVariable(llvm, data->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::PrivateLinkage, data);
}

void KernelTranslator::accessFragment(Op op, const FragmentType &type,
                                      const Operand &address, bool isStore,
                                      Value *words) {
  bool isColumnMajor = has("col"), hasStride = op.operands.size() == 3;
  bool isShared = has("shared") || has("shared::cta");
  if (bitsOf(type.element) < 8 && isColumnMajor != bool(type.isByColumn))
    fail(op, "its type does not go with its layout");
  Value *stride = hasStride
                      ? readWord(op, op.operands[2])
                      : b.getInt32(isColumnMajor ? type.rows : type.columns);
  // The fields of a FragmentAccess.
  Value *access =
      constantWords({uint32_t(type.element), type.rows, type.columns,
                     type.isByColumn, type.numRegisters, isColumnMajor,
                     isShared, isStore, static_cast<uint32_t>(op.line)});
  meeting("heteroEmuAccessFragment", b.getVoidTy(),
          {context, access, addressValue(op, address), stride, words});
}

void KernelTranslator::emitFragmentLoad(Op op) {
  char operand = has("a") ? 'a' : has("b") ? 'b' : 'c';
  FragmentType type = fragmentType(op, operand, elementTypes()[0]);
  Value *words =
      atEntry(llvm::ArrayType::get(b.getInt64Ty(), type.numRegisters));
  accessFragment(op, type, op.operands[1], /*isStore=*/false, words);
  writeRegisters(op, op.operands[0], type.numRegisters,
                 std::max(32u, bitsOf(type.element)), words);
}

void KernelTranslator::emitFragmentStore(Op op) {
  FragmentType type = fragmentType(op, 'd', elementTypes()[0]);
  Value *words = readRegisters(op, op.operands[1], type.numRegisters,
                               std::max(32u, bitsOf(type.element)));
  accessFragment(op, type, op.operands[0], /*isStore=*/true, words);
}

/// wmma.mma: D, A, B, C. With two types, of D and C, the others are f16.
void KernelTranslator::emitFragmentMultiply(Op op) {
  std::vector<MatrixElement> all = elementTypes();
  if (all.size() == 2)
    all = {all[0], MatrixElement::F16, MatrixElement::F16, all[1]};
  else if (all[0] != all[3])
    fail(op, "its types do not go together");
  if (!goTogether(all[1], all[2]) || !isSumOf(all[0], all[1]) ||
      !isSumOf(all[3], all[1]))
    fail(op, "its types do not go together");
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
      arguments.push_back(readRegisters(op, op.operands[places[i]],
                                        type.numRegisters,
                                        std::max(32u, bitsOf(type.element))));
  }
  Value *result =
      atEntry(llvm::ArrayType::get(b.getInt64Ty(), types[3].numRegisters));
  meeting("heteroEmuMultiplyFragments", b.getVoidTy(),
          {context, constantWords(words), b.getInt32(has("satfinite")),
           arguments[0], arguments[1], arguments[2], result});
  writeRegisters(op, op.operands[0], types[3].numRegisters,
                 std::max(32u, bitsOf(types[3].element)), result);
  if (!isInteger(all[1]))
    count(kCountedFlops, b.getInt64(uint64_t(2) * types[3].rows *
                                    types[3].columns * types[0].columns / 32));
}
