//===- Schedule.cpp - Random choices where any is legal -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Schedule.h"

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

using namespace hetero::emulator;

static std::atomic<bool> isRandom{false};
static std::atomic<uint64_t> theSeed{0};

void hetero::emulator::setRandomSchedule(bool random, uint64_t seed) {
  isRandom = random;
  theSeed = seed;
}

/// A number that looks random (the finalizer of splitmix64).
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static uint64_t choose(uint64_t a, uint64_t b) {
  return mix(mix(mix(theSeed) ^ a) ^ b);
}

void hetero::emulator::pauseBeforeTask(uint64_t stream, uint64_t number) {
  if (!isRandom)
    return;
  // Mostly short ones: many orders in little time. The long ones outlast what
  // other streams have to do.
  uint64_t choice = choose(stream, number);
  uint64_t length = choice >> 8;
  if (choice % 16 == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(length % 3000));
  else if (choice % 2 == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(length % 100));
}

BlockOrder hetero::emulator::orderOfBlocks(uint64_t launch, uint64_t count) {
  BlockOrder order;
  if (!isRandom || count <= 1)
    return order;
  order.first = choose(launch, 1) % count;
  // Without a common divisor the step goes through all of them.
  order.step = choose(launch, 2) % count;
  while (std::gcd(order.step, count) != 1)
    order.step = order.step % count + 1;
  return order;
}
