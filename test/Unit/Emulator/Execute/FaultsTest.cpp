//===- FaultsTest.cpp - Tests of what kernels must not do -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each fault has an error, and a message that says which thread of which block
// of which kernel did what in which line, and next to which memory.
//
//===----------------------------------------------------------------------===//

#include "../PTXFaultHarness.h"

extern "C" cuda::Result cuMemFree_v2(cuda::DevicePointer);

namespace {
class PTXFaults : public PTXFaultTest {
protected:
  PTXFaults() : PTXFaultTest("faults.ptx") {}
};
} // namespace

TEST_F(PTXFaults, OutOfBounds) {
  cuda::DevicePointer memory = upload(std::vector<uint32_t>(40));
  expectFault("storeBeyond", 1, 64, {memory}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (40, 0, 0) stores 4 bytes to global address " +
                  hex(memory + 160) + " " + lineOf("storeBeyond") +
                  ", 0 bytes after the end of " + allocation(160, memory));
}

TEST_F(PTXFaults, BeforeTheBeginning) {
  cuda::DevicePointer memory = upload(std::vector<uint32_t>(128));
  expectFault("loadBefore", 1, 64, {memory}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (0, 0, 0) loads 8 bytes from global "
              "address " +
                  hex(memory - 24) + " " + lineOf("loadBefore") +
                  ", 24 bytes before " + allocation(512, memory));
}

TEST_F(PTXFaults, AcrossTheEnd) {
  cuda::DevicePointer memory = upload(std::vector<uint8_t>(50));
  expectFault("storeBeyond", 1, 64, {memory}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (12, 0, 0) stores 4 bytes to global address " +
                  hex(memory + 48) + " " + lineOf("storeBeyond") +
                  ", crosses the end of " + allocation(50, memory));
}

TEST_F(PTXFaults, Atomics) {
  cuda::DevicePointer memory = upload(std::vector<uint32_t>(33));
  expectFault("atomicBeyond", 1, 64, {memory}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (33, 0, 0) stores 4 bytes to global address " +
                  hex(memory + 132) + " " + lineOf("atomicBeyond") +
                  ", 0 bytes after the end of " + allocation(132, memory));
}

/// Of memory that was freed before, with and without neighbours.
TEST_F(PTXFaults, UseAfterFree) {
  cuda::DevicePointer memory = upload(std::vector<uint32_t>(64));
  cuda::DevicePointer other = upload(std::vector<uint32_t>(64));
  ASSERT_OK(cuMemFree_v2(memory));
  expectFault("storeBeyond", 1, 64, {memory + 8}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (0, 0, 0) stores 4 bytes to global address " +
                  hex(memory + 8) + " " + lineOf("storeBeyond") +
                  ", at offset 8 of " + allocation(256, memory) +
                  ", which was freed");
  EXPECT_NE(memory, other);
}

TEST_F(PTXFaults, Misaligned) {
  cuda::DevicePointer memory = upload(std::vector<uint32_t>(128));
  expectFault("loadMisaligned", 1, 64, {memory}, cuda::kMisalignedAddress,
              "(0, 0, 0), thread (0, 0, 0) loads 4 bytes from global address " +
                  hex(memory + 2) + " " + lineOf("loadMisaligned") +
                  ", which is not a multiple of the size, at offset 2 of " +
                  allocation(512, memory));
}

TEST_F(PTXFaults, SharedMemory) {
  expectFault("storeSharedBeyond", 1, 64, {}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (24, 0, 0) stores 4 bytes to shared address "
              "0x60 " +
                  lineOf("storeSharedBeyond") + ", where there are 96 bytes");
}

TEST_F(PTXFaults, SharedMemoryMisaligned) {
  expectFault("storeSharedMisaligned", 1, 64, {}, cuda::kMisalignedAddress,
              "(0, 0, 0), thread (1, 0, 0) stores 2 bytes to shared address "
              "0x1 " +
                  lineOf("storeSharedMisaligned") +
                  ", which is not a multiple of the size, where there are 256 "
                  "bytes");
}

TEST_F(PTXFaults, LocalMemory) {
  expectFault("storeLocalBeyond", 1, 64, {5}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (0, 0, 0) stores 4 bytes to local address "
              "0x14 " +
                  lineOf("storeLocalBeyond") + ", where there are 16 bytes");
}

TEST_F(PTXFaults, Traps) {
  expectFault("trapInOne", 4, 64, {}, cuda::kLaunchFailed,
              "(2, 0, 0), thread (5, 0, 0) stops: trap " + lineOf("trapInOne"));
}

TEST_F(PTXFaults, CallsOfNoFunction) {
  expectFault("callNothing", 1, 64, {0x1234}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) stops: calls something that is not "
              "a function of this type " +
                  lineOf("callNothing"));
}

TEST_F(PTXFaults, JumpsBeyondATable) {
  expectFault("jumpBeyond", 1, 64, {2}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) stops: jumps beyond the end of a "
              "table of labels " +
                  lineOf("jumpBeyond"));
}

