//===- PlacementModelsCompute.cpp - Models for linalg, arith and math -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every structured linalg operation is described by its body and its maps, so
// that one model serves the named ones as well as linalg.generic.
//
//===----------------------------------------------------------------------===//

#include "PlacementModelsDetail.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

/// Structured operations.
template <typename OpTy>
struct LinalgModel
    : public PlacementOpInterface::ExternalModel<LinalgModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    if (hasTensors(op))
      return success();
    return runsOnlyOnHost(op, kind, "works on memrefs", reason);
  }

  PlacementCost getPlacementCost(Operation *op) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    int64_t perElement = 0;
    for (Operation &inner : *linalgOp.getBlock())
      perElement += OpTrait::hasElementwiseMappableTraits(&inner);
    int64_t iterations = 1;
    if (perElement != 0)
      for (int64_t size : linalgOp.getStaticLoopRanges())
        iterations = multiplySizes(iterations, ShapedType::isDynamic(size)
                                                   ? kDefaultDynamicSize
                                                   : size);
    return {multiplySizes(iterations, perElement), getTrafficBytes(op)};
  }

  /// Fills and iotas: made from scalars alone.
  bool isReplicable(Operation *op) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      return !isa<ShapedType>(operand.get().getType()) ||
             (linalgOp.isDpsInit(&operand) &&
              isa<TensorType>(operand.get().getType()) &&
              !linalgOp.payloadUsesValueFromOperand(&operand));
    });
  }

  bool readsOperand(Operation *op, unsigned index) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    OpOperand &operand = op->getOpOperand(index);
    return !linalgOp.isDpsInit(&operand) ||
           linalgOp.payloadUsesValueFromOperand(&operand);
  }
};

/// linalg.softmax, which code generation decomposes; its destination is
/// overwritten.
struct SoftmaxModel
    : public PlacementOpInterface::ExternalModel<SoftmaxModel,
                                                 linalg::SoftmaxOp> {
  PlacementCost getPlacementCost(Operation *op) const {
    // maximum, subtract, exponential, sum, divide
    auto type = cast<ShapedType>(op->getOperand(0).getType());
    return {multiplySizes(5, getNumElements(type)), getTrafficBytes(op)};
  }
  bool readsOperand(Operation *, unsigned index) const { return index == 0; }
};

//===----------------------------------------------------------------------===//
// arith and math
//===----------------------------------------------------------------------===//

/// Elementwise operations, on tensors or scalars. Those on tensors become
/// linalg before code generation.
template <typename OpTy>
struct ElementwiseModel
    : public PlacementOpInterface::ExternalModel<ElementwiseModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    if (!hasTensors(op))
      return runsOnlyOnHost(op, kind, "works on no tensors", reason);
    if (!OpTrait::hasElementwiseMappableTraits(op))
      return runsOnlyOnHost(op, kind, "has no " + kind.str() + " kernel",
                            reason);
    return success();
  }
  PlacementCost getPlacementCost(Operation *op) const {
    if (!hasTensors(op))
      return {};
    auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
    return {type ? getNumElements(type) : 0, getTrafficBytes(op)};
  }
};

/// A constant tensor is there before the program starts, on every device that
/// wants it.
struct ConstantModel
    : public PlacementOpInterface::ExternalModel<ConstantModel,
                                                 arith::ConstantOp> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    if (hasTensors(op))
      return success();
    return runsOnlyOnHost(op, kind, "works on no tensors", reason);
  }
  bool isReplicable(Operation *op) const { return hasTensors(op); }
};

/// The models of a list of operation classes, as tablegen prints it.
template <typename... Ops> struct AttachElementwise {
  static void to(MLIRContext *context) { (attachOne<Ops>(context), ...); }
  template <typename OpTy> static void attachOne(MLIRContext *context) {
    if constexpr (std::is_same_v<OpTy, arith::ConstantOp>)
      OpTy::template attachInterface<ConstantModel>(*context);
    else
      OpTy::template attachInterface<ElementwiseModel<OpTy>>(*context);
  }
};

template <typename... Ops> struct AttachLinalg {
  static void to(MLIRContext *context) {
    (Ops::template attachInterface<LinalgModel<Ops>>(*context), ...);
  }
};
} // namespace

void mlir::hetero::registerComputePlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    AttachLinalg<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >::to(context);
    linalg::SoftmaxOp::attachInterface<SoftmaxModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    AttachElementwise<
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
        >::to(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    AttachElementwise<
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
        >::to(context);
  });
}
