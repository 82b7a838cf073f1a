//===- Sequence.h - Operations between two waits of the host ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread gives to devices between two places at which the host waits or
// works is a sequence. A sequence that comes a second time becomes a graph.
// From then on its operations are held as long as they are those that it had,
// and launched as one at its end; when one differs, those that are held are
// submitted, and the rest is as ever.
//
// To everybody else an operation that is held has been submitted: whoever could
// tell the difference submits it before.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_SUBMIT_SEQUENCE_H
#define HETERO_LIB_RUNTIME_DEVICE_SUBMIT_SEQUENCE_H

#include "Runtime/Device/Submit/Operation.h"
#include "hetero/Runtime/HeteroRuntime.h"

#include <functional>

namespace hetero::runtime {

/// Whether graphs may be used; no trace or measurement is on.
bool usesGraphs();

/// Submits the operation, or holds it. What it takes from the host (staging
/// memory, names) stays until the sequence ends.
HeteroStatus submit(const Operation &operation);
/// The host is about to wait or to work: ends the calling thread's sequence and
/// submits all that anybody holds.
HeteroStatus endSequence();
/// The host is about to read that many bytes, while which nothing should be
/// held for long.
HeteroStatus announceHostWork(int64_t bytes);
/// Calls `function`, which frees memory that was released before, while nothing
/// is held.
HeteroStatus withNothingHeld(const std::function<HeteroStatus()> &function);
/// Frees a block of the device after what the calling thread holds; false if
/// it holds nothing.
bool freeAfterHeld(Device &device, void *pointer);
/// Nobody will read what held copies bring to this host memory.
void dropHeldCopiesTo(const void *host, int64_t bytes);
/// Forgets all sequences: kernels or devices that they use go.
void forgetSequences();

/// While one exists the calling thread waits for a device, with its lock:
/// nobody begins to hold operations.
class WaitScope {
public:
  WaitScope();
  ~WaitScope();
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_SUBMIT_SEQUENCE_H
