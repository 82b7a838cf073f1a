//===- ModelHelp.h - What models of operations share ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the models of the single dialects share.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_MODELHELP_H
#define HETERO_DIALECT_HETERO_IR_MODELHELP_H

#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/Support/LLVM.h"
#include <string>

namespace mlir {
class Operation;

namespace hetero {

/// Success for the kind of the host; else "OP WHY".
LogicalResult runsOnlyOnHost(Operation *op, StringRef kind, StringRef why,
                             std::string &reason);
/// True for what is no constant and for constants whose elements lie next to
/// each other, as a device's memory has them.
bool hasDenseElements(Operation *op);
/// Success for the kind of the host, and for what works on tensors whose
/// elements, if it is a constant, are dense.
LogicalResult hasTensorsToPlace(Operation *op, StringRef kind,
                                std::string &reason);
/// Bytes of the operands that are read and of the results.
int64_t getTrafficBytes(Operation *op, TensorSizes &sizes);
/// Gives each of the operations the model.
template <template <typename> class Model, typename... Ops>
void attachModels(MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_IR_MODELHELP_H
