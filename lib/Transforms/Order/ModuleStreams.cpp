//===- ModuleStreams.cpp - The streams of a program -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleStreams.h"

#include "Transforms/Schedule/OrderUnits.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// The stream of one end of a copy; null for the host.
static DeviceAttr getEnd(memref::CopyOp copy, Value buffer, StringRef name) {
  DeviceAttr device = getBufferDevice(buffer);
  auto stream = copy->getAttrOfType<DeviceAttr>(name);
  return device ? stream ? stream : device.getBare() : DeviceAttr();
}

void ModuleStreams::addStream(DeviceAttr stream) {
  if (!stream)
    return;
  for (DeviceAttr found : {stream.getBare(), stream})
    if (numbers.try_emplace(found, 0).second)
      streams.push_back(found);
}

void ModuleStreams::addStreams(Operation *op) {
  addStream(getKernelStream(op));
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    addStream(getEnd(copy, copy.getSource(), kFromAttrName));
    addStream(getEnd(copy, copy.getTarget(), kToAttrName));
  }
  if (auto order = dyn_cast<OrderOp>(op)) {
    addStream(order.getDevice());
    addStream(order.getAfter());
  }
}

void ModuleStreams::numberStreams() {
  llvm::sort(streams, DeviceAttr::comesBefore);
  streams.insert(streams.begin(), DeviceAttr());
  ArrayRef<DeviceAttr> peers = shared.getPeers();
  for (unsigned number = 1; number < streams.size(); ++number) {
    numbers[streams[number]] = number;
    DeviceAttr device = streams[number].getBare();
    bool isPeer = llvm::is_contained(peers, device);
    if (!isForCopies(number))
      kernelStreams[isPeer ? peers.front() : device].push_back(number);
  }
}

/// Marks what the operation is in.
static void markParents(Operation *op, llvm::DenseSet<Operation *> &set) {
  while (op && !isa<ModuleOp>(op) && set.insert(op).second)
    op = op->getParentOp();
}

void ModuleStreams::note(Operation *op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (getKernelStream(op) || isa<OrderOp>(op) ||
      (copy && (getBufferDevice(copy.getSource()) ||
                getBufferDevice(copy.getTarget()))))
    markParents(op->getParentOp(), busy);
  if (auto reference = dyn_cast<memref::GetGlobalOp>(op);
      reference && getState(reference, states))
    markParents(op->getParentOp(), stateful);
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call || isa<func::CallOp>(op) || isHostWork(op))
    return;
  markParents(op, busy);
  markParents(op, stateful);
}

/// Marks those who call what is marked.
void ModuleStreams::noteCallers(Set &set) {
  SmallVector<Operation *> marked;
  for (auto &[function, calls] : callers)
    if (set.contains(function))
      marked.push_back(function);
  while (!marked.empty())
    for (Operation *call : callers.lookup(marked.pop_back_val())) {
      Operation *caller = call->getParentOfType<func::FuncOp>();
      bool isNew = !set.contains(caller);
      markParents(call, set);
      if (isNew && caller)
        marked.push_back(caller);
    }
}

ModuleStreams::ModuleStreams(ModuleOp module)
    : states(collectStateNames(module)), shared(module) {
  SymbolTable symbols(module);
  module.walk([&](Operation *op) {
    addStreams(op);
    note(op);
    if (auto call = dyn_cast<func::CallOp>(op))
      if (Operation *callee = symbols.lookup(call.getCallee()))
        callers[callee].push_back(call);
  });
  numberStreams();
  noteCallers(busy);
  noteCallers(stateful);
}

std::pair<unsigned, unsigned>
ModuleStreams::getStreams(memref::CopyOp copy) const {
  DeviceAttr from = getEnd(copy, copy.getSource(), kFromAttrName),
             to = getEnd(copy, copy.getTarget(), kToAttrName);
  return {from ? getNumber(from) : 0, to ? getNumber(to) : 0};
}

bool ModuleStreams::isForCopies(unsigned stream) const {
  StringRef unit = streams[stream].getUnit();
  return unit == kCopyInUnit || unit == kCopyOutUnit;
}

ArrayRef<unsigned> ModuleStreams::getKernelStreams(DeviceAttr device) const {
  ArrayRef<DeviceAttr> peers = shared.getPeers();
  bool isPeer = llvm::is_contained(peers, device);
  auto found = kernelStreams.find(isPeer ? peers.front() : device);
  return found == kernelStreams.end() ? ArrayRef<unsigned>()
                                      : ArrayRef<unsigned>(found->second);
}

bool ModuleStreams::isEntry(func::FuncOp function) const {
  return function.isPublic() && !callers.contains(function);
}
