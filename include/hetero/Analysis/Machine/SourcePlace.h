//===- SourcePlace.h - A line of a source -----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_SOURCEPLACE_H
#define HETERO_ANALYSIS_MACHINE_SOURCEPLACE_H

#include "mlir/IR/Location.h"

namespace mlir::hetero {

/// Where operations stand in a source, as rules name it: `model.mlir:12:9`, or
/// without the column for the whole line. The file may lack the folders around
/// it.
class SourcePlace {
public:
  /// Nothing if the text is no such place.
  static std::optional<SourcePlace> create(StringRef text);

  /// True if the location, or one that it was made of, is there.
  bool matches(Location loc) const;

private:
  std::string file;
  unsigned line = 0;
  std::optional<unsigned> column;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_SOURCEPLACE_H
