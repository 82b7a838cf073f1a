//===- NarrowCopies.cpp - Copy the part that is used ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %1 = hetero.copy %0 : tensor<8x8xf32> -> tensor<8x8xf32, #gpu0>
//   %2 = tensor.extract_slice %1[2, 0] [1, 8] [1, 1]
//
// becomes
//
//   %1 = tensor.extract_slice %0[2, 0] [1, 8] [1, 1]
//   %2 = hetero.copy %1 : tensor<1x8xf32> -> tensor<1x8xf32, #gpu0>
//
// and a value that comes back with a part of it changed
//
//   %1 = hetero.copy %0 : tensor<8x8xf32> -> tensor<8x8xf32, #gpu0>
//   %2 = tensor.insert_slice %part into %1[2, 0] [1, 8] [1, 1]
//   %3 = hetero.copy %2 : tensor<8x8xf32, #gpu0> -> tensor<8x8xf32>
//
// becomes
//
//   %1 = hetero.copy %part : tensor<1x8xf32, #gpu0> -> tensor<1x8xf32>
//   %3 = tensor.insert_slice %1 into %0[2, 0] [1, 8] [1, 1]
//
//===----------------------------------------------------------------------===//

#include "NarrowCopies.h"

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "hetero/Transforms/Placement/ValueNames.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// A slice of what a copy makes, perhaps of another shape of it.
struct Part {
  /// Reshapes, and the slice at the end.
  SmallVector<Operation *, 2> views;
  /// What the narrow copy stands before.
  Operation *site;

  tensor::ExtractSliceOp getSlice() const {
    return cast<tensor::ExtractSliceOp>(views.back());
  }
};

class CopyNarrower {
public:
  CopyNarrower(ModuleOp module, function_ref<const BlockTree &()> getTree)
      : module(module), getTree(getTree), constraints(module.getContext()),
        tensorSizes(module) {}

  bool narrowToSlices(CopyOp copy);
  bool narrowToInserts(CopyOp copy);

private:
  bool collectParts(CopyOp copy, Value whole, ArrayRef<Operation *> views,
                    SmallVectorImpl<Part> &parts,
                    SmallVectorImpl<OpOperand *> &sizes);
  Operation *findSite(CopyOp copy, const Part &part);
  std::optional<int64_t> getTime(CopyOp copy, Value value, Operation *site);
  bool saves(CopyOp copy, ArrayRef<std::pair<Value, Operation *>> narrow);
  Value copySlice(CopyOp copy, const Part &part);
  void remarkOn(CopyOp copy, ArrayRef<std::pair<Value, Operation *>> narrow);

  ModuleOp module;
  function_ref<const BlockTree &()> getTree;
  DeviceConstraints constraints;
  DominanceInfo dominance;
  std::optional<Topology> topology;
  /// Made anew when values are erased.
  TensorSizes tensorSizes;
};
} // namespace

//===----------------------------------------------------------------------===//
// What a copy costs
//===----------------------------------------------------------------------===//

/// What a copy of `value` before `site` between the devices of `copy`
/// takes, as often as it runs; nothing where that is unknown.
std::optional<int64_t> CopyNarrower::getTime(CopyOp copy, Value value,
                                             Operation *site) {
  if (!topology)
    topology.emplace(Topology::get(module));
  std::optional<DeviceIndex> from = topology->lookup(copy.getSourceDevice());
  std::optional<DeviceIndex> to = topology->lookup(copy.getResultDevice());
  BlockIndex block = getTree().lookup(site->getBlock());
  if (!from || !to || block == BlockTree::kNone)
    return std::nullopt;
  // No slice is larger than the whole, even if its size is not known.
  int64_t bytes = std::min(tensorSizes.getBytes(value),
                           tensorSizes.getBytes(copy.getSource()));
  return getTree().scale(topology->getTransferTime(*from, *to, bytes), block);
}

/// True if copies of these values at these sites take less time together.
bool CopyNarrower::saves(CopyOp copy,
                         ArrayRef<std::pair<Value, Operation *>> narrow) {
  std::optional<int64_t> whole = getTime(copy, copy.getSource(), copy);
  int64_t sum = 0;
  for (auto [value, site] : narrow) {
    std::optional<int64_t> time = getTime(copy, value, site);
    if (!time)
      return false;
    sum = addTimes(sum, *time);
  }
  return whole && sum < *whole;
}

