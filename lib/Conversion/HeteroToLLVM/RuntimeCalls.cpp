//===- RuntimeCalls.cpp - Turns operations into calls of the runtime ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory, copies, launches and waits become calls of libhetero_runtime. Each
// call is marked, so that its status is checked once everything is in the llvm
// dialect:
//
//   %m = memref.alloc() : memref<4xf32>
//     ->
//   %s = llvm.call @heteroAlloc(%host, %bytes, %alignment, %slot)
//          {hetero.checked} : (i32, i64, i64, !llvm.ptr) -> i32
//   %p = llvm.load %slot : !llvm.ptr -> !llvm.ptr
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include "Conversion/CopyRows.h"
#include "Conversion/RuntimeABI/CallBuilder.h"
#include "Conversion/RuntimeABI/RuntimeFunctions.h"
#include "DeviceConstants.h"
#include "DeviceImages.h"
#include "hetero/Conversion/RuntimeABI/ABITypes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {

constexpr int64_t kDefaultAlignment = 64;

/// Allocations of the host and of devices, which differ only in the device.
template <typename AllocOp>
struct LowerAlloc : public ConvertOpToLLVMPattern<AllocOp> {
  using ConvertOpToLLVMPattern<AllocOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AllocOp op, typename AllocOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getMemref().getType());
    if (!this->isConvertibleAndHasIdentityMaps(type))
      return rewriter.notifyMatchFailure(op, "layout is not the identity");
    Location loc = op.getLoc();
    SmallVector<Value> sizes, strides;
    Value bytes;
    this->getMemRefDescriptorSizes(loc, type, adaptor.getDynamicSizes(),
                                   rewriter, sizes, strides, bytes);
    CallBuilder calls(rewriter, op);
    // Memory that a device shares is allocated through it.
    auto sharer = op->template getAttrOfType<DeviceAttr>(kSharedAttrName);
    Value place = sharer ? calls.constant32(HETERO_SHARED(getDeviceId(sharer)))
                         : calls.device(getDevice(op));
    Value pointer = calls.alloc(place, bytes, kDefaultAlignment);
    Value descriptor = this->createMemRefDescriptor(loc, type, pointer, pointer,
                                                    sizes, strides, rewriter);
    replace(op, descriptor, rewriter);
    return success();
  }

private:
  static void replace(memref::AllocOp op, Value descriptor,
                      ConversionPatternRewriter &rewriter) {
    rewriter.replaceOp(op, descriptor);
  }
  /// The token of an asynchronous allocation is never waited for by itself:
  /// a device's work is in order.
  static void replace(gpu::AllocOp op, Value descriptor,
                      ConversionPatternRewriter &rewriter) {
    SmallVector<Value> results = {descriptor};
    if (op.getAsyncToken())
      results.push_back(LLVM::ZeroOp::create(
          rewriter, op.getLoc(), LLVM::LLVMPointerType::get(op.getContext())));
    rewriter.replaceOp(op, results);
  }
};

/// Replaces an operation whose only result may be a token.
void finish(Operation *op, ConversionPatternRewriter &rewriter) {
  if (op->getNumResults() == 0)
    return rewriter.eraseOp(op);
  rewriter.replaceOp(
      op, LLVM::ZeroOp::create(rewriter, op->getLoc(),
                               LLVM::LLVMPointerType::get(op->getContext()))
              .getResult());
}

template <typename DeallocOp>
struct LowerDealloc : public ConvertOpToLLVMPattern<DeallocOp> {
  using ConvertOpToLLVMPattern<DeallocOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DeallocOp op, typename DeallocOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value pointer = MemRefDescriptor(adaptor.getMemref())
                        .allocatedPtr(rewriter, op.getLoc());
    CallBuilder calls(rewriter, op);
    calls.call("heteroFree", {calls.device(getDevice(op)), pointer});
    finish(op, rewriter);
    return success();
  }
};

