//===- Rotations.cpp - Eigenvalues and singular values --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of the domain `hetero` that turn columns of matrices, two by two,
// by Jacobi's rotations: Golub and Van Loan, Matrix Computations, 8.5 and
// 8.6.3. All take batches (..., rows, columns).
//
//   SymmetricEigen (x) -> values, vectors: in no order; x is symmetric
//   OrthogonalColumns (x) -> turned, vectors: x vectors = turned, whose columns
//     are orthogonal, and so are those of vectors
//
// A round turns each column with one other. As many rounds as there are
// columns, less one, are a sweep, which turns each two columns once: players of
// a tournament, one of whom stays at their place, when the others move on.

#include "Matrices.h"

#include "../Emit/Iteration.h"
#include "../Emit/Selection.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Each sweep squares what is left; matrices of thousands take ten.
static constexpr int64_t kMostSweeps = 20;

namespace {
/// The columns of a round, (batch, 1, columns): with which other one each is
/// turned, and what has to become 0.
struct Pairs {
  Tensor other, first, second, product;
  /// How large the product may stay.
  Tensor least;
};

/// Each column becomes cosine * column - sine * other column.
struct Rotation {
  Tensor other, cosine, sine;
  /// The largest ratio of a product to what may stay of it.
  Tensor worst;
};

/// Finds the rotation of a round for the matrices as they are now.
using FindPairs =
    llvm::function_ref<Pairs(const Tensor &x, const Tensor &other)>;
/// Turns the matrices.
using TurnMatrices =
    llvm::function_ref<Tensor(const Tensor &x, const Rotation &rotation)>;
} // namespace

/// Which column each one is turned with, itself if there is none. `last` is
/// odd, and the number of rounds.
static Tensor findOthers(NodeBuilder &n, OpFoldResult round, OpFoldResult last,
                         OpFoldResult columns) {
  auto makeScalar = [&](OpFoldResult number) {
    return makeCount(n, ElementType::I64, number);
  };
  OpFoldResult one = n.ix.constant(1);
  return generate(n, ElementType::I64,
                  {makeScalar(round), makeScalar(last), makeScalar(columns)},
                  {one, one, columns},
                  [](Scalars &s, ValueRange place, ValueRange e) {
                    Value column = place[2], round = e[0], last = e[1];
                    Value sum = s.add(s.add(round, round), last);
                    Value other = s.remainder(s.sub(sum, column), last, false);
                    other = s.select(s.equal(other, column), last, other);
                    other = s.select(s.equal(column, last), round, other);
                    return s.select(s.less(other, e[2]), other, column);
                  });
}

/// The other column in place of each.
static Tensor takeOthers(NodeBuilder &n, const Tensor &x, const Tensor &other) {
  return gather(n, x, {other}, x.sizes,
                [](OpBuilder &b, Location loc, ValueRange at, ValueRange e) {
                  Scalars i(b, loc, ElementType::I64);
                  return SmallVector<Value>{at[0], at[1], i.toIndex(e[0])};
                });
}

/// The tangent of the smaller angle, with the other sign for the other column.
static Tensor findTangents(NodeBuilder &n, const Pairs &pairs,
                           const Tensor &share) {
  return generate(
      n, share.type,
      {share, pairs.first, pairs.second, pairs.product, pairs.other},
      share.sizes, [](Scalars &s, ValueRange place, ValueRange e) {
        Scalars i(s.b, s.loc, ElementType::I64);
        Value zero = s.constant(0), one = s.constant(1);
        Value isDone = s.lessEqual(e[0], one);
        Value divisor = s.select(isDone, one, s.add(e[3], e[3]));
        Value ratio = s.div(s.sub(e[2], e[1]), divisor);
        Value root = s.sqrt(s.add(one, s.mul(ratio, ratio)));
        Value tangent = s.div(one, s.add(s.abs(ratio), root));
        Value isPositive = s.select(
            s.equal(ratio, zero), i.less(place[2], e[4]), s.less(zero, ratio));
        tangent = s.select(isPositive, tangent, s.neg(tangent));
        return s.select(isDone, zero, tangent);
      });
}

static Rotation findRotation(NodeBuilder &n, const Pairs &pairs) {
  Tensor share = generate(
      n, pairs.product.type, {pairs.product, pairs.least, pairs.other},
      pairs.product.sizes, [](Scalars &s, ValueRange place, ValueRange e) {
        Scalars i(s.b, s.loc, ElementType::I64);
        Value zero = s.constant(0), isZero = s.equal(e[1], zero);
        Value share = s.div(s.abs(e[0]), s.select(isZero, s.constant(1), e[1]));
        Value isAlone = i.equal(place[2], e[2]);
        return s.select(isAlone, zero, s.select(isZero, zero, share));
      });
  Tensor tangent = findTangents(n, pairs, share);
  Tensor cosine = elementwise(n, tangent, [](Scalars &s, ValueRange e) {
    Value one = s.constant(1);
    return s.div(one, s.sqrt(s.add(one, s.mul(e[0], e[0]))));
  });
  return {pairs.other, cosine, mul(n, tangent, cosine),
          reduce(n, share, {0, 1, 2}, false, Reduction::Max)};
}

static Tensor turn(NodeBuilder &n, const Tensor &x, const Rotation &rotation) {
  Tensor other = takeOthers(n, x, rotation.other);
  return sub(n, mul(n, rotation.cosine, x), mul(n, rotation.sine, other));
}

