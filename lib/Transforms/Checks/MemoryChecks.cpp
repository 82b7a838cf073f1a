//===- MemoryChecks.cpp - Sizes of memory ---------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view of memory must be a part of it, and a copy as large as what it is
// copied to:
//
//   %v = memref.subview %m[%i] [%n] [1] : memref<?xf32> to ...
//   memref.copy %a, %b : memref<?xf32> to memref<?xf32>
//
// asks for 0 <= %i, %i + %n <= the size of %m, and for equal sizes of %a and
// %b.
//
//===----------------------------------------------------------------------===//

#include "MemoryChecks.h"

#include "SizeAssertions.h"
#include "hetero/Transforms/Checks/SizeChecks.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

/// 0 <= shift <= bytes, and the elements in what is left.
static void checkView(SizeAssertions &checks, memref::ViewOp op) {
  OpBuilder &builder = checks.getBuilder();
  Location loc = checks.getLoc();
  MemRefType type = op.getType();
  checks.assertNotNegative(op, getAsOpFoldResult(op.getSizes()),
                           "dynamic size");
  std::optional<Size> shift = checks.trace(OpFoldResult(op.getByteShift())),
                      bytes = checks.trace(op.getSource(), 0),
                      elements = checks.countElements(op);
  if (!shift || !bytes || !elements)
    return;
  int64_t size = DataLayout::closest(op).getTypeSize(type.getElementType());
  if (shift->isConstant() && bytes->isConstant() && elements->isConstant() &&
      shift->index >= 0 &&
      shift->index + elements->index * size <= bytes->index)
    return;
  Value from = checks.materialize(*shift), end = checks.materialize(*bytes);
  Value left = arith::DivUIOp::create(
      builder, loc, arith::SubIOp::create(builder, loc, end, from),
      checks.materialize({Value(), size}));
  Value holds = arith::AndIOp::create(
      builder, loc, checks.compare(arith::CmpIPredicate::ule, from, end),
      checks.compare(arith::CmpIPredicate::ule, checks.materialize(*elements),
                     left));
  checks.assertThat(holds, "expected " + describe(op) +
                               " to stay inside its memory; pass a shift and "
                               "sizes that fit");
}

/// The sizes that are in memory are as many elements as there are.
static void checkReshape(SizeAssertions &checks, memref::ReshapeOp op) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType());
  auto to = dyn_cast<MemRefType>(op.getType());
  if (!from || !to)
    return;
  OpBuilder &builder = checks.getBuilder();
  std::optional<Size> asked = Size{Value(), 1};
  for (int64_t dim = 0; dim < to.getRank(); ++dim) {
    Value place = checks.materialize({Value(), dim});
    Value number =
        memref::LoadOp::create(builder, checks.getLoc(), op.getShape(), place);
    if (!isa<IndexType>(number.getType()))
      number = arith::IndexCastOp::create(builder, checks.getLoc(),
                                          builder.getIndexType(), number);
    checks.assertSize(op, Size{number, -1}, to, dim);
    asked = checks.multiply(asked, Size{number, -1});
  }
  checks.assertKeepsElements(op, checks.countElements(op.getSource()), asked);
}

void mlir::hetero::checkMemory(SizeAssertions &checks, Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto alloc) {
        checks.assertNotNegative(op, getAsOpFoldResult(alloc.getDynamicSizes()),
                                 "dynamic size");
      })
      .Case([&](memref::SubViewOp view) {
        checks.assertInside(view, view.getSource());
      })
      .Case([&](memref::ViewOp view) { checkView(checks, view); })
      .Case<memref::CopyOp, bufferization::MaterializeInDestinationOp>(
          [&](auto) { checks.assertSameSizes(op, 0, 1); })
      .Case([&](memref::CastOp cast) {
        checks.assertFits(op, cast.getSource(),
                          dyn_cast<MemRefType>(cast.getType()));
      })
      .Case([&](memref::DimOp dim) {
        checks.assertHasDim(op, dim.getSource(), dim.getIndex());
      })
      .Case([&](memref::ExpandShapeOp expand) {
        checks.assertMadeUp(op, expand.getSrc(), expand.getMixedOutputShape(),
                            expand.getReassociationIndices());
      })
      .Case([&](memref::ReshapeOp reshape) { checkReshape(checks, reshape); });
}
