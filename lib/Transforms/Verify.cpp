//===- Verify.cpp - Checks the contract of the module's phase -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream verifiers ignore tensor encodings, so a pass that mixes devices, or
// loses one, goes unnoticed there. Here the first operation that breaks the
// contract of the phase is named.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Buffers/Buffers.h"
#include "Transforms/Nodes/VerifyTransfers.h"
#include "Transforms/Order/VerifyOrder.h"
#include "Transforms/Regions/GroupPlan.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "hetero/Transforms/Placement/ValueNames.h"
#include "hetero/Transforms/Schedule/Streams.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_VERIFYPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Checks one module, operation by operation in program order.
class PhaseVerifier {
public:
  explicit PhaseVerifier(ModuleOp module)
      : module(module), phase(getPhase(module)),
        host(DeviceAttr::getHost(module.getContext())),
        constraints(module.getContext()) {}

  LogicalResult run();

private:
  LogicalResult walkPlaced(function_ref<LogicalResult(Operation *)> check);
  LogicalResult walkAll(function_ref<LogicalResult(Operation *)> check);

  LogicalResult checkPlaced(Operation *op);
  LogicalResult checkTypes(Operation *op);
  LogicalResult checkTensor(Operation *op, Twine what, Type type,
                            DeviceAttr device);
  LogicalResult checkCarried(OpOperand &operand);
  LogicalResult checkCopy(CopyOp op);
  LogicalResult checkPartitioned(Operation *op);
  LogicalResult checkBody(ExecuteOp op);
  LogicalResult checkBufferized(Operation *op);
  LogicalResult checkHostRegions(Block &block);
  LogicalResult checkHostAccess(Operation *op);
  LogicalResult checkNoDevice(Operation *op);
  LogicalResult checkLLVM(Operation *op);
  LogicalResult checkTransfers();
  LogicalResult checkOrder();

  InFlightDiagnostic report(Operation *op) {
    return op->emitOpError("breaks the contract of phase '")
           << stringifyPhase(phase) << "': ";
  }

  ModuleOp module;
  Phase phase;
  DeviceAttr host;
  DeviceConstraints constraints;
  /// Computed per region when first asked.
  DominanceInfo dominance;
  DenseMap<std::pair<Value, Type>, SmallVector<CopyOp, 1>> copies;
};
} // namespace

LogicalResult PhaseVerifier::run() {
  auto materialized = [&](Operation *op) { return checkTypes(op); };
  auto partitioned = [&](Operation *op) {
    return failure(failed(checkTypes(op)) || failed(checkPartitioned(op)));
  };
  switch (phase) {
  case Phase::None:
  case Phase::Annotated:
    return success();
  case Phase::Placed:
    return walkPlaced([&](Operation *op) { return checkPlaced(op); });
  case Phase::Materialized:
  case Phase::CopiesOptimized:
    return walkPlaced(materialized);
  case Phase::Partitioned:
  case Phase::Codegen:
    return walkPlaced(partitioned);
  case Phase::Bufferized:
  case Phase::Scheduled:
  case Phase::Planned:
    return failure(
        failed(walkAll([&](Operation *op) { return checkBufferized(op); })) ||
        failed(checkTransfers()) ||
        (phase != Phase::Bufferized && failed(checkOrder())));
  case Phase::GPU:
    return walkAll([&](Operation *op) { return checkNoDevice(op); });
  case Phase::LLVM:
    for (Operation &op : module.getOps())
      if (failed(checkLLVM(&op)))
        return failure();
    return success();
  }
  llvm_unreachable("a phase without a contract");
}

/// Visits operations that are placed one by one, and what holds them.
LogicalResult
PhaseVerifier::walkPlaced(function_ref<LogicalResult(Operation *)> check) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failed(check(op)))
      return WalkResult::interrupt();
    return constraints.hasPlacedRegions(op) ? WalkResult::advance()
                                            : WalkResult::skip();
  });
  return failure(result.wasInterrupted());
}

