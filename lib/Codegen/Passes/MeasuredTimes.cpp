//===- MeasuredTimes.cpp - What a profile tells code generators -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasuredTimes.h"

#include "Codegen/Libraries/TimedLocations.h"
#include "hetero/Codegen/Libraries/Libraries.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::hetero;

void mlir::hetero::noteMeasuredTimes(ExecuteOp region, Profile &profile) {
  if (region.getDevice().getCodegen() != kAuto)
    return;
  Builder builder(region.getContext());
  DeviceAttr device = region.getDevice().getBare();
  region.getBody().walk([&](linalg::LinalgOp op) {
    NamedAttrList times;
    for (StringRef generator :
         {StringRef(kKindCodegen), StringRef(kOneDNN), StringRef(kOpenBLAS),
          StringRef(kCUBLAS), StringRef(kCUDNN)})
      if (std::optional<int64_t> time = profile.lookup(op, device, generator))
        times.append(generator, builder.getI64IntegerAttr(*time));
    if (!times.empty())
      op->setLoc(withMeasuredTimes(op->getLoc(),
                                   times.getDictionary(builder.getContext())));
  });
}
