//===- AddressOrigin.h - Memory that an address may name --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_ADDRESSORIGIN_H
#define HETERO_LIB_EMULATOR_VECTORIZE_ADDRESSORIGIN_H

#include "llvm/IR/Value.h"

namespace hetero::emulator::ptx {

/// Whether a generic address may lie in the window of local memory, where the
/// same address names other bytes in each thread. Numbers that the host passes
/// as parameters are taken for none: the executor refuses them there.
bool mayBeLocal(const llvm::Value *address);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_ADDRESSORIGIN_H
