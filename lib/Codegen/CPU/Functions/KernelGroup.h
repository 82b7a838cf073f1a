//===- KernelGroup.h - Operations that are generated together ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the vectorizer makes one piece of code of: a parallel loop over tiles,
// or an operation with the contraction whose epilogue it is, and fills.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_FUNCTIONS_KERNELGROUP_H
#define HETERO_CODEGEN_CPU_FUNCTIONS_KERNELGROUP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::hetero {

class IdentityLayouts;
class InvokeOp;

/// A group of operations on tensors of which only the last one's results are
/// read by others.
struct KernelGroup {
  /// In program order; the last is the root, in whose place a call would be.
  SmallVector<Operation *> members;

  Operation *getRoot() const { return members.back(); }
};

/// The groups of a region whose operations have been merged where they are
/// equal; from the end, each operation in one.
SmallVector<KernelGroup> findKernelGroups(Operation *region);

/// True if the group does so much that a call costs little beside it.
bool isWorthCall(const KernelGroup &group);

/// What a group takes from outside.
struct KernelOperands {
  SmallVector<Value> inputs;
  /// A destination for each result of the root.
  SmallVector<Value> outputs;
  /// Constants, reshapes of constants and empty tensors that each place has
  /// its own of, in program order.
  SmallVector<Operation *> own;
};

/// The operands of the function that the group would be. Fails on one that
/// cannot be a function, with the reason.
FailureOr<KernelOperands> findKernelOperands(const KernelGroup &group,
                                             std::string &reason);

/// Fails, with the reason, where the function would have to copy buffers.
LogicalResult checkLayouts(const KernelGroup &group,
                           const KernelOperands &operands,
                           IdentityLayouts &layouts, std::string &reason);

/// A function that is in no module yet, and computes what the group does.
func::FuncOp createKernel(const KernelGroup &group,
                          const KernelOperands &operands, StringRef name);

/// Calls the kernel in place of the group.
InvokeOp replaceByCall(RewriterBase &rewriter, const KernelGroup &group,
                       const KernelOperands &operands, func::FuncOp kernel);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_FUNCTIONS_KERNELGROUP_H
