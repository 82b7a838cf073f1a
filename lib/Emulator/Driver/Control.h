//===- Control.h - What is reported when the process exits ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_CONTROL_H
#define HETERO_LIB_EMULATOR_DRIVER_CONTROL_H

#include <string>

namespace hetero::emulator {

/// Appends a line with what is alive to a file when the process exits; false
/// when the file cannot be written.
bool reportLeaksAtExit(const std::string &path);

/// The same for when operations ran.
bool reportTimelineAtExit(const std::string &path);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_CONTROL_H
