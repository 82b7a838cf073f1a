//===- SharedBuffers.cpp - Buffers of several devices ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that may be one buffer are joined: a view and what it is of, what
// control flow passes and what becomes of it, arguments and results of calls
// and those of the callee, references to one state. A class with buffers of
// several devices is memory that all of them address:
//
//   %a = memref.alloc() {hetero.shared = gpu:0} : memref<4xf32>
//   %b = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, gpu:0>
//
// Constants are in no such memory, so that what control flow or a call passes
// on is a copy.
//
//===----------------------------------------------------------------------===//

#include "SharedBuffers.h"

#include "Buffers.h"
#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

unsigned SharedBuffers::getNumber(Value buffer) {
  auto [it, isNew] = numbers.try_emplace(buffer, numbers.size());
  if (isNew)
    classes.grow(numbers.size());
  return it->second;
}

void SharedBuffers::join(Value a, Value b) {
  if (isBuffer(a) && isBuffer(b))
    classes.join(getNumber(a), getNumber(b));
}

/// Joins what the callee gets and returns with what the caller has.
void SharedBuffers::joinCall(Operation *op, ModuleOp module) {
  auto call = dyn_cast<func::CallOp>(op);
  auto callee = call ? module.lookupSymbol<func::FuncOp>(call.getCallee())
                     : func::FuncOp();
  if (!callee || callee.isExternal())
    return;
  for (auto [operand, argument] :
       llvm::zip(call.getOperands(), callee.getArguments()))
    join(operand, argument);
  callee.walk([&](func::ReturnOp end) {
    for (auto [result, value] : llvm::zip(call.getResults(), end.getOperands()))
      join(result, value);
  });
}

void SharedBuffers::joinAll(Operation *op) {
  bool isControlFlow = isa<RegionBranchOpInterface, BranchOpInterface>(op) ||
                       op->hasTrait<OpTrait::IsTerminator>();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isBuffer(operand.get()))
      continue;
    getNumber(operand.get());
    for (Value input : getSuccessorInputs(operand))
      join(operand.get(), input);
    // Views, selections, and what else makes a buffer of one.
    if (!isControlFlow && !isa<CallOpInterface>(op))
      for (Value result : op->getResults())
        join(operand.get(), result);
  }
}

SharedBuffers::SharedBuffers(ModuleOp module) {
  if (!module
           .walk([](memref::MemorySpaceCastOp) {
             return WalkResult::interrupt();
           })
           .wasInterrupted())
    return;
  StateNames states = collectStateNames(module);
  llvm::DenseMap<Attribute, Value> references;
  module.walk([&](Operation *op) {
    joinAll(op);
    joinCall(op, module);
    if (auto reference = dyn_cast<memref::GetGlobalOp>(op))
      if (StringAttr name = getState(reference, states))
        join(references.try_emplace(name, reference).first->second, reference);
  });
  classes.compress();
  owners.resize(classes.getNumClasses());
  for (auto [buffer, number] : numbers) {
    Owners &all = owners[classes[number]];
    DeviceAttr device = getBufferDevice(buffer);
    if (!device)
      all.hasHost = true;
    else if (!llvm::is_contained(all.devices, device.getBare()))
      all.devices.push_back(device.getBare());
  }
  // Not in the order of the table.
  for (Owners &all : owners) {
    llvm::sort(all.devices, DeviceAttr::comesBefore);
    if (all.devices.size() > 1)
      llvm::append_range(peers, all.devices);
  }
  llvm::sort(peers, DeviceAttr::comesBefore);
  peers.erase(llvm::unique(peers), peers.end());
}

const SharedBuffers::Owners *SharedBuffers::lookup(Value buffer) const {
  auto it = numbers.find(buffer);
  return it == numbers.end() ? nullptr : &owners[classes[it->second]];
}

bool SharedBuffers::isOfHost(Value buffer) const {
  const Owners *all = lookup(buffer);
  return all && all->hasHost && !all->devices.empty();
}

ArrayRef<DeviceAttr> SharedBuffers::getDevices(Value buffer) const {
  const Owners *all = lookup(buffer);
  return all && all->devices.size() + all->hasHost > 1 ? all->devices
                                                       : ArrayRef<DeviceAttr>();
}

void mlir::hetero::markSharedBuffers(ModuleOp module) {
  SharedBuffers shared(module);
  if (shared.empty())
    return;
  module.walk([&](memref::AllocOp alloc) {
    if (DeviceAttr device = shared.getSharer(alloc))
      alloc->setAttr(kSharedAttrName, device);
  });
  for (auto function : module.getOps<func::FuncOp>())
    for (BlockArgument argument : function.getArguments())
      if (DeviceAttr device = shared.getSharer(argument);
          device && function.isPublic())
        function.setArgAttr(argument.getArgNumber(), kSharedAttrName, device);
}

void mlir::hetero::separateSharedConstants(ModuleOp module) {
  SharedBuffers shared(module);
  if (shared.empty())
    return;
  StateNames states = collectStateNames(module);
  SmallVector<OpOperand *> uses;
  module.walk([&](memref::GetGlobalOp constant) {
    if (!getState(constant, states) && shared.getSharer(constant))
      for (OpOperand &use : constant->getUses())
        if (mayRename(use.getOwner()) || isa<CallOpInterface>(use.getOwner()))
          uses.push_back(&use);
  });
  for (OpOperand *use : uses) {
    OpBuilder builder(use->getOwner());
    Value constant = use->get();
    use->set(copyBuffer(builder, constant.getLoc(), constant,
                        cast<MemRefType>(constant.getType())));
  }
}

DeviceAttr mlir::hetero::getSharer(Operation *alloc) {
  return alloc->getAttrOfType<DeviceAttr>(kSharedAttrName);
}
