//===- KernelBuilder.h - Kernels from linalg on buffers ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns one linalg operation on device memory into a gpu.func and its launch.
// A kernel takes bare pointers, and of the sizes and strides only those that
// are not static; scalars go by value.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_KERNELBUILDER_H
#define HETERO_CODEGEN_GPU_KERNELS_KERNELBUILDER_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::hetero {

/// Threads per block, unless a kernel chooses another number.
inline constexpr int64_t kBlockSize = 256;

/// The widest access of a thread.
inline constexpr int64_t kVectorBytes = 16;

/// A name, unique in `module`, for the kernel of `op`: region, number, work. It
/// depends on the IR only and is an identifier of PTX.
/// A fused epilogue's work follows.
std::string getKernelName(gpu::GPUModuleOp module, linalg::LinalgOp op,
                          linalg::LinalgOp epilogue = nullptr);

/// The same for a kernel that computes several operations on rows.
std::string getRowKernelName(gpu::GPUModuleOp module,
                             ArrayRef<linalg::LinalgOp> ops);

/// The parallel loops, the one along the fastest dimension of the first result
/// last.
SmallVector<unsigned> orderParallelLoops(linalg::LinalgOp op);

/// Splits loops, the outermost first, into groups of which each is one loop for
/// all operands: a point with the position in the group along its last loop,
/// and zero along the others, has the addresses of the point that is meant.
/// Loops of one iteration are in no group.
SmallVector<SmallVector<unsigned>> collapseLoops(linalg::LinalgOp op,
                                                 ArrayRef<unsigned> order);

/// True if all groups together are one loop for this operand, so that it needs
/// the linear position only.
bool walksAsOneLoop(linalg::LinalgOp op, OpOperand &operand,
                    ArrayRef<SmallVector<unsigned>> groups);

/// A memref as a kernel sees it.
struct KernelBuffer {
  Value pointer;
  MemRefType type;
  /// In elements: one per dimension, as index values inside the kernel.
  SmallVector<Value> strides;
};

struct TensorCorePlan;

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

  /// How an element of a memref lies in memory.
  static Type storageType(MemRefType type);

  /// The address of a contiguous buffer inside the kernel.
  Value importPointer(Value memref);

  /// A host value of type index inside the kernel; constants stay constants.
  Value importIndex(OpFoldResult value);

  /// The sizes of the operation's loops, on the host and inside the kernel.
  ArrayRef<OpFoldResult> getHostLoopSizes() const { return hostLoopSizes; }
  Value getLoopSize(unsigned loop) { return loopSizes[loop]; }

  /// Sets the number of threads per block.
  void setBlockSize(int64_t size) { blockSize = size; }

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

  Value constant(int64_t value);
  Value threadId();
  Value blockId(gpu::Dimension dimension);

  /// The type in which the body has the operand's elements; that of sums is
  /// wider than the elements are.
  Type getBodyType(OpOperand &operand);

  /// The element of the operation's operand at the point `loops`, as its body
  /// has it. What is stored becomes as narrow as the elements.
  Value loadOperand(OpOperand &operand, ValueRange loops);
  void storeOperand(OpOperand &operand, ValueRange loops, Value value);

  /// The `count` elements from the point `loops` on, which are next to each
  /// other, as vectors: the first one's address is a multiple of their bytes,
  /// up to 16.
  SmallVector<Value> loadElements(OpOperand &operand, ValueRange loops,
                                  int64_t count);
  void storeElements(OpOperand &operand, ValueRange loops, ValueRange values);

  /// An i64 whose last bits are zero if the operand starts, and moves along
  /// other loops than those of `inner`, at multiples of as many bytes.
  Value misalignment(OpOperand &operand, ArrayRef<unsigned> inner);

  /// How far the operand's position moves per step of `loop`, in elements; its
  /// map must be linear.
  Value getStep(OpOperand &operand, unsigned loop);

  /// The address of the operand's element at a position.
  Value getAddress(OpOperand &operand, Value elements);

  /// Stands for an old value that the body does not read.
  Value createZero(OpOperand &operand);

  /// Clones the body at the point `loops` with these values for its arguments
  /// and returns what it yields.
  SmallVector<Value> cloneBody(ValueRange arguments, ValueRange loops);
  SmallVector<Value> cloneBodyOf(linalg::LinalgOp user, ValueRange arguments,
                                 ValueRange loops);

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
  Value elementAddress(const KernelBuffer &buffer, ValueRange position);
  Value offsetAddress(const KernelBuffer &buffer, Value elements);
  Value loadElement(const KernelBuffer &buffer, ValueRange position);
  void storeElement(const KernelBuffer &buffer, ValueRange position,
                    Value value);
  Value importComplex(Value hostValue);
  Value fromStorage(MemRefType memref, Value value);
  Value toStorage(MemRefType memref, Value value);
  SmallVector<Value> applyMap(AffineMap map, ValueRange loops);
  void cloneBodyOp(Operation &bodyOp, ValueRange loops, IRMapping &mapping);
  AffineMap getMap(OpOperand &operand);
  LogicalResult importCaptures(linalg::LinalgOp user);

  linalg::LinalgOp op;
  Location loc;
  gpu::GPUFuncOp function;
  OpBuilder builder, host;
  SmallVector<Value> launchOperands;
  llvm::DenseMap<Value, KernelBuffer> buffers;
  llvm::SmallDenseSet<Value> leftOut;
  /// Host scalars to kernel values.
  IRMapping scalars;
  SmallVector<OpFoldResult> hostLoopSizes;
  SmallVector<Value> loopSizes;
  int64_t blockSize = kBlockSize, dynamicBytes = 0;
  /// Arguments that are maps.
  SmallVector<Value> tensorMaps;
};

/// One thread per point of the parallel loops; reductions run in a thread.
LogicalResult buildGenericKernel(KernelBuilder &kernel);

/// Elementwise work on so many elements that 16 bytes at a time pay.
bool isVectorElementwise(linalg::LinalgOp op);
LogicalResult buildElementwiseKernel(KernelBuilder &kernel);

/// A matrix multiplication tiled through shared memory. Fails, without a
/// diagnostic and before it changes anything, on other operations.
bool isTiledContraction(linalg::LinalgOp op);
LogicalResult buildContractionKernel(KernelBuilder &kernel);

/// A planned sum of products, for sm_80 and up. `filler`, if there is one,
/// stands for all old values of the result, and `epilogue` works on the new
/// ones; both are part of the kernel already.
LogicalResult buildTensorCoreKernel(KernelBuilder &kernel,
                                    const TensorCorePlan &plan, Value filler,
                                    linalg::LinalgOp epilogue);

/// The same, where blocks share reductions: stores their sums in `workspace`, a
/// pointer to elements (split, batch, row, column). Keeps the operation.
void buildPartsKernel(KernelBuilder &kernel, const TensorCorePlan &plan,
                      Value workspace);

/// The elements of a row of the workspace.
int64_t getPartPitch(int64_t columns);

/// True if the operand's elements along `loop` are next to each other.
bool isContiguousAlong(linalg::LinalgOp op, OpOperand &operand, unsigned loop);

/// A reduction that the threads of a block share.
bool isBlockReduction(linalg::LinalgOp op);
LogicalResult buildReductionKernel(KernelBuilder &kernel);

/// One whose results are so few that several blocks share each of them. Builds
/// the kernel that reduces parts, and returns the operation that reduces these,
/// in place of `op`.
bool isSplitReduction(linalg::LinalgOp op);
FailureOr<linalg::LinalgOp> splitReduction(gpu::GPUModuleOp kernels,
                                           linalg::LinalgOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_KERNELBUILDER_H
