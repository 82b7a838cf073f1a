//===- HeteroToGPU.cpp - Turns work on device memory into the gpu dialect -===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory space of a buffer says where an operation on it runs. Each linalg
// operation on device memory becomes a kernel in one gpu.module and a
// gpu.launch_func; memory operations become those of the gpu dialect:
//
//   linalg.add ins(%a, %b : memref<4xf32, gpu:0>, ...) outs(%c : ...)
//   memref.copy %c, %h : memref<4xf32, gpu:0> to memref<4xf32>
//     ->
//   gpu.launch_func @kernels::@f_0_add blocks in (%n, %c1, %c1)
//     threads in (%c256, %c1, %c1) args(%pa, %pb, %pc : ...)
//     {hetero.device = gpu:0}
//   gpu.memcpy %h, %c {hetero.from = gpu:0, hetero.to = cpu:0}
//
// At the end no type has a device memory space.
//
//===----------------------------------------------------------------------===//

#include "Conversion/CopyRows.h"
#include "LibraryOperands.h"
#include "VariantKernels.h"
#include "hetero/Codegen/GPU/BuildKernels.h"
#include "hetero/Codegen/GPU/Plan/Chip.h"
#include "hetero/Conversion/Passes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CONVERTHETEROTOGPUPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// Buffers of a device that the host stands in for are host memory, too.
static bool isOnHost(Type memref) {
  return isHostAccessible(getTypeDevice(memref));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static bool isContiguous(Value memref) {
  return cast<MemRefType>(memref.getType()).getLayout().isIdentity();
}

/// A contiguous buffer of the same shape on the same device.
static Value createTemporary(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<MemRefType>(like.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(builder, loc, like, i));
  auto packed =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  return memref::AllocOp::create(builder, loc, packed, sizes);
}

/// A copy within one device's memory, or the host's.
static void copyLocally(OpBuilder &builder, Location loc, Value from, Value to,
                        Attribute stream, Attribute region = {}) {
  if (isOnHost(from.getType())) {
    memref::CopyOp::create(builder, loc, from, to);
    return;
  }
  auto copy =
      linalg::CopyOp::create(builder, loc, ValueRange(from), ValueRange(to));
  if (stream)
    copy->setAttr(kDeviceAttrName, stream);
  if (region)
    copy->setAttr(kRegionAttrName, region);
}

/// True if the runtime copies the rows of strided memory as they are. It packs
/// those of the host on their way; a device's copy engine is slow at short
/// ones.
static bool copiesRows(memref::CopyOp op) {
  constexpr int64_t kShortRow = 64;
  auto source = cast<MemRefType>(op.getSource().getType());
  auto target = cast<MemRefType>(op.getTarget().getType());
  if (isOnHost(source) == isOnHost(target))
    return false;
  std::optional<int64_t> last = findCopyRows(source, target);
  if (!last || !source.getElementType().isIntOrFloat())
    return false;
  if (isContiguous(isOnHost(source) ? op.getTarget() : op.getSource()))
    return true;
  int64_t bytes = (source.getElementTypeBitWidth() + 7) / 8;
  for (int64_t size : source.getShape().drop_front(*last + 1)) {
    if (ShapedType::isDynamic(size))
      return true;
    bytes *= size;
  }
  return bytes >= kShortRow;
}

/// Copies between devices are contiguous, or of rows: other strided ends go
/// through a packed temporary on their own device.
static LogicalResult lowerCopy(memref::CopyOp op, bool packsAll) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value source = op.getSource(), target = op.getTarget();
  DeviceAttr from = getTypeDevice(source.getType());
  DeviceAttr to = getTypeDevice(target.getType());
  // With units where the schedule chose one.
  auto getStream = [&](StringRef name, DeviceAttr device) {
    auto stream = op->getAttrOfType<DeviceAttr>(name);
    return stream ? stream : device;
  };
  DeviceAttr fromStream = getStream(kFromAttrName, from);
  DeviceAttr toStream = getStream(kToAttrName, to);
  if (from == to) {
    copyLocally(builder, loc, source, target, toStream,
                op->getAttr(kRegionAttrName));
    op->erase();
    return success();
  }
  Value packedSource = source, packedTarget = target;
  bool keepsRows = !packsAll && copiesRows(op);
  if (!isContiguous(source) && !keepsRows) {
    packedSource = createTemporary(builder, loc, source);
    copyLocally(builder, loc, source, packedSource, fromStream);
  }
  if (!isContiguous(target) && !keepsRows)
    packedTarget = createTemporary(builder, loc, target);
  auto memcpy = gpu::MemcpyOp::create(builder, loc, TypeRange(), ValueRange(),
                                      packedTarget, packedSource);
  memcpy->setAttr(kFromAttrName, fromStream);
  memcpy->setAttr(kToAttrName, toStream);
  if (Attribute name = op->getAttr(kValueAttrName))
    memcpy->setAttr(kValueAttrName, name);
  if (packedTarget != target) {
    if (isHostAccessible(to))
      WaitOp::create(builder, loc, from);
    copyLocally(builder, loc, packedTarget, target, toStream);
    memref::DeallocOp::create(builder, loc, packedTarget);
  }
  if (packedSource != source)
    memref::DeallocOp::create(builder, loc, packedSource);
  op->erase();
  return success();
}