struct LowerMemcpy : public ConvertOpToLLVMPattern<gpu::MemcpyOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::MemcpyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = dyn_cast<MemRefType>(op.getSrc().getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "source has no rank");
    MemRefDescriptor source(adaptor.getSrc()), target(adaptor.getDst());
    std::optional<int64_t> last = getCopyRows(op);
    if (!last)
      return rewriter.notifyMatchFailure(op, "strided, and not of rows");
    CallBuilder calls(rewriter, op);
    auto multiply = [&](int64_t begin, int64_t end) {
      return multiplySizes(loc, type, source, begin, end, rewriter, calls);
    };
    Value element = ConvertToLLVMPattern::getSizeInBytes(
        loc, type.getElementType(), rewriter);
    Value width = LLVM::MulOp::create(
        rewriter, loc, multiply(*last + 1, type.getRank()), element);
    auto name = op->getAttrOfType<StringAttr>(kValueAttrName);
    Value to = calls.stream(op->getAttrOfType<DeviceAttr>(kToAttrName));
    Value from = calls.stream(op->getAttrOfType<DeviceAttr>(kFromAttrName));
    Value toAddress = address(loc, op.getDst(), target, rewriter);
    Value fromAddress = address(loc, op.getSrc(), source, rewriter);
    Value value = calls.string(name ? name.getValue() : "value");
    if (*last < 0) {
      calls.call("heteroCopy",
                 {to, toAddress, from, fromAddress, width, value});
    } else {
      auto getPitch = [&](MemRefDescriptor &end) -> Value {
        return LLVM::MulOp::create(rewriter, loc,
                                   end.stride(rewriter, loc, *last), element);
      };
      Value rows = multiply(0, *last + 1);
      calls.call("heteroCopyRows",
                 {to, toAddress, getPitch(target), from, fromAddress,
                  getPitch(source), width, rows, value});
    }
    finish(op, rewriter);
    return success();
  }

private:
  Value address(Location loc, Value memref, MemRefDescriptor &descriptor,
                ConversionPatternRewriter &rewriter) const {
    return descriptor.bufferPtr(rewriter, loc, *getTypeConverter(),
                                cast<MemRefType>(memref.getType()));
  }

  Value multiplySizes(Location loc, MemRefType type,
                      MemRefDescriptor &descriptor, int64_t begin, int64_t end,
                      ConversionPatternRewriter &rewriter,
                      CallBuilder &calls) const {
    Value count = calls.constant64(1);
    for (int64_t i = begin; i < end; ++i) {
      Value size = type.isDynamicDim(i) ? descriptor.size(rewriter, loc, i)
                                        : calls.constant64(type.getDimSize(i));
      count = LLVM::MulOp::create(rewriter, loc, count, size);
    }
    return count;
  }
};

/// A constant that lives on a device: its address there, which the runtime has
/// filled in before the entry point did anything.
struct LowerResident : public ConvertOpToLLVMPattern<ResidentOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ResidentOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getResult().getType());
    Type ptr = LLVM::LLVMPointerType::get(op.getContext());
    Value constant =
        LLVM::AddressOfOp::create(rewriter, loc, ptr, getConstantSymbol(op));
    constexpr int32_t kOffset = offsetof(HeteroConstant, address);
    Value slot = LLVM::GEPOp::create(rewriter, loc, ptr, rewriter.getI8Type(),
                                     constant, ArrayRef<LLVM::GEPArg>{kOffset});
    Value pointer = LLVM::LoadOp::create(rewriter, loc, ptr, slot);
    rewriter.replaceOp(op,
                       {MemRefDescriptor::fromStaticShape(
                           rewriter, loc, *getTypeConverter(), type, pointer)});
    return success();
  }
};

struct LowerLaunch : public ConvertOpToLLVMPattern<gpu::LaunchFuncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::LaunchFuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    CallBuilder calls(rewriter, op);
    for (Value operand : adaptor.getKernelOperands())
      if (isa<LLVM::LLVMStructType>(operand.getType()))
        return rewriter.notifyMatchFailure(op, "kernel takes a descriptor");
    Value image = LLVM::AddressOfOp::create(
        rewriter, loc, calls.ptr(),
        getImageSymbol(op.getKernelModuleName().getValue()));
    SmallVector<Value> arguments = {
        calls.stream(getDevice(op)), image,
        calls.string(op.getKernelName().getValue())};
    for (Value size : {adaptor.getGridSizeX(), adaptor.getGridSizeY(),
                       adaptor.getGridSizeZ(), adaptor.getBlockSizeX(),
                       adaptor.getBlockSizeY(), adaptor.getBlockSizeZ()})
      arguments.push_back(size);
    Value shared = adaptor.getDynamicSharedMemorySize();
    arguments.push_back(
        shared ? LLVM::ZExtOp::create(rewriter, loc, calls.i64(), shared)
                     .getResult()
               : calls.constant64(0));
    arguments.push_back(
        packArguments(op, adaptor.getKernelOperands(), calls, rewriter));
    arguments.push_back(calls.constant32(adaptor.getKernelOperands().size()));
    auto label = op->getAttrOfType<StringAttr>(kLabelAttrName);
    if (label)
      arguments.push_back(calls.string(label.getValue()));
    calls.call(label ? "heteroLaunchAs" : "heteroLaunch", arguments);
    finish(op, rewriter);
    return success();
  }

