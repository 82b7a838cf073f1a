//===- WarpMeetings.h - Threads of a warp that meet -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_WARPMEETINGS_H
#define HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_WARPMEETINGS_H

#include "Emulator/Execute/Blocks/Turns.h"

namespace hetero::emulator {

class WarpMeetings {
public:
  WarpMeetings(BlockState &state, Turns &turns) : state(state), turns(turns) {}

  /// On a thread of the block, meets the threads of `mask` in the warp;
  /// thread.lanes then has what each brought. Returns who is there.
  uint32_t meet(PTXThread &thread, uint32_t operation, uint32_t mask,
                uint64_t value);
  /// The thread is gone, and not waited for.
  void noteEnd(const PTXThread &thread);

private:
  bool tryComplete(const PTXThread &thread);

  BlockState &state;
  Turns &turns;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_WARPMEETINGS_H
