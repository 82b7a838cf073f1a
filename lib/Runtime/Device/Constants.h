//===- Constants.h - Constants that stay on devices -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_CONSTANTS_H
#define HETERO_LIB_RUNTIME_DEVICE_CONSTANTS_H

namespace hetero::runtime {

/// All constants are to be uploaded again: devices have lost theirs.
void outdateConstants();

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_CONSTANTS_H
