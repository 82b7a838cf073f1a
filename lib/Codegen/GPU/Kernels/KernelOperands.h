//===- KernelOperands.h - Elements and bodies inside a kernel ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel does with the operands that KernelBuilder has brought in. They
// are those of any operation that is part of the kernel; `loops` is a point of
// that operation's loops.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_KERNELOPERANDS_H
#define HETERO_CODEGEN_GPU_KERNELS_KERNELOPERANDS_H

#include "KernelBuilder.h"

namespace mlir::hetero {

/// The address of the element at a position, one index per dimension.
Value getElementAddress(KernelBuilder &kernel, const KernelBuffer &buffer,
                        ValueRange position);

/// The buffer's position of the operand at the point `loops`.
SmallVector<Value> applyIndexingMap(KernelBuilder &kernel, OpOperand &operand,
                                    ValueRange loops);

/// How far the operand's position moves per step of `loop`, in elements; its
/// map must be linear.
Value getStep(KernelBuilder &kernel, OpOperand &operand, unsigned loop);

/// The address of the operand's element at a linear position.
Value getAddress(KernelBuilder &kernel, OpOperand &operand, Value elements);

/// The type in which the body has the operand's elements; that of sums is
/// wider than the elements are.
Type getBodyType(OpOperand &operand);

/// The element of the operand at the point `loops`, as its operation's body has
/// it.
Value loadOperand(KernelBuilder &kernel, OpOperand &operand, ValueRange loops);
void storeOperand(KernelBuilder &kernel, OpOperand &operand, ValueRange loops,
                  Value value);

/// Zero of any element type; it stands for what is not there, or not read.
Value createZero(KernelBuilder &kernel, Type type);

/// Clones the body of the kernel's operation at the point `loops` with these
/// values for its arguments and returns what it yields.
SmallVector<Value> cloneBody(KernelBuilder &kernel, ValueRange arguments,
                             ValueRange loops);

/// The same for another operation that is part of the kernel.
SmallVector<Value> cloneBodyOf(KernelBuilder &kernel, linalg::LinalgOp user,
                               ValueRange arguments, ValueRange loops);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_KERNELOPERANDS_H
