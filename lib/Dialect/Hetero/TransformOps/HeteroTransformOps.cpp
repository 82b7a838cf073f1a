//===- HeteroTransformOps.cpp - Transform dialect ops ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/TransformOps/HeteroTransformOps.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/TransformOps/HeteroTransformOps.cpp.inc"

//===----------------------------------------------------------------------===//
// PlaceOnOp: what can be placed
//===----------------------------------------------------------------------===//

/// Why placement gives the operation no device; empty if it does.
static std::string explainUnplaced(Operation *op) {
  if (isa<FunctionOpInterface>(op))
    return isa_and_present<ModuleOp>(op->getParentOp())
               ? ""
               : "is not a function of a module";
  if (op->hasTrait<OpTrait::IsTerminator>())
    return "is a terminator, which has no device";
  if (!isPlaceable(op) && !(isControlFlow(op) && hasTensors(op)))
    return "has no tensor that must be where it runs";
  Operation *parent = op->getParentOp(), *body = nullptr;
  for (; parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp())
    body = isControlFlow(parent) ? body : parent;
  if (!parent)
    return "is not in a function";
  if (!body)
    return "";
  return ("is in the body of '" + body->getName().getStringRef() +
          "', which has one device; place that instead")
      .str();
}

/// Why no device that the specification admits can run the operation; empty if
/// one can. Control flow and functions run nothing themselves: what stands on
/// them is a default for the operations inside.
static std::string explainIncapable(Operation *op, DeviceAttr device,
                                    const Topology &topology) {
  if (isControlFlow(op) || isa<FunctionOpInterface>(op))
    return "";
  std::string reason;
  for (DeviceIndex index : topology.getMatching(device.getBare())) {
    reason.clear();
    if (succeeded(canRunOn(op, topology, index, reason)))
      return "";
  }
  return reason;
}

/// The topology of the operation's module. Without one there is every device
/// that the schedule names.
static Topology getTopology(ModuleOp module, DeviceAttr device) {
  TopologyAttr attr = module ? getTopologyAttr(module) : TopologyAttr();
  if (attr)
    return Topology(attr, /*isExplicit=*/true);
  return Topology(Topology::getDefault(device.getContext(), device.getBare()),
                  /*isExplicit=*/false);
}

//===----------------------------------------------------------------------===//
// PlaceOnOp: what stands there already
//===----------------------------------------------------------------------===//

/// The annotation of the program or of the schedule; null where there is none
/// and where a rule made it.
static DeviceAttr getAnnotation(Operation *op) {
  auto origin = op->getAttrOfType<StringAttr>(kOriginAttrName);
  if (origin && origin.getValue().starts_with("rule "))
    return {};
  return getDevice(op);
}

DiagnosedSilenceableFailure PlaceOnOp::checkAnnotation(Operation *op,
                                                       DeviceAttr wanted) {
  DeviceAttr present = getAnnotation(op);
  if (!present || present.meet(wanted))
    return DiagnosedSilenceableFailure::success();
  auto origin = op->getAttrOfType<StringAttr>(kOriginAttrName);
  auto error = emitDefiniteFailure()
               << "cannot place '" << op->getName() << "' op on "
               << wanted.str() << ", because " << present.str()
               << " stands on it; remove one of the two";
  error.attachNote(op->getLoc())
      << "the operation with " << present.str()
      << (origin ? " (" + origin.getValue().str() + ")" : "");
  return error;
}

//===----------------------------------------------------------------------===//
// PlaceOnOp: the module
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure PlaceOnOp::checkModule(ModuleOp module,
                                                   const Topology &topology,
                                                   DeviceAttr wanted) {
  if (module && getPhase(module) > Phase::Annotated) {
    auto error = emitDefiniteFailure()
                 << "expected a module before placement, got phase '"
                 << stringifyPhase(getPhase(module))
                 << "'; run the schedule earlier";
    error.attachNote(module.getLoc()) << "the module stands here";
    return error;
  }
  if (!topology.getMatching(wanted.getBare()).empty())
    return DiagnosedSilenceableFailure::success();
  auto error = emitDefiniteFailure()
               << "the topology has no device " << wanted.getBare().str()
               << " (" << topology.listDevices()
               << "); add a device_spec for it or name another device";
  error.attachNote(module.getLoc()) << "the topology stands here";
  return error;
}

DiagnosedSilenceableFailure PlaceOnOp::checkPayload(Operation *op,
                                                    const Topology &topology,
                                                    DeviceAttr wanted) {
  std::string reason = explainUnplaced(op);
  if (reason.empty()) {
    reason = explainIncapable(op, wanted, topology);
    if (reason.empty())
      return DiagnosedSilenceableFailure::success();
    reason = "cannot run there: " + reason;
  }
  DiagnosedSilenceableFailure error =
      emitSilenceableError() << "cannot place '" << op->getName() << "' op on "
                             << wanted.str() << ": it " << reason;
  error.attachNote(op->getLoc()) << "the operation stands here";
  return error;
}

