//===- Session.cpp - A rank among the others ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Nodes/Session.h"

#include "Runtime/Device/Driver.h"
#include "Runtime/Device/Lanes.h"
#include "Runtime/Device/Submit/Sequence.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/Frame.h"
#include "Runtime/Nodes/Backoff.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

using namespace hetero::runtime;

/// Requests that are under way at once have different numbers modulo this; it
/// is the most that there are (heteroServeRequests).
static constexpr int64_t kTagWindow = 1024;

/// While messages are looked for without a pause, notices are every so often.
static constexpr int64_t kLooksPerNotice = 64;

/// How long a rank that has failed waits for the others, to end with them.
static constexpr double kGraceSeconds = 1;
/// How much longer a rank waits for one that waits for all.
static constexpr double kVerdictSeconds = 0.5;
/// How long a rank that waits may take to say so.
static constexpr double kAnswerSeconds = 0.2;

Session *hetero::runtime::currentSession() {
  return static_cast<Session *>(currentRank());
}

Session::Session(const HeteroTransport &transport, double timeout)
    : transport(transport), timeout(timeout), notices(this->transport),
      progress(mutex, [this] { moveTransfers(); }) {
  number = transport.rank;
}

/// Who waits does it already.
void Session::moveTransfers() {
  if (!transfers.empty() && numWaiting == 0)
    transport.progress(transport.context);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string prefixOf(int32_t rank) {
  return "rank " + std::to_string(rank) + ": ";
}

static std::string printSeconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", seconds);
  return text;
}

HeteroStatus Session::failHere(HeteroStatus status,
                               const std::string &text) const {
  return fail(status, prefixOf(number) + text);
}

/// Another one has failed, and so this one does.
HeteroStatus Session::failAfter(int32_t rank, const std::string &text) {
  isFollower = true;
  return failHere(HETERO_ERROR_NODES,
                  "rank " + std::to_string(rank) + " failed: " + text);
}

/// Polls until there is what is waited for: "for '%x of @main' from", of a
/// rank. Failures of others end the wait, unless this one has failed already.
HeteroStatus Session::waitFor(const Wait &wait, Lock &lock, const Poll &poll) {
  bool isDone = false;
  Backoff backoff;
  for (int64_t looks = 1;; ++looks) {
    // What comes at once is not held up by looking for more.
    if (!backoff.isFresh() || looks % kLooksPerNotice == 0)
      notices.read();
    notices.answerWaits({wait.rank, wait.what});
    if (HeteroStatus status = poll(isDone))
      return status;
    if (isDone)
      return HETERO_OK;
    if (wait.heedsFailures && notices.getFailedRank() >= 0)
      return failAfter(notices.getFailedRank(), notices.getFailure());
    double waited = backoff.seconds();
    bool isEnding = transport.isEnding(transport.context) != 0;
    if (isEnding || waited > wait.limit)
      return failWaiting(wait, waited, isEnding, lock);
    lock.unlock();
    backoff.pause();
    lock.lock();
  }
}

/// For whom another rank waits; none if it does not answer.
std::optional<WaitNotice> Session::askWait(int32_t rank, const Wait &own,
                                           Lock &lock) {
  notices.askWait(rank);
  Backoff backoff;
  while (!notices.getWait(rank) && notices.getFailedRank() < 0 &&
         backoff.seconds() < kAnswerSeconds) {
    lock.unlock();
    backoff.pause();
    lock.lock();
    notices.read();
    notices.answerWaits({own.rank, own.what});
  }
  return notices.getWait(rank);
}

/// From the rank that is waited for to the one that holds all up: who waits for
/// another one says so. Ranks that wait for each other have lost a message.
std::string Session::followWaits(const Wait &wait, Lock &lock) {
  std::string text;
  std::vector<bool> isKnown(transport.size);
  isKnown[number] = true;
  for (int32_t rank = wait.rank; !isKnown[rank];) {
    isKnown[rank] = true;
    std::optional<WaitNotice> next = askWait(rank, wait, lock);
    if (!next || isKnown[next->rank])
      break;
    rank = next->rank;
    text += ", which waits " + next->what + " rank " + std::to_string(rank);
  }
  return text;
}

