//===- CopyRows.h - Strided memory as rows ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_COPYROWS_H
#define HETERO_CONVERSION_COPYROWS_H

#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace mlir {
class ModuleOp;
namespace gpu {
class MemcpyOp;
} // namespace gpu
} // namespace mlir

namespace mlir::hetero {

/// If a copy between these types, of one shape, moves rows without gaps that on
/// either side are a constant distance apart: the last of the dimensions that
/// count rows, whose stride is the distance; -1 if all is one row.
std::optional<int64_t> findCopyRows(MemRefType a, MemRefType b);

/// Writes on each transfer what its types say of its rows: a size that is found
/// to be constant later takes from the type of a view that it is contiguous.
void noteCopyRows(ModuleOp module);

/// What was noted, or what the types say now.
std::optional<int64_t> getCopyRows(gpu::MemcpyOp op);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_COPYROWS_H
