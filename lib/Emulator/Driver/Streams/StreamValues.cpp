//===- StreamValues.cpp - Streams that wait for words of memory -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/Stream.h"

#include <chrono>
#include <thread>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

/// CUstreamWaitValue_flags: how words compare, and a bit for what else.
enum WaitFlags : unsigned {
  kAtLeast = 0,
  kEqual = 1,
  kAnyBit = 2,
  kNor = 3,
  kComparison = 3,
  kFlush = 1u << 30
};

template <typename Word>
static bool isReached(Word word, Word value, unsigned flags) {
  using Signed = std::make_signed_t<Word>;
  switch (flags & kComparison) {
  case kAtLeast: // Also when the count has wrapped around.
    return static_cast<Signed>(word - value) >= 0;
  case kEqual:
    return word == value;
  case kAnyBit:
    return (word & value) != 0;
  default:
    return static_cast<Word>(~(word | value)) != 0;
  }
}

/// The memory of a word, which kernels of the device could reach, or null.
template <typename Word>
static Word *findWord(Context &context, DevicePointer address) {
  if (address % sizeof(Word) != 0)
    return nullptr;
  Device *device = getDriver()->deviceOf(address);
  return reinterpret_cast<Word *>(
      (device ? device : &context.device)
          ->memory.translate(address, sizeof(Word)));
}

/// The stream of a call that is not captured, and whether there is the word.
template <typename Word>
static cuda::Result prepare(cuda::Stream handle, DevicePointer address,
                            const char *name, std::shared_ptr<Stream> &stream) {
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (getLane(*stream))
    return refuse(name);
  return findWord<Word>(stream->context, address) ? cuda::kSuccess
                                                  : cuda::kInvalidValue;
}

/// Looks now and then, until the context fails or the memory is freed.
template <typename Word>
static cuda::Result wait(cuda::Stream handle, DevicePointer address, Word value,
                         unsigned flags) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = prepare<Word>(
          handle, address, "cuStreamWaitValue in a capture", stream))
    return error;
  if (flags & ~(kComparison | kFlush))
    return cuda::kInvalidValue;
  Work work;
  work.name = "wait for a word";
  Context &context = stream->context;
  context.submit(stream, work, [=, &context] {
    while (context.fault() == cuda::kSuccess) {
      context.device.memory.kernelBegins(); // Keeps what is freed meanwhile.
      Word *word = findWord<Word>(context, address);
      bool isOver =
          !word || isReached<Word>(__atomic_load_n(word, __ATOMIC_ACQUIRE),
                                   value, flags);
      context.device.memory.kernelEnds();
      if (isOver)
        return;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  });
  return cuda::kSuccess;
}

template <typename Word>
static cuda::Result write(cuda::Stream handle, DevicePointer address,
                          Word value, unsigned flags) {
  constexpr unsigned kNoBarrier = 1;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = prepare<Word>(
          handle, address, "cuStreamWriteValue in a capture", stream))
    return error;
  if (flags & ~kNoBarrier)
    return cuda::kInvalidValue;
  Work work;
  work.name = "write of a word";
  Context &context = stream->context;
  context.submit(stream, work, [=, &context] {
    context.device.memory.kernelBegins();
    if (Word *word = findWord<Word>(context, address)) {
      __atomic_store_n(word, value, __ATOMIC_RELEASE);
      context.device.memory.noteWritten(address, sizeof(Word));
    }
    context.device.memory.kernelEnds();
  });
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamWaitValue32_v2(cuda::Stream stream,
                                       DevicePointer address, uint32_t value,
                                       unsigned flags) {
  return wait<uint32_t>(stream, address, value, flags);
}

HETERO_CUDA_API cuStreamWaitValue64_v2(cuda::Stream stream,
                                       DevicePointer address, uint64_t value,
                                       unsigned flags) {
  return wait<uint64_t>(stream, address, value, flags);
}

HETERO_CUDA_API cuStreamWriteValue32_v2(cuda::Stream stream,
                                        DevicePointer address, uint32_t value,
                                        unsigned flags) {
  return write<uint32_t>(stream, address, value, flags);
}

HETERO_CUDA_API cuStreamWriteValue64_v2(cuda::Stream stream,
                                        DevicePointer address, uint64_t value,
                                        unsigned flags) {
  return write<uint64_t>(stream, address, value, flags);
}

namespace hetero::emulator {
/// CUstreamBatchMemOpParams.
union MemoryOperation {
  enum Kind : int {
    Wait32 = 1,
    Write32 = 2,
    Wait64 = 4,
    Write64 = 5,
    Barrier = 6
  };
  struct {
    Kind kind;
    DevicePointer address;
    uint64_t value;
    unsigned flags;
  } word;
  uint64_t size[6];
};
} // namespace hetero::emulator

static cuda::Result issue(cuda::Stream stream,
                          const MemoryOperation &operation) {
  const auto &word = operation.word;
  switch (word.kind) {
  case MemoryOperation::Wait32:
    return wait<uint32_t>(stream, word.address, uint32_t(word.value),
                          word.flags);
  case MemoryOperation::Wait64:
    return wait<uint64_t>(stream, word.address, word.value, word.flags);
  case MemoryOperation::Write32:
    return write<uint32_t>(stream, word.address, uint32_t(word.value),
                           word.flags);
  case MemoryOperation::Write64:
    return write<uint64_t>(stream, word.address, word.value, word.flags);
  case MemoryOperation::Barrier: // What a stream does is in order.
    return cuda::kSuccess;
  }
  return refuse("another operation of cuStreamBatchMemOp");
}

HETERO_CUDA_API cuStreamBatchMemOp_v2(cuda::Stream handle, unsigned count,
                                      const MemoryOperation *operations,
                                      unsigned flags) {
  constexpr unsigned kMost = 256;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (flags != 0 || count > kMost || (count > 0 && !operations))
    return cuda::kInvalidValue;
  for (unsigned i = 0; i < count; ++i)
    if (cuda::Result error = issue(handle, operations[i]))
      return error;
  return cuda::kSuccess;
}
