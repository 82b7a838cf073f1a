//===- Buffers.cpp - What is known of buffers -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view leads back to the buffer that it is of, so that all passes after
// bufferization agree on which accesses may meet.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

Value mlir::hetero::getRootBuffer(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

bool mlir::hetero::mayRename(Operation *user) {
  return user->hasTrait<OpTrait::IsTerminator>() ||
         isa<RegionBranchOpInterface>(user) ||
         llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

Value mlir::hetero::copyBuffer(OpBuilder &builder, Location loc, Value buffer,
                               MemRefType type) {
  SmallVector<Value> sizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      sizes.push_back(memref::DimOp::create(builder, loc, buffer, axis));
  int64_t alignment = bufferization::BufferizationOptions().bufferAlignment;
  Value copy = memref::AllocOp::create(builder, loc, type, sizes,
                                       builder.getI64IntegerAttr(alignment));
  memref::CopyOp::create(builder, loc, buffer, copy);
  return copy;
}

DeviceAttr mlir::hetero::getBufferDevice(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  DeviceAttr device = type ? getTypeDevice(type) : DeviceAttr();
  return isHostAccessible(device) ? DeviceAttr() : device;
}

std::optional<int64_t> mlir::hetero::getBufferBytes(MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  return getTensorBytes(
      RankedTensorType::get(type.getShape(), type.getElementType()));
}

SmallVector<Operation *> mlir::hetero::getBufferUsers(Value buffer) {
  SmallVector<Operation *> users;
  SmallVector<Value> views{buffer};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(views, user->getResults());
      else
        users.push_back(user);
    }
  return users;
}

/// True if an operation inside of another may write the buffer, or pass it
/// under a name that does not lead back to it.
static bool mayWrite(Operation *op, Value buffer) {
  auto known = dyn_cast<MemoryEffectOpInterface>(op);
  if (!known)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  known.getEffectsOnValue(buffer, effects);
  return effects.empty() || llvm::any_of(effects, [](auto &effect) {
           return !isa<MemoryEffects::Read>(effect.getEffect());
         });
}

SmallVector<BufferUse> mlir::hetero::getBufferUses(Operation *op) {
  SmallVector<BufferUse> uses;
  auto isBuffer = [](Value value) {
    return isa<BaseMemRefType>(value.getType());
  };
  auto kernel = dyn_cast<linalg::LinalgOp>(op);
  auto destinations = dyn_cast<DestinationStyleOpInterface>(op);
  auto copy = dyn_cast<memref::CopyOp>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isBuffer(operand.get()))
      uses.push_back(
          {operand.get(), destinations
                              ? destinations.isDpsInit(&operand)
                              : !copy || operand.get() == copy.getTarget()});
  op->walk([&](Operation *inner) {
    // A view is used by those who have it, and may be a part of its source.
    if (inner == op || isa<ViewLikeOpInterface>(inner))
      return;
    for (Value value : inner->getOperands())
      if (isBuffer(value))
        uses.push_back({value, !kernel && mayWrite(inner, value)});
  });
  return uses;
}

bool mlir::hetero::namesBuffers(Operation *op) {
  return !op->walk([](Operation *inner) {
              if (inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(inner))
                return WalkResult::advance();
              SmallVector<MemoryEffects::EffectInstance> effects;
              auto known = dyn_cast<MemoryEffectOpInterface>(inner);
              if (!known || isa<CallOpInterface>(inner))
                return WalkResult::interrupt();
              known.getEffects(effects);
              bool isNamed = llvm::all_of(effects, [](auto &effect) {
                return bool(effect.getValue());
              });
              return isNamed ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

bool mlir::hetero::isInside(Value buffer, Operation *op) {
  Operation *parent = getRootBuffer(buffer).getParentBlock()->getParentOp();
  return op->isAncestor(parent);
}

bool mlir::hetero::isStreamed(Value root) {
  Operation *op = root.getDefiningOp();
  return op && op->hasAttr(kStreamedAttrName);
}

/// True for memory of two nodes.
static bool areOnTwoNodes(Value a, Value b) {
  DeviceAttr first = getTypeDevice(a.getType()),
             second = getTypeDevice(b.getType());
  return first && second && first.getNode() != second.getNode();
}

bool mlir::hetero::areDistinct(Value a, Value b, Block *block) {
  if (areOnTwoNodes(a, b))
    return true;
  if (a != b && (isStreamed(a) || isStreamed(b)))
    return true;
  auto isOwn = [&](Value value) {
    auto alloc = value.getDefiningOp<memref::AllocOp>();
    return alloc && alloc->getBlock() == block;
  };
  auto isOutside = [](Value value) {
    return isa<BlockArgument>(value) ||
           value.getDefiningOp<memref::GetGlobalOp>();
  };
  return a != b && ((isOwn(a) && (isOwn(b) || isOutside(b))) ||
                    (isOwn(b) && isOutside(a)));
}

StateNames mlir::hetero::collectStateNames(ModuleOp module) {
  StateNames states;
  for (auto global : module.getOps<memref::GlobalOp>())
    if (!global.getConstant())
      states.insert(global.getSymNameAttr());
  return states;
}

StringAttr mlir::hetero::getState(Value root, const StateNames &states) {
  auto reference = root.getDefiningOp<memref::GetGlobalOp>();
  StringAttr name =
      reference ? reference.getNameAttr().getAttr() : StringAttr();
  return name && states.contains(name) ? name : StringAttr();
}
