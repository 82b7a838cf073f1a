//===- CallEmitter.cpp - Calls and the stack ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Threads/CallEmitter.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/PTX/Lexer.h"
#include "Emulator/Translate/RuleWords.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

llvm::ArrayRef<Rule> CallEmitter::rules() {
  using E = CallEmitter;
  static const Rule table[] = {
      {"call", "", "", "uni", 1, 4, &E::emitCall},
      {"alloca", "u32 u64", "", "", 2, 3, &E::emitAlloca},
      {"stacksave", "u32 u64", "", "", 1, 1, &E::emitStackPointer},
      {"stackrestore", "u32 u64", "", "", 1, 1, &E::emitStackPointer},
  };
  return table;
}

/// Where callees have their frames.
llvm::Value *CallEmitter::endOfFrame() {
  const FunctionFacts &facts = f.state.graph.facts(f.function);
  Value *end = b.CreateAdd(f.frame, b.getInt64(facts.frameBytes));
  if (!facts.allocates)
    return end;
  if (!top) {
    top = f.atEntry(b.getInt64Ty());
    llvm::IRBuilder<> builder(
        llvm::cast<llvm::Instruction>(top)->getNextNode());
    builder.CreateStore(
        builder.CreateAdd(f.frame, builder.getInt64(facts.frameBytes)), top);
  }
  return b.CreateLoad(b.getInt64Ty(), top);
}

/// alloca: moves the end of the frame, up to where callees need the rest.
void CallEmitter::emitAlloca(Op op) {
  uint64_t align = 16;
  if (op.operands.size() == 3) {
    align = std::max<uint64_t>(op.operands[2].integer, align);
    if (op.operands[2].kind != Operand::Integer || (align & (align - 1)) != 0)
      f.fail(op, "expected an alignment that is a power of two");
  }
  const FunctionFacts &facts = f.state.graph.facts(f.function);
  uint64_t forCallees = facts.stackBytes - facts.frameBytes - kUnknownStack;
  Value *size =
      b.CreateZExt(f.readBits(op, op.operands[1], f.type(op)), b.getInt64Ty());
  auto alignUp = [&](Value *value, uint64_t to) {
    return b.CreateAnd(b.CreateAdd(value, b.getInt64(to - 1)),
                       b.getInt64(0 - to));
  };
  Value *begin = alignUp(endOfFrame(), align);
  Value *end = alignUp(b.CreateAdd(begin, size), 16);
  Value *limit = b.CreateSub(
      b.CreateZExt(
          f.contextField(offsetof(ThreadContext, localBytes), b.getInt32Ty()),
          b.getInt64Ty()),
      b.getInt64(forCallees));
  auto *full = f.newBlock();
  auto *next = f.newBlock();
  b.CreateCondBr(
      b.CreateOr(b.CreateICmpUGT(size, limit), b.CreateICmpSGT(end, limit)),
      full, next);
  b.SetInsertPoint(full);
  f.trap(op.line, "alloca asks for more than is left of the stack");
  b.SetInsertPoint(next);
  b.CreateStore(end, top);
  f.write(op, op.operands[0],
          b.CreateTrunc(begin, f.bitsType(f.type(op).bits)));
}

