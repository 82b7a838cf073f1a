//===- Arguments.cpp - Inputs as arguments or constants -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/Elementwise.h"
#include "GraphImporter.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

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

using Dims = SmallVector<DimensionProto>;

/// The dimensions that a list of sizes stands for; nullopt if it is none.
static std::optional<Dims> readSizes(const llvm::json::Value &given) {
  const llvm::json::Array *sizes = given.getAsArray();
  if (!sizes)
    return std::nullopt;
  Dims dims;
  for (const llvm::json::Value &size : *sizes) {
    std::optional<int64_t> number = size.getAsInteger();
    std::optional<StringRef> name = size.getAsString();
    bool isAny = size.kind() == llvm::json::Value::Null || number == -1;
    if (!isAny && !name && number.value_or(-1) < 0)
      return std::nullopt;
    dims.push_back({number, name.value_or("")});
  }
  return dims;
}

/// The name of a dimension; exporters write "?" and "-1" for any size.
static StringRef getDimName(const DimensionProto &dim) {
  int64_t number;
  bool isAny = dim.param == "?" || !dim.param.getAsInteger(10, number);
  return isAny ? StringRef() : dim.param;
}

/// The type of the tensors that a value is or holds; null if it holds others.
static const TensorTypeProto *findTensorType(const TypeProto *type) {
  while (type && !type->tensor) {
    const auto &holder = type->sequence ? type->sequence : type->optional;
    type = holder ? holder->element.get() : nullptr;
  }
  return type ? type->tensor.get() : nullptr;
}

namespace mlir::hetero::onnx {
/// Makes the values of inputs: arguments of the function, or constants.
class InputReader {
public:
  InputReader(GraphImporter &graph, NodeBuilder &n)
      : graph(graph), options(graph.options), n(n) {}

  FailureOr<Tensor> read(const ValueInfoProto &input);
  /// Fails if an option names what no input has.
  LogicalResult checkOptions() const;

private:
  FailureOr<Tensor> read(const std::string &name, const TypeProto &type,
                         const llvm::json::Value *given, bool isItem);
  FailureOr<Tensor> readTensor(const std::string &name,
                               const TensorTypeProto &type,
                               const llvm::json::Value *given, bool isItem);
  LogicalResult parseValue(StringRef name, StringRef text, Tensor &tensor,
                           std::optional<Dims> &dims);
  /// Adds to what is known of the dimensions of an input.
  LogicalResult addDims(StringRef name, const Twine &what,
                        std::optional<Dims> &dims,
                        ArrayRef<DimensionProto> more);
  /// The size of a dimension, after a check that it is that of its name.
  OpFoldResult checkNamed(const std::string &name, StringRef param,
                          OpFoldResult size);

  GraphImporter &graph;
  const ONNXImportOptions &options;
  NodeBuilder &n;
  /// Inputs and items that are tensors.
  llvm::StringSet<> tensors;
  llvm::SetVector<StringRef> dimNames;
  /// The first size of each name, and the input that has it.
  llvm::StringMap<std::pair<OpFoldResult, std::string>> sizes;
};
} // namespace mlir::hetero::onnx

LogicalResult InputReader::addDims(StringRef name, const Twine &what,
                                   std::optional<Dims> &dims,
                                   ArrayRef<DimensionProto> more) {
  if (dims && dims->size() != more.size())
    return graph.fail("the " + what + " of input \"" + name + "\" has rank " +
                      Twine(more.size()) + ", and the input has " +
                      Twine(dims->size()));
  if (!dims)
    dims.emplace(more.size());
  for (auto [dim, other] : llvm::zip_equal(*dims, more)) {
    // Exporters write -1, or nothing, for any size.
    std::optional<int64_t> size = other.value;
    if (auto it = options.dims.find(other.param); it != options.dims.end())
      size = it->second;
    if (!other.param.empty())
      dimNames.insert(other.param);
    if (dim.param.empty())
      dim.param = other.param;
    if (size.value_or(-1) < 0)
      continue;
    if (dim.value.value_or(*size) != *size)
      return graph.fail("the " + what + " of input \"" + name + "\" has size " +
                        Twine(*size) + ", and the input has " +
                        Twine(*dim.value));
    dim.value = size;
  }
  return success();
}

