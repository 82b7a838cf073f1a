//===- LongSums.cpp - A thread's long sums --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LongSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Value> mlir::hetero::createLoop(OpBuilder &builder, Location loc,
                                            Value first, Value end,
                                            int64_t step,
                                            ArrayRef<Value> carried,
                                            LongSums::BodyFn body) {
  Value distance = arith::ConstantIndexOp::create(builder, loc, step);
  auto loop = scf::ForOp::create(builder, loc, first, end, distance, carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results =
      body(loop.getInductionVar(),
           llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
  // A loop that carries nothing has its end already.
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, results);
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> LongSums::widen(ArrayRef<Value> accumulators) {
  SmallVector<Value> values(accumulators);
  for (auto [value, isSum] : llvm::zip_equal(values, areSums))
    if (isSum)
      value =
          builder.createOrFold<arith::ExtFOp>(loc, builder.getF64Type(), value);
  return values;
}

SmallVector<Value> LongSums::narrow(ArrayRef<Value> accumulators) {
  SmallVector<Value> values(accumulators);
  for (auto [value, isSum] : llvm::zip_equal(values, areSums))
    if (isSum)
      value =
          arith::TruncFOp::create(builder, loc, builder.getF32Type(), value);
  return values;
}

SmallVector<Value> LongSums::addBlock(
    ArrayRef<Value> accumulators,
    llvm::function_ref<SmallVector<Value>(ArrayRef<Value>)> body) {
  SmallVector<Value> block(accumulators);
  for (auto [value, isSum] : llvm::zip_equal(block, areSums))
    if (isSum)
      value = arith::ConstantOp::create(builder, loc,
                                        builder.getF32FloatAttr(-0.0f));
  block = widen(body(block));
  for (auto [sum, value, isSum] : llvm::zip_equal(accumulators, block, areSums))
    if (isSum)
      value = arith::AddFOp::create(builder, loc, sum, value);
  return block;
}

SmallVector<Value> LongSums::addBlocks(Value first, Value end, int64_t step,
                                       int64_t steps,
                                       ArrayRef<Value> accumulators,
                                       BodyFn body) {
  Value length = arith::ConstantIndexOp::create(builder, loc, step * steps);
  return createLoop(
      builder, loc, first, end, step * steps, accumulators,
      [&](Value index, ArrayRef<Value> sums) {
        Value next = arith::AddIOp::create(builder, loc, index, length);
        next = arith::MinUIOp::create(builder, loc, next, end);
        return addBlock(sums, [&](ArrayRef<Value> block) {
          return createLoop(builder, loc, index, next, step, block, body);
        });
      });
}