/// Turns the columns of matrices until nothing is left to turn, and a unit
/// matrix with them; nullopt after an error.
static std::optional<std::pair<Tensor, Tensor>>
sweep(NodeBuilder &n, const Tensor &x, FindPairs findPairs,
      TurnMatrices turnMatrices) {
  OpFoldResult columns = x.sizes[2], one = n.ix.constant(1);
  Attribute truth = n.b.getBoolAttr(true);
  OpFoldResult half = n.ix.ceilDiv(columns, n.ix.constant(2));
  OpFoldResult last = n.ix.max(n.ix.sub(n.ix.add(half, half), one), one);
  auto turnOnce = [&](OpFoldResult number,
                      ArrayRef<Tensor> carried) -> FailureOr<LoopPass> {
    Tensor other = findOthers(n, number, last, columns);
    Rotation rotation = findRotation(n, findPairs(carried[0], other));
    Tensor worst =
        elementwise(n, {carried[2], rotation.worst},
                    [](Scalars &s, ValueRange e) { return s.max(e[0], e[1]); });
    return LoopPass{truth,
                    {turnMatrices(carried[0], rotation),
                     turn(n, carried[1], rotation), worst},
                    {}};
  };
  auto turnAll = [&](OpFoldResult,
                     ArrayRef<Tensor> carried) -> FailureOr<LoopPass> {
    Tensor none = n.constant(x.type, 0);
    auto made = loop(n, last, truth, {carried[0], carried[1], none}, turnOnce);
    if (failed(made))
      return failure();
    // Sums of so many products are not more exact.
    Tensor goesOn = elementwise(
        n, {makeCount(n, x.type, columns), made->carried[2]}, ElementType::Bool,
        [](Scalars &s, ValueRange e) { return s.less(e[0], e[1]); });
    return LoopPass{
        n.element(goesOn), {made->carried[0], made->carried[1]}, {}};
  };
  Tensor unit = makeUnit(n, x.type, {x.sizes[0], columns, columns});
  auto made = loop(n, n.ix.constant(kMostSweeps), truth, {x, unit}, turnAll);
  if (failed(made))
    return std::nullopt;
  return std::pair(made->carried[0], made->carried[1]);
}

/// The distance from 1 to the next number of the type.
static double getEpsilon(ElementType type) {
  return type == ElementType::F64 ? 0x1p-52 : 0x1p-23;
}

/// The root of numbers, times epsilon.
static Tensor scaleRoot(NodeBuilder &n, const Tensor &tensor) {
  return elementwise(n, tensor, [&](Scalars &s, ValueRange e) {
    return s.mul(s.constant(getEpsilon(tensor.type)), s.sqrt(e[0]));
  });
}

/// The diagonal as a row.
static Tensor takeDiagonal(NodeBuilder &n, const Tensor &x) {
  return gather(n, x, {}, {x.sizes[0], n.ix.constant(1), x.sizes[2]},
                [](OpBuilder &, Location, ValueRange at, ValueRange) {
                  return SmallVector<Value>{at[0], at[2], at[2]};
                });
}

/// The elements of the upper triangle that belong to two columns: both read the
/// same, for rounding leaves a matrix not quite symmetric.
static Tensor takeProducts(NodeBuilder &n, const Tensor &x,
                           const Tensor &other) {
  return gather(n, x, {other}, {x.sizes[0], n.ix.constant(1), x.sizes[2]},
                [](OpBuilder &b, Location loc, ValueRange at, ValueRange e) {
                  Scalars i(b, loc, ElementType::I64);
                  Value other = i.toIndex(e[0]);
                  Value row = arith::MinUIOp::create(b, loc, at[2], other);
                  Value column = arith::MaxUIOp::create(b, loc, at[2], other);
                  return SmallVector<Value>{at[0], row, column};
                });
}

static void buildSymmetricEigen(NodeBuilder &n) {
  auto x = readMatrices(n, 0, true);
  if (!x)
    return;
  Tensor squares = mul(n, x->tensor, x->tensor);
  Tensor least = scaleRoot(n, reduce(n, squares, {1, 2}, true, Reduction::Sum));
  auto made = sweep(
      n, x->tensor,
      [&](const Tensor &x, const Tensor &other) {
        Tensor diagonal = takeDiagonal(n, x);
        return Pairs{other, diagonal, takeOthers(n, diagonal, other),
                     takeProducts(n, x, other), least};
      },
      [&](const Tensor &x, const Rotation &rotation) {
        Tensor turned = transpose(n, turn(n, x, rotation), {0, 2, 1});
        return turn(n, turned, rotation);
      });
  if (!made)
    return;
  ElementType type = n.in(0).type;
  n.set(0, restore(n, *x, squeeze(n, takeDiagonal(n, made->first), {1}), type));
  n.set(1, restore(n, *x, made->second, type));
}

static void buildOrthogonalColumns(NodeBuilder &n) {
  auto x = readMatrices(n, 0, false);
  if (!x)
    return;
  auto sumOfProducts = [&](const Tensor &lhs, const Tensor &rhs) {
    return reduce(n, mul(n, lhs, rhs), {1}, true, Reduction::Sum);
  };
  auto made = sweep(
      n, x->tensor,
      [&](const Tensor &x, const Tensor &other) {
        Tensor first = sumOfProducts(x, x);
        Tensor second = takeOthers(n, first, other);
        return Pairs{other, first, second,
                     sumOfProducts(x, takeOthers(n, x, other)),
                     scaleRoot(n, mul(n, first, second))};
      },
      [&](const Tensor &x, const Rotation &rotation) {
        return turn(n, x, rotation);
      });
  if (!made)
    return;
  ElementType type = n.in(0).type;
  n.set(0, restore(n, *x, made->first, type));
  n.set(1, restore(n, *x, made->second, type));
}

void mlir::hetero::onnx::addRotations(OperatorTable &table) {
  table.add("SymmetricEigen", {1}, buildSymmetricEigen, kHetero);
  table.add("OrthogonalColumns", {1}, buildOrthogonalColumns, kHetero);
}
