//===- CacheTest.cpp - Tests of compiled code on the disk -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"

#include "Emulator/Compile/Compiler.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <thread>

using namespace hetero::emulator;
using namespace hetero::emulator::test;
namespace fs = std::filesystem;

namespace {
class PTXCache : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hetero-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  /// A module that writes `value`, read from a variable, and its result.
  static std::string moduleOf(int value) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".global .u32 v = " +
           std::to_string(value) +
           ";\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
           ".reg .b32 %r<2>;\n.reg .b64 %a<2>;\n"
           "ld.param.u64 %a0, [out];\nld.global.u32 %r0, [v];\n"
           "add.u32 %r0, %r0, " +
           std::to_string(value) + ";\nst.global.u32 [%a0], %r0;\nret;\n}\n";
  }

  /// Runs the module; whether its code was found in the folder.
  bool isFound(int value) {
    bool wasFound = false;
    Outcome outcome = runCached(moduleOf(value), folder, wasFound);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.word(0), 2u * value);
    return wasFound;
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> result;
    for (const auto &entry : fs::directory_iterator(folder))
      if (entry.path().extension() != ".timestamp")
        result.push_back(entry.path());
    return result;
  }

  std::string folder;
};
} // namespace

TEST_F(PTXCache, FindsWhatWasCompiled) {
  EXPECT_FALSE(isFound(1));
  EXPECT_EQ(files().size(), 1u);
  EXPECT_TRUE(isFound(1));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(PTXCache, CompilesWhatRuns) {
  // Both kernels have the function that they call in code of their own.
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".func (.reg .b32 r) twice(.reg .b32 x)\n{\n"
                     "add.u32 r, x, x;\nret;\n}\n";
  for (std::string name : {"first", "second"})
    text += ".visible .entry " + name +
            "(.param .u64 out)\n{\n.reg .b32 %r<2>;\n.reg .b64 %a<2>;\n"
            "ld.param.u64 %a0, [out];\nld.global.u32 %r0, [%a0];\n"
            "call.uni (%r1), twice, (%r0);\n"
            "st.global.u32 [%a0], %r1;\nret;\n}\n";
  CompileOptions options;
  options.cache = folder;
  auto compiled = compilePTX(text, 8, 0, options);
  auto *code = std::get_if<std::unique_ptr<CompiledModule>>(&compiled);
  ASSERT_NE(code, nullptr);
  EXPECT_EQ(files().size(), 0u);
  EXPECT_NE((*code)->threadFunction(*(*code)->lookup("first")), nullptr);
  EXPECT_EQ(files().size(), 1u);
  EXPECT_NE((*code)->threadFunction(*(*code)->lookup("second")), nullptr);
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(PTXCache, OtherTextIsOtherCode) {
  EXPECT_FALSE(isFound(1));
  EXPECT_FALSE(isFound(2));
  EXPECT_EQ(files().size(), 2u);
  EXPECT_TRUE(isFound(1));
}

TEST_F(PTXCache, MakesItsFolder) {
  folder += "/a/b";
  EXPECT_FALSE(isFound(1));
  EXPECT_TRUE(isFound(1));
}

/// Of a file with another byte, without its end, and without anything.
TEST_F(PTXCache, ReplacesWhatIsCorrupt) {
  EXPECT_FALSE(isFound(1));
  fs::path file = files().front();
  auto size = fs::file_size(file);
  for (uintmax_t length : {size, size / 2, uintmax_t(70), uintmax_t(0)}) {
    fs::resize_file(file, length);
    if (length == size) {
      std::fstream stream(file, std::ios::in | std::ios::out);
      stream.seekp(200);
      stream.put('#');
    }
    EXPECT_FALSE(isFound(1)) << length;
    EXPECT_EQ(fs::file_size(file), size);
    EXPECT_TRUE(isFound(1)) << length;
  }
}

/// A folder in place of the file cannot be read and not be replaced.
TEST_F(PTXCache, WorksWithoutAFileThatItCanRead) {
  EXPECT_FALSE(isFound(1));
  fs::path file = files().front();
  fs::remove(file);
  fs::create_directories(file / "inside");
  EXPECT_FALSE(isFound(1));
  EXPECT_FALSE(isFound(1));
}

TEST_F(PTXCache, WorksWithoutAFolder) {
  std::ofstream(folder + "/file") << "text";
  folder += "/file";
  EXPECT_FALSE(isFound(1));
  EXPECT_FALSE(isFound(1));
  folder = fs::path(folder).parent_path();
}

/// They write one name at once; each reads a whole file or none.
TEST_F(PTXCache, IsSharedByProcesses) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this] {
      isFound(1);
      isFound(2);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(files().size(), 2u);
  EXPECT_TRUE(isFound(1));
  EXPECT_TRUE(isFound(2));
}
