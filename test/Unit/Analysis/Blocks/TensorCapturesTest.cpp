//===- TensorCapturesTest.cpp - Bodies that read tensors around -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body captures tensors from outside, not scalars or tensors of its own.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Blocks/TensorCaptures.h"

#include "../../TestRegistry.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {

struct Body {
  const char *name, *text;
};

/// They read nothing from outside, a tensor, a tensor in a nested body, a
/// scalar, and a tensor of their own.
const Body kBodies[] = {{"none", "linalg.yield %o : f32"},
                        {"direct", R"mlir(
      %e = tensor.extract %table[%i] : tensor<8xf32>
      linalg.yield %e : f32)mlir"},
                        {"nested", R"mlir(
      %e = scf.if %c -> f32 {
        %t = tensor.extract %table[%i] : tensor<8xf32>
        scf.yield %t : f32
      } else {
        scf.yield %o : f32
      }
      linalg.yield %e : f32)mlir"},
                        {"scalar", "linalg.yield %s : f32"},
                        {"own", R"mlir(
      %t = tensor.from_elements %o : tensor<1xf32>
      %zero = arith.constant 0 : index
      %e = tensor.extract %t[%zero] : tensor<1xf32>
      linalg.yield %e : f32)mlir"}};

/// A chain of operations with these bodies.
std::string writeProgram() {
  std::string text = R"mlir(
    #map = affine_map<(d0) -> (d0)>
    func.func @main(%table: tensor<8xf32>, %x: tensor<4xindex>, %s: f32,
                    %out: tensor<4xf32>, %c: i1) -> tensor<4xf32> {)mlir";
  std::string last = "out";
  for (auto [name, body] : kBodies) {
    text += std::string("%") + name + R"mlir( = linalg.generic {
        indexing_maps = [#map, #map], iterator_types = ["parallel"]}
        ins(%x : tensor<4xindex>) outs(%)mlir" +
            last + " : tensor<4xf32>) attrs = {name = \"" + name + "\"} {\n" +
            "^bb0(%i: index, %o: f32):\n" + body + "} -> tensor<4xf32>\n";
    last = name;
  }
  return text + "return %" + last + " : tensor<4xf32> }";
}

class TensorCapturesTest : public ::testing::Test {
protected:
  TensorCapturesTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadDialect<HeteroDialect>();
    module = parseSourceString<ModuleOp>(writeProgram(), &context);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(TensorCapturesTest, LooksAtBodies) {
  ASSERT_TRUE(module);
  std::vector<std::string> names;
  module->walk([&](Operation *op) {
    if (auto name = op->getAttrOfType<StringAttr>("name"))
      if (capturesTensors(op))
        names.push_back(name.str());
  });
  EXPECT_EQ(names, (std::vector<std::string>{"direct", "nested"}));
}

} // namespace
