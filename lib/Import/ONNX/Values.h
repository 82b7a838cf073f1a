//===- Values.h - What is known of a value ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the importer knows of a value of the graph: its element type with the
// sign, its sizes as constants or index values, and, where they are known, its
// elements as constants or scalar values. So shapes that programs compute
// (Shape, Gather, Mul, Concat, Reshape) are folded as they are built.

#ifndef HETERO_LIB_IMPORT_ONNX_VALUES_H
#define HETERO_LIB_IMPORT_ONNX_VALUES_H

#include "Model.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::hetero::onnx {

/// The type in the IR, where integers have no sign; null if there is none.
/// Types of less than a byte, and floats of a byte that programs cannot have as
/// arguments, are bytes: an integer of that value, or the bits of the float.
Type getStorageType(MLIRContext *context, ElementType type);
/// The format of a float that is stored as its bits, else null.
FloatType getBitsFormat(MLIRContext *context, ElementType type);
/// The name in ONNX's documents: "uint8".
StringRef getName(ElementType type);
/// Bits of an element in raw data.
unsigned getBitWidth(ElementType type);
bool isFloat(ElementType type);
/// True of U2 to U64 and of Bool: wider integers are extended by zeros.
bool isUnsigned(ElementType type);
/// True of signed and unsigned integers, not of Bool.
bool isInteger(ElementType type);
bool isComplex(ElementType type);
/// True of floats of fewer than 32 bits: sums are accumulated in F32.
bool isNarrowFloat(ElementType type);
/// The type to accumulate sums of elements in: F32 for narrow floats.
ElementType getAccumulator(ElementType type);

using Sizes = SmallVector<OpFoldResult>;

/// Tensors of at most so many elements have them as scalars.
constexpr int64_t kMaxKnownElements = 256;

/// A value of the graph. It is cheap to copy.
struct Tensor {
  Tensor() = default;
  explicit Tensor(ElementType type, Sizes sizes = {})
      : type(type), sizes(std::move(sizes)) {}

  ElementType type = ElementType::Undefined;
  /// Each an IntegerAttr or a value, of type index.
  Sizes sizes;
  /// The elements in row-major order, each an attribute or a scalar value of
  /// the storage type, where they are known.
  std::optional<SmallVector<OpFoldResult>> elements;
  /// All elements, if they are constants of the file.
  ElementsAttr constant;
  /// Instead of that the bytes of many elements of two or four bits, the low
  /// bits first: what reads the tensor unpacks them.
  ElementsAttr packed;
  /// Null until an operation needs the tensor: NodeBuilder::value makes it.
  Value value;
  /// The name in the file, for locations of constants and diagnostics.
  StringRef name;
  /// The tensors of a sequence, which has nothing else, or of an optional: one
  /// or none.
  std::shared_ptr<std::vector<Tensor>> items;
  /// True of an optional, false of a sequence.
  bool isOptional = false;

  int64_t rank() const { return sizes.size(); }
  bool isSequence() const { return bool(items); }
  /// The size of a dimension if it is a constant, else nullopt.
  std::optional<int64_t> dim(int64_t axis) const;
  /// The number of elements if it is a constant.
  std::optional<int64_t> count() const;
};

/// A sequence of these, or an optional that holds one or none.
Tensor makeSequence(std::vector<Tensor> items, bool isOptional = false);

/// Tensors of more dimensions are refused.
constexpr int64_t kMaxRank = 64;
/// Says what is wrong with the sizes of a tensor: too many dimensions, or more
/// elements than can be counted; empty if nothing is.
std::string checkSizes(ArrayRef<OpFoldResult> sizes);
/// The constant that `value` is, if it is one: an IntegerAttr, or a value that
/// is a constant operation.
std::optional<int64_t> getInt(OpFoldResult value);
/// The constant of a float or integer type, or of index: rounded, or the low
/// bits of the integer.
TypedAttr makeNumber(Type type, double number);
IntegerAttr makeWhole(Type type, int64_t number);
/// The type of a tensor of these sizes.
RankedTensorType getTensorType(Type element, ArrayRef<OpFoldResult> sizes);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_VALUES_H
