//===- WarpCallbacks.h - What warps that run as one call --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of ExecutorCallbacks.h for all lanes of a warp that are in
// `mask`. What is the same in all of them comes by value, what is not as an
// array of 32; predicates as a mask. Matrices' registers are words at an
// address of the first lane and a distance from lane to lane. Results go to
// arrays.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_WARPS_WARPCALLBACKS_H
#define HETERO_LIB_EMULATOR_EXECUTE_WARPS_WARPCALLBACKS_H

#include "Emulator/ABI/CompiledCode.h"
#include "Emulator/ABI/MatrixTypes.h"

extern "C" {
/// Replaces addresses by host addresses. `space` is 0 for global memory
/// (through the window of this number), 1 for shared and 2 for parameters.
void heteroEmuWarpAccess(hetero::emulator::WarpContext *warp, uint32_t mask,
                         uint64_t *addresses, uint32_t size, uint32_t isStore,
                         uint32_t line, uint32_t space, uint32_t window);
/// The lanes end.
void heteroEmuWarpExit(hetero::emulator::WarpContext *warp, uint32_t mask);
void heteroEmuWarpBarrier(hetero::emulator::WarpContext *warp, uint32_t mask,
                          uint32_t id, uint32_t threads);
void heteroEmuWarpBarrierArrive(hetero::emulator::WarpContext *warp,
                                uint32_t mask, uint32_t id, uint32_t threads);
uint32_t heteroEmuWarpBarrierReduce(hetero::emulator::WarpContext *warp,
                                    uint32_t mask, uint32_t id,
                                    uint32_t threads, uint32_t mode,
                                    uint32_t predicates);
void heteroEmuWarpWarpSync(hetero::emulator::WarpContext *warp, uint32_t mask,
                           uint32_t members);
uint32_t heteroEmuWarpVote(hetero::emulator::WarpContext *warp, uint32_t mask,
                           uint32_t mode, uint32_t predicates,
                           uint32_t members);
void heteroEmuWarpMatch(hetero::emulator::WarpContext *warp, uint32_t mask,
                        uint32_t mode, const uint64_t *values, uint32_t members,
                        uint64_t *results);
uint32_t heteroEmuWarpRedux(hetero::emulator::WarpContext *warp, uint32_t mask,
                            uint32_t mode, const uint32_t *values,
                            uint32_t members);
void heteroEmuWarpShuffle(hetero::emulator::WarpContext *warp, uint32_t mask,
                          uint32_t mode, const uint32_t *values,
                          const uint32_t *lanes, const uint32_t *clamps,
                          uint32_t members, uint64_t *results);
void heteroEmuWarpLoadMatrix(hetero::emulator::WarpContext *warp, uint32_t mask,
                             uint32_t matrices, uint32_t isTransposed,
                             uint32_t isShared, const uint64_t *addresses,
                             uint32_t line, uint8_t *registers,
                             uint32_t distance);
void heteroEmuWarpStoreMatrix(hetero::emulator::WarpContext *warp,
                              uint32_t mask, uint32_t matrices, uint32_t layout,
                              uint32_t isShared, const uint64_t *addresses,
                              uint32_t line, const uint8_t *registers,
                              uint32_t distance);
void heteroEmuWarpMatrixMultiply(hetero::emulator::WarpContext *warp,
                                 uint32_t mask, uint32_t rows, uint32_t depth,
                                 uint32_t typeOfA, uint32_t typeOfB,
                                 uint32_t typeOfC, uint32_t saturates,
                                 const uint8_t *a, uint32_t distanceA,
                                 const uint8_t *b, uint32_t distanceB,
                                 const uint8_t *c, uint32_t distanceC,
                                 uint8_t *d, uint32_t distanceD);
void heteroEmuWarpMoveMatrix(hetero::emulator::WarpContext *warp, uint32_t mask,
                             const uint32_t *values, uint32_t *results);
void heteroEmuWarpAccessFragment(hetero::emulator::WarpContext *warp,
                                 uint32_t mask,
                                 const hetero::emulator::FragmentAccess *access,
                                 const uint64_t *addresses,
                                 const uint32_t *strides, uint8_t *registers,
                                 uint32_t distance);
void heteroEmuWarpMultiplyFragments(
    hetero::emulator::WarpContext *warp, uint32_t mask,
    const hetero::emulator::FragmentType *types, uint32_t saturates,
    const uint8_t *a, uint32_t distanceA, const uint8_t *b, uint32_t distanceB,
    const uint8_t *c, uint32_t distanceC, uint8_t *d, uint32_t distanceD);
}

namespace hetero::emulator {

/// For CompileOptions::warpCallbacks.
void addWarpCallbacks(AddFunction add, void *state);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_WARPS_WARPCALLBACKS_H