void CopyNarrower::remarkOn(CopyOp copy,
                            ArrayRef<std::pair<Value, Operation *>> narrow) {
  auto passed = remark::passed(
      copy.getLoc(),
      remark::RemarkOpts::name("narrowed").category("hetero-optimize-copies"));
  if (!passed)
    return;
  int64_t bytes = 0;
  for (auto [value, site] : narrow)
    bytes = addTimes(bytes, tensorSizes.getBytes(value));
  passed << remark::add("copy of {0} from {1} to {2}: narrowed to {3} slice(s) "
                        "of {4} instead of {5} bytes",
                        getCopiedName(copy), copy.getSourceDevice().str(),
                        copy.getResultDevice().str(), narrow.size(), bytes,
                        tensorSizes.getBytes(copy.getSource()));
}

//===----------------------------------------------------------------------===//
// Slices of what arrives
//===----------------------------------------------------------------------===//

static bool isReshape(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

/// The first place, upwards from the slice, that runs the least often and
/// where all but the copy is known.
Operation *CopyNarrower::findSite(CopyOp copy, const Part &part) {
  auto isKnownAt = [&](Operation *site) {
    for (Operation *view : part.views)
      for (Value operand : view->getOperands().drop_front())
        if (!dominance.properlyDominates(operand, site))
          return false;
    return true;
  };
  if (isKnownAt(copy))
    return copy;
  const BlockTree &tree = getTree();
  auto getFrequency = [&](Operation *op) {
    BlockIndex block = tree.lookup(op->getBlock());
    return block == BlockTree::kNone ? 0 : tree.getFrequency(block);
  };
  Operation *site = part.views.back();
  while (site->getBlock() != copy->getBlock()) {
    Operation *parent = site->getParentOp();
    if (parent->isAncestor(copy) || !isKnownAt(parent) ||
        getFrequency(parent) > getFrequency(site))
      break;
    site = parent;
  }
  return site;
}

/// Collects the slices of `whole`, and operands that only ask for its sizes.
/// False if something else reads it.
bool CopyNarrower::collectParts(CopyOp copy, Value whole,
                                ArrayRef<Operation *> views,
                                SmallVectorImpl<Part> &parts,
                                SmallVectorImpl<OpOperand *> &sizes) {
  for (OpOperand &use : whole.getUses()) {
    Operation *user = use.getOwner();
    if (use.getOperandNumber() != 0 ||
        !constraints.hasPlacedRegions(user->getParentOp()))
      return false;
    SmallVector<Operation *, 2> chain(views);
    chain.push_back(user);
    if (isa<tensor::ExtractSliceOp>(user)) {
      parts.push_back({chain, nullptr});
      parts.back().site = findSite(copy, parts.back());
    } else if (isReshape(user) && !user->use_empty()) {
      if (!collectParts(copy, user->getResult(0), chain, parts, sizes))
        return false;
    } else if (isa<tensor::DimOp>(user) && views.empty()) {
      sizes.push_back(&use);
    } else {
      return false;
    }
  }
  return true;
}

/// What reports call a slice of what is copied.
static StringAttr nameSlice(CopyOp copy) {
  std::string name = getCopiedName(copy);
  bool isSlice = StringRef(name).starts_with("slice of ");
  return StringAttr::get(copy.getContext(),
                         isSlice ? name : "slice of " + name);
}

/// The operation again, on other values and their device.
static Value cloneOn(OpBuilder &builder, Operation *op, IRMapping &mapping,
                     DeviceAttr device) {
  Operation *clone = builder.clone(*op, mapping);
  Value result = clone->getResult(0);
  result.setType(withDevice(result.getType(), device));
  setDevice(clone, device);
  clone->setAttr(kOriginAttrName, builder.getStringAttr("narrowed"));
  clone->removeAttr(kExplainAttrName);
  return result;
}

Value CopyNarrower::copySlice(CopyOp copy, const Part &part) {
  OpBuilder builder(part.site);
  Value source = copy.getSource();
  DeviceAttr device = getTypeDevice(source.getType());
  for (Operation *view : part.views) {
    IRMapping mapping;
    mapping.map(view->getOperand(0), source);
    source = cloneOn(builder, view, mapping, device);
  }
  auto narrow =
      CopyOp::create(builder, copy.getLoc(),
                     part.views.back()->getResult(0).getType(), source);
  narrow->setAttr(kValueAttrName, nameSlice(copy));
  if (Attribute unified = copy->getAttr(kUnifiedAttrName))
    narrow->setAttr(kUnifiedAttrName, unified);
  return narrow;
}

/// True if one copy serves both slices.
static bool areAlike(const Part &a, const Part &b) {
  tensor::ExtractSliceOp first = a.getSlice(), second = b.getSlice();
  return a.site == b.site && first.getSource() == second.getSource() &&
         first.getType() == second.getType() &&
         first.getMixedOffsets() == second.getMixedOffsets() &&
         first.getMixedSizes() == second.getMixedSizes() &&
         first.getMixedStrides() == second.getMixedStrides();
}

/// Erases the last of the views, and those before that only it read.
static void eraseViews(ArrayRef<Operation *> views) {
  for (Operation *view : llvm::reverse(views)) {
    if (!view->use_empty())
      return;
    view->erase();
  }
}

/// Copies the slices that are used instead of all.
bool CopyNarrower::narrowToSlices(CopyOp copy) {
  SmallVector<Part> parts;
  SmallVector<OpOperand *> sizes;
  if (!collectParts(copy, copy.getResult(), {}, parts, sizes) || parts.empty())
    return false;
  std::reverse(parts.begin(), parts.end()); // As in the program.
  SmallVector<std::pair<Value, Operation *>> narrow;
  SmallVector<unsigned> leaders;
  for (auto [index, part] : llvm::enumerate(parts)) {
    unsigned leader = 0;
    while (!areAlike(parts[leader], part))
      ++leader;
    leaders.push_back(leader);
    if (leader == index)
      narrow.push_back({part.views.back()->getResult(0), part.site});
  }
  if (!saves(copy, narrow))
    return false;
  remarkOn(copy, narrow);
  SmallVector<Value> copies;
  for (auto [index, part] : llvm::enumerate(parts)) {
    copies.push_back(leaders[index] == index ? copySlice(copy, part)
                                             : copies[leaders[index]]);
    part.views.back()->getResult(0).replaceAllUsesWith(copies.back());
  }
  for (const Part &part : parts)
    eraseViews(part.views);
  for (OpOperand *size : sizes)
    size->set(copy.getSource());
  copy.erase();
  tensorSizes = TensorSizes(module);
  return true;
}

//===----------------------------------------------------------------------===//
// Slices of what comes back
//===----------------------------------------------------------------------===//

/// Repeats where the value came from what changed it elsewhere.
bool CopyNarrower::narrowToInserts(CopyOp copy) {
  SmallVector<tensor::InsertSliceOp> inserts;
  Value base = copy.getSource();
  while (auto insert = base.getDefiningOp<tensor::InsertSliceOp>()) {
    inserts.push_back(insert);
    base = insert.getDest();
  }
  auto before = base.getDefiningOp<CopyOp>();
  if (inserts.empty() || !before || before.getFrom() ||
      copy->hasAttr(kUnifiedAttrName) ||
      before.getSource().getType() != copy.getType())
    return false;
  SmallVector<std::pair<Value, Operation *>> narrow;
  for (tensor::InsertSliceOp insert : inserts)
    narrow.push_back({insert.getSource(), copy});
  if (!saves(copy, narrow))
    return false;
  remarkOn(copy, narrow);
  OpBuilder builder(copy);
  DeviceAttr device = copy.getResultDevice();
  Value value = before.getSource();
  for (tensor::InsertSliceOp insert : llvm::reverse(inserts)) {
    Value part = insert.getSource();
    auto narrowed = CopyOp::create(builder, copy.getLoc(),
                                   withDevice(part.getType(), device), part);
    narrowed->setAttr(kValueAttrName, nameSlice(copy));
    IRMapping mapping;
    mapping.map(insert.getSource(), narrowed.getResult());
    mapping.map(insert.getDest(), value);
    value = cloneOn(builder, insert, mapping, device);
  }
  copy.getResult().replaceAllUsesWith(value);
  copy.erase();
  for (tensor::InsertSliceOp insert : inserts) {
    if (!insert->use_empty())
      break;
    insert->erase();
  }
  tensorSizes = TensorSizes(module);
  return true;
}

/// Reads a part of a tensor, or is on the way to what does.
static bool readsSlice(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::DimOp>(op);
}

bool mlir::hetero::takesSlices(Operation *op) {
  return isa<tensor::InsertSliceOp>(op) || readsSlice(op);
}

bool mlir::hetero::mayNarrow(CopyOp copy) {
  return copy.getSource().getDefiningOp<tensor::InsertSliceOp>() ||
         (!copy->use_empty() && readsSlice(*copy->user_begin()));
}

unsigned mlir::hetero::narrowCopies(ModuleOp module, ArrayRef<CopyOp> copies,
                                    function_ref<const BlockTree &()> getTree) {
  if (copies.empty())
    return 0;
  CopyNarrower narrower(module, getTree);
  unsigned numNarrowed = 0;
  for (CopyOp copy : copies)
    numNarrowed += narrower.narrowToInserts(copy);
  // What came back may be needed whole, or the copy there of slices only.
  if (numNarrowed != 0)
    return numNarrowed;
  for (CopyOp copy : copies)
    numNarrowed += narrower.narrowToSlices(copy);
  return numNarrowed;
}
