//===- PTXKernel.cpp - Functions, names and operands ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXKernel.h"

#include "hetero/Emulator/PTXLexer.h"

#include <cstddef>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

KernelTranslator::KernelTranslator(ModuleState &state, const Function &function,
                                   llvm::Module &llvm, CompiledKernel &kernel)
    : state(state), function(function), llvm(llvm), kernel(kernel),
      b(llvm.getContext()) {}

void KernelTranslator::fail(Op op, const std::string &why) const {
  throw PTXError{op.line, "instruction '" + op.text() +
                              "' is not supported by the emulator" +
                              (why.empty() ? "" : ": " + why)};
}

void KernelTranslator::run() {
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
  body = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                "ptx." + std::string(function.name), llvm);
  context = body->getArg(0);
  entry = BasicBlock::Create(b.getContext(), "entry", body);
  b.SetInsertPoint(entry);
  bindParams();
  for (const auto &[name, variable] : state.shared)
    declare(*variable);
  declareAll(function.body);
  auto *start = BasicBlock::Create(b.getContext(), "start", body);
  b.SetInsertPoint(start);
  translate(function.body);
  if (!b.GetInsertBlock()->getTerminator())
    b.CreateRetVoid();
  b.SetInsertPoint(entry);
  b.CreateBr(start);
}

void KernelTranslator::bindParams() {
  uint64_t offset = 0;
  for (const Variable &param : function.params) {
    uint64_t align = param.alignment();
    offset = (offset + align - 1) / align * align;
    Symbol symbol{Symbol::Param};
    symbol.offset = offset;
    symbols[param.name] = symbol;
    kernel.params.push_back({static_cast<uint32_t>(offset),
                             static_cast<uint32_t>(param.bytes()),
                             static_cast<uint32_t>(align)});
    offset += param.bytes();
  }
  kernel.paramBytes = offset;
}

/// Names hold for the whole function: LLVM's PTX declares each once.
void KernelTranslator::declareAll(const Block &block) {
  for (const Statement &statement : block.statements) {
    if (statement.kind == Statement::Declaration)
      declare(statement.variable);
    else if (statement.kind == Statement::Label)
      labels[statement.label] = BasicBlock::Create(
          b.getContext(), llvm::StringRef(statement.label), body);
    else if (statement.kind == Statement::Scope)
      declareAll(*statement.scope);
  }
}

void KernelTranslator::declare(const Variable &variable) {
  Symbol symbol{Symbol::Register};
  switch (variable.space) {
  case Space::Reg: {
    symbol.bits =
        variable.type.kind == ScalarType::Pred ? 1 : variable.type.totalBits();
    unsigned count = variable.count ? variable.count : 1;
    for (unsigned i = 0; i < count; ++i) {
      symbol.slot = b.CreateAlloca(bitsType(symbol.bits));
      // What was never written reads as zero.
      b.CreateStore(llvm::ConstantInt::get(bitsType(symbol.bits), 0),
                    symbol.slot);
      names.push_back(std::string(variable.name) +
                      (variable.count ? std::to_string(i) : ""));
      symbols[names.back()] = symbol;
    }
    return;
  }
  case Space::Shared:
    symbol.kind = variable.isExtern ? Symbol::DynamicShared : Symbol::Shared;
    symbol.offset = variable.isExtern
                        ? state.graph.sharedBytes(state.graph.facts(function))
                        : state.graph.sharedOffset(variable);
    break;
  case Space::Local:
    symbol.kind = Symbol::Local;
    symbol.offset = state.graph.localOffset(variable);
    break;
  default:
    throw PTXError{variable.line, "variable '" + std::string(variable.name) +
                                      "' is in a state space that a kernel "
                                      "cannot declare"};
  }
  symbols[variable.name] = symbol;
}

const KernelTranslator::Symbol *KernelTranslator::find(Name name) {
  auto it = symbols.find(name);
  if (it != symbols.end())
    return &it->second;
  auto global = state.globals.find(name);
  if (global == state.globals.end())
    return nullptr;
  Symbol symbol{Symbol::Global};
  symbol.offset = global->second;
  return &(symbols[name] = symbol);
}

void KernelTranslator::finishBlock(BasicBlock *next) {
  if (!b.GetInsertBlock()->getTerminator())
    b.CreateBr(next);
  b.SetInsertPoint(next);
}

void KernelTranslator::translate(const Block &block) {
  for (const Statement &statement : block.statements) {
    if (statement.kind == Statement::Label)
      finishBlock(labels[statement.label]);
    else if (statement.kind == Statement::Scope)
      translate(*statement.scope);
    else if (statement.kind == Statement::Op)
      translateGuarded(statement.op);
  }
}

void KernelTranslator::translateGuarded(Op op) {
  current = &op;
  // Code behind a jump, up to the next label, is never reached.
  if (b.GetInsertBlock()->getTerminator())
    b.SetInsertPoint(BasicBlock::Create(b.getContext(), "", body));
  if (op.guard.empty())
    return translateOp(op);
  Operand guard;
  guard.kind = Operand::Identifier;
  guard.name = op.guard;
  guard.negated = op.guardNegated;
  auto *then = BasicBlock::Create(b.getContext(), "", body);
  auto *next = BasicBlock::Create(b.getContext(), "", body);
  b.CreateCondBr(readPredicate(op, guard), then, next);
  b.SetInsertPoint(then);
  translateOp(op);
  finishBlock(next);
}

