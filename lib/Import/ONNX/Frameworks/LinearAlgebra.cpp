//===- LinearAlgebra.cpp - Decompositions of matrices ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Det, and operators of the domain `hetero` that decompositions of matrices are
// made of. All take batches (..., rows, columns), and work in place, one column
// in each pass of a loop: Golub and Van Loan, Matrix Computations, chapters 3
// to 5.
//
//   LU (x) -> factors, pivots, sign: L below the diagonal, of ones, and U; row
//     i was exchanged with row pivots[i] - 1 (int32) before column i was worked
//     on; sign is that of the order
//   Rows (pivots; count): the order (int64) that so many rows have then:
//     x[rows] is L U
//   Cholesky (x): the lower triangle L with L L^T = x, which reads that of x
//   TriangularSolve (a, b; upper, unit): x with a x = b
//   Householder (x) -> factors, scales: R, and reflectors below it (geqrf)
//   HouseholderProduct (factors, scales): the first columns of Q

#include "Matrices.h"

#include "../Emit/Iteration.h"
#include "../Emit/Selection.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
/// The numbers of the row and of the column of an element, and of the pass.
struct Place {
  Place(Scalars &s, ValueRange place, Value pass)
      : i(s.b, s.loc, ElementType::I64), row(place[1]), column(place[2]),
        pass(pass) {}
  Scalars i;
  Value row, column, pass;

  Value isRow() { return i.equal(row, pass); }
  Value isColumn() { return i.equal(column, pass); }
  Value isBelow() { return i.less(pass, row); }
  Value isRight() { return i.less(pass, column); }
};

/// One pass of a loop, which works on a column.
class Step {
public:
  Step(NodeBuilder &n, OpFoldResult number)
      : n(n), number(number),
        at(n.makeKnown(ElementType::I64, {},
                       {n.ix.toElement(number, ElementType::I64)})) {}

  Tensor row(const Tensor &tensor) { return take(tensor, 1); }
  Tensor column(const Tensor &tensor) { return take(tensor, 2); }
  Tensor pivot(const Tensor &tensor) { return take(column(tensor), 1); }

  /// Computes each element from its place and those of operands that broadcast.
  Tensor compute(
      ElementType type, ArrayRef<OpFoldResult> sizes, ArrayRef<Tensor> operands,
      llvm::function_ref<Value(Scalars &s, Place &place, ValueRange elements)>
          body) {
    SmallVector<Tensor> all(operands);
    all.push_back(at);
    return generate(n, type, all, sizes,
                    [&](Scalars &s, ValueRange indices, ValueRange e) {
                      Place place(s, indices, e.back());
                      return body(s, place, e.drop_back());
                    });
  }

private:
  Tensor take(const Tensor &tensor, int64_t axis) {
    return sliceAxis(n, tensor, axis, number, n.ix.constant(1));
  }

  NodeBuilder &n;
  OpFoldResult number;
  Tensor at;
};
} // namespace

/// A loop over `count` columns.
static std::optional<SmallVector<Tensor>>
overColumns(NodeBuilder &n, OpFoldResult count, ArrayRef<Tensor> initial,
            llvm::function_ref<SmallVector<Tensor>(OpFoldResult number,
                                                   ArrayRef<Tensor> carried)>
                body) {
  FailureOr<LoopResults> results =
      loop(n, count, n.b.getBoolAttr(true), initial,
           [&](OpFoldResult number,
               ArrayRef<Tensor> carried) -> FailureOr<LoopPass> {
             return LoopPass{n.b.getBoolAttr(true), body(number, carried), {}};
           });
  if (failed(results))
    return std::nullopt;
  return std::move(results->carried);
}

//===----------------------------------------------------------------------===//
// LU, Det
//===----------------------------------------------------------------------===//

/// Exchanges the row of the pass and another one.
static Tensor swapRows(NodeBuilder &n, Step &step, const Tensor &tensor,
                       const Tensor &other) {
  Value source = n.value(tensor);
  return step.compute(
      tensor.type, tensor.sizes, {other},
      [&](Scalars &s, Place &p, ValueRange e) -> Value {
        Value row = p.i.select(p.i.equal(p.row, e[0]), p.pass, p.row);
        row = p.i.select(p.isRow(), e[0], row);
        SmallVector<Value> from{s.index(0), p.i.toIndex(row), s.index(2)};
        return tensor::ExtractOp::create(s.b, s.loc, source, from);
      });
}

