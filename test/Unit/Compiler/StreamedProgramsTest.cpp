//===- StreamedProgramsTest.cpp - Programs within a memory budget ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs with many constants, each compiled with a part of the memory
// that it takes without a limit. It may be refused, with one error; if not, it
// takes no more than that, and gives the results of the host, under random
// delays and without a race.
//
//===----------------------------------------------------------------------===//

#include "ProgramHarness.h"
#include "hetero/Emulator/EmulatorControl.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

using namespace ::hetero::test;

namespace {

/// What the runtime counted on GPUs since the report began.
struct Counts {
  std::map<std::string, int64_t> peaks;
  /// Copies of constants after they were uploaded.
  int64_t streamed = 0;
};

Counts readCounts() {
  char *text = heteroReport();
  auto report = llvm::json::parse(text);
  heteroFreeString(text);
  Counts counts;
  if (!report) {
    ADD_FAILURE() << llvm::toString(report.takeError());
    return counts;
  }
  const llvm::json::Object &object = *report->getAsObject();
  for (const llvm::json::Value &value : *object.getArray("devices")) {
    const llvm::json::Object &device = *value.getAsObject();
    llvm::StringRef name = *device.getString("device");
    if (name.starts_with("gpu"))
      counts.peaks[name.str()] = *device.getInteger("peak_bytes");
  }
  for (const llvm::json::Value &value : *object.getArray("copies"))
    if (value.getAsObject()->getString("value")->starts_with("__constant"))
      counts.streamed += *value.getAsObject()->getInteger("count");
  return counts;
}

class StreamedPrograms : public ::testing::Test {
protected:
  void SetUp() override { begin(); }
  void TearDown() override { EXPECT_EQ(heteroReset(), HETERO_OK); }

  static void begin() {
    EXPECT_EQ(heteroReset(), HETERO_OK);
    heteroResetReport();
  }

  /// Runs the program without a limit; the results of the host, and peaks.
  Counts runFreely(const RandomProgram &program, uint64_t seed,
                   std::vector<int32_t> &expected) {
    std::string error;
    auto loaded = LoadedProgram::load(program, "", error);
    std::vector<int32_t> got;
    if (!loaded || !loaded->run("host", seed, expected, error) ||
        !loaded->run("spread", seed, got, error)) {
      ADD_FAILURE() << error;
      return {};
    }
    EXPECT_EQ(got, expected);
    return readCounts();
  }

  /// The device and the bytes that an error asks for; nothing if it asks for
  /// something else.
  static std::pair<std::string, int64_t> readRemedy(llvm::StringRef error) {
    llvm::StringRef device = error.split(" of constants on ").second;
    llvm::StringRef bytes = error.split("; give it ").second;
    int64_t number = 0;
    if (bytes.consumeInteger(10, number))
      return {"?", 0};
    return {device.split(' ').first.str(), number};
  }

  /// Runs the program if it is not refused; else what it would take.
  std::pair<std::string, int64_t>
  runWithin(const std::map<std::string, int64_t> &budgets, uint64_t seed,
            const RandomProgram &program,
            const std::vector<int32_t> &expected) {
    std::string option, error;
    for (const auto &[device, bytes] : budgets)
      option += device + "=" + std::to_string(bytes) + ",";
    SCOPED_TRACE("program " + std::to_string(seed) + " within " + option);
    begin();
    auto loaded = LoadedProgram::load(program, "", error, option);
    if (!loaded) {
      EXPECT_EQ(llvm::StringRef(error).count("error:"), 1u) << error;
      return readRemedy(error);
    }
    for (uint64_t schedule = 1; schedule <= 3; ++schedule) {
      heteroEmulatorSchedule(/*isRandom=*/1, schedule);
      uint64_t races = heteroEmulatorRaces();
      std::vector<int32_t> got;
      EXPECT_TRUE(loaded->run("spread", seed, got, error)) << error;
      EXPECT_EQ(got, expected);
      EXPECT_EQ(heteroEmulatorRaces(), races);
    }
    Counts counts = readCounts();
    streamed += counts.streamed != 0;
    for (const auto &[device, bytes] : budgets)
      EXPECT_LE(counts.peaks[device], bytes) << device;
    return {};
  }

  int64_t streamed = 0, refused = 0;
};

TEST_F(StreamedPrograms, KeepWithinTheirBudgets) {
  const char *first = std::getenv("HETERO_FIRST_PROGRAM");
  const char *count = std::getenv("HETERO_PROGRAMS");
  uint64_t seed = first ? std::strtoull(first, nullptr, 10) : 0;
  int64_t programs = count ? std::strtoll(count, nullptr, 10)
                     : std::getenv("HETERO_FULL_TESTS") ? 300
                                                        : 20;
  for (int64_t i = 0; i < programs; ++i, ++seed) {
    RandomProgram program = makeRandomProgram(seed, Extra::Weights);
    begin();
    std::vector<int32_t> expected;
    std::map<std::string, int64_t> budgets;
    for (const auto &[device, bytes] : runFreely(program, seed, expected).peaks)
      if (int64_t part = bytes * int64_t(5 + seed % 5) / 10)
        budgets[device] = part;
    // What an error asks for suffices, for that device.
    std::map<std::string, int64_t> given;
    for (bool isDone = budgets.empty(); !isDone;) {
      auto [device, bytes] = runWithin(budgets, seed, program, expected);
      isDone = bytes == 0;
      refused += isDone && !device.empty();
      if (isDone)
        break;
      EXPECT_EQ(given.count(device), 0u) << "program " << seed;
      EXPECT_GT(bytes, budgets[device]) << "program " << seed;
      isDone = given.count(device);
      given[device] = bytes;
      // A little more lets some constants stay, or have two slots.
      budgets[device] = bytes + int64_t(seed % 4) * 256;
    }
  }
  RecordProperty("streamed", streamed);
  RecordProperty("refused", refused);
  if (!count) {
    EXPECT_GE(streamed, programs / 4);
    EXPECT_LE(refused, programs / 2);
  }
}

} // namespace
