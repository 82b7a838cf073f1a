//===- WarpCallbacks.cpp - What warps that run as one call ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Warps/WarpCallbacks.h"

#include "Emulator/Execute/Blocks/Block.h"
#include "Emulator/Execute/Matrices/Matrix.h"
#include "Emulator/Execute/Matrices/MatrixMemory.h"
#include "Emulator/Execute/Warps/WarpOperations.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace hetero::emulator;
using namespace hetero;

static Block &blockOf(WarpContext *warp) { return *threadOf(warp, 0).block; }

template <typename Function>
static void forEachLane(uint32_t mask, Function function) {
  for (; mask; mask &= mask - 1)
    function(static_cast<uint32_t>(__builtin_ctz(mask)));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void heteroEmuWarpAccess(WarpContext *warp, uint32_t mask, uint64_t *addresses,
                         uint32_t size, uint32_t isStore, uint32_t line,
                         uint32_t space, uint32_t number) {
  forEachLane(mask, [&](uint32_t lane) {
    ThreadContext *context = warp->threads[lane];
    uint64_t address = addresses[lane];
    uint8_t *host;
    if (space == 1) {
      host = heteroEmuShared(context, address, size, isStore, line);
    } else if (space == 2) {
      host = heteroEmuParam(context, address, size, isStore, line);
    } else {
      AccessWindow &window = context->windows[number];
      uint64_t offset = address - window.begin;
      bool isInside = window.size >= size && offset <= window.size - size &&
                      address % size == 0;
      host = isInside ? window.host + offset
                      : heteroEmuTranslate(context, address, size, isStore,
                                           line, &window);
    }
    addresses[lane] = reinterpret_cast<uint64_t>(host);
  });
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void heteroEmuWarpExit(WarpContext *warp, uint32_t mask) {
  blockOf(warp).exitOfWarp(*warp, mask);
}

void heteroEmuWarpBarrier(WarpContext *warp, uint32_t mask, uint32_t id,
                          uint32_t threads) {
  blockOf(warp).barriers.waitOfWarp(*warp, mask, id, threads, 0, 0);
}

void heteroEmuWarpBarrierArrive(WarpContext *warp, uint32_t mask, uint32_t id,
                                uint32_t threads) {
  blockOf(warp).barriers.arriveOfWarp(*warp, mask, id, threads);
}

uint32_t heteroEmuWarpBarrierReduce(WarpContext *warp, uint32_t mask,
                                    uint32_t id, uint32_t threads,
                                    uint32_t mode, uint32_t predicates) {
  return blockOf(warp).barriers.waitOfWarp(*warp, mask, id, threads, mode,
                                           predicates);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// The live lanes among the members, which must be all that came.
static uint32_t meet(WarpContext *warp, uint32_t mask, uint32_t members) {
  if (uint32_t others = mask & ~members) {
    PTXThread &thread = threadOf(warp, __builtin_ctz(others));
    thread.block->reportMeeting(
        thread, "takes part in a warp's operation whose mask leaves it out");
    thread.block->leave(thread);
  }
  return mask;
}

void heteroEmuWarpWarpSync(WarpContext *warp, uint32_t mask, uint32_t members) {
  meet(warp, mask, members);
}

uint32_t heteroEmuWarpVote(WarpContext *warp, uint32_t mask, uint32_t mode,
                           uint32_t predicates, uint32_t members) {
  members = meet(warp, mask, members);
  return vote(mode, predicates & members, members);
}

void heteroEmuWarpMatch(WarpContext *warp, uint32_t mask, uint32_t mode,
                        const uint64_t *values, uint32_t members,
                        uint64_t *results) {
  members = meet(warp, mask, members);
  forEachLane(mask, [&](uint32_t lane) {
    results[lane] = match(mode, values[lane], members, values);
  });
}

uint32_t heteroEmuWarpRedux(WarpContext *warp, uint32_t mask, uint32_t mode,
                            const uint32_t *values, uint32_t members) {
  members = meet(warp, mask, members);
  uint32_t first = __builtin_ctz(members), result = values[first];
  forEachLane(members & (members - 1), [&](uint32_t lane) {
    result = reduce(mode, result, values[lane]);
  });
  return result;
}

void heteroEmuWarpShuffle(WarpContext *warp, uint32_t mask, uint32_t mode,
                          const uint32_t *values, const uint32_t *lanes,
                          const uint32_t *clamps, uint32_t members,
                          uint64_t *results) {
  members = meet(warp, mask, members);
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    results[lane] = shuffle(mode, static_cast<int>(lane), lanes[lane],
                            clamps[lane], members, values, values[lane]);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// All lanes take part, or the first is at fault.
static void meetAll(WarpContext *warp, uint32_t mask) {
  if (mask == ~0u)
    return;
  PTXThread &thread = threadOf(warp, __builtin_ctz(mask));
  thread.block->reportPartOfWarp(thread);
  thread.block->leave(thread);
}

/// Brings the lanes' words together.
static void gather(const uint8_t *words, uint32_t distance, unsigned count,
                   MatrixOperand (&all)[kWarpSize]) {
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    std::memcpy(all[lane].registers.data(), words + lane * distance, count * 8);
}

template <typename T> static T *wordsOf(T *words, uint32_t distance, int lane) {
  return words + uint64_t(distance) * lane;
}

static const uint64_t *asWords(const uint8_t *bytes) {
  return reinterpret_cast<const uint64_t *>(bytes);
}
static uint64_t *asWords(uint8_t *bytes) {
  return reinterpret_cast<uint64_t *>(bytes);
}

void heteroEmuWarpMatrixMultiply(
    WarpContext *warp, uint32_t mask, uint32_t rows, uint32_t depth,
    uint32_t typeOfA, uint32_t typeOfB, uint32_t typeOfC, uint32_t saturates,
    const uint8_t *a, uint32_t distanceA, const uint8_t *b, uint32_t distanceB,
    const uint8_t *c, uint32_t distanceC, uint8_t *d, uint32_t distanceD) {
  meetAll(warp, mask);
  MatrixMultiply multiply(rows, depth, typeOfA, typeOfB, typeOfC, saturates);
  MatrixOperand lanesA[kWarpSize], lanesB[kWarpSize];
  gather(a, distanceA, multiply.registersOfA(), lanesA);
  gather(b, distanceB, multiply.registersOfB(), lanesB);
  multiply.computeAll(lanesA, lanesB, {asWords(c), distanceC / 8},
                      {asWords(d), distanceD / 8});
}

void heteroEmuWarpMultiplyFragments(WarpContext *warp, uint32_t mask,
                                    const FragmentType *types,
                                    uint32_t saturates, const uint8_t *a,
                                    uint32_t distanceA, const uint8_t *b,
                                    uint32_t distanceB, const uint8_t *c,
                                    uint32_t distanceC, uint8_t *d,
                                    uint32_t distanceD) {
  meetAll(warp, mask);
  FragmentMultiply multiply(types, saturates);
  MatrixOperand lanesA[kWarpSize], lanesB[kWarpSize];
  gather(a, distanceA, multiply.a.numRegisters, lanesA);
  gather(b, distanceB, multiply.b.numRegisters, lanesB);
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    multiply.compute(lane, lanesA, lanesB, asWords(wordsOf(c, distanceC, lane)),
                     asWords(wordsOf(d, distanceD, lane)));
}

void heteroEmuWarpLoadMatrix(WarpContext *warp, uint32_t mask,
                             uint32_t matrices, uint32_t isTransposed,
                             uint32_t isShared, const uint64_t *addresses,
                             uint32_t line, uint8_t *registers,
                             uint32_t distance) {
  meetAll(warp, mask);
  uint64_t rows[kWarpSize] = {};
  for (uint32_t lane = 0; lane < 8 * matrices; ++lane)
    rows[lane] = reinterpret_cast<uint64_t>(
        matrixRow(warp->threads[lane], isShared != 0, addresses[lane], line));
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    for (uint32_t i = 0; i < matrices; ++i)
      asWords(wordsOf(registers, distance, lane))[i] =
          pickElements(&rows[8 * i], lane, isTransposed != 0);
}

void heteroEmuWarpStoreMatrix(WarpContext *warp, uint32_t mask,
                              uint32_t matrices, uint32_t layout,
                              uint32_t isShared, const uint64_t *addresses,
                              uint32_t line, const uint8_t *registers,
                              uint32_t distance) {
  meetAll(warp, mask);
  uint64_t rows[kWarpSize] = {};
  for (uint32_t lane = 0; lane < 8 * matrices; ++lane)
    rows[lane] = reinterpret_cast<uint64_t>(matrixRow(
        warp->threads[lane], isShared != 0, addresses[lane], line, kWrites));
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    for (uint32_t i = 0; i < matrices; ++i)
      placeElements(&rows[8 * i], lane, MatrixLayout(layout),
                    static_cast<uint32_t>(
                        asWords(wordsOf(registers, distance, lane))[i]));
}

void heteroEmuWarpMoveMatrix(WarpContext *warp, uint32_t mask,
                             const uint32_t *values, uint32_t *results) {
  meetAll(warp, mask);
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    results[lane] = transposeElements(values, lane);
}

void heteroEmuWarpAccessFragment(WarpContext *warp, uint32_t mask,
                                 const FragmentAccess *access,
                                 const uint64_t *addresses,
                                 const uint32_t *strides, uint8_t *registers,
                                 uint32_t distance) {
  meetAll(warp, mask);
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    accessFragment(warp->threads[lane], *access, addresses[lane], strides[lane],
                   asWords(wordsOf(registers, distance, lane)));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void hetero::emulator::addWarpCallbacks(AddFunction add, void *state) {
#define HETERO_WARP_CALLBACK(name)                                             \
  add(state, #name, reinterpret_cast<void *>(&name));
  HETERO_WARP_CALLBACK(heteroEmuWarpAccess)
  HETERO_WARP_CALLBACK(heteroEmuWarpExit)
  HETERO_WARP_CALLBACK(heteroEmuWarpBarrier)
  HETERO_WARP_CALLBACK(heteroEmuWarpBarrierArrive)
  HETERO_WARP_CALLBACK(heteroEmuWarpBarrierReduce)
  HETERO_WARP_CALLBACK(heteroEmuWarpWarpSync)
  HETERO_WARP_CALLBACK(heteroEmuWarpVote)
  HETERO_WARP_CALLBACK(heteroEmuWarpMatch)
  HETERO_WARP_CALLBACK(heteroEmuWarpRedux)
  HETERO_WARP_CALLBACK(heteroEmuWarpShuffle)
  HETERO_WARP_CALLBACK(heteroEmuWarpLoadMatrix)
  HETERO_WARP_CALLBACK(heteroEmuWarpStoreMatrix)
  HETERO_WARP_CALLBACK(heteroEmuWarpMatrixMultiply)
  HETERO_WARP_CALLBACK(heteroEmuWarpMoveMatrix)
  HETERO_WARP_CALLBACK(heteroEmuWarpAccessFragment)
  HETERO_WARP_CALLBACK(heteroEmuWarpMultiplyFragments)
#undef HETERO_WARP_CALLBACK
}
