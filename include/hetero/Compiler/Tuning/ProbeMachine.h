//===- ProbeMachine.h - Measures this machine -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The topology of the machine that this process runs on, in numbers that code
// of this compiler reaches: small programs are compiled for each device and
// measured, and copies over each link.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_TUNING_PROBEMACHINE_H
#define HETERO_COMPILER_TUNING_PROBEMACHINE_H

#include "hetero/Compiler/Compilation.h"

namespace mlir::hetero {

/// What tells this machine from others, as far as the numbers of a topology
/// depend on it: processor, threads, memory, GPUs and the settings of an
/// emulated driver. Fails where HETERO_CUDA_DRIVER names a driver that cannot
/// be used.
FailureOr<std::string> identifyMachine(const CompilationHost &host);

/// The text of a #hetero.topology, after lines of comments. Rates have three
/// digits. Fails, with an error, where a device cannot be measured.
FailureOr<std::string> probeMachine(const CompilationHost &host);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_TUNING_PROBEMACHINE_H
