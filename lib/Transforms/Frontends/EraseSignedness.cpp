//===- EraseSignedness.cpp - Signed and unsigned integers to signless -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces `ui8`, `si8` and their like by `i8`:
//
//   func.func @f(%a: tensor<4xui8>) -> tensor<4xui8>
//     ->
//   func.func @f(%a: tensor<4xi8> {hetero.element_type = ui8})
//       -> (tensor<4xi8> {hetero.element_type = ui8})
//
// Arithmetic works on signless integers only, and says itself how it takes
// them, so that the sign in a type matters to nobody but the callers of entry
// points, and to TOSA and the reductions of affine.parallel, which are
// rewritten first.
//
//===----------------------------------------------------------------------===//

#include "LowerControlFlow.h"
#include "UnsignedTosa.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_ERASESIGNEDNESSPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

static bool hasSign(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && !integer.isSignless();
}

/// True if an operation works on signed or unsigned integers, or a function
/// takes or returns them. Each type is looked at once.
static bool hasSigns(ModuleOp module) {
  llvm::DenseSet<Type> seen;
  auto isFound = [&](Type type) {
    return seen.insert(type).second &&
           type.walk([](Type part) {
                 return hasSign(part) ? WalkResult::interrupt()
                                      : WalkResult::advance();
               })
               .wasInterrupted();
  };
  auto isFoundIn = [&](Operation *op) {
    if (llvm::any_of(op->getResultTypes(), isFound))
      return true;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (llvm::any_of(block.getArgumentTypes(), isFound))
          return true;
    auto type = op->getAttrOfType<TypeAttr>("type"); // Globals.
    auto function = dyn_cast<FunctionOpInterface>(op);
    return (type && isFound(type.getValue())) ||
           (function && isFound(function.getFunctionType()));
  };
  return module
      .walk([&](Operation *op) {
        return isFoundIn(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What callers see of each argument and result of a function.
static SmallVector<Type> getSignedElements(TypeRange types) {
  SmallVector<Type> elements;
  for (Type type : types) {
    Type element = getElementTypeOrSelf(type);
    elements.push_back(hasSign(element) ? element : Type());
  }
  return elements;
}

/// Conversions between integers that differ in nothing but the sign are none.
/// What was said of their devices is not missed by placement.
static int64_t removeConversions(ModuleOp module) {
  int64_t removed = 0, annotated = 0;
  module.walk([&](Operation *op) {
    if (!isa<UnrealizedConversionCastOp, tensor::BitcastOp>(op) ||
        op->getOperandTypes() != op->getResultTypes())
      return;
    annotated += bool(getDevice(op));
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
    ++removed;
  });
  auto pins = module->getAttrOfType<IntegerAttr>(kPinsAttrName);
  if (pins && annotated != 0)
    module->setAttr(kPinsAttrName, IntegerAttr::get(pins.getType(),
                                                    pins.getInt() - annotated));
  return removed;
}

static AttrTypeReplacer makeReplacer() {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](IntegerType type) -> std::optional<Type> {
    if (!hasSign(type))
      return std::nullopt;
    return IntegerType::get(type.getContext(), type.getWidth());
  });
  // Elements are bits, and stay what they are.
  replacer.addReplacement([](DenseIntElementsAttr attr) -> Attribute {
    Type element = attr.getElementType();
    if (!hasSign(element))
      return attr;
    return attr.bitcast(
        IntegerType::get(attr.getContext(), element.getIntOrFloatBitWidth()));
  });
  return replacer;
}

/// A loop of affine that says by a type how it compares numbers.
static bool isSignedReduction(Operation *op) {
  auto loop = dyn_cast<affine::AffineParallelOp>(op);
  return loop && llvm::any_of(loop.getResultTypes(), hasSign);
}

/// Returns how many conversions went away.
static int64_t eraseSigns(ModuleOp module) {
  SmallVector<std::pair<FunctionOpInterface, SmallVector<Type>>> functions;
  module.walk([&](FunctionOpInterface function) {
    SmallVector<Type> types(function.getArgumentTypes());
    llvm::append_range(types, function.getResultTypes());
    functions.push_back({function, getSignedElements(types)});
  });
  makeReplacer().recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                              /*replaceLocs=*/false,
                                              /*replaceTypes=*/true);
  for (auto &[function, elements] : functions) {
    unsigned numArguments = function.getNumArguments();
    for (auto [index, element] : llvm::enumerate(elements)) {
      if (!element || !function.isPublic())
        continue;
      if (index < numArguments)
        function.setArgAttr(index, kElementTypeAttrName,
                            TypeAttr::get(element));
      else
        function.setResultAttr(index - numArguments, kElementTypeAttrName,
                               TypeAttr::get(element));
    }
  }
  return removeConversions(module);
}

namespace {
struct EraseSignednessPass
    : public mlir::hetero::impl::EraseSignednessPassBase<EraseSignednessPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    int64_t conversions = 0;
    if (hasSigns(module)) {
      if (failed(makeUnsignedTosaSigned(module)) ||
          failed(lowerControlFlow(module, isSignedReduction)))
        return signalPassFailure();
      conversions = eraseSigns(module);
    }
    remarkSummary(module, getArgument(), {{"conversions", conversions}});
  }
};
} // namespace
