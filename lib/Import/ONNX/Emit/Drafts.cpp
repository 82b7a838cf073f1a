//===- Drafts.cpp - Blocks and values of control flow ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drafts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Integer tensors of at most so many elements are passed on as scalars.
static constexpr int64_t kMaxScalars = 8;

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

static void addLeaves(const Tensor &value, SmallVectorImpl<Tensor> &leaves) {
  if (!value.isSequence())
    return leaves.push_back(value);
  for (const Tensor &item : *value.items)
    addLeaves(item, leaves);
}

SmallVector<Tensor> onnx::getLeaves(ArrayRef<Tensor> values) {
  SmallVector<Tensor> leaves;
  for (const Tensor &value : values)
    addLeaves(value, leaves);
  return leaves;
}

static Tensor takeLeaves(const Tensor &value, ArrayRef<Tensor> &leaves) {
  if (!value.isSequence()) {
    Tensor leaf = leaves.front();
    leaves = leaves.drop_front();
    return leaf;
  }
  Tensor made = value;
  made.items = std::make_shared<std::vector<Tensor>>();
  for (const Tensor &item : *value.items)
    made.items->push_back(takeLeaves(item, leaves));
  return made;
}

SmallVector<Tensor> onnx::replaceLeaves(ArrayRef<Tensor> values,
                                        ArrayRef<Tensor> leaves) {
  return llvm::map_to_vector(
      values, [&](const Tensor &value) { return takeLeaves(value, leaves); });
}

static bool haveSameStructure(const Tensor &lhs, const Tensor &rhs) {
  if (lhs.isSequence() != rhs.isSequence() || lhs.isOptional != rhs.isOptional)
    return false;
  if (lhs.isSequence())
    return onnx::haveSameStructure(*lhs.items, *rhs.items);
  return lhs.type == rhs.type && lhs.rank() == rhs.rank();
}

bool onnx::haveSameStructure(ArrayRef<Tensor> lhs, ArrayRef<Tensor> rhs) {
  return lhs.size() == rhs.size() &&
         llvm::all_of(llvm::zip_equal(lhs, rhs), [](auto pair) {
           return ::haveSameStructure(std::get<0>(pair), std::get<1>(pair));
         });
}

bool onnx::areSame(const Tensor &lhs, const Tensor &rhs) {
  return lhs.type == rhs.type && lhs.sizes == rhs.sizes &&
         lhs.value == rhs.value && lhs.constant == rhs.constant &&
         lhs.elements == rhs.elements;
}

//===----------------------------------------------------------------------===//
// Drafts
//===----------------------------------------------------------------------===//

Draft::Draft(NodeBuilder &n) : n(n) {
  op = scf::ExecuteRegionOp::create(n.b, n.loc, TypeRange());
  n.b.setInsertionPointToEnd(&op.getRegion().emplaceBlock());
}

/// True of arithmetic on scalars that may run anywhere.
static bool isArithmetic(Operation &op) {
  return op.getNumRegions() == 0 && op.getNumResults() == 1 && isPure(&op) &&
         op.getResult(0).getType().isIntOrIndex();
}

void Draft::leave() {
  for (Operation &inside : llvm::make_early_inc_range(*block())) {
    bool isOuter = llvm::all_of(inside.getOperands(), [&](Value operand) {
      return !op.getRegion().isAncestor(operand.getParentRegion());
    });
    if (!isOuter || !isArithmetic(inside))
      continue;
    inside.moveBefore(op);
    // Tensors still refer to what is there twice.
    Value own = inside.getResult(0), known = n.ix.findEqual(own);
    moved[own] = known;
    if (known != own)
      own.replaceAllUsesWith(known);
  }
  n.b.setInsertionPointAfter(op);
}

OpFoldResult Draft::resolve(OpFoldResult size) const {
  auto value = dyn_cast_if_present<Value>(size);
  auto it = value ? moved.find(value) : moved.end();
  return it == moved.end() ? size : OpFoldResult(it->second);
}

Tensor Draft::resolve(const Tensor &tensor) const {
  Tensor made = tensor;
  if (made.value)
    made.value = cast<Value>(resolve(OpFoldResult(made.value)));
  for (OpFoldResult &size : made.sizes)
    size = resolve(size);
  if (made.elements)
    for (OpFoldResult &element : *made.elements)
      element = resolve(element);
  return made;
}

OpFoldResult Draft::getOuter(OpFoldResult size) const {
  OpFoldResult known = resolve(size);
  auto value = dyn_cast_if_present<Value>(known);
  Region &region = const_cast<Draft *>(this)->op.getRegion();
  bool isInner = value && region.isAncestor(value.getParentRegion());
  return isInner ? OpFoldResult() : known;
}

void Draft::moveTo(Block *target, ValueRange arguments) {
  for (auto [own, other] :
       llvm::zip_equal(block()->getArguments(), arguments)) {
    moved[own] = other;
    own.replaceAllUsesWith(other);
  }
  target->getOperations().splice(target->end(), block()->getOperations());
  op.erase();
}

void Draft::erase() {
  n.b.setInsertionPointAfter(op);
  n.erase(op);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

Slot::Slot(const Tensor &given, ArrayRef<OpFoldResult> sizes)
    : tensor(given.type, Sizes(sizes)) {
  bool isWhole = isInteger(given.type) || given.type == ElementType::Bool;
  std::optional<int64_t> count = tensor.count();
  if (isWhole && given.rank() <= 1 && count && *count <= kMaxScalars &&
      (*count == 1 || given.elements))
    tensor.elements.emplace(*count);
}

void Slot::addTypes(NodeBuilder &n, SmallVectorImpl<Type> &types) const {
  if (isScalars())
    types.append(tensor.elements->size(), n.storage(tensor.type));
  else
    types.push_back(getTensorType(n.storage(tensor.type), tensor.sizes));
}

void Slot::addValues(NodeBuilder &n, const Tensor &given,
                     SmallVectorImpl<Value> &values) const {
  if (!isScalars())
    return values.push_back(
        n.make(tensor.type, tensor.sizes, n.value(given)).value);
  Tensor exact = given;
  exact.sizes = tensor.sizes;
  if (given.sizes != exact.sizes && !given.elements)
    exact = n.make(given.type, exact.sizes, n.value(given));
  for (OpFoldResult element : n.elements(exact))
    values.push_back(n.scalarValue(element));
}

Tensor Slot::takeValues(NodeBuilder &n, ValueRange &values) const {
  Tensor taken = tensor;
  if (isScalars()) {
    for (OpFoldResult &element : *taken.elements) {
      element = values.front();
      values = values.drop_front();
    }
    return taken;
  }
  taken.value = values.front();
  values = values.drop_front();
  for (auto [axis, size] : llvm::enumerate(taken.sizes))
    if (!size) {
      size = tensor::getMixedSize(n.b, n.loc, taken.value, axis);
      if (auto value = dyn_cast<Value>(size))
        size = n.ix.unique(value);
    }
  return taken;
}
