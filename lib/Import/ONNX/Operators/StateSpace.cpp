//===- StateSpace.cpp - Operators that carry a state along a sequence -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Contraction.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The state before the input: the one given, or zeros.
static Tensor readPast(NodeBuilder &n, unsigned input, ElementType type,
                       ArrayRef<OpFoldResult> sizes) {
  if (!n.has(input))
    return n.make(type, sizes, n.fillZero(type, sizes));
  Tensor past = n.in(input);
  if (past.rank() != int64_t(sizes.size())) {
    n.fail("its past state has " + Twine(past.rank()) + " dimensions, not " +
           Twine(sizes.size()));
    return past;
  }
  Sizes own = past.sizes;
  for (auto [size, wanted] : llvm::zip_equal(own, sizes))
    size = n.checkEqual(size, wanted, "its past state does not fit its inputs");
  return n.failed() ? past : n.make(past.type, own, n.value(past));
}

//===----------------------------------------------------------------------===//
// LinearAttention
//===----------------------------------------------------------------------===//

namespace {
/// The attributes and inputs of a LinearAttention node, as f32 or f64.
struct LinearAttention {
  int64_t queryHeads, heads;
  bool isGated, isDelta;
  double scale;
  OpFoldResult batch, length, keySize, valueSize;
  /// [T, B, H, D]
  Tensor query, key, value;
  /// [T, B, H, D or 1], [T, B, H or 1, 1]
  std::optional<Tensor> decay, beta;
};
} // namespace

/// [B, T, H * D] as [T, B, H, D], so that a step is a slice of the first
/// dimension.
static Tensor splitToSteps(NodeBuilder &n, const Tensor &x, OpFoldResult heads,
                           OpFoldResult size) {
  Tensor split = reshape(n, x, {x.sizes[0], x.sizes[1], heads, size});
  return transpose(n, split, {1, 0, 2, 3});
}

/// Reads an input of three dimensions, the last of which holds heads.
static std::optional<Tensor> readPacked(NodeBuilder &n, unsigned input,
                                        ElementType type) {
  const Tensor &x = n.in(input);
  if (x.rank() != 3)
    n.fail("input " + Twine(input) + " has " + Twine(x.rank()) +
           " dimensions, not 3");
  if (n.failed())
    return std::nullopt;
  Tensor packed = castTo(n, x, type);
  for (int64_t axis = 0; axis < 2; ++axis)
    packed.sizes[axis] =
        n.checkEqual(x.sizes[axis], n.in(0).sizes[axis],
                     "its inputs have unlike batches or lengths");
  if (n.failed())
    return std::nullopt;
  return n.make(type, packed.sizes, n.value(packed));
}

/// The size of a head; one that does not divide the packed size is an error.
static OpFoldResult headSize(NodeBuilder &n, const Tensor &packed,
                             int64_t heads) {
  OpFoldResult count = n.ix.constant(heads);
  OpFoldResult size = n.ix.floorDiv(packed.sizes[2], count);
  n.check(n.ix.equal(n.ix.mul(size, count), packed.sizes[2]),
          "its heads do not divide a size");
  return size;
}

/// Reads decay or beta, whose last size is that of heads times `inner`, of
/// heads, or 1.
static std::optional<Tensor> readGate(NodeBuilder &n, unsigned input,
                                      bool isNeeded, ElementType type,
                                      int64_t heads, OpFoldResult inner) {
  if (n.has(input) != isNeeded)
    n.fail("its update rule " + Twine(isNeeded ? "needs" : "has no") +
           " input " + Twine(input));
  std::optional<Tensor> packed =
      isNeeded && !n.failed() ? readPacked(n, input, type) : std::nullopt;
  if (!packed)
    return std::nullopt;
  OpFoldResult one = n.ix.constant(1), count = n.ix.constant(heads);
  std::optional<int64_t> last = packed->dim(2);
  if (!last || (*last != 1 && *last != heads && getInt(inner) == 1)) {
    n.fail("the last size of input " + Twine(input) +
           " is not known or does not fit; give it by --dim");
    return std::nullopt;
  }
  if (*last == heads)
    return splitToSteps(n, *packed, count, one);
  if (getInt(inner) == 1)
    return splitToSteps(n, *packed, one, one);
  n.checkEqual(packed->sizes[2], n.ix.mul(count, inner),
               "the last size of its decay does not fit its heads");
  if (n.failed())
    return std::nullopt;
  return splitToSteps(n, *packed, count, inner);
}

