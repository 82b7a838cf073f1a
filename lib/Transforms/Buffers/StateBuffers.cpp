//===- StateBuffers.cpp - State of a program as memory --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ml_program.global private mutable @state(dense<0.0> : tensor<4xf32>) ...
//   %s = ml_program.global_load @state : tensor<4xf32>
//   ml_program.global_store @state = %0 : tensor<4xf32>
//     ->
//   memref.global "private" @state : memref<4xf32> = dense<0.0>
//   %m = memref.get_global @state : memref<4xf32>
//   %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
//   %s = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
//   %b = bufferization.to_buffer %0 read_only : tensor<4xf32> to memref<4xf32>
//   memref.copy %b, %m
//
// without the allocation where nobody sees what is loaded after the state may
// have changed (StateLoads). A function refers to the memory once, at its
// begin, so that all accesses are known to be to the same memory.
//
// Upstream's bufferization of these operations does not count a store as a
// read of what it stores, so that the state got a buffer that nobody filled,
// and passes the memory of the state itself to those who load it, who see later
// stores. The copy of a store hides where it goes: with
// bufferization.materialize_in_destination the elimination of empty tensors
// lets what makes the value write into the state itself, which later stores
// change, and which it may still read.
//
//===----------------------------------------------------------------------===//

#include "StateBuffers.h"

#include "StateLoads.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// The state of one module.
class StateLowering {
public:
  explicit StateLowering(ModuleOp module) : module(module), builder(module) {}
  LogicalResult run();

private:
  LogicalResult createGlobal(ml_program::GlobalOp op);
  Value getMemory(Operation *user, SymbolRefAttr global, Type type);
  void load(Operation *op, SymbolRefAttr global);
  void store(ml_program::GlobalStoreOp op);

  ModuleOp module;
  OpBuilder builder;
  /// By function and symbol.
  llvm::DenseMap<std::pair<Operation *, Attribute>, Value> memories;
};
} // namespace

/// Memory where the tensor is.
static MemRefType getMemoryType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType(),
                         MemRefLayoutAttrInterface(), tensor.getEncoding());
}

LogicalResult StateLowering::createGlobal(ml_program::GlobalOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || !type.hasStaticShape())
    return op.emitError("expected a ranked tensor of static shape, got ")
           << op.getType() << "; state needs memory of a known size";
  Attribute initial = UnitAttr::get(op.getContext());
  if (std::optional<Attribute> value = op.getValue()) {
    initial = dyn_cast<ElementsAttr>(*value);
    if (!initial)
      return op.emitError("expected elements as initial value, got ")
             << *value << "; give the state a dense value";
  }
  builder.setInsertionPoint(op);
  auto global = memref::GlobalOp::create(builder, op.getLoc(), op.getSymName(),
                                         builder.getStringAttr("private"),
                                         getMemoryType(type), initial,
                                         /*constant=*/!op.getIsMutable(),
                                         /*alignment=*/IntegerAttr());
  for (StringRef name : {kFallbackOfAttrName, kFallbackDevicesAttrName})
    if (Attribute attr = op->getDiscardableAttr(name))
      global->setAttr(name, attr);
  op.erase();
  return success();
}

Value StateLowering::getMemory(Operation *user, SymbolRefAttr global,
                               Type type) {
  auto function = user->getParentOfType<func::FuncOp>();
  Value &memory = memories[{function, global}];
  if (!memory) {
    builder.setInsertionPointToStart(&function.getBody().front());
    memory = memref::GetGlobalOp::create(builder, user->getLoc(),
                                         getMemoryType(type),
                                         global.getRootReference());
  }
  builder.setInsertionPoint(user);
  return memory;
}

/// A load is a copy, which a later store does not change, unless nobody would
/// see the change.
void StateLowering::load(Operation *op, SymbolRefAttr global) {
  LoadKind kind = classifyLoad(op, global);
  Value old = op->getResult(0);
  auto type = cast<RankedTensorType>(old.getType());
  Value memory = getMemory(op, global, type);
  Value state = bufferization::ToTensorOp::create(
      builder, op->getLoc(), type, memory, /*restrict=*/true,
      /*writable=*/kind == LoadKind::InPlace);
  if (kind == LoadKind::Copy)
    state = bufferization::AllocTensorOp::create(builder, op->getLoc(), type,
                                                 /*dynamicSizes=*/ValueRange(),
                                                 state);
  old.replaceAllUsesWith(state);
  op->erase();
}

void StateLowering::store(ml_program::GlobalStoreOp op) {
  Value value = op.getValue();
  StringRef name = op.getGlobal().getRootReference().getValue();
  Value memory = getMemory(op, op.getGlobal(), value.getType());
  Value source = bufferization::ToBufferOp::create(
      builder, op.getLoc(), memory.getType(), value, /*read_only=*/true);
  auto copy = memref::CopyOp::create(builder, op.getLoc(), source, memory);
  copy->setAttr(kRegionAttrName, builder.getStringAttr("store_" + Twine(name)));
  op.erase();
}

LogicalResult StateLowering::run() {
  SmallVector<ml_program::GlobalOp> globals(
      module.getOps<ml_program::GlobalOp>());
  for (ml_program::GlobalOp global : globals)
    if (failed(createGlobal(global)))
      return failure();
  SmallVector<Operation *> accesses;
  module.walk([&](Operation *op) {
    if (isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp,
            ml_program::GlobalStoreOp>(op))
      accesses.push_back(op);
  });
  // Loads first, which are told apart by the stores that are there.
  std::stable_partition(accesses.begin(), accesses.end(), [](Operation *op) {
    return !isa<ml_program::GlobalStoreOp>(op);
  });
  for (Operation *op : accesses) {
    if (auto storing = dyn_cast<ml_program::GlobalStoreOp>(op))
      store(storing);
    else if (auto loading = dyn_cast<ml_program::GlobalLoadOp>(op))
      load(op, loading.getGlobal());
    else
      load(op, cast<ml_program::GlobalLoadConstOp>(op).getGlobal());
  }
  return success();
}

LogicalResult mlir::hetero::putStateInBuffers(ModuleOp module) {
  return StateLowering(module).run();
}
