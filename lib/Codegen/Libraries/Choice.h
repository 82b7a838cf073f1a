//===- Choice.h - Generated code or which library ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_CODEGEN_LIBRARIES_CHOICE_H
#define HETERO_LIB_CODEGEN_LIBRARIES_CHOICE_H

#include "Candidate.h"
#include <string>

namespace mlir::hetero {

/// Who computes a candidate, and why.
struct Choice {
  /// A library, or kKindCodegen.
  StringRef generator;
  std::string reason;
};

/// True if the library has the candidate's function for its element type.
bool canCall(StringRef library, const Candidate &candidate);

/// The fastest of generated code and the libraries that have the function: by
/// the picoseconds that were measured of the candidate, null for none, if there
/// are those of generated code and of a library; else, on the host, by the cost
/// model for one thread.
Choice chooseGenerator(const Candidate &candidate, DictionaryAttr measured,
                       bool isOnDevice);

} // namespace mlir::hetero

#endif // HETERO_LIB_CODEGEN_LIBRARIES_CHOICE_H