private:
  /// An array of pointers to the arguments' values. A tensor map is where its
  /// pointer leads.
  static Value packArguments(gpu::LaunchFuncOp op, ValueRange operands,
                             CallBuilder &calls,
                             ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    auto maps = op->getAttrOfType<DenseI32ArrayAttr>(kTensorMapsAttrName);
    int64_t count = std::max<int64_t>(operands.size(), 1);
    Value array = calls.stackSlot(calls.ptr(), count);
    for (auto [index, operand] : llvm::enumerate(operands)) {
      bool isMap = maps && llvm::is_contained(maps.asArrayRef(),
                                              static_cast<int32_t>(index));
      Value slot = isMap ? operand : calls.stackSlot(operand.getType());
      if (!isMap)
        LLVM::StoreOp::create(rewriter, loc, operand, slot);
      Value entry = LLVM::GEPOp::create(
          rewriter, loc, calls.ptr(), calls.ptr(), array,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
      LLVM::StoreOp::create(rewriter, loc, slot, entry);
    }
    return array;
  }
};

struct LowerTensorMap : public ConvertOpToLLVMPattern<TensorMapOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TensorMapOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<int32_t> type = getABIType(op.getElement());
    if (!type)
      return rewriter.notifyMatchFailure(op,
                                         "elements have no type of the ABI");
    Location loc = op.getLoc();
    CallBuilder calls(rewriter, op);
    Value map = calls.stackSlot(
        LLVM::LLVMArrayType::get(rewriter.getI8Type(), HETERO_TENSOR_MAP_BYTES),
        1, HETERO_TENSOR_MAP_ALIGNMENT);
    SmallVector<Value> box;
    for (int32_t size : op.getBox())
      box.push_back(calls.constant64(size));
    auto store = [&](ValueRange numbers) {
      Value array =
          calls.stackSlot(calls.i64(), std::max<size_t>(numbers.size(), 1));
      for (auto [index, number] : llvm::enumerate(numbers)) {
        Value entry = LLVM::GEPOp::create(
            rewriter, loc, calls.ptr(), calls.i64(), array,
            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
        LLVM::StoreOp::create(rewriter, loc, number, entry);
      }
      return array;
    };
    calls.call("heteroTensorMap",
               {map, calls.constant32(*type),
                calls.constant32(op.getSizes().size()), adaptor.getBase(),
                store(adaptor.getSizes()), store(adaptor.getStrides()),
                store(box), calls.constant32(op.getSwizzle())});
    rewriter.replaceOp(op, map);
    return success();
  }
};

/// Whose buffer it is has been settled by now.
struct LowerAdopt : public ConvertOpToLLVMPattern<AdoptOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(AdoptOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

struct LowerOrder : public ConvertOpToLLVMPattern<OrderOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(OrderOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CallBuilder calls(rewriter, op);
    calls.call("heteroOrder",
               {calls.stream(op.getDevice()), calls.stream(op.getAfter())});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerWait : public ConvertOpToLLVMPattern<WaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(WaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CallBuilder calls(rewriter, op);
    DeviceAttr device = op.getDevice();
    if (device.getUnit().empty())
      calls.call("heteroWait", {calls.device(device)});
    else
      calls.call("heteroWaitUnit", {calls.stream(device)});
    rewriter.eraseOp(op);
    return success();
  }
};

/// The first element of the buffer.
template <typename TransferOp>
Value getAddress(TransferOp op, Value descriptor,
                 const LLVMTypeConverter &converter,
                 ConversionPatternRewriter &rewriter) {
  return MemRefDescriptor(descriptor)
      .bufferPtr(rewriter, op.getLoc(), converter,
                 cast<MemRefType>(op.getBuffer().getType()));
}

template <typename TransferOp>
struct LowerStart : public ConvertOpToLLVMPattern<TransferOp> {
  LowerStart(const LLVMTypeConverter &converter, StringRef function)
      : ConvertOpToLLVMPattern<TransferOp>(converter), function(function) {}

  LogicalResult
  matchAndRewrite(TransferOp op, typename TransferOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CallBuilder calls(rewriter, op);
    auto name = op->template getAttrOfType<StringAttr>(kValueAttrName);
    Value address = getAddress(op, adaptor.getBuffer(),
                               *this->getTypeConverter(), rewriter);
    calls.call(function,
               {calls.constant32(op.getNode()), calls.constant64(op.getTag()),
                address, countBytes(op, adaptor.getBuffer(), calls, rewriter),
                calls.string(name ? name.getValue() : "value")});
    rewriter.eraseOp(op);
    return success();
  }

private:
  Value countBytes(TransferOp op, Value buffer, CallBuilder &calls,
                   ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getBuffer().getType());
    MemRefDescriptor descriptor(buffer);
    Value bytes = this->getSizeInBytes(loc, type.getElementType(), rewriter);
    for (int64_t i = 0; i < type.getRank(); ++i) {
      Value size = type.isDynamicDim(i) ? descriptor.size(rewriter, loc, i)
                                        : calls.constant64(type.getDimSize(i));
      bytes = LLVM::MulOp::create(rewriter, loc, bytes, size);
    }
    return bytes;
  }

  StringRef function;
};

