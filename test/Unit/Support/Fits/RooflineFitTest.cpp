//===- RooflineFitTest.cpp - What measured times say of a device ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Fits/RooflineFit.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir::hetero;

static const Roofline kKnown{5e-6, 1e-13, 2e-12};
/// A hundred times slower at computing, and faster at starting.
static const Roofline kTrue{1e-6, 1e-11, 1e-11};

static RooflineSample measure(std::vector<RooflineWork> operations,
                              const Roofline &device,
                              std::vector<double> factors = {1, 1}) {
  RooflineSample sample{operations, 0};
  for (const RooflineWork &work : operations)
    sample.seconds += factors[work.name] * device.getTime(work);
  return sample;
}

// Exact times of operations on both sides of the ridge give the device back,
// whichever side the known numbers put them on.
TEST(RooflineFit, FindsTheDevice) {
  std::vector<RooflineSample> samples;
  for (double size : {1e3, 1e5, 1e6, 1e8}) {
    samples.push_back(measure({{size, 100}}, kTrue));
    samples.push_back(measure({{10, size}}, kTrue));
  }
  Roofline found = fitRoofline(samples, kKnown);
  EXPECT_NEAR(found.launch / kTrue.launch, 1, 1e-3);
  EXPECT_NEAR(found.perFlop / kTrue.perFlop, 1, 1e-3);
  EXPECT_NEAR(found.perByte / kTrue.perByte, 1, 1e-3);
}

// Work that only one side explains is on that side: short additions and long
// products, of which the known numbers say that all of them compute.
TEST(RooflineFit, PartsOperationsAtTheRidge) {
  Roofline device{20e-6, 5e-10, 7e-10};
  std::vector<RooflineSample> samples;
  for (double size : {32, 64, 128}) {
    samples.push_back(
        measure({{2 * size * size * size, 12 * size * size}}, device));
    samples.push_back(measure({{size * size, 8 * size * size}}, device));
  }
  Roofline found = fitRoofline(samples, {5e-6, 1e-13, 1e-14});
  EXPECT_NEAR(found.perFlop / device.perFlop, 1, 1e-2);
  EXPECT_NEAR(found.perByte / device.perByte, 1, 1e-2);
}

// What the samples do not tell stays as it is known.
TEST(RooflineFit, KeepsWhatNothingTells) {
  std::vector<RooflineSample> samples;
  for (double size : {1e5, 1e7, 1e8})
    samples.push_back(measure({{10, size}}, kTrue));
  Roofline found = fitRoofline(samples, kKnown);
  EXPECT_NEAR(found.perByte / kTrue.perByte, 1, 1e-3);
  EXPECT_NEAR(found.perFlop / kKnown.perFlop, 1, 1e-3);
  Roofline same = fitRoofline({}, kKnown);
  EXPECT_NEAR(same.launch / kKnown.launch, 1, 1e-9);
  EXPECT_NEAR(same.perByte / kKnown.perByte, 1, 1e-9);
}

// One sample is met, by what has the greatest part in it.
TEST(RooflineFit, MeetsOneSample) {
  RooflineWork work{1e10, 100};
  Roofline found = fitRoofline({{{work}, 0.5}}, kKnown);
  EXPECT_NEAR(found.getTime(work), 0.5, 1e-3);
  EXPECT_LT(found.launch, 1e-3);
}

// Operations that run together are told apart by their work, and times by the
// names that they have; noise moves what is found by as much as it is itself.
TEST(RooflineFit, FindsFactorsOfNames) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(0.99, 1.01);
  std::uniform_real_distribution<double> exponent(3, 8);
  std::vector<RooflineSample> samples;
  for (int i = 0; i < 60; ++i) {
    std::vector<RooflineWork> operations;
    for (int j = 0; j <= i % 3; ++j)
      operations.push_back({std::pow(10, exponent(random)),
                            std::pow(10, exponent(random)), unsigned(j % 2)});
    samples.push_back(measure(operations, kTrue, {1, 3}));
    samples.back().seconds *= noise(random);
  }
  Roofline found = fitRoofline(samples, kKnown);
  std::vector<double> factors = fitFactors(samples, found, 2);
  EXPECT_NEAR(factors[1] / factors[0], 3, 0.5);
  RooflineWork unseen{3e9, 1e4, 1};
  EXPECT_NEAR(factors[1] * found.getTime(unseen) / (3 * kTrue.getTime(unseen)),
              1, 0.2);
  // A name without samples is as the roofline says.
  EXPECT_NEAR(fitFactors(samples, found, 3)[2], 1, 1e-9);
}