/// A copy from or to a device that the host stands in for: the runtime makes it
/// as well, so that reports and traces have it. Other copies within the host's
/// memory, and those with gaps, are code of the program.
static bool isBetweenHosts(memref::CopyOp op) {
  Type source = op.getSource().getType(), target = op.getTarget().getType();
  return isOnHost(source) && isOnHost(target) &&
         getTypeDevice(source) != getTypeDevice(target) &&
         op->hasAttr(kValueAttrName) && isa<MemRefType>(source) &&
         isa<MemRefType>(target) && isContiguous(op.getSource()) &&
         isContiguous(op.getTarget());
}

static LogicalResult lowerCopies(ModuleOp module, bool packsAll) {
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp op) {
    if (!isOnHost(op.getSource().getType()) ||
        !isOnHost(op.getTarget().getType()) || isBetweenHosts(op))
      copies.push_back(op);
  });
  for (memref::CopyOp op : copies)
    if (failed(lowerCopy(op, packsAll)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void lowerAlloc(memref::AllocOp op) {
  OpBuilder builder(op);
  auto alloc = gpu::AllocOp::create(
      builder, op.getLoc(), op.getType(), /*asyncToken=*/Type(),
      /*asyncDependencies=*/ValueRange(), op.getDynamicSizes(),
      op.getSymbolOperands());
  setDevice(alloc, getTypeDevice(op.getType()));
  if (Attribute sharer = op->getAttr(kSharedAttrName))
    alloc->setAttr(kSharedAttrName, sharer);
  op.replaceAllUsesWith(alloc.getMemref());
  op.erase();
}

static void lowerDealloc(memref::DeallocOp op) {
  OpBuilder builder(op);
  auto dealloc = gpu::DeallocOp::create(builder, op.getLoc(), TypeRange(),
                                        ValueRange(), op.getMemref());
  setDevice(dealloc, getTypeDevice(op.getMemref().getType()));
  op.erase();
}

/// The constant's bytes are in host memory; its address is asked for per
/// device.
static void lowerGetGlobal(memref::GetGlobalOp op) {
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  auto resident = ResidentOp::create(builder, op.getLoc(), op.getType(), op,
                                     getTypeDevice(op.getType()));
  resident->setAttr(kValueAttrName, builder.getStringAttr(op.getName()));
  op.getResult().replaceAllUsesExcept(resident, resident);
}

static void lowerMemory(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::DeallocOp, memref::GetGlobalOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    Type type = op->getNumResults() ? op->getResult(0).getType()
                                    : op->getOperand(0).getType();
    if (isOnHost(type))
      continue;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      lowerAlloc(alloc);
    else if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      lowerDealloc(dealloc);
    else
      lowerGetGlobal(cast<memref::GetGlobalOp>(op));
  }
}

/// The elements of a constant carry the device in their tensor type.
static void stripInitialValue(memref::GlobalOp global) {
  std::optional<Attribute> value = global.getInitialValue();
  if (!value)
    return;
  auto elements = dyn_cast<ElementsAttr>(*value);
  if (!elements)
    return;
  Type type = withoutDevice(elements.getShapedType());
  if (Attribute retyped = retypeElements(elements, cast<ShapedType>(type)))
    global.setInitialValueAttr(retyped);
}

/// Device memory spaces mean nothing to upstream's lowerings.
static void stripMemorySpaces(ModuleOp module) {
  for (auto global : module.getOps<memref::GlobalOp>())
    stripInitialValue(global);
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!isa_and_nonnull<DeviceAttr>(type.getMemorySpace()))
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  // Both ends have one type now.
  SmallVector<memref::MemorySpaceCastOp> casts;
  module.walk([&](memref::MemorySpaceCastOp op) {
    if (op.getType() == op.getSource().getType())
      casts.push_back(op);
  });
  for (memref::MemorySpaceCastOp op : casts) {
    op.replaceAllUsesWith(op.getSource());
    op.erase();
  }
}

/// Code is made for the devices of one node.
static LogicalResult verifyOneNode(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    for (Type type : op->getResultTypes())
      if (DeviceAttr device = getTypeDevice(type);
          device && device.getNode() != 0) {
        op->emitOpError("is on ")
            << device.str()
            << ", but code is made for one node at a time; run "
               "hetero-split-by-node before, or hetero-pipeline with node=";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct ConvertHeteroToGPUPass
    : public mlir::hetero::impl::ConvertHeteroToGPUPassBase<
          ConvertHeteroToGPUPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) >= Phase::GPU)
      return;
    if (failed(verifyOneNode(module)))
      return signalPassFailure();
    Chips chips(module, chip);
    for (const std::string &each : chips.getAll())
      if (failed(verifyChip(module.getLoc(), each)))
        return signalPassFailure();
    prepareLibraryCalls(module);
    if (failed(lowerCopies(module, packCopies)) ||
        failed(buildKernels(module, chips, allowTF32)))
      return signalPassFailure();
    mergeVariantKernels(module);
    lowerMemory(module);
    stripMemorySpaces(module);
    setPhase(module, Phase::GPU);
    remarkSummary(module, getArgument(),
                  {{"kernels", countOperations<gpu::GPUFuncOp>},
                   {"launches", countOperations<gpu::LaunchFuncOp>},
                   {"copies", countOperations<gpu::MemcpyOp>},
                   {"buffers", countOperations<gpu::AllocOp>},
                   {"residents", countOperations<ResidentOp>}});
  }
};
} // namespace
