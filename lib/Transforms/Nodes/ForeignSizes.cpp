//===- ForeignSizes.cpp - Sizes that other nodes know ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a region makes may be as large as a buffer of another node:
//
//   hetero.host_region "r" on cpu:0 of node 1
//   %n = memref.dim %x, %c0                     // of node 0
//   %a = memref.alloc(%n)                       // of node 1
//     ->
//   %n = memref.dim %x, %c0
//   hetero.host_region "r" on cpu:0 of node 1
//   %a = memref.alloc(%n)
//
//===----------------------------------------------------------------------===//

#include "ForeignSizes.h"

#include "NodeDemand.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

/// What stands between the begin of a region and its end.
static SmallVector<Operation *> getBody(HostRegionOp begin) {
  SmallVector<Operation *> body;
  for (Operation *op = begin->getNextNode(); op && !isa<EndHostRegionOp>(op);
       op = op->getNextNode())
    body.push_back(op);
  return body;
}

/// The operation of the region that makes the value or holds what does; null
/// for values from before it.
static Operation *findInside(Value value, HostRegionOp begin) {
  Operation *parent = value.getParentBlock()->getParentOp();
  Operation *op = value.getDefiningOp();
  Operation *ancestor =
      begin->getBlock()->findAncestorOpInBlock(op ? *op : *parent);
  return ancestor && begin->isBeforeInBlock(ancestor) ? ancestor : nullptr;
}

/// Moves a pure operation of the region before it, with what it needs; false if
/// that cannot be.
static bool moveBefore(HostRegionOp begin, Operation *op) {
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return false;
  for (Value operand : op->getOperands())
    if (findInside(operand, begin) &&
        (!operand.getDefiningOp() ||
         !moveBefore(begin, operand.getDefiningOp())))
      return false;
  op->moveBefore(begin);
  return true;
}

void mlir::hetero::hoistForeignSizes(ModuleOp module) {
  SmallVector<std::pair<HostRegionOp, memref::DimOp>> foreign;
  module.walk([&](HostRegionOp begin) {
    DeviceAttr device = begin.getDeviceAttr();
    int64_t node = device ? device.getNode() : 0;
    for (Operation *op : getBody(begin))
      op->walk([&](memref::DimOp size) {
        if (getBufferNode(size.getSource()) != node &&
            !findInside(size.getSource(), begin))
          foreign.push_back({begin, size});
      });
  });
  for (auto [begin, size] : foreign)
    moveBefore(begin, size);
}
