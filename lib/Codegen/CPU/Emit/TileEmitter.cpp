//===- TileEmitter.cpp - Emits the register tile of an operation ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The innermost bodies: loads, the vectorized scalar body, accumulators and
// stores.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "Codegen/CPU/Plan/Access.h"
#include "hetero/Codegen/Match/NeutralElement.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Utils/VectorUtils.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<LoopEmitter::Cell>
LoopEmitter::getCells(const TileShape &shape) const {
  SmallVector<Cell> cells;
  for (int64_t row = 0; row < shape.rows; ++row)
    for (int64_t vector = 0; vector < shape.vectors; ++vector)
      for (int64_t inner = 0; inner < shape.inner; ++inner)
        cells.push_back({row, vector, shape.lanes, shape.mask, inner});
  return cells;
}

/// What the cells start from: null where nothing reads it.
SmallVector<Value> LoopEmitter::loadTile(Values tensors, ArrayRef<Cell> cells) {
  Values accumulators;
  for (const Cell &cell : cells)
    for (auto [result, init] : llvm::enumerate(op.getDpsInitsMutable()))
      accumulators.push_back(op.payloadUsesValueFromOperand(&init) ||
                                     !reductionLoops.empty()
                                 ? loadInit(result, tensors[result], cell)
                                 : Value());
  return accumulators;
}

SmallVector<Value> LoopEmitter::storeTile(Values accumulators, Values tensors,
                                          ArrayRef<Cell> cells) {
  if (epilogue)
    return storeThroughEpilogue(accumulators, tensors, cells);
  unsigned results = op.getNumDpsInits();
  for (auto [index, value] : llvm::enumerate(accumulators)) {
    unsigned result = index % results;
    tensors[result] = store(op.getDpsInitOperand(result), value,
                            tensors[result], cells[index / results]);
  }
  return tensors;
}

/// Computes one register tile and writes it.
SmallVector<Value> LoopEmitter::emitTile(Values tensors,
                                         const TileShape &shape) {
  SmallVector<Cell> cells = getCells(shape);
  tileRows = shape.rows;
  SmallVector<Ahead> ahead = planAhead(shape);
  prefetchForEpilogue(cells);
  Values accumulators = emitReductions(reductionLoops, loadTile(tensors, cells),
                                       [&](Values inner) {
                                         loads.clear();
                                         prefetchAhead(ahead);
                                         return accumulate(inner, cells);
                                       });
  return storeTile(correctTile(accumulators, cells), tensors, cells);
}

/// One step of every accumulator of the tile: cells in order, for each the
/// results in order. What is loaded already is not loaded again.
SmallVector<Value> LoopEmitter::accumulate(Values accumulators,
                                           ArrayRef<Cell> cells) {
  if (!windowSteps.empty())
    return accumulateWindow(accumulators, cells);
  unsigned results = op.getNumDpsInits();
  for (auto [index, cell] : llvm::enumerate(cells)) {
    if (!insideRows.empty() && !llvm::is_contained(insideRows, cell.row))
      continue;
    ArrayRef<Value> old =
        ArrayRef(accumulators).slice(index * results, results);
    Values values = emitBody(cell, old);
    for (auto [result, value] : llvm::enumerate(values))
      accumulators[index * results + result] = broadcast(value, cell.lanes);
  }
  return accumulators;
}

/// Reduces along the vector loop: `plan.vectors` vectors of partial results for
/// each row and iteration of the inner loop, put together at the end.
SmallVector<Value> LoopEmitter::emitLaneReduction(Values tensors,
                                                  const TileShape &tile) {
  Values partial;
  size_t numCells = getCells(tile).size();
  for (size_t cell = 0; cell < numCells; ++cell)
    for (unsigned result = 0; result < op.getNumDpsInits(); ++result) {
      TypedAttr neutral = getNeutralElement(getCombiner(op, result));
      auto type =
          VectorType::get(plan.lanes / plan.getGroup(), neutral.getType());
      partial.push_back(arith::ConstantOp::create(
          rewriter, loc, DenseElementsAttr::get(type, Attribute(neutral))));
    }
  partial = emitReductions(reductionLoops, partial, [&](Values outer) {
    return emitVectorSegments(outer, [&](Values inner, const TileShape &shape) {
      return shape.lanes == 1 ? inner : accumulateLanes(inner, tile, shape);
    });
  });
  tensors = reduceLanes(correctLanes(partial, tile), tensors, tile);
  if (!plan.scalarTail)
    return tensors;
  OpFoldResult size = sizes[plan.vectorLoop];
  return emitReductions(reductionLoops, tensors, [&](Values outer) {
    return emitLoop(roundDown(size, plan.lanes), size, 1, outer,
                    [&](Value index, Values inner) {
                      indices[plan.vectorLoop] = index;
                      return emitScalarStep(inner, tile);
                    });
  });
}