/// One step of Gauss's elimination: the row with the largest pivot comes first,
/// and multiples of it are taken from what is below.
static SmallVector<Tensor> eliminate(NodeBuilder &n, OpFoldResult number,
                                     ArrayRef<Tensor> carried) {
  Step step(n, number);
  Tensor column = step.column(carried[0]);
  Tensor keys = step.compute(column.type, column.sizes, {column},
                             [&](Scalars &s, Place &p, ValueRange e) {
                               return s.select(p.i.less(p.row, p.pass),
                                               s.constant(-1), s.abs(e[0]));
                             });
  Tensor best = argReduce(n, keys, 1, true, true, false);
  Tensor x = swapRows(n, step, carried[0], best);
  Tensor next = step.compute(
      x.type, x.sizes, {x, step.column(x), step.row(x), step.pivot(x)},
      [&](Scalars &s, Place &p, ValueRange e) {
        Value isZero = s.equal(e[3], s.constant(0));
        Value factor = s.div(e[1], s.select(isZero, s.constant(1), e[3]));
        Value rest = s.select(p.isRight(), s.sub(e[0], s.mul(factor, e[2])),
                              s.select(p.isColumn(), factor, e[0]));
        return s.select(p.isBelow(), rest, e[0]);
      });
  Tensor pivots = step.compute(
      ElementType::I64, carried[1].sizes, {carried[1], best},
      [&](Scalars &s, Place &p, ValueRange e) {
        return s.select(p.isColumn(), s.add(e[1], s.constant(1)), e[0]);
      });
  Tensor sign = step.compute(
      carried[2].type, carried[2].sizes, {carried[2], best},
      [&](Scalars &s, Place &p, ValueRange e) {
        return s.select(p.i.equal(e[1], p.pass), e[0], s.neg(e[0]));
      });
  return {next, pivots, sign};
}

namespace {
/// The factors of a batch of matrices, the pivots (batch, 1, count), and the
/// sign of the order (batch, 1, 1).
struct Factors {
  Matrices of;
  Tensor factors, pivots, sign;
};
} // namespace

/// Factorizes the matrices of the first input; nullopt after an error.
static std::optional<Factors> factorize(NodeBuilder &n, bool isSquare) {
  auto x = readMatrices(n, 0, isSquare);
  if (!x)
    return std::nullopt;
  OpFoldResult one = n.ix.constant(1),
               count = n.ix.min(x->rows(), x->columns());
  Tensor pivots = fill(n, ElementType::I64, {x->batch(), one, count}, 0);
  Tensor sign = fill(n, x->tensor.type, {x->batch(), one, one}, 1);
  auto made = overColumns(n, count, {x->tensor, pivots, sign},
                          [&](OpFoldResult number, ArrayRef<Tensor> carried) {
                            return eliminate(n, number, carried);
                          });
  if (!made)
    return std::nullopt;
  return Factors{*x, (*made)[0], (*made)[1], (*made)[2]};
}

static void buildLU(NodeBuilder &n) {
  auto made = factorize(n, false);
  if (!made)
    return;
  ElementType type = n.in(0).type;
  n.set(0, restore(n, made->of, made->factors, type));
  n.set(1,
        restore(n, made->of, squeeze(n, made->pivots, {1}), ElementType::I32));
  n.set(2, restore(n, made->of, squeeze(n, made->sign, {1, 2}), type));
}

static void buildRows(NodeBuilder &n) {
  const Tensor &pivots = n.in(0);
  if (pivots.rank() < 1 || !isInteger(pivots.type))
    return n.fail("its pivots are no integers");
  OpFoldResult one = n.ix.constant(1),
               rows = n.ix.constant(n.getInt("count", 0));
  OpFoldResult count = pivots.sizes.back();
  Matrices of;
  of.outer.assign(pivots.sizes.begin(), pivots.sizes.end() - 1);
  Tensor flat = reshape(n, castTo(n, pivots, ElementType::I64),
                        {n.ix.product(of.outer), one, count});
  Tensor start = makePlaces(n, {flat.sizes[0], rows, one}, 1);
  auto made = overColumns(
      n, count, {start}, [&](OpFoldResult number, ArrayRef<Tensor> carried) {
        Step step(n, number);
        Tensor other =
            elementwise(n, step.column(flat), [](Scalars &s, ValueRange e) {
              return s.sub(e[0], s.constant(1));
            });
        return SmallVector<Tensor>{swapRows(n, step, carried[0], other)};
      });
  if (made)
    n.set(0, restore(n, of, squeeze(n, made->front(), {2}), ElementType::I64));
}

static void buildDet(NodeBuilder &n) {
  auto made = factorize(n, true);
  if (!made)
    return;
  // The diagonal among ones.
  Tensor factors = made->factors;
  Tensor diagonal = generate(n, factors.type, {factors}, factors.sizes,
                             [](Scalars &s, ValueRange place, ValueRange e) {
                               Scalars i(s.b, s.loc, ElementType::I64);
                               return s.select(i.equal(place[1], place[2]),
                                               e[0], s.constant(1));
                             });
  Tensor product = reduce(n, diagonal, {1, 2}, false, Reduction::Product);
  Tensor sign = squeeze(n, made->sign, {1, 2});
  n.set(0, restore(n, made->of, mul(n, product, sign), n.in(0).type));
}

