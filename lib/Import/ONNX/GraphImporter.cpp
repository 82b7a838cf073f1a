//===- GraphImporter.cpp - Walks a model ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphImporter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Graphs and local functions may nest this deep.
static constexpr unsigned kMaxNesting = 64;
/// Functions that call others twice, and these others, are many nodes.
static constexpr unsigned kMaxNodes = 1 << 18;

LogicalResult GraphImporter::fail(const Twine &message) {
  if (error.empty())
    error = message.str();
  return failure();
}

void GraphImporter::noteNeeded(ArrayRef<OpFoldResult> values) {
  if (!error.empty())
    return;
  llvm::SetVector<Value> read;
  for (OpFoldResult value : values)
    if (auto made = dyn_cast<Value>(value))
      read.insert(made);
  for (unsigned i = 0; i < read.size(); ++i) {
    auto argument = dyn_cast<BlockArgument>(read[i]);
    if (argument && argument.getOwner() == state.entry) {
      std::string name = cast<NameLoc>(argument.getLoc()).getName().str();
      if (!llvm::is_contained(signature.constants, name))
        signature.constants.push_back(name);
      continue;
    }
    Operation *op =
        argument ? argument.getOwner()->getParentOp() : read[i].getDefiningOp();
    // A size is known without the elements.
    if (!op || isa<tensor::DimOp>(op))
      continue;
    read.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), read);
  }
}

const Tensor *Scope::find(StringRef name) const {
  for (const Scope *scope = this; scope; scope = scope->parent)
    if (auto it = scope->values.find(name); it != scope->values.end())
      return &it->second;
  return nullptr;
}

std::vector<std::string> onnx::nameNodes(ArrayRef<NodeProto> nodes) {
  std::vector<std::string> names;
  llvm::StringMap<unsigned> counts;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    if (StringRef given = node.findMetadata(kLocationKey); !given.empty()) {
      names.push_back(given.str());
      continue;
    }
    std::string name = node.name.ltrim('/').str();
    if (name.empty())
      name = std::to_string(number);
    // Names that other tools gave may begin with the operator.
    std::string prefix = (node.op + "/").str();
    names.push_back(StringRef(name).starts_with(prefix) ? name : prefix + name);
    ++counts[names.back()];
  }
  for (auto [number, name] : llvm::enumerate(names))
    if (counts[name] > 1)
      name += "." + std::to_string(number);
  return names;
}

/// The values of the surroundings that a graph may read: names that it makes
/// itself are among them.
static void collectReads(const GraphProto &graph, unsigned depth,
                         SmallVectorImpl<StringRef> &reads) {
  for (const NodeProto &node : graph.nodes)
    onnx::collectReads(node, reads);
  for (const ValueInfoProto &output : graph.outputs)
    reads.push_back(output.name);
}

void onnx::collectReads(const NodeProto &node,
                        SmallVectorImpl<StringRef> &reads) {
  for (StringRef input : node.inputs)
    if (!input.empty())
      reads.push_back(input);
  for (const AttributeProto &attribute : node.attributes) {
    if (attribute.g)
      ::collectReads(*attribute.g, 0, reads);
    for (const GraphProto &graph : attribute.graphs)
      ::collectReads(graph, 0, reads);
  }
}

std::optional<std::vector<unsigned>>
onnx::sortNodes(ArrayRef<NodeProto> nodes) {
  DenseMap<StringRef, unsigned> makers;
  for (auto [number, node] : llvm::enumerate(nodes))
    for (StringRef output : node.outputs)
      if (!output.empty())
        makers.try_emplace(output, number);
  std::vector<unsigned> order;
  // 0: not seen; 1: those it reads come first; 2: in the order.
  std::vector<char> states(nodes.size());
  std::vector<unsigned> stack;
  for (unsigned root = 0; root < nodes.size(); ++root) {
    stack.push_back(root);
    while (!stack.empty()) {
      unsigned number = stack.back();
      if (states[number] == 0) {
        states[number] = 1;
        SmallVector<StringRef> reads;
        collectReads(nodes[number], reads);
        for (StringRef read : llvm::reverse(reads)) {
          auto it = makers.find(read);
          if (it == makers.end() || it->second == number)
            continue;
          if (states[it->second] == 1)
            return std::nullopt;
          if (states[it->second] == 0)
            stack.push_back(it->second);
        }
        continue;
      }
      stack.pop_back();
      if (states[number] == 1)
        order.push_back(number);
      states[number] = 2;
    }
  }
  return order;
}

