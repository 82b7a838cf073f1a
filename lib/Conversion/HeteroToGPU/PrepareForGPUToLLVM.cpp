//===- PrepareForGPUToLLVM.cpp - For upstream's lowering of the host ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's gpu-to-llvm takes device operations that are asynchronous with one
// dependency, on the device that was set last:
//
//   %d = gpu.alloc () {hetero.device = gpu:1}
//   gpu.memcpy %d, %x {hetero.to = gpu:1}
//     ->
//   gpu.set_default_device %c1
//   %0 = gpu.wait async
//   %d, %1 = gpu.alloc async [%0] ()
//   %2 = gpu.memcpy async [%1] %d, %x
//   gpu.wait [%2]
//
//===----------------------------------------------------------------------===//

#include "hetero/Conversion/Passes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_PREPAREFORGPUTOLLVMPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// Upstream has no memory that outlives the block which asks for it.
static void lowerResident(ResidentOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto alloc = gpu::AllocOp::create(
      builder, loc, cast<MemRefType>(op.getResult().getType()),
      /*asyncToken=*/Type(), /*asyncDependencies=*/ValueRange(),
      /*dynamicSizes=*/ValueRange(), /*symbolOperands=*/ValueRange());
  alloc->setAttr(kDeviceAttrName, op.getDevice());
  auto memcpy = gpu::MemcpyOp::create(builder, loc, TypeRange(), ValueRange(),
                                      alloc.getMemref(), op.getSource());
  memcpy->setAttr(kToAttrName, op.getDevice());
  builder.setInsertionPoint(op->getBlock()->getTerminator());
  auto dealloc = gpu::DeallocOp::create(builder, loc, TypeRange(), ValueRange(),
                                        alloc.getMemref());
  dealloc->setAttr(kDeviceAttrName, op.getDevice());
  op.replaceAllUsesWith(alloc.getMemref());
  op.erase();
}

/// The waits of the runs are enough, and upstream has neither units nor a
/// report.
static void lowerHeteroOperations(ModuleOp module) {
  SmallVector<AdoptOp> adopted;
  module.walk([&](Operation *op) {
    if (auto resident = dyn_cast<ResidentOp>(op))
      lowerResident(resident);
    else if (auto adopt = dyn_cast<AdoptOp>(op))
      adopted.push_back(adopt);
    else if (isa<WaitOp, OrderOp, HostRegionOp, EndHostRegionOp, NodeOp>(op))
      op->erase();
  });
  for (AdoptOp op : adopted) {
    op.getResult().replaceAllUsesWith(op.getSource());
    op.erase();
  }
}

/// The device that does the work of a gpu operation; null for other operations.
static DeviceAttr getExecutingDevice(Operation *op) {
  // Units have no streams in upstream's lowering.
  auto getBareDevice = [&](StringRef name) {
    auto device = op->getAttrOfType<DeviceAttr>(name);
    return device ? device.getBare() : device;
  };
  if (isa<gpu::MemcpyOp>(op)) {
    DeviceAttr to = getBareDevice(kToAttrName);
    return !isHostAccessible(to) ? to : getBareDevice(kFromAttrName);
  }
  if (isa<gpu::AllocOp, gpu::DeallocOp, gpu::LaunchFuncOp>(op))
    return getBareDevice(kDeviceAttrName);
  return nullptr;
}

/// True if what is in a region or a callee may choose another device.
static bool mayChangeDevice(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<CallOpInterface, gpu::SetDefaultDeviceOp>(inner) ||
                       getExecutingDevice(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// Makes the runs of one block asynchronous.
class BlockRewriter {
public:
  explicit BlockRewriter(Block &block) : block(block) {}

  int64_t run() {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      DeviceAttr device = getExecutingDevice(&op);
      if (device)
        append(&op, device);
      else if (!isMemoryEffectFree(&op) || op.hasTrait<OpTrait::IsTerminator>())
        endRun(&op);
      if (!device && mayChangeDevice(&op))
        current = nullptr;
    }
    return runs;
  }

private:
  void append(Operation *op, DeviceAttr device);
  void endRun(Operation *before);

  Block &block;
  /// The default device, if known, and the token that the run ends with.
  DeviceAttr current;
  Value token;
  int64_t runs = 0;
};
} // namespace

void BlockRewriter::append(Operation *op, DeviceAttr device) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (device != current)
    endRun(op);
  if (device != current) {
    Value number = arith::ConstantOp::create(
        builder, loc,
        builder.getI32IntegerAttr(static_cast<int32_t>(device.getOrdinal())));
    gpu::SetDefaultDeviceOp::create(builder, loc, number);
    current = device;
  }
  Type type = gpu::AsyncTokenType::get(op->getContext());
  if (!token) {
    ++runs;
    token =
        gpu::WaitOp::create(builder, loc, type, ValueRange()).getAsyncToken();
  }
  // The token is a result, which an operation cannot get later.
  OperationState state(loc, op->getName(), op->getOperands(),
                       op->getResultTypes(), op->getAttrs());
  for (StringRef name :
       {kDeviceAttrName, kFromAttrName, kToAttrName, kValueAttrName})
    state.attributes.erase(name);
  state.addTypes(type);
  Operation *async = builder.create(state);
  cast<gpu::AsyncOpInterface>(async).addAsyncDependency(token);
  token = async->getResults().back();
  op->replaceAllUsesWith(async->getResults().drop_back());
  op->erase();
}

void BlockRewriter::endRun(Operation *before) {
  if (!token)
    return;
  OpBuilder builder(before);
  gpu::WaitOp::create(builder, before->getLoc(), Type(), token);
  token = nullptr;
}

/// Upstream copies contiguous memory only.
static LogicalResult checkCopies(ModuleOp module) {
  WalkResult result = module.walk([](gpu::MemcpyOp op) -> WalkResult {
    for (Value end : {op.getSrc(), op.getDst()})
      if (auto type = dyn_cast<MemRefType>(end.getType());
          type && !type.getLayout().isIdentity())
        return op.emitOpError("expected contiguous memory, got ")
               << type << "; run --convert-hetero-to-gpu=pack-copies";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Upstream's launches pass no tensor maps.
static LogicalResult checkTensorMaps(ModuleOp module) {
  WalkResult result = module.walk([](TensorMapOp op) -> WalkResult {
    return op.emitOpError("has no lowering upstream; use --hetero-to-llvm, or "
                          "another chip than sm_90a");
  });
  return failure(result.wasInterrupted());
}

namespace {
struct PrepareForGPUToLLVMPass
    : public mlir::hetero::impl::PrepareForGPUToLLVMPassBase<
          PrepareForGPUToLLVMPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkCopies(module)) || failed(checkTensorMaps(module)))
      return signalPassFailure();
    lowerHeteroOperations(module);
    int64_t runs = 0;
    SmallVector<Block *> blocks;
    module.walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      runs += BlockRewriter(*block).run();
    // The tools of upstream that come next do not know this dialect.
    module.walk(removeOwnAttributes);
    remarkSummary(module, getArgument(), {{"streams", runs}});
  }
};
} // namespace
