//===- SplitByNode.cpp - One program for each node ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scheduled program is one order of the work of all devices. Each node runs
// the part of it that is its own, in that order; what a node needs of another
// one is sent and received:
//
//   memref.copy %a, %b       // cpu:0 -> cpu:0 of node 1
//
// becomes, on node 0 and on node 1,
//
//   hetero.send %a to 1 tag 3        hetero.receive %b from 0 tag 3
//   ...                              ...
//   hetero.await_transfer %a tag 3   hetero.await_transfer %b tag 3
//
// NodeDemand.cpp finds out who needs what, ProjectNodes.cpp copies it,
// TransferAwaits.cpp lets transfers overlap with work, and VerifyTransfers.cpp
// proves that nobody waits forever.
//
//===----------------------------------------------------------------------===//

#include "ForeignSizes.h"
#include "LocalDevices.h"
#include "NodeDemand.h"
#include "ProjectNodes.h"
#include "TransferAwaits.h"
#include "VerifyTransfers.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_SPLITBYNODEPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// One more than the largest number of a node that has devices or buffers.
static int64_t countNodes(ModuleOp module) {
  Topology topology = Topology::get(module);
  int64_t largest = 0;
  for (DeviceIndex i = 0; i < topology.size(); ++i)
    largest = std::max(largest, topology.getDevice(i).getNode());
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isa<MemRefType>(result.getType()))
        largest = std::max(largest, getBufferNode(result));
  });
  return largest + 1;
}

/// The text with the resources by number in the order in which they come: a
/// context that has read the program before gives them other names.
static std::string numberResources(StringRef text) {
  constexpr StringLiteral kBegin = "dense_resource<";
  llvm::StringMap<unsigned> numbers;
  std::string numbered;
  while (true) {
    auto [before, after] = text.split(kBegin);
    numbered += before;
    if (before.size() == text.size())
      return numbered;
    auto [name, rest] = after.split('>');
    unsigned number = numbers.try_emplace(name, numbers.size()).first->second;
    numbered += kBegin.str() + std::to_string(number);
    text = text.take_back(rest.size() + 1);
  }
}

/// By which ranks see that they run the same program: the text and the elements
/// of resources, in the order in which they come.
static int64_t hashProgram(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream,
                OpPrintingFlags().useLocalScope().elideLargeResourceString(0));
  text = numberResources(text);
  AttrTypeWalker walker;
  walker.addWalk([&](DenseResourceElementsAttr elements) {
    if (AsmResourceBlob *blob = elements.getRawHandle().getBlob())
      text += std::to_string(llvm::xxh3_64bits(llvm::arrayRefFromStringRef(
          StringRef(blob->getData().data(), blob->getData().size()))));
  });
  module.walk([&](Operation *op) { walker.walk(op->getAttrDictionary()); });
  return static_cast<int64_t>(llvm::xxh3_64bits(text));
}

/// Entry points of nodes take nothing and return nothing: where the program
/// itself calls one, it calls a private copy.
static void separateEntryPoints(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::MapVector<Operation *, SmallVector<func::CallOp>> calls;
  module.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && callee.isPublic() && !callee.isExternal())
      calls[callee].push_back(call);
  });
  for (auto &[function, callers] : calls) {
    auto copy = cast<func::FuncOp>(function->clone());
    StringAttr name = copy.getNameAttr();
    copy.setPrivate();
    symbols.insert(copy);
    for (func::CallOp call : callers)
      call.setCallee(copy.getName());
    copy.walk([&](func::CallOp call) {
      if (call.getCalleeAttr().getAttr() == name)
        call.setCallee(copy.getName());
    });
  }
}

/// Control flow no longer passes on what only other nodes have.
static LogicalResult dropForeignValues(ModuleOp program) {
  MLIRContext *context = program.getContext();
  RewritePatternSet patterns(context);
  for (StringRef name :
       {scf::ForOp::getOperationName(), scf::WhileOp::getOperationName(),
        scf::IfOp::getOperationName(), scf::IndexSwitchOp::getOperationName(),
        scf::ExecuteRegionOp::getOperationName()})
    populateRegionBranchOpInterfaceCanonicalizationPatterns(patterns, name);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  config.enableFolding(false);
  return applyPatternsGreedily(program, std::move(patterns), config);
}

/// What is left to do for a node's program once it has its operations.
static LogicalResult finish(ModuleOp program, int64_t node, int64_t count,
                            int64_t hash) {
  localizeDevices(program, node, count);
  program->setAttr(
      kProgramHashAttrName,
      IntegerAttr::get(IntegerType::get(program.getContext(), 64), hash));
  if (failed(dropForeignValues(program)))
    return program.emitError(
        "control flow between nodes cannot be simplified; report this");
  awaitTransfers(program);
  hoistReceives(program);
  return verifyTransferOrder(program);
}

namespace {
struct SplitByNodePass
    : public mlir::hetero::impl::SplitByNodePassBase<SplitByNodePass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Split already.
    if (module->hasAttr(kNodesAttrName))
      return;
    int64_t count = countNodes(module);
    if (node >= count) {
      module.emitError("expected a node of 0 to ")
          << count - 1 << ", got " << int64_t(node)
          << "; the program has devices on these only";
      return signalPassFailure();
    }
    if (count == 1)
      return;
    if (getPhase(module) != Phase::Scheduled) {
      module.emitError("expected a scheduled module, got phase '")
          << stringifyPhase(getPhase(module))
          << "'; run hetero-schedule before, and hetero-plan-memory after";
      return signalPassFailure();
    }
    if (failed(split(module, count)))
      signalPassFailure();
  }

private:
  LogicalResult split(ModuleOp module, int64_t count);
  void replace(ModuleOp module, NodeProjector &projector, int64_t count);
};
} // namespace

LogicalResult SplitByNodePass::split(ModuleOp module, int64_t count) {
  int64_t hash = hashProgram(module);
  separateEntryPoints(module);
  hoistForeignSizes(module);
  NodeDemand demand(module);
  if (failed(demand.run()))
    return failure();
  SmallVector<int64_t> made;
  if (node >= 0)
    made.push_back(node);
  else
    llvm::append_range(made, llvm::seq<int64_t>(count));
  NodeProjector projector(module, demand, made);
  projector.run();
  for (int64_t number : made)
    if (failed(
            finish(*projector.getProgram(number).module, number, count, hash)))
      return failure();
  replace(module, projector, count);
  remarkSummary(module, getArgument(),
                {{"nodes", count},
                 {"transfers", projector.numTransfers},
                 {"copies", projector.numCopies}});
  return verifyTransferPairs(module);
}

/// Puts the programs in the joined one's place.
void SplitByNodePass::replace(ModuleOp module, NodeProjector &projector,
                              int64_t count) {
  module.getBody()->clear();
  if (node >= 0) {
    ModuleOp program = *projector.getProgram(node).module;
    module->setDiscardableAttrs(program->getDiscardableAttrDictionary());
    module.getBodyRegion().takeBody(program.getBodyRegion());
    return;
  }
  module->setAttr(kNodesAttrName,
                  Builder(&getContext()).getI64IntegerAttr(count));
  for (int64_t number = 0; number < count; ++number) {
    ModuleOp program = projector.getProgram(number).module.release();
    program.setSymName("node" + std::to_string(number));
    module.getBody()->push_back(program);
  }
}
