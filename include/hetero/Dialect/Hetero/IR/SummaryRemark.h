//===- SummaryRemark.h - What a pass did, as a remark -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every pass ends with an analysis remark that counts what it added, removed or
// went over, for `--remarks-filter=PASS`:
//
//   remark: [Analysis] summary | Category:hetero-schedule | waits=2
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_SUMMARYREMARK_H
#define HETERO_DIALECT_HETERO_IR_SUMMARYREMARK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

namespace mlir::hetero {

/// A name and how many of it there are.
using SummaryCount = std::pair<StringRef, int64_t>;

inline void remarkSummary(ModuleOp module, StringRef pass,
                          ArrayRef<SummaryCount> counts) {
  auto remark = remark::analysis(
      module.getLoc(), remark::RemarkOpts::name("summary").category(pass));
  for (auto [name, count] : counts)
    remark << remark::metric(name, count);
}

/// The number of operations of the given kinds; 0 where nobody asks for
/// remarks, since counting goes over the whole module.
template <typename... OpTys> int64_t countForRemark(ModuleOp module) {
  int64_t count = 0;
  if (module.getContext()->getRemarkEngine())
    module.walk([&](Operation *op) { count += isa<OpTys...>(op); });
  return count;
}

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_SUMMARYREMARK_H
