//===- OneDNN.cpp - The C interface of oneDNN -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/OneDNN.h"

#include <cstring>
#include <mutex>

using namespace hetero::runtime;
using namespace hetero::runtime::dnn;

namespace {
constexpr int kCPU = 1, kSuccess = 0, kFailed = 6;
constexpr unsigned kInOrder = 1;
constexpr int kUserScratch = 1, kDirect = 1;
constexpr int kReLU2 = 0x1f, kReLU3 = 0x20;
} // namespace

template <typename Fn>
static bool find(const Library &library, const char *name, Fn &function) {
  function = reinterpret_cast<Fn>(library.find(name));
  return function != nullptr;
}

bool Interface::load(const Library &library) {
  bool common =
      find(library, "dnnl_primitive_create", createPrimitive) &&
      find(library, "dnnl_primitive_destroy", destroyPrimitive) &&
      find(library, "dnnl_primitive_desc_destroy", destroyDescription) &&
      find(library, "dnnl_primitive_desc_query_md", query) &&
      find(library, "dnnl_memory_desc_equal", areEqual) &&
      find(library, "dnnl_memory_desc_get_size", countBytes) &&
      find(library, "dnnl_memory_create", createMemory) &&
      find(library, "dnnl_memory_destroy", destroyMemory) &&
      find(library, "dnnl_engine_create", createEngine) &&
      find(library, "dnnl_stream_create", createStream) &&
      find(library, "dnnl_stream_wait", wait) &&
      find(library, "dnnl_primitive_execute", run) &&
      find(library, "dnnl_primitive_attr_create", createAttributes) &&
      find(library, "dnnl_primitive_attr_destroy", destroyAttributes) &&
      find(library, "dnnl_primitive_attr_set_scratchpad_mode",
           setScratchMode) &&
      find(library, "dnnl_primitive_attr_set_post_ops", setPostOps) &&
      find(library, "dnnl_post_ops_create", createPostOps) &&
      find(library, "dnnl_post_ops_destroy", destroyPostOps) &&
      find(library, "dnnl_post_ops_append_sum", appendSum) &&
      find(library, "dnnl_post_ops_append_eltwise", appendEltwise) &&
      find(library, "dnnl_reorder_primitive_desc_create", reorder);
  isThree = find(library, "dnnl_memory_desc_create_with_strides", byStrides);
  bool own =
      isThree
          ? find(library, "dnnl_memory_desc_create_with_tag", byTag) &&
                find(library, "dnnl_memory_desc_destroy", destroyLayout) &&
                find(library, "dnnl_convolution_forward_primitive_desc_create",
                     convolution)
          : find(library, "dnnl_memory_desc_init_by_strides", byStrides) &&
                find(library, "dnnl_memory_desc_init_by_tag", byTag) &&
                find(library, "dnnl_primitive_desc_create",
                     createDescription) &&
                find(library, "dnnl_dilated_convolution_forward_desc_init",
                     convolution);
  return common && own && createEngine(&engine, kCPU, 0) == kSuccess;
}

const Interface *Interface::get(const Library &library) {
  // Never destroyed: programs may call until the end.
  static Interface *instance = [&]() -> Interface * {
    auto *loaded = new Interface;
    if (loaded->load(library))
      return loaded;
    delete loaded;
    return nullptr;
  }();
  return instance;
}

int Interface::makeLayout(Layout &layout, const HeteroValue &value,
                          bool anyLayout) const {
  using Maker = int (*)(void *, int, const int64_t *, int, const int64_t *);
  using TagMaker = int (*)(void *, int, const int64_t *, int, int);
  if (value.rank > kMaxRank)
    return kFailed;
  int64_t sizes[kMaxRank] = {}, strides[kMaxRank] = {};
  for (int dim = 0; dim < value.rank; ++dim) {
    sizes[dim] = value.sizes[dim];
    // A dimension that the value does not have, of one element, has none.
    strides[dim] = value.strides[dim] ? value.strides[dim] : 1;
  }
  void *place = layout.storage;
  if (isThree) {
    place = &layout.made;
    layout.destroy = reinterpret_cast<void (*)(void *)>(destroyLayout);
  }
  return anyLayout ? reinterpret_cast<TagMaker>(byTag)(place, value.rank, sizes,
                                                       kFloat32, kAnyLayout)
                   : reinterpret_cast<Maker>(byStrides)(
                         place, value.rank, sizes, kFloat32, strides);
}

