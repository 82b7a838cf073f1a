//===- onednn.cpp - Calls of oneDNN for the comparison --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "onednn.h"

using namespace kernels;

Engine &Engine::get() {
  static Engine instance;
  return instance;
}

dnnl::memory::desc kernels::plainLayout(const Sizes &shape) {
  Sizes strides(shape.size(), 1);
  for (int i = shape.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * shape[i + 1];
  return {shape, dnnl::memory::data_type::f32, strides};
}

dnnl::memory::desc kernels::channelsLastLayout(const Sizes &shape) {
  return {shape, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nhwc};
}

dnnl::memory::desc kernels::anyLayout(const Sizes &shape) {
  return {shape, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

static dnnl::memory reorder(dnnl::memory from,
                            const dnnl::memory::desc &layout) {
  Engine &all = Engine::get();
  dnnl::memory to(layout, all.engine);
  dnnl::reorder(from, to).execute(all.stream, from, to);
  all.stream.wait();
  return to;
}

dnnl::memory Sequence::import(const Floats &values, const Sizes &shape,
                              const dnnl::memory::desc &layout) {
  return import(values, plainLayout(shape), layout);
}

dnnl::memory Sequence::import(const Floats &values,
                              const dnnl::memory::desc &from,
                              const dnnl::memory::desc &layout) {
  dnnl::memory memory(from, Engine::get().engine,
                      const_cast<float *>(values.data()));
  return reorder(memory, layout);
}

dnnl::memory Sequence::make(const dnnl::memory::desc &layout) {
  return {layout, Engine::get().engine};
}

void Sequence::add(dnnl::primitive primitive, Arguments arguments) {
  steps.emplace_back(std::move(primitive), std::move(arguments));
}

Contender Sequence::finish(const std::string &name, dnnl::memory result) {
  return finish(name, result, plainLayout(result.get_desc().dims()));
}

Contender Sequence::finish(const std::string &name, dnnl::memory result,
                           const dnnl::memory::desc &layout) {
  auto run = [steps = steps] {
    Engine &all = Engine::get();
    for (const auto &[primitive, arguments] : steps)
      primitive.execute(all.stream, arguments);
    all.stream.wait();
  };
  return {name, run, [result, layout] {
            dnnl::memory plain = reorder(result, layout);
            const float *data =
                static_cast<const float *>(plain.get_data_handle());
            return Floats(data, data + countElements(layout.dims()));
          }};
}
