//===- PlacementModels.cpp - Models of PlacementOpInterface ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that ask any operation, and the models of operations that only the
// host runs: control flow, calls, and this dialect's own operations.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"

#include "ComputeModels.h"
#include "ModelHelp.h"
#include "StateModels.h"
#include "TensorModels.h"
#include "TosaModels.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Any operation
//===----------------------------------------------------------------------===//

static bool isTensor(Type type) { return isa<TensorType>(type); }

bool mlir::hetero::hasTensors(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

bool mlir::hetero::isControlFlow(Operation *op) {
  return op->getNumRegions() != 0 &&
         isa<RegionBranchOpInterface, LoopLikeOpInterface>(op) &&
         !isa<ExecuteOp>(op);
}

LogicalResult mlir::hetero::canRunOn(Operation *op, StringRef kind,
                                     const DeviceKind *registered,
                                     std::string &reason) {
  auto model = dyn_cast<PlacementOpInterface>(op);
  if (model && failed(model.canRunOn(kind, reason)))
    return failure();
  if (registered && (model || kind == kHostKind))
    return registered->canRun(op, reason);
  reason = ("no " + kind + " code for " + op->getName().getStringRef()).str();
  return failure();
}

LogicalResult mlir::hetero::canRunOn(Operation *op, StringRef kind,
                                     std::string &reason) {
  return canRunOn(op, kind, lookupDeviceKind(op->getContext(), kind), reason);
}

PlacementConstraint mlir::hetero::getOperandConstraint(OpOperand &operand) {
  return isTensor(operand.get().getType()) ? getTensorConstraint(operand)
                                           : PlacementConstraint::Host;
}

PlacementConstraint mlir::hetero::getTensorConstraint(OpOperand &operand) {
  if (auto model = dyn_cast<PlacementOpInterface>(operand.getOwner()))
    return model.getOperandConstraint(operand.getOperandNumber());
  return PlacementConstraint::Host;
}

PlacementConstraint mlir::hetero::getResultConstraint(OpResult result) {
  if (!isTensor(result.getType()))
    return PlacementConstraint::Host;
  if (auto model = dyn_cast<PlacementOpInterface>(result.getOwner()))
    return model.getResultConstraint(result.getResultNumber());
  return PlacementConstraint::Host;
}

PlacementCost mlir::hetero::getPlacementCost(Operation *op,
                                             TensorSizes &sizes) {
  if (auto model = dyn_cast<PlacementOpInterface>(op))
    return model.getPlacementCost(sizes);
  return {};
}

bool mlir::hetero::isReplicable(Operation *op) {
  auto model = dyn_cast<PlacementOpInterface>(op);
  return model && model.isReplicable();
}

bool mlir::hetero::readsOperand(OpOperand &operand) {
  if (auto model = dyn_cast<PlacementOpInterface>(operand.getOwner()))
    return model.readsOperand(operand.getOperandNumber());
  return true;
}

SymbolRefAttr mlir::hetero::getStateName(Operation *op) {
  auto model = dyn_cast<PlacementOpInterface>(op);
  return model ? model.getState() : SymbolRefAttr();
}

bool mlir::hetero::storesOncePerPoint(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return llvm::none_of(
        reductions, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
  });
}

void mlir::hetero::visitReads(Operation *op,
                              llvm::function_ref<void(Value)> visit) {
  llvm::for_each(op->getOperands(), visit);
  visitUsedValuesDefinedAbove(op->getRegions(),
                              [&](OpOperand *use) { visit(use->get()); });
}

//===----------------------------------------------------------------------===//
// Control flow, calls, own operations
//===----------------------------------------------------------------------===//

namespace {
/// Regions are entered and placed operation by operation; the control itself
/// is the host's, and so are the values that go in and out.
template <typename OpTy>
struct ControlFlowModel
    : public PlacementOpInterface::ExternalModel<ControlFlowModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    return runsOnlyOnHost(op, kind, "is control flow, which the host runs",
                          reason);
  }
  PlacementConstraint getOperandConstraint(Operation *, unsigned) const {
    return PlacementConstraint::Host;
  }
  PlacementConstraint getResultConstraint(Operation *, unsigned) const {
    return PlacementConstraint::Host;
  }
};

/// Arguments and results of a call are where the callee's signature says; the
/// host unless it is annotated.
template <typename OpTy>
struct CallModel
    : public PlacementOpInterface::ExternalModel<CallModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    return runsOnlyOnHost(op, kind, "is a call, which the host makes", reason);
  }
  PlacementConstraint getOperandConstraint(Operation *, unsigned) const {
    return PlacementConstraint::Host;
  }
  PlacementConstraint getResultConstraint(Operation *, unsigned) const {
    return PlacementConstraint::Host;
  }
};

/// Both ends of a copy are given; it costs nothing besides the transfer.
struct CopyModel
    : public PlacementOpInterface::ExternalModel<CopyModel, CopyOp> {
  PlacementConstraint getOperandConstraint(Operation *, unsigned) const {
    return PlacementConstraint::Any;
  }
};

/// What has the sizes of its operand.
template <typename OpTy>
struct SameBounds
    : public ValueBoundsOpInterface::ExternalModel<SameBounds<OpTy>, OpTy> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &sizes) const {
    sizes.bound(value)[dim] == sizes.getExpr(op->getOperand(0), dim);
  }
};

/// A region that is already on its device. It is not entered.
struct ExecuteModel
    : public PlacementOpInterface::ExternalModel<ExecuteModel, ExecuteOp> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    StringRef own = cast<ExecuteOp>(op).getDevice().getKind();
    if (kind == own)
      return success();
    reason = ("hetero.execute is bound to a " + own + " device").str();
    return failure();
  }
};
} // namespace

void mlir::hetero::registerPlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    attachModels<ControlFlowModel, scf::ForOp, scf::IfOp, scf::WhileOp,
                 scf::ForallOp, scf::ParallelOp, scf::IndexSwitchOp,
                 scf::ExecuteRegionOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    attachModels<CallModel, func::CallOp, func::CallIndirectOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, HeteroDialect *) {
    CopyOp::attachInterface<CopyModel, SameBounds<CopyOp>>(*context);
    AdoptOp::attachInterface<SameBounds<AdoptOp>>(*context);
    ExecuteOp::attachInterface<ExecuteModel>(*context);
  });
  registerComputeModels(registry);
  registerStateModels(registry);
  registerTensorModels(registry);
  registerTosaModels(registry);
}
