//===- Arguments.cpp - Inputs as arguments or constants -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/Elementwise.h"
#include "GraphImporter.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
/// Numbers of a text with their sizes.
struct Numbers {
  SmallVector<const llvm::json::Value *> leaves;
  SmallVector<int64_t> sizes;
};
} // namespace

/// Collects the numbers of nested lists; false if they are ragged.
static bool collect(const llvm::json::Value &value, unsigned depth,
                    Numbers &numbers) {
  const llvm::json::Array *array = value.getAsArray();
  if (!array) {
    numbers.leaves.push_back(&value);
    return depth == numbers.sizes.size();
  }
  bool isFirst = numbers.leaves.empty();
  if (depth == numbers.sizes.size()) {
    if (!isFirst)
      return false;
    numbers.sizes.push_back(array->size());
  }
  return numbers.sizes[depth] == int64_t(array->size()) &&
         llvm::all_of(*array, [&](const llvm::json::Value &element) {
           return collect(element, depth + 1, numbers);
         });
}

/// The attribute of a number of a text; null if it is none of the type.
static Attribute parseNumber(const llvm::json::Value &value, Type type) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    if (std::optional<double> number = value.getAsNumber())
      return FloatAttr::get(floating, *number);
    StringRef text = value.getAsString().value_or("");
    if (text == "nan" || text == "inf" || text == "-inf")
      return FloatAttr::get(floating, std::stod(text.str()));
    return {};
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return {};
  std::optional<int64_t> number = value.getAsInteger();
  if (std::optional<bool> truth = value.getAsBoolean())
    number = *truth;
  else if (std::optional<uint64_t> large = value.getAsUINT64())
    number = int64_t(*large);
  if (!number)
    return {};
  return IntegerAttr::get(
      integer, APInt(64, *number, true).sextOrTrunc(integer.getWidth()));
}

/// Splits what one may give: numbers apart by commas, or nested lists.
static std::optional<llvm::json::Value> parseText(StringRef text) {
  bool isList = text.trim().starts_with("[") || !text.contains(',');
  auto parsed =
      llvm::json::parse(isList ? text.str() : ("[" + text + "]").str());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  return *parsed;
}

FailureOr<Tensor> GraphImporter::parseValue(const ValueInfoProto &input,
                                            StringRef text) {
  auto refuse = [&](const Twine &why) {
    return fail("the value '" + text + "' of input \"" + input.name + "\" " +
                why + "; give numbers, as in 1,2 or [[1, 2], [3, 4]]");
  };
  std::optional<llvm::json::Value> parsed = parseText(text);
  if (!parsed)
    return refuse("cannot be read");
  Numbers numbers;
  if (!collect(*parsed, 0, numbers))
    return refuse("has lists of unlike lengths");
  if (!input.type || !input.type->tensor)
    return fail("input \"" + input.name + "\" is no tensor");
  Tensor tensor{ElementType(input.type->tensor->elementType)};
  Type type = getStorageType(b.getContext(), tensor.type);
  // One number stands for a vector of one.
  const ShapeProto *shape = input.type->tensor->shape.get();
  if (shape && numbers.sizes.empty() && shape->dims.size() == 1)
    numbers.sizes.push_back(1);
  if (shape && shape->dims.size() != numbers.sizes.size())
    return refuse("has another rank than the input");
  SmallVector<Attribute> elements;
  for (const llvm::json::Value *leaf : numbers.leaves) {
    elements.push_back(type ? parseNumber(*leaf, type) : Attribute());
    if (!elements.back())
      return refuse("is of another type than the input's, " +
                    getName(tensor.type));
  }
  for (int64_t size : numbers.sizes)
    tensor.sizes.push_back(b.getIndexAttr(size));
  tensor.constant = DenseElementsAttr::get(
      RankedTensorType::get(numbers.sizes, type), elements);
  tensor.name = input.name;
  return tensor;
}

LogicalResult GraphImporter::checkDims() {
  SmallVector<StringRef> known;
  for (const ValueInfoProto &input : model.graph->inputs)
    if (input.type && input.type->tensor && input.type->tensor->shape)
      for (const DimensionProto &dim : input.type->tensor->shape->dims)
        if (!dim.param.empty() && !llvm::is_contained(known, dim.param))
          known.push_back(dim.param);
  std::string list = known.empty() ? "none" : llvm::join(known, ", ");
  for (const auto &entry : options.dims) {
    if (!llvm::is_contained(known, entry.getKey()))
      return fail("no input has a dimension named " + entry.getKey() +
                  "; it has " + list);
    if (entry.getValue() < 0)
      return fail("the size of dimension " + entry.getKey() + " is negative");
  }
  for (const auto &entry : options.values)
    if (llvm::none_of(model.graph->inputs, [&](const ValueInfoProto &input) {
          return input.name == entry.getKey();
        }))
      return fail("there is no input " + entry.getKey());
  return success();
}

