//===- ControlFlow.cpp - Branches and loops -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../NodeBuilder.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Imports one branch of an If into a block, up to its results.
static FailureOr<SmallVector<Tensor>>
importBranch(NodeBuilder &n, const GraphProto &graph, Block *block) {
  OpBuilder::InsertionGuard guard(n.b);
  n.b.setInsertionPointToEnd(block);
  return n.importGraph(graph, {});
}

/// The sizes that results of both branches are known to have; dynamic ones are
/// asked of the result. Nullopt if ranks or types are unlike.
static std::optional<RankedTensorType>
joinTypes(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs) {
  if (lhs.isSequence() || rhs.isSequence() || lhs.type != rhs.type ||
      lhs.rank() != rhs.rank())
    return std::nullopt;
  SmallVector<int64_t> shape;
  for (int64_t axis = 0; axis < lhs.rank(); ++axis)
    shape.push_back(lhs.dim(axis) && lhs.dim(axis) == rhs.dim(axis)
                        ? *lhs.dim(axis)
                        : ShapedType::kDynamic);
  return RankedTensorType::get(shape, n.storage(lhs.type));
}

/// Ends a branch with its results as the types of the whole.
static void yieldResults(NodeBuilder &n, Block *block, ArrayRef<Tensor> results,
                         TypeRange types) {
  OpBuilder::InsertionGuard guard(n.b);
  n.b.setInsertionPointToEnd(block);
  SmallVector<Value> values;
  for (auto [result, type] : llvm::zip_equal(results, types)) {
    Value value = n.value(result);
    values.push_back(value.getType() == type
                         ? value
                         : tensor::CastOp::create(n.b, n.loc, type, value));
  }
  scf::YieldOp::create(n.b, n.loc, values);
}

static void buildIf(NodeBuilder &n) {
  const GraphProto *branches[] = {n.getGraph("then_branch"),
                                  n.getGraph("else_branch")};
  if (!branches[0] || !branches[1])
    return n.fail("it lacks a branch");
  SmallVector<OpFoldResult> condition = n.elements(n.in(0));
  if (n.failed() || condition.size() != 1)
    return n.fail("its condition has not one element");
  if (std::optional<int64_t> known = getInt(condition[0])) {
    auto results = n.importGraph(*branches[*known ? 0 : 1], {});
    if (succeeded(results))
      for (auto [i, result] : llvm::enumerate(*results))
        n.set(i, result);
    return;
  }
  // The types of the results are known only after the branches, which lie in
  // operations of their own until then.
  scf::ExecuteRegionOp drafts[2];
  SmallVector<Tensor> results[2];
  for (int i = 0; i < 2; ++i) {
    drafts[i] = scf::ExecuteRegionOp::create(n.b, n.loc, TypeRange());
    auto imported =
        importBranch(n, *branches[i], &drafts[i].getRegion().emplaceBlock());
    if (failed(imported))
      return;
    results[i] = std::move(*imported);
  }
  if (results[0].size() != results[1].size())
    return n.fail("its branches have unlike numbers of results");
  SmallVector<Type> types;
  for (auto [yes, no] : llvm::zip_equal(results[0], results[1])) {
    std::optional<RankedTensorType> type = joinTypes(n, yes, no);
    if (!type)
      return n.fail("its branches have results of unlike ranks or types; give "
                    "what its condition depends on by --value or --dim");
    types.push_back(*type);
  }
  auto op = scf::IfOp::create(n.b, n.loc, types, n.scalarValue(condition[0]),
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (int i = 0; i < 2; ++i) {
    Block *target = i ? op.elseBlock() : op.thenBlock();
    target->getOperations().splice(
        target->end(), drafts[i].getRegion().front().getOperations());
    yieldResults(n, target, results[i], types);
    drafts[i].erase();
  }
  for (auto [i, type] : llvm::enumerate(types)) {
    Value value = op.getResult(i);
    n.set(i, n.make(results[0][i].type,
                    tensor::getMixedSizes(n.b, n.loc, value), value));
  }
}

void mlir::hetero::onnx::addControlFlow(OperatorTable &table) {
  table.add("If", {1, 11, 13, 16, 19, 21, 23, 24, 25}, buildIf);
}
