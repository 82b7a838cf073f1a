//===- Table.h - Text in columns --------------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_TABLE_H
#define HETERO_LIB_COMPILER_TABLE_H

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mlir::hetero {

/// Rows of text in columns as wide as their longest cell.
class Table {
public:
  void addRow(std::vector<std::string> row) { rows.push_back(std::move(row)); }

  void print(llvm::raw_ostream &os) const {
    std::vector<size_t> widths;
    for (const auto &row : rows) {
      widths.resize(std::max(widths.size(), row.size()));
      for (size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size());
    }
    for (const auto &row : rows) {
      os << " ";
      for (size_t i = 0; i + 1 < row.size(); ++i)
        os << " " << llvm::left_justify(row[i], widths[i]) << " ";
      os << " " << row.back() << "\n";
    }
  }

private:
  std::vector<std::vector<std::string>> rows;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_COMPILER_TABLE_H