LogicalResult InputReader::parseValue(StringRef name, StringRef text,
                                      Tensor &tensor,
                                      std::optional<Dims> &dims) {
  auto refuse = [&](const Twine &why) {
    return graph.fail("the value '" + text + "' of input \"" + name + "\" " +
                      why + "; give numbers, as in 1,2 or [[1, 2], [3, 4]]");
  };
  std::optional<llvm::json::Value> parsed = parseText(text);
  if (!parsed)
    return refuse("cannot be read");
  Numbers numbers;
  if (!collect(*parsed, 0, numbers))
    return refuse("has lists of unlike lengths");
  // One number stands for a vector of one.
  if (dims && numbers.sizes.empty() && dims->size() == 1)
    numbers.sizes.push_back(1);
  Type type = n.storage(tensor.type);
  SmallVector<Attribute> elements;
  for (const llvm::json::Value *leaf : numbers.leaves) {
    elements.push_back(parseNumber(*leaf, type));
    if (!elements.back())
      return refuse("is of another type than the input's, " +
                    getName(tensor.type));
  }
  tensor.constant = DenseElementsAttr::get(
      RankedTensorType::get(numbers.sizes, type), elements);
  return addDims(name, "value '" + text + "'", dims,
                 llvm::map_to_vector(numbers.sizes, [](int64_t size) {
                   return DimensionProto{size, {}};
                 }));
}

OpFoldResult InputReader::checkNamed(const std::string &name, StringRef param,
                                     OpFoldResult size) {
  if (param.empty())
    return size;
  auto [it, isNew] = sizes.try_emplace(param, size, name);
  if (isNew)
    return size;
  auto [first, owner] = it->second;
  n.checkInput(n.ix.equal(size, first), "inputs \"" + owner + "\" and \"" +
                                            name +
                                            "\" have unlike sizes of dimension "
                                            "\"" +
                                            param + "\"");
  return getInt(size) ? size : first;
}

FailureOr<Tensor> InputReader::readTensor(const std::string &name,
                                          const TensorTypeProto &type,
                                          const llvm::json::Value *given,
                                          bool isItem) {
  if (!tensors.insert(name).second)
    return graph.fail("two inputs are named \"" + name + "\"; rename one");
  Tensor tensor{ElementType(type.elementType)};
  tensor.name = n.b.getStringAttr(name);
  std::optional<Dims> dims;
  // Files declare one shape for all items of a sequence, which may have others.
  if (type.shape && !isItem &&
      failed(addDims(name, "type", dims, type.shape->dims)))
    return failure();
  if (given) {
    std::string text = llvm::formatv("shape {0}", *given);
    std::optional<Dims> listed = readSizes(*given);
    if (!listed)
      return graph.fail("the " + text + " of input \"" + name +
                        "\" is no list of sizes; give it by --shape as in "
                        "[2, null, \"N\"]");
    if (failed(addDims(name, text, dims, *listed)))
      return failure();
  }
  if (auto it = options.values.find(name); it != options.values.end())
    if (failed(parseValue(name, it->second, tensor, dims)))
      return failure();
  if (!dims) {
    graph.signature.constants.push_back(name);
    return graph.fail("input \"" + name +
                      "\" has no rank; give its sizes by --shape, or its "
                      "elements by --value");
  }
  Location loc = NameLoc::get(n.b.getStringAttr(name));
  SmallVector<int64_t> shape;
  for (const DimensionProto &dim : *dims)
    shape.push_back(dim.value.value_or(ShapedType::kDynamic));
  Value argument;
  if (!tensor.constant)
    argument = graph.state.entry->addArgument(
        RankedTensorType::get(shape, n.storage(tensor.type)), loc);
  for (auto [axis, size] : llvm::enumerate(shape)) {
    OpFoldResult found = n.b.getIndexAttr(size);
    if (ShapedType::isDynamic(size)) {
      found = tensor::getMixedSize(n.b, loc, argument, axis);
      n.ix.unique(cast<Value>(found));
    }
    tensor.sizes.push_back(checkNamed(name, getDimName((*dims)[axis]), found));
  }
  std::string wrong = checkSizes(tensor.sizes);
  if (!wrong.empty())
    return graph.fail("input \"" + name + "\" has " + wrong);
  // Sizes of one name may be known to differ.
  if (!graph.error.empty())
    return failure();
  if (!argument)
    return tensor;
  graph.signature.inputs.push_back(
      describe(name, tensor.type, argument, *dims));
  tensor = n.make(tensor.type, tensor.sizes, argument);
  // Callers give the bits, with any above them.
  if (isInteger(tensor.type) && getBitWidth(tensor.type) < 8)
    tensor = elementwise(n, {tensor}, [&](Scalars &s, ValueRange e) {
      return s.cutBits(e[0], s.type);
    });
  return tensor;
}

