//===- chain.h - A chain of steps that two nodes take in turns ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HETERO_BENCHMARKS_MACHINES_CHAIN_H
#define HETERO_BENCHMARKS_MACHINES_CHAIN_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// Step k is rank k % 2's: each element is that of the other rank plus one.
static inline void takeStep(const float *in, float *out, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = in[i] + 1.0f;
}

static inline double readClock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

/// Elements and steps, from the command line.
typedef struct Chain {
  int64_t count;
  int steps;
} Chain;

static inline Chain readChain(int argc, char **argv) {
  Chain chain = {argc > 1 ? atoll(argv[1]) : 16384,
                 argc > 2 ? atoi(argv[2]) : 100};
  return chain;
}

/// Whether the rank that took the last step has the right numbers; it prints
/// the seconds of a step.
static inline int finishChain(Chain chain, const float *out, double seconds) {
  for (int64_t i = 0; i < chain.count; ++i)
    if (out[i] != (float)chain.steps) {
      fprintf(stderr, "error: element %lld is %g, expected %d\n", (long long)i,
              out[i], chain.steps);
      return 0;
    }
  printf("%.9f\n", seconds / chain.steps);
  return 1;
}

#endif // HETERO_BENCHMARKS_MACHINES_CHAIN_H
