//===- StateOnBuffers.cpp - State in buffers as state on tensors ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   memref.global "private" @state : memref<4xf32> = dense<0.0>
//   %m = memref.get_global @state : memref<4xf32>
//   %s = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
//   bufferization.materialize_in_destination %0 in writable %m : ...
//     ->
//   ml_program.global private mutable @state(dense<0.0> : tensor<4xf32>) ...
//   %s = ml_program.global_load @state : tensor<4xf32>
//   ml_program.global_store @state = %0 : tensor<4xf32>
//
// What is one tensor can be placed; memory whose elements are accessed one by
// one is the host's.
//
//===----------------------------------------------------------------------===//

#include "StateOnBuffers.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::hetero;

/// The value that an operation writes to all of the memory, or null.
static Value getStored(OpOperand &use) {
  auto store =
      dyn_cast<bufferization::MaterializeInDestinationOp>(use.getOwner());
  return store && use.get() == store.getDest() ? store.getSource() : Value();
}

/// True if the access reads or writes all of the memory as a tensor.
static bool isWhole(OpOperand &use, RankedTensorType type) {
  if (auto load = dyn_cast<bufferization::ToTensorOp>(use.getOwner()))
    return load.getType() == type;
  Value stored = getStored(use);
  return stored && stored.getType() == type;
}

namespace {
/// A memref.global that can be lifted, and who takes its address.
struct BufferState {
  memref::GlobalOp global;
  RankedTensorType type;
  SmallVector<memref::GetGlobalOp> references;
};
} // namespace

static std::optional<BufferState> matchState(memref::GlobalOp global,
                                             ModuleOp module) {
  MemRefType memory = global.getType();
  if (!global.isPrivate() || global.getConstant() ||
      !memory.getLayout().isIdentity() || memory.getMemorySpace())
    return std::nullopt;
  BufferState state{
      global,
      RankedTensorType::get(memory.getShape(), memory.getElementType()),
      {}};
  auto uses = SymbolTable::getSymbolUses(global, &module.getBodyRegion());
  if (!uses || uses->empty())
    return std::nullopt;
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto reference = dyn_cast<memref::GetGlobalOp>(use.getUser());
    if (!reference || !llvm::all_of(reference->getUses(), [&](OpOperand &use) {
          return isWhole(use, state.type);
        }))
      return std::nullopt;
    state.references.push_back(reference);
  }
  return state;
}

static void lift(BufferState &state) {
  memref::GlobalOp global = state.global;
  OpBuilder builder(global);
  auto name = FlatSymbolRefAttr::get(global.getSymNameAttr());
  auto lifted = ml_program::GlobalOp::create(
      builder, global.getLoc(), global.getSymNameAttr(),
      TypeAttr::get(state.type), /*is_mutable=*/builder.getUnitAttr(),
      dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr()),
      builder.getStringAttr("private"));
  lifted->setDiscardableAttrs(global->getDiscardableAttrDictionary());
  for (memref::GetGlobalOp reference : state.references) {
    for (OpOperand &use : llvm::make_early_inc_range(reference->getUses())) {
      Operation *access = use.getOwner();
      builder.setInsertionPoint(access);
      Operation *made;
      if (Value stored = getStored(use)) {
        made = ml_program::GlobalStoreOp::create(builder, access->getLoc(),
                                                 name, stored);
      } else {
        made = ml_program::GlobalLoadOp::create(builder, access->getLoc(),
                                                state.type, name);
        access->replaceAllUsesWith(made);
      }
      made->setDiscardableAttrs(access->getDiscardableAttrDictionary());
      access->erase();
    }
    reference->erase();
  }
  global->erase();
}

int64_t mlir::hetero::liftStateFromBuffers(ModuleOp module) {
  SmallVector<BufferState> states;
  for (auto global : module.getOps<memref::GlobalOp>())
    if (std::optional<BufferState> state = matchState(global, module))
      states.push_back(std::move(*state));
  for (BufferState &state : states)
    lift(state);
  return states.size();
}
