//===- Kernel.h - Translates PTX functions to LLVM IR -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_KERNEL_H
#define HETERO_LIB_EMULATOR_TRANSLATE_KERNEL_H

#include "Emulator/Compile/Compiler.h"
#include "Emulator/Execute/Matrices/MatrixTypes.h"
#include "Emulator/PTX/AST.h"
#include "Emulator/PTX/CallGraph.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

namespace hetero::emulator::ptx {

/// Attribute of functions that do not call themselves.
constexpr const char *kMayInline = "hetero-may-inline";

/// Where compiled code finds ModuleState::addresses.
constexpr const char *kAddresses = "emu.addresses";

/// What the functions of a module share.
struct ModuleState {
  ModuleState(const Module &ptx, const CompileOptions &options)
      : ptx(ptx), options(options), graph(ptx) {}

  const Module &ptx;
  const CompileOptions options;
  CallGraph graph;
  /// Module-scope .global and .const variables and their number.
  std::map<Name, size_t> globals;
  std::map<Name, const Variable *> shared;
  /// Device addresses of the globals, read by compiled code.
  std::vector<uint64_t> addresses;
  /// Functions that have a body, kernels aside, and their number.
  std::map<Name, size_t> functions;
};

/// What a pointer to a function holds.
uint64_t functionAddress(size_t number);

/// Whether A and B have the same type, but for the signs of integers.
bool goTogether(MatrixElement a, MatrixElement b);
/// Whether sums of products of such elements may have the type.
bool isSumOf(MatrixElement sum, MatrixElement operand);

/// Emits a kernel, as `void ptx.name(ThreadContext *)`, or another function.
/// Registers are allocas of as many bits as they are declared with; SROA turns
/// them into values. Throws PTXError.
class KernelTranslator {
public:
  KernelTranslator(ModuleState &state, const Function &function,
                   llvm::Module &llvm);
  /// Fills in the parameters of `kernel`.
  void runKernel(CompiledKernel &kernel);
  void runFunction();

private:
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

  /// The names that one pair of braces declares.
  struct Scope {
    std::unordered_map<std::string_view, Symbol> symbols;
    std::unordered_map<std::string_view, llvm::BasicBlock *> labels;
    std::unordered_map<std::string_view, const std::vector<Name> *> tables;
    std::unordered_map<std::string_view, const Statement *> prototypes;
  };

  /// A result in a register: copied to the caller's memory in the end.
  struct RegisterResult {
    Value *slot;
    Type *type;
    Value *pointer;
  };

  /// What an instruction may look like, and what translates it. Lists are
  /// separated by blanks.
  struct Rule {
    const char *opcodes;
    const char *types;     ///< Each type is one of these.
    const char *required;  ///< One of these; groups are separated by '|'.
    const char *modifiers; ///< Any of these.
    unsigned least, most;  ///< Operands.
    void (KernelTranslator::*emit)(Op);
    unsigned numTypes = 1; ///< When there are types.
  };
  static const Rule kRules[];
  static const Rule *findRule(Op op, std::string &why);
  static std::string mismatch(Op op, const Rule &rule, unsigned &progress);

  // Structure (Kernel.cpp).
  void begin();
  void translateBody();
  void bindParams(CompiledKernel &kernel);
  void declareAll(const Block &block);
  void declare(const Variable &variable);
  void declareRegisters(const Variable &variable);
  void add(Name name, const Symbol &symbol, unsigned line);
  void translate(const Block &block);
  void translateGuarded(Op op);
  void finishBlock(llvm::BasicBlock *next);
  Value *atEntry(Type *type, bool isZero = false);
  void count(size_t counter, Value *amount);
  void countFlops(Op op);
  void storeCounts();
  void spend(unsigned line);
  [[noreturn]] void fail(Op op, const std::string &why = "") const;
  const Symbol *find(Name name);
  llvm::BasicBlock *findLabel(Op op, Name name);
  const std::vector<Name> *findTable(Name name);
  const Statement *findPrototype(Name name);

  // Functions (KernelCalls.cpp).
  struct CallOperands;
  llvm::Function *declareFunction(const Function &callee);
  void bindArgument(const Variable &variable, Value *pointer, bool isResult);
  void checkStack();
  Value *endOfFrame();
  void emitAlloca(Op op);
  void emitStackPointer(Op op);
  void leave(bool exits);
  void emitCall(Op op);
  void emitIndirectCall(Op op, const CallOperands &operands);
  void
  emitCallOf(Op op, const CallOperands &operands,
             const std::vector<Variable> &results,
             const std::vector<Variable> &params,
             const std::function<Value *(llvm::ArrayRef<Value *>)> &target);
  void callBuiltin(Op op, const Function &callee,
                   llvm::ArrayRef<Value *> pointers);
  CallOperands callOperands(Op op) const;
  Value *passArgument(Op op, const Variable &variable, const Operand &operand,
                      bool isResult);

