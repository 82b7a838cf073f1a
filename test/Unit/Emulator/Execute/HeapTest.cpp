//===- HeapTest.cpp - Tests of memory that kernels take -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include <cstdio>

extern "C" cuda::Result cuCtxSetLimit(int, size_t);

namespace {
struct HeapFamily {
  static constexpr const char *kName = "Heap";
};

class Heap : public CUDATest<HeapFamily> {
protected:
  /// A kernel of one thread that fails; returns the message. The module is
  /// loaded anew, since its context is lost.
  template <typename... Arguments>
  std::string fault(const char *kernel, cuda::Result error,
                    const Arguments &...arguments) {
    cuda::Function function = nullptr;
    EXPECT_OK(cuModuleGetFunction(&function, module, kernel));
    void *pointers[] = {const_cast<Arguments *>(&arguments)..., nullptr};
    EXPECT_OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers,
                             nullptr));
    EXPECT_EQ(cuCtxSynchronize(), error);
    std::string message = heteroEmulatorLastFault();
    EXPECT_OK(cuDevicePrimaryCtxReset_v2(0));
    module = load(text);
    return message;
  }

  /// The message with the numbers of lines and addresses left out.
  static std::string outline(const std::string &message) {
    std::string result;
    for (size_t i = 0; i < message.size(); ++i) {
      bool isLine = message.compare(i, 5, "line ") == 0;
      bool isAddress = message.compare(i, 2, "0x") == 0;
      result += isLine ? "line N" : isAddress ? "A" : message.substr(i, 1);
      i += isLine ? 4 : isAddress ? 1 : 0;
      while ((isLine || isAddress) && i + 1 < message.size() &&
             std::isxdigit(static_cast<unsigned char>(message[i + 1])))
        ++i;
    }
    return result;
  }
};
} // namespace

TEST_F(Heap, MemoryOfOneThreadForAnother) {
  std::vector<int> sizes = draw<int>(64, 1, 90), expected;
  for (int i = 0; i < 64; ++i) {
    int other = (i + 1) % 64, size = sizes[other];
    expected.push_back(other * (size * (size - 1) / 2));
  }
  DeviceArray<int> in(sizes), out(64);
  run("lists", {1, 1, 1}, {64, 1, 1}, in, out);
  EXPECT_EQ(out.download(), expected);
}

TEST_F(Heap, MemoryOutlivesTheLaunch) {
  DeviceArray<uint64_t> place(1);
  DeviceArray<int> out(1);
  run("keep", {1, 1, 1}, {1, 1, 1}, place, 6);
  run("readKept", {1, 1, 1}, {1, 1, 1}, place, out);
  EXPECT_EQ(out.download()[0], 56);
  // It is not the host's to free.
  EXPECT_EQ(cuMemFree_v2(place.download()[0]), cuda::kInvalidValue);
  run("giveBack", {1, 1, 1}, {1, 1, 1}, place);
}

TEST_F(Heap, ObjectsWithFunctions) {
  std::vector<int> in = draw<int>(64, 0, 30), expected;
  for (int i = 0; i < 64; ++i)
    expected.push_back(in[i] % 3 == 0   ? in[i] * in[i]
                       : in[i] % 3 == 1 ? in[i] * i
                                        : 0);
  DeviceArray<int> from(in), out(64);
  run("areas", {1, 1, 1}, {64, 1, 1}, from, out);
  EXPECT_EQ(out.download(), expected);
}

TEST_F(Heap, Limit) {
  DeviceArray<int> out(1);
  run("takeAll", {1, 1, 1}, {1, 1, 1}, uint64_t(1) << 20, out);
  EXPECT_EQ(out.download()[0], 8);
  ASSERT_OK(cuCtxSetLimit(2, 1 << 21));
  run("takeAll", {1, 1, 1}, {1, 1, 1}, uint64_t(1) << 20, out);
  EXPECT_EQ(out.download()[0], 2);
  ASSERT_OK(cuCtxSetLimit(2, 8 << 20));
}

TEST_F(Heap, Alignment) {
  for (uint64_t align : {1, 64, 512, 4096, 65536}) {
    DeviceArray<int> out(1);
    run("aligned", {1, 1, 1}, {1, 1, 1}, align, out);
    EXPECT_EQ(out.download()[0], 1) << align;
  }
}