static std::optional<LinearAttention> readLinearAttention(NodeBuilder &n) {
  LinearAttention made;
  made.queryHeads = n.getInt("q_num_heads", 0);
  made.heads = n.getInt("kv_num_heads", 0);
  StringRef rule = n.getString("update_rule", "gated_delta");
  made.isGated = rule == "gated" || rule == "gated_delta";
  made.isDelta = rule == "delta" || rule == "gated_delta";
  if (!made.isGated && !made.isDelta && rule != "linear")
    n.fail("update rule \"" + rule + "\" is not known");
  if (made.heads < 1 || made.queryHeads < 1 || made.queryHeads % made.heads)
    n.fail("its heads do not divide the heads of its query");
  ElementType type = getAccumulator(n.in(0).type);
  std::optional<Tensor> query = readPacked(n, 0, type);
  std::optional<Tensor> key = readPacked(n, 1, type);
  std::optional<Tensor> value = readPacked(n, 2, type);
  if (n.failed())
    return std::nullopt;
  made.batch = query->sizes[0];
  made.length = query->sizes[1];
  made.keySize = n.checkEqual(headSize(n, *query, made.queryHeads),
                              headSize(n, *key, made.heads),
                              "its query and its key have unlike heads");
  made.valueSize = headSize(n, *value, made.heads);
  made.scale = n.getFloat("scale", 0);
  if (n.failed())
    return std::nullopt;
  OpFoldResult heads = n.ix.constant(made.heads);
  made.query =
      splitToSteps(n, *query, n.ix.constant(made.queryHeads), made.keySize);
  made.key = splitToSteps(n, *key, heads, made.keySize);
  made.value = splitToSteps(n, *value, heads, made.valueSize);
  made.decay = readGate(n, 4, made.isGated, type, made.heads, made.keySize);
  made.beta = readGate(n, 5, made.isDelta, type, made.heads, n.ix.constant(1));
  return n.failed() ? std::nullopt : std::optional(made);
}

/// The slice of a step of [T, ...], without T.
static Tensor takeStep(NodeBuilder &n, const Tensor &x, Value step) {
  Tensor slice = sliceAxis(n, x, 0, OpFoldResult(step), n.ix.constant(1));
  return reshape(n, slice, ArrayRef(x.sizes).drop_front());
}

/// The state [B, H, dk, dv] after a step.
static Tensor updateState(NodeBuilder &n, const LinearAttention &a,
                          Tensor state, Value step) {
  // [B, H, dk, 1] and [B, H, 1, dv]
  Tensor key = unsqueeze(n, takeStep(n, a.key, step), 3);
  Tensor value = unsqueeze(n, takeStep(n, a.value, step), 2);
  if (a.isGated) {
    Tensor decay = unsqueeze(n, takeStep(n, *a.decay, step), 3);
    state = elementwise(n, {state, decay}, [](Scalars &s, ValueRange e) {
      return s.mul(e[0], s.exp(e[1]));
    });
  }
  if (a.isDelta) {
    Tensor beta = unsqueeze(n, takeStep(n, *a.beta, step), 3);
    Tensor known = reduce(n, mul(n, state, key), 2, true, Reduction::Sum);
    value = mul(n, beta, sub(n, value, known));
  }
  return add(n, state, mul(n, key, value));
}

