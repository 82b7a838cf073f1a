//===- StateLoads.cpp - Who sees what is loaded from state ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %s = ml_program.global_load @cache : tensor<64x8xf32>
//   %0 = tensor.insert_slice %x into %s[%i, 0] [1, 8] [1, 1] : ...
//   %1 = linalg.matvec ins(%0, %q : ...) ...
//   ml_program.global_store @cache = %0 : tensor<64x8xf32>
//
// All that uses %s, and %0, which may be in its memory, comes before the store:
// one row is written into the state, and the store finds its value there.
//
//===----------------------------------------------------------------------===//

#include "StateLoads.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if the state may be another one afterwards.
static bool mayStore(Operation *op, SymbolRefAttr state) {
  return op
      ->walk([&](Operation *inner) {
        auto store = dyn_cast<ml_program::GlobalStoreOp>(inner);
        bool mayChange = isa<CallOpInterface>(inner) ||
                         (store && store.getGlobal() == state);
        return mayChange ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The first operation after the load, in its block, that may change the
/// state; else the block's end.
static Operation *findChange(Operation *load, SymbolRefAttr state) {
  Operation *op = load->getNextNode();
  while (!op->hasTrait<OpTrait::IsTerminator>() && !mayStore(op, state))
    op = op->getNextNode();
  return op;
}

/// What an operation makes that may be in the memory of one of its operands;
/// none if that is not known.
static std::optional<SmallVector<Value>> getAliases(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (!structured.isDpsInit(&use) || !structured.hasPureTensorSemantics())
      return SmallVector<Value>();
    return SmallVector<Value>{structured.getTiedOpResult(&use)};
  }
  if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::CastOp>(op))
    return SmallVector<Value>{op->getResult(0)};
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (&use != &insert.getDestMutable())
      return SmallVector<Value>();
    return SmallVector<Value>{insert.getResult()};
  }
  if (isa<CopyOp>(op) && !op->hasAttr(kUnifiedAttrName))
    return SmallVector<Value>();
  if (isa<tensor::ExtractOp, tensor::DimOp, ml_program::GlobalStoreOp>(op))
    return SmallVector<Value>();
  return std::nullopt;
}

LoadKind mlir::hetero::classifyLoad(Operation *load, SymbolRefAttr state) {
  Operation *change = findChange(load, state);
  SmallVector<Value> worklist{load->getResult(0)};
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      bool isBefore = user->getBlock() == load->getBlock() &&
                      (user == change || user->isBeforeInBlock(change));
      std::optional<SmallVector<Value>> aliases = getAliases(use);
      if (!isBefore || !aliases)
        return LoadKind::Copy;
      llvm::append_range(worklist, *aliases);
    }
  return isa<ml_program::GlobalStoreOp>(change) ? LoadKind::InPlace
                                                : LoadKind::View;
}
