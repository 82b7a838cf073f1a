//===- PTXKernel.h - Translates one PTX kernel to LLVM IR -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTXKERNEL_H
#define HETERO_LIB_EMULATOR_PTXKERNEL_H

#include "hetero/Emulator/PTXAST.h"
#include "hetero/Emulator/PTXCallGraph.h"
#include "hetero/Emulator/PTXCompiler.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

namespace hetero::emulator::ptx {

/// What the kernels of a module share.
struct ModuleState {
  explicit ModuleState(const Module &ptx) : ptx(ptx), graph(ptx) {}

  const Module &ptx;
  CallGraph graph;
  /// Module-scope .global and .const variables and their number.
  std::map<Name, size_t> globals;
  std::map<Name, const Variable *> shared;
  /// Device addresses of the globals, read by compiled code.
  std::vector<uint64_t> addresses;
};

/// Emits `void name(ThreadContext *)`. Registers are allocas of as many bits as
/// they are declared with; SROA turns them into values. Throws PTXError.
class KernelTranslator {
public:
  KernelTranslator(ModuleState &state, const Function &function,
                   llvm::Module &llvm, CompiledKernel &kernel);
  void run();

private:
  using Value = llvm::Value;
  using Type = llvm::Type;
  using Op = const Instruction &;

  struct Symbol {
    enum Kind { Register, Param, Shared, DynamicShared, Local, Global } kind;
    Value *slot = nullptr;
    unsigned bits = 0;
    uint64_t offset = 0;
  };

  // Structure.
  void bindParams();
  void declareAll(const Block &block);
  void declare(const Variable &variable);
  void translate(const Block &block);
  void translateGuarded(Op op);
  void translateOp(Op op);
  void finishBlock(llvm::BasicBlock *next);
  [[noreturn]] void fail(Op op, const std::string &why = "") const;
  const Symbol *find(Name name);

  // Modifiers of the instruction at hand.
  bool has(Name modifier) const;
  std::vector<ScalarType> types() const;
  ScalarType type(Op op) const;

  // Operands.
  llvm::IntegerType *bitsType(unsigned bits) { return b.getIntNTy(bits); }
  Type *valueType(ScalarType type);
  Value *readBits(Op op, const Operand &operand, ScalarType type);
  Value *read(Op op, const Operand &operand, ScalarType type);
  Value *readPredicate(Op op, const Operand &operand);
  void write(Op op, const Operand &operand, Value *value,
             bool isSigned = false);
  Value *specialRegister(Op op, const Operand &operand);
  Value *symbolAddress(Op op, const Symbol &symbol);
  Value *contextField(size_t offset, Type *type);
  Value *splat(Type *type, double value);

  // Instructions.
  bool integerOp(Op op);
  bool floatOp(Op op);
  bool bitOp(Op op);
  bool moveOp(Op op);
  bool memoryOp(Op op);
  bool controlOp(Op op);
  bool collectiveOp(Op op);
  void emitMov(Op op);
  void emitCvt(Op op);
  void emitSetp(Op op);
  void emitAtom(Op op);
  void emitBitField(Op op);
  void emitPermute(Op op);
  void emitFunnelShift(Op op);
  Value *compare(Op op, Name relation, ScalarType type, Value *x, Value *y);
  Value *convert(Op op, Value *value, ScalarType from, ScalarType to);
  Value *saturate(Value *value);
  Value *intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value *> operands);
  Value *hostAddress(Op op, const Operand &operand, uint64_t size,
                     bool isStore);
  Value *addressValue(Op op, const Operand &operand);
  Value *globalAddress(Value *address, uint64_t size, bool isStore);
  Value *blockAddress(const char *callback, size_t pointerField,
                      size_t sizeField, Value *offset, uint64_t size,
                      bool isStore);
  Value *checked(Value *ok, Value *fast, const std::function<Value *()> &slow);
  Value *callback(const char *name, Type *result,
                  llvm::ArrayRef<Value *> arguments);

  ModuleState &state;
  const Function &function;
  llvm::Module &llvm;
  CompiledKernel &kernel;
  llvm::IRBuilder<> b;
  llvm::Function *body = nullptr;
  llvm::BasicBlock *entry = nullptr;
  Value *context = nullptr;
  const Instruction *current = nullptr;
  std::deque<std::string> names;
  std::unordered_map<std::string_view, Symbol> symbols;
  std::unordered_map<std::string_view, llvm::BasicBlock *> labels;
  unsigned nextWindow = 0;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTXKERNEL_H
