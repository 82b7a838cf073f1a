//===- Epilogue.h - What calls do after a convolution -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_LIBRARIES_EPILOGUE_H
#define HETERO_CODEGEN_LIBRARIES_EPILOGUE_H

#include "Candidate.h"

namespace mlir::hetero {

/// Makes the elementwise operations after a convolution part of its call as
/// far as the call can do the same: bias, sum and ReLU.
void absorbEpilogue(Candidate &candidate);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_LIBRARIES_EPILOGUE_H
