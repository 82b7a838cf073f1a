//===- RooflineFit.cpp - What measured times say of a device --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Fits/RooflineFit.h"

#include "LeastSquares.h"

#include <algorithm>
#include <cmath>

using namespace mlir::hetero;

/// How much what is known counts against the relative differences: so little
/// that a device may be ten thousand times slower, and enough to decide what
/// the samples leave open.
static constexpr double kWeightOfKnown = 1e-12;
static constexpr double kWeightOfNames = 1e-4;

double Roofline::getTime(const RooflineWork &work) const {
  return launch + std::max(perFlop * work.flops, perByte * work.bytes);
}

namespace {
/// The unknowns as multiples of what is known, so that they are of one size.
class Fit {
public:
  Fit(const std::vector<RooflineSample> &samples, const Roofline &known)
      : samples(samples), known(known),
        units{std::max(known.launch, 1e-9), std::max(known.perFlop, 1e-18),
              std::max(known.perByte, 1e-18)} {}

  /// Operations compute that have at least so many flops a byte.
  void tryRidge(double ridge);
  Roofline best;

private:
  Roofline solve(double ridge) const;
  double getError(const Roofline &roofline) const;

  const std::vector<RooflineSample> &samples;
  const Roofline &known;
  Roofline units;
  double leastError = INFINITY;
};
} // namespace

Roofline Fit::solve(double ridge) const {
  LeastSquares problem(3);
  for (const RooflineSample &sample : samples) {
    double flops = 0, bytes = 0;
    for (const RooflineWork &work : sample.operations)
      if (work.flops >= ridge * work.bytes)
        flops += work.flops;
      else
        bytes += work.bytes;
    problem.addRow({units.launch * sample.operations.size() / sample.seconds,
                    units.perFlop * flops / sample.seconds,
                    units.perByte * bytes / sample.seconds},
                   1);
  }
  double weight = std::sqrt(kWeightOfKnown);
  problem.addRow({weight, 0, 0}, weight * known.launch / units.launch);
  problem.addRow({0, weight, 0}, weight * known.perFlop / units.perFlop);
  problem.addRow({0, 0, weight}, weight * known.perByte / units.perByte);
  std::vector<double> x = problem.solve();
  return {x[0] * units.launch, x[1] * units.perFlop, x[2] * units.perByte};
}

double Fit::getError(const Roofline &roofline) const {
  double error = 0;
  for (const RooflineSample &sample : samples) {
    double time = 0;
    for (const RooflineWork &work : sample.operations)
      time += roofline.getTime(work);
    error += std::pow(time / sample.seconds - 1, 2);
  }
  auto add = [&](double value, double wanted, double unit) {
    error += kWeightOfKnown * std::pow((value - wanted) / unit, 2);
  };
  add(roofline.launch, known.launch, units.launch);
  add(roofline.perFlop, known.perFlop, units.perFlop);
  add(roofline.perByte, known.perByte, units.perByte);
  return error;
}

void Fit::tryRidge(double ridge) {
  Roofline found = solve(ridge);
  double error = getError(found);
  if (error >= leastError)
    return;
  leastError = error;
  best = found;
}

/// The flops a byte of all operations, each once, in order.
static std::vector<double>
collectIntensities(const std::vector<RooflineSample> &samples) {
  std::vector<double> intensities;
  for (const RooflineSample &sample : samples)
    for (const RooflineWork &work : sample.operations)
      if (work.bytes > 0)
        intensities.push_back(work.flops / work.bytes);
  std::sort(intensities.begin(), intensities.end());
  intensities.erase(std::unique(intensities.begin(), intensities.end()),
                    intensities.end());
  return intensities;
}

Roofline mlir::hetero::fitRoofline(const std::vector<RooflineSample> &samples,
                                   const Roofline &known) {
  Fit fit(samples, known);
  std::vector<double> intensities = collectIntensities(samples);
  // A ridge at an operation parts those from it on. Of very many some do.
  constexpr size_t kMostRidges = 100;
  size_t step = intensities.size() / kMostRidges + 1;
  for (size_t i = 0; i < intensities.size(); i += step)
    fit.tryRidge(intensities[i]);
  fit.tryRidge(INFINITY);
  return fit.best;
}

std::vector<double>
mlir::hetero::fitFactors(const std::vector<RooflineSample> &samples,
                         const Roofline &roofline, unsigned numNames) {
  LeastSquares problem(numNames);
  for (const RooflineSample &sample : samples) {
    std::vector<double> row(numNames);
    for (const RooflineWork &work : sample.operations)
      row[work.name] += roofline.getTime(work) / sample.seconds;
    problem.addRow(row, 1);
  }
  double weight = std::sqrt(kWeightOfNames);
  for (unsigned name = 0; name < numNames; ++name) {
    std::vector<double> row(numNames);
    row[name] = weight;
    problem.addRow(row, weight);
  }
  std::vector<double> factors = problem.solve();
  // Nothing is for free.
  for (double &factor : factors)
    factor = std::max(factor, 1e-3);
  return factors;
}
