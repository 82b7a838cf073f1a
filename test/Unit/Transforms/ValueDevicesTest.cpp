//===- ValueDevicesTest.cpp - A table that must not be wrong --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the table is sure of holds, however small it is, and with more room
// it is sure of more.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/Transforms/ValueDevices.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {

class ValueDevicesTest : public ::testing::Test {
protected:
  ValueDevicesTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<HeteroDialect>();
  }

  DeviceAttr getDevice(unsigned number) {
    return number == 0 ? DeviceAttr::getHost(&context)
                       : DeviceAttr::get(&context, "gpu", number - 1);
  }

  /// A value on one of the devices; null stands for what is no tensor.
  void addValue(DeviceAttr device) {
    Builder builder(&context);
    Type type = builder.getIndexType();
    if (device)
      type =
          withDevice(RankedTensorType::get({4}, builder.getF32Type()), device);
    values.push_back(block.addArgument(type, builder.getUnknownLoc()));
    devices.push_back(device);
  }

  void addRandomValues(unsigned count, unsigned numDevices) {
    std::mt19937 random(5);
    for (unsigned i = 0; i < count; ++i)
      addValue(random() % 8 == 0 ? DeviceAttr()
                                 : getDevice(random() % numDevices));
  }

  /// Checks every answer; how many values the table is sure of.
  unsigned countSure(size_t room, unsigned numDevices) {
    ValueDevices table(room);
    for (Value value : values)
      table.record(value);
    unsigned numSure = 0;
    for (auto [value, device] : llvm::zip_equal(values, devices)) {
      bool isNoTensor = table.isSurelyNoTensor(value);
      EXPECT_TRUE(!isNoTensor || !device);
      numSure += isNoTensor;
      for (unsigned number = 0; number < numDevices; ++number) {
        bool isOn = table.isSurelyOn(value, getDevice(number));
        EXPECT_TRUE(!isOn || device == getDevice(number));
        numSure += isOn;
      }
    }
    return numSure;
  }

  MLIRContext context;
  Block block;
  SmallVector<Value> values;
  SmallVector<DeviceAttr> devices;
};

TEST_F(ValueDevicesTest, IsRightHoweverSmall) {
  addRandomValues(3000, 4);
  unsigned last = 0;
  for (size_t room : {0, 1, 10, 100, 1000, 100000}) {
    unsigned numSure = countSure(room, 4);
    EXPECT_GE(numSure, last);
    last = numSure;
  }
  // Arguments lie closer together than results do.
  EXPECT_GT(last, 1500u);
}

TEST_F(ValueDevicesTest, AdmitsThatThereAreTooManyDevices) {
  addRandomValues(3000, 600);
  EXPECT_GT(countSure(100000, 600), 500u);
}

} // namespace