void KernelTranslator::translateOp(Op op) {
  if (!moveOp(op) && !memoryOp(op) && !controlOp(op) && !collectiveOp(op) &&
      !bitOp(op) && !floatOp(op) && !integerOp(op))
    fail(op);
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool KernelTranslator::has(Name modifier) const {
  for (Name name : current->modifiers)
    if (name == modifier)
      return true;
  return false;
}

std::vector<ScalarType> KernelTranslator::types() const {
  std::vector<ScalarType> result;
  ScalarType type;
  for (Name name : current->modifiers)
    if (parseScalarType(name, type))
      result.push_back(type);
  return result;
}

ScalarType KernelTranslator::type(Op op) const {
  std::vector<ScalarType> all = types();
  if (all.empty())
    fail(op, "it has no type");
  return all.back();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

llvm::Type *KernelTranslator::valueType(ScalarType type) {
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

llvm::Value *KernelTranslator::contextField(size_t offset, Type *type) {
  Value *address = b.CreateConstGEP1_64(b.getInt8Ty(), context, offset);
  return b.CreateLoad(type, address);
}

llvm::Value *KernelTranslator::specialRegister(Op op, const Operand &operand) {
  static const std::pair<Name, size_t> vectors[] = {
      {"%tid", offsetof(ThreadContext, tid)},
      {"%ntid", offsetof(ThreadContext, ntid)},
      {"%ctaid", offsetof(ThreadContext, ctaid)},
      {"%nctaid", offsetof(ThreadContext, nctaid)}};
  for (const auto &[name, offset] : vectors)
    if (operand.name == name && operand.component.size() == 1 &&
        operand.component[0] >= 'x' && operand.component[0] <= 'z')
      return contextField(offset + 4 * (operand.component[0] - 'x'),
                          b.getInt32Ty());
  if (operand.name == "%laneid")
    return contextField(offsetof(ThreadContext, laneid), b.getInt32Ty());
  if (operand.name == "%warpid")
    return contextField(offsetof(ThreadContext, warpid), b.getInt32Ty());
  if (operand.name == "WARP_SZ")
    return b.getInt32(32);
  fail(op, "unknown name '" + std::string(operand.name) + "'");
}

/// The address of a variable within its state space.
llvm::Value *KernelTranslator::symbolAddress(Op op, const Symbol &symbol) {
  if (symbol.kind == Symbol::Global) {
    Value *entry = b.CreateIntToPtr(
        b.getInt64(reinterpret_cast<uint64_t>(&state.addresses[symbol.offset])),
        b.getPtrTy());
    return b.CreateLoad(b.getInt64Ty(), entry);
  }
  if (symbol.kind == Symbol::Register)
    fail(op, "a register has no address");
  return b.getInt64(symbol.offset);
}

llvm::Value *KernelTranslator::readBits(Op op, const Operand &operand,
                                        ScalarType type) {
  unsigned bits = type.kind == ScalarType::Pred ? 1 : type.totalBits();
  auto *wanted = bitsType(bits);
  if (operand.kind == Operand::Integer)
    return llvm::ConstantInt::get(wanted, operand.integer, false, true);
  if (operand.kind == Operand::Float32 || operand.kind == Operand::Float64) {
    bool isSingle = operand.kind == Operand::Float32;
    unsigned literalBits = isSingle ? 32 : 64;
    if (literalBits == bits)
      return llvm::ConstantInt::get(wanted, operand.integer);
    double number;
    float single;
    std::memcpy(&number, &operand.integer, sizeof number);
    std::memcpy(&single, &operand.integer, sizeof single);
    Value *constant =
        llvm::ConstantFP::get(valueType(type), isSingle ? single : number);
    return b.CreateBitCast(constant, wanted);
  }
  if (operand.kind != Operand::Identifier)
    fail(op, "unexpected operand");
  const Symbol *symbol = find(operand.name);
  Value *value;
  if (!symbol)
    value = specialRegister(op, operand);
  else if (symbol->kind == Symbol::Register)
    value = b.CreateLoad(bitsType(symbol->bits), symbol->slot);
  else
    value = symbolAddress(op, *symbol);
  return b.CreateZExtOrTrunc(value, wanted);
}

llvm::Value *KernelTranslator::read(Op op, const Operand &operand,
                                    ScalarType type) {
  Value *bits = readBits(op, operand, type);
  return b.CreateBitCast(bits, valueType(type));
}

llvm::Value *KernelTranslator::readPredicate(Op op, const Operand &operand) {
  ScalarType predicate;
  predicate.kind = ScalarType::Pred;
  predicate.bits = 1;
  Value *value = readBits(op, operand, predicate);
  return operand.negated ? b.CreateNot(value) : value;
}

void KernelTranslator::write(Op op, const Operand &operand, Value *value,
                             bool isSigned) {
  if (operand.kind == Operand::Sink)
    return;
  const Symbol *symbol =
      operand.kind == Operand::Identifier ? find(operand.name) : nullptr;
  if (!symbol || symbol->kind != Symbol::Register)
    fail(op, "the destination is not a register");
  unsigned bits = value->getType()->getPrimitiveSizeInBits();
  value = b.CreateBitCast(value, bitsType(bits));
  value = isSigned ? b.CreateSExtOrTrunc(value, bitsType(symbol->bits))
                   : b.CreateZExtOrTrunc(value, bitsType(symbol->bits));
  b.CreateStore(value, symbol->slot);
}

llvm::Value *KernelTranslator::callback(const char *name, Type *result,
                                        llvm::ArrayRef<Value *> arguments) {
  std::vector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  auto callee = llvm.getOrInsertFunction(
      name, llvm::FunctionType::get(result, types, false));
  return b.CreateCall(callee, arguments);
}
