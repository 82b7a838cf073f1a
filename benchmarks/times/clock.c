//===- clock.c - An outside clock around the runtime's calls --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Preloaded, this library stands between a compiled program and the runtime,
// and takes down when each call that works for devices began and ended. What
// passes between calls is the program's own code. It knows nothing of how the
// runtime takes times. OUTSIDE_RUNTIME names the runtime's file.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "hetero/Runtime/HeteroRuntime.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

/// A call, or the part of a region between its marks and other calls.
typedef struct Call {
  char kind;
  const char *name;
  int64_t begin, end;
} Call;

enum { kMost = 1 << 16 };
static Call calls[kMost];
static int32_t numCalls;
/// Calls that the runtime makes of itself are parts of others.
static int depth;

HETERO_EXPORT void outsideClear(void) { numCalls = 0; }
HETERO_EXPORT const Call *outsideCalls(int32_t *count) {
  *count = numCalls;
  return calls;
}
HETERO_EXPORT int64_t outsideNow(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void note(char kind, const char *name, int64_t begin) {
  if (depth == 0 && numCalls < kMost)
    calls[numCalls++] = (Call){kind, name, begin, outsideNow()};
}

static void *find(const char *name) {
  static void *runtime;
  if (!runtime)
    runtime = dlopen(getenv("OUTSIDE_RUNTIME"), RTLD_NOW | RTLD_NOLOAD);
  return dlsym(runtime, name);
}

#define WRAP(KIND, NAME, FUNCTION, PARAMETERS, ARGUMENTS)                      \
  HeteroStatus FUNCTION PARAMETERS {                                           \
    static HeteroStatus(*function) PARAMETERS;                                 \
    if (!function)                                                             \
      function = (HeteroStatus(*) PARAMETERS)find(#FUNCTION);                  \
    int64_t begin = outsideNow();                                              \
    ++depth;                                                                   \
    HeteroStatus returned = function ARGUMENTS;                                \
    --depth;                                                                   \
    note(KIND, NAME, begin);                                                   \
    return returned;                                                           \
  }

WRAP('F', entry, heteroFrameBegin, (const char *entry), (entry))
WRAP('E', "end", heteroFrameEnd, (HeteroStatus status), (status))
WRAP('A', "", heteroAlloc,
     (int32_t device, int64_t bytes, int64_t alignment, void **pointer),
     (device, bytes, alignment, pointer))
WRAP('A', "", heteroFree, (int32_t device, void *pointer), (device, pointer))
WRAP('A', "", heteroUpload, (HeteroConstants * constants), (constants))
WRAP('C', name, heteroCopy,
     (int32_t to, void *target, int32_t from, const void *source, int64_t bytes,
      const char *name),
     (to, target, from, source, bytes, name))
WRAP('C', name, heteroCopyRows,
     (int32_t to, void *target, int64_t toPitch, int32_t from,
      const void *source, int64_t fromPitch, int64_t width, int64_t rows,
      const char *name),
     (to, target, toPitch, from, source, fromPitch, width, rows, name))
WRAP('L', kernel, heteroLaunch,
     (int32_t unit, const HeteroImage *image, const char *kernel, int64_t gridX,
      int64_t gridY, int64_t gridZ, int64_t blockX, int64_t blockY,
      int64_t blockZ, int64_t sharedBytes, void **arguments, int32_t count),
     (unit, image, kernel, gridX, gridY, gridZ, blockX, blockY, blockZ,
      sharedBytes, arguments, count))
WRAP('L', label, heteroLaunchAs,
     (int32_t unit, const HeteroImage *image, const char *kernel, int64_t gridX,
      int64_t gridY, int64_t gridZ, int64_t blockX, int64_t blockY,
      int64_t blockZ, int64_t sharedBytes, void **arguments, int32_t count,
      const char *label),
     (unit, image, kernel, gridX, gridY, gridZ, blockX, blockY, blockZ,
      sharedBytes, arguments, count, label))
WRAP('O', "", heteroOrder, (int32_t unit, int32_t after), (unit, after))
WRAP('W', "", heteroWait, (int32_t device), (device))
WRAP('W', "", heteroWaitUnit, (int32_t unit), (unit))
WRAP('B', name, heteroHostRegion, (const char *name), (name))
WRAP('R', "", heteroHostRegionEnd, (void), ())
