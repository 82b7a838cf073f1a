//===- ChainKernel.cpp - Operations on rows as one kernel -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainKernel.h"

#include "KernelName.h"
#include "RowKernel.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// Erases an allocation that is only freed.
static void eraseUnused(Value buffer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  if (!alloc)
    return;
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    if (isOpTriviallyDead(user))
      user->erase();
  if (!llvm::all_of(buffer.getUsers(), llvm::IsaPred<memref::DeallocOp>))
    return;
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    user->erase();
  alloc->erase();
}

/// Moves deallocations between two operations after the second.
static void freeAfter(Operation *first, Operation *last) {
  SmallVector<Operation *> deallocs;
  for (Operation *op = first; op != last; op = op->getNextNode())
    if (isa<memref::DeallocOp>(op))
      deallocs.push_back(op);
  for (Operation *op : llvm::reverse(deallocs))
    op->moveAfter(last);
}

/// True if the chain loads from the buffer or stores to it.
static bool isAccessed(RowChain &chain, Value buffer) {
  return llvm::any_of(chain.loads,
                      [&](const RowLoad &load) {
                        return load.operand->get() == buffer;
                      }) ||
         llvm::any_of(chain.members, [&](RowMember &member) {
           return llvm::any_of(
               llvm::zip_equal(member.op.getDpsInits(), member.isStored),
               [&](auto init) {
                 return std::get<0>(init) == buffer && std::get<1>(init);
               });
         });
}

LogicalResult mlir::hetero::buildChainKernel(gpu::GPUModuleOp kernels,
                                             RowChain &chain) {
  SmallVector<linalg::LinalgOp> ops;
  SmallVector<Operation *> done;
  llvm::SmallSetVector<Value, 8> buffers;
  linalg::LinalgOp anchor = chain.members[chain.anchor].op;
  for (RowMember &member : chain.members) {
    ops.push_back(member.op);
    for (linalg::LinalgOp op : {member.op, member.fill})
      if (op && op != anchor)
        done.push_back(op);
    buffers.insert_range(member.op.getDpsInits());
  }
  Operation *last = ops.back();
  freeAfter(ops.front(), last);
  if (anchor != last)
    anchor->moveBefore(last);
  KernelBuilder kernel(kernels, anchor, getRowKernelName(kernels, ops));
  for (Value buffer : buffers)
    if (!isAccessed(chain, buffer))
      kernel.leaveOut(buffer);
  if (failed(kernel.importOperands()))
    return failure();
  for (linalg::LinalgOp op : ops)
    if (failed(kernel.importOperandsOf(op)))
      return failure();
  buildRowKernel(kernel, chain);
  for (Operation *op : done)
    op->erase();
  for (Value buffer : buffers)
    eraseUnused(buffer);
  return success();
}
