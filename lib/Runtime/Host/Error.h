//===- Error.h - Status and text of failures --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_HOST_ERROR_H
#define HETERO_LIB_RUNTIME_HOST_ERROR_H

#include "hetero/Runtime/HeteroRuntime.h"

#include <cstdint>
#include <string>

namespace hetero::runtime {

/// Remembers the text of the calling thread's failure and returns the status.
HeteroStatus fail(HeteroStatus status, const std::string &text);

/// The calling thread's last text, and a way to pass it to another thread.
std::string lastError();
void setLastError(const std::string &text);

/// Stands among devices for the host of a node, as seen by all of them.
constexpr int32_t hostOfNode(int32_t node) { return INT32_MIN + node; }

/// "cpu:0", "gpu:N", "gpu:N@M" of another rank of the process than the first,
/// or "cpu:0@N" of the host of a node, but of node 0.
std::string deviceName(int32_t device);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_ERROR_H
