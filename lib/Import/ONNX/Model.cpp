//===- Model.cpp - The messages of onnx.proto -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Model.h"

using namespace mlir::hetero::onnx;
using llvm::Twine;

/// Files of other IR versions may mean other things by the same fields.
static constexpr int64_t kFirstIR = 3, kLastIR = 14;

AttributeType AttributeProto::getType() const {
  if (type)
    return AttributeType(type);
  return f                  ? AttributeType::Float
         : i                ? AttributeType::Int
         : s                ? AttributeType::String
         : t                ? AttributeType::Tensor
         : g                ? AttributeType::Graph
         : !floats.empty()  ? AttributeType::Floats
         : !ints.empty()    ? AttributeType::Ints
         : !strings.empty() ? AttributeType::Strings
         : !tensors.empty() ? AttributeType::Tensors
         : !graphs.empty()  ? AttributeType::Graphs
                            : AttributeType::Undefined;
}

void AttributeProto::fields(Fields<AttributeProto> &f) {
  f.at(1, &AttributeProto::name);
  f.at(2, &AttributeProto::f);
  f.at(3, &AttributeProto::i);
  f.at(4, &AttributeProto::s);
  f.at(5, &AttributeProto::t);
  f.at(6, &AttributeProto::g);
  f.at(7, &AttributeProto::floats);
  f.at(8, &AttributeProto::ints);
  f.at(9, &AttributeProto::strings);
  f.at(10, &AttributeProto::tensors);
  f.at(11, &AttributeProto::graphs);
  f.at(14, &AttributeProto::tp);
  f.at(20, &AttributeProto::type);
  f.at(21, &AttributeProto::reference);
  f.at(22, &AttributeProto::sparse);
}

StringRef NodeProto::findMetadata(StringRef key) const {
  for (const StringStringEntryProto &entry : metadata)
    if (entry.key == key)
      return entry.value;
  return "";
}

std::string mlir::hetero::onnx::readModel(StringRef file, ModelProto &model) {
  wire::Reader reader(file);
  if (!wire::readMessage(reader, file, model))
    return reader.getError();
  if (!model.graph ||
      (model.graph->nodes.empty() && model.graph->outputs.empty()))
    return "it is no ONNX model: it has no graph with nodes";
  if (model.irVersion < kFirstIR || model.irVersion > kLastIR)
    return ("it has IR version " + Twine(model.irVersion) + ", and versions " +
            Twine(kFirstIR) + " to " + Twine(kLastIR) +
            " are read; save it again by a newer onnx package")
        .str();
  return "";
}
