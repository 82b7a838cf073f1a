//===- FunctionState.h - A function while it is translated ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_FUNCTIONSTATE_H
#define HETERO_LIB_EMULATOR_TRANSLATE_FUNCTIONSTATE_H

#include "Emulator/Translate/ModuleState.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <map>
#include <string>
#include <unordered_map>

namespace hetero::emulator::ptx {

/// The function that is being written: its names, its blocks, and what it
/// counts. Registers are allocas of as many bits as they are declared with;
/// SROA turns them into values. Throws PTXError.
class FunctionState {
public:
  using Value = llvm::Value;
  using Type = llvm::Type;
  using Op = const Instruction &;

  struct Symbol {
    enum Kind {
      Register,
      Param,    ///< Of a kernel: an offset in the parameter block.
      Argument, ///< Of a call, or a function's own: memory at `slot`.
      Shared,
      Local, ///< An offset from the beginning of the frame.
      Global,
      Function
    } kind = Register;
    Value *slot = nullptr;
    unsigned bits = 0;
    uint64_t offset = 0, bytes = 0;
  };

  FunctionState(ModuleState &state, const Function &function,
                llvm::Module &module);
  /// Begins the entry block of `llvm`, whose local memory begins at `frame`.
  void begin(llvm::Function *llvm, Value *frame);
  [[noreturn]] void fail(Op op, const std::string &why = "") const;

  // Names.
  void openScope(const Block &block);
  void closeScope();
  void declareAll(const Block &block);
  void declareRegisters(const Variable &variable);
  void add(Name name, const Symbol &symbol, unsigned line);
  const Symbol *find(Name name);
  llvm::BasicBlock *findLabel(Op op, Name name);
  const std::vector<Name> *findTable(Name name);
  const Statement *findPrototype(Name name);

  // Blocks.
  llvm::BasicBlock *newBlock(llvm::StringRef name = "");
  /// Goes on in `next`, which comes after the block at hand.
  void finishBlock(llvm::BasicBlock *next);
  Value *atEntry(Type *type, bool isZero = false);
  /// Memory of the instruction at hand, which the next one uses again.
  Value *scratch(Type *type);
  /// Copies a register to the caller's memory when the function is left.
  void addResult(const Symbol &symbol, Value *pointer);
  void leave(bool exits);
  void trap(unsigned line, const char *what);

  // Counters.
  void count(size_t counter, Value *amount);
  void countInstruction();
  void spend(unsigned line);

  // Calls of the executor and of other functions.
  llvm::IntegerType *bitsType(unsigned bits) { return b.getIntNTy(bits); }
  Value *contextField(size_t offset, Type *type);
  Value *callback(const char *name, Type *result,
                  llvm::ArrayRef<Value *> arguments);
  /// A callback where threads meet, which notes its line.
  Value *meeting(const char *name, Type *result,
                 llvm::ArrayRef<Value *> arguments);
  llvm::Function *declareFunction(const Function &callee);

  ModuleState &state;
  const Function &function;
  llvm::Module &module;
  llvm::IRBuilder<> b;
  llvm::Function *body = nullptr;
  Value *context = nullptr, *frame = nullptr;
  const Instruction *current = nullptr;
  uint64_t paramBytes = 0; ///< Of a kernel.
  unsigned nextWindow = 0;

private:
  /// The names that one pair of braces declares.
  struct Scope {
    std::unordered_map<std::string_view, Symbol> symbols;
    std::unordered_map<std::string_view, llvm::BasicBlock *> labels;
    std::unordered_map<std::string_view, const std::vector<Name> *> tables;
    std::unordered_map<std::string_view, const Statement *> prototypes;
    std::vector<std::pair<std::pair<uint64_t, uint64_t>, Value *>> params;
  };

  /// A result in a register: copied to the caller's memory in the end.
  struct RegisterResult {
    Value *slot;
    Type *type;
    Value *pointer;
  };

  void declare(const Variable &variable);
  void storeCounts();

  /// Memory that instructions have in turn, and how much is in use.
  struct Scratch {
    std::vector<Value *> slots;
    size_t used = 0;
  };

  Value *paramMemory(const Variable &variable);

  llvm::BasicBlock *entry = nullptr;
  std::map<Type *, Scratch> scratches;
  const Instruction *scratchOf = nullptr;
  /// Of parameters of calls, by bytes and alignment: those of scopes that are
  /// closed.
  std::map<std::pair<uint64_t, uint64_t>, std::vector<Value *>> freeParams;
  Value *counts[kNumCounters] = {}; ///< Of this function, when it counts.
  std::vector<RegisterResult> registerResults;
  std::deque<std::string> names;
  std::vector<Scope> scopes;
  uint64_t unspent = 0; ///< Instructions that the budget does not know yet.
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_FUNCTIONSTATE_H
