//===- TransferCalls.h - Transfers between nodes ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-to-llvm.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_TRANSFERCALLS_H
#define HETERO_CONVERSION_HETEROTOLLVM_TRANSFERCALLS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// Makes calls of the runtime of hetero.send, hetero.receive and
/// hetero.await_transfer.
void populateTransferCallPatterns(const LLVMTypeConverter &converter,
                                  RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_TRANSFERCALLS_H
