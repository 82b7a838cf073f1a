//===- PackByIndex.h - Packs of tiles whose sizes are not known -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_PACKBYINDEX_H
#define HETERO_TRANSFORMS_FRONTENDS_PACKBYINDEX_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class RewriterBase;
namespace linalg {
class PackOp;
class UnPackOp;
} // namespace linalg
} // namespace mlir

namespace mlir::hetero {

/// Turn packs and unpacks, also of tiles whose sizes are not static, into a
/// linalg.generic that reads one element per result.
void packByIndex(RewriterBase &rewriter, linalg::PackOp op);
void unpackByIndex(RewriterBase &rewriter, linalg::UnPackOp op);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_PACKBYINDEX_H
