//===- CopySitePlan.cpp - Finds the sites of a value's copies -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Copies/CopySitePlan.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"

using namespace mlir;
using namespace mlir::hetero;

/// Values come and go while copies are made, so that sizes are not kept.
int64_t CopySitePlan::getBytes(Value value) {
  return TensorSizes(module).getBytes(value);
}

int64_t CopySitePlan::getTime(Value value, DeviceAttr device, int64_t bytes) {
  if (!topology)
    topology.emplace(Topology::get(module));
  DeviceAttr source = getTypeDevice(value.getType());
  std::optional<DeviceIndex> from = topology->lookup(source);
  std::optional<DeviceIndex> to = topology->lookup(device);
  // Sites are compared by frequency alone where the topology knows no time.
  if (!from || !to)
    return 1;
  return topology->getTransferTime(*from, *to, bytes);
}

/// True if `block` is `above` or in its subtree.
static bool isBelow(const BlockTree &tree, BlockIndex block, BlockIndex above) {
  if (block == BlockTree::kNone || above == BlockTree::kNone)
    return false;
  while (tree.getDepth(block) > tree.getDepth(above))
    block = tree.getParent(block);
  return block == above;
}

bool CopySitePlan::isAfterDefinition(Value value, Block *user) {
  if (where != CopySite::Auto)
    return where == CopySite::Eager;
  const BlockTree &tree = getTree();
  BlockIndex definition = tree.lookup(value.getParentBlock());
  BlockIndex block = tree.lookup(user);
  return isBelow(tree, block, definition) &&
         tree.runsOftener(block, definition);
}

/// Finds the users of each site, and the first of them.
void CopySitePlan::assignUsers(MutableArrayRef<Site> sites,
                               ArrayRef<Operation *> users,
                               ArrayRef<BlockIndex> blocks) {
  const BlockTree &tree = getTree();
  llvm::SmallDenseMap<BlockIndex, Site *> siteOf;
  for (Site &site : sites)
    siteOf[site.block] = &site;
  for (auto [user, block] : llvm::zip(users, blocks)) {
    Site *site = nullptr;
    for (BlockIndex index = block; !(site = siteOf.lookup(index));)
      index = tree.getParent(index);
    site->users.push_back(user);
    Block *siteBlock = tree.getBlock(site->block);
    Operation *first = siteBlock->findAncestorOpInBlock(*user);
    if (first && first->isBeforeInBlock(site->before))
      site->before = first;
  }
}

SmallVector<CopySitePlan::Site>
CopySitePlan::choose(Value value, DeviceAttr device,
                     ArrayRef<Operation *> users) {
  const BlockTree &tree = getTree();
  BlockIndex definition = tree.lookup(value.getParentBlock());
  Operation *end = value.getParentBlock()->getTerminator();
  SmallVector<BlockIndex> blocks;
  for (Operation *user : users) {
    blocks.push_back(tree.lookup(user->getBlock()));
    if (where == CopySite::Eager || !isBelow(tree, blocks.back(), definition))
      return {{definition, true, end, llvm::to_vector(users)}};
  }
  CopySites chosen = chooseCopySites(tree, definition, blocks,
                                     getTime(value, device, getBytes(value)));
  SmallVector<Site> sites;
  for (BlockIndex block : chosen.blocks)
    sites.push_back({block,
                     block == definition && where != CopySite::Late,
                     tree.getBlock(block)->getTerminator(),
                     {}});
  assignUsers(sites, users, blocks);
  return sites;
}

SmallVector<Operation *>
CopySitePlan::findServed(Value value, DeviceAttr device,
                         ArrayRef<Operation *> users,
                         ArrayRef<Operation *> readers) {
  const BlockTree &tree = getTree();
  BlockIndex definition = tree.lookup(value.getParentBlock());
  Type type = value.getType();
  int64_t elementTime = getTime(
      value, device,
      getTensorBytes(RankedTensorType::get({}, getElementTypeOrSelf(type))));
  SmallVector<BlockIndex> blocks;
  SmallVector<OptionalUse> optional;
  for (Operation *user : users)
    blocks.push_back(tree.lookup(user->getBlock()));
  for (Operation *reader : readers) {
    BlockIndex block = tree.lookup(reader->getBlock());
    optional.push_back({block, tree.scale(elementTime, block)});
  }
  auto isReached = [&](BlockIndex block) {
    return isBelow(tree, block, definition);
  };
  if (!llvm::all_of(blocks, isReached) ||
      !llvm::all_of(optional, [&](const OptionalUse &use) {
        return isReached(use.block);
      }))
    return llvm::to_vector(readers);
  CopySites sites =
      chooseCopySites(tree, definition, blocks,
                      getTime(value, device, getBytes(value)), optional);
  if (where == CopySite::Eager && !sites.blocks.empty())
    return llvm::to_vector(readers);
  SmallVector<Operation *> served;
  for (auto [reader, use] : llvm::zip(readers, optional))
    if (isServed(tree, sites, use.block))
      served.push_back(reader);
  return served;
}

void CopySitePlan::record(Value value, DeviceAttr device, BlockIndex site,
                          Value copy) {
  copies[{{value, device}, site}] = copy;
}

Value CopySitePlan::lookup(Value value, DeviceAttr device, Operation *user) {
  const BlockTree &tree = getTree();
  BlockIndex definition = tree.lookup(value.getParentBlock());
  for (BlockIndex block = tree.lookup(user->getBlock());
       block != BlockTree::kNone; block = tree.getParent(block)) {
    if (Value copy = copies.lookup({{value, device}, block}))
      return copy;
    if (block == definition)
      break;
  }
  return {};
}

Operation *mlir::hetero::findFirstUser(Block *block,
                                       ArrayRef<Operation *> users) {
  Operation *first = block->getTerminator();
  for (Operation *user : users)
    if (Operation *op = block->findAncestorOpInBlock(*user);
        op && op->isBeforeInBlock(first))
      first = op;
  return first;
}

/// The copy after `last` if that is one of a result of `producer`, else null.
static CopyOp getNextCopy(Operation *producer, Operation *last) {
  auto copy = dyn_cast_or_null<CopyOp>(last->getNextNode());
  return copy && !copy.getFrom() && copy.getSource().getDefiningOp() == producer
             ? copy
             : CopyOp();
}

Operation *mlir::hetero::findLastCopy(Operation *producer) {
  Operation *last = producer;
  while (CopyOp copy = getNextCopy(producer, last))
    last = copy;
  return last;
}

// There are few copies of a value, and they are close to what is read anyway,
// unlike the entries of a map.
Value mlir::hetero::findCopyAfter(Value value, DeviceAttr device) {
  Operation *producer = value.getDefiningOp();
  Operation *last = producer;
  while (CopyOp copy = producer ? getNextCopy(producer, last) : CopyOp()) {
    if (copy.getSource() == value && copy.getResultDevice() == device)
      return copy;
    last = copy;
  }
  return {};
}
