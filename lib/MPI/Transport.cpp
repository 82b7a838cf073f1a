//===- Transport.cpp - Ranks that MPI connects ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled against mpi.h of any MPI, and loaded by heteroJoinNodes. Nothing
// else of the project knows MPI.
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroNodes.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

/// MPI counts elements with int: larger messages are several of this size.
static constexpr int64_t kLargestPart = int64_t(1) << 30;
static constexpr int kNoticeTag = 1;
/// What has not come to an end then is left alone.
static constexpr std::chrono::milliseconds kCancelTime(100);
/// What other ranks need to end by themselves.
static constexpr std::chrono::milliseconds kAbortDelay(300);
/// All ranks are there: it takes no time, unless one dies now.
static constexpr std::chrono::seconds kFinalizeTime(10);

//===----------------------------------------------------------------------===//
// The end of the process
//===----------------------------------------------------------------------===//

namespace {
/// What is left to do when the process exits.
enum class AtExit { Nothing, Finalize, Abort };
} // namespace

static volatile std::sig_atomic_t wasToldToEnd = 0;
static AtExit atExit = AtExit::Nothing;

/// mpirun ends all ranks when one dies. What waits says so; the next signal
/// ends the process.
static void noteSignal(int) { wasToldToEnd = 1; }

static void catchTermination() {
  struct sigaction action = {}, before;
  if (sigaction(SIGTERM, nullptr, &before) != 0 || before.sa_handler != SIG_DFL)
    return;
  action.sa_handler = noteSignal;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGTERM, &action, nullptr);
}

static void releaseTermination() {
  struct sigaction action;
  if (sigaction(SIGTERM, nullptr, &action) == 0 &&
      action.sa_handler == noteSignal)
    std::signal(SIGTERM, SIG_DFL);
}

/// A rank that dies now must not keep the others.
static void finalize() {
  static std::timed_mutex isFinalizing;
  std::unique_lock<std::timed_mutex> lock(isFinalizing);
  std::thread([] {
    if (!isFinalizing.try_lock_for(kFinalizeTime))
      std::_Exit(EXIT_FAILURE);
    isFinalizing.unlock();
  }).detach();
  MPI_Finalize();
}

