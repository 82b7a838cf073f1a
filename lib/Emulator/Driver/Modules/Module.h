//===- Module.h - How images become modules ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MODULES_MODULE_H
#define HETERO_LIB_EMULATOR_DRIVER_MODULES_MODULE_H

#include "Emulator/Driver/Modules/Function.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Module.h"

#include <memory>
#include <string>

namespace hetero::emulator {

/// Compiles PTX for a device; `error` says why it cannot.
cuda::Result compileImage(const Device &device, const char *image,
                          std::unique_ptr<CompiledModule> &code,
                          std::string &error);

/// Puts code and its variables into a context.
cuda::Result instantiate(Context &context, std::unique_ptr<CompiledModule> code,
                         std::shared_ptr<Module> &module);

/// Where a variable is and how large, each unless null.
cuda::Result getGlobal(const Module &module, const char *name,
                       cuda::DevicePointer *address, size_t *bytes);

/// Frees its variables; streams are done with it.
void freeGlobals(Module &module);

/// The text of a file; false when it cannot be read.
bool readFile(const char *path, std::string &text);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MODULES_MODULE_H
