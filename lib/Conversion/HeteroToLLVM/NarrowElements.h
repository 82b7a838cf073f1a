//===- NarrowElements.h - Elements of less than a byte ----------*- C++ -*-===//
//-*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_CONVERSION_HETEROTOLLVM_NARROWELEMENTS_H
#define HETERO_LIB_CONVERSION_HETEROTOLLVM_NARROWELEMENTS_H

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace mlir::hetero {

/// Adds the patterns that load and store elements of less than a byte as bytes.
void populateNarrowElementPatterns(const LLVMTypeConverter &converter,
                                   RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_LIB_CONVERSION_HETEROTOLLVM_NARROWELEMENTS_H
