//===- DeviceOrdinals.h - How many devices of a kind there are --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_DEVICEORDINALS_H
#define HETERO_DIALECT_HETERO_IR_DEVICEORDINALS_H

#include <cstdint>

namespace mlir::hetero {

/// No machine has more devices of a kind; the runtime counts in 32 bits.
inline constexpr int64_t kLargestOrdinal = 65535;

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_DEVICEORDINALS_H
