//===- Values.cpp - What is known of a value ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Values.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
enum class Class { None, Float, Signed, Unsigned, Bool, Complex };

/// Facts about element types; a row for each number, from 0.
struct ElementFacts {
  StringRef name;
  Class kind;
  unsigned bits;
  Type (*make)(MLIRContext *);
  /// The format of a float that is stored as its bits.
  Type (*format)(MLIRContext *) = nullptr;
};
} // namespace

template <typename T> static Type makeFloat(MLIRContext *context) {
  return T::get(context);
}
template <unsigned bits> static Type makeInteger(MLIRContext *context) {
  return IntegerType::get(context, bits);
}
template <typename T> static Type makeComplex(MLIRContext *context) {
  return ComplexType::get(T::get(context));
}

static const ElementFacts kFacts[] = {
    {"undefined", Class::None, 0, nullptr},
    {"float", Class::Float, 32, makeFloat<Float32Type>},
    {"uint8", Class::Unsigned, 8, makeInteger<8>},
    {"int8", Class::Signed, 8, makeInteger<8>},
    {"uint16", Class::Unsigned, 16, makeInteger<16>},
    {"int16", Class::Signed, 16, makeInteger<16>},
    {"int32", Class::Signed, 32, makeInteger<32>},
    {"int64", Class::Signed, 64, makeInteger<64>},
    {"string", Class::None, 0, nullptr},
    {"bool", Class::Bool, 8, makeInteger<1>},
    {"float16", Class::Float, 16, makeFloat<Float16Type>},
    {"double", Class::Float, 64, makeFloat<Float64Type>},
    {"uint32", Class::Unsigned, 32, makeInteger<32>},
    {"uint64", Class::Unsigned, 64, makeInteger<64>},
    {"complex64", Class::Complex, 64, makeComplex<Float32Type>},
    {"complex128", Class::Complex, 128, makeComplex<Float64Type>},
    {"bfloat16", Class::Float, 16, makeFloat<BFloat16Type>},
    {"float8e4m3fn", Class::Float, 8, makeFloat<Float8E4M3FNType>},
    {"float8e4m3fnuz", Class::Float, 8, makeInteger<8>,
     makeFloat<Float8E4M3FNUZType>},
    {"float8e5m2", Class::Float, 8, makeFloat<Float8E5M2Type>},
    {"float8e5m2fnuz", Class::Float, 8, makeInteger<8>,
     makeFloat<Float8E5M2FNUZType>},
    {"uint4", Class::Unsigned, 4, makeInteger<8>},
    {"int4", Class::Signed, 4, makeInteger<8>},
    {"float4e2m1", Class::Float, 4, makeInteger<8>,
     makeFloat<Float4E2M1FNType>},
    {"float8e8m0", Class::Float, 8, makeInteger<8>,
     makeFloat<Float8E8M0FNUType>},
    {"uint2", Class::Unsigned, 2, makeInteger<8>},
    {"int2", Class::Signed, 2, makeInteger<8>},
    {"float6e2m3", Class::Float, 6, makeInteger<8>,
     makeFloat<Float6E2M3FNType>},
    {"float6e3m2", Class::Float, 6, makeInteger<8>,
     makeFloat<Float6E3M2FNType>},
};

static const ElementFacts &factsOf(ElementType type) {
  auto number = uint32_t(type);
  return kFacts[number < std::size(kFacts) ? number : 0];
}
static Class kindOf(ElementType type) { return factsOf(type).kind; }

Type onnx::getStorageType(MLIRContext *context, ElementType type) {
  const ElementFacts &facts = factsOf(type);
  return facts.make ? facts.make(context) : Type();
}

FloatType onnx::getBitsFormat(MLIRContext *context, ElementType type) {
  const ElementFacts &facts = factsOf(type);
  return facts.format ? cast<FloatType>(facts.format(context)) : FloatType();
}

StringRef onnx::getName(ElementType type) { return factsOf(type).name; }
unsigned onnx::getBitWidth(ElementType type) { return factsOf(type).bits; }

bool onnx::isFloat(ElementType type) { return kindOf(type) == Class::Float; }
bool onnx::isUnsigned(ElementType type) {
  return kindOf(type) == Class::Unsigned || kindOf(type) == Class::Bool;
}
bool onnx::isInteger(ElementType type) {
  return kindOf(type) == Class::Unsigned || kindOf(type) == Class::Signed;
}
bool onnx::isComplex(ElementType type) {
  return kindOf(type) == Class::Complex;
}
bool onnx::isNarrowFloat(ElementType type) {
  return isFloat(type) && getBitWidth(type) < 32;
}
ElementType onnx::getAccumulator(ElementType type) {
  return isNarrowFloat(type) ? ElementType::F32 : type;
}

std::optional<int64_t> Tensor::dim(int64_t axis) const {
  return getInt(sizes[axis]);
}

std::optional<int64_t> Tensor::count() const {
  int64_t product = 1;
  bool isKnown = true;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> number = getInt(size);
    // An empty tensor is one whatever its other sizes are.
    if (number == 0)
      return 0;
    isKnown &= number && !llvm::MulOverflow(product, *number, product);
  }
  return isKnown ? std::optional(product) : std::nullopt;
}

Tensor onnx::makeSequence(std::vector<Tensor> items, bool isOptional) {
  Tensor sequence;
  sequence.items = std::make_shared<std::vector<Tensor>>(std::move(items));
  sequence.isOptional = isOptional;
  return sequence;
}

std::string onnx::checkSizes(ArrayRef<OpFoldResult> sizes) {
  if (int64_t(sizes.size()) > kMaxRank)
    return std::to_string(sizes.size()) + " dimensions, and at most " +
           std::to_string(kMaxRank) + " are supported";
  int64_t product = 1;
  for (OpFoldResult size : sizes) {
    int64_t number = getInt(size).value_or(1);
    if (number < 0)
      return "a negative size (" + std::to_string(number) + ")";
    if (number && (llvm::MulOverflow(product, number, product) ||
                   product > int64_t(1) << 48))
      return "more elements than any machine can hold";
  }
  return "";
}

std::optional<int64_t> onnx::getInt(OpFoldResult value) {
  return value ? getConstantIntValue(value) : std::nullopt;
}

IntegerAttr onnx::makeWhole(Type type, int64_t number) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, APInt(64, number, true).sextOrTrunc(width));
}

TypedAttr onnx::makeNumber(Type type, double number) {
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(floating, number);
  return makeWhole(type, number < 0 ? int64_t(number) : uint64_t(number));
}

RankedTensorType onnx::getTensorType(Type element,
                                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getInt(size).value_or(ShapedType::kDynamic));
  return RankedTensorType::get(shape, element);
}
