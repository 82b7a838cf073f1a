//===- States.h - What a run begins with and leaves -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// State of a program, by name: `--load-state=sum=@sum.npy` sets it before the
// first call, `--state=sum=sum.npy` writes it after the last one.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNNER_STATES_H
#define HETERO_LIB_RUNNER_STATES_H

#include "hetero/Runner/Runner.h"

#include <string>
#include <vector>

namespace hetero::runner {

/// Reads the values of "NAME=VALUE" each. Types are checked when the program is
/// there.
bool parseStates(const std::vector<std::string> &texts,
                 std::vector<NamedValue> &values, std::string &error);

/// Whether "NAME=FILE" each name files that can be written.
bool checkStateFiles(const std::vector<std::string> &texts, std::string &error);

/// Sets the state of the program.
bool loadStates(const HeteroStateTable &table,
                const std::vector<NamedValue> &values, std::string &error);

/// Copies all state of the program.
bool readStates(const HeteroStateTable &table, std::vector<NamedValue> &values,
                std::string &error);

/// Writes the state of "NAME=FILE" each to the file.
bool writeStates(const HeteroStateTable &table,
                 const std::vector<std::string> &texts, std::string &error);

} // namespace hetero::runner

#endif // HETERO_LIB_RUNNER_STATES_H
