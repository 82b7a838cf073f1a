//===- TensorBuilder.cpp - Makes sizes, tensors and constants -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorBuilder.h"

#include "Emit/Scalars.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The hash of what an operation computes.
static size_t getHash(Operation *op) {
  return OperationEquivalence::computeHash(
      op, OperationEquivalence::directHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
}

Value Indices::findEqual(Value value) const {
  Operation *op = value.getDefiningOp();
  auto [first, last] = made.equal_range(getHash(op));
  for (auto it = first; it != last; ++it) {
    Operation *other = it->second;
    if (other != op && other->getBlock() == op->getBlock() &&
        OperationEquivalence::isEquivalentTo(
            op, other, OperationEquivalence::exactValueMatch,
            /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations))
      return other->getResult(0);
  }
  return value;
}

Value Indices::unique(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() || op->getBlock() != b.getInsertionBlock())
    return value;
  size_t hash = getHash(op);
  auto [first, last] = made.equal_range(hash);
  if (std::any_of(first, last, [&](auto &row) { return row.second == op; }))
    return value;
  Value found = findEqual(value);
  if (found == value)
    made.emplace(hash, op);
  else if (op->use_empty())
    op->erase();
  return found;
}

OpFoldResult Indices::apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
  OpFoldResult result = affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(operands.size(), 0, expr), operands);
  auto value = dyn_cast<Value>(result);
  return value ? OpFoldResult(unique(value)) : result;
}

OpFoldResult Indices::add(OpFoldResult lhs, OpFoldResult rhs) {
  return apply(b.getAffineDimExpr(0) + b.getAffineDimExpr(1), {lhs, rhs});
}

OpFoldResult Indices::sub(OpFoldResult lhs, OpFoldResult rhs) {
  return apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {lhs, rhs});
}

OpFoldResult Indices::mul(OpFoldResult lhs, OpFoldResult rhs) {
  if (getInt(lhs))
    std::swap(lhs, rhs);
  std::optional<int64_t> factor = getInt(rhs);
  if (factor == 0)
    return constant(0);
  if (factor)
    return apply(b.getAffineDimExpr(0) * *factor, {lhs});
  return fold<arith::MulIOp>(value(lhs), value(rhs));
}

OpFoldResult Indices::floorDiv(OpFoldResult lhs, OpFoldResult rhs) {
  if (std::optional<int64_t> divisor = getInt(rhs); divisor && *divisor > 0)
    return apply(b.getAffineDimExpr(0).floorDiv(*divisor), {lhs});
  // A divisor that only the run knows may be 0; the quotient counts nothing.
  return fold<arith::FloorDivSIOp>(value(lhs), value(max(rhs, constant(1))));
}

OpFoldResult Indices::ceilDiv(OpFoldResult lhs, OpFoldResult rhs) {
  if (std::optional<int64_t> divisor = getInt(rhs); divisor && *divisor > 0)
    return apply(b.getAffineDimExpr(0).ceilDiv(*divisor), {lhs});
  return fold<arith::CeilDivSIOp>(value(lhs), value(max(rhs, constant(1))));
}

OpFoldResult Indices::min(OpFoldResult lhs, OpFoldResult rhs) {
  return lhs == rhs ? lhs : fold<arith::MinSIOp>(value(lhs), value(rhs));
}

OpFoldResult Indices::max(OpFoldResult lhs, OpFoldResult rhs) {
  return lhs == rhs ? lhs : fold<arith::MaxSIOp>(value(lhs), value(rhs));
}

OpFoldResult Indices::select(OpFoldResult condition, OpFoldResult yes,
                             OpFoldResult no) {
  if (std::optional<int64_t> known = getInt(condition))
    return *known ? yes : no;
  return yes == no
             ? yes
             : fold<arith::SelectOp>(value(condition), value(yes), value(no));
}

OpFoldResult Indices::less(OpFoldResult lhs, OpFoldResult rhs) {
  if (lhs == rhs)
    return b.getBoolAttr(false);
  return fold<arith::CmpIOp>(arith::CmpIPredicate::slt, value(lhs), value(rhs));
}

OpFoldResult Indices::equal(OpFoldResult lhs, OpFoldResult rhs) {
  if (lhs == rhs)
    return b.getBoolAttr(true);
  return fold<arith::CmpIOp>(arith::CmpIPredicate::eq, value(lhs), value(rhs));
}

OpFoldResult Indices::product(ArrayRef<OpFoldResult> sizes) {
  OpFoldResult result = constant(1);
  for (OpFoldResult size : sizes)
    result = mul(result, size);
  return result;
}

