//===- CheckNode.h - Signatures are on the first node -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CHECKNODE_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CHECKNODE_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::hetero {

/// Fails if `what` of the function, "argument 0" for example, is annotated with
/// a device of another node than it can be on: what is called from outside, or
/// is outside, has its values on node 0.
LogicalResult checkNode(FunctionOpInterface function, DeviceAttr device,
                        StringRef what);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CHECKNODE_H
