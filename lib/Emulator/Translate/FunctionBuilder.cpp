//===- FunctionBuilder.cpp - Operands and modifiers -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/FunctionBuilder.h"

#include "Emulator/PTX/Lexer.h"
#include "Emulator/PTX/Versions.h"

#include <cstddef>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool FunctionBuilder::has(Name modifier) const {
  for (Name name : current->modifiers)
    if (name == modifier)
      return true;
  return false;
}

std::vector<ScalarType> FunctionBuilder::types() const {
  std::vector<ScalarType> result;
  ScalarType type;
  for (Name name : current->modifiers)
    if (parseScalarType(name, type))
      result.push_back(type);
  return result;
}

ScalarType FunctionBuilder::type(Op op) const {
  std::vector<ScalarType> all = types();
  if (all.empty())
    fail(op, "it has no type");
  return all.back();
}

llvm::Type *FunctionBuilder::valueType(ScalarType type) {
  Type *element = bitsType(type.kind == ScalarType::Pred ? 1 : type.bits);
  if (type.kind == ScalarType::Float)
    element = type.bits == 16   ? b.getHalfTy()
              : type.bits == 32 ? b.getFloatTy()
                                : b.getDoubleTy();
  else if (type.kind == ScalarType::BFloat)
    element = b.getBFloatTy();
  if (type.elements == 1)
    return element;
  return llvm::FixedVectorType::get(element, type.elements);
}

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

/// %lanemask_eq and the like; null for another name.
llvm::Value *FunctionBuilder::laneMask(Name name) {
  if (name.substr(0, 10) != "%lanemask_")
    return nullptr;
  Name relation = name.substr(10);
  Value *lane = contextField(offsetof(ThreadContext, laneid), b.getInt32Ty());
  Value *own = b.CreateShl(b.getInt32(1), lane);
  Value *below = b.CreateSub(own, b.getInt32(1));
  if (relation == "eq")
    return own;
  if (relation == "lt")
    return below;
  if (relation == "le")
    return b.CreateOr(own, below);
  if (relation == "ge")
    return b.CreateNot(below);
  if (relation == "gt")
    return b.CreateNot(b.CreateOr(own, below));
  return nullptr;
}

/// %tid.x and the like, whose fourth element is zero: a block is a cluster of
/// its own. Null for other names.
llvm::Value *FunctionBuilder::vectorRegister(const Operand &operand) {
  static const std::pair<Name, size_t> vectors[] = {
      {"%tid", offsetof(ThreadContext, tid)},
      {"%ntid", offsetof(ThreadContext, ntid)},
      {"%ctaid", offsetof(ThreadContext, ctaid)},
      {"%nctaid", offsetof(ThreadContext, nctaid)},
      {"%clusterid", offsetof(ThreadContext, ctaid)},
      {"%nclusterid", offsetof(ThreadContext, nctaid)}};
  size_t element = Name("xyzw").find(operand.component);
  if (operand.component.size() != 1 || element == Name::npos)
    return nullptr;
  for (const auto &[name, offset] : vectors)
    if (operand.name == name)
      return element == 3 ? b.getInt32(0)
                          : contextField(offset + 4 * element, b.getInt32Ty());
  if (operand.name == "%cluster_ctaid" || operand.name == "%cluster_nctaid")
    return b.getInt32(operand.name == "%cluster_nctaid" && element < 3);
  return nullptr;
}

/// Registers of 32 bits that are a field of the context and a number more;
/// null for other names.
llvm::Value *FunctionBuilder::wordRegister(Name name) {
  struct Word {
    Name name;
    size_t field;
    uint32_t more = 0;
  };
  constexpr size_t kReservedAt = offsetof(ThreadContext, reservedAt);
  static const Word words[] = {
      {"%laneid", offsetof(ThreadContext, laneid)},
      {"%warpid", offsetof(ThreadContext, warpid)},
      {"%smid", offsetof(ThreadContext, smid)},
      {"%nsmid", offsetof(ThreadContext, nsmid)},
      {"%dynamic_smem_size", offsetof(ThreadContext, dynamicBytes)},
      {"%total_smem_size", kReservedAt},
      {"%aggr_smem_size", kReservedAt, kReservedSharedBytes},
      {"%reserved_smem_offset_begin", kReservedAt},
      {"%reserved_smem_offset_end", kReservedAt, kReservedSharedBytes},
      {"%reserved_smem_offset_0", kReservedAt},
      {"%reserved_smem_offset_1", kReservedAt, kReservedSharedBytes / 2}};
  static const std::pair<Name, uint32_t> constants[] = {
      {"WARP_SZ", 32},
      {"%nwarpid", 32},
      {"%cluster_ctarank", 0},
      {"%cluster_nctarank", 1},
      {"%reserved_smem_offset_cap", kReservedSharedBytes}};
  if (name == "%is_explicit_cluster")
    return b.CreateICmpNE(
        contextField(offsetof(ThreadContext, isExplicitCluster),
                     b.getInt32Ty()),
        b.getInt32(0));
  for (const Word &word : words)
    if (name == word.name)
      return b.CreateAdd(contextField(word.field, b.getInt32Ty()),
                         b.getInt32(word.more));
  for (const auto &[constant, value] : constants)
    if (name == constant)
      return b.getInt32(value);
  return nullptr;
}

