//===- ConstantElements.cpp - What constants hold -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantElements.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::hetero;

/// The bytes of a resource that are there; others were left out of a text.
static std::optional<ArrayRef<char>>
getResourceBytes(DenseResourceElementsAttr attr, int64_t size) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob || int64_t(blob->getData().size()) != size)
    return std::nullopt;
  return blob->getData();
}

std::optional<ConstantElements> ConstantElements::get(Value value) {
  auto op = value.getDefiningOp<arith::ConstantOp>();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!op || !type || !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() % 8 != 0 ||
      type.getElementTypeBitWidth() > 64)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue()))
    return ConstantElements(op, dense.getRawData(), dense.isSplat());
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  if (!resource)
    return std::nullopt;
  int64_t size = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  std::optional<ArrayRef<char>> bytes = getResourceBytes(resource, size);
  if (!bytes)
    return std::nullopt;
  return ConstantElements(op, *bytes, false);
}

static APInt getBits(ArrayRef<char> element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element.data(), element.size());
  return APInt(element.size() * 8, bits);
}

float ConstantElements::getFloat(int64_t index) const {
  auto elementType = cast<FloatType>(type.getElementType());
  APFloat number(elementType.getFloatSemantics(), getBits(getBytes(index)));
  bool isRounded;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &isRounded);
  return number.convertToFloat();
}

std::vector<float> ConstantElements::getFloats() const {
  std::vector<float> values(type.getNumElements(), splat ? getFloat(0) : 0.0f);
  if (!splat)
    std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TypedAttr ConstantElements::getAttribute(int64_t index) const {
  APInt number = getBits(getBytes(index));
  Type elementType = type.getElementType();
  if (auto floating = dyn_cast<FloatType>(elementType))
    return FloatAttr::get(floating,
                          APFloat(floating.getFloatSemantics(), number));
  return IntegerAttr::get(elementType, number);
}

void mlir::hetero::appendBytes(std::vector<char> &bytes, TypedAttr number) {
  APInt bits;
  if (auto floating = dyn_cast<FloatAttr>(number))
    bits = floating.getValue().bitcastToAPInt();
  else
    bits = cast<IntegerAttr>(number).getValue();
  const char *data = reinterpret_cast<const char *>(bits.getRawData());
  bytes.insert(bytes.end(), data, data + bits.getBitWidth() / 8);
}

arith::ConstantOp mlir::hetero::createConstant(OpBuilder &builder, Location loc,
                                               RankedTensorType type,
                                               ArrayRef<char> bytes) {
  // An attribute of more is slow to make, since the context looks for an equal
  // one, and long to print.
  constexpr size_t kLargestAttribute = 256;
  TypedAttr value;
  if (bytes.size() <= kLargestAttribute)
    value = DenseElementsAttr::getFromRawBuffer(type, bytes);
  else
    value = DenseResourceElementsAttr::get(
        type, "folded",
        HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64,
                                                      /*dataIsMutable=*/false));
  return arith::ConstantOp::create(builder, loc, value);
}