/// One element of every row, accumulated in memory.
SmallVector<Value> LoopEmitter::emitScalarStep(Values tensors,
                                               const TileShape &tile) {
  SmallVector<Cell> cells = getCells({tile.rows, 1, 1, {}, tile.inner});
  loads.clear();
  for (const Cell &cell : cells) {
    Values old;
    for (auto [init, tensor] :
         llvm::zip_equal(op.getDpsInitsMutable(), tensors))
      old.push_back(load(&init, tensor, cell));
    Values values = emitBody(cell, old);
    for (auto [result, init] : llvm::enumerate(op.getDpsInitsMutable()))
      tensors[result] = store(&init, values[result], tensors[result], cell);
  }
  return tensors;
}

/// One step of the partial results of the tile, of as many vectors as `shape`
/// has. Lanes past the end keep theirs.
SmallVector<Value> LoopEmitter::accumulateLanes(Values accumulators,
                                                const TileShape &tile,
                                                const TileShape &shape) {
  loads.clear();
  unsigned results = op.getNumDpsInits();
  for (auto [index, cell] : llvm::enumerate(getCells(tile))) {
    if (cell.vector >= shape.vectors)
      continue;
    unsigned first = index * results;
    cell.lanes = shape.lanes;
    cell.mask = shape.mask;
    Values values =
        emitBody(cell, ArrayRef(accumulators).slice(first, results));
    for (auto [result, value] : llvm::enumerate(values)) {
      Value next = broadcast(value, shape.lanes);
      // Groups past the end are zeros.
      if (shape.mask && plan.getGroup() == 1)
        next = arith::SelectOp::create(rewriter, loc, shape.mask, next,
                                       accumulators[first + result]);
      accumulators[first + result] = next;
    }
  }
  return accumulators;
}

/// Adds the partial results of each element of the result to it.
SmallVector<Value> LoopEmitter::reduceLanes(Values accumulators, Values tensors,
                                            const TileShape &tile) {
  unsigned results = op.getNumDpsInits();
  SmallVector<Cell> cells = getCells(tile);
  for (auto [index, cell] : llvm::enumerate(cells)) {
    if (cell.vector != 0)
      continue;
    for (auto [result, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      Operation *combiner = getCombiner(op, result);
      vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
      auto math = dyn_cast<arith::ArithFastMathInterface>(combiner);
      auto flags = math ? math.getFastMathFlagsAttr()
                        : arith::FastMathFlagsAttr::get(
                              op.getContext(), arith::FastMathFlags::none);
      unsigned first = index * results + result;
      Value sum = accumulators[first];
      for (int64_t vector = 1; vector < plan.vectors; ++vector)
        sum = vector::makeArithReduction(
            rewriter, loc, kind, sum,
            accumulators[first + vector * tile.inner * results], flags);
      Cell element{cell.row, 0, 1, {}, cell.inner};
      Value old = loadInit(result, tensors[result], element);
      Value value = vector::ReductionOp::create(
          rewriter, loc, kind, sum, old,
          isa<FloatType>(old.getType())
              ? flags.getValue() | arith::FastMathFlags::reassoc
              : arith::FastMathFlags::none);
      tensors[result] = store(&init, value, tensors[result], element);
    }
  }
  return tensors;
}

//===----------------------------------------------------------------------===//
// One cell
//===----------------------------------------------------------------------===//

/// One branch for all lanes.
static void emitCheck(OpBuilder &builder, cf::AssertOp check,
                      const llvm::DenseMap<Value, Value> &values) {
  Value holds = values.lookup(check.getArg());
  if (!holds)
    holds = check.getArg();
  if (isa<VectorType>(holds.getType()))
    holds = vector::ReductionOp::create(builder, check.getLoc(),
                                        vector::CombiningKind::AND, holds);
  cf::AssertOp::create(builder, check.getLoc(), holds, check.getMsg());
}

/// The values that the body yields for one cell. Values that are the same in
/// all lanes stay scalars.
SmallVector<Value> LoopEmitter::emitBody(const Cell &cell,
                                         ArrayRef<Value> accumulators) {
  if (plan.getGroup() > 1)
    return {emitDot(cell, accumulators.front())};
  llvm::DenseMap<Value, Value> values;
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.payloadUsesValueFromOperand(input))
      values[op.getMatchingBlockArgument(input)] = cachedLoad(input, cell);
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(), accumulators))
    if (value)
      values[argument] = value;
  for (Operation &inner : op.getBody()->without_terminator())
    if (auto check = dyn_cast<cf::AssertOp>(inner))
      emitCheck(rewriter, check, values);
    else
      values[inner.getResult(0)] = emitOperation(&inner, cell, values);
  Values yielded;
  for (Value value : op.getBody()->getTerminator()->getOperands())
    yielded.push_back(values.contains(value) ? values[value] : value);
  return yielded;
}

