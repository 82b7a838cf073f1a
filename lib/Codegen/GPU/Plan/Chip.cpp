//===- Chip.cpp - What kernels are generated for --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/GPU/Plan/Chip.h"

#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"
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

bool mlir::hetero::isOfOneChip(StringRef chip) { return chip.ends_with("a"); }

static bool isEarlier(StringRef chip, StringRef other) {
  return std::pair(getArchitecture(chip), chip) <
         std::pair(getArchitecture(other), other);
}

Chips::Chips(ModuleOp module, StringRef option) {
  if (!option.empty()) {
    all.push_back(option.str());
    return;
  }
  TopologyAttr topology = getTopologyAttr(module);
  for (DeviceSpecAttr spec :
       topology ? topology.getDevices() : ArrayRef<DeviceSpecAttr>())
    if (auto target =
            dyn_cast_or_null<NVVM::NVVMTargetAttr>(spec.getTarget())) {
      ofDevices[spec.getDevice()] = target.getChip().str();
      all.push_back(target.getChip().str());
    }
  if (all.empty())
    all.push_back(kDefaultChip.str());
  llvm::sort(all, isEarlier);
  all.erase(llvm::unique(all), all.end());
}

StringRef Chips::getChip(DeviceAttr device) const {
  auto it = ofDevices.find(device);
  return it == ofDevices.end() ? all.front() : it->second;
}

/// At the highest optimization level. Without features LLVM picks the PTX
/// version that the chip needs.
static Attribute getNVVMTarget(MLIRContext *context, StringRef chip) {
  return NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                   "nvptx64-nvidia-cuda", chip,
                                   /*features=*/"");
}

ArrayAttr Chips::getTargets(MLIRContext *context, StringRef chip) const {
  SmallVector<Attribute> targets{getNVVMTarget(context, chip)};
  for (const std::string &other : all)
    if (!isOfOneChip(chip) && isEarlier(chip, other))
      targets.push_back(getNVVMTarget(context, other));
  return ArrayAttr::get(context, targets);
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
