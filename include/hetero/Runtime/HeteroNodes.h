//===- HeteroNodes.h - One program over several nodes ------------*- C -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the runtime's C ABI. A program over several nodes has one program per
// rank; what one needs of another is sent and received under a tag of the
// value. docs/Nodes.md is about all of it.
//
// What carries the bytes is a HeteroTransport: MPI, by libhetero_mpi.so, or the
// threads of one process (heteroRunRanks).
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNTIME_HETERONODES_H
#define HETERO_RUNTIME_HETERONODES_H

#include "hetero/Runtime/HeteroRuntime.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// For compiled code, in a frame
//===----------------------------------------------------------------------===//

/// Starts to send `bytes` contiguous bytes of the host's memory to the rank
/// `node` under a tag, from 1. The memory must not be written or freed before
/// heteroAwaitTransfer. `value` is its name in errors and in the report.
HETERO_EXPORT HeteroStatus heteroSend(int32_t node, int64_t tag,
                                      const void *data, int64_t bytes,
                                      const char *value);

/// Starts to receive what the rank `node` sends under the tag: exactly so many
/// bytes. The memory must not be touched before heteroAwaitTransfer.
HETERO_EXPORT HeteroStatus heteroReceive(int32_t node, int64_t tag, void *data,
                                         int64_t bytes, const char *value);

/// Waits until the first transfer of the frame that was started with this tag
/// and memory is complete. Fails when the other rank does not answer within the
/// time of heteroJoinNodes, or any rank says that it has failed. What a frame
/// has not awaited when it ends is cancelled.
HETERO_EXPORT HeteroStatus heteroAwaitTransfer(int64_t tag, const void *data);

//===----------------------------------------------------------------------===//
// For the caller of a program
//===----------------------------------------------------------------------===//

/// How long a rank waits for another one where nobody says.
#define HETERO_NODES_TIMEOUT 60.0

/// Joins the ranks that were started together. The calling thread's process is
/// one of them from now on, by MPI; a thread of heteroRunRanks is one already.
/// `timeoutSeconds` is how long it waits for any other rank, 0 for
/// HETERO_NODES_TIMEOUT.
///
/// `nodes` and `programHash` are those of the program, and checked as
/// heteroAgreeOnProgram does; with 0 nodes that is left to a later call of it,
/// for who must know the rank to have the program.
HETERO_EXPORT HeteroStatus heteroJoinNodes(int32_t nodes, uint64_t programHash,
                                           double timeoutSeconds);

/// Fails unless there are `nodes` ranks and each calls it with the same hash,
/// in all of them and with a text that says which two differ.
HETERO_EXPORT HeteroStatus heteroAgreeOnProgram(int32_t nodes,
                                                uint64_t programHash);

/// Ends the rank: tells the others heteroLastError() if `status` is an error,
/// else waits until all are done. Returns `status`, or the error of that; the
/// text is that of the rank, "rank 1: ...", and names a rank that has failed
/// before. Does nothing but return `status` in a thread that has not joined.
///
/// The process goes on even if others are dead or stuck: it ends them when it
/// exits.
HETERO_EXPORT HeteroStatus heteroLeaveNodes(HeteroStatus status);

/// Of the calling thread, and how many there are; 0 and 1 without nodes.
HETERO_EXPORT int32_t heteroNodeRank(void);
HETERO_EXPORT int32_t heteroNodeCount(void);

//===----------------------------------------------------------------------===//
// Several ranks in one process
//===----------------------------------------------------------------------===//

/// A link from one node to another.
typedef struct HeteroNodeLink {
  double bytesPerSecond;
  double latencySeconds;
} HeteroNodeLink;

/// What may go wrong with a rank of heteroRunRanks. A transfer is a send or a
/// receive that the rank starts; they count from 1.
enum {
  /// At its transfer N the rank is gone: it fails, and nobody hears of it.
  HETERO_FAULT_DROP = 1,
  /// At its transfer N the rank does nothing for `seconds`, or until all others
  /// have left.
  HETERO_FAULT_STALL = 2,
  /// What the rank sends to `peer` takes `seconds` more, from transfer N on.
  HETERO_FAULT_SLOW_LINK = 3,
  /// Its transfer N, which is a send, never arrives.
  HETERO_FAULT_LOSE = 4
};

