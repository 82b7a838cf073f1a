//===- CPUCodegen.cpp - Code generation for the host ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a cpu region becomes, step by step: destination-style
// linalg.generic operations, fused ones, tiles of an scf.forall, and loops over
// vectors in each tile. What cannot be vectorized stays a linalg.generic, which
// the lowering turns into scalar loops. Regions of the host are vectorized when
// all of them have been tiled, so that equal kernels are one
// (MergeHostKernels.cpp).
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/CPU/CPUCodegen.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/CPU/Emit/VectorizeRegion.h"
#include "Codegen/Common/CleanUp.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Codegen/Common/FuseElementwise.h"
#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Codegen/Decompose/Decompose.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::hetero;

CPUTarget CPUTarget::get(Operation *op) {
  CPUTarget target;
  auto module = op->getParentOfType<ModuleOp>();
  auto bits = module ? module->getAttrOfType<IntegerAttr>(kVectorBitsAttrName)
                     : IntegerAttr();
  if (const Processor *processor = getProcessor(op)) {
    target.vectorBits = processor->vectorBits;
    target.dotsBF16 = target.dotsI8 = processor->hasDots;
  } else {
    // Vectors of a given width say nothing about other instructions.
    llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    if (bits || features.lookup("avx512f"))
      target.vectorBits = 512;
    // Where others multiply and add f32 twice in a cycle, they take two cycles
    // for this instruction, which does as much as two of those.
    target.dotsBF16 = !bits && features.lookup("avx512bf16") &&
                      llvm::sys::getHostCPUName().starts_with("znver");
    // Without AVX-512, the same instruction has another encoding.
    target.dotsI8 =
        !bits &&
        features.lookup(features.lookup("avx512f") ? "avx512vnni" : "avxvnni");
  }
  if (bits)
    target.vectorBits =
        std::clamp<int64_t>(bits.getInt(), 128, target.vectorBits);
  target.vectorRegisters = target.vectorBits == 512 ? 32 : 16;
  return target;
}

LogicalResult mlir::hetero::prepareCPURegion(Operation *root) {
  for (auto step :
       {decomposeSoftmax, decomposeRegion, widenSums, normalizeProducts,
        findPads, moveChannelsLast, collapseLoops, applyWinograd,
        moveFiltersToLanes, collapseWindows, fuseElementwise,
        collapseTransposes, tileCPURegion, expandPads})
    if (failed(step(root)))
      return failure();
  return success();
}

static LogicalResult reportFailure(ExecuteOp op) {
  return op.emitOpError("cannot generate host code for \"")
         << op.getName() << "\"";
}

LogicalResult mlir::hetero::vectorizePreparedRegion(ExecuteOp op) {
  if (failed(vectorizeCPURegion(op)))
    return reportFailure(op);
  return cleanUpRegion(op);
}

LogicalResult mlir::hetero::generateCPURegion(ExecuteOp op) {
  if (failed(prepareCPURegion(op)))
    return reportFailure(op);
  // The tensors of other devices get their memory in types, region by region.
  if (!op.getDevice().isHost())
    return vectorizePreparedRegion(op);
  op->setAttr(kPreparedAttrName, UnitAttr::get(op.getContext()));
  return success();
}
