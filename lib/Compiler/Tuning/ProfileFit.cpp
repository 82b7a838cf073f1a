//===- ProfileFit.cpp - What all measured runs tell -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileFit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::map<std::string, Prediction>
mlir::hetero::sumByDevice(const MeasuredRun &run) {
  std::map<std::string, Prediction> sums;
  for (const MeasuredRegion &region : run.regions) {
    // Of a region with control flow nothing was predicted.
    if (region.operations.empty())
      continue;
    double predicted = 0;
    for (const MeasuredOperation &operation : region.operations)
      predicted += operation.predicted;
    sums[region.device].add(predicted * region.executions,
                            region.seconds * region.executions);
  }
  return sums;
}

std::map<std::pair<std::string, std::string>, Prediction>
mlir::hetero::sumByLink(const MeasuredRun &run) {
  std::map<std::pair<std::string, std::string>, Prediction> sums;
  for (const MeasuredCopies &copies : run.copies)
    sums[{copies.from, copies.to}].add(copies.predicted * copies.executions,
                                       copies.seconds * copies.executions);
  return sums;
}

//===----------------------------------------------------------------------===//
// Fits
//===----------------------------------------------------------------------===//

double DeviceFit::getFactor(llvm::StringRef name) const {
  auto it = llvm::find(names, name);
  return it == names.end() ? 1 : factors[it - names.begin()];
}

namespace {
/// The samples of one device.
struct Samples {
  std::vector<RooflineSample> all;
  std::vector<std::string> names;

  void add(const MeasuredRegion &region);
};
} // namespace

/// Regions whose work is known.
void Samples::add(const MeasuredRegion &region) {
  RooflineSample sample;
  sample.seconds = region.seconds;
  for (const MeasuredOperation &operation : region.operations) {
    if (!operation.work)
      return;
    RooflineWork &work = sample.operations.emplace_back(*operation.work);
    auto it = llvm::find(names, operation.op);
    work.name = it - names.begin();
    if (it == names.end())
      names.push_back(operation.op);
  }
  if (!sample.operations.empty() && sample.seconds > 0)
    all.push_back(std::move(sample));
}

std::map<std::string, DeviceFit> ProfileFit::fitDevices() const {
  std::map<std::string, Samples> samples;
  std::map<std::string, Roofline> known;
  for (const MeasuredRun &run : runs) {
    known.insert(run.devices.begin(), run.devices.end());
    for (const MeasuredRegion &region : run.regions)
      samples[region.device].add(region);
  }
  std::map<std::string, DeviceFit> fits;
  for (const auto &[device, found] : samples) {
    if (found.all.empty())
      continue;
    DeviceFit &fit = fits[device];
    fit.roofline = fitRoofline(found.all, known[device]);
    fit.names = found.names;
    fit.factors = fitFactors(found.all, fit.roofline, found.names.size());
    fit.numSamples = found.all.size();
  }
  return fits;
}

std::map<std::pair<std::string, std::string>, DeviceFit>
ProfileFit::fitLinks() const {
  std::map<std::pair<std::string, std::string>, std::vector<RooflineSample>>
      samples;
  std::map<std::pair<std::string, std::string>, Roofline> known;
  for (const MeasuredRun &run : runs) {
    known.insert(run.links.begin(), run.links.end());
    for (const MeasuredCopies &copies : run.copies)
      if (copies.seconds > 0 && copies.bytes > 0)
        samples[{copies.from, copies.to}].push_back(
            {{RooflineWork{0, double(copies.bytes)}}, copies.seconds});
  }
  std::map<std::pair<std::string, std::string>, DeviceFit> fits;
  for (const auto &[ends, found] : samples)
    // Copies between devices that no link joins are no link's.
    if (known.count(ends))
      fits[ends] = {
          fitRoofline(found, known[ends]), {}, {}, int64_t(found.size())};
  return fits;
}

