//===- BufferizableOpInterfaceImpl.h - How copies bufferize -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_BUFFERIZABLEOPINTERFACEIMPL_H
#define HETERO_TRANSFORMS_BUFFERS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace hetero {

/// Adds the models of BufferizableOpInterface for this dialect's operations.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace hetero
} // namespace mlir

#endif // HETERO_TRANSFORMS_BUFFERS_BUFFERIZABLEOPINTERFACEIMPL_H
