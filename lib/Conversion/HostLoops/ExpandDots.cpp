//===- ExpandDots.cpp - Instructions for sums of narrow products ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %1 = hetero.dot %a, %b into %0 : vector<32xbf16> into vector<16xf32>
//     ->
//   %1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%0, %a, %b)
//
// Where the processor has no such instruction, or a slow one, each of the
// vectors becomes two of every second element, made wider.
//
//===----------------------------------------------------------------------===//

#include "ExpandDots.h"

#include "hetero/Codegen/CPU/Target/CPUTarget.h"
#include "hetero/Dialect/Hetero/IR/HeteroVectorOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

/// Bits of the shortest vectors that there are instructions for.
static constexpr int64_t kMinBits = 128;

/// The elements of `vector` at `positions`.
static Value pick(OpBuilder &builder, Location loc, Value vector,
                  ArrayRef<int64_t> positions) {
  return vector::ShuffleOp::create(builder, loc, vector, vector, positions);
}

/// Repeats the elements of a vector that is too short for an instruction.
static Value lengthen(OpBuilder &builder, Location loc, Value vector,
                      int64_t times) {
  if (times == 1)
    return vector;
  SmallVector<int64_t> positions;
  int64_t count = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t lane = 0; lane < times * count; ++lane)
    positions.push_back(lane % count);
  return pick(builder, loc, vector, positions);
}

static Value callInstruction(OpBuilder &builder, DotOp op) {
  Location loc = op.getLoc();
  int64_t lanes = op.getSums().getType().getNumElements();
  int64_t times = std::max<int64_t>(1, kMinBits / 32 / lanes);
  Value lhs = lengthen(builder, loc, op.getLhs(), times);
  Value rhs = lengthen(builder, loc, op.getRhs(), times);
  Value sums = lengthen(builder, loc, op.getSums(), times);
  StringRef name = op.getGroup() == 2 ? "llvm.x86.avx512bf16.dpbf16ps."
                                      : "llvm.x86.avx512.vpdpbusd.";
  std::string called = (name + Twine(times * lanes * 32)).str();
  Value result = LLVM::CallIntrinsicOp::create(builder, loc, sums.getType(),
                                               builder.getStringAttr(called),
                                               ValueRange{sums, lhs, rhs})
                     .getResult(0);
  return times == 1 ? result
                    : pick(builder, loc, result,
                           llvm::to_vector(llvm::seq<int64_t>(lanes)));
}

/// Every fourth of the bytes, as wide as the sums.
static Value widenBytes(OpBuilder &builder, DotOp op, Value vector,
                        int64_t step, bool isSigned) {
  VectorType type = op.getSums().getType();
  SmallVector<int64_t> positions;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane)
    positions.push_back(lane * op.getGroup() + step);
  Location loc = op.getLoc();
  Value narrow = pick(builder, loc, vector, positions);
  if (isSigned)
    return arith::ExtSIOp::create(builder, loc, type, narrow);
  return arith::ExtUIOp::create(builder, loc, type, narrow);
}

/// The first or the second of each pair of bf16, which are the upper bits of
/// f32: nothing moves to another lane.
static Value widenHalves(OpBuilder &builder, DotOp op, Value vector,
                         int64_t step) {
  Location loc = op.getLoc();
  VectorType type = op.getSums().getType();
  auto words = type.clone(builder.getI32Type());
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(words, builder.getI32IntegerAttr(value)));
  };
  Value pairs = vector::BitCastOp::create(builder, loc, words, vector);
  Value upper =
      step == 0
          ? arith::ShLIOp::create(builder, loc, pairs, constant(16)).getResult()
          : arith::AndIOp::create(builder, loc, pairs, constant(-65536))
                .getResult();
  return arith::BitcastOp::create(builder, loc, type, upper);
}

static Value computeSteps(OpBuilder &builder, DotOp op) {
  Location loc = op.getLoc();
  Value sums = op.getSums();
  for (int64_t step = 0; step < op.getGroup(); ++step) {
    if (op.getGroup() == 2) {
      auto fast = arith::FastMathFlags::contract;
      Value lhs = widenHalves(builder, op, op.getLhs(), step);
      Value rhs = widenHalves(builder, op, op.getRhs(), step);
      Value term = arith::MulFOp::create(builder, loc, lhs, rhs, fast);
      sums = arith::AddFOp::create(builder, loc, sums, term, fast);
    } else {
      Value lhs = widenBytes(builder, op, op.getLhs(), step, false);
      Value rhs = widenBytes(builder, op, op.getRhs(), step, true);
      Value term = arith::MulIOp::create(builder, loc, lhs, rhs);
      sums = arith::AddIOp::create(builder, loc, sums, term);
    }
  }
  return sums;
}

void mlir::hetero::expandDots(Operation *root) {
  SmallVector<DotOp> dots;
  root->walk([&](DotOp op) { dots.push_back(op); });
  if (dots.empty())
    return;
  CPUTarget target = CPUTarget::get(root);
  IRRewriter rewriter(root->getContext());
  for (DotOp op : dots) {
    rewriter.setInsertionPoint(op);
    bool hasOne = op.getGroup() == 2 ? target.dotsBF16 : target.dotsI8;
    int64_t lanes = op.getSums().getType().getNumElements();
    bool fits = lanes > 1 && llvm::isPowerOf2_64(lanes) &&
                lanes * 32 <= target.vectorBits;
    rewriter.replaceOp(op, hasOne && fits ? callInstruction(rewriter, op)
                                          : computeSteps(rewriter, op));
  }
}
