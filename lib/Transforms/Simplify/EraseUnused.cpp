//===- EraseUnused.cpp - Erases what no result depends on -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Marks what side effects and the results of functions depend on, through what
// control flow carries, and sweeps the rest:
//
//   %1 = math.exp %x
//   %2 = math.sin %1      // Nobody reads it.
//   %3 = math.cos %x
//   return %3
// becomes
//   %3 = math.cos %x
//   return %3
//
// Upstream's dead code elimination keeps a value that a loop carries only to
// itself, and calls.
//
//===----------------------------------------------------------------------===//

#include "JoinedOperations.h"
#include "Transforms/Placement/KeepEntry.h"
#include "hetero/Analysis/Blocks/LiveOperations.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Support/Assert.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_ERASEUNUSEDPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Erases what is not live.
class Sweeper {
public:
  Sweeper(ModuleOp module, const LiveOperations &live)
      : module(module), live(live) {}
  /// Returns the number of operations that it erased.
  int64_t run();

private:
  void visit(Region &region);
  void dropArguments(Block &block);
  Value getStandIn(Type type);
  void cutCarried(RegionBranchOpInterface op);
  void eraseDead();
  void eraseCarried();
  void trim(func::FuncOp function, ArrayRef<func::CallOp> calls);

  ModuleOp module;
  const LiveOperations &live;
  SmallVector<Operation *> dead;
  /// Control flow that carries what is not live.
  SmallVector<Operation *> carriers;
  /// The first block of the function that is visited.
  Block *entry = nullptr;
  llvm::MapVector<std::pair<Block *, Type>, Value> standIns;
};
} // namespace

/// Takes the arguments of a block that are not live, and what branches hand
/// to them.
void Sweeper::dropArguments(Block &block) {
  for (unsigned index = block.getNumArguments(); index-- > 0;) {
    if (live.isLive(block.getArgument(index)))
      continue;
    for (auto it = block.pred_begin(); it != block.pred_end(); ++it)
      cast<BranchOpInterface>((*it)->getTerminator())
          .getSuccessorOperands(it.getSuccessorIndex())
          .erase(index);
    block.getArgument(index).dropAllUses();
    block.eraseArgument(index);
  }
}

/// A value of a type, at the beginning of the function: control flow around
/// what it is handed to may go.
Value Sweeper::getStandIn(Type type) {
  Value &standIn = standIns[{entry, type}];
  if (!standIn) {
    auto builder = OpBuilder::atBlockBegin(entry);
    standIn = ub::PoisonOp::create(builder, builder.getUnknownLoc(), type);
  }
  return standIn;
}

/// Hands a stand-in to what is carried and not live, so that nothing makes it.
void Sweeper::cutCarried(RegionBranchOpInterface op) {
  RegionBranchSuccessorMapping mapping;
  op.getSuccessorOperandInputMapping(mapping);
  bool isCut = false;
  for (auto &[operand, inputs] : mapping) {
    if (llvm::any_of(inputs, [&](Value input) { return live.isLive(input); }))
      continue;
    isCut = true;
    operand->set(getStandIn(operand->get().getType()));
  }
  if (isCut)
    carriers.push_back(op);
}

void Sweeper::visit(Region &region) {
  for (Block &block : region) {
    if (!block.isEntryBlock() && live.mayDropArguments(block))
      dropArguments(block);
    for (Operation &op : block) {
      if (!live.isLive(&op)) {
        dead.push_back(&op);
        continue;
      }
      if (LiveOperations::isEntered(&op))
        for (Region &inner : op.getRegions())
          visit(inner);
      // Stand-ins are not visited.
      if (LiveOperations::carries(&op))
        cutCarried(cast<RegionBranchOpInterface>(op));
    }
  }
}

/// Says which annotations go.
static void remarkOnAnnotated(Operation *op) {
  op->walk([](Operation *inner) {
    if (DeviceAttr device = getDevice(inner))
      remark::passed(
          inner->getLoc(),
          remark::RemarkOpts::name("unused").category("hetero-erase-unused"))
          << remark::add("'{0}' on {1} is not computed",
                         inner->getName().getStringRef().str(), device.str())
          << remark::reason("no result depends on it");
  });
}

void Sweeper::eraseDead() {
  for (Operation *op : dead) {
    remarkOnAnnotated(op);
    op->dropAllReferences();
  }
  for (Operation *op : dead) {
    // Its readers stand in blocks that nothing reaches.
    op->dropAllUses();
    op->erase();
  }
}

