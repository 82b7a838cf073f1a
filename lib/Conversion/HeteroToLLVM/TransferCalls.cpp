//===- TransferCalls.cpp - Transfers between nodes ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of hetero-split-by-node become calls of the runtime, which are
// marked so that their status is checked:
//
//   hetero.send %a to 1 tag 7 {hetero.value = "%x"} : memref<4xf32>
//     ->
//   %s = llvm.call @heteroSend(%node, %tag, %address, %bytes, %name)
//
//===----------------------------------------------------------------------===//

#include "TransferCalls.h"

#include "Conversion/RuntimeABI/CallBuilder.h"
#include "hetero/Dialect/Hetero/IR/HeteroTransferOps.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {

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

} // namespace

void mlir::hetero::populateTransferCallPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LowerStart<SendOp>>(converter, "heteroSend");
  patterns.add<LowerStart<ReceiveOp>>(converter, "heteroReceive");
  patterns.add<LowerAwait>(converter);
}