/// The name of a dimension; exporters write "?" and "-1" for any size.
static StringRef getDimName(const DimensionProto &dim) {
  int64_t number;
  bool isAny = dim.param == "?" || !dim.param.getAsInteger(10, number);
  return isAny ? StringRef() : dim.param;
}

/// Keeps an input that is an argument of the function; others are constants.
LogicalResult
GraphImporter::readArgument(const ValueInfoProto &input, Scope &scope,
                            SmallVectorImpl<const ValueInfoProto *> &kept) {
  if (auto it = options.values.find(input.name); it != options.values.end()) {
    FailureOr<Tensor> value = parseValue(input, it->second);
    if (failed(value))
      return failure();
    scope.values[input.name] = *value;
    return success();
  }
  // One with an initializer has that as its value.
  if (scope.values.count(input.name))
    return success();
  if (!input.type || !input.type->tensor)
    return fail("input \"" + input.name +
                "\" is a sequence, a map or an optional; only tensors can be "
                "inputs");
  auto element = ElementType(input.type->tensor->elementType);
  if (!getStorageType(b.getContext(), element))
    return fail("input \"" + input.name + "\" has elements of type " +
                getName(element) + ", which is not supported");
  if (!input.type->tensor->shape) {
    needed.push_back(input.name.str());
    return fail("input \"" + input.name +
                "\" has no rank; declare its shape, or give it by --value");
  }
  kept.push_back(&input);
  return success();
}

LogicalResult GraphImporter::makeArguments(Scope &scope,
                                           ONNXSignature *signature) {
  const GraphProto &graph = *model.graph;
  SmallVector<const ValueInfoProto *> kept;
  if (failed(checkDims()))
    return failure();
  for (const ValueInfoProto &input : graph.inputs)
    if (failed(readArgument(input, scope, kept)))
      return failure();
  StringRef name = graph.name.empty() ? StringRef("main") : graph.name;
  b.setInsertionPointToEnd(module.getBody());
  auto function =
      func::FuncOp::create(b, NameLoc::get(b.getStringAttr("graph:" + name)),
                           name, b.getFunctionType({}, {}));
  state.entry = function.addEntryBlock();
  b.setInsertionPointToEnd(state.entry);
  NodeProto none;
  Location unknown = b.getUnknownLoc();
  NodeBuilder n(*this, state, b, unknown, none, 0, {});
  // The first size of each name, and the input that has it.
  llvm::StringMap<std::pair<OpFoldResult, StringRef>> sizes;
  for (const ValueInfoProto *input : kept) {
    const TensorTypeProto &type = *input->type->tensor;
    Tensor tensor{ElementType(type.elementType)};
    SmallVector<int64_t> shape;
    for (const DimensionProto &dim : type.shape->dims) {
      int64_t size = dim.value.value_or(-1);
      if (auto it = options.dims.find(dim.param); it != options.dims.end())
        size = it->second;
      // Exporters write -1, or nothing, for any size.
      shape.push_back(size < 0 ? ShapedType::kDynamic : size);
    }
    Location loc = NameLoc::get(b.getStringAttr(input->name));
    tensor.value = state.entry->addArgument(
        RankedTensorType::get(shape, n.storage(tensor.type)), loc);
    for (auto [axis, size] : llvm::enumerate(shape)) {
      StringRef param = getDimName(type.shape->dims[axis]);
      OpFoldResult found = b.getIndexAttr(size);
      if (ShapedType::isDynamic(size)) {
        found = tensor::getMixedSize(b, loc, tensor.value, axis);
        n.ix.unique(cast<Value>(found));
        auto [it, isNew] = sizes.try_emplace(param, found, input->name);
        if (!param.empty() && !isNew) {
          std::string text =
              ("inputs \"" + it->second.second + "\" and \"" + input->name +
               "\" have unlike sizes of dimension "
               "\"" +
               param + "\"")
                  .str();
          n.checkInput(n.ix.equal(found, it->second.first), text);
          found = it->second.first;
        }
      }
      tensor.sizes.push_back(found);
    }
    std::string wrong = checkSizes(tensor.sizes);
    if (!wrong.empty())
      return fail("input \"" + input->name + "\" has " + wrong);
    if (signature)
      signature->inputs.push_back([&] {
        ONNXSignature::Value value{
            input->name.str(), getName(tensor.type).str(), {}, {}};
        for (auto [axis, size] : llvm::enumerate(shape)) {
          value.sizes.push_back(ShapedType::isDynamic(size) ? -1 : size);
          value.dims.push_back(type.shape->dims[axis].param.str());
        }
        return value;
      }());
    // Callers give the bits, with any above them.
    if (isInteger(tensor.type) && getBitWidth(tensor.type) < 8)
      tensor = elementwise(n, {tensor}, [&](Scalars &s, ValueRange e) {
        return s.cutBits(e[0], s.type);
      });
    scope.values[input->name] = std::move(tensor);
  }
  return success();
}
