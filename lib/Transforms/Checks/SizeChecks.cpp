//===- SizeChecks.cpp - Checks of dynamic sizes ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation whose operands have dynamic sizes that do not fit would read out
// of bounds. The sizes are checked before the region, where they are known
// without looking at any element, so that the region's code stays as it is and
// nothing waits for a device:
//
//   %r = hetero.execute "f" on gpu:0 (%x = %a : tensor<?xf32, gpu:0>,
//                                     %y = %b : tensor<?xf32, gpu:0>) ...
//     ->
//   %0 = tensor.dim %a, 0
//   %1 = tensor.dim %b, 0
//   %2 = arith.cmpi eq, %0, %1
//   cf.assert %2, "expected equal sizes in linalg.add at f.mlir:3:8, ..."
//   %r = hetero.execute ...
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Checks/SizeChecks.h"

#include "MemoryChecks.h"
#include "SizeAssertions.h"
#include "StructuredChecks.h"
#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::hetero;

std::string mlir::hetero::describe(Operation *op) {
  auto written = op->getAttrOfType<StringAttr>(kWrittenAsAttrName);
  std::string text =
      (written ? written.getValue() : op->getName().getStringRef()).str();
  if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += (" at " + llvm::sys::path::filename(loc.getFilename()) + ":" +
             Twine(loc.getLine()) + ":" + Twine(loc.getColumn()))
                .str();
  return text;
}

void mlir::hetero::setDescribedName(Operation *op, OperationName name) {
  op->setAttr(kWrittenAsAttrName, name.getIdentifier());
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

/// What is inserted must have the sizes of its place.
static void checkInsertion(SizeAssertions &checks, tensor::InsertSliceOp op) {
  checks.assertInside(op, op.getDest());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t dim = 0;
  for (auto [index, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(index)) {
      checks.assertEqual(checks.trace(op.getSource(), dim), checks.trace(size),
                         describeDifference(op, dim, 0));
      ++dim;
    }
}

//===----------------------------------------------------------------------===//
// Other shapes of the same elements
//===----------------------------------------------------------------------===//

/// A size that tensor.reshape reads, which the host does.
static std::optional<Size> getShapeElement(SizeAssertions &checks,
                                           tensor::ReshapeOp op, int64_t dim) {
  if (auto shape = op.getShape().getDefiningOp<tensor::FromElementsOp>())
    return checks.trace(OpFoldResult(shape.getElements()[dim]));
  Value shape = checks.getTracer().findVisible(op.getShape());
  DeviceAttr device = shape ? getTypeDevice(shape.getType()) : DeviceAttr();
  if (!device || !device.isHost())
    return std::nullopt;
  OpBuilder &builder = checks.getBuilder();
  Location loc = checks.getLoc();
  Value place = checks.materialize({Value(), dim});
  Value element = tensor::ExtractOp::create(builder, loc, shape, place);
  if (!isa<IndexType>(element.getType()))
    element = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                         element);
  return Size{element, -1};
}

static void checkReshape(SizeAssertions &checks, tensor::ReshapeOp op) {
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!to || !isa<RankedTensorType>(op.getSource().getType()))
    return;
  std::optional<Size> asked = Size{Value(), 1};
  for (int64_t dim = 0; dim < to.getRank(); ++dim) {
    std::optional<Size> size = getShapeElement(checks, op, dim);
    asked = checks.multiply(asked, size);
    checks.assertSize(op, size, to, dim);
  }
  checks.assertKeepsElements(op, checks.countElements(op.getSource()), asked);
}

//===----------------------------------------------------------------------===//
// Tensors that are made
//===----------------------------------------------------------------------===//

/// The parts of a concatenation are as large as each other in the other
/// dimensions.
static void checkConcat(SizeAssertions &checks, tensor::ConcatOp op) {
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    checks.assertSameSizes(op, 0, i, op.getDim());
}

static void checkPad(SizeAssertions &checks, tensor::PadOp op) {
  checks.assertNotNegative(op, op.getMixedLowPad(), "low padding");
  checks.assertNotNegative(op, op.getMixedHighPad(), "high padding");
  RankedTensorType type = op.getResultType();
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!type.isDynamicDim(dim))
      checks.assertEqual(checks.getTracer().tracePadded(op, dim),
                         Size{Value(), type.getDimSize(dim)},
                         "expected dimension " + Twine(dim) +
                             " of the result of " + describe(op) + " to be " +
                             Twine(type.getDimSize(dim)) +
                             "; pass a tensor whose size fits its type");
}

//===----------------------------------------------------------------------===//
// Loops over elements of several tensors
//===----------------------------------------------------------------------===//

static void checkTopk(SizeAssertions &checks, tm_tensor::TopkOp op) {
  unsigned first = op.getInputs().size();
  if (first == 2)
    checks.assertSameSizes(op, 0, 1);
  checks.assertSameSizes(op, 0, first, op.getDimension());
  checks.assertSameSizes(op, first, first + 1);
}