//===----------------------------------------------------------------------===//
// Cholesky, TriangularSolve
//===----------------------------------------------------------------------===//

static void buildCholesky(NodeBuilder &n) {
  auto x = readMatrices(n, 0, true);
  if (!x)
    return;
  auto made = overColumns(
      n, x->rows(), {x->tensor},
      [&](OpFoldResult number, ArrayRef<Tensor> carried) {
        Step step(n, number);
        Tensor column = step.column(carried[0]);
        Tensor root =
            elementwise(n, step.pivot(carried[0]),
                        [](Scalars &s, ValueRange e) { return s.sqrt(e[0]); });
        Tensor factor = div(n, column, root);
        return SmallVector<Tensor>{step.compute(
            factor.type, carried[0].sizes,
            {carried[0], factor, transpose(n, factor, {0, 2, 1})},
            [&](Scalars &s, Place &p, ValueRange e) {
              Value rest =
                  s.select(p.isColumn(), e[1], s.sub(e[0], s.mul(e[1], e[2])));
              Value isLeft = p.i.less(p.column, p.pass);
              return s.select(isLeft, e[0], rest);
            })};
      });
  if (!made)
    return;
  Tensor lower = generate(n, x->tensor.type, {made->front()}, x->tensor.sizes,
                          [](Scalars &s, ValueRange place, ValueRange e) {
                            Scalars i(s.b, s.loc, ElementType::I64);
                            return s.select(i.less(place[1], place[2]),
                                            s.constant(0), e[0]);
                          });
  n.set(0, restore(n, *x, lower, n.in(0).type));
}

static void buildTriangularSolve(NodeBuilder &n) {
  auto a = readMatrices(n, 0, true);
  auto x = readMatrices(n, 1, false);
  if (!a || !x)
    return;
  bool isUpper = n.getBool("upper"), isUnit = n.getBool("unit");
  n.checkEqual(a->batch(), x->batch(), "its batches differ");
  OpFoldResult count =
      n.checkEqual(a->rows(), x->rows(), "its matrices do not fit");
  if (n.failed())
    return;
  auto made = overColumns(
      n, count, {x->tensor},
      [&](OpFoldResult number, ArrayRef<Tensor> carried) {
        if (isUpper)
          number = n.ix.sub(n.ix.sub(count, n.ix.constant(1)), number);
        Step step(n, number);
        Tensor row = step.row(carried[0]);
        if (!isUnit)
          row = div(n, row, step.pivot(a->tensor));
        return SmallVector<Tensor>{step.compute(
            row.type, carried[0].sizes,
            {carried[0], step.column(a->tensor), row},
            [&](Scalars &s, Place &p, ValueRange e) {
              Value isLater = isUpper ? p.i.less(p.row, p.pass) : p.isBelow();
              Value rest = s.sub(e[0], s.mul(e[1], e[2]));
              return s.select(isLater, rest, s.select(p.isRow(), e[2], e[0]));
            })};
      });
  if (made)
    n.set(0, restore(n, *x, made->front(), n.in(1).type));
}

//===----------------------------------------------------------------------===//
// Householder, HouseholderProduct
//===----------------------------------------------------------------------===//

/// The reflector of a pass, 0 above the diagonal and 1 on it, from the column
/// that has the rest of it.
static Tensor readReflector(Step &step, const Tensor &column) {
  return step.compute(column.type, column.sizes, {column},
                      [&](Scalars &s, Place &p, ValueRange e) {
                        Value start =
                            s.select(p.isRow(), s.constant(1), s.constant(0));
                        return s.select(p.isBelow(), e[0], start);
                      });
}

/// scale * v^T x: how much of the reflector is to be taken from each column.
static Tensor project(NodeBuilder &n, const Tensor &reflector,
                      const Tensor &scale, const Tensor &x) {
  Tensor products = mul(n, reflector, x);
  return mul(n, scale, reduce(n, products, {1}, true, Reduction::Sum));
}

