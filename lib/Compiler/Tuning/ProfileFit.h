//===- ProfileFit.h - What all measured runs tell ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_TUNING_PROFILEFIT_H
#define HETERO_LIB_COMPILER_TUNING_PROFILEFIT_H

#include "MeasuredRun.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::hetero {

/// What was predicted and what was measured, in seconds of a call.
struct Prediction {
  double predicted = 0, measured = 0;

  void add(double p, double m) {
    predicted += p;
    measured += m;
  }
  /// The part of the measured time by which the prediction is above it;
  /// negative below.
  double getError() const {
    return measured > 0 ? predicted / measured - 1 : 0;
  }
};

/// The roofline of a device, and by how much operations of each name are slower
/// than it.
struct DeviceFit {
  Roofline roofline;
  std::vector<std::string> names;
  std::vector<double> factors;
  int64_t numSamples = 0;

  /// Of an operation of this name; 1 for others.
  double getFactor(llvm::StringRef name) const;
};

/// Collects measured runs of one program, however it was placed, and fits what
/// placement goes by for operations and copies that were not measured.
class ProfileFit {
public:
  void add(MeasuredRun run) { runs.push_back(std::move(run)); }

  /// What each operation of a region takes: the region was measured, and its
  /// operations share that as the fit, or where sizes are dynamic the cost
  /// model, has their times.
  static std::vector<double> divide(const MeasuredRegion &region,
                                    const DeviceFit &fit);
  std::map<std::string, DeviceFit> fitDevices() const;
  std::map<std::pair<std::string, std::string>, DeviceFit> fitLinks() const;

  /// As a profile; of what several runs have measured, the last time counts.
  void print(llvm::raw_ostream &os) const;

private:
  void printOperations(const std::map<std::string, DeviceFit> &fits,
                       llvm::raw_ostream &os) const;

  std::vector<MeasuredRun> runs;
};

/// The errors of one run by device and by link.
std::map<std::string, Prediction> sumByDevice(const MeasuredRun &run);
std::map<std::pair<std::string, std::string>, Prediction>
sumByLink(const MeasuredRun &run);

} // namespace mlir::hetero

#endif // HETERO_LIB_COMPILER_TUNING_PROFILEFIT_H
