//===- Processor.h - Processors that host code is made for ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program can hold the host code of a function several times, each for
// processors with more instructions than the one before; which of them runs is
// decided where it runs (heteroChooseProcessor of HeteroRuntime.h).
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_TARGET_PROCESSOR_H
#define HETERO_CODEGEN_CPU_TARGET_PROCESSOR_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace mlir {
class Operation;

namespace hetero {

/// The names of all processors, as an option of the tools takes them.
inline constexpr llvm::StringLiteral kAllProcessors = "all";
/// The processor that compiles, and no other.
inline constexpr llvm::StringLiteral kNativeProcessor = "native";

/// One step on the way from the oldest processors of an architecture to those
/// with the widest vectors. Code for one runs on all that come after it.
struct Processor {
  /// In options, attributes and HETERO_CPU.
  llvm::StringRef name;
  /// The HETERO_CPU_* of HeteroRuntime.h; a greater one has the instructions of
  /// all smaller ones.
  int32_t level;
  /// What LLVM calls it, and its instructions.
  llvm::StringRef cpu, features;
  /// Width of a vector register in bits, and how many there are.
  int64_t vectorBits, vectorRegisters;
  /// True for instructions that add up products of bf16 and of i8, which is all
  /// that it has more than the one before: without such products, code for it
  /// is not worth its size.
  bool hasDots = false;
};

/// Those of this machine's architecture, the best first.
llvm::ArrayRef<Processor> getProcessors();

/// The processor of this name, or null.
const Processor *lookupProcessor(llvm::StringRef name);

/// The processor that the function around `op` is for; null if that is not
/// said.
const Processor *getProcessor(Operation *op);

/// Reads a list of names, such as "avx2,baseline", or "all"; the result is the
/// best first, and empty for "native" and for nothing. Passes `fail` the text
/// of an error.
FailureOr<llvm::SmallVector<const Processor *>>
parseProcessors(llvm::StringRef text,
                llvm::function_ref<void(const std::string &)> fail);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CODEGEN_CPU_TARGET_PROCESSOR_H
