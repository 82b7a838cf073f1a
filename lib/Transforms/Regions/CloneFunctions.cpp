//===- CloneFunctions.cpp - Variants of functions -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Regions/CloneFunctions.h"

#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::hetero;

llvm::SetVector<func::FuncOp>
mlir::hetero::findWithUsers(ModuleOp module,
                            function_ref<bool(func::FuncOp)> isWanted) {
  llvm::SetVector<func::FuncOp> found;
  llvm::StringMap<SmallVector<func::FuncOp>> users;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (isWanted(function))
      found.insert(function);
    if (auto uses = SymbolTable::getSymbolUses(function))
      for (const SymbolTable::SymbolUse &use : *uses)
        users[use.getSymbolRef().getRootReference()].push_back(function);
  }
  for (size_t next = 0; next < found.size(); ++next) {
    func::FuncOp function = found[next];
    if (auto it = users.find(function.getName()); it != users.end())
      found.insert(it->second.begin(), it->second.end());
  }
  return found;
}

void mlir::hetero::renameReferences(Operation *root,
                                    const RenamedSymbols &renamed) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](FlatSymbolRefAttr reference) -> std::optional<Attribute> {
        auto it = renamed.find(reference);
        return it == renamed.end() ? reference : it->second;
      });
  root->walk([&](SymbolUserOpInterface op) {
    replacer.replaceElementsIn(op.getOperation());
  });
}

SmallVector<func::FuncOp>
mlir::hetero::cloneFunctions(const llvm::SetVector<func::FuncOp> &functions,
                             StringRef suffix, SymbolTable &symbols) {
  RenamedSymbols renamed;
  SmallVector<func::FuncOp> clones;
  for (func::FuncOp function : functions) {
    func::FuncOp clone = function.clone();
    auto original = FlatSymbolRefAttr::get(function);
    clone.setName((function.getName() + "_" + suffix).str());
    clone->setAttr(kVariantOfAttrName, original.getAttr());
    symbols.insert(clone, std::next(Block::iterator(function)));
    renamed[original] = FlatSymbolRefAttr::get(clone);
    clones.push_back(clone);
  }
  for (func::FuncOp clone : clones)
    renameReferences(clone, renamed);
  return clones;
}
