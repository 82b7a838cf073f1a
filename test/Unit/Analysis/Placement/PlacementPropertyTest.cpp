//===- PlacementPropertyTest.cpp - Placement against enumeration ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs on two to four devices, with functions that call themselves,
// placed, and placed in every other way there is, operations made once and
// again: nothing is cheaper with two devices, nothing is below the printed
// bound with more. Prices are plain ones, and of some of the placements those
// of the IR which results. HETERO_FULL_TESTS=1 in the environment tries more
// and larger programs.
//
//===----------------------------------------------------------------------===//

#include "../../TestRegistry.h"
#include "../PlainPrice.h"
#include "../RandomPrograms.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Analysis/Placement/Placement.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {

bool isFull() { return std::getenv("HETERO_FULL_TESTS") != nullptr; }

/// What was seen over all programs of a suite.
struct PropertyTally {
  unsigned programs = 0, withCopies = 0, unlikeGreedy = 0, optimal = 0;
  /// Programs that have such an operation.
  unsigned withPins = 0, withSeveralResults = 0, withConstants = 0,
           withElements = 0, withNesting = 0, withCalls = 0, withRecursion = 0;
  /// Programs whose placement repeats an operation with operands.
  unsigned withRepetitions = 0;

  void look(ModuleOp module);
};

/// Notes what a program consists of.
void PropertyTally::look(ModuleOp module) {
  bool hasPin = false, hasSeveral = false, hasConstant = false,
       hasElement = false, hasNesting = false;
  walkPlacedOperations(module, [&](Operation *op) {
    hasPin |= bool(getDevice(op));
    hasSeveral |= op->getNumResults() > 1;
    hasConstant |= op->getNumResults() == 1 &&
                   isa<TensorType>(op->getResult(0).getType()) &&
                   op->hasTrait<OpTrait::ConstantLike>();
    hasElement |= isa<tensor::ExtractOp>(op);
    hasNesting |= isControlFlow(op) && isControlFlow(op->getParentOp());
  });
  withPins += hasPin;
  withSeveralResults += hasSeveral;
  withConstants += hasConstant;
  withElements += hasElement;
  withNesting += hasNesting;
  bool hasCall = false, hasRecursion = false;
  module.walk([&](func::CallOp call) {
    hasCall = true;
    hasRecursion |=
        call->getParentOfType<func::FuncOp>().getName() == call.getCallee();
  });
  withCalls += hasCall;
  withRecursion += hasRecursion;
}

class PlacementPropertyTest : public ::testing::Test {
protected:
  PlacementPropertyTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  void checkAll(unsigned numDevices, unsigned count, PropertyTally &tally,
                bool hasNodes = false);
  void check(unsigned seed, const RandomProgramOptions &options,
             PropertyTally &tally);
  void checkPlaced(ModuleOp module, const Topology &topology,
                   const PlacementPrice &price, PropertyTally &tally);
  void checkPrice(ModuleOp module, const Topology &topology,
                  PlainProgram &program, ArrayRef<unsigned> devices);
  int64_t enumerate(ModuleOp module, const Topology &topology);
  void checkPermuted(ModuleOp module, const Topology &topology, int64_t cost,
                     std::mt19937 &random);
  FailureOr<PlacementPrice> price(ModuleOp module, const Topology &topology,
                                  PlacementStrategy strategy);

  template <typename... Passes>
  LogicalResult run(ModuleOp module, Passes... passes) {
    PassManager manager(&context);
    manager.enableVerifier(false);
    (manager.addPass(std::move(passes)), ...);
    return manager.run(module);
  }
  std::unique_ptr<Pass> place(PlacementStrategy strategy) {
    PlacePassOptions options;
    options.placement = strategy;
    return createPlacePass(options);
  }
  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  MLIRContext context;
};

} // namespace

FailureOr<PlacementPrice>
PlacementPropertyTest::price(ModuleOp module, const Topology &topology,
                             PlacementStrategy strategy) {
  FailureOr<Placement> placement =
      computePlacement(module, topology, BlockTree(module),
                       {strategy, {}, /*workLimit=*/0, /*wantsPrice=*/true});
  if (failed(placement))
    return failure();
  return placement->price;
}

