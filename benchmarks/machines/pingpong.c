//===- pingpong.c - A message there and back ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By MPI itself and by the runtime's transfers, in the same processes and in
// turns. Prints a line per size: bytes, and seconds of both, those of the
// fastest of several groups of round trips.
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroNodes.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kGroups = 41, kMostTrips = 200 };

#define TRY(call)                                                              \
  do {                                                                         \
    HeteroStatus status = (call);                                              \
    if (status != HETERO_OK)                                                   \
      return status;                                                           \
  } while (0)

static HeteroStatus tripByMPI(int rank, void *out, void *in, int64_t bytes) {
  MPI_Request requests[2];
  MPI_Irecv(in, (int)bytes, MPI_BYTE, 1 - rank, 5, MPI_COMM_WORLD,
            &requests[0]);
  if (rank == 1)
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Isend(out, (int)bytes, MPI_BYTE, 1 - rank, 5, MPI_COMM_WORLD,
            &requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  if (rank == 0)
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  return HETERO_OK;
}

static HeteroStatus tripByRuntime(int rank, void *out, void *in,
                                  int64_t bytes) {
  TRY(heteroReceive(1 - rank, 1, in, bytes, "%in of @main"));
  if (rank == 1)
    TRY(heteroAwaitTransfer(1, in));
  TRY(heteroSend(1 - rank, 1, out, bytes, "%out of @main"));
  TRY(heteroAwaitTransfer(1, out));
  return rank == 0 ? heteroAwaitTransfer(1, in) : HETERO_OK;
}

typedef HeteroStatus (*Trip)(int, void *, void *, int64_t);

static HeteroStatus measure(Trip trip, int trips, void *out, void *in,
                            int64_t bytes, double *fastest) {
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int i = 0; i < trips; ++i)
    TRY(trip(heteroNodeRank(), out, in, bytes));
  double seconds = (MPI_Wtime() - start) / trips;
  if (seconds < *fastest)
    *fastest = seconds;
  return HETERO_OK;
}

static HeteroStatus run(int64_t most) {
  void *out, *in;
  TRY(heteroAlloc(HETERO_HOST, most, 4096, &out));
  TRY(heteroAlloc(HETERO_HOST, most, 4096, &in));
  memset(out, 1, most);
  memset(in, 2, most);
  for (int64_t bytes = 4096; bytes <= most; bytes *= 4) {
    double byMPI = 1e9, byRuntime = 1e9;
    int64_t trips = (int64_t)32 * 1024 * 1024 / bytes;
    trips = trips < 2 ? 2 : trips > kMostTrips ? kMostTrips : trips;
    for (int group = 0; group < kGroups; ++group) {
      TRY(measure(tripByMPI, (int)trips, out, in, bytes, &byMPI));
      TRY(measure(tripByRuntime, (int)trips, out, in, bytes, &byRuntime));
    }
    if (heteroNodeRank() == 0)
      printf("%lld %.9f %.9f\n", (long long)bytes, byMPI, byRuntime);
  }
  return HETERO_OK;
}

int main(int argc, char **argv) {
  int64_t most = argc > 1 ? atoll(argv[1]) : 64 * 1024 * 1024;
  HeteroStatus status = heteroJoinNodes(2, 1, 30);
  if (status == HETERO_OK) {
    heteroFrameBegin("main");
    status = heteroFrameEnd(run(most));
  }
  status = heteroLeaveNodes(status);
  if (status != HETERO_OK)
    fprintf(stderr, "error: %s\n", heteroLastError());
  return status != HETERO_OK;
}
