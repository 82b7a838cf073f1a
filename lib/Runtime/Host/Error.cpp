//===- Error.cpp - Status and text of failures ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/Error.h"

#include "Runtime/Host/Rank.h"

using namespace hetero::runtime;

static std::string &storage() {
  thread_local std::string text;
  return text;
}

HeteroStatus hetero::runtime::fail(HeteroStatus status,
                                   const std::string &text) {
  storage() = text;
  return status;
}

std::string hetero::runtime::lastError() { return storage(); }

void hetero::runtime::setLastError(const std::string &text) {
  storage() = text;
}

/// Numbers above these stand for other things.
static constexpr int32_t kMostNodes = 1 << 20;

std::string hetero::runtime::deviceName(int32_t device) {
  if (device < hostOfNode(kMostNodes))
    return device == hostOfNode(0)
               ? "cpu:0"
               : "cpu:0@" + std::to_string(device - hostOfNode(0));
  if (device == HETERO_HOST)
    return "cpu:0";
  auto [rank, number] = inProgram(device);
  std::string name = "gpu:" + std::to_string(number);
  return rank == 0 ? name : name + "@" + std::to_string(rank);
}

const char *heteroLastError(void) { return storage().c_str(); }

HeteroStatus heteroAssert(int32_t condition, const char *message) {
  if (condition)
    return HETERO_OK;
  return fail(HETERO_ERROR_PROGRAM, message);
}
