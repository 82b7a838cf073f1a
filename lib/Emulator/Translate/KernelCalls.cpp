//===- KernelCalls.cpp - Functions and calls ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .func becomes `i1 func.name(context, frame, results..., parameters...)`.
// `frame` is where its .local memory begins. Results and parameters are
// pointers to memory of the caller, which LLVM's inlining and SROA remove. The
// returned bit says that the thread has executed `exit`.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include "Emulator/Execute/ExecutorCallbacks.h"
#include "Emulator/PTX/Lexer.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

llvm::Function *KernelTranslator::declareFunction(const Function &callee) {
  std::string name = "func." + std::string(callee.name);
  if (llvm::Function *declared = llvm.getFunction(name))
    return declared;
  std::vector<Type *> types = {b.getPtrTy(), b.getInt64Ty()};
  types.resize(2 + callee.returns.size() + callee.params.size(), b.getPtrTy());
  auto *type = llvm::FunctionType::get(b.getInt1Ty(), types, false);
  return llvm::Function::Create(type, llvm::Function::InternalLinkage, name,
                                llvm);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

void KernelTranslator::runFunction() {
  body = declareFunction(function);
  frame = body->getArg(1);
  begin();
  size_t index = 2;
  for (const Variable &variable : function.returns)
    bindArgument(variable, body->getArg(index++), /*isResult=*/true);
  for (const Variable &variable : function.params)
    bindArgument(variable, body->getArg(index++), /*isResult=*/false);
  if (state.graph.facts(function).isRecursive)
    checkStack();
  else
    body->addFnAttr(kMayInline);
  translateBody();
}

void KernelTranslator::bindArgument(const Variable &variable, Value *pointer,
                                    bool isResult) {
  if (variable.space == Space::Reg) {
    declareRegisters(variable);
    const Symbol *symbol = find(variable.name);
    auto *type = bitsType(symbol->bits);
    if (isResult)
      registerResults.push_back({symbol->slot, type, pointer});
    else
      b.CreateStore(b.CreateLoad(type, pointer), symbol->slot);
    return;
  }
  Symbol symbol;
  symbol.kind = Symbol::Argument;
  symbol.slot = pointer;
  symbol.bytes = variable.bytes();
  // A parameter whose address is taken lives in local memory.
  if (!isResult &&
      state.graph.facts(function).movedSymbols.count(variable.name)) {
    symbol.kind = Symbol::Local;
    symbol.offset = state.graph.localOffset(variable);
    Value *local = contextField(offsetof(ThreadContext, local), b.getPtrTy());
    Value *offset = b.CreateAdd(frame, b.getInt64(symbol.offset));
    b.CreateMemCpy(b.CreateGEP(b.getInt8Ty(), local, offset), llvm::Align(),
                   pointer, llvm::Align(), symbol.bytes);
  }
  add(variable.name, symbol, variable.line);
}

/// Stops the thread when recursion has used up its memory for frames or the
/// stack of the host.
void KernelTranslator::checkStack() {
  Value *local = b.CreateZExt(
      contextField(offsetof(ThreadContext, localBytes), b.getInt32Ty()),
      b.getInt64Ty());
  Value *limit =
      contextField(offsetof(ThreadContext, stackLimit), b.getInt64Ty());
  Value *address = b.CreateIntrinsic(llvm::Intrinsic::frameaddress,
                                     {b.getPtrTy()}, {b.getInt32(0)});
  uint64_t bytes = state.graph.facts(function).frameBytes;
  Value *fails = b.CreateOr(
      b.CreateICmpUGT(b.CreateAdd(frame, b.getInt64(bytes)), local),
      b.CreateICmpULT(b.CreatePtrToInt(address, b.getInt64Ty()), limit));
  auto *full = BasicBlock::Create(b.getContext(), "", body);
  auto *next = BasicBlock::Create(b.getContext(), "", body);
  b.CreateCondBr(fails, full, next);
  b.SetInsertPoint(full);
  trap(function.line, "recursion is too deep");
  b.SetInsertPoint(next);
}

/// Where callees have their frames.
llvm::Value *KernelTranslator::endOfFrame() {
  const FunctionFacts &facts = state.graph.facts(function);
  Value *end = b.CreateAdd(frame, b.getInt64(facts.frameBytes));
  if (!facts.allocates)
    return end;
  if (!top) {
    top = atEntry(b.getInt64Ty());
    llvm::IRBuilder<> builder(
        llvm::cast<llvm::Instruction>(top)->getNextNode());
    builder.CreateStore(
        builder.CreateAdd(frame, builder.getInt64(facts.frameBytes)), top);
  }
  return b.CreateLoad(b.getInt64Ty(), top);
}

/// alloca: moves the end of the frame, up to where callees need the rest.
void KernelTranslator::emitAlloca(Op op) {
  uint64_t align = 16;
  if (op.operands.size() == 3) {
    align = std::max<uint64_t>(op.operands[2].integer, align);
    if (op.operands[2].kind != Operand::Integer || (align & (align - 1)) != 0)
      fail(op, "expected an alignment that is a power of two");
  }
  const FunctionFacts &facts = state.graph.facts(function);
  uint64_t forCallees = facts.stackBytes - facts.frameBytes - kUnknownStack;
  Value *size =
      b.CreateZExt(readBits(op, op.operands[1], type(op)), b.getInt64Ty());
  auto alignUp = [&](Value *value, uint64_t to) {
    return b.CreateAnd(b.CreateAdd(value, b.getInt64(to - 1)),
                       b.getInt64(0 - to));
  };
  Value *begin = alignUp(endOfFrame(), align);
  Value *end = alignUp(b.CreateAdd(begin, size), 16);
  Value *limit =
      b.CreateSub(b.CreateZExt(contextField(offsetof(ThreadContext, localBytes),
                                            b.getInt32Ty()),
                               b.getInt64Ty()),
                  b.getInt64(forCallees));
  auto *full = BasicBlock::Create(b.getContext(), "", body);
  auto *next = BasicBlock::Create(b.getContext(), "", body);
  b.CreateCondBr(
      b.CreateOr(b.CreateICmpUGT(size, limit), b.CreateICmpSGT(end, limit)),
      full, next);
  b.SetInsertPoint(full);
  trap(op.line, "alloca asks for more than is left of the stack");
  b.SetInsertPoint(next);
  b.CreateStore(end, top);
  write(op, op.operands[0], b.CreateTrunc(begin, bitsType(type(op).bits)));
}

/// stacksave and stackrestore.
void KernelTranslator::emitStackPointer(Op op) {
  Value *end = endOfFrame();
  auto *wide = b.getInt64Ty();
  if (op.opcode == "stacksave")
    return write(op, op.operands[0],
                 b.CreateTrunc(end, bitsType(type(op).bits)));
  Value *restored = b.CreateZExt(readBits(op, op.operands[0], type(op)), wide);
  // Without alloca in the function there is nothing to give back.
  if (!top)
    return;
  // What the thread has given back before it cannot have again.
  Value *least =
      b.CreateAdd(frame, b.getInt64(state.graph.facts(function).frameBytes));
  auto *wrong = BasicBlock::Create(b.getContext(), "", body);
  auto *next = BasicBlock::Create(b.getContext(), "", body);
  b.CreateCondBr(b.CreateOr(b.CreateICmpUGT(restored, end),
                            b.CreateICmpULT(restored, least)),
                 wrong, next);
  b.SetInsertPoint(wrong);
  trap(op.line, "stackrestore goes to where the stack does not end");
  b.SetInsertPoint(next);
  b.CreateStore(restored, top);
}

/// Ends the thread, or just the function.
void KernelTranslator::leave(bool exits) {
  storeCounts();
  if (function.isEntry) {
    b.CreateRetVoid();
    return;
  }
  for (const RegisterResult &result : registerResults)
    b.CreateStore(b.CreateLoad(result.type, result.slot), result.pointer);
  b.CreateRet(b.getInt1(exits));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static unsigned widthOf(const Variable &variable) {
  return variable.type.kind == ScalarType::Pred ? 1 : variable.type.totalBits();
}

/// A pointer to what the callee sees as `variable`.
llvm::Value *KernelTranslator::passArgument(Op op, const Variable &variable,
                                            const Operand &operand,
                                            bool isResult) {
  const Symbol *symbol =
      operand.kind == Operand::Identifier ? find(operand.name) : nullptr;
  if (symbol && symbol->kind == Symbol::Argument) {
    if (symbol->bytes != variable.bytes())
      fail(op, "expected '" + std::string(variable.name) + "' of " +
                   std::to_string(variable.bytes()) + " bytes, got '" +
                   std::string(operand.name) + "' of " +
                   std::to_string(symbol->bytes));
    return symbol->slot;
  }
  if (variable.isArray)
    fail(op, "expected a variable in parameter space for '" +
                 std::string(variable.name) + "'");
  Value *slot = atEntry(bitsType(widthOf(variable)));
  if (!isResult)
    b.CreateStore(widthOf(variable) == 1 ? readPredicate(op, operand)
                                         : readBits(op, operand, variable.type),
                  slot);
  return slot;
}

/// The operands of a call.
struct KernelTranslator::CallOperands {
  std::vector<Operand> results, arguments;
  const Operand *callee = nullptr, *prototype = nullptr;
};

KernelTranslator::CallOperands KernelTranslator::callOperands(Op op) const {
  CallOperands result;
  for (const Operand &operand : op.operands) {
    if (operand.kind == Operand::List)
      (result.callee ? result.arguments : result.results) = operand.elements;
    else if (operand.kind == Operand::Identifier && !result.callee)
      result.callee = &operand;
    else if (operand.kind == Operand::Identifier && !result.prototype)
      result.prototype = &operand;
    else
      fail(op, "expected '(results), function, (arguments), prototype'");
  }
  if (!result.callee)
    fail(op, "expected the name of a function");
  return result;
}

static void expectCount(const char *what, size_t expected, size_t got,
                        std::string &why) {
  if (expected != got && why.empty())
    why = "expected " + std::to_string(expected) + " " + what + ", got " +
          std::to_string(got);
}

/// Passes the arguments and calls what `target` makes of their pointers: it
/// returns the bit that says whether the thread has ended.
void KernelTranslator::emitCallOf(
    Op op, const CallOperands &operands, const std::vector<Variable> &results,
    const std::vector<Variable> &params,
    const std::function<Value *(llvm::ArrayRef<Value *>)> &target) {
  std::string why;
  expectCount("results", results.size(), operands.results.size(), why);
  expectCount("arguments", params.size(), operands.arguments.size(), why);
  if (!why.empty())
    fail(op, why);
  std::vector<Value *> pointers = {context, endOfFrame()};
  for (size_t i = 0; i < results.size(); ++i)
    pointers.push_back(
        passArgument(op, results[i], operands.results[i], /*isResult=*/true));
  for (size_t i = 0; i < params.size(); ++i)
    pointers.push_back(
        passArgument(op, params[i], operands.arguments[i], /*isResult=*/false));
  Value *exited = target(pointers);
  for (size_t i = 0; i < results.size(); ++i) {
    const Operand &operand = operands.results[i];
    const Symbol *symbol =
        operand.kind == Operand::Identifier ? find(operand.name) : nullptr;
    if (!symbol || symbol->kind != Symbol::Argument)
      write(op, operand,
            b.CreateLoad(bitsType(widthOf(results[i])), pointers[2 + i]));
  }
  auto *gone = BasicBlock::Create(b.getContext(), "", body);
  auto *next = BasicBlock::Create(b.getContext(), "", body);
  b.CreateCondBr(exited, gone, next);
  b.SetInsertPoint(gone);
  leave(/*exits=*/true);
  b.SetInsertPoint(next);
}

void KernelTranslator::emitCall(Op op) {
  CallOperands operands = callOperands(op);
  const Symbol *symbol = find(operands.callee->name);
  if (symbol && symbol->kind == Symbol::Register)
    return emitIndirectCall(op, operands);
  FunctionFacts *facts = state.graph.lookup(operands.callee->name);
  if (!facts || facts->function->isEntry)
    fail(op, "'" + std::string(operands.callee->name) + "' is not a function");
  const Function &callee = *facts->function;
  emitCallOf(op, operands, callee.returns, callee.params,
             [&](llvm::ArrayRef<Value *> pointers) -> Value * {
               if (callee.hasBody)
                 return b.CreateCall(declareFunction(callee), pointers);
               callBuiltin(op, callee, pointers.drop_front(2));
               return b.getFalse();
             });
}

/// Functions that the device's runtime provides.
void KernelTranslator::callBuiltin(Op op, const Function &callee,
                                   llvm::ArrayRef<Value *> pointers) {
  auto value = [&](size_t index, Type *type) {
    return b.CreateLoad(type, pointers[index]);
  };
  auto *word = b.getInt32Ty(), *wide = b.getInt64Ty();
  size_t results = callee.returns.size(), params = callee.params.size();
  if (callee.name == "vprintf" && results == 1 && params == 2) {
    b.CreateStore(callback("heteroEmuPrintf", word,
                           {context, value(1, wide), value(2, wide)}),
                  pointers[0]);
    return;
  }
  if (callee.name == "__assertfail" && results == 0 && params == 5) {
    callback("heteroEmuAssertFail", b.getVoidTy(),
             {context, value(0, wide), value(1, wide), value(2, word),
              value(3, wide)});
    return;
  }
  bool isAligned = callee.name == "__cuda_syscall_aligned_malloc";
  if ((callee.name == "malloc" || isAligned) && results == 1 &&
      params == 1u + isAligned) {
    Value *align = b.getInt64(16);
    if (isAligned)
      align = value(2, wide);
    b.CreateStore(
        callback("heteroEmuAllocate", wide, {context, value(1, wide), align}),
        pointers[0]);
    return;
  }
  if (callee.name == "free" && results == 0 && params == 1) {
    meeting("heteroEmuFree", b.getVoidTy(), {context, value(0, wide)});
    return;
  }
  fail(op, "function '" + std::string(callee.name) +
               "' has no body; link the module that defines it");
}

/// Whether a call with the prototype may reach the function.
static bool matches(const Function &function,
                    const std::vector<Variable> &results,
                    const std::vector<Variable> &params) {
  auto same = [](const std::vector<Variable> &a,
                 const std::vector<Variable> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Variable &x, const Variable &y) {
                        return x.bytes() == y.bytes();
                      });
  };
  return function.hasBody && !function.isEntry &&
         same(function.returns, results) && same(function.params, params);
}