std::vector<double> ProfileFit::divide(const MeasuredRegion &region,
                                       const DeviceFit &fit) {
  bool isKnown = fit.numSamples > 0 &&
                 llvm::all_of(region.operations, [](const auto &operation) {
                   return operation.work.has_value();
                 });
  std::vector<double> seconds;
  double total = 0;
  for (const MeasuredOperation &operation : region.operations) {
    seconds.push_back(isKnown ? fit.getFactor(operation.op) *
                                    fit.roofline.getTime(*operation.work)
                              : operation.share);
    total += seconds.back();
  }
  for (double &part : seconds)
    part = total > 0 ? part / total * region.seconds
                     : region.seconds / region.operations.size();
  return seconds;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string printNumber(double value) {
  return llvm::formatv("{0:e6}", value);
}

static void printRoofline(llvm::raw_ostream &os, const Roofline &roofline,
                          double factor) {
  os << "launch: " << printNumber(factor * roofline.launch)
     << ", flop: " << printNumber(factor * roofline.perFlop)
     << ", byte: " << printNumber(factor * roofline.perByte);
}

/// The sums of the last run that has the device or link.
template <typename Sums>
static Sums findLast(const std::vector<MeasuredRun> &runs,
                     Sums (*sum)(const MeasuredRun &)) {
  Sums last;
  for (const MeasuredRun &run : runs)
    for (const auto &[key, prediction] : sum(run))
      last[key] = prediction;
  return last;
}

/// How many measurements there are, and how far the last ones were from what
/// was predicted of them.
template <typename Sums, typename Key>
static void printQuality(llvm::raw_ostream &os, int64_t numSamples,
                         const Sums &last, const Key &key) {
  os << ", measurements: " << numSamples;
  if (auto it = last.find(key); it != last.end())
    os << ", error: "
       << llvm::formatv("{0:f4}", std::abs(it->second.getError()));
  os << "}\n";
}

void ProfileFit::printOperations(const std::map<std::string, DeviceFit> &fits,
                                 llvm::raw_ostream &os) const {
  struct Times {
    double seconds = 0, predicted = 0;
    unsigned count = 0;
  };
  std::map<std::string, Times> all;
  for (const MeasuredRun &run : runs) {
    // What a profile cannot tell apart has one time: the mean of a run.
    std::map<std::string, Times> own;
    for (const MeasuredRegion &region : run.regions) {
      auto fit = fits.find(region.device);
      std::vector<double> seconds =
          divide(region, fit == fits.end() ? DeviceFit() : fit->second);
      for (auto [operation, time] : llvm::zip(region.operations, seconds)) {
        Times &times = own[operation.conditions];
        times.seconds += time;
        times.predicted += operation.predicted;
        ++times.count;
      }
    }
    for (const auto &[conditions, times] : own)
      all[conditions] = times;
  }
  os << "operations:\n";
  for (const auto &[conditions, times] : all)
    os << "  - {" << conditions
       << ", seconds: " << printNumber(times.seconds / times.count)
       << ", predicted: " << printNumber(times.predicted / times.count)
       << "}\n";
}

void ProfileFit::print(llvm::raw_ostream &os) const {
  std::map<std::string, DeviceFit> devices = fitDevices();
  printOperations(devices, os);
  auto deviceErrors = findLast(runs, sumByDevice);
  if (!devices.empty())
    os << "devices:\n";
  for (const auto &[device, fit] : devices) {
    // The first that matches counts.
    for (auto [name, factor] : llvm::zip(fit.names, fit.factors)) {
      os << "  - {device: '" << device << "', op: " << name << ", ";
      printRoofline(os, fit.roofline, factor);
      os << "}\n";
    }
    os << "  - {device: '" << device << "', ";
    printRoofline(os, fit.roofline, 1);
    printQuality(os, fit.numSamples, deviceErrors, device);
  }
  auto linkErrors = findLast(runs, sumByLink);
  auto links = fitLinks();
  if (!links.empty())
    os << "links:\n";
  for (const auto &[ends, fit] : links) {
    os << "  - {from: '" << ends.first << "', to: '" << ends.second
       << "', latency: " << printNumber(fit.roofline.launch)
       << ", byte: " << printNumber(std::max(fit.roofline.perByte, 1e-18));
    printQuality(os, fit.numSamples, linkErrors, ends);
  }
}
