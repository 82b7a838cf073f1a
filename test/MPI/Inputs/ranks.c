//===- ranks.c - A program of several ranks -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the runtime's C interface alone. What it does is its first argument; each
// rank prints one line.
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroNodes.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRY(call)                                                              \
  do {                                                                         \
    HeteroStatus status = (call);                                              \
    if (status != HETERO_OK)                                                   \
      return status;                                                           \
  } while (0)

/* Bytes in a ring, each rank adding its number to all of them. */
static HeteroStatus ring(int64_t bytes) {
  int32_t rank = heteroNodeRank(), count = heteroNodeCount();
  int32_t next = (rank + 1) % count, previous = (rank + count - 1) % count;
  void *data, *answer;
  TRY(heteroAlloc(HETERO_HOST, bytes, 64, &data));
  TRY(heteroAlloc(HETERO_HOST, bytes, 64, &answer));
  TRY(heteroReceive(previous, 1, answer, bytes, "%ring of @main"));
  if (rank == 0) {
    memset(data, 1, bytes);
  } else {
    TRY(heteroAwaitTransfer(1, answer));
    memcpy(data, answer, bytes);
    for (int64_t i = 0; i < bytes; ++i)
      ((char *)data)[i] += rank;
  }
  TRY(heteroSend(next, 1, data, bytes, "%ring of @main"));
  TRY(heteroAwaitTransfer(1, data));
  if (rank != 0)
    return HETERO_OK;
  TRY(heteroAwaitTransfer(1, answer));
  int expected = 1;
  for (int32_t i = 1; i < count; ++i)
    expected += i;
  for (int64_t i = 0; i < bytes; ++i)
    TRY(heteroAssert(((char *)answer)[i] == (char)expected, "wrong bytes"));
  return HETERO_OK;
}

/* A message moves while its receiver works: it is there when that is done. */
static HeteroStatus overlap(int64_t bytes) {
  void *data;
  TRY(heteroAlloc(HETERO_HOST, bytes, 64, &data));
  if (heteroNodeRank() == 0) {
    memset(data, 3, bytes);
    TRY(heteroSend(1, 1, data, bytes, "%x of @main"));
    return heteroAwaitTransfer(1, data);
  }
  memset(data, 1, bytes);
  TRY(heteroReceive(0, 1, data, bytes, "%x of @main"));
  volatile char *last = (volatile char *)data + bytes - 1;
  for (int i = 0; i < 10000 && *last != 3; ++i)
    usleep(1000);
  TRY(heteroAssert(*last == 3, "nothing has moved"));
  return heteroAwaitTransfer(1, data);
}

/* What rank 0 never sends, or only after it was to. */
static HeteroStatus await(void) {
  void *data;
  TRY(heteroAlloc(HETERO_HOST, 1 << 20, 64, &data));
  TRY(heteroReceive(0, 3, data, 1 << 20, "%x of @main"));
  return heteroAwaitTransfer(3, data);
}

static HeteroStatus run(const char *what, int64_t bytes) {
  int32_t rank = heteroNodeRank();
  if (strcmp(what, "ring") == 0)
    return ring(bytes);
  if (strcmp(what, "overlap") == 0)
    return overlap(bytes);
  if (strcmp(what, "fail") == 0)
    return rank == 0 ? heteroAssert(0, "the sizes differ") : await();
  if (strcmp(what, "die") == 0) {
    if (rank != 0)
      return await();
    usleep(200000);
    raise(SIGKILL);
  }
  if (strcmp(what, "stall") == 0) {
    if (rank != 0)
      return await();
    sleep(600);
  }
  return HETERO_OK;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "ring";
  int64_t bytes = argc > 2 ? atoll(argv[2]) : 4096;
  int32_t nodes = argc > 3 ? atoi(argv[3]) : 0;
  double timeout = argc > 4 ? atof(argv[4]) : 2;
  HeteroStatus status = heteroJoinNodes(0, 0, timeout);
  if (status == HETERO_OK)
    status = heteroAgreeOnProgram(
        nodes ? nodes : heteroNodeCount(),
        strcmp(what, "differ") == 0 && heteroNodeRank() == 1 ? 8 : 7);
  if (status == HETERO_OK) {
    heteroFrameBegin("main");
    status = heteroFrameEnd(run(what, bytes));
  }
  status = heteroLeaveNodes(status);
  if (status != HETERO_OK)
    fprintf(stderr, "error: %s\n", heteroLastError());
  else
    printf("rank %d of %d: ok\n", heteroNodeRank(), heteroNodeCount());
  fflush(NULL);
  return status != HETERO_OK;
}
