//===- MgpuDriver.h - The driver for MLIR's gpu-to-llvm ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's own runtime interface on the same driver, for programs that upstream's
// --gpu-to-llvm lowers. Its functions return no status: a failure is printed
// and remembered for heteroLastError(), and what it should have made is null.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_CALLS_MGPU_MGPUDRIVER_H
#define HETERO_LIB_RUNTIME_CALLS_MGPU_MGPUDRIVER_H

#include "Runtime/Device/Driver.h"
#include "Runtime/Host/Error.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#define HETERO_MGPU extern "C" HETERO_EXPORT

namespace hetero::runtime::mgpu {

/// What mgpuSetDefaultDevice has chosen for the calling thread.
int32_t &defaultDevice();

/// Prints the error that there is.
HeteroStatus print(HeteroStatus status);

/// The streams that programs have made, by number from 1; that of the driver is
/// number 0.
struct Streams {
  void add(cuda::Stream stream);
  void remove(cuda::Stream stream);
  std::string describe(cuda::Stream stream);

private:
  std::mutex mutex;
  std::map<cuda::Stream, int> numbers;
  int made = 0;
};

Streams &streams();

/// Reports a call of the driver that failed; true if it did not.
bool check(const Driver &driver, cuda::Result result, const char *call,
           const std::string &detail = "");
/// The same for a call with a stream.
bool checkOn(cuda::Stream stream, const Driver &driver, cuda::Result result,
             const char *call, const std::string &detail = "");
/// False with an error where an older driver lacks the function.
bool isThere(const Driver &driver, const void *function, const char *name);

/// The driver with the default device's context current, or null.
const Driver *enter();

std::string bytesText(uint64_t bytes);

/// MLIR's memref descriptor: then `rank` sizes and as many strides.
struct MemRef {
  char *allocated, *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};

} // namespace hetero::runtime::mgpu

#endif // HETERO_LIB_RUNTIME_CALLS_MGPU_MGPUDRIVER_H