Value LoopEmitter::emitOperation(Operation *inner, const Cell &cell,
                                 llvm::DenseMap<Value, Value> &values) {
  if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
    Value first = getValueOrCreateConstantIndexOp(
        rewriter, loc, getIndex(index.getDim(), cell));
    if (cell.lanes == 1 || index.getDim() != plan.vectorLoop)
      return first;
    auto type = VectorType::get(cell.lanes, rewriter.getIndexType());
    Value step = vector::StepOp::create(rewriter, loc, type);
    return arith::AddIOp::create(rewriter, loc, broadcast(first, cell.lanes),
                                 step);
  }
  Values operands;
  for (Value operand : inner->getOperands())
    operands.push_back(values.contains(operand) ? values[operand] : operand);
  Type type = inner->getResult(0).getType();
  if (llvm::any_of(operands,
                   [](Value v) { return isa<VectorType>(v.getType()); })) {
    for (Value &operand : operands)
      operand = broadcast(operand, cell.lanes);
    type = VectorType::get(cell.lanes, type);
  }
  Operation *copy = mlir::clone(rewriter, inner, type, operands);
  // A multiply and the add of a reduction may become one instruction.
  auto math = dyn_cast<arith::ArithFastMathInterface>(copy);
  if (math && isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(copy) &&
      op.getNumReductionLoops() != 0)
    copy->setAttr(math.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(
                      op.getContext(), math.getFastMathFlagsAttr().getValue() |
                                           arith::FastMathFlags::contract));
  return copy->getResult(0);
}

Value LoopEmitter::broadcast(Value value, int64_t lanes) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      rewriter, loc, VectorType::get(lanes, value.getType()), value);
}

/// Position of a cell's lane in a loop.
OpFoldResult LoopEmitter::getIndex(unsigned loop, const Cell &cell,
                                   int64_t lane) {
  int64_t offset = 0;
  if (loop == plan.getRowLoop())
    offset = cell.row;
  if (loop == plan.vectorLoop)
    offset = cell.vector * plan.lanes + lane;
  if (loop == plan.getInnerLoop())
    offset = cell.inner;
  if (offset == 0)
    return indices[loop];
  return affine::makeComposedFoldedAffineApply(
      rewriter, loc, rewriter.getAffineSymbolExpr(0) + offset, {indices[loop]});
}

SmallVector<Value> LoopEmitter::getIndices(OpOperand *operand, const Cell &cell,
                                           int64_t lane) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<OpFoldResult> loops;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    loops.push_back(map.isFunctionOfDim(loop) ? getIndex(loop, cell, lane)
                                              : rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> places;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    places.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, map.getSubMap({i}), loops));
  if (border && border->input == operand)
    moveToImage(places);
  return getValueOrCreateConstantIndexOp(rewriter, loc, places);
}

Value LoopEmitter::zero(Type type) {
  return arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
}

/// Loads what several cells of one body share once.
Value LoopEmitter::cachedLoad(OpOperand *input, const Cell &cell) {
  auto depends = [&](std::optional<unsigned> loop) {
    return loop && classifyAccess(op, input, *loop) != AccessKind::Invariant;
  };
  if (!isa<RankedTensorType>(input->get().getType()))
    return input->get();
  auto key = std::make_tuple(input->getOperandNumber(),
                             depends(plan.getRowLoop()) ? cell.row : 0,
                             depends(plan.vectorLoop) ? cell.vector : 0,
                             depends(plan.getInnerLoop()) ? cell.inner : 0);
  if (!loads.contains(key) && isTransposedBlock(input, cell))
    loadTransposed(input, cell);
  if (Value value = loads.lookup(key))
    return value;
  Value value = plan.getGroup() > 1 ? loadGroup(input, cell)
                                    : load(input, getSource(input), cell);
  loads[key] = value;
  return value;
}