typedef struct HeteroNodeFault {
  int32_t kind; /* HETERO_FAULT_* */
  int32_t rank;
  int32_t peer;     /* of a slow link */
  int32_t reserved; /* 0 */
  int64_t transfer;
  double seconds;
} HeteroNodeFault;

/// All may be 0.
typedef struct HeteroRankOptions {
  /// As heteroJoinNodes takes it, where that says none.
  double timeoutSeconds;
  /// Each message arrives after a time of up to `longestDelaySeconds` that the
  /// seed draws, so that messages of different tags pass each other.
  uint64_t seed;
  double longestDelaySeconds;
  /// count * count, row by row from each rank to each; on the emulator's
  /// virtual clock a message takes the time of its link. NULL: 10 GB/s and 5
  /// us.
  const HeteroNodeLink *links;
  /// By rank the gpu of the machine that is its gpu:0, of which the next are
  /// its others. NULL: each rank has those of the first.
  const int32_t *firstDevices;
  const HeteroNodeFault *faults;
  int64_t numFaults;
} HeteroRankOptions;

/// Runs a rank in its thread, as the main program of a process would, from
/// heteroJoinNodes to heteroLeaveNodes; both may be left out.
typedef HeteroStatus (*HeteroRankBody)(void *context, int32_t rank);

/// Calls `body` in a thread for each of 1 to 256 ranks, and returns when all
/// have: HETERO_OK, or the error of the first rank that failed by itself.
HETERO_EXPORT HeteroStatus heteroRunRanks(int32_t count,
                                          const HeteroRankOptions *options,
                                          HeteroRankBody body, void *context);

//===----------------------------------------------------------------------===//
// Transports
//===----------------------------------------------------------------------===//

#define HETERO_TRANSPORT_VERSION 1

/// What connects the ranks. No two of the functions are called at once. Those
/// that return a status have a text in lastError() if it is an error.
typedef struct HeteroTransport {
  int32_t version; /* HETERO_TRANSPORT_VERSION */
  int32_t rank;
  int32_t size;
  int32_t reserved; /* 0 */
  /// The largest tag that it takes; the least is 1.
  int64_t maxTag;
  void *context;

  /// Starts a transfer straight from or to the memory. Those between two ranks
  /// with the same tag match in the order in which they were started.
  HeteroStatus (*send)(void *context, int32_t peer, int64_t tag,
                       const void *data, int64_t bytes, void **request);
  HeteroStatus (*receive)(void *context, int32_t peer, int64_t tag, void *data,
                          int64_t bytes, void **request);
  /// Whether it is done, and the request gone with it; so it is on an error.
  /// `picoseconds` is when, on the emulator's virtual clock; 0 if that does not
  /// count.
  HeteroStatus (*test)(void *context, void *request, int32_t *isDone,
                       uint64_t *picoseconds);
  /// Gives the request up. Returns 0 if its memory may be used even so.
  int32_t (*cancel)(void *context, void *request);

  /// Lets messages move while nobody tests them; NULL if they do by themselves.
  void (*progress)(void *context);

  /// Sends a short text to a rank, which nobody waits for.
  void (*notify)(void *context, int32_t peer, const void *data, int64_t bytes);
  /// Takes such a text, of which there is room for `capacity` bytes, and
  /// returns its size; -1 if there is none.
  int64_t (*takeNotice)(void *context, int32_t *peer, void *data,
                        int64_t capacity);
  /// Whether the process was told to end, so that nobody should wait.
  int32_t (*isEnding)(void *context);

  const char *(*lastError)(void *context);
  /// The last call, with what the rank ends with. `areAllThere`: all others do
  /// the same now.
  void (*end)(void *context, int32_t areAllThere, HeteroStatus status);
} HeteroTransport;

/// What a library for HETERO_MPI exports as `heteroOpenTransport`: fills in all
/// fields; false with a text of at most `capacity` bytes, the zero among them,
/// if it cannot.
typedef int32_t (*HeteroOpenTransport)(HeteroTransport *transport, char *error,
                                       int64_t capacity);

#ifdef __cplusplus
}
#endif

#endif /* HETERO_RUNTIME_HETERONODES_H */