/// What place does is what was priced, and is done once.
void PlacementPropertyTest::checkPlaced(ModuleOp module,
                                        const Topology &topology,
                                        const PlacementPrice &expected,
                                        PropertyTally &tally) {
  ASSERT_TRUE(succeeded(run(module, place(PlacementStrategy::Optimal))));
  bool repeats = false;
  module.walk([&](Operation *op) { repeats |= isRepeated(op); });
  tally.withRepetitions += repeats;
  std::string once = print(module);
  ASSERT_TRUE(succeeded(run(module, place(PlacementStrategy::Optimal))));
  EXPECT_EQ(print(module), once);
  ASSERT_TRUE(
      succeeded(run(module, createMaterializeCopiesPass(), createVerifyPass(),
                    createOptimizeCopiesPass(), createVerifyPass())));
  ASSERT_TRUE(succeeded(verify(module)));
  // Also where materialize said that there was nothing to do.
  std::string optimized = print(module);
  ASSERT_TRUE(succeeded(run(module, createOptimizeCopiesPass())));
  EXPECT_EQ(print(module), optimized);
  IRPrice actual = priceIR(module, topology);
  EXPECT_EQ(actual.cost, expected.cost) << print(module);
  EXPECT_EQ(actual.copies, expected.copies) << print(module);
}

/// The price of the IR that a placement becomes is the plain one.
void PlacementPropertyTest::checkPrice(ModuleOp module,
                                       const Topology &topology,
                                       PlainProgram &program,
                                       ArrayRef<unsigned> devices) {
  program.annotate(devices);
  OwningOpRef<ModuleOp> clone = module.clone();
  program.removeAnnotations();
  EXPECT_TRUE(succeeded(run(*clone, place(PlacementStrategy::AnnotatedOnly),
                            createMaterializeCopiesPass(),
                            createOptimizeCopiesPass(), createVerifyPass())));
  EXPECT_EQ(priceIR(*clone, topology).cost, program.price(devices))
      << print(*clone);
}

/// The least price of all placements.
int64_t PlacementPropertyTest::enumerate(ModuleOp module,
                                         const Topology &topology) {
  PlainProgram program(module, topology);
  unsigned count = 0, next = 0;
  program.forEachPlacement([&](ArrayRef<unsigned>) { ++count; });
  // All of few, so many of more, in steps that are no multiple of choices.
  constexpr unsigned kChecked = 128;
  unsigned step = count / kChecked / 6 * 6 + 1;
  int64_t best = INT64_MAX;
  unsigned index = 0;
  program.forEachPlacement([&](ArrayRef<unsigned> devices) {
    best = std::min(best, program.price(devices));
    if (index++ != next)
      return;
    next += step;
    if (!HasFailure()) // One is enough to print.
      checkPrice(module, topology, program, devices);
  });
  return best;
}

/// Moves the operations of a block, as far as their operands allow.
static void permute(Block &block, std::mt19937 &random) {
  SmallVector<Operation *> waiting;
  for (Operation &op : block.without_terminator())
    waiting.push_back(&op);
  llvm::DenseSet<Operation *> placed;
  auto isReady = [&](Operation *op) {
    bool isReady = true;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          isReady &=
              producer->getBlock() != &block || placed.contains(producer);
    });
    return isReady;
  };
  while (!waiting.empty()) {
    unsigned index = random() % waiting.size();
    while (!isReady(waiting[index]))
      index = (index + 1) % waiting.size();
    waiting[index]->moveBefore(block.getTerminator());
    placed.insert(waiting[index]);
    waiting.erase(waiting.begin() + index);
  }
}

/// The order of operations that do not depend on each other is no matter to
/// what is exact.
void PlacementPropertyTest::checkPermuted(ModuleOp module,
                                          const Topology &topology,
                                          int64_t cost, std::mt19937 &random) {
  OwningOpRef<ModuleOp> clone = module.clone();
  clone->walk([&](Block *block) {
    if (!isa<ModuleOp>(block->getParentOp()) &&
        (isControlFlow(block->getParentOp()) ||
         isa<FunctionOpInterface>(block->getParentOp())))
      permute(*block, random);
  });
  ASSERT_TRUE(succeeded(verify(*clone)));
  FailureOr<PlacementPrice> permuted =
      price(*clone, topology, PlacementStrategy::Optimal);
  ASSERT_TRUE(succeeded(permuted));
  EXPECT_EQ(permuted->cost, cost) << print(*clone);
}

