//===- LibraryOperands.cpp - Operands of calls on devices -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library that computes on a device gets the stream of its call as an
// attribute, for the types will not say it any longer. Elements of the last
// dimension have to be next to each other; other operands are packed:
//
//   hetero.library_call "cublas" "gemm" ins(%a : memref<4x8xf32, strided<[16,
//       2]>, gpu:0>, ...)
//     ->
//   %p = memref.alloc() : memref<4x8xf32, gpu:0>
//   linalg.copy ins(%a) outs(%p)
//   hetero.library_call "cublas" "gemm" ins(%p, ...) {hetero.device = gpu:0}
//
//===----------------------------------------------------------------------===//

#include "LibraryOperands.h"

#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if the elements of the last dimension are known to be next to each
/// other, and rows not to overlap.
static bool hasPlainRows(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() == 0 || type.getLayout().isIdentity())
    return true;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  return strides.back() == 1 || type.getShape().back() == 1;
}

/// A copy of the buffer without gaps on its device.
static Value pack(OpBuilder &builder, LibraryCallOp call, Value buffer,
                  bool copies) {
  auto type = cast<MemRefType>(buffer.getType());
  Location loc = call.getLoc();
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(builder, loc, buffer, i));
  auto packedType =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value packed = memref::AllocOp::create(builder, loc, packedType, sizes);
  if (copies)
    linalg::CopyOp::create(builder, loc, buffer, packed)
        ->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  return packed;
}

static void packOperand(LibraryCallOp call, OpOperand &operand) {
  Value buffer = operand.get();
  if (hasPlainRows(cast<MemRefType>(buffer.getType())))
    return;
  bool isResult = call.isDpsInit(&operand);
  OpBuilder builder(call);
  Value packed = pack(builder, call, buffer, !isResult || call.getAccumulate());
  operand.set(packed);
  builder.setInsertionPointAfter(call);
  // Freed last, whatever else stands after the call by now.
  auto dealloc = memref::DeallocOp::create(builder, call.getLoc(), packed);
  builder.setInsertionPoint(dealloc);
  if (isResult)
    linalg::CopyOp::create(builder, call.getLoc(), packed, buffer)
        ->setDiscardableAttrs(call->getDiscardableAttrDictionary());
}

void mlir::hetero::prepareLibraryCalls(ModuleOp module) {
  SmallVector<LibraryCallOp> calls;
  module.walk([&](LibraryCallOp call) { calls.push_back(call); });
  for (LibraryCallOp call : calls) {
    DeviceAttr stream = getKernelStream(call);
    if (!stream) {
      call->removeAttr(kDeviceAttrName);
      continue;
    }
    setDevice(call, stream);
    for (OpOperand &operand : call->getOpOperands())
      packOperand(call, operand);
  }
}
