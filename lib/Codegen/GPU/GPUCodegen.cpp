//===- GPUCodegen.cpp - Code generation for the GPU -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prepares a region for kernels: operations that stand for several loops are
// decomposed, and elementwise chains are fused, so that each linalg operation
// that is left is worth a kernel.
//
//===----------------------------------------------------------------------===//

#include "GPUCodegen.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/Common/CleanUp.h"
#include "hetero/Codegen/Common/FuseElementwise.h"
#include "hetero/Codegen/Decompose/Decompose.h"
#include "hetero/Dialect/Hetero/IR/AllowTF32.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

/// One structured operation is a kernel as it is, and keeps its name.
static bool isOneKernel(ExecuteOp op) {
  int64_t numStructured = 0;
  bool isSimple = true;
  op.getBody().walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isa<linalg::LinalgOp>(inner)) {
      ++numStructured;
      return WalkResult::skip();
    }
    isSimple &= isa<tensor::EmptyOp, YieldOp>(inner) ||
                inner->hasTrait<OpTrait::ConstantLike>();
    return WalkResult::advance();
  });
  return isSimple && numStructured == 1;
}

LogicalResult mlir::hetero::generateGPURegion(ExecuteOp op) {
  if (isOneKernel(op)) {
    overwriteDonated(op);
    return success();
  }
  pushTF32ToBodies(op);
  auto refuse = [&] {
    return op.emitOpError("cannot generate device code for \"")
           << op.getName() << "\"";
  };
  if (failed(decomposeRegion(op)))
    return refuse();
  widenTerms(op);
  if (failed(fuseElementwise(op)))
    return refuse();
  return cleanUpRegion(op);
}
