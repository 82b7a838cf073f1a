//===- EntryTableModule.cpp - The table of entry points as LLVM IR --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryTableModule.h"

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

private:
  Constant *declare(const EntryPoint &entry) {
    return cast<Constant>(
        module
            .getOrInsertFunction(
                getExportedName(entry.name),
                FunctionType::get(i32, {pointer, i32, pointer, i32}, false))
            .getCallee());
  }

  Constant *addGlobal(Constant *data) {
    return new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, data, "program");
  }

  Constant *addArray(Type *element, ArrayRef<Constant *> values) {
    return addGlobal(
        ConstantArray::get(ArrayType::get(element, values.size()), values));
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

/// The table of state, which is in another module; null if there is none.
static Constant *declareStates(llvm::Module &module, bool hasState) {
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::getUnqual(context);
  if (!hasState)
    return ConstantPointerNull::get(pointer);
  auto *type = StructType::get(context, {Type::getInt64Ty(context), pointer});
  return new GlobalVariable(module, type, /*isConstant=*/true,
                            GlobalValue::ExternalLinkage,
                            /*Initializer=*/nullptr, getStateTableSymbol());
}

/// main() as heteroRunnerMain() with the tables.
static void addMain(llvm::Module &module, Constant *program, Constant *states) {
  LLVMContext &context = module.getContext();
  llvm::Type *pointer = PointerType::getUnqual(context);
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  FunctionCallee runner = module.getOrInsertFunction(
      "heteroRunnerMain", i32, i32, pointer, pointer, pointer);
  Function *main = Function::Create(
      llvm::FunctionType::get(i32, {i32, pointer}, /*isVarArg=*/false),
      GlobalValue::ExternalLinkage, "main", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", main));
  builder.CreateRet(builder.CreateCall(
      runner, {main->getArg(0), main->getArg(1), program, states}));
}

std::unique_ptr<llvm::Module>
mlir::hetero::buildEntryTable(LLVMContext &context,
                              ArrayRef<EntryPoint> entries, bool hasMain,
                              bool hasState) {
  auto module = std::make_unique<llvm::Module>("entries", context);
  Constant *table = TableBuilder(*module).addTable(entries);
  Constant *count =
      ConstantInt::get(llvm::Type::getInt64Ty(context), entries.size());
  Constant *program = ConstantStruct::getAnon(context, {count, table});
  auto *symbol = new GlobalVariable(
      *module, program->getType(), /*isConstant=*/true,
      GlobalValue::ExternalLinkage, program, kEntryTableSymbol);
  if (hasMain)
    addMain(*module, symbol, declareStates(*module, hasState));
  return module;
}
