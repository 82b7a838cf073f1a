//===- onednn.h - Calls of oneDNN for the comparison ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sequence of primitives and the memory that they work on. Arguments are used
// where they are when a primitive takes them as they are; where it wants
// another layout, they are brought into it before anything is timed ("own
// layout").
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_BENCHMARKS_CPUKERNELS_ONEDNN_H
#define HETERO_BENCHMARKS_CPUKERNELS_ONEDNN_H

#include "measure.h"
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

namespace kernels {

/// The processor, and the stream that all primitives run on.
struct Engine {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  static Engine &get();
};

/// f32, row-major.
dnnl::memory::desc plainLayout(const Sizes &shape);
/// f32 of images x channels x height x width, with the channels of a pixel next
/// to each other.
dnnl::memory::desc channelsLastLayout(const Sizes &shape);
/// f32, in whatever layout the primitive prefers.
dnnl::memory::desc anyLayout(const Sizes &shape);

/// Primitives one after the other.
class Sequence {
public:
  using Arguments = std::unordered_map<int, dnnl::memory>;

  /// A copy of the row-major values in `layout`.
  dnnl::memory import(const Floats &values, const Sizes &shape,
                      const dnnl::memory::desc &layout);
  /// A copy of the values, which are in the layout `from`, in `layout`.
  dnnl::memory import(const Floats &values, const dnnl::memory::desc &from,
                      const dnnl::memory::desc &layout);
  /// Room for a result.
  dnnl::memory make(const dnnl::memory::desc &layout);
  void add(dnnl::primitive primitive, Arguments arguments);
  /// The contender whose result is `result`, row-major.
  Contender finish(const std::string &name, dnnl::memory result);
  /// The contender whose result is `result` in `layout`.
  Contender finish(const std::string &name, dnnl::memory result,
                   const dnnl::memory::desc &layout);

private:
  std::vector<std::pair<dnnl::primitive, Arguments>> steps;
};

} // namespace kernels

#endif // HETERO_BENCHMARKS_CPUKERNELS_ONEDNN_H
