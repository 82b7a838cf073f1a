//===- StreamValues.cpp - Streams that wait for words of memory -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Streams/StreamValues.h"

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/GraphMemory.h"
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

/// Looks now and then, until the context fails or the memory is freed.
template <typename Word>
static void wait(const std::shared_ptr<Stream> &stream, DevicePointer address,
                 Word value, unsigned flags) {
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
}

template <typename Word>
static void write(const std::shared_ptr<Stream> &stream, DevicePointer address,
                  Word value) {
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
}

/// What a stream does is in order, which barriers ask for.
static void issue(const std::shared_ptr<Stream> &stream,
                  const WordOperation &operation) {
  const auto &word = operation.word;
  switch (word.kind) {
  case WordOperation::Wait32:
    return wait<uint32_t>(stream, word.address, uint32_t(word.value),
                          word.flags);
  case WordOperation::Wait64:
    return wait<uint64_t>(stream, word.address, word.value, word.flags);
  case WordOperation::Write32:
    return write<uint32_t>(stream, word.address, uint32_t(word.value));
  case WordOperation::Write64:
    return write<uint64_t>(stream, word.address, word.value);
  case WordOperation::Barrier:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

template <typename Word>
static cuda::Result check(Context &context, DevicePointer address, bool isWrite,
                          bool isNow) {
  if (isOfGraph(address, sizeof(Word), isNow) && address % sizeof(Word) == 0)
    return cuda::kSuccess;
  Device *device = getDriver()->deviceOf(address);
  const Memory &memory = (device ? device : &context.device)->memory;
  return findWord<Word>(context, address) &&
                 (!isWrite || memory.isWritable(address, sizeof(Word)))
             ? cuda::kSuccess
             : cuda::kInvalidValue;
}

static cuda::Result check(Context &context, const WordOperation &operation,
                          bool isNow) {
  constexpr unsigned kNoBarrier = 1;
  const auto &word = operation.word;
  bool isWait =
      word.kind == WordOperation::Wait32 || word.kind == WordOperation::Wait64;
  if (word.kind == WordOperation::Barrier)
    return cuda::kSuccess;
  if (!isWait && word.kind != WordOperation::Write32 &&
      word.kind != WordOperation::Write64)
    return refuse("another operation of cuStreamBatchMemOp");
  if (word.flags & ~(isWait ? kComparison | kFlush : kNoBarrier))
    return cuda::kInvalidValue;
  bool isLarge =
      word.kind == WordOperation::Wait64 || word.kind == WordOperation::Write64;
  return isLarge ? check<uint64_t>(context, word.address, !isWait, isNow)
                 : check<uint32_t>(context, word.address, !isWait, isNow);
}

cuda::Result hetero::emulator::planOperations(Context &context,
                                              const WordOperation *operations,
                                              unsigned count, unsigned flags,
                                              bool isNow, IssueWork &work) {
  constexpr unsigned kMost = 256;
  if (flags != 0 || count > kMost || (count > 0 && !operations))
    return cuda::kInvalidValue;
  for (unsigned i = 0; i < count; ++i)
    if (cuda::Result error = check(context, operations[i], isNow))
      return error;
  work = [all = std::vector<WordOperation>(operations, operations + count)](
             const std::shared_ptr<Stream> &stream) {
    for (const WordOperation &operation : all)
      issue(stream, operation);
  };
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuStreamBatchMemOp_v2(cuda::Stream handle, unsigned count,
                                      const WordOperation *operations,
                                      unsigned flags) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  IssueWork work;
  if (cuda::Result error = planOperations(stream->context, operations, count,
                                          flags, !getLane(*stream), work))
    return error;
  return issueOrCapture(stream, NodeKind::Words, std::move(work),
                        std::make_shared<std::vector<WordOperation>>(
                            operations, operations + count));
}

static cuda::Result run(cuda::Stream stream, WordOperation::Kind kind,
                        DevicePointer address, uint64_t value, unsigned flags) {
  WordOperation operation = {};
  operation.word = {kind, address, value, flags};
  return cuStreamBatchMemOp_v2(stream, 1, &operation, 0);
}

HETERO_CUDA_API cuStreamWaitValue32_v2(cuda::Stream stream,
                                       DevicePointer address, uint32_t value,
                                       unsigned flags) {
  return run(stream, WordOperation::Wait32, address, value, flags);
}

HETERO_CUDA_API cuStreamWaitValue64_v2(cuda::Stream stream,
                                       DevicePointer address, uint64_t value,
                                       unsigned flags) {
  return run(stream, WordOperation::Wait64, address, value, flags);
}

HETERO_CUDA_API cuStreamWriteValue32_v2(cuda::Stream stream,
                                        DevicePointer address, uint32_t value,
                                        unsigned flags) {
  return run(stream, WordOperation::Write32, address, value, flags);
}

HETERO_CUDA_API cuStreamWriteValue64_v2(cuda::Stream stream,
                                        DevicePointer address, uint64_t value,
                                        unsigned flags) {
  return run(stream, WordOperation::Write64, address, value, flags);
}
