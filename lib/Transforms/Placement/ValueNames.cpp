//===- ValueNames.cpp - What reports call values and operations -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Placement/ValueNames.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::hetero;

/// "3:10" of the first file location, or empty.
static std::string getPosition(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text =
        std::to_string(file.getLine()) + ":" + std::to_string(file.getColumn());
    return WalkResult::interrupt();
  });
  return text;
}

std::string mlir::hetero::getOperationName(Operation *op) {
  if (auto name =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    return "@" + name.str();
  std::string position = getPosition(op->getLoc());
  std::string text = op->getName().getStringRef().str();
  return position.empty() ? text : text + " at " + position;
}

std::string mlir::hetero::getValueName(Value value) {
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    return name.getName().str();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::string text = "%arg" + std::to_string(argument.getArgNumber());
    if (!argument.getOwner()->isEntryBlock())
      text = "block argument " + std::to_string(argument.getArgNumber());
    Operation *parent = argument.getOwner()->getParentOp();
    return parent ? text + " of " + getOperationName(parent) : text;
  }
  auto result = cast<OpResult>(value);
  std::string text = getOperationName(result.getOwner());
  if (result.getOwner()->getNumResults() == 1)
    return text;
  return "result " + std::to_string(result.getResultNumber()) + " of " + text;
}

std::string mlir::hetero::getCopiedName(CopyOp op) {
  while (true) {
    if (auto name = op->getAttrOfType<StringAttr>(kValueAttrName))
      return name.str();
    auto before = op.getSource().getDefiningOp<CopyOp>();
    if (!before)
      return getValueName(op.getSource());
    op = before;
  }
}