/// Whether the name is the prefix, a number up to `most`, and the suffix.
static bool isNumbered(Name name, Name prefix, uint32_t most,
                       Name suffix = "") {
  if (name.size() < prefix.size() + suffix.size() ||
      name.substr(0, prefix.size()) != prefix ||
      name.substr(name.size() - suffix.size()) != suffix)
    return false;
  name =
      name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  uint32_t number = 0;
  for (char c : name)
    number = c < '0' || c > '9' || number > most ? most + 1
                                                 : 10 * number + (c - '0');
  return !name.empty() && number <= most;
}

llvm::Value *FunctionBuilder::specialRegister(Op op, const Operand &operand) {
  Name name = operand.name;
  checkVersion(state.ptx, name, op.line);
  if (Value *value = vectorRegister(operand))
    return value;
  if (!operand.component.empty())
    fail(op, "unknown name '" + std::string(name) + "." +
                 std::string(operand.component) + "'");
  if (Value *value = wordRegister(name))
    return value;
  if (Value *mask = laneMask(name))
    return mask;
  if (name == "%gridid")
    return contextField(offsetof(ThreadContext, gridid), b.getInt64Ty());
  // Two of the registers that hold what the driver likes to say.
  if (name == "%envreg1" || name == "%envreg2") {
    Value *workspace =
        contextField(offsetof(ThreadContext, workspace), b.getInt64Ty());
    return b.CreateTrunc(name == "%envreg1" ? b.CreateLShr(workspace, 32)
                                            : workspace,
                         b.getInt32Ty());
  }
  // It says nothing in the others, and nothing counts for a profiler.
  if (isNumbered(name, "%envreg", 31) || isNumbered(name, "%pm", 7))
    return b.getInt32(0);
  if (isNumbered(name, "%pm", 7, "_64") || name == "%current_graph_exec")
    return b.getInt64(0);
  bool isHigh = name == "%clock_hi" || name == "%globaltimer_hi";
  if (!isHigh && name != "%clock" && name != "%clock64" &&
      name != "%globaltimer" && name != "%globaltimer_lo")
    fail(op, "unknown name '" + std::string(name) + "'");
  Value *time = callback("heteroEmuClock", b.getInt64Ty(), {context});
  return isHigh ? b.CreateLShr(time, 32) : time;
}

