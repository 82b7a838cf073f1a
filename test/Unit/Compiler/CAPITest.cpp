//===- CAPITest.cpp - Tests the C API of the compiler ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero-c/Compiler.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

/// x + x with `size` elements, named @run; @other does nothing.
std::string getSource(int64_t size) {
  std::string type = "tensor<" + std::to_string(size) + "xf32>";
  return "func.func @run(%x: " + type + ") -> " + type +
         " {\n"
         "  %0 = tensor.empty() : " +
         type + "\n  %1 = linalg.add ins(%x, %x : " + type + ", " + type +
         ") outs(%0 : " + type + ") -> " + type + "\n  return %1 : " + type +
         "\n}\nfunc.func @other() { return }\n";
}

std::string take(char *text) {
  std::string result = text ? text : "";
  heteroFreeString(text);
  return result;
}

struct Compiled {
  Compiled(const std::string &source, const HeteroCompileOptions *options) {
    char *text = nullptr;
    program = heteroCompileBuffer(source.data(), source.size(), "source",
                                  options, &text);
    diagnostics = take(text);
  }
  ~Compiled() { heteroDestroyProgram(program); }

  HeteroProgram *program;
  std::string diagnostics;
};

using Invoke = HeteroStatus (*)(HeteroProgram *, const char *,
                                const HeteroValue *, int32_t, HeteroValue *,
                                int32_t);

HeteroStatus invoke(HeteroProgram *program, const char *entry,
                    const HeteroValue *arguments, int32_t numArguments,
                    HeteroValue *results, int32_t numResults) {
  return heteroInvoke(program, entry, arguments, numArguments, results,
                      numResults);
}

/// Calls @run with ones.
std::vector<float> run(HeteroProgram *program, int64_t size,
                       Invoke call = invoke) {
  std::vector<float> ones(size, 1);
  HeteroValue argument = {}, result = {};
  argument.data = ones.data();
  argument.type = HETERO_TYPE_F32;
  argument.rank = 1;
  argument.device = HETERO_HOST;
  argument.sizes[0] = size;
  argument.strides[0] = 1;
  if (call(program, "run", &argument, 1, &result, 1) != HETERO_OK)
    return {};
  const auto *data = static_cast<const float *>(result.data);
  std::vector<float> values(data, data + size);
  heteroReleaseValue(&result);
  return values;
}

TEST(CAPI, ListsEntryPoints) {
  Compiled compiled(getSource(3), nullptr);
  ASSERT_NE(compiled.program, nullptr) << compiled.diagnostics;
  const HeteroProgramTable *table = heteroGetProgramTable(compiled.program);
  ASSERT_EQ(table->numEntries, 2);
  EXPECT_STREQ(table->entries[0].name, "run");
  ASSERT_EQ(table->entries[0].numArguments, 1);
  EXPECT_EQ(table->entries[0].arguments[0].type, HETERO_TYPE_F32);
  EXPECT_EQ(table->entries[0].arguments[0].rank, 1);
  EXPECT_EQ(table->entries[0].arguments[0].sizes[0], 3);
  EXPECT_STREQ(table->entries[1].name, "other");
}

/// Each call of @run adds ones to what is kept on a device, and returns it.
std::string getSourceWithState() {
  return "ml_program.global private mutable @sum(dense<2.0> : tensor<3xf32>) "
         ": tensor<3xf32> {hetero.device = #hetero.device<gpu:0>}\n"
         "func.func @run(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
         "  %0 = ml_program.global_load @sum : tensor<3xf32>\n"
         "  %1 = arith.addf %0, %x : tensor<3xf32>\n"
         "  ml_program.global_store @sum = %1 : tensor<3xf32>\n"
         "  return %1 : tensor<3xf32>\n}\n";
}

