//===- DeviceKind.cpp - What a kind of device is --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

DeviceKind::~DeviceKind() = default;

DeviceSpecAttr mlir::hetero::getAcceleratorSpec(DeviceAttr device) {
  constexpr int64_t kGiB = int64_t(1) << 30, kGiga = 1000000000;
  return DeviceSpecAttr::get(device.getContext(), device, /*memory=*/16 * kGiB,
                             /*compute=*/10000 * kGiga,
                             /*bandwidth=*/500 * kGiga,
                             /*launch=*/5000000, ArrayAttr(), Attribute(),
                             /*overlap=*/true);
}

DeviceSpecAttr mlir::hetero::getDefaultSpec(DeviceAttr device) {
  const DeviceKind *kind =
      lookupDeviceKind(device.getContext(), device.getKind());
  return kind ? kind->getDefaultSpec(device) : getAcceleratorSpec(device);
}

NetworkAttr mlir::hetero::getDefaultNetwork(MLIRContext *context) {
  return NetworkAttr::get(context, /*bandwidth=*/10000000000,
                          /*latency=*/5000000);
}

LinkAttr mlir::hetero::getDefaultLink(DeviceAttr from, DeviceAttr to) {
  if (from.getNode() != to.getNode()) {
    NetworkAttr network = getDefaultNetwork(from.getContext());
    return LinkAttr::get(from.getContext(), from, to, network.getBandwidth(),
                         network.getLatency(), /*unified=*/false);
  }
  return LinkAttr::get(from.getContext(), from, to,
                       /*bandwidth=*/12000000000, /*latency=*/10000000,
                       /*unified=*/false);
}

/// Operations without tensors, and those that ask for sizes, are scalar code
/// around the others.
LogicalResult DeviceKind::verifyRegion(ExecuteOp region, Phase phase) const {
  WalkResult result = region.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) -> WalkResult {
        if (isControlFlow(op) || op->hasTrait<OpTrait::IsTerminator>() ||
            !isa<PlacementOpInterface>(op) || !hasTensors(op) ||
            isa<ShapedDimOpInterface>(op))
          return WalkResult::advance();
        std::string reason;
        if (failed(canRun(op, reason)))
          return op->emitOpError("is in region \"")
                 << region.getName() << "\" of " << region.getDevice().str()
                 << ", which cannot run it: " << reason
                 << "; place it elsewhere";
        return WalkResult::skip();
      });
  return failure(result.wasInterrupted());
}

void DeviceKind::buildPipeline(OpPassManager &) const {}

LogicalResult DeviceKind::generateRegion(ExecuteOp) const { return success(); }

LogicalResult DeviceKind::generateModule(ModuleOp) const { return success(); }

//===----------------------------------------------------------------------===//
// Registry
//===----------------------------------------------------------------------===//

/// The dialects that a pipeline needs must be there before passes run side by
/// side.
static void loadDialects(MLIRContext *context, const DeviceKind &kind) {
  OpPassManager pipeline(ModuleOp::getOperationName());
  kind.buildPipeline(pipeline);
  DialectRegistry needed;
  pipeline.getDependentDialects(needed);
  context->appendDialectRegistry(needed);
  for (StringRef name : needed.getDialectNames())
    (void)context->getOrLoadDialect(name);
}

void DeviceKinds::add(std::unique_ptr<DeviceKind> kind) {
  loadDialects(getDialect()->getContext(), *kind);
  StringRef name = kind->getName();
  kinds[name] = std::move(kind);
}

const DeviceKind *DeviceKinds::lookup(StringRef name) const {
  auto it = kinds.find(name);
  return it == kinds.end() ? nullptr : it->second.get();
}

SmallVector<StringRef> DeviceKinds::getNames() const {
  SmallVector<StringRef> names(kinds.keys());
  llvm::sort(names);
  return names;
}

DeviceKinds &DeviceKinds::get(HeteroDialect *dialect) {
  if (auto *kinds = dialect->getRegisteredInterface<DeviceKinds>())
    return *const_cast<DeviceKinds *>(kinds);
  return dialect->addInterface<DeviceKinds>();
}

