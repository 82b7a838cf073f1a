//===- Streams.cpp - Which stream work is on ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Schedule/Streams.h"

#include "Transforms/Buffers/Buffers.h"
#include "hetero/Dialect/Hetero/IR/DeviceLattice.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

DeviceAttr mlir::hetero::getKernelStream(Operation *op) {
  if (!isa<linalg::LinalgOp, LibraryCallOp>(op))
    return {};
  auto kernel = cast<DestinationStyleOpInterface>(op);
  if (kernel.getDpsInits().empty())
    return {};
  DeviceAttr device = getBufferDevice(kernel.getDpsInits().front());
  DeviceAttr own = getDevice(op);
  return device && own && own.isSameDevice(device) ? withoutCodegen(own)
                                                   : device;
}

bool mlir::hetero::isAwaited(DeviceAttr stream, DeviceAttr device) {
  return device.getUnit().empty() ? stream.isSameDevice(device)
                                  : stream == device;
}

bool mlir::hetero::isHostWork(Operation *op) {
  if (isa<HostRegionOp, EndHostRegionOp, InvokeOp>(op))
    return true;
  return op->getNumRegions() != 0 && op->use_empty() &&
         !isa<linalg::LinalgOp>(op) && namesBuffers(op) &&
         llvm::none_of(getBufferUses(op), [](BufferUse use) {
           return bool(getBufferDevice(use.first));
         });
}

bool mlir::hetero::mayTouchDevices(Operation *op) {
  if (isHostWork(op))
    return false;
  return op->getNumRegions() != 0 || isa<CallOpInterface>(op) ||
         (!isa<ViewLikeOpInterface>(op) &&
          llvm::any_of(op->getResults(), [](Value value) {
            return bool(getBufferDevice(value));
          }));
}
