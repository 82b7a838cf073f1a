//===- KernelBuilder.cpp - What every kernel is built with ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "Codegen/GPU/Plan/TensorCorePlan.h"

#include "hetero/Codegen/Arithmetic/ExpandElementTypes.h"
#include "hetero/Codegen/Arithmetic/WidenSums.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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
  Type element = KernelBuilder::storageType(cast<MemRefType>(memref.getType()));
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
  assert(dynamicBytes == 0 && "there is one piece of dynamic shared memory");
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

Value KernelBuilder::createZero(OpOperand &operand) {
  Type type = getBodyType(operand);
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Attribute part = builder.getZeroAttr(complex.getElementType());
  return complex::ConstantOp::create(builder, loc, type,
                                     builder.getArrayAttr({part, part}));
}

Type KernelBuilder::getBodyType(OpOperand &operand) {
  return cast<linalg::LinalgOp>(operand.getOwner())
      .getMatchingBlockArgument(&operand)
      .getType();
}

SmallVector<Value> KernelBuilder::getOrigin() {
  return SmallVector<Value>(op.getNumLoops(), constant(0));
}

SmallVector<Value> KernelBuilder::applyMap(AffineMap map, ValueRange loops) {
  SmallVector<Value> position;
  for (AffineExpr expression : map.getResults())
    position.push_back(
        affine::expandAffineExpr(builder, loc, expression, loops, {}));
  return position;
}

AffineMap KernelBuilder::getMap(OpOperand &operand) {
  return cast<linalg::LinalgOp>(operand.getOwner())
      .getMatchingIndexingMap(&operand);
}

Value KernelBuilder::elementAddress(const KernelBuffer &buffer,
                                    ValueRange position) {
  // Folded, so that strides that are not needed are not passed either.
  Value linear = constant(0);
  for (auto [index, stride] : llvm::zip(position, buffer.strides)) {
    Value step = builder.createOrFold<arith::MulIOp>(loc, index, stride);
    linear = builder.createOrFold<arith::AddIOp>(loc, linear, step);
  }
  return offsetAddress(buffer, linear);
}

Value KernelBuilder::offsetAddress(const KernelBuffer &buffer, Value elements) {
  Value offset =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), elements);
  return LLVM::GEPOp::create(builder, loc, buffer.pointer.getType(),
                             storageType(buffer.type), buffer.pointer,
                             ArrayRef<LLVM::GEPArg>{offset});
}

Value KernelBuilder::getAddress(OpOperand &operand, Value elements) {
  return offsetAddress(buffers.lookup(operand.get()), elements);
}

Value KernelBuilder::getStep(OpOperand &operand, unsigned loop) {
  Value step = constant(0);
  AffineMap map = getMap(operand);
  for (auto [result, stride] : llvm::zip_equal(
           map.getResults(), buffers.lookup(operand.get()).strides)) {
    Value part = builder.createOrFold<arith::MulIOp>(
        loc, stride, constant(*getCoefficient(map, result, loop)));
    step = builder.createOrFold<arith::AddIOp>(loc, step, part);
  }
  return step;
}

Value KernelBuilder::loadElement(const KernelBuffer &buffer,
                                 ValueRange position) {
  Value address = elementAddress(buffer, position);
  return fromStorage(
      buffer.type,
      LLVM::LoadOp::create(builder, loc, storageType(buffer.type), address));
}

/// One part of a complex number as it lies in memory.
static Value extractPart(OpBuilder &builder, Location loc, Value storage,
                         int64_t part) {
  return vector::ExtractOp::create(builder, loc, storage, part);
}

Value KernelBuilder::fromStorage(MemRefType memref, Value value) {
  Type type = memref.getElementType();
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (type.isInteger(1))
    return arith::TruncIOp::create(builder, loc, type, value);
  if (isFloat8(type))
    return arith::BitcastOp::create(builder, loc, type, value);
  if (isa<ComplexType>(type))
    return complex::CreateOp::create(builder, loc, type,
                                     extractPart(builder, loc, value, 0),
                                     extractPart(builder, loc, value, 1));
  return value;
}

Value KernelBuilder::toStorage(MemRefType memref, Value value) {
  Type type = memref.getElementType();
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      value);
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
  if (isFloat8(type))
    return arith::BitcastOp::create(builder, loc, builder.getI8Type(),
                                    convertFloat(builder, loc, value, type));
  if (isa<FloatType>(type))
    return convertFloat(builder, loc, value, type);
  if (isa<ComplexType>(type)) {
    Value parts[] = {complex::ReOp::create(builder, loc, value),
                     complex::ImOp::create(builder, loc, value)};
    return vector::FromElementsOp::create(builder, loc, storageType(memref),
                                          parts);
  }
  return value;
}

void KernelBuilder::storeElement(const KernelBuffer &buffer,
                                 ValueRange position, Value value) {
  LLVM::StoreOp::create(builder, loc, toStorage(buffer.type, value),
                        elementAddress(buffer, position));
}

/// How an element lies in memory: a byte for i1 and f8, 64 bits for index, a
/// vector of both parts for complex numbers.
Type KernelBuilder::storageType(MemRefType type) {
  Type element = type.getElementType();
  MLIRContext *context = type.getContext();
  if (element.isIndex())
    return IntegerType::get(context, 64);
  if (auto complex = dyn_cast<ComplexType>(element))
    return VectorType::get(2, complex.getElementType());
  return element.isInteger(1) || isFloat8(element)
             ? IntegerType::get(context, 8)
             : element;
}

Value KernelBuilder::loadOperand(OpOperand &operand, ValueRange loops) {
  auto it = buffers.find(operand.get());
  if (it == buffers.end())
    return scalars.lookup(operand.get());
  Value value = loadElement(it->second, applyMap(getMap(operand), loops));
  Type type = getBodyType(operand);
  return isa<FloatType>(type) ? convertFloat(builder, loc, value, type) : value;
}

void KernelBuilder::storeOperand(OpOperand &operand, ValueRange loops,
                                 Value value) {
  storeElement(buffers.lookup(operand.get()), applyMap(getMap(operand), loops),
               value);
}

void KernelBuilder::cloneBodyOp(Operation &bodyOp, ValueRange loops,
                                IRMapping &mapping) {
  if (auto index = dyn_cast<linalg::IndexOp>(bodyOp)) {
    mapping.map(index.getResult(), loops[index.getDim()]);
    return;
  }
  auto load = dyn_cast<memref::LoadOp>(bodyOp);
  if (load && buffers.count(load.getMemref())) {
    SmallVector<Value> position;
    for (Value index : load.getIndices())
      position.push_back(mapping.lookupOrDefault(index));
    mapping.map(load.getResult(),
                loadElement(buffers.lookup(load.getMemref()), position));
    return;
  }
  builder.clone(bodyOp, mapping);
}

SmallVector<Value> KernelBuilder::cloneBody(ValueRange arguments,
                                            ValueRange loops) {
  return cloneBodyOf(op, arguments, loops);
}

SmallVector<Value> KernelBuilder::cloneBodyOf(linalg::LinalgOp user,
                                              ValueRange arguments,
                                              ValueRange loops) {
  IRMapping mapping(scalars);
  Block *body = user.getBlock();
  mapping.map(body->getArguments(), arguments);
  for (Operation &bodyOp : body->without_terminator())
    cloneBodyOp(bodyOp, loops, mapping);
  SmallVector<Value> results;
  for (Value value : body->getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
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
