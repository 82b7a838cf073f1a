//===- DeviceImages.h - Images of kernels in a program ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_DEVICEIMAGES_H
#define HETERO_CONVERSION_HETEROTOLLVM_DEVICEIMAGES_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::hetero {

/// The constant HeteroImage of every gpu.binary: `__hetero_image_<name>`.
LogicalResult emitDeviceImages(ModuleOp module);
std::string getImageSymbol(StringRef binary);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_DEVICEIMAGES_H
