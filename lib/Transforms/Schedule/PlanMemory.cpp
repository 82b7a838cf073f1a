//===- PlanMemory.cpp - Frees buffers and lays them out -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First every buffer is freed (InsertFrees.cpp), then what is allocated and
// freed within a function gets its place in an arena (PlanArenas.cpp).
//
//===----------------------------------------------------------------------===//

#include "InsertFrees.h"
#include "PlanArenas.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// What each device needs for the values of a function.
static void remarkOn(ArrayRef<ArenaSummary> arenas) {
  for (const ArenaSummary &arena : arenas)
    remark::analysis(arena.loc, remark::RemarkOpts::name("arena").category(
                                    "hetero-plan-memory"))
        << remark::metric("Device", arena.device ? arena.device.str() : "cpu:0")
        << remark::metric("Buffers", arena.buffers)
        << remark::metric("Bytes", arena.bytes)
        << remark::metric("LiveBytes", arena.liveBytes);
}

namespace {
struct PlanMemoryPass
    : public mlir::hetero::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) >= Phase::Planned)
      return;
    FailureOr<int64_t> early = insertFrees(module, [&](OpPassManager &passes) {
      return runPipeline(passes, module);
    });
    if (failed(early))
      return signalPassFailure();
    SmallVector<ArenaSummary> arenas;
    if (useArenas) {
      FailureOr<SmallVector<ArenaSummary>> planned = planArenas(module);
      if (failed(planned))
        return signalPassFailure();
      arenas = *planned;
    }
    setPhase(module, Phase::Planned);
    remarkOn(arenas);
    remarkSummary(
        module, getArgument(),
        {{"frees", countOperations<memref::DeallocOp>}, {"early", *early}});
  }
};
} // namespace
