//===- CPUCodegen.cpp - Code generation for the host ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a cpu region becomes, step by step: destination-style
// linalg.generic operations, fused ones, tiles of an scf.forall, and loops over
// vectors in each tile. What cannot be vectorized stays a linalg.generic, which
// the lowering turns into scalar loops.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/CPU/CPUCodegen.h"

#include "hetero/Codegen/TargetRegistry.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::hetero;

CPUTarget CPUTarget::get(Operation *op) {
  CPUTarget target;
  auto module = op->getParentOfType<ModuleOp>();
  auto bits = module ? module->getAttrOfType<IntegerAttr>(kVectorBitsAttrName)
                     : IntegerAttr();
  if (bits)
    target.vectorBits = std::clamp<int64_t>(bits.getInt(), 128, 512);
  else if (llvm::sys::getHostCPUFeatures().lookup("avx512f"))
    target.vectorBits = 512;
  target.vectorRegisters = target.vectorBits == 512 ? 32 : 16;
  return target;
}

/// Canonicalization of the dialects that tiles are made of.
LogicalResult mlir::hetero::cleanUpCPURegion(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  for (StringRef name :
       {"affine", "arith", "linalg", "scf", "tensor", "vector"})
    if (Dialect *dialect = context->getLoadedDialect(name))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (isa<linalg::LinalgDialect, scf::SCFDialect, tensor::TensorDialect>(
            name.getDialect()) ||
        name.getDialectNamespace() == "affine" ||
        name.getDialectNamespace() == "arith" ||
        name.getDialectNamespace() == "vector")
      name.getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  if (failed(applyPatternsGreedily(root, std::move(patterns))))
    return failure();
  IRRewriter rewriter(context);
  DominanceInfo dominance(root);
  eliminateCommonSubExpressions(rewriter, dominance, root);
  return success();
}

LogicalResult mlir::hetero::generateCPURegion(ExecuteOp op) {
  if (failed(decomposeCPURegion(op)) || failed(fuseElementwiseCPURegion(op)) ||
      failed(tileCPURegion(op)) || failed(vectorizeCPURegion(op)))
    return op.emitOpError("cannot generate host code for \"")
           << op.getName() << "\"";
  return cleanUpCPURegion(op);
}
