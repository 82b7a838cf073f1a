//===- ValueDevices.h - Where most values are, in little memory -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The type of an operand is where the value is made, anywhere in memory. In a
// large module waiting for it, and for the page that it is on, takes longer
// than everything else that is done with the operand. So a table of a few bytes
// per value tells the device of nearly all values by their addresses.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_VALUEDEVICES_H
#define HETERO_DIALECT_HETERO_TRANSFORMS_VALUEDEVICES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::hetero {

/// Null for what is no ranked tensor with a device.
inline DeviceAttr getRankedDevice(Type type) {
  return isa<RankedTensorType>(type) ? getTypeDevice(type) : DeviceAttr();
}

class ValueDevices {
public:
  /// Makes room for about as many values; with more it knows less.
  explicit ValueDevices(size_t numValues)
      : table(llvm::PowerOf2Ceil(numValues * kEntriesPerValue + 1), kNone) {}

  /// Records what the type of the value says, which must not change any more.
  void record(Value value) {
    uint8_t &entry = table[getIndex(value)];
    uint8_t number = getNumber(value.getType());
    entry = entry == kNone || entry == number ? number : kUnknown;
  }

  /// The same for the arguments of the operation's regions.
  void recordArguments(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          record(argument);
  }

  /// True only if the value, which was recorded, is on the device, or is no
  /// tensor, respectively. May be false even so.
  bool isSurelyOn(Value value, DeviceAttr device) {
    uint8_t entry = table[getIndex(value)];
    return entry != kUnknown && entry == getNumber(device);
  }
  bool isSurelyNoTensor(Value value) const {
    return table[getIndex(value)] == kNoTensor;
  }

private:
  static constexpr size_t kEntriesPerValue = 4;
  static constexpr uint8_t kNone = 0, kNoTensor = 254, kUnknown = 255;

  /// Keeps the order of addresses: what follows each other in the program lies
  /// together here, too.
  size_t getIndex(Value value) const {
    auto address = reinterpret_cast<uintptr_t>(value.getAsOpaquePointer());
    return (address >> 6) & (table.size() - 1);
  }

  uint8_t getNumber(Type type) {
    if (!isa<TensorType>(type))
      return kNoTensor;
    DeviceAttr device = getRankedDevice(type);
    return device ? getNumber(device) : kUnknown;
  }

  /// From 1 on, unless there are too many.
  uint8_t getNumber(DeviceAttr device) {
    auto *known = llvm::find(devices, device);
    size_t number = known - devices.begin() + 1;
    if (known == devices.end() && number < kNoTensor)
      devices.push_back(device);
    return number < kNoTensor ? number : kUnknown;
  }

  SmallVector<uint8_t, 0> table;
  SmallVector<DeviceAttr> devices;
};

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_VALUEDEVICES_H
