//===- Constants.cpp - Constants and shapes of tensors --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Elementwise.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// A vector of numbers of an attribute.
template <typename T>
static Tensor makeVector(NodeBuilder &n, ElementType type,
                         ArrayRef<T> numbers) {
  Tensor tensor{type, {n.ix.constant(numbers.size())}};
  auto shape = RankedTensorType::get(int64_t(numbers.size()), n.storage(type));
  tensor.constant = DenseElementsAttr::get(shape, numbers);
  return tensor;
}

static void buildConstant(NodeBuilder &n) {
  if (std::optional<Tensor> tensor = n.getTensor("value")) {
    n.set(0, *tensor);
  } else if (std::optional<Tensor> tensor = n.getTensor("sparse_value", true)) {
    n.set(0, *tensor);
  } else if (n.findAttr("value_float")) {
    n.set(0, n.constant(ElementType::F32, n.getFloat("value_float", 0)));
  } else if (n.findAttr("value_int")) {
    n.set(0, n.constantInt(ElementType::I64, n.getInt("value_int", 0)));
  } else if (n.findAttr("value_floats")) {
    n.set(0,
          makeVector<float>(n, ElementType::F32, n.getFloats("value_floats")));
  } else if (n.findAttr("value_ints")) {
    n.set(0, makeVector<int64_t>(n, ElementType::I64, n.getInts("value_ints")));
  } else {
    n.fail("its value is a string or missing; strings are not supported");
  }
}

static void buildConstantOfShape(NodeBuilder &n) {
  Sizes sizes = n.indices(n.in(0));
  for (OpFoldResult size : sizes)
    n.check(n.ix.less(n.ix.constant(-1), size), "a size is negative");
  Tensor value = n.constant(ElementType::F32, 0);
  if (std::optional<Tensor> given = n.getTensor("value"))
    value = *given;
  OpFoldResult element = n.element(value);
  if (n.failed())
    return;
  Tensor result{value.type, sizes};
  std::optional<int64_t> count = result.count();
  if (count && *count <= kMaxKnownElements)
    return n.set(0, n.makeKnown(value.type, sizes,
                                SmallVector<OpFoldResult>(*count, element)));
  n.set(0, n.make(value.type, sizes,
                  n.fill(value.type, sizes, n.scalarValue(element))));
}

static void buildShape(NodeBuilder &n) {
  int64_t rank = n.in(0).rank();
  auto clamp = [&](int64_t axis) {
    return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  int64_t start = clamp(n.getInt("start", 0));
  int64_t end = clamp(n.getInt("end", rank));
  ArrayRef<OpFoldResult> sizes = n.in(0).sizes;
  n.set(0, n.makeInts(sizes.slice(start, std::max<int64_t>(end - start, 0))));
}

static void buildSize(NodeBuilder &n) {
  OpFoldResult count = n.ix.product(n.in(0).sizes);
  n.set(0, n.makeKnown(ElementType::I64, {},
                       {n.ix.toElement(count, ElementType::I64)}));
}

void mlir::hetero::onnx::addConstants(OperatorTable &table) {
  table.add("Constant", {1, 9, 11, 12, 13, 19, 21, 23, 24, 25}, buildConstant);
  table.add("ConstantOfShape", {9, 20, 21, 23, 24, 25}, buildConstantOfShape);
  table.add("Shape", {1, 13, 15, 19, 21, 23, 24, 25}, buildShape);
  table.add("Size", {1, 13, 19, 21, 23, 24, 25}, buildSize);
  table.add("Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25},
            [](NodeBuilder &n) { n.set(0, n.any(0)); });
}
