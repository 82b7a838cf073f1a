//===- ClockTest.cpp - The virtual clock ----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DriverHarness.h"

#include "Emulator/Device/Timelines.h"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>

namespace {
/// Round numbers: an operation or a byte takes a picosecond, a copy 10 more, a
/// kernel 100 more; calls take none.
[[maybe_unused]] const int environment =
    setenv("HETERO_EMULATOR",
           "clock=virtual,flops=1T,bandwidth=1T,link=1T,launch=100ps,"
           "latency=10ps,call=0ps",
           /*overwrite=*/1);

/// "work" counts operations and bytes, as compiled code does.
[[maybe_unused]] const bool kernels = [] {
  fake::addKernel(
      "work",
      [](ThreadContext *context) {
        context->counters[kCountedFlops] += fake::param(context, 0);
        context->counters[kCountedBytes] += fake::param(context, 1);
      },
      2, false);
  fake::addKernel(
      "sleep",
      [](ThreadContext *context) {
        for (uint32_t i = 0; i <= context->tid[0]; ++i)
          heteroEmuSleep(context, 7);
      },
      0, true);
  return true;
}();

class ClockTest : public DriverTest {
protected:
  void SetUp() override {
    DriverTest::SetUp();
    for (int device = 0; device < 2; ++device) {
      ASSERT_OK(cuCtxSetCurrent(context[device]));
      function[device] = kernel("work");
      ASSERT_OK(cuMemAlloc_v2(&memory[device], 3 * kBytes));
      void *pinned;
      ASSERT_OK(cuMemHostAlloc(&pinned, 3 * kBytes, 0));
      host[device] = static_cast<char *>(pinned);
      for (cuda::Stream &stream : streams[device])
        ASSERT_OK(cuStreamCreate(&stream, cuda::kStreamNonBlocking));
    }
    heteroEmulatorRestartClock();
  }
  void TearDown() override {
    for (int device = 0; device < 2; ++device)
      EXPECT_OK(cuDevicePrimaryCtxReset_v2(device));
    DriverTest::TearDown();
  }

  void launch(int device, int stream, uint64_t flops, uint64_t bytes = 0,
              unsigned threads = 1) {
    void *params[] = {&flops, &bytes};
    ASSERT_OK(cuLaunchKernel(function[device], 1, 1, 1, threads, 1, 1, 0,
                             streams[device][stream], params, nullptr));
  }
  /// Each stream has a part of the memory.
  void copyIn(int device, int stream, size_t bytes) {
    size_t place = stream * kBytes;
    ASSERT_OK(cuMemcpyHtoDAsync_v2(memory[device] + place, host[device] + place,
                                   bytes, streams[device][stream]));
  }
  void copyOut(int device, int stream, size_t bytes) {
    size_t place = stream * kBytes;
    ASSERT_OK(cuMemcpyDtoHAsync_v2(host[device] + place, memory[device] + place,
                                   bytes, streams[device][stream]));
  }
  cuda::Event record(int device, int stream, unsigned flags = 0) {
    cuda::Event event = nullptr;
    EXPECT_OK(cuCtxSetCurrent(context[device]));
    EXPECT_OK(cuEventCreate(&event, flags));
    EXPECT_OK(cuEventRecord(event, streams[device][stream]));
    return event;
  }
  void wait(int device, int stream, cuda::Event event) {
    ASSERT_OK(cuStreamWaitEvent(streams[device][stream], event, 0));
  }

  static constexpr size_t kBytes = 4096;
  cuda::Function function[2];
  cuda::DevicePointer memory[2];
  char *host[2];
  cuda::Stream streams[2][3];
};
} // namespace

TEST(Clock, IsConfigured) {
  Config config;
  std::string error;
  ASSERT_TRUE(parseConfig("clock=virtual,flops=60T/2.5G,link=25G,call=1us,"
                          "latency=8us/9ns/7000,timeline=f",
                          config, error))
      << error;
  EXPECT_TRUE(config.virtualClock);
  EXPECT_EQ(config.call, 1000000u);
  EXPECT_EQ(config.rates(0).flops, 60000000000000u);
  EXPECT_EQ(config.rates(1).flops, 2500000000u);
  EXPECT_EQ(config.rates(5).flops, 2500000000u);
  EXPECT_EQ(config.rates(1).link, 25000000000u);
  EXPECT_EQ(config.rates(0).latency, 8000000u);
  EXPECT_EQ(config.rates(1).latency, 9000u);
  EXPECT_EQ(config.rates(2).latency, 7000u);
  EXPECT_EQ(config.rates(1).bandwidth, 500000000000u);
  for (const char *text :
       {"clock=fast", "flops=0", "flops=1x", "flops=1T/", "launch=5G",
        "link=99999999999P", "call=", "timeline=", "link=us"})
    EXPECT_FALSE(parseConfig(text, config, error)) << text;
}

