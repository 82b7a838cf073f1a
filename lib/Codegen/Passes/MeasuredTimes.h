//===- MeasuredTimes.h - What a profile tells generators --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_PASSES_MEASUREDTIMES_H
#define HETERO_CODEGEN_PASSES_MEASUREDTIMES_H

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Notes in the locations of a region's operations what each code generator
/// takes for them, as far as the profile says so. Of regions whose `codegen` is
/// auto; the others do not choose.
void noteMeasuredTimes(ExecuteOp region, Profile &profile);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_PASSES_MEASUREDTIMES_H
