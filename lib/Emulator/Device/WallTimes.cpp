//===- WallTimes.cpp - When operations ran on the machine's clock ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Device/WallTimes.h"

#include "Emulator/Device/Timeline.h"

#include <chrono>

using namespace hetero::emulator;

int64_t WallTimes::now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Stream::Task WallTimes::note(const Work &work, uint64_t stream,
                             Stream::Task task) {
  if (work.kind == Work::None)
    return task;
  std::lock_guard<std::mutex> lock(mutex);
  Operation &operation = operations.emplace_back();
  operation.kind = work.kind;
  operation.name = work.name;
  operation.bytes = work.bytes;
  operation.device = work.device;
  operation.source = work.source;
  operation.stream = stream;
  operation.issued = time();
  return [this, &operation, task = std::move(task)] {
    uint64_t start = time();
    task();
    uint64_t end = time();
    std::lock_guard<std::mutex> lock(mutex);
    operation.start = start;
    operation.end = end;
    operation.isExecuted = true;
  };
}

std::string WallTimes::report() {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text =
      "{\"origin\": " + std::to_string(origin) + ",\n \"operations\": [";
  bool isFirst = true;
  for (const Operation &operation : operations) {
    if (!operation.isExecuted)
      continue;
    text += (isFirst ? "\n  " : ",\n  ") + describe(operation, /*origin=*/0);
    isFirst = false;
  }
  return text + "]}\n";
}
