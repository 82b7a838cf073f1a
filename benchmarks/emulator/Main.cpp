//===- Main.cpp - Times kernels on the emulator and on the CPU ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   hetero_emulator_benchmark KERNELS.ptx SIZE REPEATS
//
// prints a line of JSON per kernel: seconds on the emulator and on the CPU, the
// largest difference of their results, and the PTX instructions of a launch if
// the emulator counts them. run.py runs it twice, as counting takes time.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include "hetero/Emulator/EmulatorControl.h"
#include "hetero/Runtime/CudaDriver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace cuda = hetero::cuda;

extern "C" {
cuda::Result cuInit(unsigned);
cuda::Result cuDevicePrimaryCtxRetain(cuda::Context *, cuda::Device);
cuda::Result cuCtxSetCurrent(cuda::Context);
cuda::Result cuCtxSynchronize();
cuda::Result cuMemAlloc_v2(cuda::DevicePointer *, size_t);
cuda::Result cuMemFree_v2(cuda::DevicePointer);
cuda::Result cuMemcpyHtoD_v2(cuda::DevicePointer, const void *, size_t);
cuda::Result cuMemcpyDtoH_v2(void *, cuda::DevicePointer, size_t);
cuda::Result cuModuleLoadData(cuda::Module *, const void *);
cuda::Result cuModuleGetFunction(cuda::Function *, cuda::Module, const char *);
cuda::Result cuLaunchKernel(cuda::Function, unsigned, unsigned, unsigned,
                            unsigned, unsigned, unsigned, unsigned,
                            cuda::Stream, void **, void **);
}

static void check(cuda::Result result, const char *what) {
  if (result == cuda::kSuccess)
    return;
  std::fprintf(stderr, "%s fails with error %d: %s\n", what, int(result),
               heteroEmulatorLastFault());
  std::exit(1);
}

