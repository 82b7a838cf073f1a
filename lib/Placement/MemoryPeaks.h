//===- MemoryPeaks.h - Bytes that live on each device -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many bytes an assignment keeps alive at once on each device, before
// anything is allocated. In program order, a value takes its bytes
//
// - where it is made, from there to its last use there or the first copy;
// - where it is copied to, from the first use there to the last;
// - as long as a loop, branch or call takes that uses it, if it is from
// outside.
//
// Constants and state are resident, arguments the caller's for the whole
// function, what a loop carries is one buffer, views take nothing, and a
// destination whose last use this is becomes the result. What a call needs
// comes on top of what lives around it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_MEMORYPEAKS_H
#define HETERO_LIB_PLACEMENT_MEMORYPEAKS_H

#include "Pricer.h"

namespace mlir::hetero {

class MemoryPeaks {
public:
  /// The problem and its lists outlive this.
  MemoryPeaks(const PlacementProblem &problem, const ProblemLists &lists);

  /// Finds the peaks of the assignment that the pricer has now.
  void find(const Pricer &pricer);
  /// Bytes at the peak of a device.
  int64_t getPeak(unsigned device) const { return peaks[device]; }
  /// Bytes beyond the capacity of a device, and of all devices.
  int64_t getExcess(unsigned device) const;
  int64_t getExcess() const;

private:
  /// Nodes from the first to the last; empty if the first comes after.
  struct Life {
    int64_t first = kNowhere, last = 0;
    bool isEmpty() const { return first > last; }
    void include(int64_t from, int64_t to) {
      first = first < from ? first : from;
      last = last > to ? last : to;
    }
  };
  static constexpr int64_t kNowhere = INT64_MAX / 2;

  Life &getLife(unsigned value, unsigned device) {
    return lives[size_t(value) * numDevices + device];
  }
  bool isAtHome(unsigned value, unsigned device) const;
  void addUses();
  void addDefinition(unsigned value);
  void share(unsigned value);
  void addCarried(const ProblemMemory::Carrier &carrier);
  void overwrite(unsigned value);
  void collect(unsigned device);
  void findPeak(unsigned device);

  const PlacementProblem &problem;
  const ProblemLists &lists;
  const ProblemMemory &memory;
  unsigned numDevices;
  std::vector<uint8_t> isBlockCarrier;
  /// By function: its calls, of which the first is here.
  std::vector<unsigned> firstCall;
  int64_t numConstants = 0;

  const Pricer *pricer = nullptr;
  /// By value * devices + device.
  std::vector<Life> lives;
  /// Devices and reads that have a constant for themselves.
  std::vector<std::pair<unsigned, ProblemRead>> streams;
  std::vector<int64_t> peaks;
  /// Of one device: what begins less what ends at each node, what is there
  /// while each function runs, what is there always, and constants that count
  /// already.
  std::vector<__int128> changes, around;
  __int128 resident = 0;
  std::vector<uint8_t> isCounted;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_MEMORYPEAKS_H
