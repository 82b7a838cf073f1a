//===- PhaseBarrier.h - Objects of mbarrier ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX leaves open what the 64 bits of an object are. Here: bits 0 to 19 count
// the arrivals that are still to come in this phase, bits 20 to 39 those of
// each phase; bit 62 is set in an object that is there, bit 63 is the parity of
// the phase. A state is the object as it was before an arrival.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PHASEBARRIER_H
#define HETERO_LIB_EMULATOR_PHASEBARRIER_H

#include <cstdint>

namespace hetero::emulator {

class PhaseBarrier {
public:
  static constexpr uint64_t kMostArrivals = (1 << 20) - 1;

  explicit PhaseBarrier(uint64_t bits) : bits(bits) {}

  static uint64_t initial(uint64_t arrivals) {
    return kValid | arrivals << 20 | arrivals;
  }
  bool isValid() const { return bits & kValid; }
  uint64_t pending() const { return bits & kMostArrivals; }
  uint64_t expected() const { return bits >> 20 & kMostArrivals; }
  uint64_t parity() const { return bits >> 63; }

  /// The object after so many of the pending arrivals; `drops`: fewer are
  /// expected in the phases that follow.
  uint64_t arrive(uint64_t arrivals, bool drops) const {
    uint64_t next = expected() - (drops ? arrivals : 0);
    uint64_t left = pending() - arrivals, phase = parity();
    if (left == 0) {
      left = next;
      phase ^= 1;
    }
    return kValid | phase << 63 | next << 20 | left;
  }

private:
  static constexpr uint64_t kValid = UINT64_C(1) << 62;

  uint64_t bits;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_PHASEBARRIER_H