static void checkTMTensor(SizeAssertions &checks, Operation *op) {
  if (auto topk = dyn_cast<tm_tensor::TopkOp>(op))
    return checkTopk(checks, topk);
  if (isa<tm_tensor::SortOp>(op))
    for (unsigned i = 1; i < op->getNumOperands(); ++i)
      checks.assertSameSizes(op, 0, i);
  // Each update has a row of indices.
  if (auto scatter = dyn_cast<tm_tensor::ScatterOp>(op))
    checks.assertEqual(checks.trace(scatter.getInputs()[0], 0),
                       checks.trace(scatter.getInputs()[1], 0),
                       describeDifference(op, 0, 1));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static void checkTensor(SizeAssertions &checks, Operation *op) {
  auto assertDynamicSizes = [&](ValueRange sizes) {
    checks.assertNotNegative(op, getAsOpFoldResult(sizes), "dynamic size");
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tensor::ExtractSliceOp slice) {
        checks.assertInside(slice, slice.getSource());
      })
      .Case([&](tensor::InsertSliceOp slice) { checkInsertion(checks, slice); })
      .Case([&](tensor::ExtractOp extract) {
        checks.assertInside(op, extract.getTensor(), extract.getIndices());
      })
      .Case([&](tensor::InsertOp insert) {
        checks.assertInside(op, insert.getDest(), insert.getIndices());
      })
      .Case([&](tensor::DimOp dim) {
        checks.assertHasDim(op, dim.getSource(), dim.getIndex());
      })
      .Case([&](tensor::CastOp cast) {
        checks.assertFits(op, cast.getSource(),
                          dyn_cast<RankedTensorType>(cast.getType()));
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        checks.assertMadeUp(op, expand.getSrc(), expand.getMixedOutputShape(),
                            expand.getReassociationIndices());
      })
      .Case([&](tensor::ReshapeOp reshape) { checkReshape(checks, reshape); })
      .Case([&](tensor::ConcatOp concat) { checkConcat(checks, concat); })
      .Case([&](tensor::PadOp pad) { checkPad(checks, pad); })
      .Case([&](tensor::EmptyOp empty) {
        checks.assertNotNegative(op, empty.getMixedSizes(), "size");
      })
      .Case([&](tensor::GenerateOp generate) {
        assertDynamicSizes(generate.getDynamicExtents());
      })
      .Case([&](tensor::SplatOp splat) {
        assertDynamicSizes(splat.getDynamicSizes());
      })
      .Case([&](bufferization::AllocTensorOp alloc) {
        assertDynamicSizes(alloc.getDynamicSizes());
      });
}

/// Checks one operation, which is in a region or what the assertions are
/// before.
static void check(SizeAssertions &checks, Operation *op) {
  checks.setOperation(op);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    checkStructured(checks, structured);
  else if (auto pack = dyn_cast<linalg::PackOp>(op))
    checkPack(checks, pack);
  else if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    checkUnPack(checks, unpack);
  else if (isa_and_present<tm_tensor::TMTensorDialect>(op->getDialect()))
    checkTMTensor(checks, op);
  else {
    checkTensor(checks, op);
    checkMemory(checks, op);
  }
}

/// True for an operation whose sizes are checked before itself, outside of
/// regions.
static bool isCheckedAlone(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured
             ? structured.hasPureBufferSemantics()
             : isa_and_present<tensor::TensorDialect, memref::MemRefDialect,
                               bufferization::BufferizationDialect>(
                   op->getDialect());
}

/// True for operations that the host runs in the order of the program, not
/// once per element of something.
static bool isHostCode(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (isa<FunctionOpInterface>(parent))
      return true;
    if (!isa<RegionBranchOpInterface, LoopLikeOpInterface>(parent) ||
        isa<ExecuteOp>(parent))
      return false;
  }
  return false;
}

int64_t mlir::hetero::insertSizeChecks(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isCheckedAlone(op) && isHostCode(op))
      ops.push_back(op);
  });
  int64_t count = 0;
  for (Operation *op : ops)
    count += insertSizeChecks(op);
  return count;
}

int64_t mlir::hetero::insertSizeChecks(Operation *op) {
  SizeAssertions checks(op);
  check(checks, op);
  return checks.getNumChecks();
}

int64_t mlir::hetero::insertOperandChecks(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<tm_tensor::SortOp, tm_tensor::TopkOp, tm_tensor::ScatterOp>(op))
      ops.push_back(op);
  });
  int64_t count = 0;
  for (Operation *op : ops)
    count += insertSizeChecks(op);
  return count;
}

int64_t mlir::hetero::insertSizeChecks(ExecuteOp region) {
  SizeAssertions checks(region);
  // Destinations that a pass made have sizes of the user's operations, which
  // are to be named.
  for (bool isEmpty : {false, true})
    for (Operation &op : *region.getBodyBlock())
      if (isa<tensor::EmptyOp>(op) == isEmpty)
        check(checks, &op);
  return checks.getNumChecks();
}
