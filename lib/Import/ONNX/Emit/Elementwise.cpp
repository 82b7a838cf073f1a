//===- Elementwise.cpp - Elementwise operations ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Elementwise.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

SmallVector<Tensor> onnx::buildLoops(
    NodeBuilder &n, ArrayRef<Tensor> operands, ArrayRef<Tensor> inits,
    ArrayRef<AffineMap> maps,
    llvm::function_ref<SmallVector<Value>(Scalars &s, ValueRange elements)>
        body) {
  auto valueOf = [&](const Tensor &tensor) { return n.value(tensor); };
  SmallVector<Value> inputs = llvm::map_to_vector(operands, valueOf);
  SmallVector<Value> outputs = llvm::map_to_vector(inits, valueOf);
  AffineMap made = maps.back();
  SmallVector<utils::IteratorType> loops(made.getNumDims(),
                                         utils::IteratorType::parallel);
  for (auto [loop, kind] : llvm::enumerate(loops))
    if (!made.isFunctionOfDim(loop))
      kind = utils::IteratorType::reduction;
  auto op = linalg::GenericOp::create(
      n.b, n.loc, ValueRange(outputs).getTypes(), inputs, outputs, maps, loops,
      [&](OpBuilder &b, Location loc, ValueRange elements) {
        Scalars s(b, loc, inits.front().type);
        linalg::YieldOp::create(b, loc, body(s, elements));
      });
  SmallVector<Tensor> results;
  for (auto [init, result] : llvm::zip_equal(inits, op.getResults()))
    results.push_back(n.make(init.type, init.sizes, result));
  return results;
}

Tensor onnx::buildLoops(NodeBuilder &n, ArrayRef<Tensor> operands,
                        const Tensor &init, ArrayRef<AffineMap> maps,
                        ElementBody body) {
  return buildLoops(n, operands, ArrayRef(init), maps,
                    [&](Scalars &s, ValueRange elements) {
                      return SmallVector<Value>{body(s, elements)};
                    })
      .front();
}

/// The size that an operand has at a dimension of the result, or null.
static OpFoldResult getSize(const Tensor &operand, int64_t axis, int64_t rank) {
  int64_t own = axis - (rank - operand.rank());
  return own < 0 ? OpFoldResult() : operand.sizes[own];
}

static OpFoldResult joinSizes(NodeBuilder &n, OpFoldResult lhs,
                              OpFoldResult rhs) {
  std::optional<int64_t> a = getInt(lhs), b = getInt(rhs);
  if (lhs == rhs || b == 1)
    return lhs;
  if (a == 1)
    return rhs;
  if (a && b) {
    n.fail("sizes " + Twine(*a) + " and " + Twine(*b) +
           " of its inputs do not broadcast");
    return lhs;
  }
  // broadcastOperands checks those that are not known.
  if (a)
    return lhs;
  if (b)
    return rhs;
  OpFoldResult one = n.ix.constant(1);
  return n.ix.select(n.ix.equal(lhs, one), rhs, lhs);
}

Sizes onnx::broadcastSizes(NodeBuilder &n, ArrayRef<Tensor> operands) {
  int64_t rank = 0;
  for (const Tensor &operand : operands)
    rank = std::max(rank, operand.rank());
  Sizes sizes(rank, n.ix.constant(1));
  for (const Tensor &operand : operands)
    for (int64_t axis = 0; axis < rank; ++axis)
      if (OpFoldResult size = getSize(operand, axis, rank))
        sizes[axis] = joinSizes(n, sizes[axis], size);
  return sizes;
}

/// Builds loops over the sizes of a result, whose element is computed from
/// those of the operands, which broadcast to the sizes by known ones.
static Tensor buildParallel(NodeBuilder &n, ElementType type,
                            ArrayRef<Tensor> operands,
                            ArrayRef<OpFoldResult> sizes, ElementBody body) {
  SmallVector<AffineMap> maps;
  for (const Tensor &operand : operands) {
    // Dimensions of size 1 stay at 0, where the result has other sizes.
    SmallVector<AffineExpr> exprs;
    int64_t first = int64_t(sizes.size()) - operand.rank();
    for (int64_t axis = 0; axis < operand.rank(); ++axis) {
      bool isOne = operand.dim(axis) == 1 && getInt(sizes[first + axis]) != 1;
      exprs.push_back(isOne ? n.b.getAffineConstantExpr(0)
                            : n.b.getAffineDimExpr(first + axis));
    }
    maps.push_back(AffineMap::get(sizes.size(), 0, exprs, n.b.getContext()));
  }
  maps.push_back(n.b.getMultiDimIdentityMap(sizes.size()));
  return buildLoops(n, operands, n.makeEmpty(type, sizes), maps, body);
}

