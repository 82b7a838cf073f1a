//===- KernelLimits.cpp - What a kernel may use ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLimits.h"

#include "Codegen/Common/KernelParameters.h"
#include "hetero/Codegen/GPU/Plan/Chip.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"

using namespace mlir;
using namespace mlir::hetero;

/// The bytes of parameters that a kernel may have. LLVM chooses the PTX version
/// that the chip needs, which is 8.6 or later from sm_100 on.
static int64_t getParameterLimit(StringRef chip) {
  return getArchitecture(chip) >= 100 ? kManyParameterBytes : kParameterBytes;
}

LogicalResult mlir::hetero::checkKernelLimits(gpu::GPUModuleOp kernels,
                                              StringRef chip) {
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
    auto refuse = [&](StringRef what, int64_t count, int64_t limit) {
      return emitError(kernel.getLoc())
             << "the kernel '" << kernel.getName() << "' of this has " << count
             << " " << what << ", more than the " << limit << " of " << chip
             << "; place the operation on the cpu or split it";
    };
    int64_t parameters = 0, shared = 0;
    for (Type type : kernel.getArgumentTypes()) {
      int64_t bytes =
          type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 8;
      parameters = llvm::alignTo(parameters, bytes) + bytes;
    }
    // A tensor map is a parameter of 128 bytes.
    if (auto maps =
            kernel->getAttrOfType<DenseI32ArrayAttr>(kTensorMapsAttrName))
      parameters += 128 * maps.size();
    for (BlockArgument memory : kernel.getWorkgroupAttributions()) {
      auto type = cast<MemRefType>(memory.getType());
      Type element = type.getElementType();
      int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
      shared += type.getNumElements() * ((bits + 7) / 8);
    }
    if (parameters > getParameterLimit(chip))
      return refuse("bytes of parameters", parameters, getParameterLimit(chip));
    if (shared > kSharedBytes)
      return refuse("bytes of shared memory", shared, kSharedBytes);
  }
  return success();
}