LogicalResult GraphImporter::readOpsets(ArrayRef<OperatorSetIdProto> opsets,
                                        Scope &scope) {
  for (const OperatorSetIdProto &opset : opsets) {
    StringRef domain = getCanonicalDomain(opset.domain);
    if (domain.empty() && opset.version > kLastOpset)
      return fail("it has opset " + Twine(opset.version) +
                  ", and opsets up to " + Twine(kLastOpset) +
                  " are read; convert it by onnx.version_converter");
    scope.opsets[domain] = opset.version;
  }
  return success();
}

const FunctionProto *GraphImporter::findFunction(const NodeProto &node) const {
  for (const FunctionProto &function : model.functions)
    if (function.name == node.op && function.overload == node.overload &&
        getCanonicalDomain(function.domain) == getCanonicalDomain(node.domain))
      return &function;
  return nullptr;
}

LogicalResult GraphImporter::checkOperators(const Scope &scope) {
  // Names of nodes by what is wrong with them, in the order of the file.
  std::vector<std::pair<std::string, std::vector<StringRef>>> unknown;
  auto check = [&](const NodeProto &node) {
    StringRef domain = getCanonicalDomain(node.domain);
    if (findFunction(node) || OperatorTable::get().find(domain, node.op))
      return;
    std::string kind =
        (domain.empty() ? node.op : domain + "." + node.op).str();
    auto it =
        llvm::find_if(unknown, [&](auto &row) { return row.first == kind; });
    if (it == unknown.end())
      it = unknown.insert(unknown.end(), {kind, {}});
    it->second.push_back(node.name);
  };
  SmallVector<ArrayRef<NodeProto>> lists{model.graph->nodes};
  for (const FunctionProto &function : model.functions)
    lists.push_back(function.nodes);
  while (!lists.empty())
    for (const NodeProto &node : lists.pop_back_val()) {
      check(node);
      for (const AttributeProto &attribute : node.attributes) {
        if (attribute.g)
          lists.push_back(attribute.g->nodes);
        for (const GraphProto &graph : attribute.graphs)
          lists.push_back(graph.nodes);
      }
    }
  if (unknown.empty())
    return success();
  std::string text = "these operators are not supported:";
  for (auto &[kind, names] : unknown) {
    text += "\n  " + kind + " (" + std::to_string(names.size()) + "):";
    for (StringRef name : ArrayRef(names).take_front(3))
      text += (" \"" + name + "\"").str();
    if (names.size() > 3)
      text += " ...";
  }
  return fail(text);
}

LogicalResult GraphImporter::readInitializers(const GraphProto &graph,
                                              Scope &scope) {
  auto keep = [&](StringRef name, FailureOr<Tensor> tensor) -> LogicalResult {
    if (failed(tensor))
      return fail(tensors.getError());
    std::string wrong = checkSizes(tensor->sizes);
    if (!wrong.empty())
      return fail("tensor \"" + name + "\" has " + wrong);
    scope.values[name] = std::move(*tensor);
    return success();
  };
  for (const TensorProto &proto : graph.initializers)
    if (failed(keep(proto.name, tensors.read(proto))))
      return failure();
  for (const SparseTensorProto &proto : graph.sparseInitializers)
    if (failed(
            keep(proto.values ? proto.values->name : "", tensors.read(proto))))
      return failure();
  return success();
}

LogicalResult GraphImporter::importNodes(ArrayRef<NodeProto> nodes,
                                         Scope &scope) {
  if (scope.depth > kMaxNesting)
    return fail("graphs and functions nest more than " + Twine(kMaxNesting) +
                " deep");
  std::optional<std::vector<unsigned>> order = sortNodes(nodes);
  if (!order)
    return fail("its nodes read each other's results in a circle");
  std::vector<std::string> names = nameNodes(nodes);
  for (unsigned number : *order)
    if (failed(importNode(nodes[number], scope.prefix + names[number], scope)))
      return failure();
  return success();
}

