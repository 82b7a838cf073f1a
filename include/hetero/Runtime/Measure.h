//===- Measure.h - Times, and what the machine is -----------------*- C -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of HeteroRuntime.h, which includes it, for callers that measure.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNTIME_MEASURE_H
#define HETERO_RUNTIME_MEASURE_H

#include "hetero/Runtime/HeteroRuntime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What heteroMeasure() has measured.
enum {
  HETERO_MEASURE_NOTHING = 0,
  /// Each kernel, host region and copy by itself: the host waits for what it
  /// has started.
  HETERO_MEASURE_PARTS = 1,
  /// Nothing but heteroClock(), so that whole calls can be timed as they run.
  HETERO_MEASURE_CALLS = 2
};

/// With HETERO_MEASURE_PARTS, from now on the host waits for every kernel and
/// copy. Kernels and host regions have `seconds` in the report, those of the
/// shortest execution, in `parts` where heteroNode names them, and `measured`,
/// how many executions were. Copies have `measured`, too, and with the bytes of
/// the largest copy of the value, `measured_bytes`, the shortest time of those
/// of this size, `measured_seconds`.
/// Enabling forgets other times. With HETERO_MEASURE_CALLS only the emulator's
/// virtual clock, if it has one, moves by what host regions take.
HETERO_EXPORT HeteroStatus heteroMeasure(int32_t mode);

/// Nanoseconds on the clock that counts, from an unknown moment: the virtual
/// one of the thread's host where the emulator has one, else the real one. The
/// first work for a device may load the emulator between two moments: call the
/// program, or heteroDeviceCount, once before.
HETERO_EXPORT int64_t heteroClock(void);

/// Whether that is the virtual one.
HETERO_EXPORT int32_t heteroClockIsVirtual(void);

/// The virtual clock goes on as if the host worked so many nanoseconds; a real
/// one takes its own time.
HETERO_EXPORT void heteroAdvanceClock(int64_t nanoseconds);

/// What the driver knows of a gpu.
typedef struct HeteroDeviceInfo {
  char name[256];
  int64_t memory;       /* bytes */
  int32_t major, minor; /* compute capability */
} HeteroDeviceInfo;

/// Describes a device of the program, after the device map.
HETERO_EXPORT HeteroStatus heteroDescribeDevice(int32_t device,
                                                HeteroDeviceInfo *info);

/// Threads of heteroParallelFor.
HETERO_EXPORT int32_t heteroThreadCount(void);

/// From now on (or no longer, for 0) the runtime takes down when each kernel,
/// copy, host region and wait of the host was, and how many bytes each device
/// had; enabling forgets what there is. The order of work stays the same.
HETERO_EXPORT HeteroStatus heteroTrace(int32_t enabled);

/// What was traced and waited for, in the format of Chrome's traces, which
/// Perfetto reads; free with heteroFreeString. A device is a process; its
/// streams and the copies in and out of each are threads.
HETERO_EXPORT char *heteroTraceJSON(void);

#ifdef __cplusplus
}
#endif

#endif /* HETERO_RUNTIME_MEASURE_H */