Value Indices::value(OpFoldResult index) {
  if (auto value = dyn_cast<Value>(index))
    return value;
  auto attribute = cast<IntegerAttr>(cast<Attribute>(index));
  if (!attribute.getType().isInteger(1))
    attribute = b.getIndexAttr(attribute.getInt());
  return unique(arith::ConstantOp::create(b, loc, attribute));
}

SmallVector<Value> Indices::values(ArrayRef<OpFoldResult> indices) {
  return llvm::map_to_vector(indices,
                             [&](OpFoldResult index) { return value(index); });
}

OpFoldResult Indices::fromElement(OpFoldResult element, bool isUnsigned) {
  if (auto attribute = dyn_cast<Attribute>(element)) {
    APInt number = cast<IntegerAttr>(attribute).getValue();
    return constant(isUnsigned ? number.getZExtValue() : number.getSExtValue());
  }
  Value scalar = cast<Value>(element);
  Operation *op = scalar.getDefiningOp();
  auto part = [&](unsigned i) {
    return fromElement(getAsOpFoldResult(op->getOperand(i)), isUnsigned);
  };
  if (scalar.getType().isInteger(64)) {
    if (isa_and_nonnull<arith::AddIOp>(op))
      return add(part(0), part(1));
    if (isa_and_nonnull<arith::SubIOp>(op))
      return sub(part(0), part(1));
    if (isa_and_nonnull<arith::MulIOp>(op))
      return mul(part(0), part(1));
  }
  if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
      op->getOperand(0).getType().isIndex())
    return op->getOperand(0);
  // Sizes of int32 that are cast from and to int64.
  if (isa_and_nonnull<arith::ExtSIOp>(op) ||
      (isa_and_nonnull<arith::TruncIOp>(op) &&
       op->getOperand(0).getType().isInteger(64)))
    if (op->getOperand(0).getDefiningOp<arith::IndexCastOp>())
      return part(0);
  Type index = b.getIndexType();
  return isUnsigned ? fold<arith::IndexCastUIOp>(index, scalar)
                    : fold<arith::IndexCastOp>(index, scalar);
}

OpFoldResult Indices::toElement(OpFoldResult index, ElementType type) {
  Type storage = getStorageType(b.getContext(), type);
  if (std::optional<int64_t> number = getInt(index))
    return makeWhole(storage, *number);
  return unique(
      b.createOrFold<arith::IndexCastOp>(loc, storage, cast<Value>(index)));
}

Value TensorBuilder::value(const Tensor &tensor) {
  if (tensor.value)
    return tensor.value;
  if (tensor.constant)
    return makeConstant(tensor.constant, tensor.name);
  if (tensor.packed)
    return unpack(makeConstant(tensor.packed, tensor.name), tensor.type,
                  tensor.sizes);
  if (!tensor.elements) {
    // Only after an error: a sequence, or a tensor of an unknown type.
    Type element = storage(tensor.type);
    return tensor::EmptyOp::create(b, loc, tensor.sizes,
                                   element ? element : b.getF32Type());
  }
  auto type = getTensorType(storage(tensor.type), tensor.sizes);
  // A constant of nothing may still have sizes that are not known.
  if (!type.hasStaticShape())
    return empty(tensor.type, tensor.sizes);
  SmallVector<Attribute> attributes;
  for (OpFoldResult element : *tensor.elements)
    if (auto attribute = dyn_cast<Attribute>(element))
      attributes.push_back(attribute);
  if (attributes.size() == tensor.elements->size())
    return makeConstant(DenseElementsAttr::get(type, attributes), tensor.name);
  auto scalars = llvm::map_to_vector(
      *tensor.elements, [&](OpFoldResult e) { return scalarValue(e); });
  return ix.unique(tensor::FromElementsOp::create(b, loc, type, scalars));
}

Value TensorBuilder::makeConstant(ElementsAttr attribute, StringRef name) {
  Value &made = state.constants[{attribute, name}];
  if (made)
    return made;
  OpBuilder::InsertionGuard guard(b);
  if (state.lastConstant)
    b.setInsertionPointAfter(state.lastConstant);
  else
    b.setInsertionPointToStart(state.entry);
  Location place = name.empty() ? loc : NameLoc::get(b.getStringAttr(name));
  auto constant =
      arith::ConstantOp::create(b, place, cast<TypedAttr>(attribute));
  state.lastConstant = constant;
  return made = constant;
}

Tensor TensorBuilder::make(ElementType type, ArrayRef<OpFoldResult> sizes,
                           Value value) {
  Tensor tensor{type, Sizes(sizes)};
  RankedTensorType expected = getTensorType(storage(type), sizes);
  tensor.value = value;
  if (value.getType() != expected)
    tensor.value = tensor::CastOp::create(b, loc, expected, value);
  return tensor;
}

