//===- IndexMath.h - Short names for index arithmetic -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_INDEXMATH_H
#define HETERO_CODEGEN_GPU_KERNELS_INDEXMATH_H

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::hetero {

/// Emits arithmetic on index values in a kernel, folded where it can be.
class IndexMath {
public:
  explicit IndexMath(KernelBuilder &kernel)
      : kernel(kernel), builder(kernel.getBuilder()), loc(kernel.getLoc()) {}

  Value constant(int64_t value) { return kernel.constant(value); }
  Value add(Value a, Value b) { return fold<arith::AddIOp>(a, b); }
  Value add(Value a, int64_t b) { return add(a, constant(b)); }
  Value subtract(Value a, Value b) { return fold<arith::SubIOp>(a, b); }
  Value multiply(Value a, Value b) { return fold<arith::MulIOp>(a, b); }
  Value multiply(Value a, int64_t b) { return multiply(a, constant(b)); }
  Value divide(Value a, int64_t b) {
    return fold<arith::DivUIOp>(a, constant(b));
  }
  Value rest(Value a, int64_t b) {
    return fold<arith::RemUIOp>(a, constant(b));
  }
  Value exclusiveOr(Value a, Value b) { return fold<arith::XOrIOp>(a, b); }
  Value both(Value a, Value b) { return fold<arith::AndIOp>(a, b); }
  Value select(Value condition, Value a, Value b) {
    return builder.createOrFold<arith::SelectOp>(loc, condition, a, b);
  }
  Value less(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
  }
  Value atMost(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, a, b);
  }
  Value equal(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  }
  /// True if the last bits of KernelBuilder::misalignment's value say that
  /// accesses may be of so many bytes, a power of two.
  Value isAligned(Value rests, int64_t bytes = kVectorBytes) {
    Type type = rests.getType();
    Value mask = arith::ConstantIntOp::create(builder, loc, type, bytes - 1);
    Value zero = arith::ConstantIntOp::create(builder, loc, type, 0);
    return equal(fold<arith::AndIOp>(rests, mask), zero);
  }
  /// `value` within 0 and `most`.
  Value clamp(Value value, int64_t most) {
    Value above = fold<arith::MaxSIOp>(value, constant(0));
    return fold<arith::MinSIOp>(above, constant(most));
  }

  /// The address so many bytes after `shared`, which is in shared memory.
  Value sharedAddress(Value shared, Value offset) {
    Value bytes =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), offset);
    return LLVM::GEPOp::create(builder, loc, shared.getType(),
                               builder.getI8Type(), shared,
                               ArrayRef<LLVM::GEPArg>{bytes});
  }

  void onlyIf(Value condition, llvm::function_ref<void()> buildThen,
              llvm::function_ref<void()> buildElse = {}) {
    auto branch = scf::IfOp::create(builder, loc, condition, bool(buildElse));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    buildThen();
    if (!buildElse)
      return;
    builder.setInsertionPointToStart(branch.elseBlock());
    buildElse();
  }

  /// Counts from zero to `count`.
  void repeat(Value count, llvm::function_ref<void(Value)> body) {
    auto loop =
        scf::ForOp::create(builder, loc, constant(0), count, constant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

protected:
  template <typename OpTy> Value fold(Value a, Value b) {
    return builder.createOrFold<OpTy>(loc, a, b);
  }

  KernelBuilder &kernel;
  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_INDEXMATH_H
