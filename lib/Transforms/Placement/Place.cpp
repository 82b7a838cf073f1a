//===- Place.cpp - Chooses a device for every op --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what Analysis/Placement decides:
//
//   %0 = linalg.exp {hetero.device = #hetero.device<gpu>} ...
//   %1 = linalg.abs ins(%0) ...
// becomes
//   %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>,
//                    hetero.origin = "pinned"} ...
//   %1 = linalg.abs {hetero.device = #hetero.device<cpu:0>,
//                    hetero.origin = "cost"} ...
//
//===----------------------------------------------------------------------===//

#include "Assumptions.h"
#include "PublicVariants.h"
#include "SpecializeCallees.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"
#include "hetero/Transforms/OptionChoices.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Placement/AssumedSizes.h"
#include "hetero/Transforms/Placement/ResolveConflicts.h"
#include "hetero/Transforms/Placement/ValueNames.h"

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Analysis/Placement/Explain/PlacementReport.h"
#include "hetero/Analysis/Placement/Export/Certificate.h"
#include "hetero/Analysis/Placement/Placement.h"
#include "hetero/Dialect/Hetero/IR/CarriedDevices.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/DeviceLattice.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_PLACEPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

static remark::RemarkOpts remarkNamed(StringRef name) {
  return remark::RemarkOpts::name(name).category("hetero-place");
}

/// Place runs on modules whose types do not carry devices yet.
static LogicalResult checkPhase(ModuleOp module) {
  Phase phase = getPhase(module);
  if (phase <= Phase::Placed)
    return success();
  return emitError(module.getLoc())
         << "expected a module before materialization, got "
            "phase '"
         << stringifyPhase(phase) << "'; run hetero-place earlier";
}

/// A kind that nothing has registered and the topology does not have is a slip
/// of the pen.
static bool isKnownKind(ModuleOp module, DeviceAttr device) {
  if (lookupDeviceKind(module.getContext(), device.getKind()))
    return true;
  TopologyAttr topology = getTopologyAttr(module);
  return topology && llvm::any_of(topology.getDevices(), [&](auto spec) {
           return spec.getDevice().getKind() == device.getKind();
         });
}

/// The default device: the option, or what the rules file says.
static FailureOr<DeviceAttr> getDefaultDevice(ModuleOp module,
                                              StringRef option) {
  if (option == "auto")
    return DeviceAttr();
  if (option.empty())
    return module->getAttrOfType<DeviceAttr>(kDefaultAttrName);
  if (auto device = parseDevice(option, module.getContext());
      device && isKnownKind(module, device))
    return device;
  return emitError(module.getLoc())
         << "expected 'auto' or a device like gpu:0 as the default, got '"
         << option << "'";
}

static void emitRemark(const PlacementDecision &decision) {
  if (decision.reason != PlacementReason::Fallback)
    return;
  StringRef reason = decision.origin.getValue();
  reason.consume_front("fallback: ");
  if (auto missed =
          remark::missed(decision.op->getLoc(), remarkNamed("fallback")))
    missed << remark::add("{0} runs on {1} instead of {2}",
                          decision.op->getName().getStringRef(),
                          decision.device.getBare().str(),
                          decision.wanted.str())
           << remark::reason("{0}", reason.str());
}

/// Writes a concrete device for `#hetero.device<gpu>` on signatures.
static void completeSignatures(ModuleOp module, const Topology &topology) {
  auto complete = [&](DeviceAttr device) {
    DeviceIndex index = topology.getMatching(device).front();
    return topology.getDevice(index);
  };
  for (auto function : module.getOps<FunctionOpInterface>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (DeviceAttr device = getArgumentDevice(function, i))
        function.setArgAttr(i, kDeviceAttrName, complete(device));
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (DeviceAttr device = getResultDevice(function, i))
        function.setResultAttr(
            i, StringAttr::get(module.getContext(), kDeviceAttrName),
            complete(device));
  }
}

