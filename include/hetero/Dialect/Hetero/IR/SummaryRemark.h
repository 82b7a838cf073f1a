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

/// A name and how many of it there are, or how to count them: counting goes
/// over the whole module, which is not worth it unless somebody listens.
struct SummaryCount {
  using Counter = int64_t (*)(ModuleOp);

  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
  SummaryCount(StringRef name, T value)
      : name(name), value(static_cast<int64_t>(value)) {}
  SummaryCount(StringRef name, Counter counter)
      : name(name), counter(counter) {}

  StringRef name;
  int64_t value = 0;
  Counter counter = nullptr;
};

inline void remarkSummary(ModuleOp module, StringRef pass,
                          ArrayRef<SummaryCount> counts) {
  auto summary = remark::analysis(
      module.getLoc(), remark::RemarkOpts::name("summary").category(pass));
  if (!summary)
    return;
  for (const SummaryCount &count : counts)
    summary << remark::metric(count.name, count.counter ? count.counter(module)
                                                        : count.value);
}

/// True if somebody listens to such a remark, which is not given out.
inline bool isHeard(remark::detail::InFlightRemark candidate) {
  bool heard = static_cast<bool>(candidate);
  // What is assigned over is dropped; what is destroyed is given out.
  candidate = remark::detail::InFlightRemark();
  return heard;
}

/// The number of operations of the given kinds.
template <typename... OpTys> int64_t countOperations(ModuleOp module) {
  int64_t count = 0;
  module.walk([&](Operation *op) { count += isa<OpTys...>(op); });
  return count;
}

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_SUMMARYREMARK_H
