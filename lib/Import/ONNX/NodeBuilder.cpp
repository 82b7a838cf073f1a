//===- NodeBuilder.cpp - Builds the results of a node ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NodeBuilder.h"

#include "GraphImporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

NodeBuilder::NodeBuilder(GraphImporter &graph, FunctionState &state,
                         OpBuilder &b, Location loc, const NodeProto &node,
                         int64_t version, ArrayRef<const Tensor *> inputs)
    : TensorBuilder(state, b, loc), graph(graph), node(node), version(version),
      inputs(inputs), results(node.outputs.size()) {}

const Tensor &NodeBuilder::any(unsigned input) {
  if (has(input))
    return *inputs[input];
  fail("input " + Twine(input) + " is missing");
  return missing.emplace_back(constant(ElementType::F32, 0));
}

const Tensor &NodeBuilder::in(unsigned input, int64_t rank) {
  const Tensor &tensor = any(input);
  if (!tensor.isSequence() && (rank < 0 || tensor.rank() == rank))
    return tensor;
  if (tensor.isSequence())
    fail("input " + Twine(input) + " is a sequence, and a tensor is expected");
  else
    fail("input " + Twine(input) + " has " + Twine(tensor.rank()) +
         " dimensions, expected " + Twine(rank));
  ElementType type = storage(tensor.type) ? tensor.type : ElementType::F32;
  Sizes none(std::max<int64_t>(rank, 0), ix.constant(0));
  return missing.emplace_back(makeEmpty(type, none));
}

void NodeBuilder::set(unsigned output, Tensor tensor) {
  if (output < results.size())
    results[output] = std::move(tensor);
}

void NodeBuilder::fail(const Twine &message) {
  if (hasFailed)
    return;
  hasFailed = true;
  (void)graph.fail(describeNode() + message);
}

bool onnx::attempt(NodeBuilder &n, llvm::function_ref<void()> build) {
  GraphImporter &graph = n.graph;
  size_t numNeeded = graph.signature.constants.size();
  build();
  if (graph.error.empty())
    return true;
  n.hasFailed = false;
  graph.error.clear();
  graph.signature.constants.resize(numNeeded);
  return false;
}

void NodeBuilder::noteNeeded(ArrayRef<OpFoldResult> values) {
  graph.noteNeeded(values);
}

/// Lists the values that sizes and elements of a tensor are.
static SmallVector<OpFoldResult> listUnknown(const Tensor &tensor) {
  SmallVector<OpFoldResult> values(tensor.sizes);
  if (tensor.elements)
    llvm::append_range(values, *tensor.elements);
  if (tensor.value)
    values.push_back(tensor.value);
  return values;
}

std::string NodeBuilder::describeNode() const {
  StringRef output = node.outputs.empty() ? "" : node.outputs.front();
  return ("node \"" + (node.name.empty() ? output : node.name) + "\" (" +
          node.op + " " + Twine(version) + "): ")
      .str();
}

void NodeBuilder::check(OpFoldResult condition, const Twine &message) {
  std::optional<int64_t> known = onnx::getInt(condition);
  if (known && !*known)
    fail(message);
  if (!known)
    checkInput(condition, describeNode() + message);
}

void NodeBuilder::checkInput(OpFoldResult condition, const Twine &message) {
  if (std::optional<int64_t> known = onnx::getInt(condition)) {
    if (!*known)
      (void)graph.fail(message);
    return;
  }
  cf::AssertOp::create(b, loc, cast<Value>(condition), message.str());
}

OpFoldResult NodeBuilder::checkEqual(OpFoldResult lhs, OpFoldResult rhs,
                                     const Twine &message) {
  check(ix.equal(lhs, rhs), message);
  return onnx::getInt(rhs) ? rhs : lhs;
}

const AttributeProto *NodeBuilder::findAttr(StringRef name) const {
  for (const AttributeProto &attribute : node.attributes)
    if (attribute.name == name) {
      if (attribute.reference.empty())
        return &attribute;
      // One of the function around the node, which may be left out.
      return graph.current->attributes.lookup(attribute.reference);
    }
  return nullptr;
}