/// As long as the thread that sleeps longest.
TEST_F(ClockTest, ToSleepMovesTheClock) {
  ASSERT_OK(cuCtxSetCurrent(context[0]));
  ASSERT_OK(cuLaunchKernel(kernel("sleep"), 3, 1, 1, 5, 1, 1, 0, streams[0][0],
                           nullptr, nullptr));
  ASSERT_OK(cuStreamSynchronize(streams[0][0]));
  EXPECT_EQ(heteroEmulatorVirtualTime(), 100u + 5 * 7000);
}

/// However much a graph has, launching it is one call of the host.
TEST(Clock, WorkOfOneCallIsIssuedAtOnce) {
  Config config;
  config.call = 7;
  Timeline timeline(config);
  auto issue = [&] { timeline.issue(std::make_shared<Operation>(), {}); };
  {
    Timeline::OneCall call(&timeline);
    issue();
    issue();
    EXPECT_EQ(timeline.hostTime(), 7u);
  }
  issue();
  EXPECT_EQ(timeline.hostTime(), 14u);
}

/// launch + max(operations, bytes), counted over all threads; one kernel after
/// the other even in two streams.
TEST_F(ClockTest, KernelsTakeTurns) {
  launch(0, 0, 5, 2, 10);
  launch(0, 1, 5, 7, 10);
  EXPECT_EQ(heteroEmulatorVirtualTime(), 150u + 170u);
}

TEST_F(ClockTest, AGraphTakesAsLongAsItsWork) {
  cuda::Graph graph;
  cuda::GraphExec exec;
  ASSERT_OK(cuCtxSetCurrent(context[0]));
  ASSERT_OK(cuStreamBeginCapture_v2(streams[0][0], 0));
  for (int i = 0; i < 4; ++i)
    launch(0, 0, 50);
  ASSERT_OK(cuStreamEndCapture(streams[0][0], &graph));
  ASSERT_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_EQ(heteroEmulatorVirtualTime(), 0u);
  ASSERT_OK(cuGraphLaunch(exec, streams[0][1]));
  EXPECT_EQ(heteroEmulatorVirtualTime(), 4u * 150u);
}

/// In, kernel, out, in a pipeline of three stages over five blocks: the stages
/// overlap, so that only the first in and the last out stand alone.
TEST_F(ClockTest, PipelinesOverlap) {
  for (int i = 0; i < 5; ++i) {
    copyIn(0, 0, 190);
    wait(0, 1, record(0, 0));
    launch(0, 1, 100);
    wait(0, 2, record(0, 1));
    copyOut(0, 2, 190);
  }
  EXPECT_EQ(heteroEmulatorVirtualTime(), 7 * 200u);
  std::unique_ptr<char, void (*)(void *)> report(heteroEmulatorTimeline(),
                                                 std::free);
  EXPECT_NE(std::string(report.get())
                .find("{\"device\": \"gpu:0\", \"compute\": 1000, \"copy_in\": "
                      "1000, \"copy_out\": 1000}"),
            std::string::npos)
      << report.get();
}

TEST_F(ClockTest, OneStreamIsInOrder) {
  copyIn(0, 0, 190);
  launch(0, 0, 100);
  copyOut(0, 0, 90);
  EXPECT_EQ(heteroEmulatorVirtualTime(), 200u + 200u + 100u);
}

/// Copies in both directions overlap; two in the same direction do not.
TEST_F(ClockTest, DirectionsOverlap) {
  copyIn(0, 0, 90);
  copyOut(0, 1, 190);
  EXPECT_EQ(heteroEmulatorVirtualTime(), 200u);
  copyIn(0, 2, 290);
  EXPECT_EQ(heteroEmulatorVirtualTime(), 100u + 300u);
}

/// Work that has to wait does not keep the engine from other streams.
TEST_F(ClockTest, EnginesTakeWhatIsReady) {
  copyIn(0, 0, 990);
  wait(0, 1, record(0, 0));
  launch(0, 1, 100);
  launch(0, 2, 300);
  EXPECT_EQ(heteroEmulatorVirtualTime(), 1000u + 200u);
}

/// A copy between devices takes the way out of one and the way into the other.
TEST_F(ClockTest, TwoDevices) {
  launch(0, 0, 100);
  launch(1, 0, 300);
  EXPECT_EQ(heteroEmulatorVirtualTime(), 400u);
  wait(1, 1, record(0, 0));
  ASSERT_OK(cuMemcpyPeerAsync(memory[1], context[1], memory[0], context[0], 490,
                              streams[1][1]));
  copyOut(0, 1, 40);  // before the copy: it is ready at once
  copyIn(1, 2, 90);   // the same
  copyOut(1, 2, 590); // overlaps
  EXPECT_EQ(heteroEmulatorVirtualTime(), 200u + 500u);
}

