//===- KernelBuilder.h - Kernels from linalg on buffers ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function of one kernel, its arguments and its launch. A kernel takes bare
// pointers, and of the sizes and strides only those that are not static;
// scalars go by value. KernelOperands.h says what a kernel does with them.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_KERNELBUILDER_H
#define HETERO_CODEGEN_GPU_KERNELS_KERNELBUILDER_H

#include "Codegen/GPU/Plan/KernelLimits.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::hetero {

/// A memref as a kernel sees it.
struct KernelBuffer {
  Value pointer;
  MemRefType type;
  /// In elements: one per dimension, as index values inside the kernel.
  SmallVector<Value> strides;
};

/// Builds one kernel and its launch. Host values are brought in with the
/// functions below before the body is built at `builder`.
class KernelBuilder {
public:
  KernelBuilder(gpu::GPUModuleOp module, linalg::LinalgOp op,
                linalg::LinalgOp epilogue = nullptr);
  KernelBuilder(gpu::GPUModuleOp module, linalg::LinalgOp op, StringRef name);

  /// Says that the kernel does not access the buffer, although it is an
  /// operand.
  void leaveOut(Value buffer) { leftOut.insert(buffer); }

  /// Brings in the operation's operands and the values that its body captures.
  LogicalResult importOperands();

  /// The same for another operation, which is part of the kernel. Below,
  /// operands may be those of either, with the loops of their operation.
  LogicalResult importOperandsOf(linalg::LinalgOp user);

  /// A host number inside the kernel; constants stay constants.
  Value importScalar(Value hostValue);

  /// The address of a contiguous buffer inside the kernel.
  Value importPointer(Value memref);

  /// A host value of type index inside the kernel; constants stay constants.
  Value importIndex(OpFoldResult value);

  /// The sizes of the operation's loops, on the host and inside the kernel.
  ArrayRef<OpFoldResult> getHostLoopSizes() const { return hostLoopSizes; }
  Value getLoopSize(unsigned loop) { return loopSizes[loop]; }

  /// Sets the number of threads per block.
  void setBlockSize(int64_t size) { blockSize = size; }

  /// Has the assembler keep registers to what lets a multiprocessor hold so
  /// many blocks. Without it the assembler chooses.
  void setResidentBlocks(int64_t count) { residentBlocks = count; }

  /// Memory shared by the threads of a block.
  Value addSharedMemory(ArrayRef<int64_t> shape, Type elementType);

  /// The same as bytes, aligned for any access: a pointer to shared memory.
  Value addSharedBytes(int64_t bytes);

  /// The same, at least so many bytes, as the launch's dynamic shared memory,
  /// of which a kernel may have more. Once per kernel.
  Value addDynamicSharedBytes(int64_t bytes, int64_t alignment);

  /// A map of the operand's memory as a tensor, made before each launch: a
  /// pointer for cp.async.bulk.tensor. The first of the dimensions is the inner
  /// one, whose elements are neighbours; `strides` are those of the others, in
  /// bytes. Chunks of rows of `span` bytes are swizzled in shared memory.
  Value addTensorMap(OpOperand &operand, ArrayRef<OpFoldResult> sizes,
                     ArrayRef<OpFoldResult> strides, ArrayRef<int32_t> box,
                     int32_t span);

  /// The buffer that was brought in for a memref; null for a scalar.
  const KernelBuffer *findBuffer(Value memref) const {
    auto it = buffers.find(memref);
    return it == buffers.end() ? nullptr : &it->second;
  }

  /// Host scalars to those inside the kernel.
  const IRMapping &getScalars() const { return scalars; }

  Value constant(int64_t value);
  Value threadId();
  Value blockId(gpu::Dimension dimension);

  /// Splits a linear position into one per size, the last one fastest.
  SmallVector<Value> delinearize(Value position, ValueRange sizes);

  /// The number of iterations of all `loops` together, on the host.
  OpFoldResult countIterations(ArrayRef<unsigned> loops);

  /// Moves `point` along groups of loops to a linear position. Loops of one
  /// iteration are where they must be already.
  void moveTo(Value position, ArrayRef<SmallVector<unsigned>> groups,
              MutableArrayRef<Value> point);

  /// A point at zero along every loop.
  SmallVector<Value> getOrigin();

  /// Ends the kernel and launches it over this grid of blocks. Erases the
  /// operation, unless another kernel works on it, too.
  void finish(ArrayRef<OpFoldResult> grid, bool keepsOperation = false);

  OpBuilder &getBuilder() { return builder; }
  OpBuilder &getHostBuilder() { return host; }
  Location getLoc() { return loc; }
  linalg::LinalgOp getOp() { return op; }

  /// Host arithmetic on sizes.
  OpFoldResult multiply(OpFoldResult a, OpFoldResult b);
  OpFoldResult ceilDiv(OpFoldResult a, int64_t b);

private:
  Value addArgument(Value hostValue);
  KernelBuffer importBuffer(Value memref);
  void computeLoopSizes();
  void dropUnusedArguments();
  Value importComplex(Value hostValue);
  LogicalResult importCaptures(linalg::LinalgOp user);

  linalg::LinalgOp op;
  Location loc;
  gpu::GPUFuncOp function;
  OpBuilder builder, host;
  SmallVector<Value> launchOperands;
  llvm::DenseMap<Value, KernelBuffer> buffers;
  llvm::SmallDenseSet<Value> leftOut;
  IRMapping scalars;
  SmallVector<OpFoldResult> hostLoopSizes;
  SmallVector<Value> loopSizes;
  int64_t blockSize = kBlockSize, dynamicBytes = 0;
  std::optional<int64_t> residentBlocks;
  /// Arguments that are maps.
  SmallVector<Value> tensorMaps;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_KERNELBUILDER_H
