//===- CheckNode.cpp - Signatures are on the first node -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckNode.h"

using namespace mlir;
using namespace mlir::hetero;

LogicalResult mlir::hetero::checkNode(FunctionOpInterface function,
                                      DeviceAttr device, StringRef what) {
  if (device.getNode() == 0 || (function.isPrivate() && !function.isExternal()))
    return success();
  return function.emitOpError()
         << what << " is annotated with " << device.str()
         << ", but node 0 takes the inputs of a program and gives its results; "
            "remove the annotation, and the value is copied to where "
            "operations on node "
         << device.getNode() << " need it, or from where they make it";
}
