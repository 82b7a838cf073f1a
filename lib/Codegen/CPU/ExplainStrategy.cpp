//===- ExplainStrategy.cpp - Says how host code is made -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strategy of an operation is its tile for a thread, which loop runs over
// lanes, the register tile and what is packed:
//
//   product of 256 x 64 x 512 in a tile of 256 x 64: vectors of 16 along loop
//   1, register tile of 6 rows along loop 0 by 4 vectors, operand 1 in panels
//   ...
//
//===----------------------------------------------------------------------===//

#include "ExplainStrategy.h"

#include "CPUCodegen.h"
#include "Codegen/CPU/Plan/Access.h"
#include "Codegen/CPU/Plan/DotPlan.h"
#include "Codegen/CPU/Plan/Epilogue.h"
#include "Codegen/CPU/Plan/VectorPlan.h"
#include "Codegen/CPU/Plan/WindowPlan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

static void printSizes(raw_ostream &os, ArrayRef<int64_t> sizes) {
  llvm::interleave(
      sizes, os,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          os << "?";
        else
          os << size;
      },
      " x ");
}

static StringRef classify(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0)
    return "elementwise over ";
  return op.getNumDpsInputs() > 1 ? "contraction of " : "reduction of ";
}

static void printRows(raw_ostream &os, linalg::GenericOp op,
                      const VectorPlan &plan) {
  os << ", register tile of ";
  if (plan.rows)
    os << plan.rows->count << " rows along loop " << plan.rows->loop << " by ";
  os << plan.vectors << (plan.vectors == 1 ? " vector" : " vectors");
  if (plan.inner && plan.inner->count > 1)
    os << " by " << plan.inner->count << " iterations of loop "
       << plan.inner->loop;
  if (plan.is<WindowRows>())
    os << ", because windows next to each other share what is loaded";
  else if (plan.rows && op.getNumReductionLoops() != 0)
    os << ", because the rows share what is loaded";
  if (plan.inner && !plan.is<LaneSums>())
    os << ", loop " << plan.inner->loop << " inside loop " << plan.rows->loop
       << (plan.is<PixelRows>() ? ", because all pixels share the filters"
                                : ", because that reads more");
}

static void printPanels(raw_ostream &os, linalg::GenericOp op,
                        const VectorPlan &plan) {
  for (unsigned input : plan.panels.packed) {
    OpOperand *operand = &op->getOpOperand(input);
    SmallVector<int64_t> sizes;
    for (unsigned loop : getReductionLoops(op, operand))
      sizes.push_back(op.getStaticLoopRanges()[loop]);
    sizes.push_back(plan.vectors * plan.lanes);
    os << ", operand " << input << " in panels of ";
    printSizes(os, sizes);
    if (plan.isTransposed(input)) {
      os << ", made of transposed blocks, because many rows share them";
      if (plan.panels.leastRows &&
          ShapedType::isDynamic(op.getStaticLoopRanges()[plan.rows->loop]))
        os << " (of fewer than " << *plan.panels.leastRows << " sums in lanes)";
      continue;
    }
    os << (classifyAccess(op, operand, plan.vectorLoop) == AccessKind::Strided
               ? ", because its elements are not next to each other"
               : ", because its rows are far apart");
  }
  for (unsigned input : plan.panels.prepared)
    os << ", operand " << input
       << " in panels made at compile time, because it is a constant";
}

static void printBorders(raw_ostream &os, linalg::GenericOp op,
                         const VectorPlan &plan) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (std::optional<Border> border = findBorder(op, input, plan))
      os << ", operand " << input->getOperandNumber()
         << " read without its border";
}

static void printGroups(raw_ostream &os, linalg::GenericOp op,
                        const VectorPlan &plan, const CPUTarget &target) {
  if (!plan.narrow)
    return;
  os << ", " << plan.narrow->size << " steps of loop " << plan.narrow->loop
     << " at a time, because ";
  if (hasInstruction(*matchNarrowProduct(op), target))
    os << "the processor has an instruction that adds " << plan.narrow->size
       << " products";
  else
    os << "they are made wider together";
}

static void printDepth(raw_ostream &os, linalg::GenericOp op,
                       const VectorPlan &plan) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (plan.panels.depth)
    os << ", " << *plan.panels.depth << " of the "
       << op.getStaticLoopRanges()[loops[0]] << " steps of loop " << loops[0]
       << " at a time, because the panel is larger than the cache";
}

static void printEpilogue(raw_ostream &os, linalg::GenericOp op,
                          const CPUTarget &target) {
  if (std::optional<Epilogue> epilogue = findEpilogue(op, target))
    os << (epilogue->inRegisters
               ? ", on the accumulators of the contraction before"
               : ", on each register tile of the contraction before")
       << ", because nothing else reads that";
}

static std::string describe(linalg::GenericOp op, const CPUTarget &target) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << classify(op);
  printSizes(os, op.getStaticLoopRanges());
  if (auto tiles = op->getParentOfType<scf::ForallOp>()) {
    os << " in tiles with steps of ";
    printSizes(os, tiles.getStaticStep());
  } else {
    os << " in one piece";
  }
  std::optional<VectorPlan> plan = planVectorLoops(op, target);
  if (!plan) {
    os << ": scalar loops, because no loop has contiguous results and "
          "operations with a vector form";
    return text;
  }
  os << ": vectors of " << plan->lanes << " along loop " << plan->vectorLoop;
  if (plan->is<LaneSums>())
    os << ", whose lanes hold partial results";
  printRows(os, op, *plan);
  if (plan->is<Passes>())
    os << ", " << plan->getPassSteps()
       << " steps of the reduction in each pass, because "
       << "memory that is read once is read in its order";
  printGroups(os, op, *plan, target);
  printPanels(os, op, *plan);
  printBorders(os, op, *plan);
  printDepth(os, op, *plan);
  printEpilogue(os, op, target);
  return text;
}

LogicalResult mlir::hetero::explainCPURegion(
    ExecuteOp region,
    llvm::function_ref<void(Location, const std::string &)> report,
    llvm::function_ref<LogicalResult(ExecuteOp)> before) {
  // Of a copy, for the region itself stays as it is.
  OpBuilder builder(region);
  auto copy = cast<ExecuteOp>(builder.clone(*region));
  LogicalResult result = before ? before(copy) : success();
  if (succeeded(result))
    result = prepareCPURegion(copy);
  CPUTarget target = CPUTarget::get(region);
  if (succeeded(result))
    copy->walk([&](linalg::GenericOp op) {
      report(op.getLoc(), describe(op, target));
    });
  copy->erase();
  return result;
}