void PlacementPropertyTest::check(unsigned seed,
                                  const RandomProgramOptions &options,
                                  PropertyTally &tally) {
  std::mt19937 random(seed);
  std::string text = RandomProgram(seed, options).run();
  SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + text);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "test.mlir");
  ASSERT_TRUE(module);
  Topology topology = Topology::get(*module);
  tally.look(*module);
  FailureOr<PlacementPrice> optimal =
      price(*module, topology, PlacementStrategy::Optimal);
  FailureOr<PlacementPrice> greedy =
      price(*module, topology, PlacementStrategy::Greedy);
  ASSERT_TRUE(succeeded(optimal) && succeeded(greedy));
  EXPECT_LE(optimal->cost, greedy->cost);

  int64_t best = enumerate(*module, topology);
  if (topology.size() == 2) {
    EXPECT_EQ(optimal->cost, best);
    EXPECT_EQ(optimal->lowerBound, best);
  }
  EXPECT_GE(optimal->cost, best);
  EXPECT_LE(optimal->lowerBound, best);
  checkPermuted(*module, topology, optimal->cost, random);
  checkPlaced(*module, topology, *optimal, tally);

  ++tally.programs;
  tally.withCopies += optimal->copies != 0;
  tally.unlikeGreedy += optimal->cost != greedy->cost;
  tally.optimal += optimal->cost == best;
}

void PlacementPropertyTest::checkAll(unsigned numDevices, unsigned count,
                                     PropertyTally &tally, bool hasNodes) {
  RandomProgramOptions options;
  options.numDevices = numDevices;
  options.hasNodes = hasNodes;
  options.maxOpen = numDevices == 2 ? (isFull() ? 9 : 8)
                                    : (isFull() && numDevices == 3 ? 7 : 5);
  for (unsigned seed = 0; seed < count; ++seed) {
    options.hasRegions = seed % 3 != 0;
    options.hasDearLinks = seed % 4 >= 2;
    options.hasCalls = seed % 2 != 0;
    check(seed, options, tally);
    if (HasFailure())
      return;
  }
  EXPECT_GE(tally.withCopies * 2, tally.programs);
  EXPECT_GE(tally.unlikeGreedy * 5, tally.programs);
  // What there is to get wrong occurs.
  for (unsigned with :
       {tally.withPins, tally.withSeveralResults, tally.withConstants,
        tally.withElements, tally.withNesting, tally.withCalls})
    EXPECT_GE(with * 10, tally.programs);
  EXPECT_GE(tally.withRecursion * 20, tally.programs);
  EXPECT_GE(tally.withRepetitions * 25, tally.programs);
  RecordProperty("programs", tally.programs);
  RecordProperty("with-repetitions", tally.withRepetitions);
  RecordProperty("with-calls", tally.withCalls);
  RecordProperty("with-recursion", tally.withRecursion);
  RecordProperty("with-copies", tally.withCopies);
  RecordProperty("unlike-greedy", tally.unlikeGreedy);
  RecordProperty("optimal", tally.optimal);
}

TEST_F(PlacementPropertyTest, IsOptimalOnTwoDevices) {
  PropertyTally tally;
  checkAll(2, isFull() ? 1200 : 80, tally);
}

TEST_F(PlacementPropertyTest, IsWithinItsGapOnThreeDevices) {
  PropertyTally tally;
  checkAll(3, isFull() ? 800 : 40, tally);
}

TEST_F(PlacementPropertyTest, IsWithinItsGapOnFourDevices) {
  PropertyTally tally;
  checkAll(4, isFull() ? 400 : 20, tally);
}

// Two nodes, whose devices reach each other over their hosts only.
TEST_F(PlacementPropertyTest, IsWithinItsGapOnTwoNodes) {
  PropertyTally tally;
  checkAll(3, isFull() ? 400 : 30, tally, /*hasNodes=*/true);
  tally = {};
  checkAll(4, isFull() ? 200 : 20, tally, /*hasNodes=*/true);
}
