//===- HeteroTransferOps.cpp - Transfers between nodes --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/HeteroTransferOps.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::hetero;

/// A number without its type, which is always i64.
static ParseResult parseCount(OpAsmParser &parser, IntegerAttr &attr) {
  int64_t number;
  if (parser.parseInteger(number))
    return failure();
  attr = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}

static void printCount(OpAsmPrinter &printer, Operation *, IntegerAttr attr) {
  printer << attr.getInt();
}

static LogicalResult verifyTag(Operation *op, int64_t tag) {
  if (tag > 0)
    return success();
  return op->emitOpError("expected a positive tag, got ")
         << tag << "; tags are counted from 1";
}

template <typename TransferOp>
static LogicalResult verifyTransfer(TransferOp op) {
  auto type = dyn_cast<MemRefType>(op.getBuffer().getType());
  bool isDense = type && type.getLayout().isIdentity();
  if (!isDense || !isHostAccessible(getTypeDevice(type))) // C1
    return op.emitOpError("expected a buffer of the host without gaps, got ")
           << op.getBuffer().getType() << "; copy it into one";
  if (int64_t(op.getNode()) < 0) // C2
    return op.emitOpError("expected a node, got ")
           << int64_t(op.getNode()) << "; nodes are counted from 0";
  return verifyTag(op, op.getTag());
}

LogicalResult SendOp::verify() { return verifyTransfer(*this); }
LogicalResult ReceiveOp::verify() { return verifyTransfer(*this); }
LogicalResult AwaitTransferOp::verify() { return verifyTag(*this, getTag()); }

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroTransferOps.cpp.inc"
