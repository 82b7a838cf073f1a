//===- SourceNames.h - Names in locations -----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_SOURCENAMES_H
#define HETERO_ANALYSIS_MACHINE_SOURCENAMES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::hetero {

/// Calls `visit` with the names in a location: of the operation itself, of what
/// it was fused from, of calls that it was inlined through.
void forEachName(Location loc, llvm::function_ref<void(StringRef)> visit);

/// What a front end puts before the name of a node: "Conv" of "Conv/conv1";
/// empty where there is no such part.
StringRef getSource(StringRef name);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_SOURCENAMES_H