HeteroStatus Session::failWaiting(const Wait &wait, double waited,
                                  bool isEnding, Lock &lock) {
  std::string text = "waited " + printSeconds(waited) + " " + wait.what +
                     " rank " + std::to_string(wait.rank);
  if (!isEnding && wait.heedsFailures) {
    text += followWaits(wait, lock);
    if (notices.getFailedRank() >= 0)
      return failAfter(notices.getFailedRank(), notices.getFailure());
  }
  text += isEnding ? ", and was then told to end, as all are when a rank dies; "
                     "see what the others say"
                   : ", which does not answer; see whether it runs, or wait "
                     "longer (--timeout)";
  return failHere(HETERO_ERROR_NODES, text);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

static std::string quoted(const TransferRequest &request) {
  return std::string("'") + (request.value ? request.value : "") + "'";
}

/// "for '%x of @main' from", before the name of a rank.
static std::string describeTransfer(const TransferRequest &request) {
  return request.isSend ? "to send " + quoted(request) + " to"
                        : "for " + quoted(request) + " from";
}

/// Calls under way at once use the same tags of the program.
int64_t Session::combineTag(int64_t tag) const {
  const Lane *lane = currentLane();
  int64_t request = lane ? lane->request % kTagWindow : 0;
  return (tag - 1) * kTagWindow + request + 1;
}

HeteroStatus Session::checkRequest(const TransferRequest &request) const {
  if (request.peer < 0 || request.peer >= transport.size ||
      request.peer == number)
    return failHere(HETERO_ERROR_PROGRAM,
                    quoted(request) + " goes to or comes from rank " +
                        std::to_string(request.peer) + " of " +
                        std::to_string(transport.size) +
                        "; this is a bug in the compiled program");
  if (request.tag < 1 || request.tag > transport.maxTag / kTagWindow)
    return failHere(HETERO_ERROR_PROGRAM,
                    quoted(request) + " has tag " +
                        std::to_string(request.tag) + ", expected 1 to " +
                        std::to_string(transport.maxTag / kTagWindow) +
                        "; use an MPI with a larger MPI_TAG_UB, or a program "
                        "with fewer transfers");
  return HETERO_OK;
}

HeteroStatus Session::start(const TransferRequest &request) {
  Frame *frame = currentFrame();
  if (!frame)
    return failWithoutFrame(request.isSend ? "heteroSend" : "heteroReceive");
  if (HeteroStatus status = checkRequest(request))
    return status;
  // Others wait for what devices do before it, and this one may wait next.
  if (HeteroStatus status = endSequence())
    return status;
  Lock lock(mutex);
  if (hasEnded)
    return failHere(HETERO_ERROR_PROGRAM, quoted(request) +
                                              " is sent or received after "
                                              "heteroLeaveNodes; call it last");
  void *handle = nullptr;
  HeteroStatus status =
      request.isSend ? transport.send(transport.context, request.peer,
                                      combineTag(request.tag), request.data,
                                      request.bytes, &handle)
                     : transport.receive(transport.context, request.peer,
                                         combineTag(request.tag), request.data,
                                         request.bytes, &handle);
  if (status != HETERO_OK)
    return failHere(status, quoted(request) + ": " +
                                transport.lastError(transport.context));
  transfers.push_back({request, frame, handle});
  if (transport.progress)
    progress.note();
  if (request.isSend)
    countCopy(request.value, hostOfNode(number), hostOfNode(request.peer),
              request.bytes);
  return HETERO_OK;
}

/// Forgets the transfer when it is over.
HeteroStatus Session::test(std::list<Transfer>::iterator transfer, bool &isDone,
                           uint64_t &picoseconds) {
  int32_t done = 0;
  HeteroStatus status =
      transport.test(transport.context, transfer->handle, &done, &picoseconds);
  isDone = done != 0;
  if (status != HETERO_OK)
    status =
        failHere(status, quoted(transfer->request) +
                             (transfer->request.isSend ? " to" : " from") +
                             " rank " + std::to_string(transfer->request.peer) +
                             ": " + transport.lastError(transport.context));
  if (isDone || status != HETERO_OK)
    transfers.erase(transfer);
  return status;
}

/// On the virtual clock the host has waited until then.
static void advanceHostClock(uint64_t picoseconds) {
  const Driver *driver = picoseconds > 0 ? getLoadedDriver() : nullptr;
  if (!driver || !driver->hostTime || !driver->hostWorks)
    return;
  uint64_t now = driver->hostTime();
  if (now < picoseconds)
    driver->hostWorks(picoseconds - now);
}

HeteroStatus Session::awaitStarted(std::list<Transfer>::iterator transfer,
                                   Lock &lock, uint64_t &picoseconds) {
  bool isDone;
  if (HeteroStatus status = test(transfer, isDone, picoseconds))
    return status;
  if (isDone)
    return HETERO_OK;
  // What devices have to do meanwhile they get now, and other requests run.
  if (HeteroStatus status = endSequence())
    return status;
  const TransferRequest request = transfer->request;
  Lane *lane = currentLane();
  if (lane) {
    lock.unlock();
    lane->lanes.leaveTurn(*lane);
    lock.lock();
  }
  ++numWaiting;
  HeteroStatus status =
      waitFor({timeout, describeTransfer(request), request.peer}, lock,
              [&](bool &done) { return test(transfer, done, picoseconds); });
  --numWaiting;
  lock.unlock();
  if (lane)
    lane->lanes.takeTurn(*lane);
  return status;
}

HeteroStatus Session::await(int64_t tag, const void *data) {
  Frame *frame = currentFrame();
  if (!frame)
    return failWithoutFrame("heteroAwaitTransfer");
  Lock lock(mutex);
  auto transfer = std::find_if(
      transfers.begin(), transfers.end(), [&](const Transfer &candidate) {
        return candidate.frame == frame && candidate.request.tag == tag &&
               candidate.request.data == data;
      });
  if (transfer == transfers.end())
    return failHere(HETERO_ERROR_PROGRAM,
                    "no transfer with tag " + std::to_string(tag) +
                        " is under way; this is a bug in the compiled program");
  const TransferRequest request = transfer->request;
  HostSpan span("transfer", HETERO_HOST, [&] {
    return "wait " + describeTransfer(request) + " rank " +
           std::to_string(request.peer);
  });
  uint64_t picoseconds = 0;
  HeteroStatus status = awaitStarted(transfer, lock, picoseconds);
  if (status == HETERO_OK)
    advanceHostClock(picoseconds);
  return status;
}

std::vector<MemoryRange> Session::cancelTransfers(const Frame *frame) {
  std::vector<MemoryRange> inUse;
  Lock lock(mutex);
  for (auto it = transfers.begin(); it != transfers.end();) {
    if (it->frame != frame) {
      ++it;
      continue;
    }
    if (!transport.cancel(transport.context, it->handle))
      inUse.push_back(
          {static_cast<const char *>(it->request.data), it->request.bytes});
    it = transfers.erase(it);
  }
  return inUse;
}

//===----------------------------------------------------------------------===//
// Joining and leaving
//===----------------------------------------------------------------------===//

static std::string printHash(uint64_t hash) {
  char text[20];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

/// What is wrong with the program of a rank, or nothing.
static std::string compare(const ProgramNotice &own, int32_t rank,
                           const ProgramNotice &other) {
  if (other.nodes == own.nodes && other.hash == own.hash)
    return "";
  std::string text =
      "rank 0 and rank " + std::to_string(rank) + " run different programs (";
  text +=
      other.nodes != own.nodes
          ? "for " + std::to_string(own.nodes) + " and " +
                std::to_string(other.nodes) + " nodes"
          : "hashes " + printHash(own.hash) + " and " + printHash(other.hash);
  return text + "); start the same file with the same options on all ranks";
}

/// Of rank 0: hears all, and tells all what it makes of that.
HeteroStatus Session::judgePrograms(const ProgramNotice &own, Lock &lock) {
  std::string verdict;
  for (int32_t rank = 1; rank < transport.size; ++rank) {
    HeteroStatus status =
        waitFor({timeout, "for the program of", rank}, lock, [&](bool &isDone) {
          isDone = notices.getProgram(rank).has_value();
          return HETERO_OK;
        });
    if (status != HETERO_OK)
      return status;
    if (verdict.empty())
      verdict = compare(own, rank, *notices.getProgram(rank));
  }
  notices.forgetPrograms();
  for (int32_t rank = 1; rank < transport.size; ++rank)
    notices.tellVerdict(rank, verdict);
  return verdict.empty() ? HETERO_OK
                         : failHere(HETERO_ERROR_INVALID_ARGUMENT, verdict);
}

/// Of the others. Rank 0 gives up first, and says for whom it has waited.
HeteroStatus Session::awaitVerdict(const ProgramNotice &own, Lock &lock) {
  notices.tellProgram(own);
  std::string verdict;
  HeteroStatus status =
      waitFor({timeout + kVerdictSeconds, "for the verdict on programs of", 0},
              lock, [&](bool &isDone) {
                if (std::optional<std::string> text = notices.takeVerdict()) {
                  verdict = *text;
                  isDone = true;
                }
                return HETERO_OK;
              });
  if (status == HETERO_OK && !verdict.empty())
    return failHere(HETERO_ERROR_INVALID_ARGUMENT, verdict);
  return status;
}

HeteroStatus Session::agree(const ProgramNotice &program) {
  if (program.nodes != transport.size)
    return failHere(
        HETERO_ERROR_INVALID_ARGUMENT,
        "the program is for " + std::to_string(program.nodes) +
            " nodes, but the number of ranks is " +
            std::to_string(transport.size) +
            "; start as many as the topology has nodes (mpirun -n " +
            std::to_string(program.nodes) + ")");
  if (transport.maxTag < kTagWindow)
    return failHere(HETERO_ERROR_INVALID_ARGUMENT,
                    "tags end with " + std::to_string(transport.maxTag) +
                        ", expected " + std::to_string(kTagWindow) +
                        " at least; use an MPI with a larger MPI_TAG_UB");
  Lock lock(mutex);
  return number == 0 ? judgePrograms(program, lock)
                     : awaitVerdict(program, lock);
}

/// Waits until all ranks are where this one is.
HeteroStatus Session::gather(double limit, bool heedsFailures, Lock &lock) {
  auto awaitRank = [&](int32_t rank) {
    return waitFor({limit, "for the end of", rank, heedsFailures}, lock,
                   [&](bool &isDone) {
                     isDone = notices.hasRankLeft(rank);
                     return HETERO_OK;
                   });
  };
  if (number != 0) {
    notices.tellLeft(0);
    return awaitRank(0);
  }
  for (int32_t rank = 1; rank < transport.size; ++rank)
    if (HeteroStatus status = awaitRank(rank))
      return status;
  for (int32_t rank = 1; rank < transport.size; ++rank)
    notices.tellLeft(rank);
  return HETERO_OK;
}

HeteroStatus Session::leave(HeteroStatus status) {
  progress.stop();
  Lock lock(mutex);
  if (hasEnded)
    return status;
  for (Transfer &transfer : transfers)
    transport.cancel(transport.context, transfer.handle);
  transfers.clear();
  bool areAllThere = false;
  if (status == HETERO_OK) {
    status = gather(timeout, /*heedsFailures=*/true, lock);
    // It may have come together with the end of that rank.
    if (status == HETERO_OK && notices.getFailedRank() >= 0)
      status = failAfter(notices.getFailedRank(), notices.getFailure());
    areAllThere = status == HETERO_OK;
  }
  std::string text = lastError(), prefix = prefixOf(number);
  if (status != HETERO_OK) {
    if (text.compare(0, prefix.size(), prefix) != 0)
      text = prefix + text;
    if (!isFollower)
      notices.tellFailure(text.substr(prefix.size()));
    areAllThere = gather(std::min(timeout, kGraceSeconds),
                         /*heedsFailures=*/false, lock) == HETERO_OK;
  }
  transport.end(transport.context, areAllThere, status);
  hasEnded = true;
  setLastError(text);
  return status;
}
