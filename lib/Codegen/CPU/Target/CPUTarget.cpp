//===- CPUTarget.cpp - What host code may use of the processor ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/CPU/Target/CPUTarget.h"

#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::hetero;

/// What this processor can do. Asked once: on a virtual machine each of the
/// many questions leaves it.
static const llvm::StringMap<bool> &getHostFeatures() {
  static const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features;
}

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
    const llvm::StringMap<bool> &features = getHostFeatures();
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