TEST(CAPI, ReadsAndWritesState) {
  Compiled first(getSourceWithState(), nullptr),
      second(getSourceWithState(), nullptr);
  ASSERT_NE(first.program, nullptr) << first.diagnostics;
  const HeteroStateTable *states = heteroGetProgramStates(first.program);
  ASSERT_EQ(states->numStates, 1);
  EXPECT_STREQ(states->states[0].name, "sum");
  EXPECT_EQ(states->states[0].type, HETERO_TYPE_F32);
  std::vector<float> copy(3, 0);
  HeteroValue value = {};
  value.data = copy.data();
  value.type = HETERO_TYPE_F32;
  value.rank = 1;
  value.device = HETERO_HOST;
  value.sizes[0] = 3;
  value.strides[0] = 1;
  ASSERT_EQ(heteroReadState(states->states, &value), HETERO_OK);
  EXPECT_EQ(copy, std::vector<float>(3, 2));
  EXPECT_EQ(run(first.program, 3), std::vector<float>(3, 3));
  copy.assign(3, 10);
  ASSERT_EQ(heteroWriteState(states->states, &value), HETERO_OK);
  EXPECT_EQ(run(first.program, 3), std::vector<float>(3, 11));
  ASSERT_EQ(heteroReadState(states->states, &value), HETERO_OK);
  EXPECT_EQ(copy, std::vector<float>(3, 11));
  EXPECT_EQ(run(second.program, 3), std::vector<float>(3, 3));
  // The device has lost what was on it.
  ASSERT_EQ(heteroReset(), HETERO_OK);
  EXPECT_EQ(run(first.program, 3), std::vector<float>(3, 3));
  value.sizes[0] = 2;
  EXPECT_EQ(heteroReadState(states->states, &value),
            HETERO_ERROR_INVALID_ARGUMENT);
  Compiled without(getSource(3), nullptr);
  EXPECT_EQ(heteroGetProgramStates(without.program)->numStates, 0);
}

TEST(CAPI, RefusesUnknownEntries) {
  Compiled compiled(getSource(3), nullptr);
  EXPECT_EQ(heteroInvoke(compiled.program, "none", nullptr, 0, nullptr, 0),
            HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(), "the program has no entry point 'none'; it "
                                  "has run, other");
  // Two entry points, and none is main.
  EXPECT_EQ(heteroInvoke(compiled.program, nullptr, nullptr, 0, nullptr, 0),
            HETERO_ERROR_INVALID_ARGUMENT);
}

TEST(CAPI, SetsOptionsByName) {
  HeteroCompileOptions *options = heteroCreateCompileOptions();
  EXPECT_EQ(take(heteroSetCompileOption(options, "default", "gpu:0")), "");
  EXPECT_EQ(take(heteroSetCompileOption(options, "opt-level", "1")), "");
  EXPECT_EQ(take(heteroSetCompileOption(options, "bounds-checks", "false")),
            "");
  EXPECT_EQ(take(heteroSetCompileOption(options, "opt-level", "high")),
            "expected an integer for the option 'opt-level', got 'high'");
  EXPECT_EQ(take(heteroSetCompileOption(options, "allow-tf32", "1")),
            "expected true or false for the option 'allow-tf32', got '1'");
  EXPECT_EQ(take(heteroSetCompileOption(options, "copy-site", "late")), "");
  EXPECT_EQ(take(heteroSetCompileOption(options, "copy-site", "soon")),
            "expected one of eager, late, auto for the option 'copy-site', got "
            "'soon'");
  EXPECT_EQ(take(heteroSetCompileOption(options, "trip-count", "100")), "");
  EXPECT_EQ(take(heteroSetCompileOption(options, "dynamic-size", "auto")), "");
  EXPECT_EQ(take(heteroSetCompileOption(options, "trip-count", "0")),
            "expected a number from 1, or auto for the option 'trip-count', "
            "got '0'");
  EXPECT_EQ(take(heteroSetCompileOption(options, "rule", ""))
                .find("no option is named 'rule'; expected one of "),
            0u);
  Compiled compiled(getSource(4), options);
  heteroDestroyCompileOptions(options);
  ASSERT_NE(compiled.program, nullptr) << compiled.diagnostics;
  EXPECT_EQ(run(compiled.program, 4), std::vector<float>(4, 2));
  std::string placement =
      take(heteroDescribePlacement(compiled.program, "json", nullptr));
  EXPECT_NE(placement.find("\"device\": \"gpu:0\""), std::string::npos)
      << placement;
}

TEST(CAPI, ComparesPlacements) {
  Compiled first(getSource(4), nullptr), second(getSource(4), nullptr);
  std::string page =
      take(heteroComparePlacements(first.program, second.program, nullptr));
  EXPECT_NE(page.find("id=\"placement\""), std::string::npos);
  EXPECT_NE(page.find("id=\"against\""), std::string::npos);
}

