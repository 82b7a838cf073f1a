//===- SpecializeCallees.cpp - One clone per call, and back ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   call @f(%host)  call @f(%device)    // becomes, with f placed on two
//   devices call @f(%host)  call @f_0(%device)
//
// Calls are specialized from the callers down, so that a function which two
// clones call is cloned for each. Merging goes the other way, so that callers
// of merged functions can be found equal.
//
//===----------------------------------------------------------------------===//

#include "SpecializeCallees.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::hetero;

/// Operations that clones may add to a module of any size, and per operation of
/// the module.
static constexpr unsigned kMinGrowth = 10000;
static constexpr unsigned kMaxGrowthFactor = 1;

static unsigned countNestedOperations(Operation *op) {
  unsigned count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

bool mlir::hetero::handlesTensors(FunctionOpInterface function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(function.getArgumentTypes(), isTensor) ||
         llvm::any_of(function.getResultTypes(), isTensor);
}

namespace {
/// Functions and their calls.
class Specializer {
public:
  explicit Specializer(ModuleOp module) : module(module), symbols(module) {}
  SpecializedCallees run();

private:
  void collectCalls(Operation *root);
  void collectReferences();
  void specialize(FunctionOpInterface function);
  /// Functions of the module, callers first; recursive ones are left out.
  SmallVector<FunctionOpInterface> orderFunctions();

  ModuleOp module;
  SymbolTable symbols;
  SpecializedCallees specialized;
  llvm::MapVector<Operation *, SmallVector<CallOpInterface>> calls;
  /// Functions that something other than a call refers to.
  llvm::DenseSet<Operation *> referenced;
  unsigned growth = 0, maxGrowth = 0;
};
} // namespace

void Specializer::collectReferences() {
  llvm::DenseMap<Operation *, unsigned> numUses;
  if (auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion()))
    for (const SymbolTable::SymbolUse &use : *uses)
      if (Operation *symbol =
              symbols.lookup(use.getSymbolRef().getRootReference()))
        ++numUses[symbol];
  for (auto [symbol, count] : numUses)
    if (auto it = calls.find(symbol);
        it == calls.end() || it->second.size() != count)
      referenced.insert(symbol);
}

void Specializer::collectCalls(Operation *root) {
  root->walk([&](CallOpInterface call) {
    auto symbol =
        dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
    if (!symbol)
      return;
    if (Operation *callee = symbols.lookup(symbol.getRootReference()))
      calls[callee].push_back(call);
  });
}

SmallVector<FunctionOpInterface> Specializer::orderFunctions() {
  SmallVector<FunctionOpInterface> order;
  CallGraph graph(module);
  for (auto it = llvm::scc_begin<const CallGraph *>(&graph); !it.isAtEnd();
       ++it) {
    if (it.hasCycle() || (*it).front()->isExternal())
      continue;
    auto function = dyn_cast<FunctionOpInterface>(
        (*it).front()->getCallableRegion()->getParentOp());
    if (function && function->getParentOp() == module)
      order.push_back(function);
  }
  // Callees come first in the order of components.
  std::reverse(order.begin(), order.end());
  return order;
}

/// The first call keeps the original.
void Specializer::specialize(FunctionOpInterface function) {
  auto it = calls.find(function);
  if (it == calls.end() || it->second.size() < 2)
    return;
  unsigned size = countNestedOperations(function);
  unsigned numClones = it->second.size() - 1;
  if (numClones > (maxGrowth - growth) / size)
    return;
  growth += numClones * size;
  SpecializedCallees::Family family{function, {}};
  SmallVector<CallOpInterface> others(llvm::drop_begin(it->second));
  it->second.truncate(1);
  for (CallOpInterface call : others) {
    auto clone = cast<FunctionOpInterface>(function->clone());
    symbols.insert(clone, ++Block::iterator(function));
    call.setCalleeFromCallable(FlatSymbolRefAttr::get(clone));
    calls[clone].push_back(call);
    collectCalls(clone);
    family.clones.push_back({clone, call});
  }
  specialized.families.push_back(std::move(family));
}

SpecializedCallees Specializer::run() {
  SmallVector<FunctionOpInterface> order = orderFunctions();
  collectCalls(module);
  collectReferences();
  maxGrowth =
      std::max(kMinGrowth, countNestedOperations(module) * kMaxGrowthFactor);
  for (FunctionOpInterface function : order) {
    if (!function.isPrivate() || function.isExternal() ||
        !handlesTensors(function))
      continue;
    if (!referenced.contains(function))
      specialize(function);
  }
  return std::move(specialized);
}

SpecializedCallees mlir::hetero::specializeCallees(ModuleOp module) {
  return hasPrivateFunctions(module) ? Specializer(module).run()
                                     : SpecializedCallees();
}

bool mlir::hetero::areEqual(FunctionOpInterface a, FunctionOpInterface b) {
  NamedAttrList attrsOfA(a->getAttrDictionary());
  NamedAttrList attrsOfB(b->getAttrDictionary());
  for (StringRef name : {SymbolTable::getSymbolAttrName(),
                         SymbolTable::getVisibilityAttrName()}) {
    attrsOfA.erase(name);
    attrsOfB.erase(name);
  }
  return attrsOfA == attrsOfB &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getFunctionBody(), &b.getFunctionBody(),
             OperationEquivalence::Flags::IgnoreLocations);
}

unsigned mlir::hetero::mergeCallees(const SpecializedCallees &specialized) {
  unsigned numClones = 0;
  for (const SpecializedCallees::Family &family :
       llvm::reverse(specialized.families)) {
    SmallVector<FunctionOpInterface> kept{family.original};
    for (SpecializedCallees::Clone clone : family.clones) {
      auto *same = llvm::find_if(kept, [&](FunctionOpInterface other) {
        return areEqual(other, clone.function);
      });
      if (same == kept.end()) {
        kept.push_back(clone.function);
        continue;
      }
      clone.call.setCalleeFromCallable(FlatSymbolRefAttr::get(*same));
      clone.function->erase();
    }
    numClones += kept.size() - 1;
  }
  return numClones;
}
