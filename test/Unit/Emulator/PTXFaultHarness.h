//===- PTXFaultHarness.h - Runs PTX that must fail --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_EMULATOR_PTXFAULTHARNESS_H
#define HETERO_TEST_UNIT_EMULATOR_PTXFAULTHARNESS_H

#include "PTXLaunchHarness.h"

/// Tests of the kernels of a file in Inputs, whose lines have marks.
class PTXFaultTest : public PTXLaunchTest {
protected:
  explicit PTXFaultTest(const char *file) : file(file) {}

  /// Runs a kernel that must fail with exactly this message.
  void expectFault(const char *kernel, unsigned blocks, unsigned threads,
                   std::vector<uint64_t> params, cuda::Result error,
                   const std::string &message) {
    launch(file, kernel, blocks, threads, std::move(params), error);
    EXPECT_EQ(heteroEmulatorLastFault(),
              "kernel " + std::string(kernel) + ", block " + message);
  }

  /// "(line 12 of the PTX)": where the text ends in the mark.
  std::string lineOf(const std::string &mark) const {
    std::ifstream stream(HETERO_PTX_INPUTS "/" + std::string(file));
    std::string line, wanted = "// " + mark;
    for (int number = 1; std::getline(stream, line); ++number)
      if (line.size() > wanted.size() &&
          line.substr(line.size() - wanted.size()) == wanted)
        return "(line " + std::to_string(number) + " of the PTX)";
    ADD_FAILURE() << "no line of " << mark;
    return "";
  }

  static std::string hex(uint64_t number) {
    std::stringstream stream;
    stream << "0x" << std::hex << number;
    return stream.str();
  }
  static std::string allocation(uint64_t bytes, uint64_t address) {
    return "the allocation of " + std::to_string(bytes) + " bytes at " +
           hex(address);
  }

private:
  const char *file;
};

#endif // HETERO_TEST_UNIT_EMULATOR_PTXFAULTHARNESS_H
