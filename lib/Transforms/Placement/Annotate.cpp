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

#include "Assumptions.h"
#include "FlattenModules.h"
#include "KeepEntry.h"
#include "hetero/Analysis/Machine/LoadRules.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Placement/AssumedSizes.h"

#include "hetero/Analysis/Machine/NearMisses.h"
#include "hetero/Analysis/Machine/Rules.h"
#include "hetero/Dialect/Hetero/IR/AllowTF32.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_ANNOTATEPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

static LogicalResult checkInTopology(ModuleOp module, const Topology &topology,
                                     DeviceAttr device, Location loc) {
  if (!topology.getMatching(device.getBare()).empty())
    return success();
  InFlightDiagnostic error =
      emitError(loc) << "the topology has no device " << device.getBare().str()
                     << " (" << topology.listDevices()
                     << "); add a device_spec for it or name "
                        "another device";
  error.attachNote(module.getLoc()) << "the topology stands here";
  return failure();
}

/// Without a topology there are as many devices of a kind as the rules name,
/// but a kind that is not registered is a slip of the pen.
static LogicalResult checkKind(const DeviceKinds &kinds, DeviceAttr device,
                               Location loc) {
  if (kinds.lookup(device.getKind()))
    return success();
  return emitError(loc) << "unknown device kind '" << device.getKind()
                        << "'; the kinds are "
                        << llvm::join(kinds.getNames(), ", ")
                        << ", and those of the module's hetero.topology";
}

/// Gives the module the topology of the option. One that the module has is part
/// of the program and stays.
static LogicalResult setTopology(ModuleOp module, StringRef option) {
  FailureOr<TopologyAttr> topology = loadTopology(
      option, module.getContext(), [&] { return emitError(module.getLoc()); });
  if (failed(topology))
    return failure();
  TopologyAttr present = getTopologyAttr(module);
  if (present && present != *topology)
    emitWarning(module.getLoc())
        << "the module has a topology of its own, which the option 'topology' "
           "does not replace; remove one of them";
  if (!present)
    module->setAttr(kTopologyAttrName, *topology);
  return success();
}

/// Rules may name only devices that exist.
static LogicalResult checkDevices(ModuleOp module, const RuleSet &rules) {
  SmallVector<std::pair<DeviceAttr, Location>> used;
  for (const Rule &rule : rules.rules)
    if (rule.device)
      used.emplace_back(rule.device, rule.deviceLoc);
  if (rules.defaultDevice)
    used.emplace_back(rules.defaultDevice, *rules.defaultLoc);
  if (TopologyAttr attr = getTopologyAttr(module)) {
    // What the file lists and does not use may be of another machine.
    Topology topology(attr, /*isExplicit=*/true);
    return success(llvm::all_of(used, [&](const auto &device) {
      return succeeded(
          checkInTopology(module, topology, device.first, device.second));
    }));
  }
  llvm::append_range(used, rules.devices);
  DeviceKinds &kinds =
      DeviceKinds::get(module.getContext()->getOrLoadDialect<HeteroDialect>());
  return success(llvm::all_of(used, [&](const auto &device) {
    return succeeded(checkKind(kinds, device.first, device.second));
  }));
}

/// Rules are for what can be placed, and for control flow, whose annotation is
/// the default for the operations inside.
static bool isCandidate(Operation *op) {
  return isPlaceable(op) || (isControlFlow(op) && hasTensors(op));
}

namespace {
/// Writes the annotations of one rule set into one module.
class Annotator {
public:
  Annotator(ModuleOp module, ArrayRef<Rule> rules);

  /// Writes the first rule that matches each operation.
  void run();
  /// Warns about rules that had no effect.
  void reportIdleRules() const;
  /// How many operations carry an annotation now.
  int64_t getPins() const { return pins; }
  /// How many of them a rule wrote in this run.
  int64_t getWritten() const { return numWritten; }

private:
  void enterBlock(Block *block);
  void visit(Operation *op);
  void place(Operation *op, DeviceAttr device, const RuleMatch &match);
  void write(Operation *op, unsigned rule, DeviceAttr device, Attribute origin);
  bool complete(Operation *op, DeviceAttr annotation, unsigned rule);
  void remarkExcluded(Operation *op, DeviceAttr annotation, unsigned rule);

  ModuleOp module;
  ArrayRef<Rule> rules;
  RuleMatcher matcher;
  /// "rule N", by number from 0.
  SmallVector<StringAttr> origins;
  /// Rules that some operation carries.
  llvm::BitVector applied;
  /// The attributes of an operation with those of a rule. Many operations
  /// have the same, and finding one here is cheaper than making it anew.
  llvm::DenseMap<std::pair<DictionaryAttr, unsigned>, DictionaryAttr> written;
  StringAttr pinned;
  /// Of the last operation.
  Block *block = nullptr;
  Operation *function = nullptr;
  int64_t pins = 0, numWritten = 0;
};
} // namespace

