//===- Annotate.cpp - Annotates operations from a rules file --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With the rule `{op: "linalg.conv_2d*", nth: 0, device: "gpu:0"}` as the
// second of its file,
//
//   %0 = linalg.conv_2d_nchw_fchw ins(%x, %w) ...
// becomes
//   %0 = linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<gpu:0>,
//                                  hetero.origin = "rule 2"} ins(%x, %w) ...
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/Transforms/Passes.h"

#include "hetero/Analysis/Placement.h"
#include "hetero/Analysis/Rules.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_ANNOTATEPASS
#include "hetero/Dialect/Hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// True for rules that are given themselves instead of the name of a file.
static bool isInline(StringRef option) {
  option = option.ltrim();
  return option.starts_with("[") || option.starts_with("{") ||
         option.contains(": ") || option.contains('\n');
}

/// The rules of the option: a file, or the rules in flow style. Pass pipelines
/// strip the outer braces of an option, so they are put back.
static FailureOr<RuleSet> loadRules(ModuleOp module, StringRef option) {
  MLIRContext *context = module.getContext();
  if (isInline(option)) {
    StringRef trimmed = option.trim();
    bool isWhole = trimmed.starts_with("[") || trimmed.starts_with("{") ||
                   trimmed.contains('\n');
    std::string text = isWhole ? option.str() : "{" + option.str() + "}";
    return parseRules(text, "rules", context);
  }
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(option, &message);
  if (!file)
    return emitError(module.getLoc())
           << "cannot read the rules file: " << message;
  return parseRules(file->getBuffer(), option, context);
}

/// Gives the module the topology of the option. One that the module has is part
/// of the program and stays.
static LogicalResult setTopology(ModuleOp module, StringRef option) {
  FailureOr<TopologyAttr> topology = loadTopology(
      option, module.getContext(), [&] { return emitError(module.getLoc()); });
  if (failed(topology))
    return failure();
  auto present = module->getAttrOfType<TopologyAttr>(kTopologyAttrName);
  if (present && present != *topology)
    emitWarning(module.getLoc())
        << "the module has a topology of its own, which the option 'topology' "
           "does not replace; remove one of them";
  if (!present)
    module->setAttr(kTopologyAttrName, *topology);
  return success();
}

/// Rules may name only devices that exist.
static LogicalResult checkTopology(ModuleOp module, const RuleSet &rules) {
  auto attr = module->getAttrOfType<TopologyAttr>(kTopologyAttrName);
  if (!attr)
    return success();
  Topology topology(attr, /*isExplicit=*/true);
  for (const Rule &rule : rules.rules) {
    if (!topology.getMatching(rule.device.getBare()).empty())
      continue;
    InFlightDiagnostic error = emitError(rule.loc)
                               << "the topology has no device "
                               << rule.device.str() << " ("
                               << topology.listDevices()
                               << "); add a device_spec for it or name "
                                  "another device";
    error.attachNote(module.getLoc()) << "the topology stands here";
    return failure();
  }
  return success();
}

/// Rules are for what can be placed, and for control flow, whose annotation is
/// the default for the operations inside.
static bool isCandidate(Operation *op) {
  return isPlaceable(op) || (isControlFlow(op) && hasTensors(op));
}

/// Writes the first rule that matches each operation. Returns how many
/// operations each rule matched, whether or not an earlier one won.
static SmallVector<int64_t> applyRules(ModuleOp module, const RuleSet &rules) {
  SmallVector<int64_t> met(rules.rules.size()), matched(rules.rules.size());
  walkPlacedOperations(module, [&](Operation *op) {
    if (!isCandidate(op))
      return;
    auto function = op->getParentOfType<FunctionOpInterface>();
    StringRef name = SymbolTable::getSymbolName(function).getValue();
    for (auto [index, rule] : llvm::enumerate(rules.rules)) {
      if (!rule.matches(op, name))
        continue;
      if (rule.nth && met[index]++ != *rule.nth)
        continue;
      ++matched[index];
      if (getDevice(op))
        continue;
      setDevice(op, rule.device);
      op->setAttr(kOriginAttrName, StringAttr::get(op->getContext(),
                                                   "rule " + Twine(index + 1)));
    }
  });
  return matched;
}

/// What later phases have to know of the rules file.
static void writeModuleAttributes(ModuleOp module, const RuleSet &rules) {
  MLIRContext *context = module.getContext();
  llvm::SetVector<Attribute> devices;
  for (DeviceAttr device : rules.devices)
    devices.insert(device);
  for (const Rule &rule : rules.rules)
    devices.insert(rule.device.getBare());
  if (!devices.empty())
    module->setAttr(kDevicesAttrName,
                    ArrayAttr::get(context, devices.getArrayRef()));
  if (rules.defaultDevice)
    module->setAttr(kDefaultAttrName, rules.defaultDevice);
  int64_t pins = 0;
  walkPlacedOperations(
      module, [&](Operation *op) { pins += bool(hetero::getDevice(op)); });
  module->setAttr(kPinsAttrName,
                  IntegerAttr::get(IntegerType::get(context, 64), pins));
  setPhase(module, Phase::Annotated);
}

namespace {
struct AnnotatePass
    : public mlir::hetero::impl::AnnotatePassBase<AnnotatePass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(annotate(getOperation())))
      signalPassFailure();
  }

  LogicalResult annotate(ModuleOp module) {
    if (getPhase(module) > Phase::Annotated)
      return emitError(module.getLoc())
             << "expected a module before placement, got phase '"
             << stringifyPhase(getPhase(module))
             << "'; run hetero-annotate earlier";
    if (!topology.empty() && failed(setTopology(module, topology)))
      return failure();
    RuleSet rules;
    if (!rulesFile.empty()) {
      FailureOr<RuleSet> loaded = loadRules(module, rulesFile);
      if (failed(loaded))
        return failure();
      rules = std::move(*loaded);
    }
    if (failed(checkTopology(module, rules)))
      return failure();
    SmallVector<int64_t> matched = applyRules(module, rules);
    for (auto [index, count] : llvm::enumerate(matched))
      if (count == 0)
        emitWarning(rules.rules[index].loc)
            << "rule " << index + 1 << " matches no operation";
    writeModuleAttributes(module, rules);
    return success();
  }
};
} // namespace