Tensor TensorBuilder::makeKnown(ElementType type, ArrayRef<OpFoldResult> sizes,
                                ArrayRef<OpFoldResult> elements) {
  Tensor tensor{type, Sizes(sizes)};
  tensor.elements.emplace(elements);
  return tensor;
}

Tensor TensorBuilder::makeInts(ArrayRef<OpFoldResult> indices) {
  auto elements = llvm::map_to_vector(indices, [&](OpFoldResult index) {
    return ix.toElement(index, ElementType::I64);
  });
  return makeKnown(ElementType::I64, {ix.constant(indices.size())}, elements);
}

Tensor TensorBuilder::constant(ElementType type, double number) {
  if (isComplex(type))
    return makeKnown(type, {}, {OpFoldResult(scalar(type, number))});
  return makeKnown(type, {}, {OpFoldResult(makeNumber(storage(type), number))});
}

Tensor TensorBuilder::constantInt(ElementType type, int64_t number) {
  if (isFloat(type))
    return constant(type, double(number));
  return makeKnown(type, {}, {OpFoldResult(makeWhole(storage(type), number))});
}

Value TensorBuilder::scalarValue(OpFoldResult element) {
  if (auto value = dyn_cast<Value>(element))
    return value;
  return ix.unique(arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(cast<Attribute>(element))));
}

Value TensorBuilder::scalar(ElementType type, double number) {
  return ix.unique(makeScalar(b, loc, storage(type), number));
}

Value onnx::makeScalar(OpBuilder &b, Location loc, Type type, double number) {
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return arith::ConstantOp::create(b, loc, makeNumber(type, number));
  Type part = complex.getElementType();
  ArrayAttr parts =
      b.getArrayAttr({makeNumber(part, number), makeNumber(part, 0)});
  return complex::ConstantOp::create(b, loc, complex, parts);
}

std::optional<SmallVector<OpFoldResult>>
TensorBuilder::known(const Tensor &tensor) {
  if (tensor.elements)
    return tensor.elements;
  std::optional<int64_t> count = tensor.count();
  if (!count || *count > kMaxKnownElements || isComplex(tensor.type))
    return std::nullopt;
  if (*count == 0)
    return SmallVector<OpFoldResult>();
  if (!tensor.constant)
    return std::nullopt;
  auto dense = dyn_cast<DenseElementsAttr>(tensor.constant);
  // A resource of a few wide elements.
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(tensor.constant))
    dense = DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                                resource.getData());
  return llvm::to_vector_of<OpFoldResult>(dense.getValues<Attribute>());
}

Value TensorBuilder::empty(ElementType type, ArrayRef<OpFoldResult> sizes) {
  return ix.unique(tensor::EmptyOp::create(b, loc, sizes, storage(type)));
}

Value TensorBuilder::unpack(Value bytes, ElementType type,
                            ArrayRef<OpFoldResult> sizes) {
  Value init = empty(type, sizes);
  // Floats are their bits.
  ElementType whole = isFloat(type) ? ElementType::U4 : type;
  int64_t bits = getBitWidth(type), each = 8 / bits;
  SmallVector<Value> extents = ix.values(sizes);
  auto op = linalg::GenericOp::create(
      b, loc, init.getType(), ValueRange(), init,
      b.getMultiDimIdentityMap(sizes.size()),
      SmallVector<utils::IteratorType>(sizes.size(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &body, Location at, ValueRange) {
        Scalars s(body, at, ElementType::U8);
        Value place = s.constant(ElementType::U64, 0);
        place = s.toIndex(place);
        for (auto [i, size] : llvm::enumerate(extents))
          place = s.add(s.mul(place, size), s.index(i));
        Value count = s.constantLike(place, each);
        Value byte = tensor::ExtractOp::create(
            body, at, bytes, s.binary<arith::DivUIOp>(place, count));
        Value slot = s.fromIndex(s.binary<arith::RemUIOp>(place, count));
        Value moved = s.binary<arith::ShRUIOp>(
            byte, s.mul(slot, s.constant(double(bits))));
        linalg::YieldOp::create(body, at, s.cutBits(moved, whole));
      });
  return op.getResult(0);
}

Value TensorBuilder::fill(ElementType type, ArrayRef<OpFoldResult> sizes,
                          Value scalar) {
  return linalg::FillOp::create(b, loc, scalar, empty(type, sizes))
      .getResult(0);
}

Value TensorBuilder::fillZero(ElementType type, ArrayRef<OpFoldResult> sizes) {
  return fill(type, sizes, scalar(type, 0));
}

void TensorBuilder::erase(Operation *op) {
  for (auto it = state.made.begin(); it != state.made.end();)
    it = op->isAncestor(it->second) ? state.made.erase(it) : std::next(it);
  op->erase();
}
