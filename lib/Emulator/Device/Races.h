//===- Races.h - Accesses that nothing orders -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A happens-before check. Each operation has a vector clock: how far each
// stream was when everything up to there was done before the operation begins.
// Two operations of which none comes after the other, that touch the same
// bytes, and of which one writes, are a race, also when this run had them in a
// good order.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_RACES_H
#define HETERO_LIB_EMULATOR_DEVICE_RACES_H

#include "Emulator/Execute/AccessRecorder.h"

#include <list>
#include <mutex>

namespace hetero::emulator {

class Races {
public:
  /// `describe` says of bytes where they are.
  explicit Races(std::string (*describe)(Span)) : describe(describe) {}

  /// The host gives the operation to its stream now, after these (some may be
  /// null).
  void issue(const OperationRef &operation,
             const std::vector<OperationRef> &after);
  /// The operation has run; a kernel has done this. Returns what it races with,
  /// or an empty string.
  std::string finish(const OperationRef &operation, Effects *effects);
  /// What the host does from now on comes after these.
  void hostWaits(const std::vector<OperationRef> &operations);
  /// The host takes the memory away; returns what may still use it.
  std::string release(Span memory);
  uint64_t count();

private:
  void prune();
  std::string findConflict(const Operation &operation,
                           const Operation &other) const;

  std::string (*const describe)(Span);
  std::mutex mutex;
  std::vector<uint64_t> hostClock;
  std::vector<uint64_t> positions; ///< The last one of each stream.
  std::list<OperationRef> running, finished;
  uint64_t races = 0;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DEVICE_RACES_H
