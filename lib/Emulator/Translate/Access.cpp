//===- Access.cpp - Functions that check accesses -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Access.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;
using llvm::Value;

Value *hetero::emulator::ptx::loadField(llvm::IRBuilder<> &b, Value *base,
                                        size_t offset, llvm::Type *type) {
  auto *load = b.CreateAlignedLoad(
      type, b.CreateConstGEP1_64(b.getInt8Ty(), base, offset),
      llvm::Align(type->getScalarSizeInBits() == 32 ? 4 : 8));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(b.getContext(), {}));
  return load;
}

llvm::Function *hetero::emulator::ptx::declareAccess(llvm::Module &module,
                                                     const char *name) {
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *word = llvm::Type::getInt32Ty(context);
  auto *type = llvm::FunctionType::get(
      pointer,
      {pointer, llvm::Type::getInt64Ty(context), word, word, word, word},
      false);
  auto callee = module.getOrInsertFunction(name, type);
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  return function;
}

namespace {
/// Emits the body of one of the functions.
class AccessBuilder {
public:
  explicit AccessBuilder(llvm::Function &function)
      : function(function), b(function.getContext()) {
    b.SetInsertPoint(BasicBlock::Create(b.getContext(), "", &function));
  }

  void buildGlobal(bool asks);
  void build(const char *callback, size_t pointerField, Value *limit,
             Value *isAllowed);
  /// Of the thread's context.
  Value *field(size_t offset, llvm::Type *type) {
    return loadField(b, argument(0), offset, type);
  }
  Value *argument(unsigned index) { return function.getArg(index); }

  llvm::Function &function;
  llvm::IRBuilder<> b;

private:
  Value *fits(Value *offset, Value *limit);
  void finish(Value *ok, Value *host, const char *callback, Value *window);
};
} // namespace

/// True if [offset, offset + size) lies in [0, limit) and the address is
/// aligned.
Value *AccessBuilder::fits(Value *offset, Value *limit) {
  Value *size = b.CreateZExt(argument(2), b.getInt64Ty());
  Value *end = b.CreateAdd(offset, size);
  Value *inside =
      b.CreateAnd(b.CreateICmpULE(end, limit), b.CreateICmpULT(offset, end));
  Value *low = b.CreateAnd(argument(1), b.CreateSub(size, b.getInt64(1)));
  return b.CreateAnd(inside, b.CreateICmpEQ(low, b.getInt64(0)));
}

/// Returns `host` if `ok`, else what the executor says.
void AccessBuilder::finish(Value *ok, Value *host, const char *callback,
                           Value *window) {
  auto *slow = BasicBlock::Create(b.getContext(), "", &function);
  auto *fast = BasicBlock::Create(b.getContext(), "", &function);
  b.CreateCondBr(ok, fast, slow);
  b.SetInsertPoint(fast);
  b.CreateRet(host);
  b.SetInsertPoint(slow);
  std::vector<Value *> arguments;
  for (unsigned i = 0; i < 5; ++i)
    arguments.push_back(argument(i));
  if (window)
    arguments.push_back(window);
  std::vector<llvm::Type *> types;
  for (Value *value : arguments)
    types.push_back(value->getType());
  auto *type = llvm::FunctionType::get(b.getPtrTy(), types, false);
  b.CreateRet(b.CreateCall(
      function.getParent()->getOrInsertFunction(callback, type), arguments));
}

void AccessBuilder::buildGlobal(bool asks) {
  Value *windows = field(offsetof(ThreadContext, windows), b.getPtrTy());
  auto *bytes = llvm::ArrayType::get(b.getInt8Ty(), sizeof(AccessWindow));
  Value *window = b.CreateGEP(bytes, windows, argument(5));
  auto load = [&](size_t offset, llvm::Type *type) {
    return b.CreateLoad(type,
                        b.CreateConstGEP1_64(b.getInt8Ty(), window, offset));
  };
  Value *begin = load(offsetof(AccessWindow, begin), b.getInt64Ty());
  Value *size = load(offsetof(AccessWindow, size), b.getInt64Ty());
  Value *host = load(offsetof(AccessWindow, host), b.getPtrTy());
  Value *offset = b.CreateSub(argument(1), begin);
  Value *ok = asks ? b.getFalse() : fits(offset, size);
  finish(ok, b.CreateGEP(b.getInt8Ty(), host, offset), "heteroEmuTranslate",
         window);
}

void AccessBuilder::build(const char *callback, size_t pointerField,
                          Value *limit, Value *isAllowed) {
  Value *base = field(pointerField, b.getPtrTy());
  Value *ok = b.CreateAnd(fits(argument(1), limit), isAllowed);
  finish(ok, b.CreateGEP(b.getInt8Ty(), base, argument(1)), callback, nullptr);
}

/// Each access that is inlined is three blocks, and LLVM's code generator takes
/// a time that is cubic in their number.
static bool areMany(const llvm::Module &module) {
  constexpr unsigned kMostInlined = 800;
  unsigned count = 0;
  for (const char *name :
       {"emu.global", "emu.shared", "emu.local", "emu.param"})
    if (const llvm::Function *function = module.getFunction(name))
      count += function->getNumUses();
  return count > kMostInlined;
}

void hetero::emulator::ptx::defineAccesses(llvm::Module &module, bool asks,
                                           bool asksShared) {
  auto inlining = areMany(module) ? llvm::Attribute::NoInline
                                  : llvm::Attribute::AlwaysInline;
  auto begin = [&](const char *name) -> llvm::Function * {
    llvm::Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration())
      return nullptr;
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    function->addFnAttr(inlining);
    return function;
  };
  if (llvm::Function *function = begin("emu.global"))
    AccessBuilder(*function).buildGlobal(asks);
  struct Own {
    const char *name, *callback;
    size_t pointer, size;
    bool asks;
  };
  for (Own own :
       {Own{"emu.shared", "heteroEmuShared", offsetof(ThreadContext, shared),
            offsetof(ThreadContext, sharedBytes), asksShared},
        Own{"emu.local", "heteroEmuLocal", offsetof(ThreadContext, local),
            offsetof(ThreadContext, localBytes), false}})
    if (llvm::Function *function = begin(own.name)) {
      AccessBuilder builder(*function);
      Value *limit =
          builder.b.CreateZExt(builder.field(own.size, builder.b.getInt32Ty()),
                               builder.b.getInt64Ty());
      builder.build(own.callback, own.pointer, limit,
                    builder.b.getInt1(!own.asks));
    }
  // The last argument is the size of the parameters; they are constant.
  if (llvm::Function *function = begin("emu.param")) {
    AccessBuilder builder(*function);
    Value *limit =
        builder.b.CreateZExt(builder.argument(5), builder.b.getInt64Ty());
    builder.build("heteroEmuParam", offsetof(ThreadContext, params), limit,
                  builder.b.CreateIsNull(
                      builder.b.CreateAnd(builder.argument(3), kWrites)));
  }
}
