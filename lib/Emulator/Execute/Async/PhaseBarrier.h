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
// each phase; bits 40 to 61 are the transaction count, the bytes that are still
// to come, as a signed number; bit 62 is set in an object that is there, bit 63
// is the parity of the phase. A state is the object as it was before an
// arrival.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_ASYNC_PHASEBARRIER_H
#define HETERO_LIB_EMULATOR_EXECUTE_ASYNC_PHASEBARRIER_H

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <cstdint>

namespace hetero::emulator {

class PhaseBarrier {
public:
  static constexpr uint64_t kMostArrivals = kMostPhaseArrivals;
  /// The transaction count lies within this distance of zero.
  static constexpr int64_t kMostBytes = (1 << 20) - 1;

  explicit PhaseBarrier(uint64_t bits) : bits(bits) {}

  static uint64_t initial(uint64_t arrivals) {
    return kValid | arrivals << 20 | arrivals;
  }
  bool isValid() const { return bits & kValid; }
  uint64_t pending() const { return bits & kMostArrivals; }
  uint64_t expected() const { return bits >> 20 & kMostArrivals; }
  uint64_t parity() const { return bits >> 63; }

  /// The bytes that are still to come; below zero when some came before they
  /// were expected.
  int64_t bytes() const {
    return static_cast<int64_t>(bits << 2) >> (64 - kBytesBits);
  }

  /// The object after so many of the pending arrivals; `drops`: fewer are
  /// expected in the phases that follow.
  uint64_t arrive(uint64_t arrivals, bool drops) const {
    return make(parity(), expected() - (drops ? arrivals : 0),
                pending() - arrivals, bytes());
  }
  /// The object when `more` bytes are to come, or fewer if that is negative. A
  /// phase ends with the last arrival and the last byte.
  uint64_t expect(int64_t more) const {
    return make(parity(), expected(), pending(), bytes() + more);
  }

private:
  static constexpr uint64_t kValid = UINT64_C(1) << 62;
  static constexpr unsigned kBytesBits = 22;

  static uint64_t make(uint64_t phase, uint64_t each, uint64_t left,
                       int64_t bytes) {
    if (left == 0 && bytes == 0) {
      left = each;
      phase ^= 1;
    }
    uint64_t count = static_cast<uint64_t>(bytes) << (64 - kBytesBits) >> 2;
    return phase << 63 | kValid | count | each << 20 | left;
  }

  uint64_t bits;
};

struct PTXThread;

/// The thread must not use an object that nothing has initialized.
void checkPhaseObject(PTXThread &thread, const uint64_t *object);

/// Has the object wait for `more` bytes, or for fewer if that is negative.
void expectBytes(PTXThread &thread, uint64_t *object, int64_t more);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_ASYNC_PHASEBARRIER_H
