//===- Random.cpp - Numbers that are drawn --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

//===----------------------------------------------------------------------===//
// The generator
//
// A state of the module is stepped for each operation; numbers are those of a
// counter-based generator (squares) with the state as its key. Runs of a
// program are alike; ONNX's seeds say no more, and are ignored.
//===----------------------------------------------------------------------===//

/// Adds the state to the module if there is none.
static void addState(NodeBuilder &n, StringRef name, RankedTensorType type) {
  Operation *around = n.b.getInsertionBlock()->getParentOp();
  auto module = around->getParentOfType<ModuleOp>();
  if (module.lookupSymbol(name))
    return;
  OpBuilder::InsertionGuard guard(n.b);
  n.b.setInsertionPointToStart(module.getBody());
  ml_program::GlobalOp::create(
      n.b, n.loc, name, type, /*is_mutable=*/true,
      DenseElementsAttr::get(type, n.b.getI64IntegerAttr(0)),
      n.b.getStringAttr("private"));
}

/// Steps the state, and returns it.
static Value stepState(NodeBuilder &n) {
  StringRef name = "global_seed";
  auto type = RankedTensorType::get({}, n.b.getI64Type());
  addState(n, name, type);
  auto symbol = SymbolRefAttr::get(n.b.getContext(), name);
  Value state = ml_program::GlobalLoadOp::create(n.b, n.loc, type, symbol);
  Value before = tensor::ExtractOp::create(n.b, n.loc, state, ValueRange());
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(n.b, n.loc, n.b.getI64IntegerAttr(number));
  };
  Scalars s(n.b, n.loc, ElementType::I64);
  Value next = s.add(s.mul(before, constant(6364136223846793005)),
                     constant(1442695040888963407));
  Value stored =
      tensor::InsertOp::create(n.b, n.loc, next, state, ValueRange());
  ml_program::GlobalStoreOp::create(n.b, n.loc, symbol, stored);
  return next;
}

/// 64 random bits of a counter.
static Value drawBits(Scalars &s, Value counter, Value key) {
  Value half = s.constant(32), y = s.mul(counter, key), z = s.add(y, key);
  auto round = [&](Value x, Value addend) {
    return s.add(s.mul(x, x), addend);
  };
  auto swap = [&](Value x) {
    return s.binary<arith::OrIOp>(s.binary<arith::ShLIOp>(x, half),
                                  s.binary<arith::ShRUIOp>(x, half));
  };
  Value x = swap(round(y, y));
  x = swap(round(x, z));
  x = swap(round(x, y));
  Value wide = round(x, z);
  Value low = s.binary<arith::ShRUIOp>(round(swap(wide), y), half);
  return s.binary<arith::XOrIOp>(wide, low);
}

/// Numbers of [low, high).
static Tensor drawUniform(NodeBuilder &n, ElementType type,
                          ArrayRef<OpFoldResult> sizes, double low,
                          double high) {
  Value key = stepState(n);
  return compute(n, type, sizes, {}, [&](const Loop &loop) {
    Number counter = 0;
    for (auto [index, size] : llvm::zip_equal(loop.at, sizes))
      counter = counter * loop.number(size) + index;
    Scalars s(loop.b, loop.loc, ElementType::I64);
    Value place = counter.get(loop.b, loop.loc, loop.b.getI64Type());
    if (place.getType().isIndex())
      place = loop.b.createOrFold<arith::IndexCastOp>(
          loop.loc, loop.b.getI64Type(), place);
    Value bits = drawBits(s, place, key);
    Number whole = loop.number(loop.b.createOrFold<arith::UIToFPOp>(
        loop.loc, loop.b.getF64Type(), bits));
    return whole * ((high - low) * 5.4210108e-20) + low;
  });
}

//===----------------------------------------------------------------------===//
// The operators
//===----------------------------------------------------------------------===//

/// The type that an attribute names, or the input's.
static ElementType readType(NodeBuilder &n, bool isLike,
                            ElementType otherwise) {
  auto type = ElementType(
      n.getInt("dtype", int64_t(isLike ? n.in(0).type : otherwise)));
  if (!isFloat(type) && !isInteger(type) && type != ElementType::Bool)
    n.fail("its dtype is no number");
  return type;
}

template <bool isLike> static Sizes readSizes(NodeBuilder &n) {
  if (isLike)
    return n.in(0).sizes;
  Sizes sizes;
  for (int64_t size : n.getInts("shape")) {
    if (size < 0)
      n.fail("its shape has a size of " + Twine(size));
    sizes.push_back(n.ix.constant(size));
  }
  return sizes;
}

