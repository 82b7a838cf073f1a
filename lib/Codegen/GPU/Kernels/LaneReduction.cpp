//===- LaneReduction.cpp - Reductions across a warp -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tree of shuffles: lanes whose numbers differ in one bit exchange their
// values, bit by bit. Shuffles move 32 or 64 bits.
//
//===----------------------------------------------------------------------===//

#include "LaneReduction.h"

#include "Codegen/GPU/Plan/KernelLimits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::hetero;

Value mlir::hetero::combineValues(OpBuilder &builder, Operation *combiner,
                                  Value a, Value b) {
  IRMapping mapping;
  mapping.map(combiner->getOperand(0), a);
  mapping.map(combiner->getOperand(1), b);
  return builder.clone(*combiner, mapping)->getResult(0);
}

static Value toBits(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      value);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 32 || width == 64)
    return value;
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(builder, loc,
                                     builder.getIntegerType(width), value);
  Type wide = builder.getIntegerType(width < 32 ? 32 : 64);
  return arith::ExtUIOp::create(builder, loc, wide, value);
}

static Value fromBits(OpBuilder &builder, Location loc, Value bits, Type type) {
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, bits);
  if (bits.getType() == type)
    return bits;
  Type narrow = builder.getIntegerType(type.getIntOrFloatBitWidth());
  Value value = arith::TruncIOp::create(builder, loc, narrow, bits);
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(builder, loc, type, value);
  return value;
}

/// The value of the lane whose number differs in the bit `distance`.
static Value shuffle(OpBuilder &builder, Location loc, Value value,
                     int64_t distance) {
  Value bits = toBits(builder, loc, value);
  Value width = arith::ConstantIntOp::create(builder, loc, kWarpSize, 32);
  Value other = arith::ConstantIntOp::create(builder, loc, distance, 32);
  auto shuffled = gpu::ShuffleOp::create(builder, loc, bits, other, width,
                                         gpu::ShuffleMode::XOR);
  return fromBits(builder, loc, shuffled.getShuffleResult(), value.getType());
}

Value mlir::hetero::reduceLanes(OpBuilder &builder, Location loc,
                                Operation *combiner, Value value,
                                int64_t lanes) {
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2)
    value = combineValues(builder, combiner, value,
                          shuffle(builder, loc, value, distance));
  return value;
}
