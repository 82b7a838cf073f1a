//===- Kernel.cpp - Translates PTX functions to LLVM IR -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include "Emulator/PTX/Versions.h"

#include <cstddef>
#include <optional>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

KernelTranslator::KernelTranslator(ModuleState &state, const Function &function,
                                   llvm::Module &module)
    : f(state, function, module), b(f.b), emitters(f) {}

void KernelTranslator::runKernel(CompiledKernel &kernel) {
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
  auto *body =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                             "ptx." + std::string(f.function.name), f.module);
  f.begin(body, b.getInt64(0));
  bindParams(kernel);
  translateBody();
}

void KernelTranslator::runFunction() {
  llvm::Function *body = f.declareFunction(f.function);
  f.begin(body, body->getArg(1));
  size_t index = 2;
  for (const Variable &variable : f.function.returns)
    bindArgument(variable, body->getArg(index++), /*isResult=*/true);
  for (const Variable &variable : f.function.params)
    bindArgument(variable, body->getArg(index++), /*isResult=*/false);
  if (f.state.graph.facts(f.function).isRecursive)
    checkStack();
  else
    body->addFnAttr(kMayInline);
  translateBody();
}

/// What comes before the body goes to blocks after the entry, which is for
/// allocas and what registers hold at first.
void KernelTranslator::translateBody() {
  BasicBlock *before = b.GetInsertBlock();
  f.declareAll(f.function.body);
  auto *start = f.newBlock("start");
  b.SetInsertPoint(before);
  b.CreateBr(start);
  b.SetInsertPoint(start);
  translate(f.function.body);
  if (!b.GetInsertBlock()->getTerminator())
    f.leave(/*exits=*/false);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void KernelTranslator::bindParams(CompiledKernel &kernel) {
  uint64_t offset = 0;
  for (const Variable &param : f.function.params) {
    uint64_t align = param.alignment();
    offset = (offset + align - 1) / align * align;
    Symbol symbol;
    symbol.kind = Symbol::Param;
    symbol.offset = offset;
    f.add(param.name, symbol, param.line);
    kernel.params.push_back({static_cast<uint32_t>(offset),
                             static_cast<uint32_t>(param.bytes()),
                             static_cast<uint32_t>(align)});
    offset += param.bytes();
  }
  kernel.paramBytes = f.paramBytes = offset;
}

void KernelTranslator::bindArgument(const Variable &variable, Value *pointer,
                                    bool isResult) {
  if (variable.space == Space::Reg) {
    f.declareRegisters(variable);
    const Symbol *symbol = f.find(variable.name);
    if (isResult)
      f.addResult(*symbol, pointer);
    else
      b.CreateStore(b.CreateLoad(f.bitsType(symbol->bits), pointer),
                    symbol->slot);
    return;
  }
  Symbol symbol;
  symbol.kind = Symbol::Argument;
  symbol.slot = pointer;
  symbol.bytes = variable.bytes();
  // A parameter whose address is taken lives in local memory.
  if (!isResult &&
      f.state.graph.facts(f.function).movedSymbols.count(variable.name)) {
    symbol.kind = Symbol::Local;
    symbol.offset = f.state.graph.localOffset(variable);
    Value *local = f.contextField(offsetof(ThreadContext, local), b.getPtrTy());
    Value *offset = b.CreateAdd(f.frame, b.getInt64(symbol.offset));
    b.CreateMemCpy(b.CreateGEP(b.getInt8Ty(), local, offset), llvm::Align(),
                   pointer, llvm::Align(), symbol.bytes);
  }
  f.add(variable.name, symbol, variable.line);
}

/// Stops the thread when recursion has used up its memory for frames or the
/// stack of the host.
void KernelTranslator::checkStack() {
  Value *local = b.CreateZExt(
      f.contextField(offsetof(ThreadContext, localBytes), b.getInt32Ty()),
      b.getInt64Ty());
  Value *limit =
      f.contextField(offsetof(ThreadContext, stackLimit), b.getInt64Ty());
  Value *address = b.CreateIntrinsic(llvm::Intrinsic::frameaddress,
                                     {b.getPtrTy()}, {b.getInt32(0)});
  uint64_t bytes = f.state.graph.facts(f.function).frameBytes;
  Value *fails = b.CreateOr(
      b.CreateICmpUGT(b.CreateAdd(f.frame, b.getInt64(bytes)), local),
      b.CreateICmpULT(b.CreatePtrToInt(address, b.getInt64Ty()), limit));
  auto *full = f.newBlock();
  auto *next = f.newBlock();
  b.CreateCondBr(fails, full, next);
  b.SetInsertPoint(full);
  f.trap(f.function.line, "recursion is too deep");
  b.SetInsertPoint(next);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void KernelTranslator::translate(const Block &block) {
  for (const Statement &statement : block.statements) {
    if (statement.kind == Statement::Label) {
      f.spend(statement.line);
      f.finishBlock(f.findLabel(statement.op, statement.label));
    } else if (statement.kind == Statement::Scope) {
      f.openScope(*statement.scope);
      translate(*statement.scope);
      f.closeScope();
    } else if (statement.kind == Statement::Op) {
      translate(statement.op);
    }
  }
}

static bool isOfTextures(Name opcode) {
  for (Name name :
       {"tex", "tld4", "txq", "istypep", "suld", "sust", "sured", "suq"})
    if (opcode == name)
      return true;
  return false;
}

void KernelTranslator::translate(const Instruction &op) {
  f.current = &op;
  std::string why;
  std::optional<MatchedRule> match = matchRule(op, why);
  if (!match)
    f.fail(op, isOfTextures(op.opcode)
                   ? "it is of textures or surfaces; use global memory"
                   : why);
  // Code after a jump, up to the next label, is never reached.
  if (b.GetInsertBlock()->getTerminator())
    b.SetInsertPoint(f.newBlock());
  f.countInstruction();
  if (op.opcode == "bra" || op.opcode == "brx" || op.opcode == "call")
    f.spend(op.line);
  if (op.guard.empty()) {
    emitters.emit(*match, op);
    return checkVersion(f.state.ptx, op);
  }
  Operand guard;
  guard.kind = Operand::Identifier;
  guard.name = op.guard;
  guard.negated = op.guardNegated;
  auto *then = f.newBlock();
  auto *next = f.newBlock();
  b.CreateCondBr(f.readPredicate(op, guard), then, next);
  b.SetInsertPoint(then);
  emitters.emit(*match, op);
  checkVersion(f.state.ptx, op);
  f.finishBlock(next);
}
