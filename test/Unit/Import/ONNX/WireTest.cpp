//===- WireTest.cpp - Reading protobuf, also damaged ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import/ONNX/Model.h"

#include "gtest/gtest.h"

using namespace mlir::hetero::onnx;

namespace {

/// A field of bytes, shorter than 128.
std::string field(unsigned number, const std::string &bytes) {
  return std::string{char(number << 3 | 2), char(bytes.size())} + bytes;
}

std::string varint(unsigned number, unsigned value) {
  return {char(number << 3), char(value)};
}

/// A model of one node, x -> Relu -> y.
std::string makeModel() {
  std::string node =
      field(1, "x") + field(2, "y") + field(3, "n") + field(4, "Relu");
  std::string graph = field(1, node) + field(2, "g") + field(12, field(1, "y"));
  return varint(1, 8) + field(7, graph) + field(8, varint(2, 17));
}

std::string errorOf(const std::string &file) {
  ModelProto model;
  return readModel(file, model);
}

TEST(WireTest, ReadsFieldsAsViews) {
  std::string file = makeModel();
  ModelProto model;
  ASSERT_EQ(readModel(file, model), "");
  ASSERT_EQ(model.graph->nodes.size(), 1u);
  const NodeProto &node = model.graph->nodes.front();
  EXPECT_EQ(node.op, "Relu");
  EXPECT_GE(node.op.data(), file.data());
  EXPECT_LT(node.op.data(), file.data() + file.size());
  EXPECT_EQ(model.opsets.front().version, 17);
}

TEST(WireTest, NumbersArePackedOrNot) {
  for (const std::string &dims :
       {varint(1, 2) + varint(1, 3), field(1, std::string{2, 3})}) {
    TensorProto tensor;
    std::string file = dims + varint(2, 1);
    wire::Reader reader(file);
    ASSERT_TRUE(wire::readMessage(reader, file, tensor));
    EXPECT_EQ(tensor.dims, (std::vector<int64_t>{2, 3}));
  }
}

TEST(WireTest, NumbersOfTensorsAreViews) {
  auto read = [](const std::string &file) {
    TensorProto tensor;
    wire::Reader reader(file);
    EXPECT_TRUE(wire::readMessage(reader, file, tensor));
    return tensor.int64s;
  };
  std::string packed = field(7, std::string{2, 3});
  auto numbers = read(packed);
  EXPECT_EQ(numbers.bytes.data(), packed.data() + 2);
  EXPECT_EQ(numbers.bytes, "\2\3");
  EXPECT_EQ(read(packed + varint(7, 4) + packed).bytes, "\2\3\4\2\3");
  EXPECT_EQ(read(varint(7, 4) + varint(7, 5)).bytes, "\4\5");
  EXPECT_FALSE([] {
    TensorProto tensor;
    std::string file("\x3d\0\0\0\0", 5);
    wire::Reader reader(file);
    return wire::readMessage(reader, file, tensor);
  }());
}

TEST(WireTest, EachPrefixIsReadOrAnErrorWithItsPlace) {
  std::string file = makeModel();
  for (size_t size = 0; size < file.size(); ++size) {
    std::string error = errorOf(file.substr(0, size));
    if (!error.empty())
      EXPECT_TRUE(error.find("at byte") != std::string::npos ||
                  error.find("it is no ONNX model") != std::string::npos ||
                  error.find("IR version") != std::string::npos)
          << error;
  }
}

TEST(WireTest, LengthsAreComparedWithTheBytesThere) {
  EXPECT_EQ(errorOf(varint(1, 8) + std::string("\x3a\x7f", 2)),
            "the file is damaged at byte 2: a field of 127 bytes has only 0");
  // A length of 2^63.
  std::string huge("\x3a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11);
  EXPECT_NE(errorOf(huge).find("has only 0"), std::string::npos);
}

TEST(WireTest, NumbersThatDoNotEndAreErrors) {
  EXPECT_EQ(errorOf(std::string(1, '\x08') + std::string(12, '\xff')),
            "the file is damaged at byte 1: a number does not end");
  EXPECT_EQ(errorOf(std::string("\x0d\x01\x02", 3)),
            "the file is damaged at byte 1: a number of 4 bytes does not end");
}

TEST(WireTest, KindsOfFieldsAreChecked) {
  EXPECT_EQ(errorOf(varint(7, 1)),
            "the file is damaged at byte 1: field 7 has another kind of value");
  EXPECT_EQ(errorOf(std::string("\x0b\x00", 2)),
            "the file is damaged at byte 0: a field has an unknown kind 3");
}

TEST(WireTest, NestingIsBounded) {
  // Graphs in attributes of nodes of graphs.
  std::string bytes;
  for (int i = 0; i < 60; ++i) {
    auto wrap = [](unsigned number, const std::string &inner) {
      std::string length;
      size_t size = inner.size();
      for (; size > 127; size >>= 7)
        length += char((size & 127) | 128);
      length += char(size);
      return std::string(1, char(number << 3 | 2)) + length + inner;
    };
    bytes = wrap(1, wrap(5, wrap(6, bytes)));
  }
  GraphProto graph;
  wire::Reader reader(bytes);
  EXPECT_FALSE(wire::readMessage(reader, bytes, graph));
  EXPECT_NE(reader.getError().find("messages nest too deep"),
            std::string::npos);
}

TEST(WireTest, AnyByteMayBeWrong) {
  std::string file = makeModel();
  for (size_t place = 0; place < file.size(); ++place)
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::string damaged = file;
      damaged[place] = char(byte);
      ModelProto model;
      (void)readModel(damaged, model);
    }
}

} // namespace
