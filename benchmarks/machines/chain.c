//===- chain.c - The chain by the runtime's transfers ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "chain.h"
#include "hetero/Runtime/HeteroNodes.h"

#include <string.h>

#define TRY(call)                                                              \
  do {                                                                         \
    HeteroStatus status = (call);                                              \
    if (status != HETERO_OK)                                                   \
      return status;                                                           \
  } while (0)

/// As compiled code would: receives are started early, sends awaited late.
static HeteroStatus run(Chain chain, float *in, float *out, double *seconds) {
  int rank = heteroNodeRank();
  int64_t bytes = chain.count * (int64_t)sizeof(float);
  memset(in, 0, bytes);
  double start = readClock();
  for (int step = rank; step < chain.steps; step += 2) {
    if (step > 0) {
      TRY(heteroReceive(1 - rank, 1, in, bytes, "%in of @main"));
      TRY(heteroAwaitTransfer(1, in));
    }
    if (step > 1)
      TRY(heteroAwaitTransfer(1, out));
    takeStep(in, out, chain.count);
    if (step + 1 < chain.steps)
      TRY(heteroSend(1 - rank, 1, out, bytes, "%out of @main"));
  }
  if ((chain.steps - 1) % 2 != rank)
    TRY(heteroAwaitTransfer(1, out));
  *seconds = readClock() - start;
  return HETERO_OK;
}

static HeteroStatus runInFrame(Chain chain) {
  void *in, *out;
  int64_t bytes = chain.count * (int64_t)sizeof(float);
  TRY(heteroAlloc(HETERO_HOST, bytes, 64, &in));
  TRY(heteroAlloc(HETERO_HOST, bytes, 64, &out));
  double seconds, first;
  // The first time pages are new.
  TRY(run(chain, in, out, &first));
  TRY(run(chain, in, out, &seconds));
  if ((chain.steps - 1) % 2 == heteroNodeRank())
    return heteroAssert(finishChain(chain, out, seconds), "wrong numbers");
  return HETERO_OK;
}

int main(int argc, char **argv) {
  Chain chain = readChain(argc, argv);
  HeteroStatus status = heteroJoinNodes(2, 2, 30);
  if (status == HETERO_OK) {
    heteroFrameBegin("main");
    status = heteroFrameEnd(runInFrame(chain));
  }
  status = heteroLeaveNodes(status);
  if (status != HETERO_OK)
    fprintf(stderr, "error: %s\n", heteroLastError());
  return status != HETERO_OK;
}
