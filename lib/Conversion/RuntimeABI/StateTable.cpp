//===- StateTable.cpp - What a program keeps, as callers see it -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StateTable.h"

#include "Globals.h"
#include "RuntimeFunctions.h"
#include "hetero/Conversion/RuntimeABI/ABITypes.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::hetero;

std::vector<ProgramState> mlir::hetero::collectStates(ModuleOp module) {
  std::vector<ProgramState> states;
  llvm::StringMap<memref::GlobalOp> fallbacks;
  auto getOriginal = [](memref::GlobalOp global) {
    return global->getAttrOfType<StringAttr>(kFallbackOfAttrName);
  };
  for (auto global : module.getOps<memref::GlobalOp>())
    if (StringAttr original = getOriginal(global))
      fallbacks[original.getValue()] = global;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    MemRefType memory = global.getType();
    std::optional<int32_t> type = getABIType(memory.getElementType());
    if (global.getConstant() || global.isExternal() || getOriginal(global) ||
        !type)
      continue;
    ProgramState state{global.getSymName().str(), *type,
                       llvm::to_vector(memory.getShape()),
                       /*fallback=*/"",
                       /*fallbackDevices=*/{}};
    if (memref::GlobalOp fallback = fallbacks.lookup(state.name)) {
      state.fallback = fallback.getSymName().str();
      for (auto device :
           fallback->getAttrOfType<ArrayAttr>(kFallbackDevicesAttrName)
               .getAsRange<DeviceAttr>())
        state.fallbackDevices.push_back(getDeviceId(device));
    }
    states.push_back(std::move(state));
  }
  return states;
}

void mlir::hetero::noteStateUses(ModuleOp module,
                                 std::vector<EntrySignature> &entries) {
  SymbolTable symbols(module);
  auto usesState = [&](Operation *function) {
    return function
        ->walk([&](memref::GetGlobalOp op) {
          auto global = symbols.lookup<memref::GlobalOp>(op.getName());
          return global && !global.getConstant() ? WalkResult::interrupt()
                                                 : WalkResult::advance();
        })
        .wasInterrupted();
  };
  for (EntrySignature &entry : entries)
    for (const auto &implementation : entry.implementations)
      entry.usesState |= llvm::any_of(
          findReachable(symbols, implementation.symbol), usesState);
}

namespace {
/// Emits the runtime's structs.
class TableEmitter {
public:
  explicit TableEmitter(ModuleOp module)
      : module(module), builder(OpBuilder::atBlockEnd(module.getBody())),
        loc(module.getLoc()), i32(builder.getI32Type()),
        i64(builder.getI64Type()),
        ptr(LLVM::LLVMPointerType::get(builder.getContext())),
        stateType(LLVM::LLVMStructType::getLiteral(
            builder.getContext(),
            {ptr, i32, i32, ptr, ptr, ptr, ptr, i64, ptr})) {}

  void emit(ArrayRef<ProgramState> states,
            const llvm::StringMap<std::string> &residents);

private:
  Value number(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  /// Null for an empty symbol.
  Value address(StringRef symbol) {
    if (symbol.empty())
      return LLVM::ZeroOp::create(builder, loc, ptr);
    return LLVM::AddressOfOp::create(builder, loc, ptr, symbol);
  }
  template <typename T>
  std::string emitNumbers(const std::string &symbol, Type type,
                          ArrayRef<T> numbers);
  Value emitState(const ProgramState &state, StringRef resident);

  ModuleOp module;
  OpBuilder builder;
  Location loc;
  Type i32, i64, ptr, stateType;
};
} // namespace

/// An array, and its symbol; none if there are no numbers.
template <typename T>
std::string TableEmitter::emitNumbers(const std::string &symbol, Type type,
                                      ArrayRef<T> numbers) {
  if (numbers.empty())
    return "";
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  createStruct(builder, loc, LLVM::LLVMArrayType::get(type, numbers.size()),
               symbol, /*isConstant=*/true, [&]() -> SmallVector<Value> {
                 return llvm::map_to_vector(
                     numbers, [&](T value) { return number(type, value); });
               });
  return symbol;
}

/// The fields of a HeteroState.
Value TableEmitter::emitState(const ProgramState &state, StringRef resident) {
  std::string prefix = "__hetero_state_" + state.name;
  std::string sizes = emitNumbers<int64_t>(prefix + "_sizes", i64, state.sizes);
  std::string devices =
      emitNumbers<int32_t>(prefix + "_devices", i32, state.fallbackDevices);
  Value fields[] = {getStringAddress(builder, module, loc, state.name),
                    number(i32, state.type),
                    number(i32, state.sizes.size()),
                    address(sizes),
                    address(state.name),
                    address(state.fallback),
                    address(resident),
                    number(i64, state.fallbackDevices.size()),
                    address(devices)};
  Value value = LLVM::PoisonOp::create(builder, loc, stateType);
  for (auto [index, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(builder, loc, value, field, index);
  return value;
}

void TableEmitter::emit(ArrayRef<ProgramState> states,
                        const llvm::StringMap<std::string> &residents) {
  constexpr llvm::StringLiteral kList = "__hetero_states";
  createStruct(
      builder, loc, LLVM::LLVMArrayType::get(stateType, states.size()), kList,
      /*isConstant=*/true, [&]() -> SmallVector<Value> {
        return llvm::map_to_vector(states, [&](const ProgramState &state) {
          return emitState(state, residents.lookup(state.name));
        });
      });
  builder.setInsertionPointToEnd(module.getBody());
  Type type =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), {i64, ptr});
  LLVM::GlobalOp table =
      createStruct(builder, loc, type, kStateTableSymbol, /*isConstant=*/true,
                   [&]() -> SmallVector<Value> {
                     return {number(i64, states.size()), address(kList)};
                   });
  // Objects of several programs may become one library.
  table.setLinkage(LLVM::Linkage::Weak);
}

void mlir::hetero::emitStateTable(
    ModuleOp module, ArrayRef<ProgramState> states,
    const llvm::StringMap<std::string> &residents) {
  if (!states.empty())
    TableEmitter(module).emit(states, residents);
}
