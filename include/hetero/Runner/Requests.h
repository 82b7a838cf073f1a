//===- Requests.h - Runs an entry point for many requests -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNNER_REQUESTS_H
#define HETERO_RUNNER_REQUESTS_H

#include "hetero/Runner/Runner.h"

namespace hetero {
namespace runner {

/// Serves as many requests as the options say, and prints, writes and compares
/// what each returns, in their order. Where all have the same inputs, only the
/// results of the first are printed. Returns false with the reason in `error`.
bool runRequests(const HeteroProgramEntry &entry,
                 const HeteroStateTable &states, const RunOptions &options,
                 const RunValues &values, std::string &error);

} // namespace runner
} // namespace hetero

#endif // HETERO_RUNNER_REQUESTS_H