/// scale * q^T * S, [B, Hq, dv]: heads of the query in groups share a state.
static Tensor queryState(NodeBuilder &n, const LinearAttention &a,
                         const Tensor &state, const Tensor &factor,
                         Value step) {
  OpFoldResult heads = n.ix.constant(a.heads);
  OpFoldResult group = n.ix.constant(a.queryHeads / a.heads);
  Tensor query = reshape(n, takeStep(n, a.query, step),
                         {a.batch, heads, group, a.keySize, n.ix.constant(1)});
  Tensor product = mul(n, query, unsqueeze(n, state, 2));
  Tensor sum = reduce(n, product, 3, false, Reduction::Sum);
  return reshape(n, mul(n, sum, factor),
                 {a.batch, n.ix.constant(a.queryHeads), a.valueSize});
}

/// The scale that the node gives, or 1 / sqrt(dk).
static Tensor makeScale(NodeBuilder &n, const LinearAttention &a) {
  ElementType type = a.query.type;
  if (a.scale != 0)
    return n.constant(type, a.scale);
  return elementwise(n, {makeCount(n, type, a.keySize)},
                     [](Scalars &s, ValueRange e) {
                       return s.div(s.constantLike(e[0], 1), s.sqrt(e[0]));
                     });
}

static void buildLinearAttention(NodeBuilder &n) {
  std::optional<LinearAttention> a = readLinearAttention(n);
  if (!a)
    return;
  ElementType type = a->query.type;
  Sizes stateSizes{a->batch, n.ix.constant(a->heads), a->keySize, a->valueSize};
  ElementType stateType = n.has(3) ? n.in(3).type : n.in(0).type;
  Tensor past = castTo(n, readPast(n, 3, type, stateSizes), type);
  if (n.failed())
    return;
  past = broadcastTo(n, past, stateSizes);
  Tensor factor = makeScale(n, *a);
  // [T, B, Hq, dv]
  OpFoldResult queryHeads = n.ix.constant(a->queryHeads);
  Sizes sizes{a->length, a->batch, queryHeads, a->valueSize};
  Value zero = n.ix.value(n.ix.constant(0)), one = n.ix.value(n.ix.constant(1));
  auto loop =
      scf::ForOp::create(n.b, n.loc, zero, n.ix.value(a->length), one,
                         ValueRange{n.value(past), n.empty(type, sizes)});
  {
    OpBuilder::InsertionGuard guard(n.b);
    n.b.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar();
    Tensor before = n.make(type, stateSizes, loop.getRegionIterArg(0));
    Tensor state = updateState(n, *a, before, step);
    Tensor read = queryState(n, *a, state, factor, step);
    Sizes offsets(4, n.ix.constant(0)), ones(4, n.ix.constant(1));
    Sizes slice = sizes;
    offsets[0] = step;
    slice[0] = n.ix.constant(1);
    // Sizes may be known of some operands only.
    Value part = n.make(type, slice, n.value(unsqueeze(n, read, 0))).value;
    Value results = tensor::InsertSliceOp::create(
        n.b, n.loc, part, loop.getRegionIterArg(1), offsets, slice, ones);
    state = n.make(type, stateSizes, n.value(state));
    scf::YieldOp::create(n.b, n.loc, ValueRange{n.value(state), results});
  }
  Tensor all = n.make(type, sizes, loop.getResult(1));
  Tensor packed =
      reshape(n, transpose(n, all, {1, 0, 2, 3}),
              {a->batch, a->length, n.ix.mul(queryHeads, a->valueSize)});
  n.set(0, castTo(n, packed, n.in(0).type));
  Tensor state = n.make(type, stateSizes, loop.getResult(0));
  n.set(1, castTo(n, state, stateType));
}

void mlir::hetero::onnx::addStateSpace(OperatorTable &table) {
  table.add("LinearAttention", {27}, buildLinearAttention);
}
