//===- NodeBuilder.h - Builds the results of a node -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the function of an operator gets: the inputs and attributes of one node,
// and what builds its results.
//
// An error does not stop the function at once: `fail` keeps the first one,
// every emitter goes on with well-formed values, and the importer drops the
// module. A function returns after `fail` where it could not go on.

#ifndef HETERO_LIB_IMPORT_ONNX_NODEBUILDER_H
#define HETERO_LIB_IMPORT_ONNX_NODEBUILDER_H

#include "TensorBuilder.h"
#include <deque>

namespace mlir::hetero::onnx {

class GraphImporter;

class NodeBuilder : public TensorBuilder {
public:
  NodeBuilder(GraphImporter &graph, FunctionState &state, OpBuilder &b,
              Location loc, const NodeProto &node, int64_t version,
              ArrayRef<const Tensor *> inputs);

  StringRef op() const { return node.op; }
  /// The version of the operator: the opset since which it is as it is here.
  int64_t since() const { return version; }
  unsigned numInputs() const { return inputs.size(); }
  unsigned numOutputs() const { return node.outputs.size(); }
  /// False for inputs that are left out.
  bool has(unsigned input) const {
    return input < inputs.size() && inputs[input];
  }
  /// An input. One that is left out, or of another rank than the one that is
  /// asked for, is an error, and then a tensor of that rank.
  const Tensor &in(unsigned input, int64_t rank = -1);
  /// An input, or null if it is left out.
  const Tensor *find(unsigned input) {
    return has(input) ? &in(input) : nullptr;
  }
  /// True if somebody reads the output.
  bool wants(unsigned output) const {
    return output < node.outputs.size() && !node.outputs[output].empty();
  }
  /// An input that may be a sequence.
  const Tensor &any(unsigned input);
  void set(unsigned output, Tensor tensor);
  /// Fails if an input is of a type that the standard does not allow, or inputs
  /// that must be of one type are not.
  void checkSignature();

  int64_t getInt(StringRef name, int64_t otherwise);
  bool getBool(StringRef name, bool otherwise = false) {
    return getInt(name, otherwise) != 0;
  }
  double getFloat(StringRef name, float otherwise);
  StringRef getString(StringRef name, StringRef otherwise = "");
  /// The numbers, or `otherwise`.
  SmallVector<int64_t> getInts(StringRef name,
                               ArrayRef<int64_t> otherwise = {});
  SmallVector<float> getFloats(StringRef name);
  SmallVector<StringRef> getStrings(StringRef name);
  std::optional<Tensor> getTensor(StringRef name, bool isSparse = false);
  const GraphProto *getGraph(StringRef name);
  const AttributeProto *findAttr(StringRef name) const;

  /// The axis from 0 on; one outside of [-rank, rank) is an error, and then 0.
  int64_t axis(int64_t axis, int64_t rank);
  int64_t getAxis(StringRef name, int64_t otherwise, int64_t rank) {
    return axis(getInt(name, otherwise), rank);
  }
  /// Axes from 0 on in the order given; one that is given twice is an error.
  SmallVector<int64_t> axes(ArrayRef<int64_t> axes, int64_t rank);

  /// Keeps an error: `node "NAME" (Resize 13): MESSAGE`.
  void fail(const Twine &message);
  /// Keeps the inputs that values depend on, which are not known and should be:
  /// ONNXSignature::constants.
  void noteNeeded(ArrayRef<OpFoldResult> values);
  bool failed() const { return hasFailed; }
  /// Stops the program at run time, or fails here, unless `condition` (of type
  /// i1) holds. `message` says what must hold.
  void check(OpFoldResult condition, const Twine &message);
  /// The same for what holds of inputs of the model.
  void checkInput(OpFoldResult condition, const Twine &message);
  /// The size that both are, a constant if one of them is.
  OpFoldResult checkEqual(OpFoldResult lhs, OpFoldResult rhs,
                          const Twine &message);

  /// The elements of a small tensor of known size, extracted if need be; an
  /// error, and then none, if there are too many or their number is unknown.
  SmallVector<OpFoldResult> elements(const Tensor &tensor);
  /// The only element of a tensor; an error, and then zero, if it has others.
  OpFoldResult element(const Tensor &tensor);
  /// The elements of an integer tensor as indices.
  SmallVector<OpFoldResult> indices(const Tensor &tensor);
  /// The elements of an integer tensor that must be constants, such as axes:
  /// `what` names them in the error, whose remedy is --value.
  std::optional<SmallVector<int64_t>> ints(const Tensor &tensor,
                                           const Twine &what);
  /// The elements of a float or integer tensor that must be constants.
  std::optional<SmallVector<double>> floats(const Tensor &tensor,
                                            const Twine &what);
  /// Imports a graph of the node at the builder's place, and returns its
  /// results; inputs stand for its inputs. Failure after an error.
  FailureOr<SmallVector<Tensor>> importGraph(const GraphProto &graph,
                                             ArrayRef<Tensor> inputs);

private:
  friend class GraphImporter;
  friend bool attempt(NodeBuilder &n, llvm::function_ref<void()> build);

  /// The start of messages; a node without a name is named by its result.
  std::string describeNode() const;
  /// The name of a tensor in diagnostics: `input 1 ("axes")`.
  std::string describe(const Tensor &tensor) const;

  GraphImporter &graph;
  const NodeProto &node;
  int64_t version;
  SmallVector<const Tensor *> inputs;
  SmallVector<Tensor> results;
  /// Tensors in place of inputs that are missing or do not fit.
  std::deque<Tensor> missing;
  bool hasFailed = false;
};

/// The only element of an integer tensor as an index; 0 after an error.
OpFoldResult readIndex(NodeBuilder &n, const Tensor &tensor);
/// The same of one that must be a constant.
int64_t readInt(NodeBuilder &n, const Tensor &tensor, const Twine &what);
/// Runs `build`; false if that has failed, and then its error is dropped.
bool attempt(NodeBuilder &n, llvm::function_ref<void()> build);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_NODEBUILDER_H