Annotator::Annotator(ModuleOp module, ArrayRef<Rule> rules)
    : module(module), rules(rules), matcher(rules, TensorSizes(module)),
      applied(rules.size()),
      pinned(StringAttr::get(module.getContext(), kPinnedOrigin)) {
  for (unsigned index = 0; index < rules.size(); ++index)
    origins.push_back(
        StringAttr::get(module.getContext(), "rule " + Twine(index + 1)));
}

void Annotator::write(Operation *op, unsigned rule, DeviceAttr device,
                      Attribute origin) {
  numWritten += bool(device);
  applied.set(rule);
  // With those of an operation that keeps its own here, too.
  DictionaryAttr old = op->getRawDictionaryAttrs();
  DictionaryAttr &attrs = written[{old, rule}];
  if (!attrs) {
    NamedAttrList list(old);
    if (device) {
      list.set(kDeviceAttrName, device);
      list.set(kOriginAttrName, origin);
    }
    // What the operation says itself stays.
    if (std::optional<bool> allows = rules[rule].allowsTF32;
        allows && !list.get(kAllowTF32AttrName))
      list.set(kAllowTF32AttrName, BoolAttr::get(op->getContext(), *allows));
    if (std::optional<ConflictMode> mode = rules[rule].conflict;
        mode && !list.get(kConflictAttrName))
      list.set(kConflictAttrName,
               ConflictModeAttr::get(op->getContext(), *mode));
    if (std::optional<MemoryScope> scope = rules[rule].memory;
        scope && !list.get(kMemoryAttrName))
      list.set(kMemoryAttrName, MemoryScopeAttr::get(op->getContext(), *scope));
    attrs = list.getDictionary(op->getContext());
  }
  op->setDiscardableAttrs(attrs);
}

void Annotator::enterBlock(Block *entered) {
  block = entered;
  Operation *parent = entered->getParentOp();
  auto around = dyn_cast<FunctionOpInterface>(parent);
  if (!around)
    around = parent->getParentOfType<FunctionOpInterface>();
  if (around == function)
    return;
  function = around;
  matcher.enterFunction(SymbolTable::getSymbolName(around).getValue());
}

/// What the annotation of an operation leaves out, the rule that it does not
/// contradict says: `gpu` and `gpu:1`. The annotation stays one.
bool Annotator::complete(Operation *op, DeviceAttr annotation, unsigned rule) {
  DeviceAttr joined = annotation.meet(rules[rule].device);
  if (joined == annotation)
    return false;
  auto origin = op->getAttrOfType<StringAttr>(kOriginAttrName);
  write(
      op, rule, joined,
      StringAttr::get(op->getContext(), (origin ? origin : pinned).getValue() +
                                            ", " + origins[rule].getValue()));
  return true;
}

void Annotator::remarkExcluded(Operation *op, DeviceAttr annotation,
                               unsigned rule) {
  auto missed = remark::missed(
      op->getLoc(),
      remark::RemarkOpts::name("excluded").category("hetero-annotate"));
  if (missed)
    missed << remark::add("{0} asks for {1}", origins[rule].getValue(),
                          rules[rule].device)
           << remark::reason("{0} is annotated with {1}",
                             op->getName().getStringRef(), annotation);
}

void Annotator::visit(Operation *op) {
  DeviceAttr device = getDevice(op);
  pins += bool(device);
  if (op->getBlock() != block)
    enterBlock(op->getBlock());
  if (!matcher.mayMatch(op) || !isCandidate(op))
    return;
  RuleMatch match = matcher.match(op, device);
  place(op, device, match);
  if (match.setting)
    write(op, *match.setting, /*device=*/{}, /*origin=*/{});
}

/// Writes the device of the rule that matches, if the operation lets it.
void Annotator::place(Operation *op, DeviceAttr device,
                      const RuleMatch &match) {
  if (match.excluded)
    remarkExcluded(op, device, *match.excluded);
  if (!device) {
    if (!match.rule)
      return;
    write(op, *match.rule, rules[*match.rule].device, origins[*match.rule]);
    ++pins;
    return;
  }
  auto origin = op->getAttrOfType<StringAttr>(kOriginAttrName);
  StringRef text = origin ? origin.getValue() : "";
  if (!text.starts_with("rule ") && match.rule &&
      complete(op, device, *match.rule))
    return;
  if (text.empty())
    return;
  // Annotated by an earlier run of the same rules.
  for (auto [index, known] : llvm::enumerate(origins))
    if (text.ends_with(known.getValue()) && rules[index].device &&
        device.meet(rules[index].device) == device)
      applied.set(index);
}

