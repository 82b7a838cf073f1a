//===- DeviceLatticeTest.cpp - Laws of device specifications --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The laws of docs/Design/Levels.md, over all specifications of two kinds, two
// ordinals, two units and two codegens, each of the last three left out too.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/DeviceLattice.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {

class DeviceLatticeTest : public ::testing::Test {
protected:
  DeviceLatticeTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<HeteroDialect>();
    for (StringRef kind : {"cpu", "gpu"})
      for (int64_t ordinal : {DeviceAttr::kAnyOrdinal, int64_t(0), int64_t(1)})
        for (StringRef unit : {"", "a", "b"})
          for (StringRef codegen : {"", "mlir", "cudnn"})
            for (int64_t node : {0, 1})
              all.push_back(DeviceAttr::get(&context, kind, ordinal, unit,
                                            codegen, node));
  }

  /// The meet of specifications of which one may be the contradiction.
  static DeviceAttr meet(DeviceAttr a, DeviceAttr b) {
    return a && b ? a.meet(b) : DeviceAttr();
  }
  DeviceAttr get(StringRef kind, int64_t ordinal, StringRef unit = "",
                 StringRef codegen = "") {
    return DeviceAttr::get(&context, kind, ordinal, unit, codegen, 0);
  }

  MLIRContext context;
  std::vector<DeviceAttr> all;
};

TEST_F(DeviceLatticeTest, MeetIsIdempotentAndCommutative) {
  for (DeviceAttr a : all) {
    EXPECT_EQ(a.meet(a), a);
    for (DeviceAttr b : all)
      EXPECT_EQ(a.meet(b), b.meet(a));
  }
}

TEST_F(DeviceLatticeTest, MeetIsAssociative) {
  for (DeviceAttr a : all)
    for (DeviceAttr b : all)
      for (DeviceAttr c : all)
        ASSERT_EQ(meet(meet(a, b), c), meet(a, meet(b, c)));
}

/// What refines both refines the meet, which refines both.
TEST_F(DeviceLatticeTest, MeetIsTheGreatestLowerBound) {
  for (DeviceAttr a : all)
    for (DeviceAttr b : all) {
      DeviceAttr both = a.meet(b);
      if (both) {
        EXPECT_TRUE(refines(both, a));
        EXPECT_TRUE(refines(both, b));
      }
      for (DeviceAttr c : all)
        ASSERT_EQ(refines(c, a) && refines(c, b), both && refines(c, both));
    }
}

TEST_F(DeviceLatticeTest, RefinesIsAnOrder) {
  for (DeviceAttr a : all) {
    EXPECT_TRUE(refines(a, a));
    for (DeviceAttr b : all) {
      EXPECT_TRUE(a == b || !refines(a, b) || !refines(b, a));
      for (DeviceAttr c : all)
        ASSERT_TRUE(!refines(a, b) || !refines(b, c) || refines(a, c));
    }
  }
}

/// What is written stays; where nothing contradicts, defaults are a meet.
TEST_F(DeviceLatticeTest, DefaultsNeverOverride) {
  for (DeviceAttr own : all) {
    EXPECT_EQ(withDefaults(own, {}), own);
    for (DeviceAttr around : all) {
      DeviceAttr result = withDefaults(own, around);
      ASSERT_TRUE(refines(result, own));
      if (DeviceAttr both = own.meet(around))
        ASSERT_EQ(result, both);
      ASSERT_EQ(withDefaults(result, around), result);
    }
  }
}

TEST_F(DeviceLatticeTest, DefaultsOfAnotherDeviceGiveNothing) {
  DeviceAttr around = get("gpu", 0, "a", "mlir");
  EXPECT_EQ(withDefaults(get("gpu", DeviceAttr::kAnyOrdinal, "b"), around),
            get("gpu", 0, "b", "mlir"));
  EXPECT_EQ(withDefaults(get("gpu", 1), around), get("gpu", 1));
  EXPECT_EQ(withDefaults(get("cpu", DeviceAttr::kAnyOrdinal), around),
            get("cpu", DeviceAttr::kAnyOrdinal));
}

} // namespace
