//===- algorithms.cu - Algorithms of CUB and Thrust -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <functional>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <vector>

using Numbers = std::vector<int>;
using DeviceNumbers = thrust::device_vector<int>;

static constexpr int kCount = 5000;
static int failures = 0;

static Numbers download(const DeviceNumbers &values, size_t count) {
  Numbers result(count);
  thrust::copy_n(values.begin(), count, result.begin());
  return result;
}

static void expect(const char *name, const Numbers &found,
                   const Numbers &expected) {
  bool isRight = found == expected;
  failures += !isRight;
  std::printf("%s: %s\n", name, isRight ? "right" : "wrong");
}

/// Runs an algorithm of CUB: first for the size of its memory, then with it.
template <typename Algorithm> static void run(Algorithm algorithm) {
  size_t bytes = 0;
  cudaError_t error = algorithm(nullptr, bytes);
  thrust::device_vector<char> memory(bytes + 1);
  if (error == cudaSuccess)
    error = algorithm(thrust::raw_pointer_cast(memory.data()), bytes);
  if (error == cudaSuccess)
    error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    std::printf("error %d\n", int(error));
}

static int *raw(DeviceNumbers &values) {
  return thrust::raw_pointer_cast(values.data());
}

/// Lengths of runs of equal numbers.
static Numbers runsOf(const Numbers &values, Numbers &lengths) {
  Numbers unique;
  lengths.clear();
  for (int value : values) {
    if (unique.empty() || unique.back() != value) {
      unique.push_back(value);
      lengths.push_back(0);
    }
    ++lengths.back();
  }
  return unique;
}

struct IsOdd {
  __host__ __device__ bool operator()(int value) const { return value & 1; }
};

struct Square {
  __host__ __device__ int operator()(int value) const { return value * value; }
};

static void runCUB(const Numbers &host) {
  DeviceNumbers in(host), out(kCount), count(1);
  Numbers expected(kCount);
  int number = kCount;

  run([&](void *memory, size_t &bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, raw(in), raw(out), number);
  });
  expect("cub reduce", download(out, 1),
         {std::accumulate(host.begin(), host.end(), 0)});

  run([&](void *memory, size_t &bytes) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, raw(in), raw(out),
                                         number);
  });
  std::partial_sum(host.begin(), host.end(), expected.begin());
  expect("cub scan", download(out, kCount), expected);

  run([&](void *memory, size_t &bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, raw(in), raw(out),
                                          number);
  });
  expected = host;
  std::sort(expected.begin(), expected.end());
  expect("cub radix sort", download(out, kCount), expected);

  run([&](void *memory, size_t &bytes) {
    return cub::DeviceSelect::If(memory, bytes, raw(in), raw(out), raw(count),
                                 number, IsOdd());
  });
  expected.clear();
  std::copy_if(host.begin(), host.end(), std::back_inserter(expected), IsOdd());
  expect("cub select", download(out, count[0]), expected);
}

static void runCUBOnGroups(const Numbers &host) {
  constexpr int kBins = 10, kSegments = 7;
  DeviceNumbers in(host), out(kCount), lengths(kCount), count(1);
  int number = kCount;

  run([&](void *memory, size_t &bytes) {
    return cub::DeviceHistogram::HistogramEven(memory, bytes, raw(in), raw(out),
                                               kBins + 1, 0, 2 * kBins, number);
  });
  Numbers expected(kBins);
  for (int value : host)
    if (value >= 0 && value < 2 * kBins)
      ++expected[value / 2];
  expect("cub histogram", download(out, kBins), expected);

  run([&](void *memory, size_t &bytes) {
    return cub::DeviceRunLengthEncode::Encode(memory, bytes, raw(in), raw(out),
                                              raw(lengths), raw(count), number);
  });
  Numbers expectedLengths;
  expected = runsOf(host, expectedLengths);
  expect("cub runs", download(out, count[0]), expected);
  expect("cub lengths of runs", download(lengths, count[0]), expectedLengths);

  Numbers offsets(kSegments + 1);
  for (int i = 0; i <= kSegments; ++i)
    offsets[i] = i * i * kCount / (kSegments * kSegments);
  DeviceNumbers begins(offsets);
  run([&](void *memory, size_t &bytes) {
    return cub::DeviceSegmentedReduce::Sum(memory, bytes, raw(in), raw(out),
                                           kSegments, raw(begins),
                                           raw(begins) + 1);
  });
  expected.clear();
  for (int i = 0; i < kSegments; ++i)
    expected.push_back(std::accumulate(host.begin() + offsets[i],
                                       host.begin() + offsets[i + 1], 0));
  expect("cub segmented reduce", download(out, kSegments), expected);
}

static void runThrust(const Numbers &host) {
  DeviceNumbers values(host), keys(kCount), sums(kCount);
  Numbers expected = host, lengths;

  thrust::sort(values.begin(), values.end());
  std::sort(expected.begin(), expected.end());
  expect("thrust sort", download(values, kCount), expected);

  auto ends = thrust::reduce_by_key(values.begin(), values.end(),
                                    values.begin(), keys.begin(), sums.begin());
  Numbers unique = runsOf(expected, lengths), products(unique.size());
  std::transform(unique.begin(), unique.end(), lengths.begin(),
                 products.begin(), std::multiplies<int>());
  expect("thrust reduce by key", download(keys, ends.first - keys.begin()),
         unique);
  expect("thrust sums by key", download(sums, ends.second - sums.begin()),
         products);

  expect("thrust transform reduce",
         {thrust::transform_reduce(values.begin(), values.end(), Square(), 0,
                                   thrust::plus<int>())},
         {std::transform_reduce(host.begin(), host.end(), 0, std::plus<int>(),
                                Square())});

  values = host;
  thrust::exclusive_scan(values.begin(), values.end(), sums.begin(), 3);
  std::exclusive_scan(host.begin(), host.end(), expected.begin(), 3);
  expect("thrust scan", download(sums, kCount), expected);

  expected = host;
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  expect("thrust unique",
         download(values, thrust::unique(values.begin(), values.end()) -
                              values.begin()),
         expected);
}

int main() {
  Numbers host(kCount);
  unsigned state = 1;
  for (int &value : host) {
    state = state * 1664525 + 1013904223;
    value = int(state >> 28) * 2 - 7; // Runs and repeated values.
    value -= state >> 20 & 1;
  }
  runCUB(host);
  runCUBOnGroups(host);
  runThrust(host);
  std::printf("%d wrong\n", failures);
  return failures != 0;
}