LogicalResult GraphImporter::importNode(const NodeProto &node, StringRef name,
                                        Scope &scope) {
  if (++numNodes > kMaxNodes)
    return fail("it has more than " + Twine(kMaxNodes) +
                " nodes, with those of functions at each call");
  SmallVector<const Tensor *> inputs;
  for (StringRef input : node.inputs) {
    inputs.push_back(input.empty() ? nullptr : scope.find(input));
    if (!input.empty() && !inputs.back())
      return fail("node \"" + node.name + "\" (" + node.op + ") reads \"" +
                  input + "\", which nothing makes");
  }
  if (const FunctionProto *function = findFunction(node))
    return callFunction(node, *function, name, scope);
  StringRef domain = getCanonicalDomain(node.domain);
  const Operator *op = OperatorTable::get().find(domain, node.op);
  auto opset = scope.opsets.find(domain);
  int64_t version =
      op->getVersion(opset == scope.opsets.end() ? 1 : opset->second);
  // Of opsets before 7 what is as it is in 7.
  if (!version)
    return fail("node \"" + node.name + "\": " + node.op +
                " is not read in the opset that the file names for domain \"" +
                domain + "\"; convert it to opset " + Twine(kFirstOpset) +
                " or later by onnx.version_converter");
  Scope *outer = std::exchange(current, &scope);
  NodeBuilder n(*this, state, b, NameLoc::get(b.getStringAttr(name)), node,
                version, inputs);
  nodes[LocationAttr(n.loc)] = n.describeNode();
  n.checkSignature();
  if (!n.failed())
    op->build(n);
  current = outer;
  if (n.failed())
    return failure();
  for (auto [number, output] : llvm::enumerate(node.outputs)) {
    if (output.empty())
      continue;
    Tensor &result = n.results[number];
    if (result.type == ElementType::Undefined && !result.isSequence())
      return fail("node \"" + node.name + "\" (" + node.op + " " +
                  Twine(version) + "): output " + Twine(number) +
                  " is not supported");
    std::string wrong = checkSizes(result.sizes);
    if (!wrong.empty())
      return fail(n.describeNode() + "output " + Twine(number) + " has " +
                  wrong);
    scope.values[output] = std::move(result);
  }
  return success();
}

LogicalResult GraphImporter::callFunction(const NodeProto &node,
                                          const FunctionProto &function,
                                          StringRef name, Scope &scope) {
  Scope body;
  body.prefix = (name + "/").str();
  body.depth = scope.depth + 1;
  body.opsets = scope.opsets;
  if (failed(readOpsets(function.opsets, body)))
    return failure();
  for (auto [input, value] : llvm::zip(function.inputs, node.inputs))
    if (!value.empty())
      body.values[input] = *scope.find(value);
  for (const AttributeProto &attribute : function.defaults)
    body.attributes[attribute.name] = &attribute;
  for (const AttributeProto &attribute : node.attributes) {
    const AttributeProto *given = &attribute;
    if (!attribute.reference.empty())
      given = scope.attributes.lookup(attribute.reference);
    if (given)
      body.attributes[attribute.name] = given;
  }
  if (failed(importNodes(function.nodes, body)))
    return failure();
  for (auto [output, result] : llvm::zip(node.outputs, function.outputs)) {
    const Tensor *value = body.find(result);
    if (!output.empty() && !value)
      return fail("function \"" + function.name +
                  "\" does not make its result \"" + result + "\"");
    if (value)
      scope.values[output] = *value;
  }
  return success();
}

FailureOr<SmallVector<Tensor>>
GraphImporter::getResults(ArrayRef<StringRef> names, const Scope &scope) {
  SmallVector<Tensor> results;
  for (StringRef name : names) {
    const Tensor *value = scope.find(name);
    if (!value)
      return fail("nothing makes result \"" + name + "\" of a graph");
    results.push_back(*value);
  }
  return results;
}

/// The names of values.
static SmallVector<StringRef> getNames(ArrayRef<ValueInfoProto> values) {
  return llvm::map_to_vector(
      values, [](const ValueInfoProto &value) { return value.name; });
}

