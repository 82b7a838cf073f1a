//===- FlattenModules.cpp - Moves what nested modules hold outside --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All later passes take the functions of a program from the body of its module.
//
//   module {                              module {
//     module @inner {            ->         func.func @main() { ... }
//       func.func @main() { ... }         }
//     }
//   }
//
//===----------------------------------------------------------------------===//

#include "FlattenModules.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::hetero;

/// Gives one of two symbols of the same name another one.
static LogicalResult separateNames(SymbolOpInterface moved, SymbolTable &inner,
                                   SymbolOpInterface other,
                                   SymbolTable &outer) {
  if (moved.isPrivate())
    return failure(failed(inner.renameToUnique(moved, {&outer})));
  if (other.isPrivate())
    return failure(failed(outer.renameToUnique(other, {&inner})));
  return (moved.emitOpError("expected public symbols of different names, got @")
          << moved.getName() << " in a nested module and outside of it; "
          << "rename one or make it private")
             .attachNote(other.getLoc())
         << "the other one";
}

/// What named symbols of a nested module from outside names them directly.
static void shortenReferences(ModuleOp module, StringAttr nested) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](SymbolRefAttr ref) -> std::optional<Attribute> {
    ArrayRef<FlatSymbolRefAttr> inside = ref.getNestedReferences();
    if (ref.getRootReference() != nested || inside.empty())
      return std::nullopt;
    return SymbolRefAttr::get(inside.front().getAttr(), inside.drop_front());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/false);
}

LogicalResult mlir::hetero::flattenModules(ModuleOp module) {
  SmallVector<ModuleOp> modules(module.getOps<ModuleOp>());
  for (ModuleOp nested : modules) {
    if (failed(flattenModules(nested)))
      return failure();
    SymbolTable outer(module), inner(nested);
    for (auto symbol : nested.getOps<SymbolOpInterface>()) {
      auto other = dyn_cast_or_null<SymbolOpInterface>(
          outer.lookup(symbol.getNameAttr()));
      // The name of the module itself becomes free.
      if (other && other != nested &&
          failed(separateNames(symbol, inner, other, outer)))
        return failure();
    }
    if (StringAttr name = nested.getSymNameAttr())
      shortenReferences(module, name);
    Block *body = nested.getBody();
    nested->getBlock()->getOperations().splice(nested->getIterator(),
                                               body->getOperations());
    nested.erase();
  }
  return success();
}
