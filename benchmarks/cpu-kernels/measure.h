//===- measure.h - Times the ways to compute one thing ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_BENCHMARKS_CPUKERNELS_MEASURE_H
#define HETERO_BENCHMARKS_CPUKERNELS_MEASURE_H

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace kernels {

/// Starts arrays at cache lines, as programs do that care for speed.
template <typename T> struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <typename U> LineAllocator(const LineAllocator<U> &) {}
  T *allocate(size_t count) {
    return static_cast<T *>(
        std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64));
  }
  void deallocate(T *pointer, size_t) { std::free(pointer); }
  bool operator==(const LineAllocator &) const { return true; }
  bool operator!=(const LineAllocator &) const { return false; }
};

using Floats = std::vector<float, LineAllocator<float>>;
using Sizes = std::vector<int64_t>;

/// One way to compute the result of a case.
struct Contender {
  std::string name;
  std::function<void()> run;
  /// The result of the last run, row-major.
  std::function<Floats()> result;
};

/// An element of the result in double precision, and how far from it an f32
/// may be.
struct Expected {
  double value = 0;
  double tolerance = 0;
};

/// What all contenders compute.
struct Case {
  /// Arguments of the compiled program and their shapes.
  std::vector<Floats> inputs;
  std::vector<Sizes> shapes;
  /// The arguments that are constants of the program.
  std::vector<int> constants;
  int64_t resultElements = 0;
  std::function<Expected(int64_t)> reference;
  std::vector<Contender> contenders;
};

/// An argument of random numbers between -1 and 1, those of programs.py; its
/// position.
int addInput(Case &item, const Sizes &shape);

/// The number of elements of a shape.
int64_t countElements(const Sizes &shape);

/// The case of this kind and these sizes with what the libraries offer.
Case makeCase(const std::string &kind, const Sizes &sizes);

/// The program that hetero-compile made at `path`, under a name of its own.
Contender makeProgram(const Case &item, const std::string &name,
                      const std::string &path);

/// The shortest time of each contender in seconds, from rounds in which each
/// has a turn, so that all of them have the machine's good and bad moments.
std::vector<double> measure(const Case &item, double seconds);

/// Compares a sample of the elements of a contender's result. Returns a
/// description of one that is wrong, or nothing.
std::string check(const Case &item, const Contender &contender);

} // namespace kernels

#endif // HETERO_BENCHMARKS_CPUKERNELS_MEASURE_H
