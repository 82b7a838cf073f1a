//===- FakeDeviceLibrary.h - Work of libraries for the tests ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the fakes of cuBLAS and cuDNN share. A job reads arrays of the emulated
// device, computes on the host and writes one array back, all of it in the
// order of a stream: whoever gives it to the wrong stream gets wrong numbers.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_RUNTIME_FAKEDEVICELIBRARY_H
#define HETERO_TEST_UNIT_RUNTIME_FAKEDEVICELIBRARY_H

#include "hetero/Runtime/CudaDriver.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hetero::fake {

/// Ends the process unless `holds`: the documentation forbids it.
void require(bool holds, const char *what);

/// The number in an environment variable, 0 if there is none.
double getSetting(const char *name);

/// Prints a line to stderr if HETERO_FAKE_LOG is set.
void log(const std::string &line);

/// The elements of an array in one of the types of both libraries.
enum class Element { F16, BF16, F32, F64 };
int64_t getBytes(Element type);
double load(const char *array, int64_t index, Element type);
void store(char *array, int64_t index, Element type, double value);

/// An array on the device.
struct Array {
  const void *address;
  int64_t elements;
  Element type;
};

/// Jobs of one handle. Their memory stays until all of them are gone.
class Jobs {
public:
  ~Jobs();
  /// Calls `compute` with host copies of the arrays, of which the last one goes
  /// back.
  void enqueue(cuda::Stream stream, const std::vector<Array> &arrays,
               std::function<void(const std::vector<char *> &)> compute);

private:
  struct Job;
  std::vector<std::shared_ptr<Job>> jobs;
  std::vector<cuda::Stream> streams;
};

} // namespace hetero::fake

#endif // HETERO_TEST_UNIT_RUNTIME_FAKEDEVICELIBRARY_H
