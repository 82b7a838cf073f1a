//===- LowerTosa.cpp - Lowers TOSA inside of regions ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   hetero.execute "f" on gpu:0 (%x = %a : tensor<4xf32>) {
//     %0 = tosa.add %x, %x
//
// becomes what upstream's passes make of it:
//
//   hetero.execute "f" on gpu:0 (%x = %a : tensor<4xf32>) {
//     %0 = linalg.generic ... { arith.addf }
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Frontends/LowerTosa.h"

#include "TosaSizes.h"
#include "hetero/Transforms/Regions/ExecuteBody.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

/// What upstream's addTosaToLinalgPasses does, without the passes that take a
/// whole program.
static void addTosaPasses(OpPassManager &manager) {
  OpPassManager &function = manager.nest<func::FuncOp>();
  function.addPass(tosa::createTosaOptionalDecompositionsPass());
  function.addPass(createCanonicalizerPass());
  function.addPass(tosa::createTosaInferShapesPass());
  function.addPass(tosa::createTosaMakeBroadcastablePass());
  // A scatter, which the others would refuse.
  function.addPass(createTosaToSCFPass());
  function.addPass(tosa::createTosaToLinalgNamed());
  function.addPass(createCanonicalizerPass());
  function.addPass(tosa::createTosaMakeBroadcastablePass());
  function.addPass(tosa::createTosaToLinalg());
  function.addPass(createTosaToTensorPass());
  TosaToArithPassOptions arith;
  arith.includeApplyRescale = true;
  function.addPass(createTosaToArithPass(arith));
}

static bool isTosa(Operation *op) {
  return isa<tosa::TosaDialect>(op->getDialect());
}

static bool hasTosa(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return op->getDialect() && isTosa(op) ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The zero points of an operation that has some.
static SmallVector<OpOperand *> getZeroPoints(Operation *op) {
  auto getOf = [](auto conv) {
    return SmallVector<OpOperand *>{&conv.getInputZpMutable(),
                                    &conv.getWeightZpMutable()};
  };
  return llvm::TypeSwitch<Operation *, SmallVector<OpOperand *>>(op)
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
            tosa::TransposeConv2DOp>(getOf)
      .Case([](tosa::MatMulOp matmul) {
        return SmallVector<OpOperand *>{&matmul.getAZpMutable(),
                                        &matmul.getBZpMutable()};
      })
      .Case([](tosa::AvgPool2dOp pool) {
        return SmallVector<OpOperand *>{&pool.getInputZpMutable(),
                                        &pool.getOutputZpMutable()};
      })
      .Case([](tosa::NegateOp negate) {
        return SmallVector<OpOperand *>{&negate.getInput1ZpMutable(),
                                        &negate.getOutputZpMutable()};
      })
      .Default([](Operation *) { return SmallVector<OpOperand *>(); });
}

/// Zero points of floats are 0, whether they are constants or not; upstream's
/// lowerings look for constants.
static void makeZeroPointsConstant(Operation *op) {
  for (OpOperand *operand : getZeroPoints(op)) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type || !isa<FloatType>(type.getElementType()) ||
        !type.hasStaticShape() || matchPattern(operand->get(), m_Constant()))
      continue;
    OpBuilder builder(op);
    auto zero = cast<DenseElementsAttr>(builder.getZeroAttr(type));
    operand->set(tosa::ConstOp::create(builder, op->getLoc(), type, zero));
  }
}

/// Only a product of i32 is shifted; upstream's lowering of others takes a
/// shift for one unless it is the constant 0.
static void makeShiftConstant(tosa::MulOp product) {
  auto type = cast<ShapedType>(product.getInput1().getType());
  auto shift = dyn_cast<RankedTensorType>(product.getShift().getType());
  if (type.getElementType().isInteger(32) || !shift ||
      matchPattern(product.getShift(), m_Constant()))
    return;
  OpBuilder builder(product);
  auto zero = cast<DenseElementsAttr>(builder.getZeroAttr(shift));
  product.getShiftMutable().assign(
      tosa::ConstOp::create(builder, product.getLoc(), shift, zero));
}

/// Says what is left, as the user wrote it.
static LogicalResult refuseTosa(ExecuteOp region) {
  WalkResult walk = region.getBody().walk([](Operation *op) {
    if (!isTosa(op) || op->hasTrait<OpTrait::ConstantLike>())
      return WalkResult::advance();
    op->emitOpError("has no lowering for its types and attributes; rewrite it "
                    "in other operations");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Upstream's lowerings take for granted that inference has found all ranks.
static LogicalResult refuseUnranked(ExecuteOp region) {
  WalkResult walk = region.getBody().walk([](Operation *op) {
    bool isUnranked =
        llvm::any_of(op->getOperandTypes(),
                     llvm::IsaPred<UnrankedTensorType>) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<UnrankedTensorType>);
    if (!isTosa(op) || !isUnranked)
      return WalkResult::advance();
    op->emitOpError("has a tensor whose rank is not known; cast it with "
                    "tensor.cast");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

void mlir::hetero::addTosaDialects(DialectRegistry &registry) {
  OpPassManager manager(ModuleOp::getOperationName());
  addTosaPasses(manager);
  manager.getDependentDialects(registry);
}

/// Reports the first of the errors that upstream's passes make, with what to
/// do.
static LogicalResult runWithRemedy(Operation *root,
                                   function_ref<LogicalResult()> run) {
  std::optional<Location> place;
  std::string cause;
  LogicalResult result = failure();
  {
    ScopedDiagnosticHandler handler(
        root->getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (!place) {
            place = diagnostic.getLocation();
            cause = diagnostic.str();
          }
          return success();
        });
    result = run();
  }
  // Others report an error and succeed.
  if (place)
    result = failure();
  // Some of upstream's passes fail without a word.
  if (failed(result))
    emitError(place.value_or(root->getLoc()))
        << "TOSA is not lowered" << (place ? ": " : "") << cause
        << "; write it in other operations, types or attributes";
  return result;
}

LogicalResult mlir::hetero::inferTosaShapes(ModuleOp module) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.nest<func::FuncOp>().addPass(tosa::createTosaInferShapesPass());
  return runWithRemedy(module, [&] { return manager.run(module); });
}

LogicalResult mlir::hetero::lowerTosaOutsideRegions(ModuleOp module) {
  if (!hasTosa(module))
    return success();
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  TosaToArithPassOptions arith;
  arith.includeApplyRescale = true;
  manager.nest<func::FuncOp>().addPass(createTosaToArithPass(arith));
  return runWithRemedy(module, [&] { return manager.run(module); });
}

LogicalResult mlir::hetero::lowerTosa(ExecuteOp region) {
  if (!hasTosa(region))
    return success();
  region.getBody().walk(makeZeroPointsConstant);
  region.getBody().walk(makeShiftConstant);
  OpPassManager inference(ModuleOp::getOperationName());
  inference.nest<func::FuncOp>().addPass(tosa::createTosaInferShapesPass());
  if (failed(runWithRemedy(
          region,
          [&] { return runPipelineOnExecuteBody(region, inference); })) ||
      failed(refuseUnranked(region)))
    return failure();
  region.getBody().walk(agreeOnSizes);
  OpPassManager manager(ModuleOp::getOperationName());
  addTosaPasses(manager);
  if (failed(runWithRemedy(
          region, [&] { return runPipelineOnExecuteBody(region, manager); })))
    return failure();
  return refuseTosa(region);
}