/// Chooses among the functions of the prototype by their addresses.
void KernelTranslator::emitIndirectCall(Op op, const CallOperands &operands) {
  const Statement *prototype =
      operands.prototype ? findPrototype(operands.prototype->name) : nullptr;
  if (!prototype)
    fail(op, "expected the label of a '.callprototype' directive");
  ScalarType wide;
  wide.bits = 64;
  Value *address = readBits(op, *operands.callee, wide);
  auto choose = [&](llvm::ArrayRef<Value *> pointers) -> Value * {
    auto *unknown = BasicBlock::Create(b.getContext(), "", body);
    auto *next = BasicBlock::Create(b.getContext(), "", body);
    auto *choice = b.CreateSwitch(address, unknown);
    std::vector<std::pair<Value *, BasicBlock *>> results;
    for (const auto &[name, number] : state.functions) {
      const Function &callee = *state.graph.lookup(name)->function;
      if (!matches(callee, prototype->returns, prototype->params))
        continue;
      auto *block = BasicBlock::Create(b.getContext(), "", body);
      choice->addCase(b.getInt64(functionAddress(number)), block);
      b.SetInsertPoint(block);
      results.emplace_back(b.CreateCall(declareFunction(callee), pointers),
                           block);
      b.CreateBr(next);
    }
    b.SetInsertPoint(unknown);
    trap(op.line, "calls something that is not a function of this type");
    b.SetInsertPoint(next);
    auto *exited = b.CreatePHI(b.getInt1Ty(), results.size());
    for (auto [value, block] : results)
      exited->addIncoming(value, block);
    return exited;
  };
  emitCallOf(op, operands, prototype->returns, prototype->params, choose);
}