void Annotator::run() {
  walkPlacedOperations(module, [&](Operation *op) { visit(op); });
}

/// Who placed an operation that carries a device.
static std::string describeWinner(Operation *op) {
  auto origin = op->getAttrOfType<StringAttr>(kOriginAttrName);
  if (origin && origin.getValue().starts_with("rule "))
    return "placed by " + origin.getValue().str();
  return "annotated with " + getDevice(op).str();
}

void Annotator::reportIdleRules() const {
  for (auto [index, rule] : llvm::enumerate(rules)) {
    if (applied.test(index))
      continue;
    InFlightDiagnostic warning = emitWarning(rule.loc);
    warning << "rule " << index + 1;
    Operation *first = matcher.getFirstMatched(index);
    if (first && !rule.device) {
      warning << " sets nothing: earlier rules without a device match all that "
                 "it matches; move it up or remove it";
    } else if (first) {
      warning << " places no operation: earlier rules and annotations place "
                 "all that it matches; move it up or remove it";
      warning.attachNote(first->getLoc())
          << "the first is this '" << first->getName() << "' op, "
          << describeWinner(first);
    } else if (rule.nth && matcher.getMet(index) > 0) {
      warning << " matches no operation: its other conditions hold for "
              << matcher.getMet(index) << ", and nth counts from 0";
    } else {
      warning << " matches no operation" << describeNearMisses(rule, module);
    }
  }
}

/// What later phases have to know of the rules file.
static void writeModuleAttributes(ModuleOp module, const RuleSet &rules,
                                  int64_t pins) {
  MLIRContext *context = module.getContext();
  llvm::SetVector<Attribute> devices;
  for (const auto &listed : rules.devices)
    devices.insert(listed.first);
  for (const Rule &rule : rules.rules)
    if (rule.device)
      devices.insert(rule.device.getBare());
  if (!devices.empty())
    module->setAttr(kDevicesAttrName,
                    ArrayAttr::get(context, devices.getArrayRef()));
  if (rules.defaultDevice)
    module->setAttr(kDefaultAttrName, rules.defaultDevice);
  if (rules.conflict && !module->hasAttr(kConflictAttrName))
    module->setAttr(kConflictAttrName,
                    ConflictModeAttr::get(context, *rules.conflict));
  module->setAttr(kPinsAttrName,
                  IntegerAttr::get(IntegerType::get(context, 64), pins));
  setPhase(module, Phase::Annotated);
}

static int64_t countPins(ModuleOp module) {
  int64_t pins = 0;
  walkPlacedOperations(module,
                       [&](Operation *op) { pins += bool(getDevice(op)); });
  return pins;
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
    // The whole pipeline may start from a module that was placed before.
    if (getPhase(module) == Phase::Placed && rulesFile.empty() &&
        topology.empty())
      return success();
    if (getPhase(module) > Phase::Annotated)
      return emitError(module.getLoc())
             << "expected a module before placement, got phase '"
             << stringifyPhase(getPhase(module))
             << "'; run hetero-annotate earlier";
    if (failed(flattenModules(module)) || failed(verifySystemSpec(module)))
      return failure();
    if (!topology.empty() && failed(setTopology(module, topology)))
      return failure();
    if (failed(setDynamicSize(module, dynamicSize)))
      return failure();
    RuleSet rules;
    if (!rulesFile.empty()) {
      FailureOr<RuleSet> loaded = loadRules(rulesFile, module.getLoc());
      if (failed(loaded))
        return failure();
      rules = std::move(*loaded);
    }
    if (failed(checkDevices(module, rules)))
      return failure();
    // Placement assumes anew, since it has more options.
    SmallVector<AssumedSize, 0> assumed = assumeSizes(module);
    Annotator annotator(module, rules.rules);
    annotator.run();
    forgetSizes(assumed);
    annotator.reportIdleRules();
    int64_t pins = annotator.getPins();
    if (!entry.empty()) {
      if (failed(keepEntry(module, entry)))
        return failure();
      pins = countPins(module);
    }
    writeModuleAttributes(module, rules, pins);
    remarkSummary(module, getArgument(),
                  {{"annotated", annotator.getWritten()},
                   {"pins", pins},
                   {"rules", rules.rules.size()}});
    return success();
  }
};
} // namespace