/// Copies a tensor to larger sizes.
static Tensor copyBroadcast(NodeBuilder &n, const Tensor &operand,
                            ArrayRef<OpFoldResult> sizes) {
  return buildParallel(n, operand.type, operand, sizes,
                       [](Scalars &, ValueRange args) { return args[0]; });
}

/// An operand with the size of the result in a dimension in which it has that
/// or 1: itself, or a copy. A branch decides it once a call.
static Tensor decideOnce(NodeBuilder &n, const Tensor &operand, int64_t axis,
                         OpFoldResult size) {
  OpFoldResult one = n.ix.constant(1);
  OpFoldResult isSame = n.ix.equal(operand.sizes[axis], size);
  OpFoldResult isOne = n.ix.equal(operand.sizes[axis], one);
  n.check(n.ix.select(isSame, n.b.getBoolAttr(true), isOne),
          "sizes of its inputs are unlike, and none is 1");
  Sizes target = operand.sizes;
  target[axis] = size;
  Value given = n.value(operand);
  Type type = getTensorType(n.storage(operand.type), target);
  auto choice = scf::IfOp::create(n.b, n.loc, TypeRange(type),
                                  n.ix.value(isSame), /*withElse=*/true);
  OpBuilder::InsertionGuard guard(n.b);
  n.b.setInsertionPointToEnd(choice.thenBlock());
  scf::YieldOp::create(n.b, n.loc, n.make(operand.type, target, given).value);
  n.b.setInsertionPointToEnd(choice.elseBlock());
  Sizes narrow = operand.sizes;
  narrow[axis] = one;
  scf::YieldOp::create(
      n.b, n.loc,
      copyBroadcast(n, n.make(operand.type, narrow, given), target).value);
  Tensor result{operand.type, target};
  result.value = choice.getResult(0);
  return result;
}

SmallVector<Tensor> onnx::broadcastOperands(NodeBuilder &n,
                                            ArrayRef<Tensor> operands,
                                            ArrayRef<OpFoldResult> sizes) {
  SmallVector<Tensor> prepared;
  for (const Tensor &operand : operands) {
    int64_t first = int64_t(sizes.size()) - operand.rank();
    prepared.push_back(operand);
    for (int64_t axis = 0; axis < operand.rank() && !n.failed(); ++axis) {
      OpFoldResult own = operand.sizes[axis], size = sizes[first + axis];
      if (own == size || getInt(own))
        continue;
      // Only a 1 broadcasts to a 1.
      if (getInt(size) == 1)
        n.checkEqual(own, size, "sizes of its inputs are unlike");
      else
        prepared.back() = decideOnce(n, prepared.back(), axis, size);
    }
  }
  return prepared;
}

/// Runs a body on scalars, as f32 if it is to be and they are narrow.
static Value runBody(OpBuilder &b, Location loc, ArrayRef<ElementType> types,
                     ElementType result, ElementBody body, Compute compute,
                     ValueRange scalars) {
  Scalars s(b, loc, types.front());
  SmallVector<Value> arguments(scalars);
  bool isWide = false;
  for (auto [argument, type] : llvm::zip_equal(arguments, types)) {
    // There is no arithmetic on floats of less than two bytes.
    if (!isNarrowFloat(type) ||
        (compute == Compute::Native && getBitWidth(type) == 16))
      continue;
    argument = s.convert(argument, type, ElementType::F32);
    isWide = true;
  }
  if (isWide && isNarrowFloat(s.type))
    s.type = ElementType::F32;
  Value made = body(s, arguments);
  if (isWide && isNarrowFloat(result) && made.getType().isF32())
    made = s.convert(made, ElementType::F32, result);
  return made;
}

