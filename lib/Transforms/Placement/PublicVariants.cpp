//===- PublicVariants.cpp - Public functions for callers inside -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PublicVariants.h"

#include "SpecializeCallees.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// Marks what a variant is of, until it is merged.
static constexpr llvm::StringLiteral kVariantSuffix = "_device";

static FunctionOpInterface lookupCallee(CallOpInterface call,
                                        SymbolTable &symbols) {
  auto symbol = dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
  return symbol ? symbols.lookup<FunctionOpInterface>(symbol.getRootReference())
                : FunctionOpInterface();
}

static FunctionOpInterface addVariant(FunctionOpInterface function,
                                      SymbolTable &symbols) {
  auto variant = cast<FunctionOpInterface>(function->clone());
  SymbolTable::setSymbolName(variant,
                             function.getName().str() + kVariantSuffix.str());
  SymbolTable::setSymbolVisibility(variant, SymbolTable::Visibility::Private);
  // Nobody outside gives its buffers to this one.
  for (unsigned i = 0; i < variant.getNumArguments(); ++i)
    variant.removeArgAttr(i, kDonatedAttrName);
  symbols.insert(variant, ++Block::iterator(function));
  return variant;
}

SmallVector<FunctionOpInterface>
mlir::hetero::addPrivateVariants(ModuleOp module) {
  auto functions = module.getOps<FunctionOpInterface>();
  if (functions.empty() || std::next(functions.begin()) == functions.end())
    return {};
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> called;
  module.walk([&](CallOpInterface call) {
    FunctionOpInterface callee = lookupCallee(call, symbols);
    if (callee && callee.isPublic() && !callee.isExternal() &&
        handlesTensors(callee))
      called.insert(callee);
  });
  if (called.empty())
    return {};
  llvm::DenseMap<Operation *, FlatSymbolRefAttr> variants;
  for (Operation *function : called)
    variants[function] = FlatSymbolRefAttr::get(
        addVariant(cast<FunctionOpInterface>(function), symbols));
  // Those in the variants, too.
  module.walk([&](CallOpInterface call) {
    auto it = variants.find(lookupCallee(call, symbols));
    if (it != variants.end())
      call.setCalleeFromCallable(it->second);
  });
  return llvm::map_to_vector(called, llvm::CastTo<FunctionOpInterface>);
}

unsigned mlir::hetero::mergeVariants(ModuleOp module,
                                     ArrayRef<FunctionOpInterface> functions) {
  unsigned numLeft = 0;
  for (FunctionOpInterface function : functions) {
    std::string prefix = function.getName().str() + kVariantSuffix.str();
    for (auto other :
         llvm::make_early_inc_range(module.getOps<FunctionOpInterface>())) {
      if (!other.isPrivate() || !other.getName().starts_with(prefix))
        continue;
      if (!areEqual(function, other)) {
        ++numLeft;
        continue;
      }
      (void)SymbolTable::replaceAllSymbolUses(
          other, StringAttr::get(module.getContext(), function.getName()),
          module);
      other->erase();
    }
  }
  return numLeft;
}
