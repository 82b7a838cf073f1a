//===- TensorModels.cpp - Models for the tensor dialect -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices, reshapes and the like run where their tensors are; operations that
// read or write single elements run on the host.
//
//===----------------------------------------------------------------------===//

#include "TensorModels.h"

#include "ModelHelp.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Operations on whole tensors that move data.
template <typename OpTy>
struct DataModel
    : public PlacementOpInterface::ExternalModel<DataModel<OpTy>, OpTy> {
  PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes) const {
    // What is read is what is written, wherever it comes from.
    return {0, multiplySizes(2, sizes.getBytes(op->getResult(0)))};
  }
};

/// Operations that look at the same data in another way.
template <typename OpTy>
struct ViewModel
    : public PlacementOpInterface::ExternalModel<ViewModel<OpTy>, OpTy> {};

/// A tensor without contents exists everywhere.
template <typename OpTy>
struct EmptyModel
    : public PlacementOpInterface::ExternalModel<EmptyModel<OpTy>, OpTy> {
  bool isReplicable(Operation *) const { return true; }
};

/// Shape queries look only at the type, so that their operand stays where it
/// is.
template <typename OpTy>
struct ShapeQueryModel
    : public PlacementOpInterface::ExternalModel<ShapeQueryModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    return runsOnlyOnHost(op, kind, "is a shape query, which the host answers",
                          reason);
  }
  PlacementConstraint getOperandConstraint(Operation *, unsigned) const {
    return PlacementConstraint::Any;
  }
  bool readsOperand(Operation *, unsigned) const { return false; }
};

/// Operations on single elements, whose value the host has.
template <typename OpTy>
struct ElementModel
    : public PlacementOpInterface::ExternalModel<ElementModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    return runsOnlyOnHost(
        op, kind, "works on single elements, which the host does", reason);
  }
  PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes) const {
    Value result = op->getResult(0);
    return {0, isa<RankedTensorType>(result.getType())
                   ? sizes.getBytes(result)
                   : getElementBytes(result.getType())};
  }
};

/// The rest of the dialect.
template <typename OpTy>
struct HostModel
    : public PlacementOpInterface::ExternalModel<HostModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    return runsOnlyOnHost(op, kind, "has no " + kind.str() + " kernel", reason);
  }
  PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes) const {
    return {0, getTrafficBytes(op, sizes)};
  }
};
} // namespace

void mlir::hetero::registerTensorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attachModels<DataModel, tensor::InsertSliceOp, tensor::ConcatOp,
                 tensor::PadOp, tensor::SplatOp, tensor::GenerateOp>(context);
    attachModels<ViewModel, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                 tensor::CollapseShapeOp, tensor::CastOp>(context);
    attachModels<EmptyModel, tensor::EmptyOp>(context);
    attachModels<ShapeQueryModel, tensor::DimOp, tensor::RankOp>(context);
    attachModels<ElementModel, tensor::ExtractOp, tensor::InsertOp,
                 tensor::FromElementsOp>(context);
    attachModels<HostModel, tensor::BitcastOp, tensor::GatherOp,
                 tensor::ScatterOp, tensor::ReshapeOp>(context);
  });
}