TEST_F(Heap, ArraysOnTheStack) {
  std::vector<int> sizes = draw<int>(64, 1, 40), expected;
  for (int i = 0; i < 64; ++i) {
    int sum = 0, size = sizes[i];
    for (int k = 0; k < size; ++k)
      sum += (i + k * k) * (size - k);
    for (int round = 0; round < 3; ++round)
      for (int k = 0; k <= round; ++k)
        sum += ((k ? i + (size - 1) * (size - 1) : i) + k) * (round + 1 - k);
    expected.push_back(sum);
  }
  DeviceArray<int> in(sizes), out(64);
  run("onTheStack", {1, 1, 1}, {64, 1, 1}, in, out);
  EXPECT_EQ(out.download(), expected);
}

TEST_F(Heap, StackIsRestored) {
  DeviceArray<int> out(1);
  run("restoreStack", {1, 1, 1}, {1, 1, 1}, out, 0LL);
  EXPECT_EQ(out.download()[0], 1);
}

TEST_F(Heap, Prints) {
  testing::internal::CaptureStdout();
  run("print", {1, 1, 1}, {1, 1, 1}, 6, 2.71828);
  std::fflush(stdout);
  char expected[256];
  std::snprintf(expected, sizeof expected,
                "%*d|%-*d|%.*f|%5.*e|%+d|%#x|%c|%s|%lld|%lu|%hd|%%|%05d\n", 6,
                7, 6, -8, 3, 2.71828, 2, 2.71828, 9, 255, 'q', "text",
                1234567890123ll, 12345678901ul, (short)-3, 42);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), expected);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static const std::string kThread = ", block (0, 0, 0), thread (0, 0, 0) ";

TEST_F(Heap, BeyondTheEnd) {
  EXPECT_EQ(outline(fault("writeBeyond", cuda::kIllegalAddress, 100)),
            "kernel writeBeyond" + kThread +
                "stores 1 bytes to global address A (line N of the PTX), 0 "
                "bytes after the end of the allocation of 100 bytes at A");
}

TEST_F(Heap, UseAfterFree) {
  DeviceArray<int> out(1);
  EXPECT_EQ(outline(fault("readFreed", cuda::kIllegalAddress, out.pointer)),
            "kernel readFreed" + kThread +
                "loads 4 bytes from global address A (line N of the PTX), at "
                "offset 0 of the allocation of 4 bytes at A, which was freed");
  ASSERT_OK(cuMemAlloc_v2(&out.pointer, 4)); // It went with the context.
}

TEST_F(Heap, FreedTwice) {
  EXPECT_EQ(outline(fault("freeTwice", cuda::kLaunchFailed)),
            "kernel freeTwice" + kThread +
                "frees what malloc has not given, at offset 0 of the "
                "allocation of 8 bytes at A, which was freed (line N of the "
                "PTX)");
}

TEST_F(Heap, FreesWhatTheHostHas) {
  cuda::DevicePointer memory = 0;
  ASSERT_OK(cuMemAlloc_v2(&memory, 64));
  EXPECT_EQ(outline(fault("freeOther", cuda::kLaunchFailed, memory)),
            "kernel freeOther" + kThread +
                "frees what malloc has not given, at offset 4 of the "
                "allocation of 64 bytes at A (line N of the PTX)");
}

TEST_F(Heap, StackTooLarge) {
  DeviceArray<int> out(1);
  EXPECT_EQ(
      outline(fault("stackTooLarge", cuda::kLaunchFailed, 100000, out.pointer)),
      "kernel stackTooLarge" + kThread +
          "stops: alloca asks for more than is left of the stack (line N of "
          "the PTX)");
  ASSERT_OK(cuMemAlloc_v2(&out.pointer, 4));
}

TEST_F(Heap, StackIsRestoredToNowhere) {
  for (long long more : {65LL, -(1LL << 40)}) {
    DeviceArray<int> out(1);
    EXPECT_EQ(
        outline(fault("restoreStack", cuda::kLaunchFailed, out.pointer, more)),
        "kernel restoreStack" + kThread +
            "stops: stackrestore goes to where the stack does not end (line N "
            "of the PTX)");
    ASSERT_OK(cuMemAlloc_v2(&out.pointer, 4));
  }
}
