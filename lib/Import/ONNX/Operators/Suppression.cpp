//===- Suppression.cpp - NonMaxSuppression --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Selection.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
/// Walks the boxes of each class of each batch, the best ones first, and keeps
/// those that overlap with none that is kept. Rows (batch, class, box) are
/// written one after the other; the row after the last one is written often,
/// so that nothing branches.
class Suppressor {
public:
  explicit Suppressor(NodeBuilder &n)
      : n(n), s(n.b, n.loc, ElementType::F32),
        isCentered(n.getBool("center_point_box")) {}

  void build();

private:
  using Corners = SmallVector<Value, 4>;

  OpFoldResult readLimit();
  Value readThreshold(unsigned input);
  Value extract(Value tensor, ValueRange place) {
    return tensor::ExtractOp::create(n.b, n.loc, tensor, place);
  }
  Value toIndex(Value number) {
    return arith::IndexCastOp::create(n.b, n.loc, n.b.getIndexType(), number);
  }
  Value index(int64_t number) { return n.ix.value(n.ix.constant(number)); }
  template <typename OpTy> Value make(Value lhs, Value rhs) {
    return OpTy::create(n.b, n.loc, lhs, rhs);
  }
  Value compare(arith::CmpIPredicate kind, Value lhs, Value rhs) {
    return arith::CmpIOp::create(n.b, n.loc, kind, lhs, rhs);
  }
  /// A loop from `first` to `last` that carries values.
  SmallVector<Value>
  repeat(Value first, Value last, ArrayRef<Value> initial,
         function_ref<SmallVector<Value>(Value, ValueRange)> body);

  /// The lower and upper ends of a box in both dimensions.
  Corners readBox(Value batch, Value box);
  Value overlaps(const Corners &lhs, const Corners &rhs);
  SmallVector<Value> tryBox(Value batch, Value kind, Value rank, Value first,
                            ValueRange carried);

  NodeBuilder &n;
  Scalars s;
  bool isCentered;
  Value boxes, scores, order, limit, overlap;
  /// Null if all scores are good enough.
  Value threshold;
};
} // namespace

OpFoldResult Suppressor::readLimit() {
  OpFoldResult none = n.ix.constant(0);
  return n.has(2) ? n.ix.max(readIndex(n, n.in(2)), none) : none;
}

Value Suppressor::readThreshold(unsigned input) {
  return n.has(input) ? n.scalarValue(n.element(n.in(input))) : Value();
}

SmallVector<Value>
Suppressor::repeat(Value first, Value last, ArrayRef<Value> initial,
                   function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  Value one = index(1);
  auto op = scf::ForOp::create(
      n.b, n.loc, first, last, one, initial,
      [&](OpBuilder &, Location, Value number, ValueRange carried) {
        scf::YieldOp::create(n.b, n.loc, body(number, carried));
      });
  return llvm::to_vector(ValueRange(op.getResults()));
}

Suppressor::Corners Suppressor::readBox(Value batch, Value box) {
  Corners read, corners;
  for (int64_t i = 0; i < 4; ++i)
    read.push_back(extract(boxes, {batch, box, index(i)}));
  for (int64_t axis = 0; axis < 2; ++axis) {
    Value first = read[axis], second = read[axis + 2];
    if (isCentered) {
      Value half = s.div(second, s.constant(2));
      corners.append({s.sub(first, half), s.add(first, half)});
    } else {
      corners.append({s.min(first, second), s.max(first, second)});
    }
  }
  return corners;
}

Value Suppressor::overlaps(const Corners &lhs, const Corners &rhs) {
  Value zero = s.constant(0);
  auto extent = [&](Value low, Value high) {
    return s.max(s.sub(high, low), zero);
  };
  auto area = [&](const Corners &box) {
    return s.mul(extent(box[0], box[1]), extent(box[2], box[3]));
  };
  Corners both;
  for (int64_t i = 0; i < 4; i += 2)
    both.append({s.max(lhs[i], rhs[i]), s.min(lhs[i + 1], rhs[i + 1])});
  Value shared = area(both);
  Value all = s.sub(s.add(area(lhs), area(rhs)), shared);
  Value isSome = s.less(zero, shared);
  Value ratio = s.div(shared, s.select(isSome, all, s.constant(1)));
  return make<arith::AndIOp>(isSome, s.less(overlap, ratio));
}

