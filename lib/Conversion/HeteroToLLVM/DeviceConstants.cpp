//===- DeviceConstants.cpp - Constants that stay on devices ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each constant and device the program has a HeteroConstant, whose address
// the runtime fills in, and for each entry point a list of those that its calls
// may reach. All functions share them.
//
//   llvm.mlir.global internal @__hetero_constant_w_gpu0() {elements, 64, ...}
//   llvm.mlir.global internal @__hetero_constants_main() {"main", list, 1, 0}
//
//===----------------------------------------------------------------------===//

#include "DeviceConstants.h"

#include "Conversion/RuntimeABI/Globals.h"
#include "Conversion/RuntimeABI/RuntimeFunctions.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::hetero;

StringRef mlir::hetero::getConstantSymbol(ResidentOp op) {
  return op->getAttrOfType<StringAttr>(kConstantAttrName).getValue();
}

std::string mlir::hetero::getConstantsSymbol(StringRef entry) {
  return ("__hetero_constants_" + entry).str();
}

//===----------------------------------------------------------------------===//
// Before the lowering
//===----------------------------------------------------------------------===//

static int64_t getBytes(MemRefType type, const DataLayout &layout) {
  Type element = type.getElementType();
  if (element.isIndex())
    element = IntegerType::get(type.getContext(), 64);
  int64_t bytes = llvm::alignTo(layout.getTypeSize(element).getFixedValue(),
                                layout.getTypeABIAlignment(element));
  return type.getNumElements() * bytes;
}

/// Describes what the operation reads, and notes the symbol on it.
static FailureOr<DeviceConstant>
describe(ResidentOp op, const DataLayout &layout, const EqualConstants &equal) {
  auto global = op.getSource().getDefiningOp<memref::GetGlobalOp>();
  if (!global)
    return op.emitOpError("expected a memref.get_global as its source; only "
                          "constants stay on a device");
  int32_t device = getDeviceId(op.getDevice());
  StringAttr kept = equal.lookup(global.getNameAttr().getAttr());
  std::string elements = (kept ? kept.getValue() : global.getName()).str();
  auto name = op->getAttrOfType<StringAttr>(kValueAttrName);
  DeviceConstant constant{
      "__hetero_constant_" + elements + "_gpu" + std::to_string(device),
      elements, getBytes(cast<MemRefType>(op.getType()), layout),
      name ? name.str() : global.getName().str(), device};
  op->setAttr(kConstantAttrName,
              StringAttr::get(op.getContext(), constant.symbol));
  return constant;
}

FailureOr<DeviceConstants>
mlir::hetero::collectDeviceConstants(ModuleOp module,
                                     ArrayRef<EntrySignature> entries,
                                     const EqualConstants &equal) {
  DeviceConstants constants;
  llvm::StringMap<unsigned> numbers;
  DataLayout layout(module);
  bool hasFailed = false;
  module.walk([&](ResidentOp op) {
    FailureOr<DeviceConstant> constant = describe(op, layout, equal);
    hasFailed |= failed(constant);
    if (succeeded(constant) &&
        numbers.try_emplace(constant->symbol, constants.all.size()).second)
      constants.all.push_back(*constant);
  });
  if (hasFailed)
    return failure();
  SymbolTable symbols(module);
  for (const EntrySignature &entry : entries) {
    llvm::SetVector<unsigned> needed;
    for (const auto &implementation : entry.implementations)
      for (Operation *function : findReachable(symbols, implementation.symbol))
        function->walk([&](ResidentOp op) {
          needed.insert(numbers.lookup(getConstantSymbol(op)));
        });
    constants.needed.emplace_back(needed.begin(), needed.end());
  }
  return constants;
}

//===----------------------------------------------------------------------===//
// After the lowering
//===----------------------------------------------------------------------===//

namespace {
/// Emits the runtime's structs.
class ConstantEmitter {
public:
  explicit ConstantEmitter(ModuleOp module)
      : module(module), builder(OpBuilder::atBlockEnd(module.getBody())),
        loc(module.getLoc()), i32(builder.getI32Type()),
        i64(builder.getI64Type()),
        ptr(LLVM::LLVMPointerType::get(builder.getContext())) {}

  void emit(const DeviceConstant &constant) {
    Type type = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), {ptr, i64, ptr, i32, i32, ptr, i64});
    createStruct(builder, loc, type, constant.symbol, /*isConstant=*/false,
                 [&]() -> SmallVector<Value> {
                   return {address(constant.elements),
                           number(i64, constant.bytes),
                           string(constant.name),
                           number(i32, constant.device),
                           number(i32, 0),
                           LLVM::ZeroOp::create(builder, loc, ptr),
                           number(i64, 0)};
                 });
  }

  void emitList(StringRef entry, ArrayRef<std::string> symbols) {
    std::string symbol = getConstantsSymbol(entry);
    Type list = LLVM::LLVMArrayType::get(ptr, symbols.size());
    createStruct(builder, loc, list, symbol + "_list", /*isConstant=*/true,
                 [&]() -> SmallVector<Value> {
                   return llvm::map_to_vector(symbols, [&](StringRef symbol) {
                     return address(symbol);
                   });
                 });
    Type type = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                 {ptr, ptr, i64, i64});
    createStruct(builder, loc, type, symbol, /*isConstant=*/false,
                 [&]() -> SmallVector<Value> {
                   return {string(entry), address(symbol + "_list"),
                           number(i64, symbols.size()), number(i64, 0)};
                 });
  }

private:
  Value number(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  Value string(StringRef text) {
    return getStringAddress(builder, module, loc, text);
  }
  Value address(StringRef symbol) {
    return LLVM::AddressOfOp::create(builder, loc, ptr, symbol);
  }

  ModuleOp module;
  OpBuilder builder;
  Location loc;
  Type i32, i64, ptr;
};
} // namespace

void mlir::hetero::emitDeviceConstants(ModuleOp module,
                                       const DeviceConstants &constants,
                                       ArrayRef<EntrySignature> entries) {
  ConstantEmitter emitter(module);
  for (const DeviceConstant &constant : constants.all)
    emitter.emit(constant);
  for (auto [entry, needed] : llvm::zip_equal(entries, constants.needed)) {
    SmallVector<std::string> symbols;
    for (unsigned number : needed)
      symbols.push_back(constants.all[number].symbol);
    if (!symbols.empty())
      emitter.emitList(entry.name, symbols);
  }
}