/// Devices of a signature that are not the host become annotations.
static void writeSignature(FunctionOpInterface function,
                           const CarriedDevices &carried) {
  auto name = StringAttr::get(function.getContext(), kDeviceAttrName);
  for (auto [index, device] : llvm::enumerate(carried.inits))
    if (!device.isHost())
      function.setArgAttr(index, name, device);
  for (auto [index, device] : llvm::enumerate(carried.results))
    if (!device.isHost())
      function.setResultAttr(index, name, device);
}

static void writeCarried(const CarriedDevices &carried) {
  if (auto function = dyn_cast<FunctionOpInterface>(carried.op)) {
    writeSignature(function, carried);
  } else if (carried.blocks.empty()) {
    setCarriedDevices(carried.op, carried.results);
    setCarriedInitDevices(carried.op, carried.inits);
  }
  if (!carried.blocks.empty())
    setBlockArgumentDevices(carried.op, carried.blocks);
}

namespace {
/// Writes device and origin of operations. Most operations have no other
/// attribute in their dictionary than these, and few combinations exist, so
/// that dictionaries are made once.
class DecisionWriter {
public:
  explicit DecisionWriter(MLIRContext *context)
      : device(StringAttr::get(context, kDeviceAttrName)),
        origin(StringAttr::get(context, kOriginAttrName)),
        repeated(StringAttr::get(context, kRepeatedAttrName)) {}

  void write(const PlacementDecision &decision) {
    Operation *op = decision.op;
    unsigned own = op->getDiscardableAttr(device) ? 1 : 0;
    own += op->getDiscardableAttr(origin) ? 1 : 0;
    bool isRepeated = decision.origin.getValue() == kRepeatedOrigin;
    if (op->getRawDictionaryAttrs().size() == own && !isRepeated)
      return op->setDiscardableAttrs(getDictionary(decision));
    op->setDiscardableAttr(device, decision.device);
    op->setDiscardableAttr(origin, decision.origin);
    if (isRepeated)
      op->setDiscardableAttr(repeated, UnitAttr::get(op->getContext()));
    else
      op->removeDiscardableAttr(repeated);
  }

private:
  DictionaryAttr getDictionary(const PlacementDecision &decision) {
    NamedAttribute attrs[] = {{device, decision.device},
                              {origin, decision.origin}};
    DictionaryAttr &known = dictionaries[{decision.device, decision.origin}];
    if (!known)
      known = DictionaryAttr::get(device.getContext(), attrs);
    return known;
  }

  StringAttr device, origin, repeated;
  llvm::DenseMap<std::pair<Attribute, Attribute>, DictionaryAttr> dictionaries;
};
} // namespace

static void writePlacement(ModuleOp module, const Placement &placement) {
  for (const CarriedDevices &carried : placement.carried)
    writeCarried(carried);
  for (auto [state, device] : placement.states)
    if (!device.isHost() || getDevice(state))
      setDevice(state, device);
  DecisionWriter writer(module.getContext());
  for (const PlacementDecision &decision : placement.decisions) {
    writer.write(decision);
    emitRemark(decision);
  }
  setPhase(module, Phase::Placed);
}

static void emitSummary(ModuleOp module, const PlacementPrice &price,
                        const Topology &topology, unsigned numClones) {
  auto summary = remark::analysis(module.getLoc(), remarkNamed("placement"));
  summary << remark::metric("Copies", price.copies)
          << remark::metric("CostPicoseconds", price.cost)
          << remark::metric("LowerBoundPicoseconds", price.lowerBound)
          << remark::metric("Clones", numClones);
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    summary << remark::metric(topology.getDevice(device).str() + " ops",
                              price.devices[device].ops);
}