/// Finds an attribute of a kind; `Kind` errors are the node's.
static const AttributeProto *findOfType(NodeBuilder &n, StringRef name,
                                        AttributeType type) {
  const AttributeProto *attribute = n.findAttr(name);
  if (attribute && attribute->getType() != type) {
    n.fail("attribute \"" + name + "\" is of another kind than the operator's");
    return nullptr;
  }
  return attribute;
}

int64_t NodeBuilder::getInt(StringRef name, int64_t otherwise) {
  auto *attribute = findOfType(*this, name, AttributeType::Int);
  return attribute ? attribute->i.value_or(0) : otherwise;
}

double NodeBuilder::getFloat(StringRef name, float otherwise) {
  auto *attribute = findOfType(*this, name, AttributeType::Float);
  return attribute ? attribute->f.value_or(0) : otherwise;
}

StringRef NodeBuilder::getString(StringRef name, StringRef otherwise) {
  auto *attribute = findOfType(*this, name, AttributeType::String);
  return attribute ? attribute->s.value_or("") : otherwise;
}

SmallVector<int64_t> NodeBuilder::getInts(StringRef name,
                                          ArrayRef<int64_t> otherwise) {
  auto *attribute = findOfType(*this, name, AttributeType::Ints);
  return SmallVector<int64_t>(attribute ? ArrayRef(attribute->ints)
                                        : otherwise);
}

SmallVector<float> NodeBuilder::getFloats(StringRef name) {
  auto *attribute = findOfType(*this, name, AttributeType::Floats);
  return attribute ? SmallVector<float>(ArrayRef(attribute->floats))
                   : SmallVector<float>();
}

SmallVector<StringRef> NodeBuilder::getStrings(StringRef name) {
  auto *attribute = findOfType(*this, name, AttributeType::Strings);
  return attribute ? SmallVector<StringRef>(ArrayRef(attribute->strings))
                   : SmallVector<StringRef>();
}

std::optional<Tensor> NodeBuilder::getTensor(StringRef name, bool isSparse) {
  auto *attribute = findOfType(*this, name,
                               isSparse ? AttributeType::SparseTensor
                                        : AttributeType::Tensor);
  if (!attribute || (isSparse ? !attribute->sparse : !attribute->t))
    return std::nullopt;
  FailureOr<Tensor> tensor = isSparse ? graph.tensors.read(*attribute->sparse)
                                      : graph.tensors.read(*attribute->t);
  if (succeeded(tensor))
    return *tensor;
  fail(graph.tensors.getError());
  return std::nullopt;
}

const GraphProto *NodeBuilder::getGraph(StringRef name) {
  auto *attribute = findOfType(*this, name, AttributeType::Graph);
  return attribute ? attribute->g.get() : nullptr;
}

int64_t NodeBuilder::axis(int64_t axis, int64_t rank) {
  if (axis >= -rank && axis < rank)
    return axis < 0 ? axis + rank : axis;
  fail("axis " + Twine(axis) + " is outside of the " + Twine(rank) +
       " dimensions");
  return 0;
}

SmallVector<int64_t> NodeBuilder::axes(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> positive;
  for (int64_t given : axes) {
    int64_t dim = axis(given, rank);
    if (failed())
      return {};
    if (llvm::is_contained(positive, dim))
      fail("axis " + Twine(given) + " is given twice");
    else
      positive.push_back(dim);
  }
  return positive;
}

