//===- LowerHostLoops.cpp - Lowers the code of host regions ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of passes between buffers and the llvm dialect for host code. All
// of it is on functions: device modules keep their own lowering.
//
//===----------------------------------------------------------------------===//

#include "hetero/Conversion/HostLoops/LowerHostLoops.h"

#include "hetero/Conversion/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::hetero;

/// Arithmetic on bf16 is done in f32: no processor of the baseline has it, and
/// the conversions that LLVM would call are not in Debian's libgcc.
static void addNarrowFloatPasses(OpPassManager &function) {
  math::MathExtendToSupportedTypesOptions extend;
  extend.extraTypeStrs = {"f32", "f64"};
  extend.targetTypeStr = "f32";
  function.addPass(math::createMathExtendToSupportedTypes(extend));
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  emulate.targetTypeStr = "f32";
  function.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
}

void mlir::hetero::addLowerHostLoopsPasses(OpPassManager &manager) {
  manager.addPass(createConvertParallelLoopsToRuntimePass());
  {
    OpPassManager &function = manager.nest<func::FuncOp>();
    addNarrowFloatPasses(function);
  }
  manager.addPass(createExpandHostOperationsPass());
  manager.addPass(createOutlineHostLoopsPass());
  // Integer powers become loops in functions of their own.
  manager.addPass(createConvertMathToFuncs());
  OpPassManager &function = manager.nest<func::FuncOp>();
  function.addPass(createConvertLinalgToLoopsPass());
  // Of a schedule; our own code generator makes none.
  function.addPass(vector::createLowerVectorMultiReductionPass());
  function.addPass(createConvertVectorToSCFPass());
  function.addPass(createExpandMinMaxPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  function.addPass(arith::createArithExpandOpsPass(expand));
  function.addPass(memref::createExpandStridedMetadataPass());
  function.addPass(createLowerAffinePass());
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(createLoopInvariantCodeMotionPass());
  function.addPass(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.reassociateFPReductions = true;
  vectors.force32BitVectorIndices = false;
  function.addPass(createConvertVectorToLLVMPass(vectors));
  // What has an instruction becomes one; only the rest is left for libm, which
  // has no rsqrt, for example.
  function.addPass(createConvertMathToLLVMPass());
}