/// Says how far from the least cost the placement may be.
static void emitGap(ModuleOp module, const PlacementPrice &price,
                    const Topology &topology, PlacementStrategy strategy) {
  if (strategy != PlacementStrategy::Optimal || price.cost == price.lowerBound)
    return;
  double gap = 100.0 * double(price.cost - price.lowerBound) / price.cost;
  bool isLimited = price.memory == MemoryLimit::Binding;
  bool isStopped = topology.size() <= 2;
  remark::missed(module.getLoc(), remarkNamed("not-proven"))
      << remark::add("the cost is at most {0:f4} % above the least", gap)
      << remark::reason("{0}", isLimited   ? "the memory of a device is short"
                               : isStopped ? "the work limit was reached"
                                           : "more than two devices")
      << remark::suggest("{0}", isStopped && !isLimited
                                    ? "raise work-limit"
                                    : "pin what matters most");
}

/// Says which devices are too small for what the least cost puts there.
static void emitShortages(ModuleOp module, const Placement &placement) {
  auto streams = [&](const MemoryShortage &shortage) {
    return llvm::any_of(placement.streams, [&](const StreamedConstants &entry) {
      return entry.device == shortage.device;
    });
  };
  for (const StreamedConstants &stream : placement.streams)
    remark::missed(module.getLoc(), remarkNamed("streamed"))
        << remark::add("{0} constants of {1} are copied for each use, since "
                       "its memory is short",
                       stream.constants, stream.device.str())
        << remark::metric("Bytes", stream.bytes)
        << remark::metric("Picoseconds", stream.time)
        << remark::metric("NeededBytes", stream.neededBytes);
  for (const MemoryShortage &shortage :
       llvm::make_filter_range(placement.shortages, std::not_fn(streams)))
    remark::missed(module.getLoc(), remarkNamed("memory"))
        << remark::add("less is placed on {0} than the least cost asks for",
                       shortage.device.str())
        << remark::metric("NeededBytes", shortage.needed)
        << remark::metric("AvailableBytes", shortage.capacity);
}

/// The host runs everything in order, what it runs for other devices as well:
/// units there overlap with nothing.
static void warnOfHostUnits(const Placement &placement) {
  llvm::DenseSet<DeviceAttr> known;
  for (const PlacementDecision &decision : placement.decisions) {
    DeviceAttr unit = withoutCodegen(decision.device);
    if (unit.getUnit().empty() || !isHostAccessible(unit) ||
        decision.reason == PlacementReason::Kept ||
        decision.reason == PlacementReason::Fallback ||
        !known.insert(unit).second)
      continue;
    emitWarning(decision.op->getLoc())
        << "unit \"" << unit.getUnit() << "\" of " << unit.getBare().str()
        << " overlaps with nothing, since the host runs its operations one "
           "after the other, and only gives them regions of their own; leave "
           "it out, or place them on a device with streams";
  }
}

/// Writes what `print` prints, unless no file is named.
static LogicalResult
writeFile(ModuleOp module, StringRef file, StringRef what,
          llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (file.empty())
    return success();
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(file, &error);
  if (!output)
    return emitError(module.getLoc())
           << "cannot write the placement " << what << ": " << error;
  print(output->os());
  output->keep();
  return success();
}

