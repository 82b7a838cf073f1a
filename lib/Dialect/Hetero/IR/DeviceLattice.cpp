//===- DeviceLattice.cpp - Orders device specifications -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/DeviceLattice.h"

using namespace mlir;
using namespace mlir::hetero;

DeviceAttr mlir::hetero::withDefaults(DeviceAttr own, DeviceAttr around) {
  DeviceAttr device =
      around ? own.getBare().meet(around.getBare()) : DeviceAttr();
  if (!device)
    return own;
  auto withDefault = [](StringRef value, StringRef other) {
    return value.empty() ? other : value;
  };
  return device.with(withDefault(own.getUnit(), around.getUnit()),
                     withDefault(own.getCodegen(), around.getCodegen()));
}

DeviceAttr mlir::hetero::withoutCodegen(DeviceAttr device) {
  return device.with(device.getUnit(), "");
}

DeviceAttr mlir::hetero::getExecutingDevice(CopyOp copy) {
  DeviceAttr device = copy.getResultDevice();
  return device.isHost() ? copy.getSourceDevice() : device;
}
