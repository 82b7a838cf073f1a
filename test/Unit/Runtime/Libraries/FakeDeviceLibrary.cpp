//===- FakeDeviceLibrary.cpp - Work of libraries for the tests ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDeviceLibrary.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace hetero;
using namespace hetero::fake;

extern "C" {
int cuMemHostAlloc(void **, size_t, unsigned);
int cuMemFreeHost(void *);
int cuMemcpyHtoDAsync_v2(cuda::DevicePointer, const void *, size_t,
                         cuda::Stream);
int cuMemcpyDtoHAsync_v2(void *, cuda::DevicePointer, size_t, cuda::Stream);
int cuLaunchHostFunc(cuda::Stream, void (*)(void *), void *);
int cuStreamSynchronize(cuda::Stream);
}

void fake::require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "fake library: %s\n", what);
  std::abort();
}

double fake::getSetting(const char *name) {
  const char *text = std::getenv(name);
  return text ? std::atof(text) : 0;
}

void fake::log(const std::string &line) {
  if (std::getenv("HETERO_FAKE_LOG"))
    std::fprintf(stderr, "%s\n", line.c_str());
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

int64_t fake::getBytes(Element type) {
  return type == Element::F64 ? 8 : type == Element::F32 ? 4 : 2;
}

template <typename T> static T read(const char *array, int64_t index) {
  T value;
  std::memcpy(&value, array + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void write(char *array, int64_t index, T value) {
  std::memcpy(array + index * sizeof(T), &value, sizeof(T));
}

double fake::load(const char *array, int64_t index, Element type) {
  switch (type) {
  case Element::F64:
    return read<double>(array, index);
  case Element::F32:
    return read<float>(array, index);
  case Element::F16:
    return static_cast<double>(read<_Float16>(array, index));
  case Element::BF16:
    break;
  }
  uint32_t bits = uint32_t(read<uint16_t>(array, index)) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void fake::store(char *array, int64_t index, Element type, double value) {
  switch (type) {
  case Element::F64:
    return write(array, index, value);
  case Element::F32:
    return write(array, index, static_cast<float>(value));
  case Element::F16:
    return write(array, index, static_cast<_Float16>(value));
  case Element::BF16:
    break;
  }
  float rounded = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &rounded, sizeof bits);
  if (!std::isnan(rounded))
    bits += 0x7fff + ((bits >> 16) & 1);
  write(array, index, static_cast<uint16_t>(bits >> 16));
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

struct Jobs::Job {
  std::vector<void *> memory;
  std::function<void(const std::vector<char *> &)> compute;

  ~Job() {
    for (void *copy : memory)
      cuMemFreeHost(copy);
  }
  static void run(void *self) {
    auto *job = static_cast<Job *>(self);
    std::vector<char *> copies;
    for (void *copy : job->memory)
      copies.push_back(static_cast<char *>(copy));
    job->compute(copies);
  }
};

Jobs::~Jobs() {
  for (cuda::Stream stream : streams)
    cuStreamSynchronize(stream);
}

void Jobs::enqueue(cuda::Stream stream, const std::vector<Array> &arrays,
                   std::function<void(const std::vector<char *> &)> compute) {
  jobs.push_back(std::make_shared<Job>());
  Job &job = *jobs.back();
  job.compute = std::move(compute);
  streams.push_back(stream);
  auto bytesOf = [](const Array &array) {
    return static_cast<size_t>(array.elements * getBytes(array.type));
  };
  auto addressOf = [](const Array &array) {
    return reinterpret_cast<cuda::DevicePointer>(array.address);
  };
  bool works = true;
  // Pinned, so that copies do not read or write before it is their turn.
  for (const Array &array : arrays) {
    void *copy = nullptr;
    works &= cuMemHostAlloc(&copy, bytesOf(array), 0) == cuda::kSuccess;
    job.memory.push_back(copy);
    works &= cuMemcpyDtoHAsync_v2(copy, addressOf(array), bytesOf(array),
                                  stream) == cuda::kSuccess;
  }
  works &= cuLaunchHostFunc(stream, Job::run, &job) == cuda::kSuccess;
  const Array &last = arrays.back();
  works &= cuMemcpyHtoDAsync_v2(addressOf(last), job.memory.back(),
                                bytesOf(last), stream) == cuda::kSuccess;
  require(works, "an array is none of the device");
}
