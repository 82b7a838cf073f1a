//===- TensorBuilder.cpp - Makes tensors and constants --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Value TensorBuilder::value(const Tensor &tensor) {
  if (tensor.value)
    return tensor.value;
  if (tensor.constant)
    return makeConstant(tensor.constant, tensor.name);
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
  auto isConstant = [](OpFoldResult e) { return isa<Attribute>(e); };
  if (llvm::all_of(*tensor.elements, isConstant))
    return makeConstant(
        DenseElementsAttr::get(type,
                               llvm::map_to_vector(*tensor.elements,
                                                   [](OpFoldResult e) {
                                                     return cast<Attribute>(e);
                                                   })),
        tensor.name);
  SmallVector<Value> scalars;
  for (OpFoldResult element : *tensor.elements)
    scalars.push_back(scalarValue(element));
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

TypedAttr onnx::makeNumber(Type type, double number) {
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(floating, number);
  return IntegerAttr::get(type, APInt(64, int64_t(number), true)
                                    .sextOrTrunc(type.getIntOrFloatBitWidth()));
}

Tensor TensorBuilder::constant(ElementType type, double number) {
  return makeKnown(type, {}, {OpFoldResult(makeNumber(storage(type), number))});
}

Tensor TensorBuilder::constantInt(ElementType type, int64_t number) {
  Type element = storage(type);
  if (isa<FloatType>(element))
    return constant(type, double(number));
  unsigned width = element.getIntOrFloatBitWidth();
  return makeKnown(type, {},
                   {OpFoldResult(IntegerAttr::get(
                       element, APInt(64, number, true).sextOrTrunc(width)))});
}

Value TensorBuilder::scalarValue(OpFoldResult element) {
  if (auto value = dyn_cast<Value>(element))
    return value;
  return ix.unique(arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(cast<Attribute>(element))));
}

Value TensorBuilder::scalar(ElementType type, double number) {
  if (auto complex = dyn_cast<ComplexType>(storage(type))) {
    Type part = complex.getElementType();
    ArrayAttr parts =
        b.getArrayAttr({makeNumber(part, number), makeNumber(part, 0)});
    return ix.unique(complex::ConstantOp::create(b, loc, complex, parts));
  }
  return ix.unique(
      arith::ConstantOp::create(b, loc, makeNumber(storage(type), number)));
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
  SmallVector<OpFoldResult> elements;
  if (auto dense = dyn_cast<DenseElementsAttr>(tensor.constant)) {
    for (Attribute element : dense.getValues<Attribute>())
      elements.push_back(element);
    return elements;
  }
  // A resource of a few wide elements.
  auto bytes = cast<DenseResourceElementsAttr>(tensor.constant).getData();
  auto copy = DenseElementsAttr::getFromRawBuffer(
      cast<ShapedType>(tensor.constant.getType()), bytes);
  for (Attribute element : copy.getValues<Attribute>())
    elements.push_back(element);
  return elements;
}

Value TensorBuilder::empty(ElementType type, ArrayRef<OpFoldResult> sizes) {
  return ix.unique(tensor::EmptyOp::create(b, loc, sizes, storage(type)));
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
