//===- TosaModels.cpp - Models for the tosa dialect -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TOSA is placed as it is written and lowered inside of its region. What an
// operation costs follows from the shapes of its operands and results.
//
//===----------------------------------------------------------------------===//

#include "TosaModels.h"

#include "ModelHelp.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// The product of the sizes of a tensor's dimensions.
int64_t multiplyDims(Value value, ArrayRef<int64_t> dims, TensorSizes &sizes) {
  int64_t product = 1;
  for (int64_t dim : dims)
    product = multiplySizes(product, sizes.getDimSize(value, dim));
  return product;
}

/// Multiplications and additions per element of the result (of the input, for a
/// transposed convolution); none for what is no sum of products or window.
std::optional<int64_t> countPerElement(Operation *op, TensorSizes &sizes) {
  auto countWindow = [](ArrayRef<int64_t> kernel) {
    return multiplySizes(kernel[0], kernel[1]);
  };
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](tosa::MatMulOp matmul) {
        return 2 * sizes.getDimSize(matmul.getA(), 2);
      })
      .Case([&](tosa::Conv2DOp conv) {
        return 2 * multiplyDims(conv.getWeight(), {1, 2, 3}, sizes);
      })
      .Case([&](tosa::Conv3DOp conv) {
        return 2 * multiplyDims(conv.getWeight(), {1, 2, 3, 4}, sizes);
      })
      .Case([&](tosa::DepthwiseConv2DOp conv) {
        return 2 * multiplyDims(conv.getWeight(), {0, 1}, sizes);
      })
      .Case([&](tosa::TransposeConv2DOp conv) {
        return 2 * multiplyDims(conv.getWeight(), {0, 1, 2}, sizes);
      })
      .Case(
          [&](tosa::AvgPool2dOp pool) { return countWindow(pool.getKernel()); })
      .Case(
          [&](tosa::MaxPool2dOp pool) { return countWindow(pool.getKernel()); })
      .Case<tosa::FFT2dOp, tosa::RFFT2dOp>([&](auto transform) {
        // A sum over all elements of a plane, of two products with a sine and
        // a cosine.
        return 6 * multiplyDims(op->getOperand(0), {1, 2}, sizes);
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Operations that look at the same data in another way, or move it.
bool isView(Operation *op) { return isa<tosa::ReshapeOp>(op); }
bool isMove(Operation *op) {
  return isa<tosa::ConcatOp, tosa::PadOp, tosa::SliceOp, tosa::TileOp,
             tosa::TransposeOp, tosa::ReverseOp, tosa::GatherOp>(op);
}

int64_t countElements(Operation *op, TensorSizes &sizes) {
  int64_t most = 0;
  auto count = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      most = std::max(most, sizes.getNumElements(value));
  };
  llvm::for_each(op->getOperands(), count);
  llvm::for_each(op->getResults(), count);
  return most;
}

LogicalResult canRunTosa(Operation *op, StringRef kind, std::string &reason) {
  if (failed(hasTensorsToPlace(op, kind, reason)))
    return failure();
  // Loops over single elements, state, and what upstream does not lower.
  if (isa<tosa::ScatterOp, tosa::CustomOp, tosa::VariableReadOp,
          tosa::VariableWriteOp, tosa::IfOp, tosa::WhileOp>(op))
    return runsOnlyOnHost(op, kind, "has no " + kind.str() + " kernel", reason);
  return success();
}

PlacementCost getTosaCost(Operation *op, TensorSizes &sizes) {
  if (!hasTensors(op) || op->hasTrait<OpTrait::ConstantLike>() || isView(op))
    return {};
  // Without a rank there are no sizes, whatever they are taken for.
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<UnrankedTensorType>) ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<UnrankedTensorType>))
    return {};
  if (isMove(op))
    return {0, multiplySizes(2, sizes.getBytes(op->getResult(0)))};
  int64_t bytes = getTrafficBytes(op, sizes);
  std::optional<int64_t> perElement = countPerElement(op, sizes);
  if (!perElement)
    return {countElements(op, sizes), bytes};
  Value walked =
      isa<tosa::TransposeConv2DOp>(op) ? op->getOperand(0) : op->getResult(0);
  return {multiplySizes(*perElement, sizes.getNumElements(walked)), bytes};
}

template <typename OpTy>
struct TosaModel
    : public PlacementOpInterface::ExternalModel<TosaModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    return canRunTosa(op, kind, reason);
  }
  PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes) const {
    return getTosaCost(op, sizes);
  }
  bool isReplicable(Operation *op) const {
    return op->hasTrait<OpTrait::ConstantLike>() && hasDenseElements(op);
  }
};

template <typename... Ops> struct AttachTosa {
  static void to(MLIRContext *context) {
    (Ops::template attachInterface<TosaModel<Ops>>(*context), ...);
  }
};
} // namespace

void mlir::hetero::registerTosaModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tosa::TosaDialect *) {
    AttachTosa<
#define GET_OP_LIST
#include "mlir/Dialect/Tosa/IR/TosaOps.cpp.inc"
        >::to(context);
  });
}
