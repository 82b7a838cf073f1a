//===- EmulatorControl.h - What only the emulator offers ----------*- C -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that libhetero_cuda_emulator exports beside the driver's. Tests and
// tools find them with dlsym; a real driver has none of them. docs/Emulator.md
// says what the emulator does with each.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_EMULATOR_EMULATORCONTROL_H
#define HETERO_EMULATOR_EMULATORCONTROL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HETERO_EMULATOR_EXPORT __attribute__((visibility("default")))
#else
#define HETERO_EMULATOR_EXPORT
#endif

/// What the last kernel, copy or device that failed did. Valid until the
/// thread's next call.
HETERO_EMULATOR_EXPORT const char *heteroEmulatorLastFault(void);

/// The same of one device: why its contexts fail, or "" where they do not.
/// Valid until the thread's next call.
HETERO_EMULATOR_EXPORT const char *heteroEmulatorDeviceFault(int device);

/// Whether what a kernel did wrong is printed on stderr, as it is at first.
HETERO_EMULATOR_EXPORT void heteroEmulatorPrintFaults(int prints);

/// Makes calls fail as the key `fail` does ("alloc:3,launch:5+"; NULL or "":
/// none) and counts calls anew. Returns 0, or 1 when the text is malformed.
HETERO_EMULATOR_EXPORT int heteroEmulatorFail(const char *points);

/// Calls of the class "alloc", "launch", "copy" or "device-lost" since the
/// start or the last heteroEmulatorFail.
HETERO_EMULATOR_EXPORT uint64_t heteroEmulatorCalls(const char *kind);

/// What is alive now: "allocations", "bytes", "host" (pinned memory),
/// "streams", "events", "graphs", "modules" or "contexts"; NULL: all but the
/// bytes.
HETERO_EMULATOR_EXPORT uint64_t heteroEmulatorLive(const char *kind);

/// Compiles what the first launch of the CUfunction with so many blocks of so
/// many threads would. Returns 1 if that had not been done yet, else 0.
HETERO_EMULATOR_EXPORT int
heteroEmulatorPrepareLaunch(void *function, uint64_t blocks, uint64_t threads);

/// From now on schedules are random as with schedule=random and this seed, or
/// not, for 0.
HETERO_EMULATOR_EXPORT void heteroEmulatorSchedule(int isRandom, uint64_t seed);

// With the virtual clock (clock=virtual). All times are picoseconds since the
// start or the last heteroEmulatorRestartClock. A process may stand for several
// hosts: each has a clock of its own, and devices that no other host uses.

/// From now on the calling thread is one of this host's: what it gives to
/// streams and waits for goes by that host's clock, and so do the functions
/// below. Threads begin with host 0; a new host's clock begins at 0.
HETERO_EMULATOR_EXPORT void heteroEmulatorEnterHost(int host);

/// When the last operation that the host has given to any stream ends; 0 when
/// the clock is real. Waits for them, but not on the host's virtual clock.
HETERO_EMULATOR_EXPORT uint64_t heteroEmulatorVirtualTime(void);

/// What the host's clock shows.
HETERO_EMULATOR_EXPORT uint64_t heteroEmulatorHostTime(void);

/// The host works that long: its clock moves on.
HETERO_EMULATOR_EXPORT void heteroEmulatorHostWorks(uint64_t picoseconds);

/// Whether what this thread calls takes the host time; call with 0 and then
/// with 1 around calls that only observe the program.
HETERO_EMULATOR_EXPORT void heteroEmulatorCallsTakeTime(int take);

/// For a program of several threads of which one at a time calls the driver and
/// the others wait, each for what it has given to some streams: `counts[i]` of
/// `streams`, one group after the other, for the i-th. Returns whose turn it
/// is: the first whose streams are done by the host's clock, else the one whose
/// are done first, to which the clock moves on. -1 when the clock is real.
HETERO_EMULATOR_EXPORT int heteroEmulatorWaitForOne(void *const *streams,
                                                    const int *counts,
                                                    int numGroups);

/// The report that `timeline=FILE` writes, JSON; free with free(). NULL when
/// the clock is real and there is no such file.
HETERO_EMULATOR_EXPORT char *heteroEmulatorTimeline(void);

/// Waits for all devices, forgets their operations, and begins at time 0, on
/// all hosts.
HETERO_EMULATOR_EXPORT void heteroEmulatorRestartClock(void);

/// PTX instructions that threads have executed; 0 when the clock is real.
HETERO_EMULATOR_EXPORT uint64_t heteroEmulatorInstructions(void);

/// Pairs of operations that race, with check=races; 0 without.
HETERO_EMULATOR_EXPORT uint64_t heteroEmulatorRaces(void);

#ifdef __cplusplus
}
#endif

#endif /* HETERO_EMULATOR_EMULATORCONTROL_H */
