//===- KernelBuilder.cpp - What every kernel is built with ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "ElementStorage.h"
#include "KernelName.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Support/Assert.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::hetero;

KernelBuilder::KernelBuilder(gpu::GPUModuleOp module, linalg::LinalgOp op,
                             linalg::LinalgOp epilogue)
    : KernelBuilder(module, op, getKernelName(module, op, epilogue)) {}

KernelBuilder::KernelBuilder(gpu::GPUModuleOp module, linalg::LinalgOp op,
                             StringRef name)
    : op(op), loc(op.getLoc()), builder(op->getContext()), host(op) {
  builder.setInsertionPointToEnd(module.getBody());
  function = gpu::GPUFuncOp::create(builder, loc, name,
                                    builder.getFunctionType({}, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  builder.setInsertionPointToStart(&function.getBody().front());
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Value KernelBuilder::addArgument(Value hostValue) {
  launchOperands.push_back(hostValue);
  Block &entry = function.getBody().front();
  Value argument =
      entry.insertArgument(launchOperands.size() - 1, hostValue.getType(), loc);
  function.setFunctionType(
      builder.getFunctionType(ValueRange(launchOperands).getTypes(), {}));
  return argument;
}

Value KernelBuilder::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value KernelBuilder::importIndex(OpFoldResult value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return constant(*number);
  Value wide = arith::IndexCastOp::create(host, loc, host.getI64Type(),
                                          cast<Value>(value));
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    addArgument(wide));
}

/// The address of a memref's first element.
static Value getPointer(OpBuilder &host, Location loc, Value memref,
                        OpFoldResult offset) {
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(host, loc, memref);
  Type element = getStorageType(getElementTypeOrSelf(memref.getType()));
  Value address =
      arith::IndexCastOp::create(host, loc, host.getI64Type(), base);
  Type ptr = LLVM::LLVMPointerType::get(host.getContext());
  Value pointer = LLVM::IntToPtrOp::create(host, loc, ptr, address);
  if (isZeroInteger(offset))
    return pointer;
  Value elements = arith::IndexCastOp::create(
      host, loc, host.getI64Type(),
      getValueOrCreateConstantIndexOp(host, loc, offset));
  return LLVM::GEPOp::create(host, loc, ptr, element, pointer,
                             ArrayRef<LLVM::GEPArg>{elements});
}

KernelBuffer KernelBuilder::importBuffer(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(host, loc, memref);
  KernelBuffer buffer;
  buffer.type = type;
  OpFoldResult offset = metadata.getConstifiedMixedOffset();
  buffer.pointer = addArgument(getPointer(host, loc, memref, offset));
  for (OpFoldResult stride : metadata.getConstifiedMixedStrides())
    buffer.strides.push_back(importIndex(stride));
  return buffer;
}

Value KernelBuilder::importPointer(Value memref) {
  return addArgument(getPointer(host, loc, memref, host.getIndexAttr(0)));
}

void KernelBuilder::computeLoopSizes() {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<OpFoldResult> shapes = op.createFlatListOfOperandDims(host, loc);
  AffineMap map = op.getShapesToLoopsMap();
  for (auto [index, size] : llvm::enumerate(ranges)) {
    OpFoldResult hostSize =
        ShapedType::isDynamic(size)
            ? affine::makeComposedFoldedAffineApply(
                  host, loc, map.getSubMap({static_cast<unsigned>(index)}),
                  shapes)
            : OpFoldResult(host.getIndexAttr(size));
    hostLoopSizes.push_back(hostSize);
    loopSizes.push_back(importIndex(hostSize));
  }
}

Value KernelBuilder::importComplex(Value value) {
  Value real = addArgument(complex::ReOp::create(host, loc, value));
  Value imaginary = addArgument(complex::ImOp::create(host, loc, value));
  return complex::CreateOp::create(builder, loc, value.getType(), real,
                                   imaginary);
}

Value KernelBuilder::importScalar(Value value) {
  if (scalars.contains(value))
    return scalars.lookup(value);
  Operation *producer = value.getDefiningOp();
  Value own = producer && producer->hasTrait<OpTrait::ConstantLike>()
                  ? builder.clone(*producer)->getResult(0)
              : value.getType().isIndex()         ? importIndex(value)
              : isa<ComplexType>(value.getType()) ? importComplex(value)
                                                  : addArgument(value);
  scalars.map(value, own);
  return own;
}

LogicalResult KernelBuilder::importCaptures(linalg::LinalgOp user) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(user->getRegions(), captured);
  for (Value value : captured) {
    if (isa<MemRefType>(value.getType()))
      buffers[value] = importBuffer(value);
    else if (value.getType().isIntOrIndexOrFloat() ||
             isa<ComplexType>(value.getType()))
      importScalar(value);
    else
      return user.emitOpError("captures a value of type ")
             << value.getType()
             << ", which a kernel cannot take; make it an input of the "
                "operation, or place that on the host";
  }
  return success();
}

LogicalResult KernelBuilder::importOperandsOf(linalg::LinalgOp user) {
  for (Value value : user->getOperands()) {
    if (!isa<MemRefType>(value.getType()))
      importScalar(value);
    else if (!buffers.count(value) && !leftOut.contains(value))
      buffers[value] = importBuffer(value);
  }
  return importCaptures(user);
}

LogicalResult KernelBuilder::importOperands() {
  if (failed(importOperandsOf(op)))
    return failure();
  computeLoopSizes();
  return success();
}

Value KernelBuilder::addSharedMemory(ArrayRef<int64_t> shape,
                                     Type elementType) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get(shape, elementType, MemRefLayoutAttrInterface(), space);
  return function.addWorkgroupAttribution(type, loc);
}

