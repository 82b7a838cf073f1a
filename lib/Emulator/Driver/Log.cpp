//===- Log.cpp - The driver's log -----------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Log.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <cstdio>
#include <mutex>

using namespace hetero::emulator;

static std::mutex logMutex;
static std::FILE *logFile = nullptr;

bool hetero::emulator::openLog(const std::string &path) {
  std::lock_guard<std::mutex> lock(logMutex);
  if (!logFile && !path.empty())
    logFile = std::fopen(path.c_str(), "a");
  return logFile || path.empty();
}

static void writeLine(const std::string &line) {
  std::lock_guard<std::mutex> lock(logMutex);
  if (!logFile)
    return;
  std::fwrite(line.data(), 1, line.size(), logFile);
  std::fflush(logFile);
}

static bool isLogging() {
  std::lock_guard<std::mutex> lock(logMutex);
  return logFile != nullptr;
}

static std::string head(const char *event, int device) {
  return std::string("{\"event\": \"") + event +
         "\", \"device\": " + std::to_string(device);
}

static std::string list(const uint32_t (&sizes)[3]) {
  return "[" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) +
         ", " + std::to_string(sizes[2]) + "]";
}

void hetero::emulator::logModuleLoad(int device, std::string_view ptx) {
  if (!isLogging())
    return;
  auto hash = llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(ptx.data()), ptx.size()));
  writeLine(head("module_load", device) + ", \"sha256\": \"" +
            llvm::toHex(hash, /*LowerCase=*/true) + "\"}\n");
}

void hetero::emulator::logLaunch(int device, std::string_view kernel,
                                 const uint32_t (&grid)[3],
                                 const uint32_t (&block)[3]) {
  if (isLogging())
    writeLine(head("launch", device) + ", \"kernel\": \"" +
              std::string(kernel) + "\", \"grid\": " + list(grid) +
              ", \"block\": " + list(block) + "}\n");
}

void hetero::emulator::logGraphLaunch(int device, size_t nodes) {
  if (isLogging())
    writeLine(head("graph_launch", device) +
              ", \"nodes\": " + std::to_string(nodes) + "}\n");
}

void hetero::emulator::logCopy(const char *kind, int device, uint64_t bytes,
                               int source) {
  if (!isLogging())
    return;
  std::string line = head("memcpy", device) + ", \"kind\": \"" + kind +
                     "\", \"bytes\": " + std::to_string(bytes);
  if (source >= 0)
    line += ", \"source\": " + std::to_string(source);
  writeLine(line + "}\n");
}

void hetero::emulator::logMemory(const char *event, int device,
                                 uint64_t address, uint64_t bytes) {
  if (isLogging())
    writeLine(head(event, device) +
              ", \"address\": " + std::to_string(address) +
              ", \"bytes\": " + std::to_string(bytes) + "}\n");
}
