//===- SourcePaths.h - Names that the source gave ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_SOURCEPATHS_H
#define HETERO_TARGET_SOURCEPATHS_H

#include "mlir/IR/Operation.h"

namespace mlir::hetero {

/// The names in a location, outer ones first.
SmallVector<StringRef> getSourceNames(Location loc);

/// The file position in a location, or null.
FileLineColLoc getFilePosition(Location loc);

/// A name in parts: "Conv/encoder/layer.0/self" is in the scopes "encoder" and
/// "layer.0". What a front end puts before the first slash is the kind of the
/// operation and no scope. Names without slashes are divided at dots.
struct SourcePath {
  explicit SourcePath(StringRef name);

  /// Without the last part.
  SmallVector<StringRef> scopes;
  StringRef last;
};

} // namespace mlir::hetero

#endif // HETERO_TARGET_SOURCEPATHS_H
