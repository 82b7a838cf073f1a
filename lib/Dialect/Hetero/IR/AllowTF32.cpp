//===- AllowTF32.cpp - The permission to round to tf32 --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/AllowTF32.h"

#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::hetero;

/// What the attribute of the operation itself says, if it has one.
static std::optional<bool> getOwn(Operation *op) {
  Attribute attr = op->getDiscardableAttr(kAllowTF32AttrName);
  if (!attr)
    return std::nullopt;
  auto value = dyn_cast<BoolAttr>(attr);
  return !value || value.getValue();
}

bool mlir::hetero::allowsTF32(Operation *op, bool otherwise) {
  for (; op; op = op->getParentOp())
    if (std::optional<bool> own = getOwn(op))
      return *own;
  return otherwise;
}

/// Of `op` and what is around it inside of `root`.
static std::optional<bool> findInside(Operation *op, Operation *root) {
  for (; op != root->getParentOp(); op = op->getParentOp())
    if (std::optional<bool> own = getOwn(op))
      return own;
  return std::nullopt;
}

void mlir::hetero::pushTF32ToBodies(Operation *root) {
  root->walk([&](linalg::LinalgOp op) {
    std::optional<bool> allows = findInside(op, root);
    if (!allows)
      return;
    Attribute value = BoolAttr::get(op.getContext(), *allows);
    for (auto product : op.getBlock()->getOps<arith::MulFOp>())
      product->setDiscardableAttr(kAllowTF32AttrName, value);
  });
}