/// Others may be stuck, and would stay; if the process was told to end, so were
/// they. What ranks have just said still has to get through mpirun, which does
/// not wait for it.
static void finishAtExit() {
  if (atExit == AtExit::Finalize && !wasToldToEnd)
    finalize();
  if (atExit == AtExit::Abort || wasToldToEnd)
    std::this_thread::sleep_for(kAbortDelay);
  if (atExit == AtExit::Abort && !wasToldToEnd)
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

namespace {
struct Request {
  std::vector<MPI_Request> parts;
  /// What is expected to come; -1: it is sent.
  int64_t expected;
};

/// A text under way.
struct Notice {
  std::string text;
  MPI_Request request;
};

struct Ranks {
  MPI_Comm transfers = MPI_COMM_NULL, texts = MPI_COMM_NULL;
  bool isOurs = false, hasAbandoned = false;
  std::string error;
  std::vector<Notice *> notices;

  HeteroStatus check(int code, const char *call) {
    if (code == MPI_SUCCESS)
      return HETERO_OK;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    error = std::string(call) + " failed: " + std::string(text, length);
    return HETERO_ERROR_NODES;
  }
};
} // namespace

static Ranks &ranksOf(void *context) { return *static_cast<Ranks *>(context); }

static HeteroStatus sendData(void *context, int32_t peer, int64_t tag,
                             const void *data, int64_t bytes, void **request) {
  auto *started = new Request{{}, -1};
  int64_t done = 0;
  do {
    int part = static_cast<int>(std::min(bytes - done, kLargestPart));
    int code =
        MPI_Isend(static_cast<const char *>(data) + done, part, MPI_BYTE, peer,
                  static_cast<int>(tag), ranksOf(context).transfers,
                  &started->parts.emplace_back(MPI_REQUEST_NULL));
    if (HeteroStatus status = ranksOf(context).check(code, "MPI_Isend"))
      return status;
    done += part;
  } while (done < bytes);
  *request = started;
  return HETERO_OK;
}

static HeteroStatus receiveData(void *context, int32_t peer, int64_t tag,
                                void *data, int64_t bytes, void **request) {
  auto *started = new Request{{}, bytes};
  int64_t done = 0;
  do {
    int part = static_cast<int>(std::min(bytes - done, kLargestPart));
    int code = MPI_Irecv(static_cast<char *>(data) + done, part, MPI_BYTE, peer,
                         static_cast<int>(tag), ranksOf(context).transfers,
                         &started->parts.emplace_back(MPI_REQUEST_NULL));
    if (HeteroStatus status = ranksOf(context).check(code, "MPI_Irecv"))
      return status;
    done += part;
  } while (done < bytes);
  *request = started;
  return HETERO_OK;
}

/// What came in all parts; an error's code where one has one.
static int countBytes(const std::vector<MPI_Status> &statuses, int code,
                      int64_t &bytes) {
  for (const MPI_Status &status : statuses) {
    if (code == MPI_ERR_IN_STATUS && status.MPI_ERROR != MPI_SUCCESS)
      return status.MPI_ERROR;
    int part = 0;
    MPI_Get_count(&status, MPI_BYTE, &part);
    bytes += part;
  }
  return code;
}

static HeteroStatus testRequest(void *context, void *handle, int32_t *isDone,
                                uint64_t *picoseconds) {
  *picoseconds = 0;
  auto *request = static_cast<Request *>(handle);
  Ranks &ranks = ranksOf(context);
  std::vector<MPI_Status> statuses(request->parts.size());
  int flag = 0;
  int code = statuses.size() == 1
                 ? MPI_Test(request->parts.data(), &flag, statuses.data())
                 : MPI_Testall(static_cast<int>(statuses.size()),
                               request->parts.data(), &flag, statuses.data());
  *isDone = flag;
  if (code == MPI_SUCCESS && !flag)
    return HETERO_OK;
  int64_t expected = request->expected, bytes = 0;
  code = countBytes(statuses, code, bytes);
  delete request;
  if (HeteroStatus status = ranks.check(code, "MPI_Test"))
    return status;
  if (expected < 0 || expected == bytes)
    return HETERO_OK;
  ranks.error = "expected " + std::to_string(expected) + " bytes, got " +
                std::to_string(bytes) +
                "; this is a bug in the compiled "
                "program";
  return HETERO_ERROR_PROGRAM;
}

/// A send cannot be cancelled; often it is done nonetheless.
static int32_t cancelRequest(void *context, void *handle) {
  auto *request = static_cast<Request *>(handle);
  if (request->expected >= 0)
    for (MPI_Request &part : request->parts)
      if (part != MPI_REQUEST_NULL)
        MPI_Cancel(&part);
  auto end = std::chrono::steady_clock::now() + kCancelTime;
  int flag = 0;
  while (!flag && std::chrono::steady_clock::now() < end) {
    if (MPI_Testall(static_cast<int>(request->parts.size()),
                    request->parts.data(), &flag,
                    MPI_STATUSES_IGNORE) != MPI_SUCCESS)
      break;
    std::this_thread::yield();
  }
  if (flag)
    delete request;
  else
    ranksOf(context).hasAbandoned = true;
  return flag;
}

/// Any call does.
static void letMove(void *context) {
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, kNoticeTag, ranksOf(context).texts, &flag,
             MPI_STATUS_IGNORE);
}

//===----------------------------------------------------------------------===//
// Notices
//===----------------------------------------------------------------------===//

