//===- ProductKernels.cpp - The kernels of a planned product --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product is one kernel, with what fills its result and what works on it. One
// with few results and a long reduction is two: in the first, several blocks
// share the reduction of a part of the result,
//
//   workspace(split, batch, row, column) = sum of the split's products
//
// and the second adds these, always in one order, fills, and does the rest. For
// warpgroups it is a kernel of its own, and one of the others besides.
//
//===----------------------------------------------------------------------===//

#include "ProductKernels.h"

#include "Codegen/GPU/Kernels/KernelName.h"
#include "ProductResults.h"
#include "TensorCoreKernel.h"
#include "WarpGroupKernel.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Adds the parts of results; a thread has a chunk of a row.
class SumsBuilder : IndexMath {
public:
  SumsBuilder(KernelBuilder &kernel, const TensorCorePlan &plan, Value filler,
              linalg::LinalgOp epilogue, Value workspace)
      : IndexMath(kernel), plan(plan), workspace(workspace),
        results(kernel, plan, filler, epilogue) {}

  void build();

private:
  int64_t count(ArrayRef<unsigned> loops) {
    return *getConstantIntValue(kernel.countIterations(loops));
  }
  SmallVector<Value> load(Value place, int64_t count);
  SmallVector<Value> addParts(Value place, int64_t count);

  const TensorCorePlan &plan;
  Value workspace;
  ProductResults results;
  int64_t partElements = 0;
};
} // namespace

void SumsBuilder::build() {
  int64_t rows = count(plan.rows), columns = count(plan.columns);
  int64_t pitch = getPartPitch(columns), batches = count(plan.batch);
  int64_t width = results.getChunk();
  int64_t chunks = llvm::divideCeil(columns, width);
  partElements = batches * rows * pitch;
  Value position = add(multiply(kernel.blockId(gpu::Dimension::x), kBlockSize),
                       kernel.threadId());
  onlyIf(less(position, constant(batches * rows * chunks)), [&] {
    SmallVector<Value> sizes, point = kernel.getOrigin();
    for (unsigned loop : plan.batch)
      sizes.push_back(kernel.getLoopSize(loop));
    Value line = divide(position, chunks);
    Value column = multiply(rest(position, chunks), width);
    Value batch = divide(line, rows), row = rest(line, rows);
    for (auto [loop, place] :
         llvm::zip_equal(plan.batch, kernel.delinearize(batch, sizes)))
      point[loop] = place;
    results.place(point);
    Value place = add(multiply(line, pitch), column);
    results.store(row, column, [&](Value first, int64_t count) {
      return addParts(add(place, first), count);
    });
  });
  kernel.finish({builder.getIndexAttr(
                    llvm::divideCeil(batches * rows * chunks, kBlockSize))},
                /*keepsOperation=*/true);
}

/// One element of a part, or a multiple of four.
SmallVector<Value> SumsBuilder::load(Value place, int64_t count) {
  Type type = plan.isInteger() ? Type(builder.getI32Type())
                               : Type(builder.getF32Type());
  auto locate = [&](int64_t i) -> Value {
    Value offset = arith::IndexCastOp::create(
        builder, loc, builder.getI64Type(), add(place, i));
    return LLVM::GEPOp::create(builder, loc, workspace.getType(), type,
                               workspace, ArrayRef<LLVM::GEPArg>{offset});
  };
  if (count == 1)
    return {LLVM::LoadOp::create(builder, loc, type, locate(0)).getResult()};
  SmallVector<Value> values;
  for (int64_t first = 0; first < count; first += 4) {
    Value vector = LLVM::LoadOp::create(builder, loc, VectorType::get(4, type),
                                        locate(first), kVectorBytes);
    for (int64_t i = 0; i < 4; ++i)
      values.push_back(LLVM::ExtractElementOp::create(
          builder, loc, vector,
          arith::ConstantIntOp::create(builder, loc, i, 32)));
  }
  return values;
}

SmallVector<Value> SumsBuilder::addParts(Value place, int64_t count) {
  auto loop =
      scf::ForOp::create(builder, loc, constant(1), constant(plan.splits),
                         constant(1), load(place, count));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> part =
      load(add(place, multiply(loop.getInductionVar(), partElements)), count);
  SmallVector<Value> sums;
  for (auto [sum, term] : llvm::zip_equal(loop.getRegionIterArgs(), part))
    sums.push_back(plan.isInteger() ? fold<arith::AddIOp>(sum, term)
                                    : fold<arith::AddFOp>(sum, term));
  scf::YieldOp::create(builder, loc, sums);
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// Device memory for all parts of the result.
static Value createWorkspace(OpBuilder &host, linalg::LinalgOp op,
                             const TensorCorePlan &plan) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto count = [&](ArrayRef<unsigned> loops) {
    int64_t total = 1;
    for (unsigned loop : loops)
      total *= sizes[loop];
    return total;
  };
  Type element =
      plan.isInteger() ? Type(host.getI32Type()) : Type(host.getF32Type());
  auto result = cast<MemRefType>(op.getDpsInits().front().getType());
  auto type = MemRefType::get({plan.splits, count(plan.batch), count(plan.rows),
                               getPartPitch(count(plan.columns))},
                              element, MemRefLayoutAttrInterface(),
                              result.getMemorySpace());
  return memref::AllocOp::create(host, op.getLoc(), type);
}

