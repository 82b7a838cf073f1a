//===- AccessRecorder.h - Which memory a kernel has accessed ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_ACCESSRECORDER_H
#define HETERO_LIB_EMULATOR_EXECUTE_ACCESSRECORDER_H

#include "Emulator/Execute/Operation.h"

#include <vector>

namespace hetero::emulator {

/// Makes the list ascending, without overlaps and without neighbours.
void normalize(std::vector<Span> &spans);

/// Collects the accesses of the PTX threads that one thread of the host runs.
class AccessRecorder {
public:
  /// Instructions with the same slot often go on where they were.
  void add(uint32_t slot, uint64_t address, uint32_t size, bool isWrite);
  /// Moves what was collected to the lists.
  void moveTo(std::vector<Span> &reads, std::vector<Span> &writes);

private:
  static constexpr uint32_t kNumSlots = 16;

  Span open[2][kNumSlots] = {};
  std::vector<Span> closed[2];
  size_t limit = 4096;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_ACCESSRECORDER_H
