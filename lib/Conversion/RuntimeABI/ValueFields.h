//===- ValueFields.h - Fields of the values of the C ABI --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_RUNTIMEABI_VALUEFIELDS_H
#define HETERO_CONVERSION_RUNTIMEABI_VALUEFIELDS_H

#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::hetero {

/// Address of the field that lies `offset` bytes within the `index`-th of the
/// HeteroValues at `values`.
inline Value getFieldAddress(OpBuilder &builder, Location loc, Value values,
                             unsigned index, int64_t offset) {
  int64_t bytes = static_cast<int64_t>(index * sizeof(HeteroValue)) + offset;
  return LLVM::GEPOp::create(
      builder, loc, values.getType(), builder.getI8Type(), values,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_RUNTIMEABI_VALUEFIELDS_H