const DeviceKind *mlir::hetero::lookupDeviceKind(MLIRContext *context,
                                                 StringRef name) {
  auto *dialect = context->getLoadedDialect<HeteroDialect>();
  auto *kinds =
      dialect ? dialect->getRegisteredInterface<DeviceKinds>() : nullptr;
  return kinds ? kinds->lookup(name) : nullptr;
}

bool mlir::hetero::isHostAccessible(DeviceAttr device) {
  if (!device || device.isHost())
    return true;
  const DeviceKind *kind =
      lookupDeviceKind(device.getContext(), device.getKind());
  return kind && kind->getBackend() == KindBackend::Host;
}

//===----------------------------------------------------------------------===//
// Capabilities
//===----------------------------------------------------------------------===//

/// Why no code is made for a type; empty if it is.
static std::string explainType(Type type,
                               const KernelCapabilities &capabilities) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return isa<TensorType>(type) ? "a tensor without a rank" : "";
  auto print = [](StringRef what, auto value) {
    std::string text = what.str();
    llvm::raw_string_ostream(text) << value;
    return text;
  };
  if (ranked.getEncoding() && !getTypeDevice(ranked))
    return print("a tensor with the encoding ", ranked.getEncoding());
  if (capabilities.hasElementType &&
      !capabilities.hasElementType(ranked.getElementType()))
    return print("elements of type ", ranked.getElementType());
  if (capabilities.maxRank && ranked.getRank() > *capabilities.maxRank)
    return print("a tensor of rank ", ranked.getRank()) + ", more than " +
           std::to_string(*capabilities.maxRank);
  return "";
}

/// Scalar code on the elements: no regions, and of tensors from outside single
/// elements at most.
static bool isScalarOp(Operation &op, const KernelCapabilities &capabilities) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return capabilities.readsElements &&
           explainType(extract.getTensor().getType(), capabilities).empty();
  return op.hasTrait<OpTrait::IsTerminator>() ||
         (op.getNumRegions() == 0 && !hasTensors(&op) &&
          (!capabilities.hasScalarOp || capabilities.hasScalarOp(op)));
}

/// Why no code is made for what the operation computes; empty if it is.
static std::string explainBody(Operation *op,
                               const KernelCapabilities &capabilities) {
  if (!isa<DestinationStyleOpInterface>(op) || op->getNumRegions() != 1)
    return "";
  for (Operation &inner : op->getRegion(0).front())
    if (!isScalarOp(inner, capabilities))
      return ("whose body holds " + inner.getName().getStringRef()).str();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!capabilities.hasReductions &&
      (!structured ||
       structured.getNumParallelLoops() != structured.getNumLoops()))
    return "whose loops are not all parallel";
  return "";
}

/// True if the capabilities name the operation as a whole.
static bool hasOperation(Operation *op,
                         const KernelCapabilities &capabilities) {
  if (isa<linalg::LinalgOp>(op))
    return true;
  if (OpTrait::hasElementwiseMappableTraits(op))
    return !capabilities.hasScalarOp || capabilities.hasScalarOp(*op);
  return !capabilities.hasTensorOp || capabilities.hasTensorOp(op);
}

LogicalResult
mlir::hetero::checkCapabilities(Operation *op, StringRef kind,
                                const KernelCapabilities &capabilities,
                                std::string &reason) {
  StringRef name = op->getName().getStringRef();
  auto hasType = [&](Type type) {
    std::string why = explainType(type, capabilities);
    if (!why.empty())
      reason = ("no " + kind + " kernel for " + name + " on " + why).str();
    return why.empty();
  };
  if (!llvm::all_of(op->getOperandTypes(), hasType) ||
      !llvm::all_of(op->getResultTypes(), hasType))
    return failure();
  if (!hasOperation(op, capabilities)) {
    reason = ("no " + kind + " code for " + name).str();
    return failure();
  }
  if (std::string why = explainBody(op, capabilities); !why.empty()) {
    reason = ("no " + kind + " kernel for " + name + " " + why).str();
    return failure();
  }
  return success();
}
