//===- PerThread.cpp - Calls on the thread's own stream -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM links
// other names of the calls that have to do with streams. To those, no stream
// means one that each thread has for itself.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Streams/PerThread.h"

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Types.h"

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

static thread_local bool usesOwnStream = false;

bool hetero::emulator::nullMeansOwnStream() { return usesOwnStream; }

namespace {
/// While it lives, the thread's calls mean its own stream.
struct OwnStream {
  OwnStream() { usesOwnStream = true; }
  ~OwnStream() { usesOwnStream = before; }
  const bool before = usesOwnStream;
};

/// The streams of a thread, one for each context. They go with the thread.
struct StreamsOfThread {
  std::map<Context *, std::shared_ptr<Stream>> streams;

  ~StreamsOfThread() {
    for (auto &[context, stream] : streams) {
      getDriver()->streams.remove(stream.get());
      stream->synchronize();
      stream->stop();
    }
  }
};
} // namespace

std::shared_ptr<Stream> hetero::emulator::ownStream(Context &context) {
  static thread_local StreamsOfThread mine;
  std::shared_ptr<Stream> &stream = mine.streams[&context];
  // A context that is reset has forgotten its streams.
  if (!stream || !getDriver()->streams.find(stream.get())) {
    stream = Stream::create(context, /*blocking=*/true);
    getDriver()->streams.add(stream);
  }
  return stream;
}

// The parameters of a call, named, and their names.
#define P1(A) A a
#define P2(A, B) P1(A), B b
#define P3(A, B, C) P2(A, B), C c
#define P4(A, B, C, D) P3(A, B, C), D d
#define P5(A, B, C, D, E) P4(A, B, C, D), E e
#define P6(A, B, C, D, E, F) P5(A, B, C, D, E), F f
#define P7(A, B, C, D, E, F, G) P6(A, B, C, D, E, F), G g
#define P8(A, B, C, D, E, F, G, H) P7(A, B, C, D, E, F, G), H h
#define P10(A, B, C, D, E, F, G, H, I, J) P8(A, B, C, D, E, F, G, H), I i, J j
#define P11(A, B, C, D, E, F, G, H, I, J, K)                                   \
  P10(A, B, C, D, E, F, G, H, I, J), K k
#define N1 a
#define N2 N1, b
#define N3 N2, c
#define N4 N3, d
#define N5 N4, e
#define N6 N5, f
#define N7 N6, g
#define N8 N7, h
#define N10 N8, i, j
#define N11 N10, k

// Structures by address are all the same to a call.
#define X(count, name, suffix, ...)                                            \
  extern "C" cuda::Result name(__VA_ARGS__);                                   \
  HETERO_CUDA_API name##suffix(P##count(__VA_ARGS__)) {                        \
    OwnStream own;                                                             \
    return name(N##count);                                                     \
  }
#define M(name, suffix)                                                        \
  HETERO_CUDA_API name##suffix() { return refuse(#name); }
#include "Emulator/Driver/Streams/PerThreadCalls.def"
#undef X
#undef M
