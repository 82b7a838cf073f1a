//===- EntryPoints.h - The functions that callers may call ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_ENTRYPOINTS_H
#define HETERO_COMPILER_ENTRYPOINTS_H

#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace mlir {
namespace hetero {

/// Type of one argument or result in terms of the runtime's ABI.
struct EntryValue {
  /// What heteroAllocateValue takes for it.
  int32_t getPlace() const {
    return sharer == HETERO_HOST ? device : HETERO_SHARED(sharer);
  }

  int32_t type;
  int32_t rank;
  int32_t device;
  llvm::SmallVector<int64_t> sizes;
  bool isDonated = false;
  /// The gpu that has an argument of the host in the same memory, where the
  /// compiled program says so; else the host.
  int32_t sharer = HETERO_HOST;
  /// The type as the source spells it.
  std::string text;
};

/// A public function of the source.
struct EntryPoint {
  /// The symbol of its function: main() is the program's own, and what a node
  /// besides the first has of it ends with the number.
  std::string getSymbol() const;

  std::string name;
  llvm::SmallVector<EntryValue> arguments, results;
  /// Of the program of which node.
  int32_t node = 0;
};

/// The entry points of one node's program.
struct NodeEntries {
  std::vector<EntryPoint> entries;
  /// Whether it has a HeteroStateTable, too.
  bool hasState = false;
  /// Of the node, in the topology.
  int32_t numGPUs = 0;
  /// Text of the caller, which a library keeps; empty if there is none.
  std::string note;
};

/// In a library or an executable with a note: its characters and a zero.
inline constexpr llvm::StringLiteral kNoteSymbol = "heteroProgramNote";

/// In a library or an executable: a HeteroProgramTable, its entry points.
inline constexpr llvm::StringLiteral kEntryTableSymbol = "heteroProgramTable";

/// In one of a program over several nodes: a HeteroNodeTable.
inline constexpr llvm::StringLiteral kNodeTableSymbol = "heteroProgramNodes";

/// In a library or an executable with state: a HeteroStateTable, of each node.
std::string getStateTableSymbol(int32_t node = 0);

/// Entry points in the form that the runner takes, with the addresses of their
/// functions left open.
class EntryTable {
public:
  explicit EntryTable(llvm::ArrayRef<EntryPoint> entries);
  EntryTable(const EntryTable &) = delete;
  EntryTable &operator=(const EntryTable &) = delete;

  const std::vector<HeteroProgramEntry> &get() const { return table; }
  void setFunction(size_t index, HeteroEntryPoint function) {
    table[index].function = function;
  }

private:
  const HeteroSignatureValue *addSignature(llvm::ArrayRef<EntryValue> values);

  /// What the table points to.
  std::vector<EntryPoint> entries;
  std::vector<std::vector<HeteroSignatureValue>> signatures;
  std::vector<HeteroProgramEntry> table;
};

/// The public functions with a body, in the order of the source. Emits an error
/// for a type that cannot cross the ABI; where only the function `wanted` is
/// called, others with such types are left out.
FailureOr<std::vector<EntryPoint>> collectEntryPoints(ModuleOp module,
                                                      StringRef wanted = "");

/// Notes what a lowered program says of its arguments.
void readSharers(ModuleOp lowered, std::vector<EntryPoint> &entries);

} // namespace hetero
} // namespace mlir

#endif // HETERO_COMPILER_ENTRYPOINTS_H