  // Modifiers of the instruction at hand.
  bool has(Name modifier) const;
  /// Names shared memory; that of a cluster is the block's own.
  bool isShared() const {
    return has("shared") || has("shared::cta") || has("shared::cluster");
  }
  std::vector<ScalarType> types() const;
  ScalarType type(Op op) const;

  // Operands (KernelOperands.cpp). Registers have the width of the type;
  // loads, stores and conversions allow wider ones.
  llvm::IntegerType *bitsType(unsigned bits) { return b.getIntNTy(bits); }
  Type *valueType(ScalarType type);
  Value *readBits(Op op, const Operand &operand, ScalarType type,
                  bool mayBeWider = false);
  Value *readLiteral(const Operand &operand, ScalarType type);
  Value *read(Op op, const Operand &operand, ScalarType type,
              bool mayBeWider = false);
  Value *readWord(Op op, const Operand &operand);
  Value *readPredicate(Op op, const Operand &operand);
  void write(Op op, const Operand &operand, Value *value,
             bool mayBeWider = false, bool isSigned = false);
  Value *specialRegister(Op op, const Operand &operand);
  Value *vectorRegister(const Operand &operand);
  Value *wordRegister(Name name);
  Value *laneMask(Name name);
  Value *symbolAddress(Op op, const Symbol &symbol);
  Value *contextField(size_t offset, Type *type);
  Value *callback(const char *name, Type *result,
                  llvm::ArrayRef<Value *> arguments);
  /// A callback where threads meet, which notes its line.
  Value *meeting(const char *name, Type *result,
                 llvm::ArrayRef<Value *> arguments);

  // Integers and bits (KernelInteger.cpp, KernelBits.cpp).
  void emitInteger(Op op);
  void emitMultiply(Op op);
  void emitCarry(Op op);
  void emitDotProduct(Op op);
  void emitAbsoluteDifferences(Op op);
  Value *carrySlot();
  void emitLogic(Op op);
  void emitShift(Op op);
  void emitCount(Op op);
  void emitFindSet(Op op);
  void emitLop3(Op op);
  void emitBitFieldExtract(Op op);
  void emitBitFieldInsert(Op op);
  void emitPermute(Op op);
  void emitFunnelShift(Op op);
  void emitMask(Op op);
  void emitExtend(Op op);
  Value *shiftLeft(Value *value, Value *amount);
  Value *shiftRight(Value *value, Value *amount);
  Value *byteOf(Op op, const Operand &operand, Type *type);

  // Floating point (KernelFloat.cpp).
  void emitFloat(Op op);
  void emitDirected(Op op);
  void emitSign(Op op);
  void emitXorSign(Op op);
  Value *floatResult(Op op, llvm::ArrayRef<Value *> x);
  Value *halfFma(llvm::ArrayRef<Value *> x, ScalarType type);
  Value *widen(Value *value);
  Value *narrow(Value *value, ScalarType type);
  Value *flush(Value *value, ScalarType type);
  Value *finishFloat(Value *value, ScalarType type);
  Value *readFloat(Op op, const Operand &operand, ScalarType type);
  Value *saturate(Value *value);
  Value *intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value *> operands);
  Value *splat(Type *type, double value);

  // Comparison and conversion.
  void emitSetp(Op op);
  void emitSet(Op op);
  void emitSelp(Op op);
  void emitSlct(Op op);
  void emitTestp(Op op);
  void emitCvt(Op op);
  void emitPack(Op op);
  void emitToSmall(Op op);
  void emitFromSmall(Op op);
  Value *comparison(Op op);
  Value *joinedPredicate(Op op);
  Value *compare(Op op, Name relation, ScalarType type, Value *x, Value *y);
  Value *combine(Op op, Value *value, Value *with);
  Value *convert(Op op, Value *value, ScalarType from, ScalarType to);
  Value *convertFloat(Op op, Value *value, ScalarType from, ScalarType to);
  Value *floatToInteger(Op op, Value *value, ScalarType from, ScalarType to);
  Value *integerToFloat(Op op, Value *value, ScalarType from, ScalarType to);
  Value *convertInteger(Value *value, ScalarType from, ScalarType to);
  Value *roundTo(Op op, Value *value, ScalarType to);
  Value *makeFinite(Value *value, ScalarType type);
  uint32_t rounding() const;

