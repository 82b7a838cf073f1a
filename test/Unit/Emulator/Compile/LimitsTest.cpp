//===- LimitsTest.cpp - Text that ptxas refuses ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"

#include <gtest/gtest.h>

using namespace hetero::emulator::test;

namespace {
std::string compile(const std::string &text, const std::string &version = "8.0",
                    const std::string &target = "80") {
  return compileOnly(".version " + version + "\n.target sm_" + target +
                     "\n.address_size 64\n" + text);
}

void expectError(const std::string &error, const std::string &part) {
  EXPECT_NE(error.find(part), std::string::npos) << error;
}

std::string withShared(unsigned bytes) {
  return ".shared .b8 s[" + std::to_string(bytes) +
         "]; .func f() { st.shared.u32 [s], 1; ret; }\n"
         ".entry k() { .shared .b32 t; st.shared.u32 [t], 1; call f; ret; }";
}
} // namespace

// A kernel has at most 48 KiB of static shared memory, its callees' included.
TEST(PTXLimits, StaticSharedMemory) {
  EXPECT_EQ(compile(withShared(49148)), "");
  expectError(compile(withShared(49152)),
              "kernel 'k' has 49156 bytes of static shared memory, at most "
              "49152 are possible; use dynamic shared memory");
  EXPECT_EQ(compile(".shared .b8 s[65536]; .entry k() { ret; }"), "");
}

// Parameters and constants have limits, too, and barriers are 16.
TEST(PTXLimits, Others) {
  auto params = [](unsigned bytes) {
    return ".entry k(.param .align 4 .b8 p[" + std::to_string(bytes) +
           "]) { ret; }";
  };
  EXPECT_EQ(compile(params(4352)), "");
  expectError(compile(params(4356)), "4356 bytes of parameters");
  EXPECT_EQ(compile(params(32764), "8.1"), "");
  expectError(compile(params(32768), "8.1"), "32768 bytes of parameters");
  EXPECT_EQ(compile(".const .b8 c[65536]; .entry k() { ret; }"), "");
  expectError(compile(".const .b8 c[65536]; .const .b8 d; .entry k() { ret; }"),
              "65537 bytes of constant memory");
  expectError(compile(".entry k() { bar.sync 16; ret; }"), "from 0 to 15");
  expectError(compile(".entry k() { bar.sync 1, 33; ret; }"), "multiple of 32");
}

// What is newer than the module's version or target is refused by name and
// line.
TEST(PTXLimits, NewerThanTheModule) {
  std::string elect = ".entry k() {\n.reg .pred q;\nelect.sync _|q, -1; ret; }";
  EXPECT_EQ(compile(elect, "8.0", "90"), "");
  for (auto [version, target] :
       {std::pair("7.0", "80"), std::pair("7.8", "90"), std::pair("8.0", "80")})
    EXPECT_EQ(compile(elect, version, target),
              std::string("line 6: instruction 'elect.sync' requires .version "
                          "8.0 and .target sm_90 or higher, got ") +
                  version + " and sm_" + target +
                  "; compile for what it requires");
  expectError(compile(".entry k() .reqnctapercluster 1 { ret; }"),
              "'.reqnctapercluster' requires .version 7.8 and .target sm_90");
  expectError(compile(".entry k() { .reg .u32 x; mov.u32 x, %clusterid.x; "
                      "ret; }"),
              "'%clusterid' requires .version 7.8 and .target sm_90");
  expectError(compile(".entry k() { ret; }", "7.0", "90"),
              ".target sm_90 requires .version 7.8, got 7.0");
  expectError(compile(".entry k() { ret; }", "9.1", "90"),
              ".version 9.1 is newer than 9.0");
  expectError(compile(".entry k() { ret; }", "9.0", "90a"),
              "PTX for sm_90a on a device of compute capability 12.0");
}
