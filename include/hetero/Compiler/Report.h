//===- Report.h - Prints the runtime's counters -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_REPORT_H
#define HETERO_COMPILER_REPORT_H

#include "hetero/Target/NodeTimes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace mlir {
namespace hetero {

/// Prints the JSON of heteroReport() as tables: copies, what each device ran,
/// memory peaks. Returns false when it is not such JSON.
bool printReport(llvm::StringRef json, llvm::raw_ostream &os);

/// Prints how the requests went that it is of, in a few lines. Returns false
/// when it is not such JSON.
bool printRequestReport(llvm::StringRef json, llvm::raw_ostream &os);

/// The times that the JSON of heteroReport() has of so many calls, the longest
/// first; nothing when it is not such JSON.
std::optional<std::vector<NodeTime>> collectNodeTimes(llvm::StringRef report,
                                                      int64_t calls);

/// Prints them as a table.
void printNodeTimes(llvm::ArrayRef<NodeTime> times, llvm::raw_ostream &os);

} // namespace hetero
} // namespace mlir

#endif // HETERO_COMPILER_REPORT_H