FailureOr<SmallVector<Tensor>>
GraphImporter::importBody(NodeBuilder &n, const GraphProto &graph,
                          ArrayRef<Tensor> inputs) {
  Scope body;
  body.parent = current;
  body.depth = current->depth + 1;
  body.opsets = current->opsets;
  body.attributes = current->attributes;
  body.prefix = cast<NameLoc>(n.loc).getName().str() + "/";
  if (inputs.size() != graph.inputs.size()) {
    n.fail("its graph has " + Twine(graph.inputs.size()) +
           " inputs, and there are " + Twine(inputs.size()) +
           " values for them");
    return failure();
  }
  if (failed(readInitializers(graph, body)))
    return failure();
  for (auto [input, value] : llvm::zip_equal(graph.inputs, inputs))
    body.values[input.name] = value;
  LogicalResult imported = importNodes(graph.nodes, body);
  if (failed(imported))
    return failure();
  return getResults(getNames(graph.outputs), body);
}

ONNXSignature::Value onnx::describe(StringRef name, ElementType type,
                                    Value value,
                                    ArrayRef<DimensionProto> dims) {
  ONNXSignature::Value described{name.str(), getName(type).str(), {}, {}};
  auto tensor = cast<RankedTensorType>(value.getType());
  for (auto [axis, size] : llvm::enumerate(tensor.getShape())) {
    described.sizes.push_back(ShapedType::isDynamic(size) ? -1 : size);
    described.dims.push_back(dims.empty() ? "" : dims[axis].param.str());
  }
  return described;
}

llvm::json::Value GraphImporter::addResult(NodeBuilder &n,
                                           const std::string &name,
                                           const Tensor &result,
                                           SmallVectorImpl<Value> &values) {
  if (!result.isSequence()) {
    values.push_back(n.value(result));
    signature.results.push_back(describe(name, result.type, values.back()));
    return name;
  }
  if (result.isOptional)
    return result.items->empty()
               ? llvm::json::Value(nullptr)
               : addResult(n, name, result.items->front(), values);
  llvm::json::Array items;
  for (auto [number, item] : llvm::enumerate(*result.items))
    items.push_back(
        addResult(n, name + "." + std::to_string(number), item, values));
  return items;
}

/// Moves scalar constants, and all of bodies, to the start of the function,
/// each once: what knows the bodies of operations expects no constants in them.
static void gatherConstants(func::FuncOp function) {
  Block &entry = function.front();
  DenseMap<Attribute, arith::ConstantOp> known;
  SmallVector<arith::ConstantOp> constants;
  function.walk([&](arith::ConstantOp constant) {
    if (constant->getBlock() != &entry || !isa<ShapedType>(constant.getType()))
      constants.push_back(constant);
  });
  arith::ConstantOp last;
  for (arith::ConstantOp constant : constants) {
    arith::ConstantOp &first = known[constant.getValue()];
    if (first) {
      constant->replaceAllUsesWith(first);
      constant->erase();
      continue;
    }
    first = constant;
    if (last)
      constant->moveAfter(last);
    else
      constant->moveBefore(&entry, entry.begin());
    constant->setLoc(UnknownLoc::get(constant->getContext()));
    last = constant;
  }
}

LogicalResult GraphImporter::run() {
  const GraphProto &graph = *model.graph;
  Scope scope;
  if (failed(readOpsets(model.opsets, scope)) ||
      failed(checkOperators(scope)) || failed(readInitializers(graph, scope)) ||
      failed(makeArguments(scope)) || failed(importNodes(graph.nodes, scope)))
    return failure();
  FailureOr<SmallVector<Tensor>> results =
      getResults(getNames(graph.outputs), scope);
  if (failed(results))
    return failure();
  Location loc = b.getUnknownLoc();
  NodeProto none;
  NodeBuilder n(*this, state, b, loc, none, 0, {});
  SmallVector<Value> values;
  for (auto [output, result] : llvm::zip_equal(graph.outputs, *results)) {
    ElementType declared = result.type;
    if (output.type && output.type->tensor && output.type->tensor->elementType)
      declared = ElementType(output.type->tensor->elementType);
    if (declared != result.type)
      return fail("result \"" + output.name + "\" is of type " +
                  getName(result.type) + ", and the file says " +
                  getName(declared));
    signature.structure.push_back(
        addResult(n, output.name.str(), result, values));
  }
  func::ReturnOp::create(b, loc, values);
  auto function = cast<func::FuncOp>(state.entry->getParentOp());
  function.setFunctionType(b.getFunctionType(state.entry->getArgumentTypes(),
                                             ValueRange(values).getTypes()));
  IRRewriter rewriter(module.getContext());
  (void)runRegionDCE(rewriter, module->getRegions());
  gatherConstants(function);
  return success();
}
