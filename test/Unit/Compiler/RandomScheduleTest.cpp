//===- RandomScheduleTest.cpp - Programs under random delays --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs, each compiled once for the host alone and once for several
// devices and units, run in this process on the emulator, which waits at
// random, runs blocks in a random order, and checks that something orders every
// two accesses that conflict. No program may give another result than on the
// host. HETERO_PROGRAMS is the number of programs, HETERO_FIRST_PROGRAM the
// seed of the first.
//
//===----------------------------------------------------------------------===//

#include "ProgramHarness.h"
#include "hetero/Emulator/EmulatorControl.h"
#include "hetero/Runtime/HeteroRuntime.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace ::hetero::test;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HETERO_TEST_SLOWLY 1
#endif
#endif

namespace {

constexpr uint64_t kSchedules = 3;
/// Under the first schedule, so that the others have graphs.
constexpr uint64_t kFirstRuns = 2;

uint64_t readNumber(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

uint64_t countPrograms() {
#ifdef HETERO_TEST_SLOWLY
  uint64_t usual = 5;
#else
  uint64_t usual = std::getenv("HETERO_FULL_TESTS") ? 500 : 60;
#endif
  return readNumber("HETERO_PROGRAMS", usual);
}

/// Runs a program under every schedule; the first thing that is wrong, or
/// nothing. What failed is reset.
std::string findFault(const LoadedProgram &program, uint64_t seed) {
  std::vector<int32_t> expected, got;
  std::string error;
  if (!program.run("host", seed, expected, error))
    return "on the host: " + error;
  for (uint64_t run = 0; run < kSchedules - 1 + kFirstRuns; ++run) {
    uint64_t schedule = run < kFirstRuns ? 1 : run - kFirstRuns + 2;
    heteroEmulatorSchedule(/*isRandom=*/1, schedule);
    uint64_t races = heteroEmulatorRaces();
    bool hasRun = program.run("spread", seed, got, error);
    std::string where = "schedule " + std::to_string(schedule) + ": ";
    if (hasRun && got == expected && heteroEmulatorRaces() == races)
      continue;
    heteroReset();
    if (!hasRun)
      return where + error;
    return where + (got == expected ? "a race" : "a wrong result");
  }
  return "";
}

class Programs : public ::testing::Test {
protected:
  void TearDown() override {
    EXPECT_EQ(heteroReset(), HETERO_OK);
    EXPECT_EQ(heteroEmulatorLive(nullptr), 0u);
  }

  /// How many of some programs go wrong without their calls of a function.
  int64_t countFaultsWithout(const std::string &callee) {
    int64_t faults = 0;
    for (uint64_t seed = 0; seed < 4; ++seed) {
      std::string error;
      auto program =
          LoadedProgram::load(makeRandomProgram(seed), callee, error);
      EXPECT_TRUE(program) << error;
      if (program && program->countRemoved() > 0)
        faults += !findFault(*program, seed).empty();
    }
    return faults;
  }
};

void checkProgram(uint64_t seed, Extra extra = Extra::None) {
  std::string error;
  auto program = LoadedProgram::load(makeRandomProgram(seed, extra), "", error);
  if (program)
    error = findFault(*program, seed);
  EXPECT_EQ(error, "") << "program " << seed << " is wrong; run it alone with "
                       << "HETERO_PROGRAMS=1 HETERO_FIRST_PROGRAM=" << seed
                       << "\n"
                       << makeRandomProgram(seed, extra).text;
}

/// How many graphs have been launched since the report began.
int64_t countGraphLaunches() {
  char *text = heteroReport();
  llvm::StringRef report = text;
  int64_t count = -1;
  report.split("\"launched\": ").second.consumeInteger(10, count);
  heteroFreeString(text);
  return count;
}

TEST_F(Programs, GiveTheResultsOfTheHost) {
  heteroResetReport();
  uint64_t first = readNumber("HETERO_FIRST_PROGRAM", 0);
  for (uint64_t seed = first; seed < first + countPrograms(); ++seed)
    checkProgram(seed);
  EXPECT_GT(countGraphLaunches(), 0);
}

// State is in order wherever it changes: in callees, branches and loops.
TEST_F(Programs, KeepTheirState) {
  uint64_t first = readNumber("HETERO_FIRST_PROGRAM", 0);
  for (uint64_t seed = first; seed < first + countPrograms(); ++seed)
    checkProgram(seed, Extra::State);
}

// Programs that were wrong once.
TEST_F(Programs, StayRight) {
  // A copy that deallocation makes, of what a unit of the callee has written.
  checkProgram(187);
}

// What these tests look for is there to be found.
TEST_F(Programs, AreWrongWithoutTheirWaits) {
  EXPECT_GT(countFaultsWithout("heteroWait"), 0);
}

TEST_F(Programs, RaceWithoutTheOrderOfStreams) {
  EXPECT_GT(countFaultsWithout("heteroOrder"), 0);
}

} // namespace

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  setenv("HETERO_CUDA_DRIVER", "emulator", /*overwrite=*/1);
  setenv("HETERO_EMULATOR", "devices=2,check=races", /*overwrite=*/1);
  setenv("HETERO_NUM_THREADS", "2", /*overwrite=*/1);
  return RUN_ALL_TESTS();
}