/// Forgets those that have left.
static void sweepNotices(Ranks &ranks) {
  auto isSent = [](Notice *notice) {
    int flag = 0;
    if (MPI_Test(&notice->request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
        !flag)
      return false;
    delete notice;
    return true;
  };
  ranks.notices.erase(
      std::remove_if(ranks.notices.begin(), ranks.notices.end(), isSent),
      ranks.notices.end());
}

static void notifyRank(void *context, int32_t peer, const void *data,
                       int64_t bytes) {
  Ranks &ranks = ranksOf(context);
  auto *notice = new Notice{std::string(static_cast<const char *>(data), bytes),
                            MPI_REQUEST_NULL};
  if (MPI_Isend(notice->text.data(), static_cast<int>(bytes), MPI_BYTE, peer,
                kNoticeTag, ranks.texts, &notice->request) == MPI_SUCCESS)
    ranks.notices.push_back(notice);
  else
    delete notice;
}

static int64_t takeNotice(void *context, int32_t *peer, void *data,
                          int64_t capacity) {
  Ranks &ranks = ranksOf(context);
  if (!ranks.notices.empty())
    sweepNotices(ranks);
  int flag = 0, bytes = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, kNoticeTag, ranks.texts, &flag, &status) !=
          MPI_SUCCESS ||
      !flag ||
      MPI_Recv(data, static_cast<int>(capacity), MPI_BYTE, status.MPI_SOURCE,
               kNoticeTag, ranks.texts, &status) != MPI_SUCCESS)
    return -1;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  *peer = status.MPI_SOURCE;
  return bytes;
}

static int32_t isEnding(void *) { return wasToldToEnd != 0; }

static const char *lastError(void *context) {
  return ranksOf(context).error.c_str();
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

/// As soon as the first rank exits with an error, mpirun ends the others, in
/// MPI_Finalize too: that comes after they have said their errors.
static void endRanks(void *context, int32_t areAllThere, HeteroStatus status) {
  Ranks &ranks = ranksOf(context);
  if (!areAllThere || ranks.hasAbandoned) {
    atExit = AtExit::Abort;
    return;
  }
  atExit =
      ranks.isOurs && status != HETERO_OK ? AtExit::Finalize : AtExit::Nothing;
  if (status != HETERO_OK)
    return;
  releaseTermination();
  if (ranks.isOurs)
    finalize();
}

/// Empty, or why MPI cannot be used.
static std::string initialize(Ranks &ranks) {
  int isInitialized = 0, level = MPI_THREAD_SINGLE;
  MPI_Initialized(&isInitialized);
  if (isInitialized) {
    MPI_Query_thread(&level);
  } else {
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    ranks.isOurs = true;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  if (level < MPI_THREAD_SERIALIZED)
    return "it lets only one thread call it; initialize it with "
           "MPI_THREAD_SERIALIZED, or use an MPI that has threads";
  for (MPI_Comm *communicator : {&ranks.transfers, &ranks.texts}) {
    if (ranks.check(MPI_Comm_dup(MPI_COMM_WORLD, communicator), "MPI_Comm_dup"))
      return ranks.error;
    MPI_Comm_set_errhandler(*communicator, MPI_ERRORS_RETURN);
  }
  return "";
}

extern "C" HETERO_EXPORT int32_t heteroOpenTransport(HeteroTransport *transport,
                                                     char *error,
                                                     int64_t capacity) {
  // There is one MPI in a process, and it stays.
  static auto *ranks = new Ranks;
  std::string why = initialize(*ranks);
  if (!why.empty()) {
    std::snprintf(error, capacity, "%s", why.c_str());
    return 0;
  }
  int rank = 0, size = 1, isThere = 0;
  int *maxTag = nullptr;
  MPI_Comm_rank(ranks->transfers, &rank);
  MPI_Comm_size(ranks->transfers, &size);
  MPI_Comm_get_attr(ranks->transfers, MPI_TAG_UB, &maxTag, &isThere);
  *transport = {HETERO_TRANSPORT_VERSION,
                rank,
                size,
                /*reserved=*/0,
                isThere ? *maxTag : 32767,
                ranks,
                sendData,
                receiveData,
                testRequest,
                cancelRequest,
                letMove,
                notifyRank,
                takeNotice,
                isEnding,
                lastError,
                endRanks};
  catchTermination();
  std::atexit(finishAtExit);
  // Until all have left together.
  atExit = ranks->isOurs ? AtExit::Abort : AtExit::Nothing;
  return 1;
}
