//===- KnapsackTest.cpp - Which items to take -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/Knapsack.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace mlir::hetero;

namespace {

/// The greatest value of all choices that weigh no more than the capacity.
int64_t findGreatest(const std::vector<KnapsackItem> &items, int64_t capacity) {
  int64_t greatest = 0;
  for (unsigned choice = 0; choice < 1u << items.size(); ++choice) {
    int64_t weight = 0, value = 0;
    for (unsigned i = 0; i < items.size(); ++i)
      if (choice >> i & 1) {
        weight += items[i].weight;
        value += items[i].value;
      }
    if (weight <= capacity)
      greatest = std::max(greatest, value);
  }
  return greatest;
}

/// What was taken weighs and is worth what the choice says, and fits.
void check(const std::vector<KnapsackItem> &items, int64_t capacity,
           const KnapsackChoice &choice) {
  int64_t weight = 0, value = 0;
  for (unsigned i = 0; i < items.size(); ++i)
    if (choice.taken[i]) {
      weight += items[i].weight;
      value += items[i].value;
    }
  EXPECT_EQ(weight, choice.weight);
  EXPECT_EQ(value, choice.value);
  EXPECT_LE(weight, capacity);
  EXPECT_LE(value, choice.bound);
}

TEST(Knapsack, EqualsEnumeration) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<KnapsackItem> items(random() % 12);
    int64_t sum = 0, most = 1 + random() % 40;
    for (KnapsackItem &item : items) {
      item = {int64_t(random() % most), int64_t(random() % most)};
      // Value per weight that hardly differs is the hard case.
      if (round % 2)
        item.value = item.weight + int64_t(random() % 2);
      sum += item.weight;
    }
    int64_t capacity = sum == 0 ? 0 : int64_t(random() % (sum + 2));
    KnapsackChoice choice = chooseItems(items, capacity);
    check(items, capacity, choice);
    EXPECT_EQ(choice.value, findGreatest(items, capacity)) << round;
    EXPECT_EQ(choice.bound, choice.value);
  }
}

TEST(Knapsack, BoundsWhatItDrops) {
  std::mt19937 random(8);
  for (int round = 0; round < 500; ++round) {
    std::vector<KnapsackItem> items(10);
    for (KnapsackItem &item : items) {
      int64_t weight = 10 + random() % 1000;
      item = {weight, weight + int64_t(random() % 9)};
    }
    int64_t capacity = 500 + random() % 3000;
    KnapsackChoice choice = chooseItems(items, capacity, /*maxStates=*/2);
    check(items, capacity, choice);
    EXPECT_GE(choice.bound, findGreatest(items, capacity));
  }
}

TEST(Knapsack, TakesManyItems) {
  std::vector<KnapsackItem> items(20000, {1 << 20, 1 << 10});
  KnapsackChoice choice = chooseItems(items, int64_t(5000) << 20);
  check(items, int64_t(5000) << 20, choice);
  EXPECT_EQ(choice.weight, int64_t(5000) << 20);
  EXPECT_EQ(choice.bound, choice.value);
}

TEST(Knapsack, TakesNothingWithoutRoom) {
  std::vector<KnapsackItem> items{{5, 9}, {0, 3}, {7, 0}};
  KnapsackChoice choice = chooseItems(items, -4);
  check(items, 0, choice);
  EXPECT_EQ(choice.value, 3);
}

} // namespace
