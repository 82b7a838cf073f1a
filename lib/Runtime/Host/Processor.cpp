//===- Processor.cpp - Which code of a program the processor can run ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A level counts only if the operating system saves its registers, which the
// compiler's query of the processor takes into account.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/Error.h"

#include <cstdlib>

using namespace hetero::runtime;

namespace {
struct Level {
  const char *name;
  int32_t number;
};
} // namespace

/// By number.
static constexpr Level kLevels[] = {{"baseline", HETERO_CPU_BASELINE},
                                    {"avx2", HETERO_CPU_AVX2},
                                    {"avx512", HETERO_CPU_AVX512},
                                    {"avx512bf16", HETERO_CPU_AVX512_BF16}};

static int32_t detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return __builtin_cpu_supports("avx512bf16") &&
                   __builtin_cpu_supports("avx512vnni")
               ? HETERO_CPU_AVX512_BF16
               : HETERO_CPU_AVX512;
  if (__builtin_cpu_supports("x86-64-v3"))
    return HETERO_CPU_AVX2;
#endif
  return HETERO_CPU_BASELINE;
}

namespace {
/// What the processor has, and what HETERO_CPU makes of it.
struct Choice {
  int32_t has, uses;
  /// Why HETERO_CPU cannot be followed; empty if it can.
  std::string error;
};
} // namespace

static Choice choose() {
  Choice choice{detect(), 0, ""};
  choice.uses = choice.has;
  const char *wanted = std::getenv("HETERO_CPU");
  if (!wanted || !*wanted || std::string(wanted) == "auto")
    return choice;
  std::string known;
  for (const Level &level : kLevels) {
    known += std::string(", ") + level.name;
    if (std::string(wanted) != level.name)
      continue;
    choice.uses = level.number;
    if (level.number > choice.has)
      choice.error = std::string("HETERO_CPU=") + wanted +
                     ": this processor has no instructions beyond " +
                     kLevels[choice.has].name + "; unset it, or set it to " +
                     kLevels[choice.has].name;
    return choice;
  }
  choice.error = std::string("HETERO_CPU=") + wanted +
                 " names no level of processors; expected auto" + known;
  return choice;
}

HeteroStatus heteroChooseProcessor(int32_t levels, int32_t *level) {
  static const Choice choice = choose();
  if (!choice.error.empty())
    return fail(HETERO_ERROR_PROGRAM, choice.error);
  for (int32_t number = choice.uses; number >= 0; --number)
    if (levels >> number & 1) {
      *level = number;
      return HETERO_OK;
    }
  std::string offered;
  for (const Level &known : kLevels)
    if (levels >> known.number & 1)
      offered += (offered.empty() ? "" : ", ") + std::string(known.name);
  return fail(HETERO_ERROR_PROGRAM,
              "the program has host code for " + offered +
                  ", expected some for " + kLevels[choice.uses].name +
                  (choice.uses < choice.has ? ", which HETERO_CPU asks for"
                                            : ", which this processor has") +
                  "; compile it with --processors=all");
}
