//===- LibraryCalls.cpp - Turns calls of libraries into calls -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   hetero.library_call "openblas" "gemm" ins(%a, %b) outs(%c) {orders = ...}
//
// becomes an array of HeteroValue on the stack, one for each operand with its
// dimensions in the order of the function, and
//
//   llvm.call @heteroCallLibrary(%library, %function, %values, 3, 0, ...)
//
// or, where --convert-hetero-to-gpu has found its buffers to be a device's, of
// @heteroCallDeviceLibrary with the stream and a name for the work.
//
//===----------------------------------------------------------------------===//

#include "LibraryCalls.h"

#include "Conversion/RuntimeABI/CallBuilder.h"
#include "Conversion/RuntimeABI/ValueFields.h"
#include "hetero/Conversion/RuntimeABI/ABITypes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include <cstddef>

using namespace mlir;
using namespace mlir::hetero;

namespace {
struct LowerHasLibrary : public ConvertOpToLLVMPattern<HasLibraryOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(HasLibraryOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CallBuilder calls(rewriter, op);
    Value slot = calls.stackSlot(calls.i32());
    calls.call("heteroHasLibrary", {calls.string(op.getLibrary()), slot});
    Value found =
        LLVM::LoadOp::create(rewriter, op.getLoc(), calls.i32(), slot);
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::ne,
                                              found, calls.constant32(0));
    return success();
  }
};

/// Writes the fields of values of an array on the stack.
class ValueWriter {
public:
  ValueWriter(OpBuilder &builder, Location loc, CallBuilder &calls, Value array)
      : builder(builder), loc(loc), calls(calls), array(array) {}

  /// Fills in one operand, its dimensions in the given order.
  void write(unsigned index, MemRefType type, Value descriptor,
             ArrayRef<int64_t> order, const LLVMTypeConverter &converter) {
    MemRefDescriptor memref(descriptor);
    store(index, offsetof(HeteroValue, data),
          memref.bufferPtr(builder, loc, converter, type));
    store(index, offsetof(HeteroValue, type),
          calls.constant32(*getABIType(type.getElementType())));
    store(index, offsetof(HeteroValue, rank), calls.constant32(order.size()));
    for (auto [position, dim] : llvm::enumerate(order)) {
      int64_t offset = position * sizeof(int64_t);
      store(index, offsetof(HeteroValue, sizes) + offset,
            dim < 0 ? calls.constant64(1) : memref.size(builder, loc, dim));
      store(index, offsetof(HeteroValue, strides) + offset,
            dim < 0 ? calls.constant64(0) : memref.stride(builder, loc, dim));
    }
  }

private:
  void store(unsigned index, int64_t offset, Value value) {
    LLVM::StoreOp::create(builder, loc, value,
                          getFieldAddress(builder, loc, array, index, offset));
  }

  OpBuilder &builder;
  Location loc;
  CallBuilder &calls;
  Value array;
};

struct LowerLibraryCall : public ConvertOpToLLVMPattern<LibraryCallOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(LibraryCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(check(op)))
      return failure();
    CallBuilder calls(rewriter, op);
    int64_t count = op->getNumOperands();
    constexpr int64_t kWords = sizeof(HeteroValue) / sizeof(int64_t);
    Value array = calls.stackSlot(calls.i64(), count * kWords);
    ValueWriter writer(rewriter, op.getLoc(), calls, array);
    for (auto [index, descriptor] : llvm::enumerate(adaptor.getOperands()))
      writer.write(index, cast<MemRefType>(op->getOperand(index).getType()),
                   descriptor, op.getOrder(index), *getTypeConverter());
    SmallVector<Value> arguments;
    DeviceAttr device = getDevice(op);
    bool isOnDevice = device && !isHostAccessible(device);
    if (isOnDevice)
      arguments = {calls.stream(device), calls.string(getLabel(op))};
    arguments.append(
        {calls.string(op.getLibrary()), calls.string(op.getFunction()), array,
         calls.constant32(count), calls.constant32(op.getAccumulate()),
         writeParameters(rewriter, op, calls),
         calls.constant32(op.getParameters().size()),
         getState(rewriter, op, calls)});
    calls.call(isOnDevice ? "heteroCallDeviceLibrary" : "heteroCallLibrary",
               arguments);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// As kernels are named, by the region first.
  static std::string getLabel(LibraryCallOp op) {
    auto region = op->getAttrOfType<StringAttr>(kRegionAttrName);
    return ((region ? region.getValue() : "kernel") + "_" + op.getLibrary() +
            "_" + op.getFunction())
        .str();
  }

  /// The parameters on the stack; null if there are none.
  static Value writeParameters(OpBuilder &builder, LibraryCallOp op,
                               CallBuilder &calls) {
    ArrayRef<int64_t> parameters = op.getParameters();
    if (parameters.empty())
      return LLVM::ZeroOp::create(builder, op.getLoc(), calls.ptr());
    Value array = calls.stackSlot(calls.i64(), parameters.size());
    for (auto [index, parameter] : llvm::enumerate(parameters)) {
      Value address = LLVM::GEPOp::create(
          builder, op.getLoc(), calls.ptr(), calls.i64(), array,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
      LLVM::StoreOp::create(builder, op.getLoc(), calls.constant64(parameter),
                            address);
    }
    return array;
  }

  /// The address of a pointer of the program for what the library keeps; null
  /// if no input is constant.
  static Value getState(OpBuilder &builder, LibraryCallOp op,
                        CallBuilder &calls) {
    Location loc = op.getLoc();
    if (op.getConstants().empty())
      return LLVM::ZeroOp::create(builder, loc, calls.ptr());
    auto module = op->getParentOfType<ModuleOp>();
    std::string name;
    for (int i = 0; name.empty() || module.lookupSymbol(name); ++i)
      name = (kLibraryStatePrefix + std::to_string(i)).str();
    LLVM::GlobalOp global;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      global = LLVM::GlobalOp::create(
          builder, loc, calls.ptr(),
          /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute());
      builder.createBlock(&global.getInitializerRegion());
      Value null = LLVM::ZeroOp::create(builder, loc, calls.ptr());
      LLVM::ReturnOp::create(builder, loc, null);
    }
    return LLVM::AddressOfOp::create(builder, loc, global);
  }

  static LogicalResult check(LibraryCallOp op) {
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes())) {
      auto memref = dyn_cast<MemRefType>(type);
      if (!memref)
        return op.emitOpError("expected ranked buffers, got ")
               << type << "; run --hetero-bufferize first";
      if (!getABIType(memref.getElementType()) ||
          op.getOrder(index).size() > HETERO_MAX_RANK)
        return op.emitOpError("expected operand ")
               << index << " with elements of the C ABI and at most "
               << HETERO_MAX_RANK << " dimensions, got " << type
               << "; generate code for it instead";
    }
    return success();
  }
};
} // namespace

void mlir::hetero::populateLibraryCallPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LowerHasLibrary, LowerLibraryCall>(converter);
}
