//===- OperationTexts.cpp - Operations as short texts ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperationTexts.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Longer texts are cut off.
static constexpr size_t kMaxLength = 2000;
/// Larger constants and resources are not printed.
static constexpr int64_t kMaxElements = 8, kMaxResource = 32;

static constexpr auto kIgnored = OperationEquivalence::IgnoreLocations |
                                 OperationEquivalence::IgnoreDiscardableAttrs;

//===----------------------------------------------------------------------===//
// Operations that are alike
//===----------------------------------------------------------------------===//

size_t LikeOperations::Hash::operator()(Operation *op) const {
  return OperationEquivalence::computeHash(
      op, OperationEquivalence::ignoreHashValue,
      OperationEquivalence::ignoreHashValue, kIgnored);
}

/// Values from outside may be any, those of a body must match.
bool LikeOperations::operator()(Operation *first, Operation *second) const {
  if (first == second)
    return true;
  // Bodies of control flow are not in the text.
  if (isControlFlow(first))
    return isControlFlow(second) && first->getName() == second->getName() &&
           first->getOperandTypes() == second->getOperandTypes() &&
           first->getResultTypes() == second->getResultTypes();
  llvm::DenseMap<Value, Value> matched;
  auto isInside = [](Value value, Operation *op) {
    return op->isProperAncestor(value.getParentBlock()->getParentOp()) ||
           value.getParentBlock()->getParentOp() == op;
  };
  return OperationEquivalence::isEquivalentTo(
      first, second,
      [&](Value a, Value b) {
        if (!isInside(a, first))
          return success(!isInside(b, second));
        auto it = matched.find(a);
        return success(it != matched.end() && it->second == b);
      },
      [&](Value a, Value b) { matched[a] = b; }, kIgnored);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static OpPrintingFlags getFlags() {
  return OpPrintingFlags()
      .elideLargeElementsAttrs(kMaxElements)
      .elideLargeResourceString(kMaxResource)
      .assumeVerified();
}

OperationTexts::OperationTexts(MLIRContext *context)
    : scratch(ModuleOp::create(UnknownLoc::get(context))) {}

/// Numbers the values of a text anew, from 0.
static std::string renumber(StringRef text) {
  std::string result;
  llvm::StringMap<unsigned> numbers;
  while (!text.empty()) {
    auto [before, rest] = text.split('%');
    result += before;
    if (before.size() == text.size())
      break;
    StringRef name = rest.take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
    });
    unsigned number = numbers.try_emplace(name, numbers.size()).first->second;
    result += "%" + std::to_string(number);
    text = rest.drop_front(name.size());
  }
  return result;
}

static std::string printSignature(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << " (" << op->getOperandTypes() << ") -> ("
     << op->getResultTypes() << ")";
  return text;
}

std::string OperationTexts::print(Operation *op) {
  if (isControlFlow(op))
    return printSignature(op);
  OpBuilder builder(scratch->getBodyRegion());
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  IRMapping mapping;
  // Something that makes each value.
  for (Value value : used)
    mapping.map(value, UnrealizedConversionCastOp::create(
                           builder, op->getLoc(), value.getType(), ValueRange())
                           .getResult(0));
  Operation *copy = builder.clone(*op, mapping);
  copy->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
  std::string text;
  llvm::raw_string_ostream os(text);
  AsmState state(*scratch, getFlags());
  copy->print(os, state);
  copy->erase();
  scratch->getBody()->clear();
  if (text.size() > kMaxLength)
    text = text.substr(0, kMaxLength) + " ...";
  return renumber(text);
}

StringRef OperationTexts::get(Operation *op) {
  auto [it, isNew] = texts.try_emplace(op);
  if (isNew)
    it->second = print(op);
  return it->second;
}
