//===- DeviceKinds.h - The device kinds of this project ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_DEVICEKINDS_H
#define HETERO_CODEGEN_DEVICEKINDS_H

namespace mlir {
class DialectRegistry;

namespace hetero {

/// The kind `cpu` (lib/Codegen/CPU).
void registerCPUKind(DialectRegistry &registry);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CODEGEN_DEVICEKINDS_H