/// Loads a cell: a scalar where all lanes are the same.
Value LoopEmitter::load(OpOperand *operand, Value source, const Cell &cell) {
  if (prepared.contains(operand->getOperandNumber()))
    return loadPrepared(operand, cell);
  if (Value panel = panels.lookup(operand->getOperandNumber()))
    return loadFromPanel(operand, panel, cell);
  if (border && border->input == operand && isOutside)
    return getBorderValue();
  AccessKind kind = classifyAccess(op, operand, plan.vectorLoop);
  if (cell.lanes == 1 || kind == AccessKind::Invariant)
    return tensor::ExtractOp::create(rewriter, loc, source,
                                     getIndices(operand, cell));
  if (kind == AccessKind::Scattered)
    return loadLanes(operand, source, cell);
  if (kind == AccessKind::Strided)
    return loadStrided(operand, source, cell);
  auto type = cast<RankedTensorType>(source.getType());
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, rewriter.getContext());
  return vector::TransferReadOp::create(
      rewriter, loc, VectorType::get(cell.lanes, type.getElementType()), source,
      getIndices(operand, cell), map, zero(type.getElementType()), cell.mask,
      rewriter.getBoolArrayAttr({true}));
}

/// What a sum starts from.
Value LoopEmitter::loadInit(unsigned result, Value tensor, const Cell &cell) {
  if (Value start = startValues[result])
    return broadcast(start, cell.lanes);
  return load(op.getDpsInitOperand(result), tensor, cell);
}

Value LoopEmitter::loadLanes(OpOperand *operand, Value source,
                             const Cell &cell) {
  unsigned loop = plan.vectorLoop;
  OpFoldResult first = indices[loop];
  Cell corner = cell;
  corner.vector = 0;
  Values lanes;
  for (int64_t lane = 0; lane < cell.lanes; ++lane) {
    indices[loop] =
        getLanePlace(first, cell.vector * plan.lanes + lane, bool(cell.mask));
    lanes.push_back(tensor::ExtractOp::create(rewriter, loc, source,
                                              getIndices(operand, corner)));
  }
  indices[loop] = first;
  return vector::FromElementsOp::create(
      rewriter, loc, VectorType::get(cell.lanes, lanes.front().getType()),
      lanes);
}

/// One load from the first to the last element, of which a shuffle keeps every
/// stride-th. Nothing past the last element is touched.
Value LoopEmitter::loadStrided(OpOperand *operand, Value source,
                               const Cell &cell) {
  int64_t stride = getAccessStride(op, operand, plan.vectorLoop);
  auto type = cast<RankedTensorType>(source.getType());
  int64_t length = cell.lanes * stride;
  auto maskType = VectorType::get(length, rewriter.getI1Type());
  Value mask;
  if (cell.mask) {
    AffineExpr size = rewriter.getAffineSymbolExpr(0);
    AffineExpr index = rewriter.getAffineSymbolExpr(1);
    OpFoldResult count = affine::makeComposedFoldedAffineApply(
        rewriter, loc, (size - index - 1) * stride + 1,
        {sizes[plan.vectorLoop], indices[plan.vectorLoop]});
    mask = vector::CreateMaskOp::create(
        rewriter, loc, maskType,
        getValueOrCreateConstantIndexOp(rewriter, loc, count));
  } else {
    mask = vector::ConstantMaskOp::create(
        rewriter, loc, maskType, ArrayRef<int64_t>{length - stride + 1});
  }
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, rewriter.getContext());
  Value all = vector::TransferReadOp::create(
      rewriter, loc, VectorType::get(length, type.getElementType()), source,
      getIndices(operand, cell), map, zero(type.getElementType()), mask,
      rewriter.getBoolArrayAttr({true}));
  SmallVector<int64_t> kept;
  for (int64_t lane = 0; lane < cell.lanes; ++lane)
    kept.push_back(lane * stride);
  return vector::ShuffleOp::create(rewriter, loc, all, all, kept);
}

Value LoopEmitter::store(OpOperand *init, Value value, Value tensor,
                         const Cell &cell) {
  Values position = getIndices(init, cell);
  if (cell.lanes == 1)
    return tensor::InsertOp::create(rewriter, loc, value, tensor, position);
  auto type = cast<RankedTensorType>(tensor.getType());
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, rewriter.getContext());
  auto write = vector::TransferWriteOp::create(
      rewriter, loc, type, broadcast(value, cell.lanes), tensor, position, map,
      cell.mask, rewriter.getBoolArrayAttr({true}));
  return write.getResult();
}
