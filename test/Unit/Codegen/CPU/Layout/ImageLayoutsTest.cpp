//===- ImageLayoutsTest.cpp - Orders of images of random programs ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The minimum cut takes no more cycles than any other choice, by a sum that
// knows nothing of the cut.
//
//===----------------------------------------------------------------------===//

#include "Codegen/CPU/Layout/ImageLayouts.h"
#include "../../../TestRegistry.h"
#include "hetero/Codegen/Decompose/Decompose.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {

/// A function of images that are convolved, added, pooled and reshaped.
class RandomImages {
public:
  explicit RandomImages(unsigned seed) : random(seed) {}

  std::string create(unsigned numOps) {
    values.push_back({"%x", 16, 30});
    for (unsigned i = 0; i < numOps; ++i)
      addOperation(i);
    std::string results, types;
    for (const Image &value : values)
      if (!value.isRead) {
        results += (results.empty() ? "" : ", ") + value.name;
        types += (types.empty() ? "" : ", ") + value.type();
      }
    return "func.func @main(%x: tensor<1x16x30x30xf32>, %zero: f32) -> (" +
           types + ") {\n" + text + "return " + results + " : " + types +
           "\n}\n";
  }

private:
  struct Image {
    std::string name;
    int64_t channels, size;
    bool isRead = false;
    std::string type() const { return tensor({1, channels, size, size}); }
  };

  static std::string tensor(std::initializer_list<int64_t> shape) {
    std::string result = "tensor<";
    for (int64_t size : shape)
      result += std::to_string(size) + "x";
    return result + "f32>";
  }

  Image &pick() {
    Image &image = values[random() % values.size()];
    image.isRead = true;
    return image;
  }

  /// A filled tensor for the results of `image`; its name.
  std::string fill(const Image &image) {
    std::string name = image.name + "_init", type = image.type();
    text += name + "_empty = tensor.empty() : " + type + "\n" + name +
            " = linalg.fill ins(%zero : f32) outs(" + name +
            "_empty : " + type + ") -> " + type + "\n";
    return name;
  }

  void add(const std::string &op, const Image &from, const std::string &other,
           const std::string &otherType, const Image &to) {
    std::string init = fill(to);
    text += to.name + " = linalg." + op + " ins(" + from.name + ", " + other +
            " : " + from.type() + ", " + otherType + ") outs(" + init + " : " +
            to.type() + ") -> " + to.type() + "\n";
    values.push_back(to);
  }

  std::string addConstant(const std::string &name, const std::string &type) {
    text += name + "_w = arith.constant dense<0.5> : " + type + "\n";
    return name + "_w";
  }

  void addOperation(unsigned index) {
    std::string name = "%v" + std::to_string(index);
    Image from = pick();
    switch (random() % 5) {
    case 0:
    case 1: {
      int64_t filters[] = {3, 16, 100, 256};
      int64_t window = from.size > 4 && random() % 2 ? 3 : 1;
      Image to{name, filters[random() % 4], from.size - window + 1};
      std::string type = tensor({to.channels, from.channels, window, window});
      return add("conv_2d_nchw_fchw", from, addConstant(name, type), type, to);
    }
    case 2: {
      if (from.size < 4)
        return addReshape(from, name);
      Image to{name, from.channels, from.size - 2};
      std::string type = tensor({from.channels, 3, 3});
      return add("depthwise_conv_2d_nchw_chw", from, addConstant(name, type),
                 type, to);
    }
    case 3:
      for (Image &other : values)
        if (other.name != from.name && other.type() == from.type()) {
          other.isRead = true;
          Image second = other;
          return add("add", from, second.name, second.type(),
                     {name, from.channels, from.size});
        }
      return add("mul", from, from.name, from.type(),
                 {name, from.channels, from.size});
    default:
      return addReshape(from, name);
    }
  }

  /// What keeps the order of the program.
  void addReshape(const Image &from, const std::string &name) {
    std::string flat = tensor({from.channels, from.size * from.size});
    text += name + "_flat = tensor.collapse_shape " + from.name +
            " [[0, 1], [2, 3]] : " + from.type() + " into " + flat + "\n" +
            name + " = tensor.expand_shape " + name +
            "_flat [[0, 1], [2, 3]] output_shape [1, " +
            std::to_string(from.channels) + ", " + std::to_string(from.size) +
            ", " + std::to_string(from.size) + "] : " + flat + " into " +
            from.type() + "\n";
    values.push_back({name, from.channels, from.size});
  }

  std::mt19937 random;
  std::vector<Image> values;
  std::string text;
};

class ImageLayoutsTest : public ::testing::Test {
protected:
  ImageLayoutsTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    target.vectorBits = 512;
    target.vectorRegisters = 32;
  }

  MLIRContext context;
  CPUTarget target;
};

TEST_F(ImageLayoutsTest, NoChoiceTakesFewerCycles) {
  unsigned mixed = 0, moved = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    std::string text = RandomImages(seed).create(3 + seed % 5);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    ASSERT_TRUE(succeeded(decomposeRegion(*module)));
    Block &block = (*module->getOps<func::FuncOp>().begin()).front();

    unsigned bits = 0;
    ImageLayouts(block, [&] { return ++bits == 0; });
    if (bits > 10)
      continue;
    double least = INFINITY;
    for (unsigned choice = 0; choice < 1u << bits; ++choice) {
      unsigned bit = 0;
      ImageLayouts layouts(block, [&] { return choice >> bit++ & 1; });
      least = std::min(least, estimateCycles(block, layouts, target));
    }

    ImageLayouts chosen(block, target);
    EXPECT_NEAR(estimateCycles(block, chosen, target), least, 1 + 1e-9 * least);
    EXPECT_LE(least, estimateCycles(block, chosen.getPlain(), target));
    size_t count = chosen.getMoved().size();
    moved += count != 0;
    mixed += count != 0 && count != chosen.getImages().getRoles().size();
  }
  // A test that cannot fail would move nothing, or everything.
  EXPECT_GE(moved, 30u);
  EXPECT_GE(mixed, 15u);
}

} // namespace
