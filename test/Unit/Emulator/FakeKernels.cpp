//===- FakeKernels.cpp - Kernels in C++ in the place of PTX ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeKernels.h"

#include "Emulator/Compile/Compiler.h"
#include "Emulator/PTX/Linker.h"

#include <cstring>

using namespace hetero::emulator;

namespace {
struct FakeKernel {
  CompiledKernel kernel;
  KernelFunction body;
};
} // namespace

static std::vector<FakeKernel> &registered() {
  static std::vector<FakeKernel> kernels;
  return kernels;
}

namespace {
struct FakeModule : CompiledModule {
  FakeModule() {
    for (const FakeKernel &fake : registered())
      all.push_back(fake.kernel);
    variables.resize(1);
    variables[0].name = "table";
    variables[0].size = 8;
    variables[0].align = 4;
    variables[0].init = {1, 2, 3, 4};
  }
  const CompiledKernel *lookup(std::string_view name) const override {
    for (const CompiledKernel &kernel : all)
      if (kernel.name == name)
        return &kernel;
    return nullptr;
  }
  const std::vector<CompiledKernel> &kernels() const override { return all; }
  const std::vector<GlobalVariable> &globals() const override {
    return variables;
  }
  KernelFunction threadFunction(const CompiledKernel &kernel) override {
    return registered()[&kernel - all.data()].body;
  }
  void bindGlobal(std::string_view, uint64_t) override {}

  std::vector<CompiledKernel> all;
  std::vector<GlobalVariable> variables;
};
} // namespace

void fake::addKernel(const std::string &name, KernelFunction body,
                     unsigned numParams, bool usesBarriers,
                     unsigned sharedBytes, unsigned localBytes) {
  CompiledKernel kernel;
  kernel.name = name;
  for (unsigned i = 0; i < numParams; ++i)
    kernel.params.push_back({8 * i, 8, 8});
  kernel.paramBytes = 8 * numParams;
  kernel.sharedBytes = sharedBytes;
  kernel.localBytes = localBytes;
  kernel.usesBarriers = usesBarriers;
  registered().push_back({kernel, body});
}

uint64_t fake::param(ThreadContext *context, unsigned index) {
  uint64_t value;
  std::memcpy(&value, context->params + 8 * index, 8);
  return value;
}

std::string hetero::emulator::checkImage(const std::string &) { return ""; }

std::string
hetero::emulator::linkImages(const std::vector<std::string> &images) {
  return images.front();
}

std::variant<std::unique_ptr<CompiledModule>, CompileError>
hetero::emulator::compilePTX(std::string_view text, unsigned, unsigned,
                             const CompileOptions &) {
  if (text == "bad")
    return CompileError{CompileError::InvalidPTX, "line 1: no such thing"};
  return std::unique_ptr<CompiledModule>(std::make_unique<FakeModule>());
}
