//===- InitAll.h - Registers everything of this project ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole public registration surface: dialects with their extensions and
// interface models, passes, pipelines and translations.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_INITALL_H
#define HETERO_INITALL_H

namespace mlir {
class DialectRegistry;

namespace hetero {

/// Registers the dialect, the external models of its interfaces for upstream
/// dialects, its models of upstream interfaces, and the code generators. A
/// context of the registry loads the dialect at once: the analyses need it.
void registerAllDialects(DialectRegistry &registry);

/// Registers every pass and pipeline with the global registry.
void registerAllPasses();

/// Registers every translation with the global registry.
void registerAllTranslations();

} // namespace hetero
} // namespace mlir

#endif // HETERO_INITALL_H
