//===- StateModels.cpp - Placement of state -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loads state from where it lives, or stores it there, runs there: it
// copies within one memory.
//
//===----------------------------------------------------------------------===//

#include "StateModels.h"

#include "ModelHelp.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
template <typename OpTy>
struct StateModel
    : public PlacementOpInterface::ExternalModel<StateModel<OpTy>, OpTy> {
  PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes) const {
    // What is read is written.
    return {0, multiplySizes(2, getTrafficBytes(op, sizes))};
  }
  SymbolRefAttr getState(Operation *op) const {
    return cast<OpTy>(op).getGlobalAttr();
  }
};
} // namespace

void mlir::hetero::registerStateModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, ml_program::MLProgramDialect *) {
        attachModels<StateModel, ml_program::GlobalLoadOp,
                     ml_program::GlobalStoreOp>(context);
      });
}
