//===- UnifiedMemory.h - What devices share, or repeat ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_UNIFIEDMEMORY_H
#define HETERO_DIALECT_HETERO_IR_UNIFIEDMEMORY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::hetero {

/// On an allocation, or an argument of an entry point, that several devices
/// have: a device through which the runtime makes it.
inline constexpr llvm::StringLiteral kSharedAttrName = "hetero.shared";

/// On a hetero.copy during bufferization: both devices address the same memory.
inline constexpr llvm::StringLiteral kUnifiedAttrName = "hetero.unified";

/// The elements of a constant under the tensor type of another device; null for
/// a kind of attribute that is not known.
inline Attribute retypeElements(Attribute value, ShapedType type) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.reshape(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return {};
}

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_UNIFIEDMEMORY_H
