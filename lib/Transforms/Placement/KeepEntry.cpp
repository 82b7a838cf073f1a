//===- KeepEntry.cpp - What one entry point needs of a module -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's symbol-privatize and symbol-dce would do, if private functions and
// public ones were placed alike: a public function that the entry calls keeps
// its signature.
//
//===----------------------------------------------------------------------===//

#include "KeepEntry.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

static LogicalResult reportUnknown(ModuleOp module, StringRef entry) {
  std::string known;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function.isPublic() && !function.isExternal())
      known += (known.empty() ? "'" : ", '") + function.getName().str() + "'";
  return emitError(module.getLoc())
         << "no entry point '" << entry << "'; "
         << (known.empty() ? "the program has none, make a function public"
                           : "there is " + known);
}

/// TOSA names variables by strings. What has such a name by chance stays, too.
static void addNamed(Operation *root, const SymbolTable &symbols,
                     llvm::SetVector<Operation *> &reached) {
  root->walk([&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs())
      if (auto name = dyn_cast<StringAttr>(attr.getValue()))
        if (Operation *used = symbols.lookup(name))
          reached.insert(used);
  });
}

FailureOr<llvm::SetVector<Operation *>>
mlir::hetero::findReached(ModuleOp module, ArrayRef<Operation *> entries) {
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> reached(entries.begin(), entries.end());
  // What has no name is there for all.
  for (Operation &op : *module.getBody())
    if (!isa<SymbolOpInterface>(op))
      reached.insert(&op);
  for (size_t index = 0; index < reached.size(); ++index) {
    auto uses = SymbolTable::getSymbolUses(reached[index]);
    // An operation that nobody knows may use anything.
    if (!uses)
      return failure();
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *used =
              symbols.lookup(use.getSymbolRef().getRootReference()))
        reached.insert(used);
    addNamed(reached[index], symbols, reached);
  }
  return reached;
}

LogicalResult mlir::hetero::keepEntry(ModuleOp module, StringRef entry) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupSymbolIn(module, entry));
  if (!function || !function.isPublic() || function.isExternal())
    return reportUnknown(module, entry);
  FailureOr<llvm::SetVector<Operation *>> reached =
      findReached(module, {function});
  if (failed(reached))
    return success();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (!reached->contains(&op))
      op.erase();
  return success();
}