SmallVector<Value> Suppressor::tryBox(Value batch, Value kind, Value rank,
                                      Value first, ValueRange carried) {
  Value rows = carried[0], total = carried[1];
  Value isWanted = compare(arith::CmpIPredicate::slt,
                           make<arith::SubIOp>(total, first), limit);
  if (threshold)
    isWanted = make<arith::AndIOp>(
        isWanted, s.less(threshold, extract(scores, {batch, kind, rank})));
  Value number = extract(order, {batch, kind, rank}), box = toIndex(number);
  Corners corners = readBox(batch, box);
  // Boxes that are not wanted are compared with none.
  Value last = arith::SelectOp::create(n.b, n.loc, isWanted, total, first);
  Value isFree =
      repeat(first, last, isWanted, [&](Value other, ValueRange free) {
        Value kept = toIndex(extract(rows, {other, index(2)}));
        Value isOver = overlaps(readBox(batch, kept), corners);
        return SmallVector<Value>{
            make<arith::AndIOp>(free[0], s.logicalNot(isOver))};
      })[0];
  Type type = n.b.getI64Type();
  Value columns[] = {arith::IndexCastOp::create(n.b, n.loc, type, batch),
                     arith::IndexCastOp::create(n.b, n.loc, type, kind),
                     number};
  for (int64_t i = 0; i < 3; ++i)
    rows = tensor::InsertOp::create(n.b, n.loc, columns[i], rows,
                                    ValueRange{total, index(i)});
  Value next = make<arith::AddIOp>(total, index(1));
  return {rows, arith::SelectOp::create(n.b, n.loc, isFree, next, total)};
}

void Suppressor::build() {
  const Tensor &given = n.in(0), &rated = n.in(1);
  if (given.rank() != 3 || rated.rank() != 3 ||
      given.type != ElementType::F32 || rated.type != ElementType::F32)
    n.fail("its boxes or scores are no floats of three dimensions");
  if (n.failed())
    return;
  n.checkEqual(given.sizes[0], rated.sizes[0], "its batches are unlike");
  n.checkEqual(given.sizes[2], n.ix.constant(4),
               "its boxes have not 4 numbers");
  OpFoldResult count = n.checkEqual(given.sizes[1], rated.sizes[2],
                                    "it has not a score for each box");
  OpFoldResult most = n.ix.min(readLimit(), count);
  overlap = readThreshold(3);
  threshold = readThreshold(4);
  if (n.failed())
    return;
  if (!overlap)
    overlap = n.scalar(ElementType::F32, 0);
  auto [sorted, places] =
      sort(n, rated, makePlaces(n, rated.sizes, 2), 2, true);
  boxes = n.value(given);
  scores = n.value(sorted);
  order = n.value(places);
  limit = n.ix.value(most);
  OpFoldResult room = n.ix.add(
      n.ix.product({rated.sizes[0], rated.sizes[1], most}), n.ix.constant(1));
  Sizes sizes{room, n.ix.constant(3)};
  Value zero = index(0), boxCount = n.ix.value(count);
  Value kinds = n.ix.value(rated.sizes[1]);
  SmallVector<Value> start{n.empty(ElementType::I64, sizes), zero};
  auto results = repeat(
      zero, n.ix.value(rated.sizes[0]), start,
      [&](Value batch, ValueRange carried) {
        return repeat(zero, kinds, llvm::to_vector(carried),
                      [&](Value kind, ValueRange before) {
                        Value first = before[1];
                        return repeat(zero, boxCount, llvm::to_vector(before),
                                      [&](Value rank, ValueRange rows) {
                                        return tryBox(batch, kind, rank, first,
                                                      rows);
                                      });
                      });
      });
  Tensor rows = n.make(ElementType::I64, sizes, results[0]);
  n.set(0, sliceAxis(n, rows, 0, n.ix.constant(0), results[1]));
}

void mlir::hetero::onnx::addSuppression(OperatorTable &table) {
  table.add("NonMaxSuppression", {10, 11},
            [](NodeBuilder &n) { Suppressor(n).build(); });
}
