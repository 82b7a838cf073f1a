//===- PTXHarness.h - Runs PTX on one thread --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An executor with flat memory and one thread, so that the PTX compiler is
// tested without the driver.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_EMULATOR_PTXHARNESS_H
#define HETERO_TEST_UNIT_EMULATOR_PTXHARNESS_H

#include "Emulator/Compile/Compiler.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace hetero::emulator::test {

/// What a run has left: an empty error, or the compiler's.
struct Outcome {
  std::string error;
  CompileError::Kind kind = CompileError::InvalidPTX;
  std::vector<uint64_t> out;           ///< Eight 64-bit words.
  unsigned faults = 0;                 ///< Accesses outside of the memory.
  uint64_t counted[kNumCounters] = {}; ///< By code that counts.

  uint32_t word(size_t index) const {
    return static_cast<uint32_t>(out[index]);
  }
  float f32(size_t index) const {
    uint32_t bits = word(index);
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
};

/// Compiles a whole module for sm_80 and, if that works, runs its kernel "k"
/// with the addresses of `in` and of eight words of output.
Outcome runModule(const std::string &text, std::vector<uint64_t> in = {});

/// The same by code that counts.
Outcome runCounted(const std::string &text, std::vector<uint64_t> in = {});

/// The same with a folder of compiled code; `wasFound`: nothing was compiled.
Outcome runCached(const std::string &text, const std::string &folder,
                  bool &wasFound);

/// Compiles a module and runs nothing; returns the error.
std::string compileOnly(const std::string &text);

/// runModule for the body of a kernel. Registers %p, %h (16 bits), %r (32), %rd
/// (64) 0 to 19 are declared, %rd0 and %rd1 hold the two addresses, and the
/// low parts of the first inputs are in %r0 to %r3, %rd10 to %rd13 and %h0 to
/// %h3.
Outcome runBody(const std::string &body, std::vector<uint64_t> in = {});

/// The value that one instruction leaves in %r9.
uint32_t word(const std::string &instruction, std::vector<uint64_t> in);
/// The same for %rd9, %h9 and, as 0 or 1, %p9.
uint64_t wide(const std::string &instruction, std::vector<uint64_t> in);
uint16_t half(const std::string &instruction, std::vector<uint64_t> in);
bool predicate(const std::string &instruction, std::vector<uint64_t> in);

/// The bits of a number.
inline uint64_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}
inline uint64_t bits(double value) {
  uint64_t result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}
inline uint64_t bits(uint64_t value) { return value; }

/// Instructions that are compiled once and run for many inputs; each run
/// returns %rd9.
class Sweep {
public:
  explicit Sweep(const std::string &instructions);
  ~Sweep();
  const std::string &error() const { return outcome.error; }
  uint64_t run(std::vector<uint64_t> in);

private:
  Outcome outcome;
  std::unique_ptr<CompiledModule> module;
};

} // namespace hetero::emulator::test

#endif // HETERO_TEST_UNIT_EMULATOR_PTXHARNESS_H