namespace {
/// An array of the device, and the same on the host.
template <typename T> struct Array {
  explicit Array(size_t size) : values(size) {
    std::mt19937 random(7);
    for (T &value : values)
      value = static_cast<T>(int(random() % 2001) / 1000.0f - 1.0f);
    check(cuMemAlloc_v2(&pointer, bytes()), "cuMemAlloc");
    upload();
  }
  ~Array() { cuMemFree_v2(pointer); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;

  size_t bytes() const { return values.size() * sizeof(T); }
  void upload() {
    check(cuMemcpyHtoD_v2(pointer, values.data(), bytes()), "cuMemcpyHtoD");
  }
  std::vector<T> download() const {
    std::vector<T> result(values.size());
    check(cuMemcpyDtoH_v2(result.data(), pointer, bytes()), "cuMemcpyDtoH");
    return result;
  }

  std::vector<T> values;
  cuda::DevicePointer pointer = 0;
};

struct Launch {
  const char *name;
  unsigned grid[2], block[2];
  std::vector<void *> params;
  /// The same for the blocks [first, end) on the CPU.
  std::function<void(int first, int end)> onHost;
};

class Benchmark {
public:
  Benchmark(cuda::Module module, int repeats)
      : module(module), repeats(repeats) {}

  /// Runs on both; `out` gets the results of both.
  void run(const Launch &launch, Array<float> &out) {
    cuda::Function function;
    check(cuModuleGetFunction(&function, module, launch.name), launch.name);
    std::vector<float> start = out.values, onDevice, onHost;
    double emulated = 1e9, host = 1e9;
    uint64_t before = heteroEmulatorInstructions();
    for (int i = 0; i < repeats; ++i) {
      out.values = start;
      out.upload();
      emulated = std::min(emulated, time([&] { runKernel(function, launch); }));
      onDevice = out.download();
      host = std::min(host, time([&] { runOnHost(launch); }));
    }
    uint64_t count = (heteroEmulatorInstructions() - before) / repeats;
    float difference = 0;
    for (size_t i = 0; i < onDevice.size(); ++i)
      difference =
          std::max(difference, std::abs(onDevice[i] - out.values[i]) /
                                   std::max(1.0f, std::abs(out.values[i])));
    std::printf("{\"kernel\": \"%s\", \"emulated\": %.6f, \"host\": %.6f, "
                "\"difference\": %.3g, \"instructions\": %llu}\n",
                launch.name, emulated, host, difference,
                static_cast<unsigned long long>(count));
    std::fflush(stdout);
  }

private:
  static double time(const std::function<void()> &work) {
    auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }

  static void runKernel(cuda::Function function, const Launch &launch) {
    check(cuLaunchKernel(function, launch.grid[0], launch.grid[1], 1,
                         launch.block[0], launch.block[1], 1, 0, nullptr,
                         const_cast<void **>(launch.params.data()), nullptr),
          launch.name);
    check(cuCtxSynchronize(), launch.name);
  }

  static void runOnHost(const Launch &launch) {
    int count = int(launch.grid[0] * launch.grid[1]);
    int threads = std::max(1, int(std::thread::hardware_concurrency()));
    std::vector<std::thread> helpers;
    for (int i = 0; i < threads; ++i)
      helpers.emplace_back([&, i] {
        launch.onHost(int(int64_t(count) * i / threads),
                      int(int64_t(count) * (i + 1) / threads));
      });
    for (std::thread &helper : helpers)
      helper.join();
  }

  cuda::Module module;
  int repeats;
};
} // namespace

static void runMatmul(Benchmark &benchmark, int n) {
  Array<float> a(n * n), b(n * n), c(n * n);
  unsigned blocks = n / 16;
  benchmark.run({"matmul",
                 {blocks, blocks},
                 {16, 16},
                 {&a.pointer, &b.pointer, &c.pointer, &n},
                 [&](int first, int end) {
                   host::matmul(a.values.data(), b.values.data(),
                                c.values.data(), n, first, end);
                 }},
                c);
}

static void runStencil(Benchmark &benchmark, int n) {
  Array<float> in(n * n), out(n * n);
  unsigned wide = (n + 31) / 32, high = (n + 7) / 8;
  benchmark.run({"stencil",
                 {wide, high},
                 {32, 8},
                 {&in.pointer, &out.pointer, &n},
                 [&](int first, int end) {
                   host::stencil(in.values.data(), out.values.data(), n, first,
                                 end);
                 }},
                out);
}

static void runReduce(Benchmark &benchmark, int n) {
  unsigned blocks = 256;
  Array<float> in(n), sums(blocks);
  benchmark.run({"reduce",
                 {blocks, 1},
                 {256, 1},
                 {&in.pointer, &sums.pointer, &n},
                 [&](int first, int end) {
                   host::reduce(in.values.data(), sums.values.data(), n,
                                int(blocks), first, end);
                 }},
                sums);
}

static void runSaxpy(Benchmark &benchmark, int n) {
  Array<float> x(n), y(n);
  float a = 0.5f;
  benchmark.run({"saxpy",
                 {unsigned(n + 255) / 256, 1},
                 {256, 1},
                 {&x.pointer, &y.pointer, &a, &n},
                 [&](int first, int end) {
                   host::saxpy(x.values.data(), y.values.data(), a, n, first,
                               end);
                 }},
                y);
}

static void runTensor(Benchmark &benchmark, int n) {
  Array<_Float16> a(n * n), b(n * n);
  Array<float> c(n * n);
  benchmark.run({"tensor",
                 {unsigned(n) / 8, unsigned(n) / 16},
                 {32, 1},
                 {&a.pointer, &b.pointer, &c.pointer, &n},
                 [&](int first, int end) {
                   host::tensor(a.values.data(), b.values.data(),
                                c.values.data(), n, first, end);
                 }},
                c);
}

int main(int argc, char **argv) {
  int size = argc > 2 ? std::atoi(argv[2]) : 0;
  int repeats = argc > 3 ? std::atoi(argv[3]) : 0;
  if (size < 32 || size % 32 != 0 || repeats < 1) {
    std::fprintf(stderr,
                 "usage: %s KERNELS.ptx SIZE REPEATS; SIZE is a "
                 "multiple of 32\n",
                 argv[0]);
    return 2;
  }
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  cuda::Context context;
  cuda::Module module;
  check(cuInit(0), "cuInit");
  check(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuModuleLoadData(&module, text.str().c_str()), "cuModuleLoadData");
  Benchmark benchmark(module, repeats);
  runMatmul(benchmark, size);
  runStencil(benchmark, 2 * size);
  runReduce(benchmark, 8 * size * size);
  runSaxpy(benchmark, 4 * size * size);
  runTensor(benchmark, size / 2);
}
