//===- FakeTransport.cpp - Connects with ranks that are not there ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library for HETERO_MPI: rank 1 of 2, whose messages arrive when they were
// let move a few times. HETERO_FAKE_TRANSPORT makes it refuse, or old.
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroNodes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

/// What the test reads.
extern "C" HETERO_EXPORT int64_t heteroFakeMoves = 0;
extern "C" HETERO_EXPORT int32_t heteroFakeEnd = -1;

namespace {
constexpr int64_t kMovesOfMessage = 3;

struct Request {
  int64_t *data;
};
} // namespace

static HeteroStatus sendData(void *, int32_t, int64_t, const void *, int64_t,
                             void **) {
  return HETERO_ERROR_NODES;
}

static HeteroStatus receiveData(void *, int32_t, int64_t, void *data, int64_t,
                                void **request) {
  heteroFakeMoves = 0;
  *request = new Request{static_cast<int64_t *>(data)};
  return HETERO_OK;
}

static HeteroStatus testRequest(void *, void *handle, int32_t *isDone,
                                uint64_t *picoseconds) {
  auto *request = static_cast<Request *>(handle);
  *picoseconds = 0;
  *isDone = heteroFakeMoves >= kMovesOfMessage;
  if (!*isDone)
    return HETERO_OK;
  *request->data = 42;
  delete request;
  return HETERO_OK;
}

/// The memory is still in use.
static int32_t cancelRequest(void *, void *handle) {
  delete static_cast<Request *>(handle);
  return 0;
}

static void letMove(void *) { ++heteroFakeMoves; }
static void notifyRank(void *, int32_t, const void *, int64_t) {}
static int64_t takeNotice(void *, int32_t *, void *, int64_t) { return -1; }
static int32_t isEnding(void *) { return 0; }
static const char *lastError(void *) { return "the cable is out"; }
static void endRanks(void *, int32_t areAllThere, HeteroStatus) {
  heteroFakeEnd = areAllThere;
}

extern "C" HETERO_EXPORT int32_t heteroOpenTransport(HeteroTransport *transport,
                                                     char *error,
                                                     int64_t capacity) {
  const char *variable = std::getenv("HETERO_FAKE_TRANSPORT");
  const char *kind = variable ? variable : "";
  if (std::strcmp(kind, "refuses") == 0) {
    std::snprintf(error, capacity, "there is no network; lay a cable");
    return 0;
  }
  *transport = {std::strcmp(kind, "old") == 0 ? 0 : HETERO_TRANSPORT_VERSION,
                /*rank=*/1,
                /*size=*/2,
                /*reserved=*/0,
                /*maxTag=*/32767,
                /*context=*/nullptr,
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
  return 1;
}
