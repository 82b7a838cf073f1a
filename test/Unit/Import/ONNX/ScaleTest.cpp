//===- ScaleTest.cpp - Time and memory of the reader of ONNX --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Large models are neither copied nor read where it is not needed. Limits of
// time are those that users are promised, times what sanitizers and busy
// machines take.
//
//===----------------------------------------------------------------------===//

#include "hetero/Import/ONNX/ImportONNX.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <chrono>
#include <fstream>

using namespace mlir;
using namespace mlir::hetero;

namespace {

constexpr double kSlack = 5;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string varint(uint64_t number) {
  std::string made;
  for (; number >= 128; number >>= 7)
    made += char(number | 128);
  return made + char(number);
}
std::string number(unsigned field, uint64_t value) {
  return varint(field << 3) + varint(value);
}
std::string bytes(unsigned field, const std::string &value) {
  return varint(field << 3 | 2) + varint(value.size()) + value;
}

std::string node(const std::string &op, const std::vector<std::string> &inputs,
                 const std::string &output, const std::string &domain = "") {
  std::string made = bytes(2, output) + bytes(4, op) + bytes(7, domain);
  for (const std::string &input : inputs)
    made += bytes(1, input);
  return made;
}

/// A vector of `size` floats.
std::string valueInfo(const std::string &name, uint64_t size) {
  std::string shape = bytes(1, number(1, size));
  std::string type = bytes(1, number(1, 1) + bytes(2, shape));
  return bytes(1, name) + bytes(2, type);
}

/// A model whose graph has these nodes and fields; y is its result.
std::string model(const std::vector<std::string> &nodes,
                  const std::string &fields, const std::string &rest = "") {
  std::string graph = bytes(2, "g") + bytes(12, bytes(1, "y")) + fields;
  for (const std::string &node : nodes)
    graph += bytes(1, node);
  return number(1, 8) + bytes(8, number(2, 17)) + bytes(7, graph) + rest;
}

class ScaleTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("hetero-onnx", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string pathOf(StringRef name) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  /// Writes and maps a model.
  std::shared_ptr<llvm::MemoryBuffer> write(const std::string &file) {
    std::string path = pathOf("model.onnx");
    std::ofstream(path, std::ios::binary) << file;
    auto mapped = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    return mapped ? std::move(*mapped) : nullptr;
  }

  SmallString<128> folder;
};

//===----------------------------------------------------------------------===//
// Measures
//===----------------------------------------------------------------------===//

/// Kilobytes of private and mapped pages of the process.
uint64_t getResidentKB() {
  std::ifstream status("/proc/self/smaps_rollup");
  std::string word;
  while (status >> word)
    if (word == "Rss:") {
      uint64_t amount;
      status >> amount;
      return amount;
    }
  return 0;
}

struct Cost {
  double seconds;
  int64_t kilobytes;
  bool succeeded;
};

Cost import(std::shared_ptr<llvm::MemoryBuffer> file, StringRef folder) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string error;
  // The dialects are there before.
  EXPECT_TRUE(importONNX(
      llvm::MemoryBuffer::getMemBufferCopy(
          model({node("Relu", {"x"}, "y")}, bytes(11, valueInfo("x", 2))),
          "small"),
      "", {}, &context, error));
  uint64_t before = getResidentKB();
  auto start = std::chrono::steady_clock::now();
  OwningOpRef<ModuleOp> module =
      importONNX(std::move(file), folder, {}, &context, error);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return {time.count(), int64_t(getResidentKB() - before), bool(module)};
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

TEST_F(ScaleTest, WeightsOfAFileStayMapped) {
  constexpr uint64_t count = 25 << 20;
  // As raw data, and as floats.
  for (unsigned field : {9, 4}) {
    std::string weight = number(1, count) + number(2, 1) + bytes(8, "w");
    weight += bytes(field, std::string(count * 4, 1));
    Cost cost = import(
        write(model({node("Add", {"x", "w"}, "y")},
                    bytes(11, valueInfo("x", count)) + bytes(5, weight))),
        folder);
    EXPECT_TRUE(cost.succeeded);
    EXPECT_LT(cost.seconds, 1 * kSlack);
    EXPECT_LT(cost.kilobytes, int64_t(count * 4 / 1024) * 12 / 10);
  }
}

TEST_F(ScaleTest, ExternalDataIsNotRead) {
  constexpr uint64_t count = uint64_t(3) << 28;
  // A file of holes, but for its last byte.
  std::ofstream data(pathOf("w.bin"), std::ios::binary);
  data.seekp(count * 4 - 1);
  data << '1' << std::flush;
  ASSERT_TRUE(data.good());
  std::string weight = number(1, count) + number(2, 1) + bytes(8, "w");
  weight += bytes(13, bytes(1, "location") + bytes(2, "w.bin"));
  weight += number(14, 1);
  Cost cost =
      import(write(model({node("Add", {"x", "w"}, "y")},
                         bytes(11, valueInfo("x", count)) + bytes(5, weight))),
             folder);
  EXPECT_TRUE(cost.succeeded);
  EXPECT_LT(cost.seconds, 1 * kSlack);
  EXPECT_LT(cost.kilobytes, 64 << 10);
}

TEST_F(ScaleTest, TimeGrowsWithNodes) {
  std::vector<std::string> nodes;
  for (unsigned i = 0; i < 2000; ++i) {
    std::string from = i ? "v" + std::to_string(i) : "x";
    std::string to = i + 1 < 2000 ? "v" + std::to_string(i + 1) : "y";
    nodes.push_back(i % 2 ? node("Relu", {from}, to)
                          : node("Add", {from, "x"}, to));
  }
  Cost cost =
      import(write(model(nodes, bytes(11, valueInfo("x", 1000)))), folder);
  EXPECT_TRUE(cost.succeeded);
  EXPECT_LT(cost.seconds, 2 * kSlack);
}

/// A function of x to y.
std::string function(const std::string &name,
                     const std::vector<std::string> &nodes) {
  std::string made = bytes(1, name) + bytes(4, "x") + bytes(5, "y");
  for (const std::string &node : nodes)
    made += bytes(7, node);
  made += bytes(9, number(2, 17)) + bytes(10, "my");
  return bytes(25, made + bytes(9, bytes(1, "my") + number(2, 1)));
}

TEST_F(ScaleTest, FunctionsNestAndDoNotMultiply) {
  // Each calls the one before twice: 2^40 nodes.
  std::string functions = function("f0", {node("Relu", {"x"}, "y")});
  for (unsigned i = 1; i <= 40; ++i) {
    std::string before = "f" + std::to_string(i - 1);
    functions +=
        function("f" + std::to_string(i), {node(before, {"x"}, "t", "my"),
                                           node(before, {"t"}, "y", "my")});
  }
  std::string opset = bytes(8, bytes(1, "my") + number(2, 1));
  auto call = [&](unsigned depth) {
    std::string name = "f" + std::to_string(depth);
    return import(write(model({node(name, {"x"}, "y", "my")},
                              bytes(11, valueInfo("x", 4)), opset + functions)),
                  folder);
  };
  EXPECT_TRUE(call(3).succeeded);
  EXPECT_TRUE(call(10).succeeded);
  Cost cost = call(40);
  EXPECT_FALSE(cost.succeeded);
  EXPECT_LT(cost.seconds, 30 * kSlack);
}

} // namespace