static LogicalResult buildSplitProduct(gpu::GPUModuleOp kernels,
                                       linalg::LinalgOp op,
                                       const TensorCorePlan &plan,
                                       const ProductFusion &fusion) {
  OpBuilder host(op);
  Value workspace = createWorkspace(host, op, plan);
  KernelBuilder parts(kernels, op, getKernelName(kernels, op) + "_parts");
  if (failed(parts.importOperands()))
    return failure();
  buildPartsKernel(parts, plan, parts.importPointer(workspace));
  std::string name = getKernelName(kernels, op, fusion.epilogue) + "_sums";
  KernelBuilder sums(kernels, op, name);
  if (failed(sums.importOperands()) ||
      (fusion.epilogue && failed(sums.importOperandsOf(fusion.epilogue))))
    return failure();
  Value filler = fusion.filler ? sums.importScalar(fusion.filler) : Value();
  SumsBuilder(sums, plan, filler, fusion.epilogue,
              sums.importPointer(workspace))
      .build();
  memref::DeallocOp::create(host, op.getLoc(), workspace);
  op->erase();
  return success();
}

using BuildKernel = llvm::function_ref<void(KernelBuilder &, Value)>;

/// One kernel, given the value that the result is filled with, if any.
static LogicalResult buildWholeProduct(gpu::GPUModuleOp kernels,
                                       linalg::LinalgOp op,
                                       const ProductFusion &fusion,
                                       BuildKernel build) {
  KernelBuilder kernel(kernels, op, fusion.epilogue);
  if (failed(kernel.importOperands()) ||
      (fusion.epilogue && failed(kernel.importOperandsOf(fusion.epilogue))))
    return failure();
  Value filler = fusion.filler ? kernel.importScalar(fusion.filler) : Value();
  build(kernel, filler);
  return success();
}

/// Erases what a product's kernel does besides.
static void eraseFused(const ProductFusion &fusion) {
  for (linalg::LinalgOp done : {fusion.fill, fusion.epilogue})
    if (done)
      done->erase();
}

LogicalResult mlir::hetero::buildProduct(gpu::GPUModuleOp kernels,
                                         linalg::LinalgOp op,
                                         const TensorCorePlan &plan,
                                         const ProductFusion &fusion) {
  // Then all operands of both exist.
  if (fusion.epilogue)
    op->moveBefore(fusion.epilogue);
  auto build = [&](KernelBuilder &kernel, Value filler) {
    buildTensorCoreKernel(kernel, plan, filler, fusion.epilogue);
  };
  LogicalResult built = plan.splits > 1
                            ? buildSplitProduct(kernels, op, plan, fusion)
                            : buildWholeProduct(kernels, op, fusion, build);
  if (succeeded(built))
    eraseFused(fusion);
  return built;
}

LogicalResult mlir::hetero::buildProduct(gpu::GPUModuleOp kernels,
                                         linalg::LinalgOp op,
                                         const WarpGroupPlan &plan,
                                         const ProductFusion &fusion) {
  linalg::LinalgOp last = fusion.epilogue ? fusion.epilogue : op;
  OpBuilder host(last);
  Value isTensor = createTensorCheck(host, op, plan);
  auto choice = scf::IfOp::create(host, op.getLoc(), isTensor,
                                  /*withElseRegion=*/true);
  // One more of each; both share the value that the result is filled with.
  host.setInsertionPointToStart(choice.elseBlock());
  auto clone = [&](linalg::LinalgOp original) -> linalg::LinalgOp {
    return original ? cast<linalg::LinalgOp>(host.clone(*original)) : nullptr;
  };
  linalg::LinalgOp other = clone(op);
  ProductFusion otherFusion{nullptr, clone(fusion.epilogue), fusion.filler};
  op->moveBefore(choice.thenBlock()->getTerminator());
  if (fusion.epilogue)
    fusion.epilogue->moveBefore(choice.thenBlock()->getTerminator());
  auto build = [&](KernelBuilder &kernel, Value filler) {
    buildWarpGroupKernel(kernel, plan, filler, fusion.epilogue);
  };
  if (failed(buildWholeProduct(kernels, op, fusion, build)))
    return failure();
  eraseFused(fusion);
  return buildProduct(kernels, other, *planTensorCores(other), otherFusion);
}