TEST_F(PTXFaults, RecursionWithoutEnd) {
  cuda::DevicePointer memory = upload(std::vector<uint32_t>(1));
  expectFault("recurseForever", 1, 64, {memory}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) stops: recursion is too deep " +
                  lineOf("recurseForever"));
}

TEST_F(PTXFaults, BarriersThatOthersDoNotReach) {
  expectFault("partAtBarriers", 1, 64, {}, cuda::kLaunchFailed,
              "(0, 0, 0) can never go on: 32 of its 64 threads wait at barrier "
              "1, thread (0, 0, 0) among them " +
                  lineOf("partAtBarriers first") +
                  ", 32 of its 64 threads wait at barrier 2, thread (32, 0, 0) "
                  "among them " +
                  lineOf("partAtBarriers second") +
                  "; let all threads reach the same barrier");
}

TEST_F(PTXFaults, BarriersThatAreNotThere) {
  expectFault("barrierNumber", 1, 64, {16}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) uses a barrier whose number is not "
              "below 16 " +
                  lineOf("barrierNumber"));
}

TEST_F(PTXFaults, BarriersForPartsOfWarps) {
  expectFault("barrierCount", 1, 64, {48}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) waits at a barrier for a number of "
              "threads that is not a multiple of 32 " +
                  lineOf("barrierCount"));
}

TEST_F(PTXFaults, LanesOutsideOfTheMask) {
  expectFault("shuffleOutside", 1, 64, {0xfffffffe}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) takes part in a warp's operation "
              "whose mask leaves it out " +
                  lineOf("shuffleOutside"));
}

TEST_F(PTXFaults, PhasesOfNoObject) {
  expectFault("phaseNotThere", 1, 64, {}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) uses an mbarrier that was not "
              "initialized " +
                  lineOf("phaseNotThere"));
}

TEST_F(PTXFaults, PhasesWithTooManyArrivals) {
  expectFault("phaseFull", 1, 64, {5}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (2, 0, 0) arrives 2 times at an mbarrier that "
              "waits for 1 " +
                  lineOf("phaseFull"));
}

TEST_F(PTXFaults, PhasesThatMustNotEnd) {
  expectFault("phaseFull", 1, 64, {4}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (1, 0, 0) ends a phase of an mbarrier with an "
              "arrival that must not " +
                  lineOf("phaseFull"));
}

TEST_F(PTXFaults, PhasesWithoutArrivals) {
  expectFault("phaseFull", 1, 64, {0}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) initializes an mbarrier for 0 "
              "arrivals, not for 1 to 1048575 " +
                  lineOf("phaseFull init"));
}

//===----------------------------------------------------------------------===//
// What programs print that ask for nothing
//===----------------------------------------------------------------------===//

/// Each fault once, with the line of the source if the PTX says it.
TEST_F(PTXFaults, ArePrinted) {
  const char *text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".visible .entry wrong(.param .u64 p) {\n"
                     ".reg .b64 %rd<2>;\n"
                     ".loc 1 12 3\n"
                     "ld.param.u64 %rd1, [p];\n"
                     ".loc 1 14 7, function_name $L__info0, inlined_at 1 9 3\n"
                     "st.global.u32 [%rd1], 1;\nret;\n}\n"
                     ".visible .entry other() {\ntrap;\n}\n"
                     ".file 1 \"/home/me/sum.cu\", 1700000000, 99\n";
  testing::internal::CaptureStderr();
  launchText(text, "wrong", 1, 2, {64}, cuda::kIllegalAddress);
  EXPECT_EQ(cuCtxSynchronize(), cuda::kIllegalAddress);
  std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_EQ(printed, "hetero emulator: " +
                         std::string(heteroEmulatorLastFault()) + "\n");
  EXPECT_NE(printed.find("kernel wrong, block (0, 0, 0), thread (0, 0, 0) "
                         "stores 4 bytes to global address 0x40 (line 9 of the "
                         "PTX, /home/me/sum.cu:14)"),
            std::string::npos)
      << printed;
}

TEST_F(PTXFaults, ArePrintedWithoutSource) {
  const char *text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".file 1 \"sum.cu\"\n.visible .entry first() {\n"
                     ".loc 1 1 1\nret;\n}\n"
                     ".visible .entry stop() {\ntrap;\n}\n";
  testing::internal::CaptureStderr();
  launchText(text, "stop", 3, 64, {}, cuda::kLaunchFailed);
  std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_EQ(printed.find("hetero emulator: kernel stop, block ("), 0u);
  EXPECT_NE(printed.find("stops: trap (line 10 of the PTX)\n"),
            std::string::npos)
      << printed;
  EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 1);
}

/// Programs that say by themselves what went wrong.
TEST_F(PTXFaults, AreNotPrintedTwice) {
  heteroEmulatorPrintFaults(0);
  testing::internal::CaptureStderr();
  launch("faults.ptx", "storeBeyond", 1, 64, {64}, cuda::kIllegalAddress);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  heteroEmulatorPrintFaults(1);
}
