//===- ExecutorCallbacks.h - What compiled PTX calls ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The executor implements these functions; compiled kernels call them. A
// function that finds an error records it and does not return: it leaves the
// stack of the PTX thread for good (compiled code owns no resources and has no
// unwind tables to run).
//
// `line` is the line in the PTX text of the instruction at fault.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_ABI_EXECUTORCALLBACKS_H
#define HETERO_LIB_EMULATOR_ABI_EXECUTORCALLBACKS_H

#include "Emulator/ABI/CompiledCode.h"
#include "Emulator/ABI/MatrixTypes.h"

namespace hetero::emulator {

// Windows of the generic address space. cvta adds the base; an access through
// a generic address that falls into a window goes to the offset in that memory.
// Device allocations must lie above kFirstDeviceAddress.
constexpr uint64_t kSharedWindowBase = 0x01'0000'0000;
constexpr uint64_t kLocalWindowBase = 0x02'0000'0000;
constexpr uint64_t kParamWindowBase = 0x03'0000'0000;
constexpr uint64_t kFunctionWindowBase = 0x04'0000'0000; // not for loads
constexpr uint64_t kWindowSize = 0x01'0000'0000;
constexpr uint64_t kFirstDeviceAddress = 0x08'0000'0000;

/// How many arrivals an object of mbarrier can wait for.
constexpr uint64_t kMostPhaseArrivals = (1 << 20) - 1;

/// What is done with an object of mbarrier.
enum PhaseOperation : uint32_t {
  kPhaseInit,
  kPhaseInvalidate,
  kPhaseCheck, ///< It must be there.
  kPhaseArrive,
  kPhaseArriveEarly, ///< And the phase must not end with that.
  kPhaseDrop,
  kPhaseDropEarly,
  kPhaseExpect,       ///< So many more bytes.
  kPhaseComplete,     ///< So many bytes have come.
  kPhaseArriveExpect, ///< Expects bytes, and arrives once.
  kPhaseTest,         ///< The phase of a state.
  kPhaseTestParity
};

/// What tensormap.replace replaces.
enum MapField : uint32_t {
  kMapAddress,
  kMapRank,
  kMapBox,
  kMapSize,
  kMapStride,
  kMapStep,
  kMapType,
  kMapInterleave,
  kMapSwizzle,
  kMapAtomicity,
  kMapFill
};

/// What is done with the asynchronous operations of a thread: bulk copies that
/// write global memory, and products of warpgroups.
enum GroupOperation : uint32_t {
  kCommitCopies,
  kWaitForCopies,
  kCommitProducts,
  kWaitForProducts
};

/// What `isStore` of the functions below says: which of these an access is.
enum AccessKind : uint32_t {
  kWrites = 1,
  kStrong = 2,    ///< Atomic or volatile: two of them are no race.
  kReadsToo = 4,  ///< A write that reads what was there.
  kUnordered = 8, ///< A copy that the thread does not wait for.
  kNotLocal = 16  ///< A generic address that local memory has not.
};

} // namespace hetero::emulator

