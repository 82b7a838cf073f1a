//===- Model.h - The messages of onnx.proto ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of onnx.proto that the importer reads, by their names there.
// Strings and bytes are views into the file, which outlives them.

#ifndef HETERO_LIB_IMPORT_ONNX_MODEL_H
#define HETERO_LIB_IMPORT_ONNX_MODEL_H

#include "Wire.h"

namespace mlir::hetero::onnx {

using llvm::StringRef;
using wire::Fields;

/// The type of an element, by its number in files.
enum class ElementType : int32_t {
  Undefined = 0,
  F32 = 1,
  U8 = 2,
  I8 = 3,
  U16 = 4,
  I16 = 5,
  I32 = 6,
  I64 = 7,
  String = 8,
  Bool = 9,
  F16 = 10,
  F64 = 11,
  U32 = 12,
  U64 = 13,
  C64 = 14,
  C128 = 15,
  BF16 = 16,
  F8E4M3FN = 17,
  F8E4M3FNUZ = 18,
  F8E5M2 = 19,
  F8E5M2FNUZ = 20,
  U4 = 21,
  I4 = 22,
  F4E2M1 = 23,
  F8E8M0 = 24,
  U2 = 25,
  I2 = 26,
  F6E2M3 = 27,
  F6E3M2 = 28
};

struct StringStringEntryProto {
  StringRef key, value;
  static void fields(Fields<StringStringEntryProto> &f) {
    f.at(1, &StringStringEntryProto::key);
    f.at(2, &StringStringEntryProto::value);
  }
};

struct OperatorSetIdProto {
  StringRef domain;
  int64_t version = 0;
  static void fields(Fields<OperatorSetIdProto> &f) {
    f.at(1, &OperatorSetIdProto::domain);
    f.at(2, &OperatorSetIdProto::version);
  }
};

struct TensorProto {
  std::vector<int64_t> dims;
  int32_t dataType = 0;
  StringRef name;
  wire::Numbers<float> floats;
  wire::Numbers<int32_t> int32s;
  std::vector<StringRef> strings;
  wire::Numbers<int64_t> int64s;
  wire::Numbers<double> doubles;
  wire::Numbers<uint64_t> uint64s;
  std::optional<StringRef> raw;
  std::vector<StringStringEntryProto> externalData;
  int32_t dataLocation = 0;
  static void fields(Fields<TensorProto> &f) {
    f.at(1, &TensorProto::dims);
    f.at(2, &TensorProto::dataType);
    f.at(4, &TensorProto::floats);
    f.at(5, &TensorProto::int32s);
    f.at(6, &TensorProto::strings);
    f.at(7, &TensorProto::int64s);
    f.at(8, &TensorProto::name);
    f.at(9, &TensorProto::raw);
    f.at(10, &TensorProto::doubles);
    f.at(11, &TensorProto::uint64s);
    f.at(13, &TensorProto::externalData);
    f.at(14, &TensorProto::dataLocation);
  }
};

struct SparseTensorProto {
  std::unique_ptr<TensorProto> values, indices;
  std::vector<int64_t> dims;
  static void fields(Fields<SparseTensorProto> &f) {
    f.at(1, &SparseTensorProto::values);
    f.at(2, &SparseTensorProto::indices);
    f.at(3, &SparseTensorProto::dims);
  }
};

struct DimensionProto {
  std::optional<int64_t> value;
  StringRef param;
  static void fields(Fields<DimensionProto> &f) {
    f.at(1, &DimensionProto::value);
    f.at(2, &DimensionProto::param);
  }
};

struct ShapeProto {
  std::vector<DimensionProto> dims;
  static void fields(Fields<ShapeProto> &f) { f.at(1, &ShapeProto::dims); }
};

struct TensorTypeProto {
  int32_t elementType = 0;
  std::unique_ptr<ShapeProto> shape;
  static void fields(Fields<TensorTypeProto> &f) {
    f.at(1, &TensorTypeProto::elementType);
    f.at(2, &TensorTypeProto::shape);
  }
};

struct TypeProto;

/// A sequence or an optional, of what its elements are.
struct WrapperTypeProto {
  std::unique_ptr<TypeProto> element;
  static void fields(Fields<WrapperTypeProto> &f) {
    f.at(1, &WrapperTypeProto::element);
  }
};

struct TypeProto {
  std::unique_ptr<TensorTypeProto> tensor, sparse;
  std::unique_ptr<WrapperTypeProto> sequence, optional;
  std::optional<StringRef> map, opaque;
  static void fields(Fields<TypeProto> &f) {
    f.at(1, &TypeProto::tensor);
    f.at(4, &TypeProto::sequence);
    f.at(5, &TypeProto::map);
    f.at(7, &TypeProto::opaque);
    f.at(8, &TypeProto::sparse);
    f.at(9, &TypeProto::optional);
  }
};

struct ValueInfoProto {
  StringRef name;
  std::unique_ptr<TypeProto> type;
  static void fields(Fields<ValueInfoProto> &f) {
    f.at(1, &ValueInfoProto::name);
    f.at(2, &ValueInfoProto::type);
  }
};

struct GraphProto;

enum class AttributeType : int32_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  Type = 13,
  Types = 14
};

