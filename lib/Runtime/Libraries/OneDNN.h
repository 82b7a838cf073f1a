//===- OneDNN.h - The C interface of oneDNN ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime calls of oneDNN 2 (from 2.6 on) and 3, found when the
// library is loaded: nothing of it is needed to build. Both number arguments,
// queries and element types alike; where their functions differ, a method of
// Interface takes the difference.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_ONEDNN_H
#define HETERO_LIB_RUNTIME_LIBRARIES_ONEDNN_H

#include "Runtime/Libraries/Convolution.h"
#include "Runtime/Libraries/Libraries.h"

#include <memory>
#include <vector>

namespace hetero::runtime::dnn {

constexpr int kMaxRank = 12;
constexpr int kFloat32 = 3, kAnyLayout = 1, kForwardInference = 96;
/// Queries for the layouts that a primitive wants.
enum Query { kSource = 129, kWeightsOf = 131, kResult = 133, kScratch = 136 };
/// Arguments of primitives.
enum Role {
  kSourceArg = 1,
  kResultArg = 17,
  kWeightsArg = 33,
  kBiasArg = 41,
  kScratchArg = 80
};

struct Argument {
  int role;
  void *memory;
};

/// The layout of an array, as oneDNN describes it.
class Layout {
public:
  const void *get() const { return made ? made : storage; }

  /// A description that belongs to oneDNN (version 3), which lives as long as
  /// this one; else it is in the storage, which is larger than any.
  void *made = nullptr;
  alignas(16) char storage[1024] = {};
  void (*destroy)(void *) = nullptr;

  Layout() = default;
  Layout(const Layout &) = delete;
  Layout &operator=(const Layout &) = delete;
  ~Layout() {
    if (made && destroy)
      destroy(made);
  }
};

/// The functions of a loaded library, and its one engine.
class Interface {
public:
  /// Of this library; null if it lacks a function. Made once.
  static const Interface *get(const Library &library);

  int makeLayout(Layout &layout, const HeteroValue &value,
                 bool anyLayout) const;
  /// The convolution's description: with sums onto the result if `accumulate`,
  /// then ReLU if `relu`.
  int describeConvolution(const Layout &source, const Layout &weights,
                          const Layout *bias, const Layout &result,
                          const Windows &windows, bool accumulate, bool relu,
                          void **description) const;
  int describeReorder(const void *from, const void *to,
                      void **description) const;
  /// Runs a primitive on this thread's stream and waits for it.
  int execute(void *primitive, const std::vector<Argument> &arguments) const;

  int (*createPrimitive)(void **, const void *description);
  int (*destroyPrimitive)(void *);
  int (*destroyDescription)(void *);
  const void *(*query)(const void *description, int what, int index);
  int (*areEqual)(const void *, const void *);
  size_t (*countBytes)(const void *layout);
  int (*createMemory)(void **, const void *layout, void *engine, void *data);
  int (*destroyMemory)(void *);
  void *engine = nullptr;

private:
  bool load(const Library &library);
  int makeAttributes(bool accumulate, bool relu, void **attributes) const;

  bool isThree = false;
  int (*createEngine)(void **, int kind, size_t index);
  int (*createStream)(void **, void *engine, unsigned flags);
  int (*wait)(void *stream);
  int (*run)(const void *primitive, void *stream, int, const Argument *);
  int (*createAttributes)(void **);
  int (*destroyAttributes)(void *);
  int (*setScratchMode)(void *, int mode);
  int (*setPostOps)(void *, const void *);
  int (*createPostOps)(void **);
  int (*destroyPostOps)(void *);
  int (*reorder)(void **, const void *, void *, const void *, void *,
                 const void *);
  /// By version.
  void *appendSum, *appendEltwise, *byStrides, *byTag, *convolution;
  void *destroyLayout, *createDescription;
};

} // namespace hetero::runtime::dnn

#endif // HETERO_LIB_RUNTIME_LIBRARIES_ONEDNN_H