/// Takes results, arguments and operands that only stand-ins are handed to.
void Sweeper::eraseCarried() {
  if (carriers.empty())
    return;
  RewritePatternSet patterns(module.getContext());
  llvm::SmallSetVector<StringRef, 4> names;
  for (Operation *op : carriers)
    names.insert(op->getName().getStringRef());
  for (StringRef name : names)
    populateRegionBranchOpInterfaceCanonicalizationPatterns(patterns, name);
  GreedyRewriteConfig config;
  config.setScope(&module.getBodyRegion())
      .setStrictness(GreedyRewriteStrictness::ExistingOps)
      .enableFolding(false)
      .enableConstantCSE(false)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  (void)applyOpPatternsGreedily(carriers, std::move(patterns), config);
  for (auto &[key, standIn] : standIns) {
    HETERO_ASSERT(standIn.use_empty(), "what is carried to nobody can go");
    standIn.getDefiningOp()->erase();
  }
}

/// A call without what its function lost.
static void rebuild(func::CallOp call, const llvm::BitVector &arguments,
                    const llvm::BitVector &results) {
  SmallVector<Value> operands, kept;
  SmallVector<Type> types;
  for (auto [index, operand] : llvm::enumerate(call.getOperands()))
    if (!arguments.test(index))
      operands.push_back(operand);
  for (Value result : call.getResults())
    if (!results.test(cast<OpResult>(result).getResultNumber())) {
      kept.push_back(result);
      types.push_back(result.getType());
    }
  OpBuilder builder(call);
  auto shorter = func::CallOp::create(builder, call.getLoc(), types,
                                      call.getCalleeAttr(), operands);
  shorter->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip(kept, shorter.getResults()))
    from.replaceAllUsesWith(to);
  call->dropAllUses();
  call.erase();
}

/// Takes arguments that nothing live reads, and results that no call needs.
void Sweeper::trim(func::FuncOp function, ArrayRef<func::CallOp> calls) {
  llvm::BitVector arguments(function.getNumArguments()),
      results(function.getNumResults());
  for (BlockArgument argument : function.getArguments())
    if (!live.isLive(argument))
      arguments.set(argument.getArgNumber());
  for (unsigned index = 0; index < results.size(); ++index)
    if (!live.isResultLive(function, index))
      results.set(index);
  if (arguments.none() && results.none())
    return;
  for (Block &block : function.getBody())
    if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator()))
      end->eraseOperands(results);
  for (unsigned index : arguments.set_bits())
    function.getArgument(index).dropAllUses();
  (void)function.eraseArguments(arguments);
  (void)function.eraseResults(results);
  for (func::CallOp call : calls)
    if (live.isLive(call.getOperation()))
      rebuild(call, arguments, results);
}

int64_t Sweeper::run() {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    entry = &function.getFunctionBody().front();
    visit(function.getFunctionBody());
  }
  for (auto &[function, calls] : live.getTrimmable())
    trim(cast<func::FuncOp>(function), calls);
  eraseDead();
  eraseCarried();
  return dead.size();
}

/// Erases private functions that no public one reaches; where none is public,
/// nothing says what the module is for.
static int64_t eraseUncalled(ModuleOp module) {
  SmallVector<Operation *> entries;
  int64_t open = 0, hidden = 0;
  for (Operation &op : *module.getBody()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    bool isPublic = symbol && symbol.isPublic();
    if (isPublic)
      entries.push_back(&op);
    if (isa<FunctionOpInterface>(op))
      ++(isPublic ? open : hidden);
  }
  if (open == 0 || hidden == 0)
    return 0;
  FailureOr<llvm::SetVector<Operation *>> reached =
      findReached(module, entries);
  if (failed(reached))
    return 0;
  int64_t erased = 0;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<FunctionOpInterface>())) {
    if (reached->contains(function))
      continue;
    remarkOnAnnotated(function);
    function->erase();
    ++erased;
  }
  return erased;
}

namespace {
struct EraseUnusedPass
    : public mlir::hetero::impl::EraseUnusedPassBase<EraseUnusedPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) > Phase::Annotated)
      return;
    PinCount pins(module);
    int64_t functions = eraseUncalled(module);
    LiveOperations live(module);
    int64_t operations = Sweeper(module, live).run();
    // Their calls may have been what is not live.
    if (operations != 0)
      functions += eraseUncalled(module);
    pins.update();
    remarkSummary(module, getArgument(),
                  {{"operations", operations}, {"functions", functions}});
  }
};
} // namespace