// The placement has times of operations once a call was measured, and no call
// of a program without marks is.
TEST(CAPI, MeasuresOperations) {
  Compiled plain(getSource(4), nullptr);
  EXPECT_TRUE(run(plain.program, 4, heteroInvokeMeasured).empty());
  EXPECT_STREQ(heteroLastError(),
               "expected a program that was compiled here with the option "
               "'mark-nodes'; compile it so to measure it");
  for (const char *device : {"cpu", "gpu:0"}) {
    HeteroCompileOptions *options = heteroCreateCompileOptions();
    EXPECT_EQ(take(heteroSetCompileOption(options, "default", device)), "");
    EXPECT_EQ(take(heteroSetCompileOption(options, "mark-nodes", "true")), "");
    Compiled compiled(getSource(4), options);
    heteroDestroyCompileOptions(options);
    ASSERT_NE(compiled.program, nullptr) << compiled.diagnostics;
    auto describe = [&] {
      return take(heteroDescribePlacement(compiled.program, "json", nullptr));
    };
    EXPECT_EQ(run(compiled.program, 4), std::vector<float>(4, 2));
    EXPECT_EQ(describe().find("measured"), std::string::npos);
    EXPECT_EQ(run(compiled.program, 4, heteroInvokeMeasured),
              std::vector<float>(4, 2));
    std::string placement = describe();
    EXPECT_NE(placement.find("\"measured_seconds\": "), std::string::npos)
        << placement;
    EXPECT_NE(placement.find("\"nodes\": [\n    \"source:3:8\"\n   ]"),
              std::string::npos)
        << placement;
  }
}

// The program is the fastest of what was measured, and has all entry points.
// What cannot be called is an error before anything is compiled.
TEST(CAPI, TunesPlacements) {
  std::string source = getSource(16);
  char *text = nullptr;
  HeteroProgram *program = heteroTuneBuffer(
      source.data(), source.size(), "source", nullptr, "run", nullptr,
      /*numArguments=*/-1, /*rounds=*/2, &text);
  std::string diagnostics = take(text);
  ASSERT_TRUE(program) << diagnostics;
  EXPECT_EQ(run(program, 16), std::vector<float>(16, 2));
  EXPECT_EQ(heteroGetProgramTable(program)->numEntries, 2);
  std::string tuning = take(heteroDescribeTuning(program));
  for (const char *member :
       {"\"kept\":\"", "\"profile\":\"# Measured", "\"name\":\"round 1\"",
        "\"name\":\"all on cpu:0\"",
        "\"call_seconds\":", "\"operations\":[{\"name\":\"linalg.add at "})
    EXPECT_NE(tuning.find(member), tuning.npos) << member << tuning;
  heteroDestroyProgram(program);

  HeteroValue wrong = {};
  wrong.type = HETERO_TYPE_I32;
  wrong.device = HETERO_HOST;
  program = heteroTuneBuffer(source.data(), source.size(), "source", nullptr,
                             "run", &wrong, 1, 2, &text);
  EXPECT_FALSE(program);
  EXPECT_EQ(take(text), "hetero: error: argument 0 is expected to be "
                        "tensor<16xf32>, got tensor<i32>\n");
  program = heteroTuneBuffer(source.data(), source.size(), "source", nullptr,
                             "run", nullptr, 0, 2, &text);
  EXPECT_FALSE(program);
  EXPECT_EQ(take(text), "hetero: error: 'run' has 1 argument(s), got 0\n");
  program = heteroTuneBuffer(source.data(), source.size(), "source", nullptr,
                             "run", nullptr, -1, /*rounds=*/0, nullptr);
  ASSERT_TRUE(program);
  EXPECT_EQ(heteroDescribeTuning(program), nullptr);
  heteroDestroyProgram(program);
}

TEST(CAPI, DescribesOptions) {
  std::string text = take(heteroDescribeCompileOptions());
  EXPECT_NE(text.find("{\"name\":\"rules\",\"type\":\"string\",\"default\":"
                      "\"\",\"help\":\""),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"default\":\"auto\",\"choices\":[\"eager\",\"late\","
                      "\"auto\"]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("{\"name\":\"opt-level\",\"type\":\"int\",\"default\":3"),
            std::string::npos)
      << text;
}

TEST(CAPI, ReportsErrorsWithTheirPlace) {
  Compiled parse("func.func @run() { return 3 }", nullptr);
  EXPECT_EQ(parse.program, nullptr);
  EXPECT_EQ(parse.diagnostics.find("source:1:"), 0u) << parse.diagnostics;
  Compiled elsewhere("func.func private @f()\n"
                     "func.func @run() { call @f() : () -> () return }",
                     nullptr);
  EXPECT_EQ(elsewhere.program, nullptr);
  EXPECT_NE(elsewhere.diagnostics.find("no library defines 'f'"),
            std::string::npos)
      << elsewhere.diagnostics;
  EXPECT_EQ(heteroCompileFile("/nowhere.mlir", nullptr, nullptr), nullptr);
}

