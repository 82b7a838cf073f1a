//===- StateLoads.h - Who sees what is loaded from state --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_STATELOADS_H
#define HETERO_TRANSFORMS_BUFFERS_STATELOADS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::hetero {

enum class LoadKind {
  /// The value is a copy of the state.
  Copy,
  /// It is the state itself, to which nobody writes while the value is used.
  View,
  /// It is the state itself, which what is made of the value may overwrite: it
  /// is stored afterwards.
  InPlace
};

/// How an operation may load state, by those that use the value, or something
/// that may have its memory. For the operations on tensors that bufferization
/// gets.
LoadKind classifyLoad(Operation *load, SymbolRefAttr state);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_STATELOADS_H
