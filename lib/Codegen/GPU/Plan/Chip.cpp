//===- Chip.cpp - What kernels are generated for --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/GPU/Plan/Chip.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::hetero;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

/// Old enough to run widely.
static constexpr StringLiteral kDefaultChip = "sm_80";

unsigned mlir::hetero::getArchitecture(StringRef chip) {
  unsigned number = 0;
  if (chip.consume_front("sm_"))
    chip.consumeInteger(10, number);
  return number;
}

std::string mlir::hetero::chooseChip(ModuleOp module, StringRef option) {
  if (!option.empty())
    return option.str();
  std::string lowest;
  auto topology = module->getAttrOfType<TopologyAttr>(kTopologyAttrName);
  if (!topology)
    return kDefaultChip.str();
  for (DeviceSpecAttr spec : topology.getDevices()) {
    auto target = dyn_cast_or_null<NVVM::NVVMTargetAttr>(spec.getTarget());
    if (target && (lowest.empty() ||
                   getArchitecture(target.getChip()) < getArchitecture(lowest)))
      lowest = target.getChip().str();
  }
  return lowest.empty() ? kDefaultChip.str() : lowest;
}

LogicalResult mlir::hetero::verifyChip(Location loc, StringRef chip) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return emitError(loc) << "LLVM has no NVPTX back end: " << message
                          << "; install an LLVM that has one";
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, "", ""));
  if (info->isCPUStringValid(chip))
    return success();
  std::string known;
  for (const auto &processor : info->getAllProcessorDescriptions())
    known += (known.empty() ? "" : ", ") + std::string(processor.Key);
  return emitError(loc) << "unknown chip '" << chip
                        << "'; use one that LLVM knows: " << known;
}

Attribute mlir::hetero::getNVVMTarget(MLIRContext *context, StringRef chip) {
  // Without features LLVM picks the PTX version that the chip needs.
  return NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                   "nvptx64-nvidia-cuda", chip,
                                   /*features=*/"");
}
