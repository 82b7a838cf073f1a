//===- RandomMachine.h - Machines of random programs ---------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_ANALYSIS_RANDOMMACHINE_H
#define HETERO_TEST_UNIT_ANALYSIS_RANDOMMACHINE_H

#include "mlir/IR/BuiltinOps.h"
#include <random>

namespace mlir::hetero::test {

/// Changes the topology of a random program: some devices copy and compute in
/// turns, and a link joins each two. Those on a longer way would carry what
/// others carry, too, which the plain price does not know.
void connectDevices(ModuleOp module, std::mt19937 &random);

} // namespace mlir::hetero::test

#endif // HETERO_TEST_UNIT_ANALYSIS_RANDOMMACHINE_H
