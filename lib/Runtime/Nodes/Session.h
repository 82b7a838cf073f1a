//===- Session.h - A rank among the others ------------------- -*- C++ -*--===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_NODES_SESSION_H
#define HETERO_LIB_RUNTIME_NODES_SESSION_H

#include "Runtime/Host/Rank.h"
#include "Runtime/Nodes/Notices.h"
#include "Runtime/Nodes/Progress.h"
#include "hetero/Runtime/HeteroNodes.h"

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hetero::runtime {

struct Frame;

/// What a transfer is started with.
struct TransferRequest {
  bool isSend;
  int32_t peer;
  int64_t tag;
  /// Of a send nothing is written there.
  void *data;
  int64_t bytes;
  const char *value;
};

/// First byte and size.
using MemoryRange = std::pair<const char *, int64_t>;

/// A rank: what connects it with the others, and its transfers under way. All
/// threads of the rank may call it.
class Session : public Rank {
public:
  Session(const HeteroTransport &transport, double timeout);

  int32_t getSize() const { return transport.size; }
  void setTimeout(double seconds) { timeout = seconds; }

  HeteroStatus start(const TransferRequest &request);
  HeteroStatus await(int64_t tag, const void *data);
  /// Gives up what the frame has not awaited. Returns the memory that is not to
  /// be freed, because it may still be read or written.
  std::vector<MemoryRange> cancelTransfers(const Frame *frame);

  HeteroStatus agree(const ProgramNotice &program);
  HeteroStatus leave(HeteroStatus status);
  bool isOver() const { return hasEnded; }
  /// Whether it failed only because another rank did.
  bool hasFollowed() const { return isFollower; }

private:
  struct Transfer {
    TransferRequest request;
    const Frame *frame;
    void *handle;
  };
  /// How long to wait, and for what: "for '%x of @main' from", of which rank.
  struct Wait {
    double limit;
    std::string what;
    int32_t rank;
    bool heedsFailures = true;
  };
  using Lock = std::unique_lock<std::mutex>;
  /// Sets whether what is waited for is there; with the lock.
  using Poll = std::function<HeteroStatus(bool &isDone)>;

  HeteroStatus failHere(HeteroStatus status, const std::string &text) const;
  HeteroStatus failAfter(int32_t rank, const std::string &text);
  HeteroStatus checkRequest(const TransferRequest &request) const;
  int64_t combineTag(int64_t tag) const;
  void moveTransfers();
  HeteroStatus test(std::list<Transfer>::iterator transfer, bool &isDone,
                    uint64_t &picoseconds);
  HeteroStatus awaitStarted(std::list<Transfer>::iterator transfer, Lock &lock,
                            uint64_t &picoseconds);
  HeteroStatus waitFor(const Wait &wait, Lock &lock, const Poll &poll);
  HeteroStatus failWaiting(const Wait &wait, double waited, bool isEnding,
                           Lock &lock);
  std::optional<WaitNotice> askWait(int32_t rank, const Wait &own, Lock &lock);
  std::string followWaits(const Wait &wait, Lock &lock);
  HeteroStatus judgePrograms(const ProgramNotice &own, Lock &lock);
  HeteroStatus awaitVerdict(const ProgramNotice &own, Lock &lock);
  HeteroStatus gather(double limit, bool heedsFailures, Lock &lock);

  const HeteroTransport transport;
  double timeout;
  std::mutex mutex;
  Notices notices;
  std::list<Transfer> transfers;
  bool hasEnded = false, isFollower = false;
  /// Threads that wait for a transfer.
  int32_t numWaiting = 0;
  /// Ends before what it uses.
  Progress progress;
};

/// The calling thread's, or null.
Session *currentSession();

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_NODES_SESSION_H
