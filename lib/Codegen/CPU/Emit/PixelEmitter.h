//===- PixelEmitter.h - Rows of pixels of an image with a border *- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_PIXELEMITTER_H
#define HETERO_CODEGEN_CPU_EMIT_PIXELEMITTER_H

#include "Codegen/CPU/Emit/Operands/EmitContext.h"

namespace mlir::hetero {

/// The rows, which are pixels along `side`, in blocks. Those at a border have
/// code of their own, which leaves out the steps that are outside of the image.
Values emitPixelRows(EmitContext &context, Values tensors,
                     const WindowSide &side,
                     llvm::function_ref<Values(Values, int64_t)> body);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_PIXELEMITTER_H