/// stacksave and stackrestore.
void CallEmitter::emitStackPointer(Op op) {
  Value *end = endOfFrame();
  auto *wide = b.getInt64Ty();
  if (op.opcode == "stacksave")
    return f.write(op, op.operands[0],
                   b.CreateTrunc(end, f.bitsType(f.type(op).bits)));
  Value *restored =
      b.CreateZExt(f.readBits(op, op.operands[0], f.type(op)), wide);
  // Without alloca in the function there is nothing to give back.
  if (!top)
    return;
  // What the thread has given back before it cannot have again.
  Value *least = b.CreateAdd(
      f.frame, b.getInt64(f.state.graph.facts(f.function).frameBytes));
  auto *wrong = f.newBlock();
  auto *next = f.newBlock();
  b.CreateCondBr(b.CreateOr(b.CreateICmpUGT(restored, end),
                            b.CreateICmpULT(restored, least)),
                 wrong, next);
  b.SetInsertPoint(wrong);
  f.trap(op.line, "stackrestore goes to where the stack does not end");
  b.SetInsertPoint(next);
  b.CreateStore(restored, top);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static unsigned widthOf(const Variable &variable) {
  return variable.type.kind == ScalarType::Pred ? 1 : variable.type.totalBits();
}

/// A pointer to what the callee sees as `variable`.
llvm::Value *CallEmitter::passArgument(Op op, const Variable &variable,
                                       const Operand &operand, bool isResult) {
  const Symbol *symbol =
      operand.kind == Operand::Identifier ? f.find(operand.name) : nullptr;
  if (symbol && symbol->kind == Symbol::Argument) {
    if (symbol->bytes != variable.bytes())
      f.fail(op, "expected '" + std::string(variable.name) + "' of " +
                     std::to_string(variable.bytes()) + " bytes, got '" +
                     std::string(operand.name) + "' of " +
                     std::to_string(symbol->bytes));
    return symbol->slot;
  }
  if (variable.isArray)
    f.fail(op, "expected a variable in parameter space for '" +
                   std::string(variable.name) + "'");
  Value *slot = f.scratch(f.bitsType(widthOf(variable)));
  if (!isResult)
    b.CreateStore(widthOf(variable) == 1
                      ? f.readPredicate(op, operand)
                      : f.readBits(op, operand, variable.type),
                  slot);
  return slot;
}

/// The operands of a call.
struct CallEmitter::CallOperands {
  std::vector<Operand> results, arguments;
  const Operand *callee = nullptr, *prototype = nullptr;
};

CallEmitter::CallOperands CallEmitter::callOperands(Op op) const {
  CallOperands result;
  for (const Operand &operand : op.operands) {
    if (operand.kind == Operand::List)
      (result.callee ? result.arguments : result.results) = operand.elements;
    else if (operand.kind == Operand::Identifier && !result.callee)
      result.callee = &operand;
    else if (operand.kind == Operand::Identifier && !result.prototype)
      result.prototype = &operand;
    else
      f.fail(op, "expected '(results), function, (arguments), prototype'");
  }
  if (!result.callee)
    f.fail(op, "expected the name of a function");
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
void CallEmitter::emitCallOf(
    Op op, const CallOperands &operands, const std::vector<Variable> &results,
    const std::vector<Variable> &params,
    const std::function<Value *(llvm::ArrayRef<Value *>)> &target) {
  std::string why;
  expectCount("results", results.size(), operands.results.size(), why);
  expectCount("arguments", params.size(), operands.arguments.size(), why);
  if (!why.empty())
    f.fail(op, why);
  std::vector<Value *> pointers = {f.context, endOfFrame()};
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
        operand.kind == Operand::Identifier ? f.find(operand.name) : nullptr;
    if (!symbol || symbol->kind != Symbol::Argument)
      f.write(op, operand,
              b.CreateLoad(f.bitsType(widthOf(results[i])), pointers[2 + i]));
  }
  auto *gone = f.newBlock();
  auto *next = f.newBlock();
  b.CreateCondBr(exited, gone, next);
  b.SetInsertPoint(gone);
  f.leave(/*exits=*/true);
  b.SetInsertPoint(next);
}

void CallEmitter::emitCall(Op op) {
  CallOperands operands = callOperands(op);
  const Symbol *symbol = f.find(operands.callee->name);
  if (symbol && symbol->kind == Symbol::Register)
    return emitIndirectCall(op, operands);
  FunctionFacts *facts = f.state.graph.lookup(operands.callee->name);
  if (!facts || facts->function->isEntry)
    f.fail(op,
           "'" + std::string(operands.callee->name) + "' is not a function");
  const Function &callee = *facts->function;
  emitCallOf(op, operands, callee.returns, callee.params,
             [&](llvm::ArrayRef<Value *> pointers) -> Value * {
               if (callee.hasBody)
                 return b.CreateCall(f.declareFunction(callee), pointers);
               callBuiltin(op, callee, pointers.drop_front(2));
               return b.getFalse();
             });
}

/// Functions that the device's runtime provides.
void CallEmitter::callBuiltin(Op op, const Function &callee,
                              llvm::ArrayRef<Value *> pointers) {
  auto value = [&](size_t index, Type *type) {
    return b.CreateLoad(type, pointers[index]);
  };
  auto *word = b.getInt32Ty(), *wide = b.getInt64Ty();
  size_t results = callee.returns.size(), params = callee.params.size();
  if (callee.name == "vprintf" && results == 1 && params == 2) {
    b.CreateStore(f.callback("heteroEmuPrintf", word,
                             {f.context, value(1, wide), value(2, wide)}),
                  pointers[0]);
    return;
  }
  if (callee.name == "__assertfail" && results == 0 && params == 5) {
    f.callback("heteroEmuAssertFail", b.getVoidTy(),
               {f.context, value(0, wide), value(1, wide), value(2, word),
                value(3, wide)});
    return;
  }
  bool isAligned = callee.name == "__cuda_syscall_aligned_malloc";
  if ((callee.name == "malloc" || isAligned) && results == 1 &&
      params == 1u + isAligned) {
    Value *align = b.getInt64(16);
    if (isAligned)
      align = value(2, wide);
    b.CreateStore(f.callback("heteroEmuAllocate", wide,
                             {f.context, value(1, wide), align}),
                  pointers[0]);
    return;
  }
  if (callee.name == "free" && results == 0 && params == 1) {
    f.meeting("heteroEmuFree", b.getVoidTy(), {f.context, value(0, wide)});
    return;
  }
  f.fail(op, "function '" + std::string(callee.name) +
                 "' has no body; link the module that defines it");
}

/// Whether a call with the prototype may reach the function.
static bool matches(const Function &callee,
                    const std::vector<Variable> &results,
                    const std::vector<Variable> &params) {
  auto same = [](const std::vector<Variable> &a,
                 const std::vector<Variable> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Variable &x, const Variable &y) {
                        return x.bytes() == y.bytes();
                      });
  };
  return callee.hasBody && !callee.isEntry && same(callee.returns, results) &&
         same(callee.params, params);
}