namespace {
struct PlacePass : public mlir::hetero::impl::PlacePassBase<PlacePass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(place(getOperation())))
      signalPassFailure();
  }

  LogicalResult place(ModuleOp module) {
    if (failed(checkPhase(module)) || failed(verifySystemSpec(module)) ||
        failed(setTripCount(module, tripCount)) ||
        failed(setDynamicSize(module, dynamicSize)))
      return failure();
    for (const AssumedSize &assumed : assumeSizes(module))
      remark::analysis(assumed.argument.getLoc(), remarkNamed("assumed-size"))
          << remark::add("dimension {0} of {1} counts as {2}, by {3}",
                         assumed.dim, getValueName(assumed.argument),
                         assumed.size, assumed.why);
    std::optional<Profile> profile;
    if (failed(loadProfileOption(profileFile, module.getLoc(), profile)))
      return failure();
    FailureOr<DeviceAttr> device = getDefaultDevice(module, defaultDevice);
    if (failed(device) ||
        failed(setMemoryBudget(module, memoryBudget, *device)))
      return failure();
    Topology topology =
        getTopology(module, profile ? &*profile : nullptr, *device);
    // The price of a large module takes time, so somebody has to ask for it.
    Location loc = module.getLoc();
    bool wantsSummary =
        isHeard(remark::analysis(loc, remarkNamed("placement"))) ||
        isHeard(remark::missed(loc, remarkNamed("not-proven")));
    // What was placed has its replicas and clones.
    bool isNew = getPhase(module) != Phase::Placed;
    Callees callees;
    if (isNew && failed(prepareCallees(module, topology, callees)))
      return failure();
    // What was known may lack clones and assume other trip counts.
    getAnalysisManager().clear();
    PlacementOptions options{strategy(),
                             *device,
                             workLimit,
                             wantsSummary || !reportFile.empty() ||
                                 !certificateFile.empty(),
                             profile ? &*profile : nullptr,
                             objective};
    std::string certificate;
    if (!certificateFile.empty())
      options.onDecided = [&](const PlacementSolution &solution,
                              const PlacementPrice &price) {
        llvm::raw_string_ostream os(certificate);
        printCertificate(solution, price, os);
      };
    FailureOr<Placement> placement =
        computePlacement(module, topology, getAnalysis<BlockTree>(), options);
    if (failed(placement) ||
        (isNew && failed(reportAmbiguity(module, topology, options))))
      return failure();
    if (profile)
      profile->reportIdle();
    writePlacement(module, *placement);
    completeSignatures(module, topology);
    emitShortages(module, *placement);
    warnOfHostUnits(*placement);
    unsigned numClones = mergeCallees(callees.specialized) +
                         mergeVariants(module, callees.inside);
    if (callees.specialized.families.empty() && callees.inside.empty())
      markAnalysesPreserved<BlockTree>(); // Blocks stay.
    if (wantsSummary) {
      emitSummary(module, placement->price, topology, numClones);
      emitGap(module, placement->price, topology, strategy());
    }
    if (failed(
            writeFile(module, reportFile, "report", [&](llvm::raw_ostream &os) {
              printPlacementReport(placement->price, topology,
                                   listAssumedShapes(module), os);
            })))
      return failure();
    return writeFile(module, certificateFile, "certificate",
                     [&](llvm::raw_ostream &os) { os << certificate; });
  }

  /// Functions whose calls got copies of their own.
  struct Callees {
    SpecializedCallees specialized;
    /// Public ones that are called in the module.
    SmallVector<FunctionOpInterface> inside;
  };

  LogicalResult prepareCallees(ModuleOp module, const Topology &topology,
                               Callees &callees) {
    callees.inside = addPrivateVariants(module);
    FailureOr<unsigned> added = 0;
    if (needsResolution(module))
      added = resolveConflicts(module, topology, conflict);
    if (failed(added))
      return failure();
    callees.specialized = specializeCallees(module);
    if (conflict == ConflictMode::Replicate || *added != 0)
      remark::analysis(module.getLoc(), remarkNamed("conflicts"))
          << remark::metric("Replicated", *added);
    return success();
  }

  /// True if something other than cost may decide what annotations leave open.
  bool needsResolution(ModuleOp module) {
    return conflict != ConflictMode::Copy || hasConflictModes(module);
  }

  LogicalResult reportAmbiguity(ModuleOp module, const Topology &topology,
                                const PlacementOptions &options) {
    if (!needsResolution(module))
      return success();
    return reportOpenChoices(module, topology, getAnalysis<BlockTree>(),
                             options, conflict);
  }

  PlacementStrategy strategy() const { return placement; }
};
} // namespace