/// Attributes of a primitive, to be destroyed by the caller.
int Interface::makeAttributes(bool accumulate, bool relu,
                              void **attributes) const {
  using Sum2 = int (*)(void *, float);
  using Sum3 = int (*)(void *, float, int32_t, int);
  using Eltwise2 = int (*)(void *, float, int, float, float);
  using Eltwise3 = int (*)(void *, int, float, float);
  int status = createAttributes(attributes);
  if (status != kSuccess)
    return status;
  void *ops = nullptr;
  if (!status)
    status = setScratchMode(*attributes, kUserScratch);
  if (!status)
    status = createPostOps(&ops);
  if (!status && accumulate)
    status = isThree ? reinterpret_cast<Sum3>(appendSum)(ops, 1, 0, kFloat32)
                     : reinterpret_cast<Sum2>(appendSum)(ops, 1);
  if (!status && relu)
    status =
        isThree
            ? reinterpret_cast<Eltwise3>(appendEltwise)(ops, kReLU3, 0, 0)
            : reinterpret_cast<Eltwise2>(appendEltwise)(ops, 1, kReLU2, 0, 0);
  if (!status)
    status = setPostOps(*attributes, ops);
  if (ops)
    destroyPostOps(ops);
  return status;
}

int Interface::describeConvolution(const Layout &source, const Layout &weights,
                                   const Layout *bias, const Layout &result,
                                   const Windows &windows, bool accumulate,
                                   bool relu, void **description) const {
  using Init = int (*)(void *, int, int, const void *, const void *,
                       const void *, const void *, const int64_t *,
                       const int64_t *, const int64_t *, const int64_t *);
  using Create2 =
      int (*)(void **, const void *, const void *, void *, const void *);
  using Create3 =
      int (*)(void **, void *, int, int, const void *, const void *,
              const void *, const void *, const int64_t *, const int64_t *,
              const int64_t *, const int64_t *, const void *);
  void *attributes = nullptr;
  int status = makeAttributes(accumulate, relu, &attributes);
  const void *biasLayout = bias ? bias->get() : nullptr;
  if (!status && isThree) {
    status = reinterpret_cast<Create3>(convolution)(
        description, engine, kForwardInference, kDirect, source.get(),
        weights.get(), biasLayout, result.get(), windows.strides,
        windows.dilations, windows.low, windows.high, attributes);
  } else if (!status) {
    // Larger than any description of an operation.
    alignas(16) char operation[16384] = {};
    status = reinterpret_cast<Init>(convolution)(
        operation, kForwardInference, kDirect, source.get(), weights.get(),
        biasLayout, result.get(), windows.strides, windows.dilations,
        windows.low, windows.high);
    if (!status)
      status = reinterpret_cast<Create2>(createDescription)(
          description, operation, attributes, engine, nullptr);
  }
  if (attributes)
    destroyAttributes(attributes);
  return status;
}

int Interface::describeReorder(const void *from, const void *to,
                               void **description) const {
  void *attributes = nullptr;
  int status = makeAttributes(false, false, &attributes);
  if (!status)
    status = reorder(description, from, engine, to, engine, attributes);
  if (attributes)
    destroyAttributes(attributes);
  return status;
}

int Interface::execute(void *primitive,
                       const std::vector<Argument> &arguments) const {
  // Streams are cheap and not for two threads at a time.
  static thread_local void *stream = nullptr;
  int status = stream ? kSuccess : createStream(&stream, engine, kInOrder);
  if (!status)
    status = run(primitive, stream, static_cast<int>(arguments.size()),
                 arguments.data());
  return status ? status : wait(stream);
}
