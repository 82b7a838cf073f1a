//===- Schedule.h - Random choices where any is legal -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With schedule=random, streams wait a while before each task, so that what
// nothing orders happens in another order than usual, and the blocks of a grid
// run in another order. The choices follow from the seed and from what is run.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_SCHEDULE_H
#define HETERO_LIB_EMULATOR_EXECUTE_SCHEDULE_H

#include <cstdint>

namespace hetero::emulator {

void setRandomSchedule(bool isRandom, uint64_t seed);

/// Waits a while or not, before task `number` of a stream.
void pauseBeforeTask(uint64_t stream, uint64_t number);

/// A permutation of the blocks of a launch.
struct BlockOrder {
  uint64_t first = 0, step = 1;

  uint64_t operator()(uint64_t number, uint64_t count) const {
    if (step == 1 && first == 0)
      return number;
    return static_cast<uint64_t>(
        (static_cast<unsigned __int128>(number) * step + first) % count);
  }
};
BlockOrder orderOfBlocks(uint64_t launch, uint64_t count);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_SCHEDULE_H
