//===- TensorCondition.cpp - What a rule asks of a tensor -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/TensorCondition.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::hetero;

std::optional<ShapePattern> ShapePattern::create(StringRef text) {
  ShapePattern pattern;
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  if (parts.size() > 1 && parts.front() == "...") {
    pattern.hasMoreBefore = true;
    parts.erase(parts.begin());
  } else if (parts.size() > 1 && parts.back() == "...") {
    pattern.hasMoreAfter = true;
    parts.pop_back();
  }
  for (StringRef part : parts) {
    int64_t size;
    if (part == "*")
      size = kAny;
    else if (part == "?")
      size = ShapedType::kDynamic;
    else if (part.getAsInteger(10, size) || size < 0)
      return std::nullopt;
    pattern.dims.push_back(size);
  }
  return pattern;
}

bool ShapePattern::matches(ArrayRef<int64_t> shape) const {
  if (shape.size() < dims.size())
    return false;
  if (shape.size() > dims.size() && !hasMoreBefore && !hasMoreAfter)
    return false;
  ArrayRef<int64_t> part = hasMoreBefore ? shape.take_back(dims.size())
                                         : shape.take_front(dims.size());
  return llvm::all_of_zip(dims, part, [](int64_t wanted, int64_t size) {
    return wanted == kAny || wanted == size;
  });
}

bool TensorCondition::isMetBy(Value value, TensorSizes &sizes) const {
  auto tensor = dyn_cast<TensorType>(value.getType());
  if (!tensor || (dtype && tensor.getElementType() != dtype))
    return false;
  auto ranked = dyn_cast<RankedTensorType>(tensor);
  if (rank && (!ranked || ranked.getRank() != *rank))
    return false;
  if (shape && (!ranked || !shape->matches(ranked.getShape())))
    return false;
  if (minElements == 0 && std::isinf(maxElements))
    return true;
  double elements = sizes.getNumElements(value);
  return elements >= minElements && elements <= maxElements;
}

bool TensorCondition::isMet(ValueRange values, TensorSizes &sizes) const {
  if (index)
    return *index < int64_t(values.size()) && isMetBy(values[*index], sizes);
  return llvm::any_of(values,
                      [&](Value value) { return isMetBy(value, sizes); });
}
