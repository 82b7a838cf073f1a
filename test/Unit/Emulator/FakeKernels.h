//===- FakeKernels.h - Kernels in C++ in the place of PTX -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The "PTX" of a test is the name of a set of kernels below, so that driver and
// executor are tested apart from the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_EMULATOR_FAKEKERNELS_H
#define HETERO_TEST_UNIT_EMULATOR_FAKEKERNELS_H

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "hetero/Runtime/CudaDriver.h"

#include <functional>
#include <string>

namespace fake {

/// Adds a kernel to what the next module has. Each parameter is 8 bytes.
void addKernel(const std::string &name, hetero::emulator::KernelFunction body,
               unsigned numParams, bool usesBarriers, unsigned sharedBytes = 0,
               unsigned localBytes = 0);

/// Parameter `index` of the thread's kernel.
uint64_t param(hetero::emulator::ThreadContext *context, unsigned index);

/// Loads or stores as compiled code does.
template <typename T>
T &at(hetero::emulator::ThreadContext *context, uint64_t address,
      bool isStore = true) {
  hetero::emulator::AccessWindow window;
  return *reinterpret_cast<T *>(heteroEmuTranslate(
      context, address, sizeof(T), isStore, /*line=*/7, &window));
}

} // namespace fake

#endif // HETERO_TEST_UNIT_EMULATOR_FAKEKERNELS_H
