//===- ExternalFunctions.h - What a program has elsewhere -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_EXTERNALFUNCTIONS_H
#define HETERO_COMPILER_EXTERNALFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir {
namespace hetero {

/// A function that the program calls and does not define.
struct ExternalFunction {
  /// As the source has it.
  std::string name;
  /// What the linker looks for.
  std::string symbol;
  Location loc;
};

/// The functions without a body that something calls, in order.
std::vector<ExternalFunction> collectExternalFunctions(ModuleOp module);

/// Loads libraries into this process, for the program to find its functions in.
llvm::Error loadSharedLibraries(llvm::ArrayRef<std::string> paths);

/// Emits an error for each function that neither the libraries nor this process
/// have.
LogicalResult
checkExternalFunctions(llvm::ArrayRef<ExternalFunction> functions);

} // namespace hetero
} // namespace mlir

#endif // HETERO_COMPILER_EXTERNALFUNCTIONS_H
