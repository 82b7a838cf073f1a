//===- LoadState.h - Loads that follow moves of items --------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_LOADSTATE_H
#define HETERO_SUPPORT_SOLVERS_LOADSTATE_H

#include "hetero/Support/Solvers/LoadProblem.h"

namespace mlir::hetero {

/// A solution with its loads, which a move changes by what is around the item.
/// Times are rounded down to a unit in which sums cannot overflow.
class LoadState {
public:
  explicit LoadState(const LoadProblem &problem);

  const LoadProblem &getProblem() const { return problem; }
  const NetsOfItems &getNetsOfItems() const { return netsOfItems; }
  /// Puts all items where they are there.
  void assign(llvm::ArrayRef<unsigned> devices);
  void move(unsigned item, unsigned device);
  unsigned getDevice(unsigned item) const { return devices[item]; }
  llvm::ArrayRef<unsigned> getDevices() const { return devices; }
  int64_t getLargest() const;
  /// A smooth stand-in for the largest load, as a part of `reference`.
  double getPressure(double reference) const;

private:
  int64_t round(int64_t time) const { return time >> shift; }
  void addNet(unsigned net, int64_t sign);
  void charge(unsigned link, int64_t time);

  const LoadProblem &problem;
  NetsOfItems netsOfItems;
  unsigned shift = 0;
  llvm::SmallVector<unsigned, 0> devices;
  /// Readers at net * devices + device.
  llvm::SmallVector<unsigned, 0> counts;
  /// Of devices, then of links.
  llvm::SmallVector<int64_t, 0> loads;
  /// Those that another one is never below.
  llvm::SmallVector<uint8_t, 0> isDominated;
  /// By link: when it was last crossed.
  llvm::SmallVector<uint64_t, 0> crossed;
  uint64_t now = 0;
};

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_LOADSTATE_H
