//===- EntryTableModule.cpp - The table of entry points as LLVM IR --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryTableModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace mlir::hetero;

namespace {
/// Builds the constants of include/hetero/Runner/Runner.h.
class TableBuilder {
public:
  explicit TableBuilder(llvm::Module &module)
      : module(module), context(module.getContext()),
        pointer(PointerType::getUnqual(context)),
        i32(Type::getInt32Ty(context)), i64(Type::getInt64Ty(context)),
        valueType(StructType::get(context, {i32, i32, i32, i32, pointer})),
        entryType(StructType::get(
            context, {pointer, pointer, i64, pointer, i64, pointer})) {}

  Constant *addTable(ArrayRef<EntryPoint> entries) {
    SmallVector<Constant *> table;
    for (const EntryPoint &entry : entries)
      table.push_back(ConstantStruct::get(
          entryType, {addText(entry.name), declare(entry),
                      ConstantInt::get(i64, entry.arguments.size()),
                      addSignature(entry.arguments),
                      ConstantInt::get(i64, entry.results.size()),
                      addSignature(entry.results)}));
    return addArray(entryType, table);
  }

  Constant *addArray(Type *element, ArrayRef<Constant *> values) {
    return addGlobal(
        ConstantArray::get(ArrayType::get(element, values.size()), values));
  }

private:
  Constant *declare(const EntryPoint &entry) {
    return cast<Constant>(
        module
            .getOrInsertFunction(
                entry.getSymbol(),
                FunctionType::get(i32, {pointer, i32, pointer, i32}, false))
            .getCallee());
  }

  Constant *addGlobal(Constant *data) {
    return new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, data, "program");
  }

  Constant *addText(StringRef text) {
    return addGlobal(ConstantDataArray::getString(context, text));
  }

  Constant *addSignature(ArrayRef<EntryValue> values) {
    SmallVector<Constant *> signature;
    for (const EntryValue &value : values) {
      SmallVector<Constant *> sizes;
      for (int64_t size : value.sizes)
        sizes.push_back(ConstantInt::get(i64, size, /*IsSigned=*/true));
      signature.push_back(ConstantStruct::get(
          valueType,
          {ConstantInt::get(i32, value.type),
           ConstantInt::get(i32, value.rank, /*IsSigned=*/true),
           ConstantInt::get(i32, value.getPlace(), /*IsSigned=*/true),
           ConstantInt::get(i32, value.isDonated), addArray(i64, sizes)}));
    }
    return addArray(valueType, signature);
  }

  llvm::Module &module;
  LLVMContext &context;
  Type *pointer, *i32, *i64;
  StructType *valueType, *entryType;
};
} // namespace

/// The table of a node's state, which is in another module; null if there is
/// none.
static Constant *declareStates(llvm::Module &module, bool hasState,
                               int32_t node) {
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::getUnqual(context);
  if (!hasState)
    return ConstantPointerNull::get(pointer);
  auto *type = StructType::get(context, {Type::getInt64Ty(context), pointer});
  return new GlobalVariable(module, type, /*isConstant=*/true,
                            GlobalValue::ExternalLinkage,
                            /*Initializer=*/nullptr, getStateTableSymbol(node));
}

static GlobalVariable *addSymbol(llvm::Module &module, Constant *contents,
                                 StringRef name) {
  return new GlobalVariable(module, contents->getType(), /*isConstant=*/true,
                            GlobalValue::ExternalLinkage, contents, name);
}

/// main() as a function of the runner with what it runs.
static void addMain(llvm::Module &module, StringRef runnerName,
                    ArrayRef<Constant *> tables) {
  LLVMContext &context = module.getContext();
  llvm::Type *pointer = PointerType::getUnqual(context);
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  SmallVector<llvm::Type *> parameters = {i32, pointer};
  parameters.append(tables.size(), pointer);
  FunctionCallee runner = module.getOrInsertFunction(
      runnerName, llvm::FunctionType::get(i32, parameters, /*isVarArg=*/false));
  Function *main = Function::Create(
      llvm::FunctionType::get(i32, {i32, pointer}, /*isVarArg=*/false),
      GlobalValue::ExternalLinkage, "main", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", main));
  SmallVector<Value *> arguments = {main->getArg(0), main->getArg(1)};
  arguments.append(tables.begin(), tables.end());
  builder.CreateRet(builder.CreateCall(runner, arguments));
}

std::unique_ptr<llvm::Module>
mlir::hetero::buildEntryTable(LLVMContext &context, ArrayRef<NodeEntries> nodes,
                              uint64_t hash, bool hasMain) {
  auto module = std::make_unique<llvm::Module>("entries", context);
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  llvm::Type *i64 = llvm::Type::getInt64Ty(context);
  TableBuilder builder(*module);
  SmallVector<Constant *> programs, states, contents;
  for (auto [node, own] : enumerate(nodes)) {
    programs.push_back(ConstantStruct::getAnon(
        context, {ConstantInt::get(i64, own.entries.size()),
                  builder.addTable(own.entries)}));
    states.push_back(declareStates(*module, own.hasState, node));
    contents.push_back(
        ConstantStruct::getAnon(context, {programs.back(), states.back(),
                                          ConstantInt::get(i32, own.numGPUs),
                                          ConstantInt::get(i32, 0)}));
  }
  Constant *first = addSymbol(*module, programs.front(), kEntryTableSymbol);
  if (const std::string &note = nodes.front().note; !note.empty())
    addSymbol(*module, ConstantDataArray::getString(context, note),
              kNoteSymbol);
  if (nodes.size() == 1) {
    if (hasMain)
      addMain(*module, "heteroRunnerMain", {first, states.front()});
    return module;
  }
  Constant *all = addSymbol(
      *module,
      ConstantStruct::getAnon(
          context,
          {ConstantInt::get(i64, nodes.size()), ConstantInt::get(i64, hash),
           builder.addArray(contents.front()->getType(), contents)}),
      kNodeTableSymbol);
  if (hasMain)
    addMain(*module, "heteroRunnerMainOfNodes", {all});
  return module;
}
