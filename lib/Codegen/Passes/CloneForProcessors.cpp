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
#include "hetero/Transforms/Regions/CloneFunctions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

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

/// Whether the function has such regions and is not for a processor yet.
static bool needsProcessor(func::FuncOp function) {
  if (function->hasAttr(kProcessorAttrName))
    return false;
  WalkResult walk = function.walk([](ExecuteOp region) {
    return isForProcessor(region) ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  return walk.wasInterrupted();
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
    llvm::SetVector<func::FuncOp> functions =
        findWithUsers(module, needsProcessor);
    auto mark = [&](func::FuncOp function, const Processor &processor) {
      function->setAttr(kProcessorAttrName,
                        StringAttr::get(module.getContext(), processor.name));
    };
    SymbolTable symbols(module);
    for (const Processor *processor :
         llvm::reverse(ArrayRef(*wanted).drop_front()))
      for (func::FuncOp clone :
           cloneFunctions(functions, processor->name, symbols))
        mark(clone, *processor);
    for (func::FuncOp function : functions)
      mark(function, *wanted->front());
    remarkSummary(
        module, getArgument(),
        {{"processors", wanted->size()}, {"functions", functions.size()}});
  }
};
} // namespace