/// Chooses among the functions of the prototype by their addresses.
/// The types of a call through an address: a prototype's, or those of the first
/// of the targets that a table names.
CallEmitter::CallTargets CallEmitter::targetsOf(Op op,
                                                const CallOperands &operands) {
  Name label = operands.prototype ? operands.prototype->name : Name();
  if (const Statement *prototype = f.findPrototype(label))
    return {&prototype->returns, &prototype->params, {}};
  CallTargets result;
  if (const std::vector<Name> *table = f.findTable(label))
    for (Name name : *table) {
      FunctionFacts *facts = f.state.graph.lookup(name);
      if (!facts || facts->function->isEntry)
        f.fail(op, "'" + std::string(name) + "' is not a function");
      result.functions.insert(facts->function);
      if (!result.returns) {
        result.returns = &facts->function->returns;
        result.params = &facts->function->params;
      }
    }
  if (!result.returns)
    f.fail(op, "expected the label of a '.callprototype' or a '.calltargets' "
               "directive");
  return result;
}

void CallEmitter::emitIndirectCall(Op op, const CallOperands &operands) {
  CallTargets targets = targetsOf(op, operands);
  ScalarType wide;
  wide.bits = 64;
  Value *address = f.readBits(op, *operands.callee, wide);
  auto choose = [&](llvm::ArrayRef<Value *> pointers) -> Value * {
    auto *unknown = f.newBlock();
    auto *next = f.newBlock();
    auto *choice = b.CreateSwitch(address, unknown);
    std::vector<std::pair<Value *, BasicBlock *>> results;
    for (const auto &[name, number] : f.state.functions) {
      const Function &callee = *f.state.graph.lookup(name)->function;
      if (!matches(callee, *targets.returns, *targets.params) ||
          (!targets.functions.empty() && !targets.functions.count(&callee)))
        continue;
      auto *block = f.newBlock();
      choice->addCase(b.getInt64(functionAddress(number)), block);
      b.SetInsertPoint(block);
      results.emplace_back(b.CreateCall(f.declareFunction(callee), pointers),
                           block);
      b.CreateBr(next);
    }
    b.SetInsertPoint(unknown);
    f.trap(op.line, "calls something that is not a function of this type");
    b.SetInsertPoint(next);
    auto *exited = b.CreatePHI(b.getInt1Ty(), results.size());
    for (auto [value, block] : results)
      exited->addIncoming(value, block);
    return exited;
  };
  emitCallOf(op, operands, *targets.returns, *targets.params, choose);
}
