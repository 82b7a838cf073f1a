//===- AssumedCount.h - Options that costs assume ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What costs assume of a number that the program does not tell: a trip count, a
// dynamic dimension. Passes, the pipeline, the flags of tools and the C API
// read and print it in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_ASSUMEDCOUNT_H
#define HETERO_TRANSFORMS_ASSUMEDCOUNT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace mlir::hetero {

/// A number from 1, or `auto`: what the module says, else what the compiler
/// takes it for.
class AssumedCount {
public:
  /// The text of an error, or nothing.
  static std::string read(llvm::StringRef text, AssumedCount &count);

  std::optional<int64_t> get() const { return number; }
  /// What `read` takes.
  std::string str() const;

private:
  std::optional<int64_t> number;
};

} // namespace mlir::hetero

/// How options of that type are read and printed.
template <>
class llvm::cl::parser<mlir::hetero::AssumedCount>
    : public llvm::cl::basic_parser<mlir::hetero::AssumedCount> {
public:
  using basic_parser::basic_parser;

  bool parse(Option &option, StringRef name, StringRef text,
             mlir::hetero::AssumedCount &count);
  static void print(raw_ostream &stream,
                    const mlir::hetero::AssumedCount &count);
  void printOptionDiff(const Option &option,
                       const mlir::hetero::AssumedCount &count, const OptVal &,
                       size_t width) const {
    printOptionName(option, width);
    outs() << "= " << count.str() << "\n";
  }
};

#endif // HETERO_TRANSFORMS_ASSUMEDCOUNT_H
