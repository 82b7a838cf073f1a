//===- NarrowElements.cpp - Elements of less than a byte ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   memref.store %b, %m[%i] : memref<?xi1>
//     ->
//   %byte = llvm.zext %b : i1 to i8
//   llvm.store %byte, %p : i8, !llvm.ptr
//
// An i1 or i4 lies in a byte of its own, here as in NumPy. An LLVM access of
// less than a byte says nothing of the byte's other bits, and takes a byte that
// has some set for poison.
//
//===----------------------------------------------------------------------===//

#include "NarrowElements.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::hetero;

static constexpr unsigned kByte = 8;

static bool isNarrow(MemRefType type) {
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  return integer && integer.getWidth() < kByte;
}

/// The indices of an access are in bounds by its definition.
static constexpr LLVM::GEPNoWrapFlags kInBounds =
    LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw;

namespace {
struct StoreByte : public ConvertOpToLLVMPattern<memref::StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isNarrow(op.getMemRefType()))
      return rewriter.notifyMatchFailure(op, "elements are whole bytes");
    Value address = getStridedElementPtr(
        rewriter, op.getLoc(), op.getMemRefType(), adaptor.getMemref(),
        adaptor.getIndices(), kInBounds);
    Value byte = LLVM::ZExtOp::create(rewriter, op.getLoc(),
                                      rewriter.getI8Type(), adaptor.getValue());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
        op, byte, address, op.getAlignment().value_or(0),
        /*isVolatile=*/false, op.getNontemporal());
    return success();
  }
};

struct LoadByte : public ConvertOpToLLVMPattern<memref::LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isNarrow(op.getMemRefType()))
      return rewriter.notifyMatchFailure(op, "elements are whole bytes");
    Value address = getStridedElementPtr(
        rewriter, op.getLoc(), op.getMemRefType(), adaptor.getMemref(),
        adaptor.getIndices(), kInBounds);
    Value byte =
        LLVM::LoadOp::create(rewriter, op.getLoc(), rewriter.getI8Type(),
                             address, op.getAlignment().value_or(0),
                             /*isVolatile=*/false, op.getNontemporal());
    rewriter.replaceOpWithNewOp<LLVM::TruncOp>(
        op, getTypeConverter()->convertType(op.getType()), byte);
    return success();
  }
};
} // namespace

void mlir::hetero::populateNarrowElementPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  // Before those of upstream, for any element.
  patterns.add<StoreByte, LoadByte>(converter, /*benefit=*/2);
}