/// One step of QR: the reflector that leaves one number of the column. Carries
/// the matrices and the scales (batch, 1, count).
static SmallVector<Tensor> reflect(NodeBuilder &n, OpFoldResult number,
                                   ArrayRef<Tensor> carried) {
  Step step(n, number);
  const Tensor &x = carried[0];
  Tensor column = step.column(x), alpha = step.pivot(x);
  Tensor squares = step.compute(
      column.type, column.sizes, {column},
      [&](Scalars &s, Place &p, ValueRange e) {
        return s.select(p.isBelow(), s.mul(e[0], e[0]), s.constant(0));
      });
  Tensor rest = reduce(n, squares, {1}, true, Reduction::Sum);
  // With the other sign than the pivot, so that nothing cancels.
  Tensor beta = elementwise(n, {alpha, rest}, [](Scalars &s, ValueRange e) {
    Value length = s.sqrt(s.add(s.mul(e[0], e[0]), e[1]));
    Value isPositive = s.lessEqual(s.constant(0), e[0]);
    Value made = s.select(isPositive, s.neg(length), length);
    return s.select(s.equal(e[1], s.constant(0)), e[0], made);
  });
  Tensor scale = elementwise(n, {alpha, beta}, [](Scalars &s, ValueRange e) {
    Value isThere = s.notEqual(e[0], e[1]);
    Value divisor = s.select(isThere, e[1], s.constant(1));
    return s.select(isThere, s.div(s.sub(e[1], e[0]), divisor), s.constant(0));
  });
  Tensor below =
      elementwise(n, {column, alpha, beta}, [](Scalars &s, ValueRange e) {
        Value length = s.sub(e[1], e[2]);
        Value isThere = s.notEqual(length, s.constant(0));
        return s.div(e[0], s.select(isThere, length, s.constant(1)));
      });
  Tensor reflector = readReflector(step, below);
  Tensor taken = project(n, reflector, scale, x);
  Tensor next = step.compute(
      x.type, x.sizes, {x, reflector, taken, beta},
      [&](Scalars &s, Place &p, ValueRange e) {
        Value own =
            s.select(p.isBelow(), e[1], s.select(p.isRow(), e[3], e[0]));
        Value others = s.sub(e[0], s.mul(e[1], e[2]));
        return s.select(p.isRight(), others, s.select(p.isColumn(), own, e[0]));
      });
  Tensor scales = step.compute(x.type, carried[1].sizes, {carried[1], scale},
                               [&](Scalars &s, Place &p, ValueRange e) {
                                 return s.select(p.isColumn(), e[1], e[0]);
                               });
  return {next, scales};
}

static void buildHouseholder(NodeBuilder &n) {
  auto x = readMatrices(n, 0, false);
  if (!x)
    return;
  OpFoldResult count = n.ix.min(x->rows(), x->columns());
  Tensor scales =
      fill(n, x->tensor.type, {x->batch(), n.ix.constant(1), count}, 0);
  auto made = overColumns(n, count, {x->tensor, scales},
                          [&](OpFoldResult number, ArrayRef<Tensor> carried) {
                            return reflect(n, number, carried);
                          });
  if (!made)
    return;
  ElementType type = n.in(0).type;
  n.set(0, restore(n, *x, (*made)[0], type));
  n.set(1, restore(n, *x, squeeze(n, (*made)[1], {1}), type));
}

static void buildHouseholderProduct(NodeBuilder &n) {
  auto x = readMatrices(n, 0, false);
  if (!x || n.in(1).rank() != n.in(0).rank() - 1)
    return n.fail("its scales do not fit its matrices");
  OpFoldResult one = n.ix.constant(1), count = n.in(1).sizes.back();
  n.check(n.ix.less(count, n.ix.add(x->columns(), one)),
          "it has more scales than its matrices have columns");
  if (n.failed())
    return;
  Tensor scales =
      reshape(n, castTo(n, n.in(1), x->tensor.type), {x->batch(), one, count});
  Tensor start = makeUnit(n, x->tensor.type, x->tensor.sizes);
  auto made = overColumns(
      n, count, {start}, [&](OpFoldResult number, ArrayRef<Tensor> carried) {
        // The last one first.
        number = n.ix.sub(n.ix.sub(count, one), number);
        Step step(n, number);
        Tensor reflector = readReflector(step, step.column(x->tensor));
        Tensor taken = project(n, reflector, step.column(scales), carried[0]);
        return SmallVector<Tensor>{
            sub(n, carried[0], mul(n, reflector, taken))};
      });
  if (made)
    n.set(0, restore(n, *x, made->front(), n.in(0).type));
}

void mlir::hetero::onnx::addLinearAlgebra(OperatorTable &table) {
  table.add("Det", {11, 22}, buildDet);
  table.add("LU", {1}, buildLU, kHetero);
  table.add("Rows", {1}, buildRows, kHetero);
  table.add("Cholesky", {1}, buildCholesky, kHetero);
  table.add("TriangularSolve", {1}, buildTriangularSolve, kHetero);
  table.add("Householder", {1}, buildHouseholder, kHetero);
  table.add("HouseholderProduct", {1}, buildHouseholderProduct, kHetero);
}
