//===- MaskedStores.h - Masked stores that LLVM compiles right --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_MASKEDSTORES_H
#define HETERO_SUPPORT_MASKEDSTORES_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::hetero {

/// Rewrites masked stores of integers so that no aligned part of a constant
/// mask keeps exactly one lane; call it after all optimizations of `module`:
///
///   masked.store <4 x i32> %v, %p, <1, 1, 1, 0>
///     ->
///   masked.store <4 x i32> %v, %p, <1, 1, 0, 0>
///   store i32 extractelement(%v, 2), getelementptr(%p, 2)
///
/// The X86 back end of LLVM 22 with AVX-512 makes a truncation part of a masked
/// store. Where the mask, or the part of it that one register takes, keeps one
/// lane, it then makes a scalar store of the lane before the truncation, which
/// also writes what follows the element.
void storeSingleLanesAlone(llvm::Module &module);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_MASKEDSTORES_H
