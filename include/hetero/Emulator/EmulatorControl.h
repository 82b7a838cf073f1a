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

/// Makes calls fail as the key `fail` does ("alloc:3,launch:5+"; NULL or "":
/// none) and counts calls anew. Returns 0, or 1 when the text is malformed.
HETERO_EMULATOR_EXPORT int heteroEmulatorFail(const char *points);

/// Calls of the class "alloc", "launch", "copy" or "device-lost" since the
/// start or the last heteroEmulatorFail.
HETERO_EMULATOR_EXPORT uint64_t heteroEmulatorCalls(const char *kind);

/// What is alive now: "allocations", "bytes", "host" (pinned memory),
/// "streams", "events", "modules" or "contexts"; NULL: all but the bytes.
HETERO_EMULATOR_EXPORT uint64_t heteroEmulatorLive(const char *kind);

#ifdef __cplusplus
}
#endif

#endif /* HETERO_EMULATOR_EMULATORCONTROL_H */
