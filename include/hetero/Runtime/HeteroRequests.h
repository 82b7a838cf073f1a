//===- HeteroRequests.h - Calls that are under way together ------*- C -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the runtime's C ABI, for callers of compiled programs.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNTIME_HETEROREQUESTS_H
#define HETERO_RUNTIME_HETEROREQUESTS_H

#include "hetero/Runtime/HeteroRuntime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Requests for one entry point, each with arguments of its own.
typedef struct HeteroRequests {
  int64_t count;
  /// How many may be under way at once, each with memory of its own; 0: 4.
  int32_t inFlight;
  int32_t numArguments;
  int32_t numResults;
  int32_t reserved; /* 0 */
  void *context;    /* for the functions */
  /// Fills in the arguments of a request. Several threads may call it at once.
  HeteroStatus (*begin)(void *context, int64_t request, HeteroValue *arguments);
  /// The request is over, and so are all before it; one call at a time. Takes
  /// the results, which are NULL if the request has failed or one before it
  /// has, and what begin() made of the arguments.
  HeteroStatus (*end)(void *context, int64_t request, HeteroValue *arguments,
                      HeteroValue *results);
} HeteroRequests;

/// Calls an entry point for each request, several at once, so that all devices
/// and links have work: docs/Runtime.md, "Requests". The first that fails is
/// named in the error; later ones are not begun, and what they return is
/// nobody's.
///
/// heteroReport() has of the last run of requests, by the emulator's clock if
/// that is virtual: "requests": {"count": 100, "in_flight": 4,
/// "seconds": 2.1e-3, "first_seconds": 9e-5 (until the first was over),
/// "per_second": 4.8e4 (without those that fill and empty the pipeline),
/// "waits_for_memory": 0, "ordered_by_state": false}.
HETERO_EXPORT HeteroStatus heteroServeRequests(HeteroEntryPoint entry,
                                               const HeteroRequests *requests);

/// The same with arrays: those of request N begin at arguments[N *
/// numArguments] and results[N * numResults]. After an error there is no
/// result.
HETERO_EXPORT HeteroStatus
heteroCallMany(HeteroEntryPoint entry, const HeteroValue *arguments,
               int32_t numArguments, HeteroValue *results, int32_t numResults,
               int64_t numRequests, int32_t inFlight);

/// What each host region of these names takes from now on on the emulator's
/// virtual clock, to which the work of the host is nothing else; count 0: none
/// takes any time. Of no effect on a clock that is real.
HETERO_EXPORT void heteroSetHostTimes(const char *const *names,
                                      const uint64_t *picoseconds,
                                      int64_t count);

#ifdef __cplusplus
}
#endif

#endif /* HETERO_RUNTIME_HETEROREQUESTS_H */
