//===- VectorPlanTest.cpp - How operations are vectorized -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen/CPU/Plan/VectorPlan.h"
#include "../../../TestRegistry.h"
#include "hetero/Codegen/Decompose/Decompose.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {

/// A linalg operation on tensors of the types `x` and `y` that writes to one of
/// the type `z`, and its plan for vectors of 512 bits.
class Planned {
public:
  Planned(const std::string &name, const std::string &x, const std::string &y,
          const std::string &z, const std::string &maps = "")
      : context(test::getTestRegistry()) {
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(
        "func.func @main(%x: " + x + ", %y: " + y + ", %z: " + z + ") -> " + z +
            " {\n%r = linalg." + name + maps + " ins(%x, %y : " + x + ", " + y +
            ") outs(%z : " + z + ") -> " + z + "\nreturn %r : " + z + "\n}",
        &context);
    EXPECT_TRUE(module && succeeded(decomposeRegion(*module)));
    module->walk([&](linalg::GenericOp generic) { op = generic; });
    target.vectorBits = 512;
    target.vectorRegisters = 32;
    plan = planVectorLoops(op, target);
  }

  std::string print() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (plan)
      os << *plan;
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  linalg::GenericOp op;
  CPUTarget target;
  std::optional<VectorPlan> plan;
};

} // namespace

TEST(VectorPlanTest, RowsOfAProductShareVectors) {
  Planned product("matmul", "tensor<60x512xf32>", "tensor<512x128xf32>",
                  "tensor<60x128xf32>");
  EXPECT_EQ(product.print(), "4 x 16 lanes of loop 1, 6 rows of loop 0");
  EXPECT_EQ(product.plan->findFault(product.op), "");
}

TEST(VectorPlanTest, FewRowsOfATransposedOperandAreSumsInLanes) {
  Planned product("matmul", "tensor<3x512xf32>", "tensor<5x512xf32>",
                  "tensor<3x5xf32>",
                  " indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
                  "affine_map<(m, n, k) -> (n, k)>, "
                  "affine_map<(m, n, k) -> (m, n)>]");
  EXPECT_EQ(product.print(), "1 x 16 lanes of loop 2, 5 rows of loop 1, 3 of "
                             "loop 0, sums in lanes");
}

TEST(VectorPlanTest, AVectorTimesALargeMatrixIsPasses) {
  Planned product("matmul", "tensor<1x1024xf32>", "tensor<1024x1024xf32>",
                  "tensor<1x1024xf32>");
  EXPECT_EQ(product.print(),
            "4 x 16 lanes of loop 1, passes of 8 steps, sums of 8 steps of "
            "loop 2");
}

TEST(VectorPlanTest, WindowsNextToEachOtherAreRows) {
  Planned window("depthwise_conv_2d_nhwc_hwc", "tensor<1x30x30x64xf32>",
                 "tensor<3x3x64xf32>", "tensor<1x28x28x64xf32>");
  EXPECT_EQ(window.print(), "2 x 16 lanes of loop 3, 8 rows of loop 2, window "
                            "of loop 5 with stride 1 and dilation 1");
}

TEST(VectorPlanTest, NarrowElementsAreDoneInGroups) {
  Planned product("matmul", "tensor<64x64xi8>", "tensor<64x64xi8>",
                  "tensor<64x64xi32>");
  product.target.dotsI8 = true;
  product.plan = planVectorLoops(product.op, product.target);
  EXPECT_EQ(product.print(),
            "4 x 16 lanes of loop 1, 6 rows of loop 0, groups of 4 "
            "steps of loop 2, flipped 1, packed 1");
}

TEST(VectorPlanTest, FaultsAreFound) {
  Planned product("matmul", "tensor<512x512xf32>", "tensor<512x512xf32>",
                  "tensor<512x512xf32>");
  ASSERT_TRUE(product.plan->isPacked(1));
  auto expect = [&](const VectorPlan &plan, llvm::StringRef fault) {
    EXPECT_EQ(plan.findFault(product.op), fault);
  };
  VectorPlan plan = *product.plan;
  plan.form = LaneSums();
  expect(plan, "lanes hold partial results of reductions, and of nothing else");
  plan = *product.plan;
  plan.rows->loop = 2;
  expect(plan, "rows are of a parallel loop of their own");
  plan.rows.reset();
  expect(plan, "rows share what is packed");
  plan.inner = {0, 2};
  expect(plan, "an inner loop is inside a row loop");
  plan = *product.plan;
  plan.form = PixelRows();
  expect(plan, "pixels are rows, and nothing is packed");
  plan.form = Passes{8};
  expect(plan, "passes are over vectors of one reduction");
  plan = *product.plan;
  plan.narrow = {2, 4, std::nullopt};
  plan.panels.depth = 30;
  expect(plan, "a part of a reduction has panels of whole groups");
}
