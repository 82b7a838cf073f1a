//===- GraphImporter.h - Walks a model --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a model: names, scopes, order of nodes, local functions, the entry
// function. What an operator means is in the table.

#ifndef HETERO_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
#define HETERO_LIB_IMPORT_ONNX_GRAPHIMPORTER_H

#include "NodeBuilder.h"
#include "OperatorTable.h"
#include "Tensors.h"
#include "hetero/Import/ONNX/ImportONNX.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::hetero::onnx {

/// The values and settings that nodes of one graph see.
struct Scope {
  /// Null for a model's graph and for a function's body.
  const Scope *parent = nullptr;
  /// The start of the nodes' locations: "Loop/body/", or nothing.
  std::string prefix;
  DenseMap<StringRef, Tensor> values;
  /// Versions of the domains.
  DenseMap<StringRef, int64_t> opsets;
  /// The attributes of the function that is inlined, by name.
  DenseMap<StringRef, const AttributeProto *> attributes;
  unsigned depth = 0;

  const Tensor *find(StringRef name) const;
};

class GraphImporter {
public:
  GraphImporter(const ModelProto &model, TensorReader &tensors,
                const ONNXImportOptions &options, ModuleOp module)
      : model(model), tensors(tensors), options(options), module(module),
        b(module.getContext()) {}

  /// Imports the model's graph as the entry function.
  LogicalResult run();
  const std::string &getError() const { return error; }
  const ONNXSignature &getSignature() const { return signature; }
  /// The start of messages about what a node has made: its name.
  std::string describeNode(Location loc) const {
    return nodes.lookup(LocationAttr(loc));
  }

private:
  friend class NodeBuilder;
  friend class InputReader;
  friend bool attempt(NodeBuilder &n, llvm::function_ref<void()> build);

  /// Keeps the first error. Always failure.
  LogicalResult fail(const Twine &message);
  /// Keeps the inputs that values depend on, unless there is an error before.
  void noteNeeded(ArrayRef<OpFoldResult> values);

  LogicalResult readOpsets(ArrayRef<OperatorSetIdProto> opsets, Scope &scope);
  /// One error for all nodes that are not known.
  LogicalResult checkOperators(const Scope &scope);
  LogicalResult readInitializers(const GraphProto &graph, Scope &scope);
  /// Makes the function, with an argument for each input that is no constant.
  LogicalResult makeArguments(Scope &scope);
  /// Adds the tensors of a result. Returns its part of the structure.
  llvm::json::Value addResult(NodeBuilder &n, const std::string &name,
                              const Tensor &result,
                              SmallVectorImpl<Value> &values);

  /// Imports nodes in an order in which each comes after those it reads.
  LogicalResult importNodes(ArrayRef<NodeProto> nodes, Scope &scope);
  LogicalResult importNode(const NodeProto &node, StringRef name, Scope &scope);
  LogicalResult callFunction(const NodeProto &node,
                             const FunctionProto &function, StringRef name,
                             Scope &scope);
  const FunctionProto *findFunction(const NodeProto &node) const;
  FailureOr<SmallVector<Tensor>>
  importBody(NodeBuilder &n, const GraphProto &graph, ArrayRef<Tensor> inputs);
  FailureOr<SmallVector<Tensor>> getResults(ArrayRef<StringRef> names,
                                            const Scope &scope);

  const ModelProto &model;
  TensorReader &tensors;
  const ONNXImportOptions &options;
  ModuleOp module;
  OpBuilder b;
  FunctionState state;
  /// The scope of the node that is being built.
  Scope *current = nullptr;
  std::string error;
  ONNXSignature signature;
  unsigned numNodes = 0;
  /// Descriptions of nodes by the locations of what they make.
  DenseMap<Attribute, std::string> nodes;
};

/// Describes a value of the function as the signature does.
ONNXSignature::Value describe(StringRef name, ElementType type, Value value,
                              ArrayRef<DimensionProto> dims = {});
/// The locations of nodes of a graph: "Conv/layer1/conv", each different, but
/// for those that the file gives (kLocationKey).
std::vector<std::string> nameNodes(ArrayRef<NodeProto> nodes);
/// The values that a node reads, also in its graphs.
void collectReads(const NodeProto &node, SmallVectorImpl<StringRef> &reads);
/// The order in which to import nodes; nullopt if they read each other.
std::optional<std::vector<unsigned>> sortNodes(ArrayRef<NodeProto> nodes);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
