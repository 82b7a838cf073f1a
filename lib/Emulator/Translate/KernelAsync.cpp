//===- KernelAsync.cpp - Operations that threads do not wait for ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include "Emulator/Execute/ExecutorCallbacks.h"
#include "Emulator/Execute/Matrices/MatrixTypes.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

/// A policy of caches goes with its modifier, and says nothing.
void KernelTranslator::checkHint(Op op, size_t operands) {
  size_t expected = operands + has("L2::cache_hint");
  if (op.operands.size() != expected)
    fail(op, "expected " + std::to_string(expected) + " operands, got " +
                 std::to_string(op.operands.size()));
}

/// cp.async.bulk: to, from, bytes, and the mbarrier of a load.
void KernelTranslator::emitBulkCopy(Op op) {
  bool isStore = has("bulk_group");
  checkHint(op, isStore ? 3 : 4);
  Value *to = addressValue(op, op.operands[0]);
  Value *from = addressValue(op, op.operands[1]);
  Value *barrier = isStore ? b.getInt64(0) : addressValue(op, op.operands[3]);
  callback("heteroEmuBulkCopy", b.getVoidTy(),
           {context, b.getInt32(isStore), isStore ? to : from,
            isStore ? from : to, readWord(op, op.operands[2]), barrier,
            b.getInt32(op.line)});
}

/// The generic address of a map, which may be a parameter.
llvm::Value *KernelTranslator::tensorMapAddress(Op op, const Operand &operand) {
  Operand address = operand;
  address.elements.resize(1);
  Value *value = addressValue(op, address);
  const Operand &base = operand.elements[0];
  const Symbol *symbol =
      base.kind == Operand::Identifier ? find(base.name) : nullptr;
  if (symbol && symbol->kind == Symbol::Param)
    return b.CreateAdd(value, b.getInt64(kParamWindowBase));
  return value;
}

llvm::Value *KernelTranslator::coordinatesOf(Op op, const Operand &operand,
                                             unsigned rank) {
  if (operand.kind != Operand::Address || operand.elements.size() != 2 ||
      operand.elements[1].kind != Operand::Vector)
    fail(op, "expected a tensor map and coordinates in brackets");
  const std::vector<Operand> &parts = operand.elements[1].elements;
  if (parts.size() != rank)
    fail(op, "expected " + std::to_string(rank) + " coordinates, got " +
                 std::to_string(parts.size()));
  Value *words = atEntry(llvm::ArrayType::get(b.getInt32Ty(), rank));
  for (unsigned i = 0; i < rank; ++i)
    b.CreateStore(readWord(op, parts[i]),
                  b.CreateConstGEP1_64(b.getInt32Ty(), words, i));
  return words;
}

/// cp.async.bulk.tensor: to, from, and the mbarrier of a load. The tensor's
/// side is a map and coordinates.
void KernelTranslator::emitTensorCopy(Op op) {
  bool isStore = has("bulk_group");
  checkHint(op, isStore ? 2 : 3);
  unsigned rank = has("1d")   ? 1
                  : has("2d") ? 2
                  : has("3d") ? 3
                  : has("4d") ? 4
                              : 5;
  const Operand &tensor = op.operands[isStore ? 0 : 1];
  Value *coordinates = coordinatesOf(op, tensor, rank);
  Value *shared = addressValue(op, op.operands[isStore ? 1 : 0]);
  Value *barrier = isStore ? b.getInt64(0) : addressValue(op, op.operands[2]);
  callback("heteroEmuTensorCopy", b.getVoidTy(),
           {context, b.getInt32(isStore), tensorMapAddress(op, tensor),
            b.getInt32(rank), coordinates, shared, barrier,
            b.getInt32(op.line)});
}

llvm::Value *KernelTranslator::genericAddress(Op op, const Operand &operand,
                                              bool isShared) {
  Value *address = addressValue(op, operand);
  return isShared ? b.CreateAdd(address, b.getInt64(kSharedWindowBase))
                  : address;
}

