//===- Candidate.h - What a library could compute ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operations of a region one call of a library can replace, and the
// replacement:
//
//   %0 = linalg.fill ins(%zero) outs(%e)
//   %1 = linalg.matmul ins(%a, %b) outs(%0)
//
// becomes
//
//   %has = hetero.has_library "openblas"
//   %1 = scf.if %has {
//     %2 = hetero.library_call "openblas" "gemm" ins(%a, %b) outs(%e)
//     scf.yield %2
//   } else {
//     fill and matmul, for which code is generated as for any region
//   }
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_CODEGEN_LIBRARIES_CANDIDATE_H
#define HETERO_LIB_CODEGEN_LIBRARIES_CANDIDATE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace mlir::hetero {

/// Operations that one call can replace, and the operands of the call.
struct Candidate {
  /// The runtime's name of the function.
  llvm::StringLiteral function = "";
  /// What the call replaces, in the block's order. The last one's result is
  /// that of the call; the others stay if something else reads them.
  SmallVector<Operation *> ops;
  SmallVector<Value> inputs;
  Value init;
  /// For each input and the result: its dimensions in the function's order; -1
  /// for one that it does not have.
  SmallVector<SmallVector<int64_t>> orders;
  /// Whether the call adds to what the init holds.
  bool accumulate = false;
  /// Numbers that the function needs, and the inputs that never change.
  SmallVector<int64_t> parameters, constants;

  Operation *getRoot() const { return ops.back(); }
};

/// True if the value is a constant, maybe passed to the region around.
bool isConstant(Value value);

/// The operation and the fill with zeros that it starts from, if there is one,
/// become what the call replaces.
void setInit(Candidate &candidate, linalg::GenericOp op);

/// The elementwise operation of one result that alone reads that of `op`, in
/// its block, and the operand that it is; null if there is none.
linalg::GenericOp findSoleReader(Operation *op, OpOperand *&use);

/// Puts a choice between the call and the operations where the root is. The
/// elementwise operations that alone read the result move into both branches,
/// because generated code is one with them.
void callLibrary(RewriterBase &rewriter, const Candidate &candidate,
                 StringRef library);

} // namespace mlir::hetero

#endif // HETERO_LIB_CODEGEN_LIBRARIES_CANDIDATE_H