//===----------------------------------------------------------------------===//
// PlaceOnOp
//===----------------------------------------------------------------------===//

LogicalResult PlaceOnOp::verify() {
  if (bool(getDeviceAttr()) != bool(getDeviceParam())) // (C1)
    return success();
  return emitOpError("expected a device either as an attribute or as a "
                     "parameter, got ")
         << (getDeviceAttr() ? "both" : "none")
         << "; write {device = #hetero.device<gpu:0>}, or on %param";
}

void PlaceOnOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  if (getDeviceParam())
    transform::onlyReadsHandle(getDeviceParamMutable(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
PlaceOnOp::getDevices(transform::TransformState &state, size_t numOps,
                      SmallVectorImpl<DeviceAttr> &devices) {
  if (DeviceAttr device = getDeviceAttr()) {
    devices.assign(numOps, device);
    return DiagnosedSilenceableFailure::success();
  }
  ArrayRef<Attribute> params = state.getParams(getDeviceParam());
  for (Attribute param : params) {
    auto device = dyn_cast<DeviceAttr>(param);
    if (!device)
      return emitDefiniteFailure()
             << "expected the parameter to be a device, got " << param;
    devices.push_back(device);
  }
  if (devices.size() == 1)
    devices.resize(numOps, devices.front());
  if (devices.size() == numOps)
    return DiagnosedSilenceableFailure::success();
  return emitSilenceableError()
         << "expected one device, or one for each of " << numOps
         << " operations, got " << params.size();
}

DiagnosedSilenceableFailure
PlaceOnOp::checkPayloads(ArrayRef<Operation *> ops,
                         ArrayRef<DeviceAttr> devices) {
  llvm::DenseMap<std::pair<Operation *, DeviceAttr>, Topology> topologies;
  for (auto [op, device] : llvm::zip_equal(ops, devices)) {
    auto module = op->getParentOfType<ModuleOp>();
    auto it = topologies.find({module, device});
    if (it == topologies.end()) {
      it = topologies.try_emplace({module, device}, getTopology(module, device))
               .first;
      if (auto failed = checkModule(module, it->second, device);
          !failed.succeeded())
        return failed;
    }
    if (auto failed = checkPayload(op, it->second, device); !failed.succeeded())
      return failed;
  }
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
PlaceOnOp::apply(transform::TransformRewriter &rewriter,
                 transform::TransformResults &results,
                 transform::TransformState &state) {
  auto ops = llvm::to_vector(state.getPayloadOps(getTarget()));
  SmallVector<DeviceAttr> devices;
  if (auto failed = getDevices(state, ops.size(), devices); !failed.succeeded())
    return failed;
  if (auto failed = checkPayloads(ops, devices); !failed.succeeded())
    return failed;
  // After what alternatives may silence, so that a schedule can run again.
  for (auto [op, device] : llvm::zip_equal(ops, devices))
    if (auto failed = checkAnnotation(op, device); !failed.succeeded())
      return failed;
  auto origin =
      rewriter.getStringAttr("schedule at " + describeLocation(getLoc()));
  for (auto [op, device] : llvm::zip_equal(ops, devices)) {
    DeviceAttr present = getAnnotation(op);
    DeviceAttr both = present ? present.meet(device) : device;
    if (both == present)
      continue;
    rewriter.modifyOpInPlace(op, [&, op = op] {
      setDevice(op, both);
      op->setAttr(kOriginAttrName, origin);
    });
  }
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// GetDeviceOp
//===----------------------------------------------------------------------===//

void GetDeviceOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure
GetDeviceOp::apply(transform::TransformRewriter &rewriter,
                   transform::TransformResults &results,
                   transform::TransformState &state) {
  SmallVector<Attribute> devices;
  for (Operation *op : state.getPayloadOps(getTarget())) {
    if (DeviceAttr device = hetero::getDevice(op)) {
      devices.push_back(device);
      continue;
    }
    DiagnosedSilenceableFailure error =
        emitSilenceableError()
        << "'" << op->getName() << "' op has no device; place it earlier";
    error.attachNote(op->getLoc()) << "the operation stands here";
    return error;
  }
  results.setParams(cast<OpResult>(getDevice()), devices);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// The extension
//===----------------------------------------------------------------------===//

namespace {
struct HeteroTransformDialectExtension
    : public transform::TransformDialectExtension<
          HeteroTransformDialectExtension> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HeteroTransformDialectExtension)

  void init() {
    // For the devices in attributes of the operations.
    declareDependentDialect<HeteroDialect>();
    registerTransformOps<PlaceOnOp, GetDeviceOp>();
  }
};
} // namespace

void mlir::hetero::registerTransformDialectExtension(
    DialectRegistry &registry) {
  registry.addExtensions<HeteroTransformDialectExtension>();
}