/// The address of a variable within its state space.
llvm::Value *FunctionBuilder::symbolAddress(Op op, const Symbol &symbol) {
  if (symbol.kind == Symbol::Global) {
    // Code is the same wherever the addresses are.
    Value *addresses = module.getOrInsertGlobal(kAddresses, b.getInt64Ty());
    return b.CreateLoad(
        b.getInt64Ty(),
        b.CreateConstGEP1_64(b.getInt64Ty(), addresses, symbol.offset));
  }
  if (symbol.kind == Symbol::Local)
    return b.CreateAdd(frame, b.getInt64(symbol.offset));
  if (symbol.kind == Symbol::Register || symbol.kind == Symbol::Argument)
    fail(op, "a register or parameter of a call has no address");
  return b.getInt64(symbol.offset);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static unsigned widthOf(ScalarType type) {
  return type.kind == ScalarType::Pred ? 1 : type.totalBits();
}

/// Integers are cut to the width of the type, floating-point literals rounded
/// to it.
llvm::Value *FunctionBuilder::readLiteral(const Operand &operand,
                                          ScalarType type) {
  auto *wanted = bitsType(widthOf(type));
  if (operand.kind == Operand::Integer)
    return llvm::ConstantInt::get(
        b.getContext(),
        llvm::APInt(64, operand.integer).sextOrTrunc(wanted->getBitWidth()));
  bool isSingle = operand.kind == Operand::Float32;
  if (wanted->getBitWidth() == (isSingle ? 32u : 64u))
    return llvm::ConstantInt::get(wanted, operand.integer);
  double number;
  float single;
  std::memcpy(&number, &operand.integer, sizeof number);
  std::memcpy(&single, &operand.integer, sizeof single);
  Type *literal = type.isFloat() ? valueType(type) : b.getFloatTy();
  Value *constant = llvm::ConstantFP::get(literal, isSingle ? single : number);
  Value *bits = b.CreateBitCast(
      constant, bitsType(literal->getPrimitiveSizeInBits().getFixedValue()));
  return b.CreateZExtOrTrunc(bits, wanted);
}

llvm::Value *FunctionBuilder::readBits(Op op, const Operand &operand,
                                       ScalarType type, bool mayBeWider) {
  unsigned bits = widthOf(type);
  switch (operand.kind) {
  case Operand::Integer:
  case Operand::Float32:
  case Operand::Float64:
    return readLiteral(operand, type);
  case Operand::Identifier:
    break;
  default:
    fail(op, "expected a register or a number for each operand");
  }
  if (operand.negated && bits != 1)
    fail(op, "'!' stands before an operand that is not a predicate");
  const Symbol *symbol = find(operand.name);
  Value *value = !symbol ? specialRegister(op, operand)
                 : symbol->kind == Symbol::Register
                     ? b.CreateLoad(bitsType(symbol->bits), symbol->slot)
                     : symbolAddress(op, *symbol);
  if (!symbol || symbol->kind != Symbol::Register) {
    if (operand.integer)
      value = b.CreateAdd(
          value, llvm::ConstantInt::get(value->getType(), operand.integer));
    return b.CreateZExtOrTrunc(value, bitsType(bits));
  }
  bool fits =
      symbol->bits == bits || (mayBeWider && symbol->bits > bits && bits > 1);
  if (!fits || operand.integer || !operand.component.empty())
    fail(op, "expected an operand of " + std::to_string(bits) + " bits, got '" +
                 std::string(operand.name) + "' of " +
                 std::to_string(symbol->bits));
  return b.CreateTrunc(value, bitsType(bits));
}

llvm::Value *FunctionBuilder::read(Op op, const Operand &operand,
                                   ScalarType type, bool mayBeWider) {
  Value *bits = readBits(op, operand, type, mayBeWider);
  return b.CreateBitCast(bits, valueType(type));
}

llvm::Value *FunctionBuilder::readWord(Op op, const Operand &operand) {
  return readBits(op, operand, ScalarType());
}

llvm::Value *FunctionBuilder::readPredicate(Op op, const Operand &operand) {
  ScalarType predicate;
  predicate.kind = ScalarType::Pred;
  predicate.bits = 1;
  Value *value = readBits(op, operand, predicate);
  return operand.negated ? b.CreateNot(value) : value;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void FunctionBuilder::write(Op op, const Operand &operand, Value *value,
                            bool mayBeWider, bool isSigned) {
  if (operand.kind == Operand::Sink)
    return;
  const Symbol *symbol =
      operand.kind == Operand::Identifier ? find(operand.name) : nullptr;
  if (!symbol || symbol->kind != Symbol::Register || operand.negated)
    fail(op, operand.kind == Operand::Identifier
                 ? "'" + std::string(operand.name) + "' is not a register"
                 : "the destination is not a register");
  unsigned bits = value->getType()->getPrimitiveSizeInBits().getFixedValue();
  if (symbol->bits != bits && !(mayBeWider && symbol->bits > bits && bits > 1))
    fail(op, "expected a destination of " + std::to_string(bits) +
                 " bits, got '" + std::string(operand.name) + "' of " +
                 std::to_string(symbol->bits));
  value = b.CreateBitCast(value, bitsType(bits));
  value = isSigned ? b.CreateSExtOrTrunc(value, bitsType(symbol->bits))
                   : b.CreateZExtOrTrunc(value, bitsType(symbol->bits));
  b.CreateStore(value, symbol->slot);
}

//===----------------------------------------------------------------------===//
// What several families do
//===----------------------------------------------------------------------===//

llvm::Value *FunctionBuilder::intrinsic(llvm::Intrinsic::ID id,
                                        llvm::ArrayRef<Value *> operands) {
  return b.CreateIntrinsic(id, {operands[0]->getType()}, operands);
}

/// Joins with the predicate of a comparison that has one.
llvm::Value *FunctionBuilder::combine(Op op, Value *value, Value *with) {
  if (!with)
    return value;
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType()))
    with = b.CreateVectorSplat(vector->getNumElements(), with);
  return has("and")  ? b.CreateAnd(value, with)
         : has("or") ? b.CreateOr(value, with)
                     : b.CreateXor(value, with);
}

void FunctionBuilder::countFlops(Op op) {
  ScalarType element = type(op);
  bool isFused = op.opcode == "fma" || op.opcode == "mad";
  count(kCountedFlops,
        b.getInt64((isFused ? 2 : 1) * element.totalBits() / element.bits));
}

void FunctionBuilder::fence(Op op) {
  b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  letOthersRun(op);
}

/// Where a thread may wait for another one in a loop.
void FunctionBuilder::letOthersRun(Op op) {
  if (state.graph.facts(function).spins.count(&op))
    callback(op.opcode == "atom" ? "heteroEmuSpin" : "heteroEmuYield",
             b.getVoidTy(), {context});
}