TEST(CAPI, CompilesAndCallsInThreads) {
  Compiled shared(getSource(7), nullptr);
  ASSERT_NE(shared.program, nullptr) << shared.diagnostics;
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      Compiled own(getSource(10 + i), nullptr);
      right[i] = own.program &&
                 run(own.program, 10 + i) == std::vector<float>(10 + i, 2) &&
                 run(shared.program, 7) == std::vector<float>(7, 2);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 1));
}

/// A library keeps the caller's text, and the program that is loaded has it.
TEST(CAPI, KeepsNotes) {
  Compiled compiled(getSource(3), nullptr);
  ASSERT_NE(compiled.program, nullptr) << compiled.diagnostics;
  EXPECT_STREQ(heteroGetProgramNote(compiled.program), "");
  std::string file = testing::TempDir() + "hetero-note.so";
  for (const char *note : {"", "names: \"x\""}) {
    heteroSetProgramNote(compiled.program, note);
    char *text = nullptr;
    bool isSaved = heteroSaveProgram(compiled.program, file.c_str(), &text);
    std::string diagnostics = take(text);
    ASSERT_TRUE(isSaved) << diagnostics;
    HeteroProgram *loaded = heteroLoadProgram(file.c_str(), nullptr);
    ASSERT_NE(loaded, nullptr);
    EXPECT_STREQ(heteroGetProgramNote(loaded), note);
    heteroDestroyProgram(loaded);
  }
}

/// The process may end while a compilation goes on, with the status it wants.
TEST(CAPI, EndsWithoutCompilations) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        std::thread([] {
          for (;;)
            Compiled(getSource(7), nullptr);
        }).detach();
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        heteroLeaveCompilations();
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

/// Many requests at once, each with an argument of its own: on a gpu, and on
/// the host, where nothing is predicted.
TEST(CAPI, InvokesMany) {
  for (const char *device : {"gpu:0", "cpu"}) {
    HeteroCompileOptions *options = heteroCreateCompileOptions();
    EXPECT_EQ(heteroSetCompileOption(options, "default", device), nullptr);
    Compiled compiled(getSource(3), options);
    heteroDestroyCompileOptions(options);
    ASSERT_NE(compiled.program, nullptr) << compiled.diagnostics;
    constexpr int64_t kCount = 20;
    std::vector<float> numbers;
    for (int64_t i = 0; i < 3 * kCount; ++i)
      numbers.push_back(i);
    std::vector<HeteroValue> arguments(kCount), results(kCount);
    for (int64_t i = 0; i < kCount; ++i) {
      HeteroValue &argument = arguments[i];
      argument.data = &numbers[3 * i];
      argument.type = HETERO_TYPE_F32;
      argument.rank = 1;
      argument.device = HETERO_HOST;
      argument.sizes[0] = 3;
      argument.strides[0] = 1;
    }
    auto call = [&](const char *entry, int64_t count, int32_t inFlight) {
      return heteroInvokeMany(compiled.program, entry, arguments.data(), 1,
                              results.data(), 1, count, inFlight);
    };
    for (int32_t inFlight : {0, 1, 3}) {
      ASSERT_EQ(call("run", kCount, inFlight), HETERO_OK) << heteroLastError();
      for (int64_t i = 0; i < kCount; ++i) {
        const auto *data = static_cast<const float *>(results[i].data);
        for (int64_t j = 0; j < 3; ++j)
          EXPECT_EQ(data[j], 2 * numbers[3 * i + j]);
        heteroReleaseValue(&results[i]);
      }
    }
    EXPECT_EQ(call("run", 0, 1), HETERO_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(call("walk", kCount, 1), HETERO_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(heteroLastError(), "the program has no entry point 'walk'; it "
                                    "has run, other");
    arguments[4].sizes[0] = 2;
    EXPECT_EQ(call("run", kCount, 3), HETERO_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(heteroLastError(),
                 "request 4: argument 0: expected tensor<3xf32>, got "
                 "tensor<2xf32>; pass a value that fits the entry point");
  }
}

} // namespace

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  setenv("HETERO_CUDA_DRIVER", "emulator", /*overwrite=*/1);
  return RUN_ALL_TESTS();
}
