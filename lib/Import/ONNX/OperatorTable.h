//===- OperatorTable.h - The table of operators -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators that are known, each with the function that builds it.
//
// To add one, write a row in the `add...` function of its family under
// Operators/ (a new family: a new file, its function declared here and called
// in OperatorTable.cpp):
//
//   table.add("Relu", {6, 13, 14}, [](NodeBuilder &n) {
//     n.set(0, elementwise(n, {n.in(0)}, relu));
//   });
//
// The versions are those at which the standard changed the operator; the one in
// force is n.since(). A function reads inputs and attributes from the
// NodeBuilder, builds by the emitters under Emit/, and sets each output that
// n.wants(). It says n.fail("...; remedy") for what it cannot do, and
// n.check(...) for what only the run can tell. test/Import/Inputs/case.py
// runs single nodes against the reference, and `scripts/benchmark onnx-nodes
// --by-operator --placements cpu` those of the onnx package.

#ifndef HETERO_LIB_IMPORT_ONNX_OPERATORTABLE_H
#define HETERO_LIB_IMPORT_ONNX_OPERATORTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::hetero::onnx {

class NodeBuilder;

/// The opsets of ai.onnx that are read.
constexpr int64_t kFirstOpset = 7, kLastOpset = 28;

/// The domain of what ONNX Runtime's optimizers and quantizers write.
constexpr llvm::StringLiteral kMicrosoft = "com.microsoft";
/// The domain of what the importers of frameworks write.
constexpr llvm::StringLiteral kHetero = "hetero";
/// The domain of classical models.
constexpr llvm::StringLiteral kLearning = "ai.onnx.ml";

using OperatorFunction = void (*)(NodeBuilder &n);

struct Operator {
  /// Ascending: the versions of the operator that the function knows.
  llvm::SmallVector<int64_t, 6> since;
  OperatorFunction build;

  /// The version in force in an opset; 0 if there is none.
  int64_t getVersion(int64_t opset) const;
};

class OperatorTable {
public:
  static const OperatorTable &get();

  /// Adds a row. A later one of the same name takes its place.
  void add(llvm::StringRef name, llvm::ArrayRef<int64_t> since,
           OperatorFunction build, llvm::StringRef domain = "");
  /// Null if there is none of the name in the domain.
  const Operator *find(llvm::StringRef domain, llvm::StringRef name) const;

private:
  /// By domain, a colon and name.
  llvm::StringMap<Operator> operators;
};

/// "" for both names of the standard's domain.
llvm::StringRef getCanonicalDomain(llvm::StringRef domain);

// The families of operators, each in a file of its own.
#define HETERO_ONNX_FAMILY(NAME) void add##NAME(OperatorTable &table);
#include "Families.def"

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_OPERATORTABLE_H