  // Memory (KernelMemory.cpp, KernelAtomics.cpp).
  void emitMov(Op op);
  void emitCvta(Op op);
  void emitIsSpace(Op op);
  void emitLoad(Op op);
  void emitStore(Op op);
  void emitAtom(Op op);
  void emitAsyncCopy(Op op);
  Value *asyncCopySize(Op op, uint64_t bytes);
  void copyBytes(llvm::Value *source, llvm::Value *to, llvm::Value *count,
                 llvm::BasicBlock *next);
  void emitNothing(Op op);
  void emitPolicy(Op op);
  bool isOrdered() const;
  uint32_t orderKind() const;
  llvm::ArrayRef<Operand> elements(Op op, const Operand &value);
  void emitFence(Op op);
  void letOthersRun(Op op);
  Value *atomicHalfAdd(Value *host, Value *operand, ScalarType type);
  Value *hostAddress(Op op, const Operand &operand, uint64_t size,
                     uint32_t kind);
  Value *argumentAddress(Op op, const Operand &operand, uint64_t size);
  Value *addressValue(Op op, const Operand &operand);
  Value *globalAddress(Value *address, uint64_t size, uint32_t kind);
  Value *paramAddress(Value *offset, uint64_t size, uint32_t kind);
  Value *accessAddress(const char *name, Value *address, uint64_t size,
                       uint32_t kind, uint64_t last = 0);

  // Control and collectives.
  void emitBranch(Op op);
  void emitIndexedBranch(Op op);
  void emitReturn(Op op);
  void emitTrap(Op op);
  void emitSleep(Op op);
  void trap(unsigned line, const char *what);
  void emitBarrier(Op op);
  void emitBarrierReduce(Op op);
  void emitWarpSync(Op op);
  void emitShuffle(Op op);
  void emitVote(Op op);
  void emitMatch(Op op);
  void emitRedux(Op op);
  void emitActiveMask(Op op);
  Value *activeMask();
  Value *membersOf(Op op, size_t index);
  void emitElect(Op op);
  void writePair(Op op, Value *both);
  Value *phase(Op op, const Operand &address, uint32_t operation,
               Value *operand);
  void emitPhaseObject(Op op);
  void emitPhaseArrive(Op op);
  void emitPhaseTest(Op op);
  void emitPhaseCount(Op op);
  void emitPhaseOfCopies(Op op);
  void emitPhaseBytes(Op op);

  // Asynchronous operations (KernelAsync.cpp).
  void emitBulkCopy(Op op);
  void emitTensorCopy(Op op);
  void emitGroups(Op op);
  void emitReplaceMap(Op op);
  void emitCopyMap(Op op);
  Value *genericAddress(Op op, const Operand &operand, bool isShared);
  void emitRegisterCount(Op op);
  void checkHint(Op op, size_t operands);
  Value *tensorMapAddress(Op op, const Operand &operand);
  Value *coordinatesOf(Op op, const Operand &operand, unsigned rank);

  // Matrices (KernelMatrix.cpp).
  void emitMatrixMultiply(Op op);
  void emitQuadMultiply(Op op);
  void emitLoadMatrix(Op op);
  void emitStoreMatrix(Op op);
  void emitMoveMatrix(Op op);
  void emitGroupMultiply(Op op);
  bool readSign(Op op, const Operand &operand);
  bool readFlag(Op op, const Operand &operand);
  void emitFragmentLoad(Op op);
  void emitFragmentStore(Op op);
  void emitFragmentMultiply(Op op);
  std::vector<MatrixElement> elementTypes() const;
  FragmentType fragmentType(Op op, char operand, MatrixElement element) const;
  void accessFragment(Op op, const FragmentType &type, const Operand &address,
                      bool isStore, Value *words);
  Value *constantWords(llvm::ArrayRef<uint32_t> words);
  Value *readRegisters(Op op, const Operand &operand, unsigned count,
                       unsigned bits);
  void readRegistersTo(Value *words, Op op, const Operand &operand,
                       unsigned count, unsigned bits);
  void writeRegisters(Op op, const Operand &operand, unsigned count,
                      unsigned bits, Value *words);
  llvm::ArrayRef<Operand> registersOf(Op op, const Operand &operand,
                                      unsigned count);

  ModuleState &state;
  const Function &function;
  llvm::Module &llvm;
  llvm::IRBuilder<> b;
  llvm::Function *body = nullptr;
  llvm::BasicBlock *entry = nullptr;
  Value *context = nullptr, *frame = nullptr;
  Value *top = nullptr; ///< Where the frame ends, if alloca moves that.
  Value *counts[kNumCounters] = {}; ///< Of this function, when it counts.
  Value *carry = nullptr;           ///< The condition code, once it is used.
  Value *groupWords = nullptr;      ///< Registers of wgmma, once it is used.
  std::vector<RegisterResult> registerResults;
  const Instruction *current = nullptr;
  std::deque<std::string> names;
  std::vector<Scope> scopes;
  uint64_t paramBytes = 0;
  unsigned nextWindow = 0;
  uint64_t unspent = 0; ///< Instructions that the budget does not know yet.
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_KERNEL_H
