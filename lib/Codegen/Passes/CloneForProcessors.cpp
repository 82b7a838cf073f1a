//===- CloneForProcessors.cpp - Functions for several processors ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func @main(...) { hetero.execute on cpu:0 ...; call @part(...) }
//     ->
//   func.func @main(...) attributes {processor = "avx512"} { ... @part }
//   func.func @main_avx2(...)
//       attributes {processor = "avx2", variant_of = "main"} { ... @part_avx2 }
//
// Functions are cloned whole: bufferization, the schedule and the plan of the
// memory then see ordinary functions.
//
//===----------------------------------------------------------------------===//

#include "RegionSchedules.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Codegen/Passes/Passes.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CLONEFORPROCESSORSPASS
#include "hetero/Codegen/Passes/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// True if the code of a region depends on the processor. That of a library
/// does, too: the rest of it is generated, and all where the library is
/// missing.
static bool isForProcessor(ExecuteOp region) {
  return region.getDevice().getKind() == kHostKind;
}

/// True if a region of the module has a sum of products of bf16 or i8.
static bool hasDots(ModuleOp module) {
  auto isNarrow = [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return element.isBF16() || element.isInteger(8);
  };
  WalkResult walk = module.walk([&](linalg::LinalgOp op) {
    auto region = op->getParentOfType<ExecuteOp>();
    bool isSum = op.getNumDpsInputs() > 1 && op.getNumReductionLoops() != 0;
    return region && isForProcessor(region) && isSum &&
                   llvm::any_of(op.getDpsInputs(), isNarrow)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// The functions with such regions, and those that refer to them.
static llvm::SetVector<func::FuncOp> findFunctions(ModuleOp module) {
  llvm::SetVector<func::FuncOp> found;
  llvm::StringMap<SmallVector<func::FuncOp>> users;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || function->hasAttr(kProcessorAttrName))
      continue;
    WalkResult walk = function.walk([](ExecuteOp region) {
      return isForProcessor(region) ? WalkResult::interrupt()
                                    : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      found.insert(function);
    if (auto uses = SymbolTable::getSymbolUses(function))
      for (const SymbolTable::SymbolUse &use : *uses)
        users[use.getSymbolRef().getRootReference()].push_back(function);
  }
  for (size_t next = 0; next < found.size(); ++next) {
    func::FuncOp function = found[next];
    if (auto it = users.find(function.getName()); it != users.end())
      found.insert(it->second.begin(), it->second.end());
  }
  return found;
}

/// Adds a clone of each function, which refers to the others' clones.
static void cloneFor(const Processor &processor,
                     const llvm::SetVector<func::FuncOp> &functions,
                     SymbolTable &symbols) {
  llvm::DenseMap<Attribute, FlatSymbolRefAttr> renamed;
  SmallVector<func::FuncOp> clones;
  for (func::FuncOp function : functions) {
    func::FuncOp clone = function.clone();
    auto original = FlatSymbolRefAttr::get(function);
    MLIRContext *context = function.getContext();
    clone.setName((function.getName() + "_" + processor.name).str());
    clone->setAttr(kProcessorAttrName,
                   StringAttr::get(context, processor.name));
    clone->setAttr(kVariantOfAttrName, original.getAttr());
    symbols.insert(clone, std::next(Block::iterator(function)));
    renamed[original] = FlatSymbolRefAttr::get(clone);
    clones.push_back(clone);
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](FlatSymbolRefAttr reference) -> std::optional<Attribute> {
        auto it = renamed.find(reference);
        return it == renamed.end() ? reference : it->second;
      });
  for (func::FuncOp clone : clones)
    clone.walk([&](SymbolUserOpInterface op) {
      replacer.replaceElementsIn(op.getOperation());
    });
}

namespace {
struct CloneForProcessorsPass
    : public mlir::hetero::impl::CloneForProcessorsPassBase<
          CloneForProcessorsPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto wanted = parseProcessors(processors, [&](const std::string &text) {
      emitError(module.getLoc()) << text;
    });
    if (failed(wanted))
      return signalPassFailure();
    if (wanted->empty() || getPhase(module) >= Phase::Codegen)
      return;
    if (wanted->size() > 1 && !hasDots(module))
      llvm::erase_if(*wanted,
                     [](const Processor *one) { return one->hasDots; });
    llvm::SetVector<func::FuncOp> functions = findFunctions(module);
    SymbolTable symbols(module);
    for (const Processor *processor :
         llvm::reverse(ArrayRef(*wanted).drop_front()))
      cloneFor(*processor, functions, symbols);
    for (func::FuncOp function : functions)
      function->setAttr(
          kProcessorAttrName,
          StringAttr::get(module.getContext(), wanted->front()->name));
    remarkSummary(
        module, getArgument(),
        {{"processors", wanted->size()}, {"functions", functions.size()}});
  }
};
} // namespace