extern "C" {

/// Returns the host address of `size` bytes at a generic or global device
/// address. Checks the range and that the address is a multiple of `size` (a
/// power of two). Addresses in the shared, local and param windows go to
/// ctx->shared, ctx->local and ctx->params (the last is read-only).
/// When the address lies in an allocation, the executor may fill in `window`
/// with it: compiled code then accesses it without a call, until the window is
/// overwritten. It must leave it alone for the shared, local and param windows
/// (threads that share `window` have different ones), and for stores and loads
/// alike the whole window must be accessible.
uint8_t *heteroEmuTranslate(hetero::emulator::ThreadContext *ctx,
                            uint64_t address, uint32_t size, uint32_t isStore,
                            uint32_t line,
                            hetero::emulator::AccessWindow *window);

/// The same for an offset in shared, local, or kernel parameter memory.
/// Compiled code calls them only when its own check against ctx->sharedBytes,
/// ctx->localBytes or the kernel's paramBytes, or of alignment, has failed, and
/// heteroEmuShared always when it was compiled to.
uint8_t *heteroEmuShared(hetero::emulator::ThreadContext *ctx, uint64_t offset,
                         uint32_t size, uint32_t isStore, uint32_t line);
uint8_t *heteroEmuLocal(hetero::emulator::ThreadContext *ctx, uint64_t offset,
                        uint32_t size, uint32_t isStore, uint32_t line);
uint8_t *heteroEmuParam(hetero::emulator::ThreadContext *ctx, uint64_t offset,
                        uint32_t size, uint32_t isStore, uint32_t line);

/// barrier.sync id, threads; threads is 0 for all threads of the block.
void heteroEmuBarrier(hetero::emulator::ThreadContext *ctx, uint32_t id,
                      uint32_t threads);

/// barrier.arrive id, threads: counts as arrived and does not wait.
void heteroEmuBarrierArrive(hetero::emulator::ThreadContext *ctx, uint32_t id,
                            uint32_t threads);

/// barrier.cluster.arrive, or barrier.cluster.wait.
void heteroEmuClusterBarrier(hetero::emulator::ThreadContext *ctx,
                             uint32_t arrives);

/// barrier.red: mode 0 popc (returns the number of threads whose predicate is
/// not 0), 1 and, 2 or (return 0 or 1).
uint32_t heteroEmuBarrierReduce(hetero::emulator::ThreadContext *ctx,
                                uint32_t id, uint32_t threads, uint32_t mode,
                                uint32_t predicate);

/// mbarrier: what happens to the object of eight bytes at `object` in shared
/// memory, as hetero::emulator::PhaseOperation says. `operand` is a number of
/// arrivals or bytes, a state or a parity. Returns the state before an arrival,
/// or whether a phase has ended.
uint64_t heteroEmuPhase(hetero::emulator::ThreadContext *ctx,
                        uint32_t operation, uint64_t *object, uint64_t operand);

/// cp.async.bulk between global memory and, at an offset, shared memory. Bytes
/// that come to shared memory complete the transaction of the mbarrier at the
/// offset `barrier`.
void heteroEmuBulkCopy(hetero::emulator::ThreadContext *ctx, uint32_t isStore,
                       uint64_t global, uint64_t shared, uint32_t bytes,
                       uint64_t barrier, uint32_t line);

/// The same of the box at `coordinates` of a tensor, whose map is at a generic
/// address.
void heteroEmuTensorCopy(hetero::emulator::ThreadContext *ctx, uint32_t isStore,
                         uint64_t map, uint32_t rank,
                         const int32_t *coordinates, uint64_t shared,
                         uint64_t barrier, uint32_t line);

/// tensormap.replace: `field` is a hetero::emulator::MapField of the map at a
/// generic address, `ordinal` a dimension.
void heteroEmuReplaceMap(hetero::emulator::ThreadContext *ctx, uint64_t map,
                         uint32_t field, uint32_t ordinal, uint64_t value,
                         uint32_t line);

/// tensormap.cp_fenceproxy: copies a map.
void heteroEmuCopyMap(hetero::emulator::ThreadContext *ctx, uint64_t to,
                      uint64_t from, uint32_t line);

/// commit_group and wait_group, as hetero::emulator::GroupOperation says:
/// `left` groups need not be done.
void heteroEmuGroups(hetero::emulator::ThreadContext *ctx, uint32_t operation,
                     uint32_t left);

/// bar.warp.sync mask.
void heteroEmuWarpSync(hetero::emulator::ThreadContext *ctx, uint32_t mask);

/// shfl.sync: mode 0 up, 1 down, 2 bfly, 3 idx; `lane` and `clamp` are the PTX
/// operands b and c. Returns the value, and the predicate in bit 32.
uint64_t heteroEmuShuffle(hetero::emulator::ThreadContext *ctx, uint32_t mode,
                          uint32_t value, uint32_t lane, uint32_t clamp,
                          uint32_t mask);

/// vote.sync: mode 0 all, 1 any, 2 uni (return 0 or 1), 3 ballot.
uint32_t heteroEmuVote(hetero::emulator::ThreadContext *ctx, uint32_t mode,
                       uint32_t predicate, uint32_t mask);

/// match.sync: mode 0 any (returns the lanes with the same value), 1 all (the
/// lanes that are there if all values are equal, else 0). Bit 32 says whether
/// all are.
uint64_t heteroEmuMatch(hetero::emulator::ThreadContext *ctx, uint32_t mode,
                        uint64_t value, uint32_t mask);

/// redux.sync: mode 0 add, 1 min.u32, 2 max.u32, 3 min.s32, 4 max.s32, 5 and,
/// 6 or, 7 xor.
uint32_t heteroEmuRedux(hetero::emulator::ThreadContext *ctx, uint32_t mode,
                        uint32_t value, uint32_t mask);

/// mma.sync of a `rows` x 8 product with this inner dimension: the lane's
/// registers of A, B and C, each in a word, and of D, which is written. Types
/// are hetero::emulator::MatrixElement.
void heteroEmuMatrixMultiply(hetero::emulator::ThreadContext *ctx,
                             uint32_t rows, uint32_t depth, uint32_t typeOfA,
                             uint32_t typeOfB, uint32_t typeOfC,
                             uint32_t saturates, const uint64_t *a,
                             const uint64_t *b, const uint64_t *c, uint64_t *d);
/// mma.m8n8k4 of f16: whether A is by columns and B by rows, the types of C and
/// D, and the lane's registers.
void heteroEmuQuadMultiply(hetero::emulator::ThreadContext *ctx,
                           uint32_t isColumnsOfA, uint32_t isRowsOfB,
                           uint32_t typeOfC, uint32_t typeOfD,
                           const uint64_t *a, const uint64_t *b,
                           const uint64_t *c, uint64_t *d);
/// ldmatrix: 1, 2 or 4 matrices of 8 x 8 elements of 16 bits. `address` is that
/// of a row, an offset in shared memory if `isShared`.
void heteroEmuLoadMatrix(hetero::emulator::ThreadContext *ctx,
                         uint32_t matrices, uint32_t isTransposed,
                         uint32_t isShared, uint64_t address, uint32_t line,
                         uint64_t *registers);
/// stmatrix, likewise; the layout is a hetero::emulator::MatrixLayout.
void heteroEmuStoreMatrix(hetero::emulator::ThreadContext *ctx,
                          uint32_t matrices, uint32_t layout, uint32_t isShared,
                          uint64_t address, uint32_t line, uint64_t *registers);
/// wmma.load and wmma.store: the lane's registers, each in a word. `address` is
/// that of the matrix, whose rows or columns lie `stride` elements apart.
void heteroEmuAccessFragment(hetero::emulator::ThreadContext *ctx,
                             const hetero::emulator::FragmentAccess *access,
                             uint64_t address, uint32_t stride,
                             uint64_t *registers);
/// wmma.mma: the types of A, B, C and D, and the lane's registers.
void heteroEmuMultiplyFragments(hetero::emulator::ThreadContext *ctx,
                                const hetero::emulator::FragmentType *types,
                                uint32_t saturates, const uint64_t *a,
                                const uint64_t *b, const uint64_t *c,
                                uint64_t *d);
/// wgmma.mma_async: the lane's registers of A, each in a word, or else the
/// descriptors of A and B, and its registers of D, which are replaced or, if
/// `addsD`, added to.
void heteroEmuGroupMultiply(hetero::emulator::ThreadContext *ctx,
                            const hetero::emulator::GroupMultiply *operation,
                            uint64_t *registersOfA, uint64_t a, uint64_t b,
                            uint32_t addsD, uint64_t *d);
/// movmatrix: the lane's part of the transposed matrix.
uint32_t heteroEmuMoveMatrix(hetero::emulator::ThreadContext *ctx,
                             uint32_t value);

/// activemask: the lanes that are at this place.
uint32_t heteroEmuActiveMask(hetero::emulator::ThreadContext *ctx,
                             uint32_t place);

/// Waits for the lanes that come to this place, before an access to `address`;
/// places are numbered in an order in which lanes that part meet again.
/// `waits`: it is a load with which the thread may wait for another one.
void heteroEmuStep(hetero::emulator::ThreadContext *ctx, uint32_t place,
                   uint64_t address, uint32_t waits);

/// trap, brkpt, a failed device assertion, an indirect call of something that
/// is not a function. Does not return.
void heteroEmuTrap(hetero::emulator::ThreadContext *ctx, const char *what,
                   uint32_t line);

/// Lets other threads run.
void heteroEmuYield(hetero::emulator::ThreadContext *ctx);

/// nanosleep: lets other threads run for so long, a millisecond at most.
void heteroEmuSleep(hetero::emulator::ThreadContext *ctx, uint32_t nanoseconds);

/// After an atomic operation in a loop that may wait for other threads: lets
/// them run now and then.
void heteroEmuSpin(hetero::emulator::ThreadContext *ctx);

/// %clock, %clock64 and %globaltimer, in nanoseconds.
uint64_t heteroEmuClock(hetero::emulator::ThreadContext *ctx);

/// vprintf(format, arguments), both generic addresses.
int32_t heteroEmuPrintf(hetero::emulator::ThreadContext *ctx, uint64_t format,
                        uint64_t arguments);

/// malloc and free; 0 when there is no room, and an error when malloc has not
/// given the address.
uint64_t heteroEmuAllocate(hetero::emulator::ThreadContext *ctx, uint64_t bytes,
                           uint64_t align);
void heteroEmuFree(hetero::emulator::ThreadContext *ctx, uint64_t address);

/// The message, file, line and function of a failed assert() in device code,
/// generic addresses but for the line. Does not return.
void heteroEmuAssertFail(hetero::emulator::ThreadContext *ctx, uint64_t message,
                         uint64_t file, uint32_t line, uint64_t function);
}

#endif // HETERO_LIB_EMULATOR_ABI_EXECUTORCALLBACKS_H