Value KernelBuilder::addSharedBytes(int64_t bytes) {
  Value memory = addSharedMemory({bytes}, builder.getI8Type());
  function.setWorkgroupAttributionAttr(function.getNumWorkgroupAttributions() -
                                           1,
                                       LLVM::LLVMDialect::getAlignAttrName(),
                                       builder.getI64IntegerAttr(kVectorBytes));
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memory);
  Value address =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), base);
  auto type = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  return LLVM::IntToPtrOp::create(builder, loc, type, address);
}

Value KernelBuilder::addDynamicSharedBytes(int64_t bytes, int64_t alignment) {
  HETERO_ASSERT(dynamicBytes == 0,
                "a kernel has one piece of dynamic shared memory");
  dynamicBytes = bytes;
  constexpr auto space = static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  // With the size, of which nothing else in the PTX tells.
  std::string name = "hetero_shared_" + std::to_string(bytes);
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global) {
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    global = LLVM::GlobalOp::create(atStart, loc, type, /*isConstant=*/false,
                                    LLVM::Linkage::External, name, Attribute(),
                                    alignment, space);
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value KernelBuilder::addTensorMap(OpOperand &operand,
                                  ArrayRef<OpFoldResult> sizes,
                                  ArrayRef<OpFoldResult> strides,
                                  ArrayRef<int32_t> box, int32_t span) {
  Value memref = operand.get();
  auto metadata = memref::ExtractStridedMetadataOp::create(host, loc, memref);
  Value pointer =
      getPointer(host, loc, memref, metadata.getConstifiedMixedOffset());
  auto toValues = [&](ArrayRef<OpFoldResult> numbers) {
    return getValueOrCreateConstantIndexOp(host, loc, numbers);
  };
  Value map = TensorMapOp::create(
      host, loc, pointer.getType(), pointer, toValues(sizes), toValues(strides),
      TypeAttr::get(getElementTypeOrSelf(memref.getType())),
      host.getDenseI32ArrayAttr(box), host.getI32IntegerAttr(span),
      getTypeDevice(memref.getType()));
  tensorMaps.push_back(addArgument(map));
  return tensorMaps.back();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Value KernelBuilder::threadId() {
  return gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
}

Value KernelBuilder::blockId(gpu::Dimension dimension) {
  return gpu::BlockIdOp::create(builder, loc, dimension);
}

SmallVector<Value> KernelBuilder::delinearize(Value position,
                                              ValueRange sizes) {
  SmallVector<Value> result(sizes.size());
  for (int64_t i = sizes.size() - 1; i >= 0; --i) {
    if (i == 0) {
      result[i] = position;
      break;
    }
    result[i] = arith::RemUIOp::create(builder, loc, position, sizes[i]);
    position = arith::DivUIOp::create(builder, loc, position, sizes[i]);
  }
  return result;
}

OpFoldResult KernelBuilder::countIterations(ArrayRef<unsigned> loops) {
  OpFoldResult total = host.getIndexAttr(1);
  for (unsigned loop : loops)
    total = multiply(total, hostLoopSizes[loop]);
  return total;
}

void KernelBuilder::moveTo(Value position,
                           ArrayRef<SmallVector<unsigned>> groups,
                           MutableArrayRef<Value> point) {
  SmallVector<Value> sizes;
  for (ArrayRef<unsigned> group : groups)
    sizes.push_back(importIndex(countIterations(group)));
  for (auto [group, value] : llvm::zip(groups, delinearize(position, sizes)))
    point[group.back()] = value;
}

SmallVector<Value> KernelBuilder::getOrigin() {
  return SmallVector<Value>(op.getNumLoops(), constant(0));
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

OpFoldResult KernelBuilder::multiply(OpFoldResult a, OpFoldResult b) {
  AffineExpr x, y;
  bindSymbols(host.getContext(), x, y);
  return affine::makeComposedFoldedAffineApply(host, loc, x * y, {a, b});
}

OpFoldResult KernelBuilder::ceilDiv(OpFoldResult a, int64_t b) {
  AffineExpr x;
  bindSymbols(host.getContext(), x);
  return affine::makeComposedFoldedAffineApply(host, loc, x.ceilDiv(b), {a});
}

void KernelBuilder::dropUnusedArguments() {
  IRRewriter rewriter(builder.getContext());
  (void)runRegionDCE(rewriter, function->getRegions());
  Block &entry = function.getBody().front();
  for (int64_t i = launchOperands.size() - 1; i >= 0; --i) {
    if (!entry.getArgument(i).use_empty())
      continue;
    entry.eraseArgument(i);
    launchOperands.erase(launchOperands.begin() + i);
  }
  function.setFunctionType(
      builder.getFunctionType(ValueRange(launchOperands).getTypes(), {}));
}

void KernelBuilder::finish(ArrayRef<OpFoldResult> grid, bool keepsOperation) {
  OpBuilder atEnd = OpBuilder::atBlockEnd(&function.getBody().back());
  gpu::ReturnOp::create(atEnd, loc);
  dropUnusedArguments();
  function.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(blockSize), 1, 1}));
  if (residentBlocks)
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(*residentBlocks));
  Value one = arith::ConstantIndexOp::create(host, loc, 1);
  SmallVector<Value> blocks(3, one);
  for (auto [index, size] : llvm::enumerate(grid))
    blocks[index] = getValueOrCreateConstantIndexOp(host, loc, size);
  Value threads = arith::ConstantIndexOp::create(host, loc, blockSize);
  Value shared;
  if (dynamicBytes)
    shared = arith::ConstantIntOp::create(host, loc, dynamicBytes, 32);
  auto launch = gpu::LaunchFuncOp::create(
      host, loc, function, gpu::KernelDim3{blocks[0], blocks[1], blocks[2]},
      gpu::KernelDim3{threads, one, one}, shared, launchOperands);
  if (!tensorMaps.empty()) {
    SmallVector<int32_t> numbers;
    for (Value map : tensorMaps)
      numbers.push_back(cast<BlockArgument>(map).getArgNumber());
    for (Operation *user : {function.getOperation(), launch.getOperation()})
      user->setAttr(kTensorMapsAttrName, host.getDenseI32ArrayAttr(numbers));
  }
  DeviceAttr device = getTypeDevice(op.getDpsInits().front().getType());
  DeviceAttr own = getDevice(op);
  // With the unit, whose stream it goes to.
  setDevice(launch, own && own.isSameDevice(device) ? own : device);
  if (!keepsOperation)
    op->erase();
}