TEST_F(ClockTest, EventsShowVirtualTime) {
  cuda::Event begin = record(0, 0);
  launch(0, 0, 2000000000 - 100);
  cuda::Event end = record(0, 0);
  float milliseconds = 0;
  ASSERT_OK(cuEventSynchronize(end));
  ASSERT_OK(cuEventElapsedTime(&milliseconds, begin, end));
  EXPECT_EQ(milliseconds, 2.0f);
}

/// The host issues after it has waited; a blocking copy waits.
TEST_F(ClockTest, HostWaits) {
  launch(0, 0, 100);
  launch(0, 1, 500);
  ASSERT_OK(cuStreamSynchronize(streams[0][0]));
  EXPECT_EQ(heteroEmulatorHostTime(), 200u);
  cuda::Event event = record(0, 1);
  EXPECT_EQ(cuEventQuery(event), 600 /* CUDA_ERROR_NOT_READY */);
  heteroEmulatorHostWorks(50);
  copyIn(0, 2, 90);
  EXPECT_EQ(heteroEmulatorVirtualTime(), 800u);
  EXPECT_EQ(heteroEmulatorHostTime(), 250u);
  char values[20];
  ASSERT_OK(cuMemcpyDtoH_v2(values, memory[0], 20));
  EXPECT_EQ(heteroEmulatorHostTime(), 280u);
  heteroEmulatorHostWorks(1000);
  EXPECT_OK(cuEventQuery(event));
}

/// Of several threads the one goes on whose work is done first; of those whose
/// work is done by the clock, the first.
TEST_F(ClockTest, HostWaitsForOne) {
  launch(0, 0, 500);
  launch(1, 0, 100);
  void *both[] = {streams[0][0], streams[1][0]};
  int oneEach[] = {1, 1}, two = 2, none[] = {0, 1};
  EXPECT_EQ(heteroEmulatorWaitForOne(both, oneEach, 2), 1);
  EXPECT_EQ(heteroEmulatorHostTime(), 200u);
  EXPECT_EQ(heteroEmulatorWaitForOne(both, oneEach, 2), 1);
  EXPECT_EQ(heteroEmulatorWaitForOne(both, none, 2), 0);
  EXPECT_EQ(heteroEmulatorHostTime(), 200u);
  EXPECT_EQ(heteroEmulatorWaitForOne(both, &two, 1), 0);
  EXPECT_EQ(heteroEmulatorHostTime(), 600u);
  EXPECT_EQ(heteroEmulatorWaitForOne(both, oneEach, 2), 0);
  EXPECT_EQ(heteroEmulatorWaitForOne(nullptr, nullptr, 0), 0);
}

/// What the host issues after a wait goes before what was issued earlier and
/// cannot start yet.
TEST_F(ClockTest, HostOvertakesWorkThatWaits) {
  copyIn(0, 0, 990);
  wait(0, 1, record(0, 0));
  launch(0, 1, 100); // from 1000
  copyOut(0, 2, 90);
  ASSERT_OK(cuStreamSynchronize(streams[0][2]));
  launch(0, 2, 100); // from 100
  ASSERT_OK(cuStreamSynchronize(streams[0][2]));
  EXPECT_EQ(heteroEmulatorHostTime(), 300u);
  EXPECT_EQ(heteroEmulatorVirtualTime(), 1200u);
}

/// Threads of streams race in real time; the times stay.
TEST_F(ClockTest, IsDeterministic) {
  std::string first;
  for (int run = 0; run < 20; ++run) {
    heteroEmulatorRestartClock();
    uint32_t state = 1;
    auto next = [&](uint32_t bound) {
      state = state * 1664525 + 1013904223;
      return (state >> 16) % bound;
    };
    for (int i = 0; i < 60; ++i) {
      int device = next(2), stream = next(3);
      ASSERT_OK(cuCtxSetCurrent(context[device]));
      switch (next(5)) {
      case 0:
        copyIn(device, stream, 1 + next(kBytes));
        break;
      case 1:
        copyOut(device, stream, 1 + next(kBytes));
        break;
      case 2:
        wait(next(2), next(3), record(device, stream));
        break;
      case 3:
        if (next(4) == 0)
          ASSERT_OK(cuStreamSynchronize(streams[device][stream]));
        break;
      default:
        launch(device, stream, next(500), next(500), 1 + next(8));
      }
    }
    std::unique_ptr<char, void (*)(void *)> report(heteroEmulatorTimeline(),
                                                   std::free);
    if (run == 0)
      first = report.get();
    ASSERT_EQ(first, report.get());
  }
}

