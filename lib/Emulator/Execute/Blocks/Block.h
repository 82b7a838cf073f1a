//===- Block.h - The threads of a block and how they meet -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BLOCK_H
#define HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BLOCK_H

#include "Emulator/Execute/Blocks/Barriers.h"
#include "Emulator/Execute/Blocks/BlockState.h"
#include "Emulator/Execute/Blocks/Turns.h"
#include "Emulator/Execute/Blocks/WarpMeetings.h"

namespace hetero::emulator {

/// Runs one block. The threads of a kernel without collectives run one after
/// the other as plain calls; otherwise each has a fiber, and a thread that
/// waits for others gives way to the next. The threads of a warp may run as
/// one, with one fiber.
class Block : public BlockState {
public:
  Block(Launch &launch, Worker &worker, uint64_t number);

  void run();

  /// The same little by little, so that blocks can wait for each other: after
  /// start(), runTurn() lets each thread that can go on do so until it waits.
  /// False when the block has ended.
  void start();
  bool runTurn();

  /// Lanes of a warp that runs as one are done.
  void exitOfWarp(WarpContext &warp, uint32_t mask);

  Turns turns{*this};
  Barriers barriers{*this, turns};
  WarpMeetings meetings{*this, turns};

private:
  void setUp(uint32_t index);
  void runInOrder();
  bool startFibers();
  void runReady();
  void checkEnd();
  void finish();
  static void runThread(void *thread);
  void setUpWarp(uint32_t index);
  void setUpWarps();
  void runWarps();
  static void runWarp(void *warp);
  void exitThread(PTXThread &thread);
  std::string describeWaiting(const std::vector<uint32_t> &waiting,
                              const std::string &where) const;
  void reportDeadlock();

  uint8_t *shared = nullptr, *local = nullptr;
};

/// Meets all lanes of the warp; what each brings is then in thread.lanes. A
/// thread whose warp is not complete is at fault.
PTXThread &meetAll(ThreadContext *context, WarpOperation operation,
                   uint64_t value);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BLOCK_H