struct AttributeProto {
  StringRef name, reference;
  int32_t type = 0;
  std::optional<float> f;
  std::optional<int64_t> i;
  std::optional<StringRef> s;
  std::unique_ptr<TensorProto> t;
  std::unique_ptr<GraphProto> g;
  std::unique_ptr<SparseTensorProto> sparse;
  std::unique_ptr<TypeProto> tp;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<StringRef> strings;
  std::vector<TensorProto> tensors;
  std::vector<GraphProto> graphs;
  /// The declared type, or, in old files that have none, what there is.
  AttributeType getType() const;
  static void fields(Fields<AttributeProto> &f);
};

/// The key of a node's metadata that has the location of its operations, where
/// the node is a part of an operation of the network's source.
constexpr llvm::StringLiteral kLocationKey = "hetero:location";

struct NodeProto {
  std::vector<StringRef> inputs, outputs;
  StringRef name, op, domain, overload;
  std::vector<AttributeProto> attributes;
  std::vector<StringStringEntryProto> metadata;
  /// The value of a key; empty if there is none.
  StringRef findMetadata(StringRef key) const;
  static void fields(Fields<NodeProto> &f) {
    f.at(1, &NodeProto::inputs);
    f.at(2, &NodeProto::outputs);
    f.at(3, &NodeProto::name);
    f.at(4, &NodeProto::op);
    f.at(5, &NodeProto::attributes);
    f.at(7, &NodeProto::domain);
    f.at(8, &NodeProto::overload);
    f.at(9, &NodeProto::metadata);
  }
};

struct GraphProto {
  std::vector<NodeProto> nodes;
  StringRef name;
  std::vector<TensorProto> initializers;
  std::vector<SparseTensorProto> sparseInitializers;
  std::vector<ValueInfoProto> inputs, outputs;
  static void fields(Fields<GraphProto> &f) {
    f.at(1, &GraphProto::nodes);
    f.at(2, &GraphProto::name);
    f.at(5, &GraphProto::initializers);
    f.at(11, &GraphProto::inputs);
    f.at(12, &GraphProto::outputs);
    f.at(15, &GraphProto::sparseInitializers);
  }
};

struct FunctionProto {
  StringRef name, domain, overload;
  std::vector<StringRef> inputs, outputs, attributes;
  std::vector<AttributeProto> defaults;
  std::vector<NodeProto> nodes;
  std::vector<OperatorSetIdProto> opsets;
  static void fields(Fields<FunctionProto> &f) {
    f.at(1, &FunctionProto::name);
    f.at(4, &FunctionProto::inputs);
    f.at(5, &FunctionProto::outputs);
    f.at(6, &FunctionProto::attributes);
    f.at(7, &FunctionProto::nodes);
    f.at(9, &FunctionProto::opsets);
    f.at(10, &FunctionProto::domain);
    f.at(11, &FunctionProto::defaults);
    f.at(13, &FunctionProto::overload);
  }
};

struct ModelProto {
  int64_t irVersion = 0;
  std::vector<OperatorSetIdProto> opsets;
  std::unique_ptr<GraphProto> graph;
  std::vector<FunctionProto> functions;
  static void fields(Fields<ModelProto> &f) {
    f.at(1, &ModelProto::irVersion);
    f.at(7, &ModelProto::graph);
    f.at(8, &ModelProto::opsets);
    f.at(25, &ModelProto::functions);
  }
};

/// Reads a model. Returns an error's text, empty where there is none.
std::string readModel(StringRef file, ModelProto &model);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_MODEL_H
