//===- Log.h - The driver's log ---------------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_LOG_H
#define HETERO_LIB_EMULATOR_DRIVER_LOG_H

#include <cstdint>
#include <string>
#include <string_view>

namespace hetero::emulator {

/// Opens the log; false when the file cannot be written.
bool openLog(const std::string &path);

// One JSON object per line, in the order of the calls. They do nothing without
// a log.
void logModuleLoad(int device, std::string_view ptx);
void logLaunch(int device, std::string_view kernel, const uint32_t (&grid)[3],
               const uint32_t (&block)[3]);
/// `kind` is h2d, d2h, d2d or p2p (then `device` is the destination).
void logGraphLaunch(int device, size_t nodes);
void logCopy(const char *kind, int device, uint64_t bytes, int source = -1);
void logMemory(const char *event, int device, uint64_t address, uint64_t bytes);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_LOG_H
