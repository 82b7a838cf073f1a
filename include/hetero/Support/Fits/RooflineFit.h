//===- RooflineFit.h - What measured times say of a device ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The roofline (Williams, Waterman and Patterson, CACM 52(4), 2009) has a
// device compute or move bytes, whichever takes longer. Here its three numbers
// are found from measured times of operations, so that they tell the times of
// operations that were not measured. All times are seconds.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_FITS_ROOFLINEFIT_H
#define HETERO_SUPPORT_FITS_ROOFLINEFIT_H

#include <vector>

namespace mlir::hetero {

/// What an operation does.
struct RooflineWork {
  double flops = 0, bytes = 0;
  /// Which of the names the operation has, from 0.
  unsigned name = 0;
};

/// Seconds for one operation, for one flop and for one byte.
struct Roofline {
  double launch = 0, perFlop = 0, perByte = 0;

  double getTime(const RooflineWork &work) const;
};

/// Operations that ran together, and what all of them took.
struct RooflineSample {
  std::vector<RooflineWork> operations;
  double seconds = 0;
};

/// The roofline whose times differ the least from the measured ones: the sum of
/// the squares of the relative differences. Where the operations are known that
/// compute, and not move bytes, that is linear; they are those with the most
/// flops a byte, and each number of them is tried. Of what the samples do not
/// tell, `known` is right.
Roofline fitRoofline(const std::vector<RooflineSample> &samples,
                     const Roofline &known);

/// By how much the operations of each name take longer than the roofline says;
/// 1 for names of which the samples tell nothing.
std::vector<double> fitFactors(const std::vector<RooflineSample> &samples,
                               const Roofline &roofline, unsigned numNames);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_FITS_ROOFLINEFIT_H