struct LowerAwait : public ConvertOpToLLVMPattern<AwaitTransferOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AwaitTransferOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CallBuilder calls(rewriter, op);
    calls.call(
        "heteroAwaitTransfer",
        {calls.constant64(op.getTag()),
         getAddress(op, adaptor.getBuffer(), *getTypeConverter(), rewriter)});
    rewriter.eraseOp(op);
    return success();
  }
};

/// Tokens only order what a stream orders anyway; the waits that the host needs
/// are hetero.wait.
struct LowerTokenWait : public ConvertOpToLLVMPattern<gpu::WaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(gpu::WaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    finish(op, rewriter);
    return success();
  }
};

struct LowerSetDefaultDevice
    : public ConvertOpToLLVMPattern<gpu::SetDefaultDeviceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(gpu::SetDefaultDeviceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerHostRegion : public ConvertOpToLLVMPattern<HostRegionOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(HostRegionOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CallBuilder calls(rewriter, op);
    calls.call("heteroHostRegion", {calls.string(op.getName())});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerEndHostRegion : public ConvertOpToLLVMPattern<EndHostRegionOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(EndHostRegionOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CallBuilder(rewriter, op).call("heteroHostRegionEnd", {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerNode : public ConvertOpToLLVMPattern<NodeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(NodeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CallBuilder calls(rewriter, op);
    auto names = op.getNames().getAsValueRange<StringAttr>();
    calls.call("heteroNode", {calls.string(llvm::join(names, "\n"))});
    rewriter.eraseOp(op);
    return success();
  }
};

/// A buffer that control flow passes on where nobody reads it. Nobody owns it
/// either, but frees compare its address with those of others: it is null.
struct LowerNoBuffer : public ConvertOpToLLVMPattern<ub::PoisonOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<MemRefType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a buffer");
    rewriter.replaceOpWithNewOp<LLVM::ZeroOp>(
        op, getTypeConverter()->convertType(op.getType()));
    return success();
  }
};

/// The runtime is called where the condition does not hold only: an assertion
/// may stand in the innermost loop.
struct LowerAssert : public ConvertOpToLLVMPattern<cf::AssertOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Block *block = op->getBlock();
    Block *next = rewriter.splitBlock(block, std::next(op->getIterator()));
    Block *failure = rewriter.createBlock(next);
    CallBuilder calls(rewriter, op);
    rewriter.setInsertionPointToEnd(failure);
    Value no =
        LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
    calls.call("heteroAssert", {no, calls.string(op.getMsg())});
    LLVM::BrOp::create(rewriter, loc, next);
    rewriter.setInsertionPointToEnd(block);
    LLVM::CondBrOp::create(rewriter, loc, adaptor.getArg(), next, failure);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void mlir::hetero::populateRuntimeCallPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  // Ahead of upstream's malloc and free.
  constexpr unsigned kBenefit = 10;
  patterns.add<LowerAlloc<memref::AllocOp>, LowerAlloc<gpu::AllocOp>,
               LowerDealloc<memref::DeallocOp>, LowerDealloc<gpu::DeallocOp>,
               LowerMemcpy, LowerAdopt, LowerResident, LowerLaunch,
               LowerTensorMap, LowerOrder, LowerWait, LowerTokenWait,
               LowerSetDefaultDevice, LowerHostRegion, LowerEndHostRegion,
               LowerNode, LowerNoBuffer, LowerAssert, LowerAwait>(converter,
                                                                  kBenefit);
  patterns.add<LowerStart<SendOp>>(converter, "heteroSend");
  patterns.add<LowerStart<ReceiveOp>>(converter, "heteroReceive");
}