LogicalResult
PhaseVerifier::walkAll(function_ref<LogicalResult(Operation *)> check) {
  return failure(module
                     .walk<WalkOrder::PreOrder>([&](Operation *op) {
                       return failed(check(op)) ? WalkResult::interrupt()
                                                : WalkResult::advance();
                     })
                     .wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Placed
//===----------------------------------------------------------------------===//

LogicalResult PhaseVerifier::checkPlaced(Operation *op) {
  if (isa<ModuleOp, FunctionOpInterface>(op) ||
      op->hasTrait<OpTrait::IsTerminator>() || isa<CopyOp, ExecuteOp>(op) ||
      op->getParentOp()->hasTrait<OpTrait::IsTerminator>() ||
      !op->getParentOfType<FunctionOpInterface>())
    return success();
  DeviceAttr device = getDevice(op);
  if (!device)
    return report(op) << "expected a device; run --hetero-place";
  if (!device.hasOrdinal())
    return report(op) << "expected a device with an ordinal, got " << device
                      << "; run --hetero-place";
  if ((constraints.hasPlacedRegions(op) || isa<CallOpInterface>(op)) &&
      !device.isHost())
    return report(op) << "expected control flow and calls on the host, got "
                      << device.str() << "; annotate the operations inside";
  std::string reason;
  if (failed(canRunOn(op, device.getKind(), reason)))
    return report(op) << "cannot run on " << device.str() << ": " << reason
                      << "; place it elsewhere";
  return success();
}

//===----------------------------------------------------------------------===//
// Materialized
//===----------------------------------------------------------------------===//

LogicalResult PhaseVerifier::checkTensor(Operation *op, Twine what, Type type,
                                         DeviceAttr device) {
  if (!isa<TensorType>(type))
    return success();
  DeviceAttr actual = getTypeDevice(type);
  if (!actual)
    return report(op) << "expected " << what << " without an encoding or on a "
                      << "device, got " << type << "; remove the encoding";
  if (!device || actual == device)
    return success();
  return report(op) << "expected " << what << " on " << device.str() << ", got "
                    << type << "; insert a hetero.copy";
}

LogicalResult PhaseVerifier::checkTypes(Operation *op) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return checkCopy(copy);
  for (OpOperand &operand : op->getOpOperands())
    if (failed(checkCarried(operand)) ||
        failed(checkTensor(op, "operand " + Twine(operand.getOperandNumber()),
                           operand.get().getType(),
                           constraints.getOperandDevice(operand))))
      return failure();
  for (OpResult result : op->getResults())
    if (failed(checkTensor(op, "result " + Twine(result.getResultNumber()),
                           result.getType(),
                           constraints.getResultDevice(result))))
      return failure();
  auto function = dyn_cast<FunctionOpInterface>(op);
  for (unsigned i = 0, e = function ? function.getNumArguments() : 0; i != e;
       ++i)
    if (auto device = dyn_cast_or_null<DeviceAttr>(
            function.getArgAttr(i, kDeviceAttrName)))
      if (failed(checkTensor(op, "argument " + Twine(i),
                             function.getArgumentTypes()[i], device.getBare())))
        return failure();
  return success();
}

/// C1: control flow passes a tensor where it is.
LogicalResult PhaseVerifier::checkCarried(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (!isa<TensorType>(operand.get().getType()) ||
      (op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>()))
    return success();
  for (Value input : getSuccessorInputs(operand)) {
    if (getTypeDevice(input.getType()) ==
        getTypeDevice(operand.get().getType()))
      continue;
    return (report(op)
            << "expected operand " << operand.getOperandNumber()
            << " and what control flow makes of it on one device, got "
            << operand.get().getType() << " and " << input.getType()
            << "; insert a hetero.copy")
               .attachNote(input.getLoc())
           << "what it becomes";
  }
  return success();
}

LogicalResult PhaseVerifier::checkCopy(CopyOp op) {
  if (op.getFrom())
    return report(op) << "expected the devices in the types; run "
                         "--hetero-materialize-copies";
  for (Type type : {op.getSource().getType(), op.getResult().getType()})
    if (failed(checkTensor(op, "a tensor", type, {})))
      return failure();
  // Later phases may repeat a copy: canonicalization merges equal values.
  if (phase != Phase::CopiesOptimized)
    return success();
  if (op.getSource().getType() == op.getResult().getType())
    return report(op) << "expected two different devices, got "
                      << op.getResultDevice().str()
                      << " twice; run --hetero-optimize-copies";
  if (auto producer = op.getSource().getDefiningOp<CopyOp>())
    return (report(op) << "expected no copy of a copy; run "
                          "--hetero-optimize-copies")
               .attachNote(producer.getLoc())
           << "the first copy";
  // In the arms of a branch there may be one each.
  SmallVector<CopyOp, 1> &others =
      copies[{op.getSource(), op.getResult().getType()}];
  for (CopyOp other : others)
    if (dominance.properlyDominates(other.getOperation(), op))
      return (report(op) << "expected one copy per value and device; run "
                            "--hetero-optimize-copies")
                 .attachNote(other.getLoc())
             << "the other copy";
  others.push_back(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Partitioned
//===----------------------------------------------------------------------===//

LogicalResult PhaseVerifier::checkPartitioned(Operation *op) {
  // What a kernel computes is part of the regions that call it.
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (function && function->hasAttr(kKernelAttrName))
    return success();
  if (auto execute = dyn_cast<ExecuteOp>(op))
    return checkBody(execute);
  if (isNoWork(op) || !hasTensors(op) || getStateName(op))
    return success();
  DeviceAttr device = constraints.getRunDevice(op);
  if (canBeGrouped(op) || (device && !device.isHost() && !isa<CopyOp>(op) &&
                           !constraints.hasPlacedRegions(op)))
    return report(op) << "expected it inside a hetero.execute; run "
                         "--hetero-partition";
  return success();
}

LogicalResult PhaseVerifier::checkBody(ExecuteOp op) {
  DeviceAttr own = op.getDevice().getBare();
  WalkResult result = op.getBody().walk([&](Operation *inner) -> WalkResult {
    DeviceAttr device = getDevice(inner);
    if (isa<CopyOp, ExecuteOp>(inner))
      return report(inner) << "expected no " << inner->getName()
                           << " inside hetero.execute; move it out";
    if (device && device.getBare() != own && !device.isHost())
      return report(inner) << "expected operations of " << own.str()
                           << " in this region, got " << device.str()
                           << "; partition again";
    for (Type type : inner->getResultTypes())
      if (failed(checkTensor(inner, "plain tensors", type, host)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  const DeviceKind *kind = lookupDeviceKind(op.getContext(), own.getKind());
  return kind ? kind->verifyRegion(op, phase) : success();
}

//===----------------------------------------------------------------------===//
// Bufferized and later
//===----------------------------------------------------------------------===//

/// Calls `check` on the types of results and block arguments.
static LogicalResult forEachType(Operation *op,
                                 function_ref<LogicalResult(Type)> check) {
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(check(type)))
          return failure();
  return success();
}

/// True for what a device does: a kernel, or a copy of its memory.
static bool isDeviceWork(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return getBufferDevice(copy.getSource()) ||
           getBufferDevice(copy.getTarget());
  return isa<gpu::LaunchFuncOp, gpu::MemcpyOp>(op) || getKernelStream(op);
}

/// A host region has its own work in it, and all of it, or times are not those
/// of the region.
LogicalResult PhaseVerifier::checkHostRegions(Block &block) {
  HostRegionOp open;
  auto fail = [&](Operation *op, const Twine &text) {
    InFlightDiagnostic diagnostic = report(op);
    diagnostic << text;
    if (open && open != op)
      diagnostic.attachNote(open.getLoc()) << "the host region begins here";
    return diagnostic;
  };
  StringRef end = EndHostRegionOp::getOperationName();
  for (Operation &op : block) {
    auto begin = dyn_cast<HostRegionOp>(op);
    bool isEnd = isa<EndHostRegionOp>(op);
    if (begin && open)
      return fail(
          begin, "expected the host region before to end first; insert " + end);
    if (isEnd && !open)
      return fail(&op, "expected a host region that it ends; insert " +
                           HostRegionOp::getOperationName());
    if (open && isDeviceWork(&op))
      return fail(&op, "expected only work of the host in a host region; move "
                       "it out");
    if (begin || isEnd)
      open = begin;
  }
  if (open)
    return fail(open,
                "expected the host region to end in its block; insert " + end);
  return success();
}

LogicalResult PhaseVerifier::checkBufferized(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(checkHostRegions(block)))
        return failure();
  if (isa<CopyOp, ExecuteOp>(op))
    return report(op) << "expected memrefs only; run --hetero-bufferize";
  if (failed(forEachType(op, [&](Type type) -> LogicalResult {
        if (isa<TensorType>(type))
          return report(op) << "expected memrefs only, got " << type
                            << "; run --hetero-bufferize";
        return success();
      })))
    return failure();
  if (!isa<DestinationStyleOpInterface>(op) || constraints.hasPlacedRegions(op))
    return checkHostAccess(op);
  DeviceAttr first;
  for (Type type : op->getOperandTypes()) {
    DeviceAttr device =
        isa<BaseMemRefType>(type) ? getTypeDevice(type) : DeviceAttr();
    if (first && device && device != first)
      return report(op) << "expected memrefs of one device, got " << first.str()
                        << " and " << device.str() << "; insert a memref.copy";
    first = first ? first : device;
  }
  return success();
}

/// Single loads and stores run on the host, which cannot reach the memory of
/// another device, unless they are part of an operation that runs there.
LogicalResult PhaseVerifier::checkHostAccess(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  Operation *parent = op->getParentOp();
  if (!effects || isa<memref::CopyOp, AdoptOp>(op) ||
      op->getNumRegions() != 0 ||
      (isa_and_nonnull<DestinationStyleOpInterface>(parent) &&
       !constraints.hasPlacedRegions(parent)))
    return success();
  for (Value operand : op->getOperands()) {
    DeviceAttr device = isa<BaseMemRefType>(operand.getType())
                            ? getTypeDevice(operand.getType())
                            : DeviceAttr();
    if (!isHostAccessible(device) &&
        (effects.getEffectOnValue<MemoryEffects::Read>(operand) ||
         effects.getEffectOnValue<MemoryEffects::Write>(operand)))
      return report(op) << "expected host memory, got " << operand.getType()
                        << "; copy it to the host first";
  }
  return success();
}

/// The programs of several nodes do not wait for each other forever.
LogicalResult PhaseVerifier::checkTransfers() {
  if (failed(verifyTransferOrder(module)))
    return failure();
  for (auto program : module.getOps<ModuleOp>())
    if (failed(verifyTransferOrder(program)))
      return failure();
  return verifyTransferPairs(module);
}

/// Accesses of devices and the host to the same memory are in order.
LogicalResult PhaseVerifier::checkOrder() {
  for (auto program : module.getOps<ModuleOp>())
    if (failed(verifyOrder(program)))
      return failure();
  return verifyOrder(module);
}

LogicalResult PhaseVerifier::checkNoDevice(Operation *op) {
  if (failed(checkBufferized(op)))
    return failure();
  return forEachType(op, [&](Type type) -> LogicalResult {
    auto memref = dyn_cast<BaseMemRefType>(type);
    if (memref && isa_and_nonnull<DeviceAttr>(memref.getMemorySpace()))
      return report(op) << "expected no device as a memory space, got " << type
                        << "; run --convert-hetero-to-gpu";
    return success();
  });
}

/// Only what translates to LLVM IR is left; kernels are binaries or modules.
LogicalResult PhaseVerifier::checkLLVM(Operation *op) {
  if (isa<gpu::BinaryOp, gpu::GPUModuleOp>(op))
    return success();
  WalkResult result =
      op->walk<WalkOrder::PreOrder>([&](Operation *inner) -> WalkResult {
        if (isa<LLVM::LLVMDialect>(inner->getDialect()))
          return WalkResult::advance();
        return report(inner) << "expected the llvm dialect only; run "
                                "--hetero-to-llvm";
      });
  return failure(result.wasInterrupted());
}

namespace {
struct VerifyPass : public mlir::hetero::impl::VerifyPassBase<VerifyPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(PhaseVerifier(getOperation()).run()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