SmallVector<OpFoldResult> NodeBuilder::elements(const Tensor &tensor) {
  if (auto elements = known(tensor))
    return *elements;
  std::optional<int64_t> count = tensor.count();
  if (!count || *count > kMaxKnownElements || tensor.rank() > 1) {
    noteNeeded(listUnknown(tensor));
    fail("the number of elements of " + describe(tensor) +
         " is not known, or there are more than " + Twine(kMaxKnownElements) +
         "; give it as a constant by --value, or its size by --dim");
    return {};
  }
  SmallVector<OpFoldResult> elements;
  for (int64_t i = 0; i < *count; ++i) {
    SmallVector<Value> place;
    if (tensor.rank() == 1)
      place.push_back(ix.value(ix.constant(i)));
    elements.push_back(
        ix.unique(tensor::ExtractOp::create(b, loc, value(tensor), place)));
  }
  return elements;
}

OpFoldResult NodeBuilder::element(const Tensor &tensor) {
  SmallVector<OpFoldResult> found = elements(tensor);
  if (found.size() == 1)
    return found.front();
  fail(describe(tensor) + " has not one element");
  return scalar(tensor.type, 0);
}

std::string NodeBuilder::describe(const Tensor &tensor) const {
  for (auto [i, input] : llvm::enumerate(inputs))
    if (input == &tensor)
      return ("input " + Twine(i) + " (\"" + node.inputs[i] + "\")").str();
  return "a value";
}

SmallVector<OpFoldResult> NodeBuilder::indices(const Tensor &tensor) {
  if (!isInteger(tensor.type)) {
    fail(describe(tensor) + " has elements of type " + getName(tensor.type) +
         ", and integers are expected");
    return {};
  }
  SmallVector<OpFoldResult> found = elements(tensor);
  for (OpFoldResult &element : found)
    element = ix.fromElement(element, isUnsigned(tensor.type));
  return found;
}

std::optional<SmallVector<int64_t>> NodeBuilder::ints(const Tensor &tensor,
                                                      const Twine &what) {
  SmallVector<int64_t> numbers;
  bool isConstant = isInteger(tensor.type) || tensor.type == ElementType::Bool;
  if (auto elements = known(tensor); elements && isConstant) {
    for (OpFoldResult element : *elements) {
      // Elements of type Bool are 0 and 1.
      std::optional<int64_t> number =
          onnx::getInt(ix.fromElement(element, isUnsigned(tensor.type)));
      isConstant &= number.has_value();
      numbers.push_back(number.value_or(0));
    }
    if (isConstant)
      return numbers;
  }
  noteNeeded(listUnknown(tensor));
  fail(what + ", " + describe(tensor) +
       ", must be constant integers; give them by --value");
  return std::nullopt;
}

std::optional<SmallVector<double>> NodeBuilder::floats(const Tensor &tensor,
                                                       const Twine &what) {
  SmallVector<double> numbers;
  if (auto elements = known(tensor)) {
    for (OpFoldResult element : *elements) {
      auto attribute = dyn_cast<Attribute>(element);
      if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
        numbers.push_back(number.getValueAsDouble());
      else if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
        numbers.push_back(isUnsigned(tensor.type)
                              ? double(number.getValue().getZExtValue())
                              : double(number.getValue().getSExtValue()));
      else
        break;
    }
    if (numbers.size() == elements->size())
      return numbers;
  }
  noteNeeded(listUnknown(tensor));
  fail(what + ", " + describe(tensor) +
       ", must be constant numbers; give them by --value");
  return std::nullopt;
}

FailureOr<SmallVector<Tensor>>
NodeBuilder::importGraph(const GraphProto &body, ArrayRef<Tensor> arguments) {
  auto results = graph.importBody(*this, body, arguments);
  hasFailed |= mlir::failed(results);
  return results;
}

OpFoldResult onnx::readIndex(NodeBuilder &n, const Tensor &tensor) {
  SmallVector<OpFoldResult> found = n.indices(tensor);
  if (found.size() == 1)
    return found.front();
  // Tells what is wrong.
  (void)n.element(tensor);
  return n.ix.constant(0);
}

int64_t onnx::readInt(NodeBuilder &n, const Tensor &tensor, const Twine &what) {
  auto found = n.ints(tensor, what);
  if (found && found->size() == 1)
    return found->front();
  (void)n.element(tensor);
  return 0;
}