template <bool isLike> static void buildUniform(NodeBuilder &n) {
  ElementType type = readType(n, isLike, ElementType::F32);
  Sizes sizes = readSizes<isLike>(n);
  if (!n.failed())
    n.set(0, drawUniform(n, type, sizes, n.getFloat("low", 0),
                         n.getFloat("high", 1)));
}

/// The cosine of one uniform number, times the root of the other's logarithm.
template <bool isLike> static void buildNormal(NodeBuilder &n) {
  ElementType type = readType(n, isLike, ElementType::F32);
  Sizes sizes = readSizes<isLike>(n);
  if (n.failed())
    return;
  ElementType wide = getAccumulator(type);
  Tensor radius = drawUniform(n, wide, sizes, 0, 1);
  Tensor angle = drawUniform(n, wide, sizes, 0, 1);
  double mean = n.getFloat("mean", 0), scale = n.getFloat("scale", 1);
  n.set(0, compute(n, type, sizes, {radius, angle}, [&](const Loop &loop) {
          Number root = sqrt(log(loop.in[0]) * -2.0);
          return root * cos(loop.in[1] * 6.28318) * scale + mean;
        }));
}

static void buildBernoulli(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  ElementType type = readType(n, true, x.type);
  if (n.failed())
    return;
  Tensor drawn = drawUniform(n, ElementType::F64, x.sizes, 0, 1);
  n.set(0, compute(n, type, x.sizes, {x, drawn}, [&](const Loop &loop) {
          return select(loop.in[1] < loop.in[0].toFloat(), 1.0, 0.0);
        }));
}

/// Classes by their log probabilities: the largest of these, each with the
/// logarithm of a drawn number's logarithm (Gumbel) taken off.
static void buildMultinomial(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  ElementType type = readType(n, false, ElementType::I32);
  int64_t count = n.getInt("sample_size", 1);
  if (x.rank() != 2 || count < 0)
    n.fail("its input has not 2 dimensions, or its sample_size is " +
           Twine(count));
  if (n.failed())
    return;
  Sizes sizes{x.sizes[0], n.ix.constant(count), x.sizes[1]};
  Tensor drawn = drawUniform(n, ElementType::F64, sizes, 1e-20, 1);
  Tensor logs = unsqueeze(n, x, 1);
  Tensor scores =
      compute(n, ElementType::F64, sizes, {logs, drawn}, [&](const Loop &loop) {
        return loop.in[0].toFloat() - log(Number(0) - log(loop.in[1]));
      });
  n.set(0, castTo(n, argReduce(n, scores, 2, false, true, false), type));
}

/// Everything, or what is kept by chance while it trains.
static void buildDropout(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  bool isOld = n.since() < 12;
  Number share = 0.5, trains = 0;
  if (!isOld && n.has(1))
    share = number(n, n.in(1).type, n.element(n.in(1))).toFloat();
  if (!isOld && n.has(2))
    trains = number(n, n.in(2).type, n.element(n.in(2)));
  if (n.failed())
    return;
  share = select(trains, share, 0.0);
  ElementType maskType = n.since() < 10 ? x.type : ElementType::Bool;
  if (share.getConstant() == 0) {
    n.set(0, x);
    if (n.wants(1))
      n.set(1, n.make(maskType, x.sizes,
                      n.fill(maskType, x.sizes, n.scalar(maskType, 1))));
    return;
  }
  Tensor drawn = drawUniform(n, ElementType::F64, x.sizes, 0, 1);
  n.set(1, compute(n, maskType, x.sizes, drawn,
                   [&](const Loop &loop) { return share <= loop.in[0]; }));
  n.set(0, compute(n, x.type, x.sizes, {x, drawn}, [&](const Loop &loop) {
          Number x = loop.in[0].toFloat() / (Number(1) - share);
          return select(share <= loop.in[1], x, 0.0);
        }));
}

void mlir::hetero::onnx::addRandom(OperatorTable &table) {
  table.add("RandomUniform", {1, 22}, buildUniform<false>);
  table.add("RandomUniformLike", {1, 22}, buildUniform<true>);
  table.add("RandomNormal", {1, 22}, buildNormal<false>);
  table.add("RandomNormalLike", {1, 22}, buildNormal<true>);
  table.add("Bernoulli", {15, 22}, buildBernoulli);
  table.add("Multinomial", {7, 22}, buildMultinomial);
  table.add("Dropout", {7, 10, 12, 13, 22}, buildDropout);
}
