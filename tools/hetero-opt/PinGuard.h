//===- PinGuard.h - Annotations that passes drop ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes of others that run before placement know nothing of `hetero.device`:
// they fuse an annotated operation into one without, fold it, or erase it. The
// guard compares what is annotated before and after each of them, and warns.
// Where a pass runs others, the innermost one is named.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_HETERO_OPT_PINGUARD_H
#define HETERO_TOOLS_HETERO_OPT_PINGUARD_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::hetero {

class PinGuard : public PassInstrumentation {
public:
  void runBeforePass(Pass *pass, Operation *op) override;
  void runAfterPass(Pass *pass, Operation *op) override;
  void runAfterPassFailed(Pass *pass, Operation *op) override;

private:
  /// An annotated operation, which may be gone when it is named.
  struct Pin {
    DeviceAttr device;
    OperationName name;
    Location loc;
  };
  using Pins = SmallVector<Pin, 0>;

  static Pins collect(Operation *op);
  static Pins findLost(ArrayRef<Pin> before, ArrayRef<Pin> after);
  static void report(Pass *pass, ArrayRef<Pin> lost);
  void forget(Operation *op, ArrayRef<Pin> lost);

  /// Before the pass that runs on an operation; passes on several run at once,
  /// and their callbacks one by one.
  llvm::DenseMap<std::pair<Pass *, Operation *>, Pins> before;
};

} // namespace mlir::hetero

#endif // HETERO_TOOLS_HETERO_OPT_PINGUARD_H