/// tensormap.replace: a map, a dimension for some fields, and the new value,
/// a number where the field is a choice.
void KernelTranslator::emitReplaceMap(Op op) {
  static const std::pair<Name, MapField> fields[] = {
      {"global_address", kMapAddress},
      {"rank", kMapRank},
      {"box_dim", kMapBox},
      {"global_dim", kMapSize},
      {"global_stride", kMapStride},
      {"element_stride", kMapStep},
      {"elemtype", kMapType},
      {"interleave_layout", kMapInterleave},
      {"swizzle_mode", kMapSwizzle},
      {"swizzle_atomicity", kMapAtomicity},
      {"fill_mode", kMapFill}};
  MapField field = kMapAddress;
  for (const auto &[name, value] : fields)
    if (has(name))
      field = value;
  uint64_t ordinal = 0, most = field == kMapStride ? 3 : 4;
  if (op.operands.size() == 3) {
    const Operand &number = op.operands[1];
    if (number.kind != Operand::Integer || number.integer > most)
      fail(op, "expected a dimension from 0 to " + std::to_string(most));
    ordinal = number.integer;
  }
  const Operand &value = op.operands.back();
  if (field >= kMapType && value.kind != Operand::Integer)
    fail(op, "expected a number for the field");
  callback("heteroEmuReplaceMap", b.getVoidTy(),
           {context, genericAddress(op, op.operands[0], isShared()),
            b.getInt32(field), b.getInt32(ordinal),
            b.CreateZExt(readBits(op, value, type(op)), b.getInt64Ty()),
            b.getInt32(op.line)});
}

/// tensormap.cp_fenceproxy: to global memory, from shared memory, bytes.
void KernelTranslator::emitCopyMap(Op op) {
  const Operand &size = op.operands[2];
  if (size.kind != Operand::Integer || size.integer != 128)
    fail(op, "expected a size of 128 bytes");
  callback("heteroEmuCopyMap", b.getVoidTy(),
           {context, genericAddress(op, op.operands[0], /*isShared=*/false),
            genericAddress(op, op.operands[1], /*isShared=*/true),
            b.getInt32(op.line)});
}

/// commit_group and wait_group; registers need no fence.
void KernelTranslator::emitGroups(Op op) {
  if (has("fence"))
    return;
  bool isWait = has("wait_group");
  uint32_t operation = isWait ? kWaitForCopies : kCommitCopies;
  if (op.opcode == "wgmma")
    operation = isWait ? kWaitForProducts : kCommitProducts;
  uint64_t left = 0;
  if (isWait) {
    const Operand &number = op.operands[0];
    if (number.kind != Operand::Integer || number.integer > 63)
      fail(op, "expected a number of groups below 64");
    left = number.integer;
  }
  callback("heteroEmuGroups", b.getVoidTy(),
           {context, b.getInt32(operation), b.getInt32(left)});
}

/// setmaxnreg: registers here are as many as there are.
void KernelTranslator::emitRegisterCount(Op op) {
  const Operand &count = op.operands[0];
  if (count.kind != Operand::Integer || count.integer < 24 ||
      count.integer > 256 || count.integer % 8 != 0)
    fail(op, "expected a number of registers from 24 to 256, a multiple of 8");
}

//===----------------------------------------------------------------------===//
// Products of warpgroups
//===----------------------------------------------------------------------===//

/// 1 or -1: whether an operand is negated.
bool KernelTranslator::readSign(Op op, const Operand &operand) {
  bool isSign = operand.kind == Operand::Integer &&
                (operand.integer == 1 || operand.integer == ~uint64_t(0));
  if (!isSign)
    fail(op, "expected 1 or -1 as the scale of an operand");
  return operand.integer != 1;
}

/// 0 or 1: whether an operand is transposed.
bool KernelTranslator::readFlag(Op op, const Operand &operand) {
  if (operand.kind != Operand::Integer || operand.integer > 1)
    fail(op, "expected 0 or 1 for the order of an operand");
  return operand.integer != 0;
}