//===----------------------------------------------------------------------===//
// Several hosts
//===----------------------------------------------------------------------===//

/// A host each with a device each.
static void runHosts(const std::function<void(int)> &work) {
  std::vector<std::thread> threads;
  for (int host = 0; host < 2; ++host)
    threads.emplace_back([&work, host] {
      heteroEmulatorEnterHost(host);
      work(host);
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// What one does moves no other's clock, whichever thread is faster.
TEST_F(ClockTest, EachHostHasAClock) {
  for (int slower : {0, 1, 2}) {
    heteroEmulatorRestartClock();
    uint64_t hostTime[2], makespan[2];
    runHosts([&](int host) {
      for (int i = 0; i < 20; ++i) {
        if (host == slower)
          std::this_thread::sleep_for(std::chrono::microseconds(200));
        ASSERT_OK(cuCtxSetCurrent(context[host]));
        copyIn(host, 0, host ? 290 : 90);
        wait(host, 1, record(host, 0));
        launch(host, 1, 100);
        ASSERT_OK(cuStreamSynchronize(streams[host][1]));
        heteroEmulatorHostWorks(host ? 0 : 50);
      }
      launch(host, 0, 400);
      hostTime[host] = heteroEmulatorHostTime();
      makespan[host] = heteroEmulatorVirtualTime();
    });
    EXPECT_EQ(hostTime[0], 20u * (100 + 200 + 50));
    EXPECT_EQ(hostTime[1], 20u * (300 + 200));
    EXPECT_EQ(makespan[0], hostTime[0] + 500);
    EXPECT_EQ(makespan[1], hostTime[1] + 500);
  }
}

/// To wait for another host's work takes no time of this one's clock. All
/// clocks begin anew together.
TEST_F(ClockTest, WorkOfAnotherHostTakesNoTime) {
  heteroEmulatorHostWorks(30);
  std::thread([&] {
    heteroEmulatorEnterHost(1);
    ASSERT_OK(cuCtxSetCurrent(context[1]));
    launch(1, 0, 400);
    EXPECT_EQ(heteroEmulatorHostTime(), 0u);
    EXPECT_EQ(heteroEmulatorVirtualTime(), 500u);
  }).join();
  ASSERT_OK(cuStreamSynchronize(streams[1][0]));
  EXPECT_OK(cuStreamQuery(streams[1][0]));
  cuda::Event event = record(1, 0);
  wait(0, 0, event);
  ASSERT_OK(cuCtxSetCurrent(context[0]));
  launch(0, 0, 100);
  ASSERT_OK(cuStreamSynchronize(streams[0][0]));
  EXPECT_EQ(heteroEmulatorHostTime(), 230u);
  heteroEmulatorRestartClock();
  EXPECT_EQ(heteroEmulatorHostTime(), 0u);
  std::thread([] {
    heteroEmulatorEnterHost(1);
    EXPECT_EQ(heteroEmulatorHostTime(), 0u);
    heteroEmulatorEnterHost(2);
    EXPECT_EQ(heteroEmulatorHostTime(), 0u);
  }).join();
}

/// The hosts, the devices over all of them, and the operations of one host
/// after the other.
TEST(Clock, ReportsTheHosts) {
  Config config;
  Timelines timelines(config);
  auto launch = [&](int device, uint64_t flops) {
    auto operation = std::make_shared<Operation>();
    operation->kind = Work::Kernel;
    operation->name = "k";
    operation->device = operation->source = device;
    operation->bytes = 0;
    operation->stream = device;
    timelines.current().issue(operation, {});
    Effects effects;
    effects.flops = flops;
    timelines.current().finish(*operation, &effects);
  };
  launch(0, 0);
  EXPECT_EQ(timelines.report().find("hosts"), std::string::npos);
  std::thread([&] {
    Timelines::enterHost(3);
    launch(1, 10'000'000);
    timelines.current().hostWorks(900);
  }).join();
  std::string report = timelines.report();
  for (const char *part :
       {"{\"makespan\": 6100000, \"host\": 100900, \"hosts\": [\n",
        "{\"number\": 0, \"makespan\": 5100000, \"host\": 100000},\n",
        "{\"number\": 3, \"makespan\": 6100000, \"host\": 100900}],\n",
        "{\"device\": \"gpu:1\", \"compute\": 6000000, \"copy_in\": 0, ",
        "\"end\": 5100000, \"host\": 0},\n", "\"end\": 6100000, \"host\": 3}]"})
    EXPECT_NE(report.find(part), std::string::npos) << part << "\n" << report;
}