/// Results of known elements: each is computed by itself. Nullopt if there are
/// many, or code would compute what is better computed by one operation.
static std::optional<Tensor> computeKnown(NodeBuilder &n,
                                          ArrayRef<Tensor> operands,
                                          ArrayRef<OpFoldResult> sizes,
                                          ElementType result, ElementBody body,
                                          Compute compute) {
  Tensor made{result, Sizes(sizes)};
  std::optional<int64_t> count = made.count();
  if (!count || *count > kMaxKnownElements)
    return std::nullopt;
  SmallVector<SmallVector<OpFoldResult>> elements;
  SmallVector<ElementType> types;
  bool isConstant = true;
  for (const Tensor &operand : operands) {
    auto known = n.known(operand);
    if (!known)
      return std::nullopt;
    isConstant &= llvm::all_of(
        *known, [](OpFoldResult element) { return isa<Attribute>(element); });
    elements.push_back(std::move(*known));
    types.push_back(operand.type);
  }
  if (!isConstant && (sizes.size() > 1 || *count > 32))
    return std::nullopt;
  made.elements.emplace();
  for (int64_t place = 0; place < *count; ++place) {
    SmallVector<Value> scalars;
    for (auto [operand, known] : llvm::zip_equal(operands, elements)) {
      // The place in the operand, of whose dimensions those of size 1 stay.
      int64_t rest = place, own = 0, stride = 1;
      for (int64_t axis = int64_t(sizes.size()) - 1; axis >= 0; --axis) {
        int64_t size = *getInt(sizes[axis]), index = rest % size;
        rest /= size;
        int64_t at = axis - (int64_t(sizes.size()) - operand.rank());
        if (at < 0)
          continue;
        own += operand.dim(at) == 1 ? 0 : index * stride;
        stride *= *operand.dim(at);
      }
      scalars.push_back(n.scalarValue(known[own]));
    }
    made.elements->push_back(getAsOpFoldResult(
        runBody(n.b, n.loc, types, result, body, compute, scalars)));
  }
  return made;
}

Tensor onnx::elementwise(NodeBuilder &n, ArrayRef<Tensor> operands,
                         ElementType result, ElementBody body,
                         Compute compute) {
  Sizes sizes = broadcastSizes(n, operands);
  if (n.failed())
    return n.makeEmpty(result, sizes);
  if (auto known = computeKnown(n, operands, sizes, result, body, compute))
    return *known;
  auto types = llvm::map_to_vector(
      operands, [](const Tensor &operand) { return operand.type; });
  return buildParallel(n, result, broadcastOperands(n, operands, sizes), sizes,
                       [&](Scalars &s, ValueRange args) {
                         return runBody(s.b, s.loc, types, result, body,
                                        compute, args.drop_back());
                       });
}

Tensor onnx::computeAt(NodeBuilder &n, ElementType type,
                       ArrayRef<Tensor> operands, ArrayRef<OpFoldResult> sizes,
                       PlacedBody body) {
  return buildParallel(n, type, operands, sizes,
                       [&](Scalars &s, ValueRange args) {
                         SmallVector<Value> place;
                         for (size_t axis = 0; axis < sizes.size(); ++axis)
                           place.push_back(s.index(axis));
                         return body(s, place, args.drop_back());
                       });
}

Tensor onnx::broadcastTo(NodeBuilder &n, const Tensor &tensor,
                         ArrayRef<OpFoldResult> sizes) {
  if (ArrayRef<OpFoldResult>(tensor.sizes) == sizes)
    return tensor;
  Tensor operand = broadcastOperands(n, tensor, sizes).front();
  return copyBroadcast(n, operand, sizes);
}

Tensor onnx::castTo(NodeBuilder &n, const Tensor &tensor, ElementType type,
                    bool saturates) {
  if (tensor.type == type)
    return tensor;
  if (isComplex(tensor.type) || isComplex(type) || !n.storage(type)) {
    n.fail("elements of type " + getName(tensor.type) +
           " cannot be cast to type " + getName(type));
    return n.make(tensor.type, tensor.sizes, n.value(tensor));
  }
  return elementwise(n, tensor, type, [&](Scalars &s, ValueRange elements) {
    // The body's rule has widened it already.
    ElementType from =
        elements[0].getType().isF32() ? ElementType::F32 : tensor.type;
    return s.convert(elements[0], from, type, saturates);
  });
}

using Arithmetic = Value (Scalars::*)(Value, Value);

static Tensor combine(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs,
                      Arithmetic method) {
  return elementwise(n, {lhs, rhs}, [&](Scalars &s, ValueRange e) {
    return (s.*method)(e[0], e[1]);
  });
}

Tensor onnx::add(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs) {
  return combine(n, lhs, rhs, &Scalars::add);
}

Tensor onnx::sub(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs) {
  return combine(n, lhs, rhs, &Scalars::sub);
}

Tensor onnx::mul(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs) {
  return combine(n, lhs, rhs, &Scalars::mul);
}

Tensor onnx::div(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs) {
  return combine(n, lhs, rhs, &Scalars::div);
}
