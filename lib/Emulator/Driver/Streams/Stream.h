//===- Stream.h - Streams by their handles ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_STREAMS_STREAM_H
#define HETERO_LIB_EMULATOR_DRIVER_STREAMS_STREAM_H

#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Streams/PerThread.h"

namespace hetero::emulator {

/// Of streams; the greatest is the smallest number.
constexpr int kLeastPriority = 0, kGreatestPriority = -5;

/// The stream of a handle, on the calling thread's context when null.
cuda::Result getStream(cuda::Stream handle, std::shared_ptr<Stream> &stream);

/// Work of a node that calls the host.
IssueWork issueOf(HostCall call);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STREAMS_STREAM_H
