//===- Frameworks.cpp - Operators that ONNX lacks -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The domain `hetero`: what the importers of frameworks write where the
// standard has no operator.
//
//   CumMax, CumMin, CumProd (x; axis): each element with all before it; nan
//     stays once it is seen
//   ViewAsReal (x): complex numbers as pairs of floats along a new last axis
//   ViewAsComplex (x): the other way

#include "../Emit/Layout.h"
#include "../Emit/Selection.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

template <Reduction kind> static void buildScan(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t axis = n.getAxis("axis", 0, x.rank());
  if (n.failed())
    return;
  n.set(0, accumulate(n, x, axis, /*isExclusive=*/false,
                      getNeutral(n, x.type, kind),
                      [](Scalars &s, Value before, Value next) {
                        switch (kind) {
                        case Reduction::Max:
                          return s.max(before, next);
                        case Reduction::Min:
                          return s.min(before, next);
                        default:
                          return s.mul(before, next);
                        }
                      }));
}

/// The type of the parts of complex numbers.
static ElementType getPartType(ElementType type) {
  return type == ElementType::C128 ? ElementType::F64 : ElementType::F32;
}

static void buildViewAsReal(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  if (x.type != ElementType::C64 && x.type != ElementType::C128)
    return n.fail("its input is of type " + getName(x.type));
  ElementType part = getPartType(x.type);
  Sizes sizes = x.sizes;
  sizes.push_back(n.ix.constant(2));
  AffineMap whole = n.b.getMultiDimIdentityMap(x.rank() + 1);
  n.set(0, buildLoops(n, {x}, n.makeEmpty(part, sizes),
                      {whole.getMajorSubMap(x.rank()), whole},
                      [&](Scalars &s, ValueRange e) -> Value {
                        Type type = getStorageType(s.b.getContext(), part);
                        Value isReal = arith::CmpIOp::create(
                            s.b, s.loc, arith::CmpIPredicate::eq,
                            s.index(x.rank()),
                            arith::ConstantIndexOp::create(s.b, s.loc, 0));
                        return arith::SelectOp::create(
                            s.b, s.loc, isReal,
                            complex::ReOp::create(s.b, s.loc, type, e[0]),
                            complex::ImOp::create(s.b, s.loc, type, e[0]));
                      }));
}

static void buildViewAsComplex(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  if (x.type != ElementType::F32 && x.type != ElementType::F64)
    return n.fail("its input is of type " + getName(x.type));
  int64_t last = x.rank() - 1;
  if (last < 0 || getInt(x.sizes[last]) != 2)
    return n.fail("its last dimension is not of size 2");
  ElementType type =
      x.type == ElementType::F64 ? ElementType::C128 : ElementType::C64;
  auto take = [&](int64_t part) {
    return squeeze(n,
                   sliceAxis(n, x, last, n.ix.constant(part), n.ix.constant(1)),
                   {last});
  };
  Tensor real = take(0), imaginary = take(1);
  AffineMap whole = n.b.getMultiDimIdentityMap(last);
  n.set(0, buildLoops(n, {real, imaginary}, n.makeEmpty(type, real.sizes),
                      {whole, whole, whole},
                      [&](Scalars &s, ValueRange e) -> Value {
                        return complex::CreateOp::create(
                            s.b, s.loc, getStorageType(s.b.getContext(), type),
                            e[0], e[1]);
                      }));
}

void mlir::hetero::onnx::addFrameworks(OperatorTable &table) {
  table.add("CumMax", {1}, buildScan<Reduction::Max>, kHetero);
  table.add("CumMin", {1}, buildScan<Reduction::Min>, kHetero);
  table.add("CumProd", {1}, buildScan<Reduction::Product>, kHetero);
  table.add("ViewAsReal", {1}, buildViewAsReal, kHetero);
  table.add("ViewAsComplex", {1}, buildViewAsComplex, kHetero);
}
