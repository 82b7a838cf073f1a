//===- IdleAnnotations.cpp - Annotations that mean nothing ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IdleAnnotations.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::hetero;

void mlir::hetero::warnOfIdleAnnotations(ModuleOp module,
                                         const PlacementGraph &graph) {
  auto warn = [](Operation *op, StringRef why) {
    if (DeviceAttr device = getDevice(op))
      emitWarning(op->getLoc())
          << "the annotation of '" << op->getName() << "' op with "
          << device.str() << " has no effect: " << why;
    else if (op->hasAttr(kColocateAttrName))
      emitWarning(op->getLoc()) << kColocateAttrName << " of '" << op->getName()
                                << "' op has no effect: " << why;
  };
  for (Operation &op : *module.getBody())
    if (!isa<FunctionOpInterface>(op))
      op.walk([&](Operation *inner) {
        // Those of globals are checked against what uses them.
        if (inner != &op || !isa<SymbolOpInterface>(op))
          warn(inner, "it is not in a function of this module");
      });
  for (Operation *op : graph.idlyAnnotated) {
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      warn(op, "terminators have no device");
      continue;
    }
    op->walk([&](Operation *inner) {
      if (inner != op)
        warn(inner, "it runs where the operation around it runs");
    });
  }
}
