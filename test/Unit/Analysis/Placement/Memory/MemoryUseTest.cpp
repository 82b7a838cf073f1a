//===- MemoryUseTest.cpp - Bytes that live on each device -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of a few operations, whose live bytes can be counted by hand, in
// tensors: each has 100 bytes.
//
//===----------------------------------------------------------------------===//

#include "../../../TestRegistry.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Analysis/Placement/Placement.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {
class MemoryUseTest : public ::testing::Test {
protected:
  MemoryUseTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  /// Peaks of the host and the gpu, in tensors; what is not pinned is on the
  /// host.
  std::pair<int64_t, int64_t> count(StringRef functions);

  MLIRContext context;
};

using Peaks = std::pair<int64_t, int64_t>;
} // namespace

std::pair<int64_t, int64_t> MemoryUseTest::count(StringRef functions) {
  std::string text = ("!t = tensor<25xf32>\n"
                      "#gpu = #hetero.device<gpu:0>\n" +
                      functions)
                         .str();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return {-1, -1};
  PlacementOptions options;
  options.strategy = PlacementStrategy::AnnotatedOnly;
  options.wantsPrice = true;
  FailureOr<Placement> placement = computePlacement(
      *module, Topology::get(*module), BlockTree(*module), options);
  if (failed(placement))
    return {-1, -1};
  EXPECT_EQ(placement->price.devices[0].memory % 100, 0);
  EXPECT_EQ(placement->price.devices[1].memory % 100, 0);
  return {placement->price.devices[0].memory / 100,
          placement->price.devices[1].memory / 100};
}

/// A chain keeps two links; the argument stays where the caller has it.
TEST_F(MemoryUseTest, CountsChains) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: !t) -> !t {
      %e = tensor.empty() : !t
      %0 = linalg.abs {hetero.device = #gpu} ins(%x : !t) outs(%e : !t) -> !t
      %1 = linalg.abs {hetero.device = #gpu} ins(%0 : !t) outs(%e : !t) -> !t
      %2 = linalg.abs {hetero.device = #gpu} ins(%1 : !t) outs(%e : !t) -> !t
      return %2 : !t
    })"),
            Peaks(2, 2));
}

/// What is read later lives until then.
TEST_F(MemoryUseTest, CountsLateUses) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: !t) -> !t {
      %e = tensor.empty() : !t
      %0 = linalg.abs {hetero.device = #gpu} ins(%x : !t) outs(%e : !t) -> !t
      %1 = linalg.abs {hetero.device = #gpu} ins(%0 : !t) outs(%e : !t) -> !t
      %2 = linalg.abs {hetero.device = #gpu} ins(%1 : !t) outs(%e : !t) -> !t
      %3 = linalg.add {hetero.device = #gpu} ins(%2, %0 : !t, !t) outs(%e : !t) -> !t
      return %3 : !t
    })"),
            Peaks(2, 3));
}

/// A destination that is read and then not needed any more is overwritten.
TEST_F(MemoryUseTest, OverwritesDestinations) {
  std::string text = R"(
    func.func @f(%z: f32) -> !t {
      %e = tensor.empty() : !t
      %0 = linalg.fill {hetero.device = #gpu} ins(%z : f32) outs(%e : !t) -> !t
      %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                           iterator_types = ["parallel"]}
        outs(%0 : !t) attrs = {hetero.device = #gpu} {
      ^bb0(%a: f32):
        %b = arith.addf %a, %a : f32
        linalg.yield %b : f32
      } -> !t
      %2 = linalg.add {hetero.device = #gpu} ins(%1, %)";
  std::string end = " : !t, !t) outs(%e : !t) -> !t\n return %2 : !t }";
  // The sum overwrites the fill, then the result has a buffer of its own.
  EXPECT_EQ(count(text + "1" + end), Peaks(1, 2));
  // The fill is read again.
  EXPECT_EQ(count(text + "0" + end), Peaks(1, 3));
}

/// A view takes nothing and keeps what it shows.
TEST_F(MemoryUseTest, SharesViews) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: !t) -> !t {
      %e = tensor.empty() : !t
      %0 = linalg.abs {hetero.device = #gpu} ins(%x : !t) outs(%e : !t) -> !t
      %v = tensor.expand_shape %0 [[0, 1]] output_shape [5, 5]
        {hetero.device = #gpu} : !t into tensor<5x5xf32>
      %1 = linalg.abs {hetero.device = #gpu} ins(%x : !t) outs(%e : !t) -> !t
      %w = tensor.collapse_shape %v [[0, 1]] {hetero.device = #gpu} : tensor<5x5xf32> into !t
      %2 = linalg.add {hetero.device = #gpu} ins(%1, %w : !t, !t) outs(%e : !t) -> !t
      return %2 : !t
    })"),
            Peaks(2, 3));
}

/// Constants are resident on every device that uses them, equal ones once.
TEST_F(MemoryUseTest, KeepsConstants) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: !t) -> !t {
      %e = tensor.empty() : !t
      %0 = linalg.abs {hetero.device = #gpu} ins(%x : !t) outs(%e : !t) -> !t
      %c = arith.constant dense<1.0> : !t
      %d = arith.constant dense<1.0> : !t
      %g = arith.constant dense<2.0> : !t
      %1 = linalg.add {hetero.device = #gpu} ins(%0, %c : !t, !t) outs(%e : !t) -> !t
      %2 = linalg.add {hetero.device = #gpu} ins(%1, %d : !t, !t) outs(%e : !t) -> !t
      %3 = linalg.add ins(%2, %g : !t, !t) outs(%e : !t) -> !t
      return %3 : !t
    })"),
            Peaks(4, 3));
}

/// A loop's buffer lives while it runs, and so does what the body reads.
TEST_F(MemoryUseTest, CountsLoops) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: !t, %n: index) -> !t {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = tensor.empty() : !t
      %w = linalg.abs {hetero.device = #gpu} ins(%x : !t) outs(%e : !t) -> !t
      %0 = linalg.abs {hetero.device = #gpu} ins(%x : !t) outs(%e : !t) -> !t
      %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (!t) {
        %2 = linalg.add {hetero.device = #gpu} ins(%a, %w : !t, !t) outs(%e : !t) -> !t
        %3 = linalg.abs {hetero.device = #gpu} ins(%2 : !t) outs(%e : !t) -> !t
        scf.yield %3 : !t
      } {hetero.carried = [#gpu]}
      return %1 : !t
    })")
                .second,
            4);
}

/// The arms of a branch run one at a time; what it carries comes after.
TEST_F(MemoryUseTest, CountsBranches) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: !t, %c: i1) -> !t {
      %e = tensor.empty() : !t
      %0 = scf.if %c -> (!t) {
        %1 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
        %2 = linalg.abs ins(%1 : !t) outs(%e : !t) -> !t
        scf.yield %2 : !t
      } else {
        %1 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
        scf.yield %1 : !t
      }
      %3 = linalg.abs ins(%0 : !t) outs(%e : !t) -> !t
      return %3 : !t
    })"),
            Peaks(3, 0));
}

/// Branches back keep what blocks around them use.
TEST_F(MemoryUseTest, CountsBlocks) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: !t, %c: i1) -> !t {
      %e = tensor.empty() : !t
      %w = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
      cf.br ^bb1(%x : !t)
    ^bb1(%a: !t):
      %1 = linalg.add ins(%a, %w : !t, !t) outs(%e : !t) -> !t
      cf.br ^bb2
    ^bb2:
      %2 = linalg.abs ins(%1 : !t) outs(%e : !t) -> !t
      %3 = linalg.abs ins(%2 : !t) outs(%e : !t) -> !t
      cf.cond_br %c, ^bb1(%3 : !t), ^bb3
    ^bb3:
      return %3 : !t
    })"),
            Peaks(4, 0));
}