/// The number of columns in a shape like m64n128k16; 0 if there are no such
/// products. Those of integers have multiples of 16 columns, or 8 or 24.
static uint32_t columnsOf(const Instruction &op, bool areIntegers) {
  constexpr size_t kMostDigits = 3;
  constexpr uint32_t kMostColumns = 256;
  for (Name name : op.modifiers) {
    if (name.substr(0, 4) != "m64n")
      continue;
    Name digits = name.substr(4, name.find('k') - 4);
    uint32_t columns =
        digits.size() > kMostDigits ? 0 : std::stoi(std::string(digits));
    bool isEven = columns % 16 == 0 || columns == 8 || columns == 24;
    return columns <= kMostColumns && columns % 8 == 0 &&
                   (isEven || !areIntegers)
               ? columns
               : 0;
  }
  return 0;
}

/// wgmma.mma_async: D, A (registers or a descriptor), B (a descriptor), whether
/// D is added; of floats the scales of A and B, and of 16 bits the orders of
/// those that are in shared memory.
void KernelTranslator::emitGroupMultiply(Op op) {
  std::vector<MatrixElement> types = elementTypes();
  GroupMultiply multiply = {};
  multiply.d = types[0];
  multiply.a = types[1];
  multiply.b = types[2];
  if (!goTogether(multiply.a, multiply.b) || !isSumOf(multiply.d, multiply.a))
    fail(op, "its types do not go together");
  bool hasRegisters = op.operands[1].kind == Operand::Vector;
  bool hasOrders = bitsOf(multiply.a) == 16, hasScales = !isInteger(multiply.a);
  size_t orders = hasOrders ? (hasRegisters ? 1 : 2) : 0;
  size_t expected = 4 + (hasScales ? 2 : 0) + orders;
  if (op.operands.size() != expected)
    fail(op, "expected " + std::to_string(expected) + " operands, got " +
                 std::to_string(op.operands.size()));
  if (hasScales) {
    multiply.isNegatedA = readSign(op, op.operands[4]);
    multiply.isNegatedB = readSign(op, op.operands[5]);
  }
  if (orders == 2)
    multiply.isTransposedA = readFlag(op, op.operands[6]);
  if (orders > 0)
    multiply.isTransposedB = readFlag(op, op.operands.back());
  uint32_t columns = columnsOf(op, !hasScales);
  if (columns == 0)
    fail(op, "its types do not go with its shape");
  // The fields of a GroupMultiply.
  Value *fields = constantWords(
      {uint32_t(multiply.a), uint32_t(multiply.b), uint32_t(multiply.d),
       columns, hasRegisters, multiply.isTransposedA, multiply.isTransposedB,
       multiply.isNegatedA, multiply.isNegatedB, has("satfinite"),
       static_cast<uint32_t>(op.line)});
  ScalarType wide;
  wide.bits = 64;
  Value *none = b.getInt64(0);
  Value *words = hasRegisters ? readRegisters(op, op.operands[1], 4, 32)
                              : llvm::ConstantPointerNull::get(b.getPtrTy());
  Value *a = hasRegisters ? none : readBits(op, op.operands[1], wide);
  Value *with = readBits(op, op.operands[2], wide);
  Value *adds = b.CreateZExt(readPredicate(op, op.operands[3]), b.getInt32Ty());
  unsigned registers = columns / (bitsOf(multiply.d) == 16 ? 4 : 2);
  constexpr unsigned kMostRegisters = 128;
  if (!groupWords)
    groupWords = atEntry(llvm::ArrayType::get(b.getInt64Ty(), kMostRegisters));
  readRegistersTo(groupWords, op, op.operands[0], registers, 32);
  meeting("heteroEmuGroupMultiply", b.getVoidTy(),
          {context, fields, words, a, with, adds, groupWords});
  writeRegisters(op, op.operands[0], registers, 32, groupWords);
  // Of the whole product, a lane's share.
  if (hasScales)
    count(kCountedFlops,
          b.getInt64(uint64_t(2) * 64 * columns * multiply.depth() / 128));
}