FailureOr<Tensor> InputReader::read(const std::string &name,
                                    const TypeProto &type,
                                    const llvm::json::Value *given,
                                    bool isItem) {
  if (type.tensor)
    return readTensor(name, *type.tensor, given, isItem);
  // As findTensorType() does, of a damaged file that has both.
  if (!type.sequence) {
    bool isAbsent = given && given->kind() == llvm::json::Value::Null;
    if (isAbsent)
      return makeSequence({}, /*isOptional=*/true);
    if (given || options.values.count(name))
      return read(name, *type.optional->element, given, isItem);
    return graph.fail("input \"" + name +
                      "\" is an optional; give the sizes of what it holds by "
                      "--shape, or null if it is absent");
  }
  const llvm::json::Array *shapes = given ? given->getAsArray() : nullptr;
  if (!shapes)
    return graph.fail("input \"" + name +
                      "\" is a sequence; give a list of the sizes of each item "
                      "by --shape, as in [[2, 3], [4]]");
  std::vector<Tensor> items;
  for (auto [number, shape] : llvm::enumerate(*shapes)) {
    FailureOr<Tensor> item = read(name + "." + std::to_string(number),
                                  *type.sequence->element, &shape, true);
    if (failed(item))
      return failure();
    items.push_back(std::move(*item));
  }
  return makeSequence(std::move(items));
}

FailureOr<Tensor> InputReader::read(const ValueInfoProto &input) {
  const TensorTypeProto *tensor = findTensorType(input.type.get());
  if (!tensor)
    return graph.fail("input \"" + input.name +
                      "\" is a map, a sparse tensor or of no type; only "
                      "tensors, and sequences and optionals of them, can be "
                      "inputs");
  auto element = ElementType(tensor->elementType);
  if (!n.storage(element))
    return graph.fail("input \"" + input.name + "\" has elements of type " +
                      getName(element) + ", which is not supported");
  auto it = options.shapes.find(input.name);
  return read(input.name.str(), *input.type,
              it == options.shapes.end() ? nullptr : &it->second, false);
}

LogicalResult InputReader::checkOptions() const {
  for (const auto &entry : options.dims)
    if (!dimNames.contains(entry.getKey()))
      return graph.fail(
          "no input has a dimension named " + entry.getKey() + "; it has " +
          (dimNames.empty() ? "none" : llvm::join(dimNames, ", ")));
  for (const auto &entry : options.values)
    if (!tensors.contains(entry.getKey()))
      return graph.fail("there is no input " + entry.getKey() +
                        " that is a tensor");
  for (const auto &entry : options.shapes)
    if (llvm::none_of(graph.model.graph->inputs, [&](const ValueInfoProto &in) {
          return in.name == entry.getKey();
        }))
      return graph.fail("there is no input " + entry.getKey());
  return success();
}

LogicalResult GraphImporter::makeArguments(Scope &scope) {
  const GraphProto &graph = *model.graph;
  StringRef name = graph.name.empty() ? StringRef("main") : graph.name;
  b.setInsertionPointToEnd(module.getBody());
  auto function =
      func::FuncOp::create(b, NameLoc::get(b.getStringAttr("graph:" + name)),
                           name, b.getFunctionType({}, {}));
  state.entry = function.addEntryBlock();
  b.setInsertionPointToEnd(state.entry);
  NodeProto none;
  NodeBuilder n(*this, state, b, b.getUnknownLoc(), none, 0, {});
  InputReader reader(*this, n);
  for (const ValueInfoProto &input : graph.inputs) {
    // An initializer is the value of an input of which no option says more.
    if (scope.values.count(input.name) && !options.values.count(input.name) &&
        !options.shapes.count(input.name))
      continue;
    FailureOr<Tensor> value = reader.read(input);
    if (failed(value))
      return failure();
    scope.values[input.name] = std::move(*value);
  }
  return reader.checkOptions();
}