/// A call needs what the callee does on top of what lives around it.
TEST_F(MemoryUseTest, CountsCalls) {
  StringRef callee = R"(
    func.func private @g(%x: !t) -> !t {
      %e = tensor.empty() : !t
      %0 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
      %1 = linalg.add ins(%0, %x : !t, !t) outs(%e : !t) -> !t
      return %1 : !t
    })";
  EXPECT_EQ(count((R"(
    func.func @f(%x: !t) -> !t {
      %e = tensor.empty() : !t
      %0 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
      %1 = func.call @g(%x) : (!t) -> !t
      %2 = linalg.add ins(%0, %1 : !t, !t) outs(%e : !t) -> !t
      return %2 : !t
    })" + callee)
                      .str()),
            Peaks(4, 0));
}

/// A copy takes memory from its first use to its last, not from where the value
/// is made.
TEST_F(MemoryUseTest, CountsCopiesFromTheirFirstUse) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: !t, %y: !t) -> !t {
      %e = tensor.empty() : !t
      %0 = linalg.abs {hetero.device = #gpu} ins(%x : !t) outs(%e : !t) -> !t
      %1 = linalg.abs {hetero.device = #gpu} ins(%0 : !t) outs(%e : !t) -> !t
      %2 = linalg.add {hetero.device = #gpu} ins(%1, %y : !t, !t) outs(%e : !t) -> !t
      return %2 : !t
    })"),
            Peaks(3, 3));
}

/// State is there for the whole program, where the operations are that use it,
/// besides what they load.
TEST_F(MemoryUseTest, KeepsState) {
  StringRef state = R"(
    ml_program.global private mutable @s(dense<0.0> : !t) : !t
    func.func @f(%x: !t) -> !t {
      %e = tensor.empty() : !t
      %0 = ml_program.global_load @s : !t )";
  StringRef rest = R"(
      %1 = linalg.add DEVICE ins(%0, %x : !t, !t) outs(%e : !t) -> !t
      ml_program.global_store @s = %1 : !t DEVICE
      return %1 : !t
    }
    func.func @g(%x: !t) -> !t {
      %e = tensor.empty() : !t
      %0 = linalg.abs ins(%x : !t) outs(%e : !t) -> !t
      return %0 : !t
    })";
  auto place = [&](std::string device) {
    std::string text = (state + device + rest).str();
    for (size_t at; (at = text.find("DEVICE")) != std::string::npos;)
      text.replace(at, 6, device);
    return count(text);
  };
  EXPECT_EQ(place(""), Peaks(4, 0));
  EXPECT_EQ(place("{hetero.device = #gpu}"), Peaks(2, 4));
}
