//===- RowChain.cpp - Reductions of rows and their neighbours -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain grows from a reduction to operations before and after it that work
// on the same rows. All of them are done at the place of the last one, so that
// nothing between them may touch what they write, or write what they touch; and
// no order between streams may stand there.
//
//===----------------------------------------------------------------------===//

#include "RowChain.h"

#include "Codegen/Common/KernelParameters.h"
#include "Codegen/Match/NeutralElement.h"
#include "CollapseLoops.h"
#include "FuseKernels.h"
#include "LoopSteps.h"
#include "ReductionPlan.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

/// So many operations may stand between two of a chain.
static constexpr unsigned kMostSkipped = 8;

/// Fewer rows of more columns keep more of a device busy with a kernel each.
static constexpr int64_t kFewRows = 64, kLongRow = 32768;

static bool isBuffer(Value value) { return isa<MemRefType>(value.getType()); }

/// True if the body computes with its arguments and indices only, and may be
/// computed for elements that do not exist.
static bool isPlainBody(linalg::LinalgOp op) {
  return !op.getBlock()
              ->walk([](Operation *inner) {
                bool isPlain =
                    inner->hasTrait<OpTrait::IsTerminator>() ||
                    inner->getNumRegions() != 0 ||
                    isa<linalg::IndexOp>(inner) ||
                    (isMemoryEffectFree(inner) && isSpeculatable(inner));
                return isPlain ? WalkResult::advance()
                               : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// True if one of the operations writes what the other accesses.
static bool areOrdered(linalg::LinalgOp a, linalg::LinalgOp b) {
  auto overlaps = [](linalg::LinalgOp writer, linalg::LinalgOp other) {
    return llvm::any_of(writer.getDpsInits(), [&](Value written) {
      return llvm::any_of(other->getOperands(), [&](Value value) {
        return isBuffer(value) && !isDistinct(value, written);
      });
    });
  };
  return overlaps(a, b) || overlaps(b, a);
}

/// True if the copy touches what the operation writes, or writes what it
/// touches.
static bool areOrdered(linalg::LinalgOp op, gpu::MemcpyOp copy) {
  return llvm::any_of(op->getOperands(), [&](Value value) {
    return isBuffer(value) && (!isDistinct(value, copy.getDst()) ||
                               (llvm::is_contained(op.getDpsInits(), value) &&
                                !isDistinct(value, copy.getSrc())));
  });
}

namespace {
class ChainFinder {
public:
  ChainFinder(linalg::LinalgOp anchor,
              const llvm::SmallPtrSetImpl<Operation *> &taken)
      : anchor(anchor), sizes(anchor.getStaticLoopRanges()), taken(taken) {}

  std::optional<RowChain> find();

private:
  bool start();
  void growBackward();
  void growForward();
  bool shrink();
  bool add(linalg::LinalgOp op, bool atFront);
  bool isCrossed(Operation *other);
  bool matchLoops(RowMember &member);
  bool classify(RowMember &member);
  bool readsRows(const RowMember &member);
  AffineMap getMap(const RowMember &member, OpOperand &operand);
  bool fitsKernel();
  bool isLegal();
  bool resolve();
  bool resolveInputs(unsigned index);
  unsigned addLoad(unsigned index, OpOperand &operand);
  bool isElided(Value buffer);
  bool storesApart();
  void groupRows();

  linalg::LinalgOp anchor;
  SmallVector<int64_t> sizes;
  const llvm::SmallPtrSetImpl<Operation *> &taken;
  RowChain chain;
  /// The anchor's loops that are no loops of one iteration.
  SmallVector<unsigned> rowLoops, columnLoops;
  /// Where the members access a buffer first, in terms of the anchor's loops.
  llvm::DenseMap<Value, AffineMap> known;
  /// Who wrote a buffer last.
  llvm::DenseMap<Value, std::pair<unsigned, unsigned>> written;
};
} // namespace

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

/// The operand's map in terms of the anchor's loops, zero where there is but
/// one position.
AffineMap ChainFinder::getMap(const RowMember &member, OpOperand &operand) {
  MLIRContext *context = anchor.getContext();
  SmallVector<AffineExpr> loops;
  for (std::optional<unsigned> loop : member.loops)
    loops.push_back(loop ? getAffineDimExpr(*loop, context)
                         : getAffineConstantExpr(0, context));
  linalg::LinalgOp op = member.op;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<AffineExpr> results;
  for (auto [result, size] :
       llvm::zip_equal(map.getResults(), op.getShape(&operand)))
    results.push_back(size == 1 ? getAffineConstantExpr(0, context)
                                : result.replaceDims(loops));
  return AffineMap::get(sizes.size(), 0, results, context);
}

/// Finds the anchor's loops for those of the member by the buffers that other
/// members access as well.
bool ChainFinder::matchLoops(RowMember &member) {
  member.loops.assign(member.op.getNumLoops(), std::nullopt);
  llvm::SmallDenseSet<unsigned> used;
  for (OpOperand &operand : member.op->getOpOperands()) {
    auto it = known.find(operand.get());
    if (it == known.end())
      continue;
    AffineMap map = member.op.getMatchingIndexingMap(&operand);
    for (auto [own, other] :
         llvm::zip_equal(map.getResults(), it->second.getResults())) {
      auto from = dyn_cast<AffineDimExpr>(own);
      auto to = dyn_cast<AffineDimExpr>(other);
      if (!from || !to || sizes[to.getPosition()] == 1)
        continue;
      std::optional<unsigned> &loop = member.loops[from.getPosition()];
      if (loop && *loop != to.getPosition())
        return false;
      if (!loop && !used.insert(to.getPosition()).second)
        return false;
      loop = to.getPosition();
    }
  }
  for (auto [loop, size] :
       llvm::zip_equal(member.loops, member.op.getStaticLoopRanges()))
    if (!loop && size != 1)
      return false;
  return true;
}

/// True if the elements that the member accesses along the columns are next to
/// each other, and the columns one loop.
bool ChainFinder::readsRows(const RowMember &member) {
  SmallVector<SmallVector<unsigned>> columns;
  for (unsigned column : columnLoops) {
    auto own = llvm::find(member.loops, std::optional(column));
    columns.push_back({unsigned(own - member.loops.begin())});
  }
  linalg::LinalgOp op = member.op;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (!isBuffer(operand.get()))
      return true;
    bool moves = llvm::any_of(columns, [&](ArrayRef<unsigned> column) {
      return op.getMatchingIndexingMap(&operand).isFunctionOfDim(column[0]);
    });
    return !moves || (walksAsOneLoop(op, operand, columns) &&
                      isContiguousAlong(op, operand, columns.back()[0]));
  });
}

/// Decides what kind of member it is; false if it is none.
bool ChainFinder::classify(RowMember &member) {
  linalg::LinalgOp op = member.op;
  auto has = [&](unsigned loop) {
    return llvm::is_contained(member.loops, std::optional(loop));
  };
  if (!llvm::all_of(rowLoops, has))
    return false;
  member.isFull = llvm::any_of(columnLoops, has);
  if (member.isFull && (!llvm::all_of(columnLoops, has) || !readsRows(member)))
    return false;
  bool reduces = op.getNumReductionLoops() != 0;
  for (auto [loop, iterator] :
       llvm::zip_equal(member.loops, op.getIteratorTypesArray()))
    if (loop && (iterator == utils::IteratorType::reduction) !=
                    (reduces && llvm::is_contained(columnLoops, *loop)))
      return false;
  SmallVector<unsigned> moving(rowLoops);
  if (member.isFull && !reduces)
    llvm::append_range(moving, columnLoops);
  auto movesAlong = [](AffineMap map) {
    return [=](unsigned loop) { return map.isFunctionOfDim(loop); };
  };
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = getMap(member, init);
    if (reduces && llvm::any_of(columnLoops, movesAlong(map)))
      return false;
    for (unsigned loop : moving)
      if (!llvm::is_contained(map.getResults(),
                              getAffineDimExpr(loop, op.getContext())))
        return false;
  }
  if (!reduces)
    return true;
  member.combiner = findCombiner(op);
  member.neutral =
      member.combiner ? getNeutralElement(member.combiner) : TypedAttr();
  member.fill = findFill(op, op.getDpsInits().front());
  member.filler = member.fill ? getFiller(member.fill) : Value();
  return member.isFull && member.neutral && member.fill;
}

bool ChainFinder::add(linalg::LinalgOp op, bool atFront) {
  RowMember member;
  member.op = op;
  bool isPossible =
      !taken.contains(op) && op.getNumDpsInits() != 0 &&
      op.hasPureBufferSemantics() && getDevice(op) == getDevice(anchor) &&
      op->getAttr(kRegionAttrName) == anchor->getAttr(kRegionAttrName) &&
      isPlainBody(op) && matchLoops(member) && classify(member);
  if (!isPossible)
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (isBuffer(operand.get()))
      known.try_emplace(operand.get(), getMap(member, operand));
  auto place = atFront ? chain.members.begin() : chain.members.end();
  chain.members.insert(place, std::move(member));
  chain.anchor += atFront;
  return true;
}

//===----------------------------------------------------------------------===//
// Growth
//===----------------------------------------------------------------------===//

/// Makes the anchor the first member.
bool ChainFinder::start() {
  auto iterators = anchor.getIteratorTypesArray();
  SmallVector<std::optional<unsigned>> loops;
  int64_t rows = 1, columns = 1;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    bool isColumn = iterators[loop] == utils::IteratorType::reduction;
    loops.push_back(size == 1 ? std::nullopt : std::optional<unsigned>(loop));
    if (size != 1)
      (isColumn ? columnLoops : rowLoops).push_back(loop);
    int64_t &count = isColumn ? columns : rows;
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(count))
      count = ShapedType::kDynamic;
    else if (llvm::MulOverflow(count, size, count))
      return false;
  }
  bool fewLongRows = !ShapedType::isDynamic(rows) && rows < kFewRows &&
                     !ShapedType::isDynamic(columns) && columns > kLongRow;
  if (columnLoops.empty() || fewLongRows)
    return false;
  RowMember self;
  self.op = anchor;
  self.loops = loops;
  for (OpOperand &operand : anchor->getOpOperands())
    if (isBuffer(operand.get()))
      known.try_emplace(operand.get(), getMap(self, operand));
  return add(anchor, /*atFront=*/false);
}

/// True for what work may be moved after, as far as it touches other buffers:
/// copies, and orders that no stream waits with for this work.
bool ChainFinder::isCrossed(Operation *other) {
  if (auto order = dyn_cast<OrderOp>(other)) {
    DeviceAttr device = getTypeDevice(anchor.getDpsInits().front().getType());
    DeviceAttr own = getDevice(anchor);
    bool hasUnit = own && own.isSameDevice(device);
    return order.getAfter() != (hasUnit ? own : device);
  }
  return isTransparent(other) || isa<memref::DeallocOp, gpu::MemcpyOp>(other);
}

/// Adds elementwise operations whose results the chain reads.
void ChainFinder::growBackward() {
  auto isFill = [&](Operation *op) {
    return llvm::any_of(chain.members, [&](const RowMember &member) {
      return member.fill == op;
    });
  };
  SmallVector<linalg::LinalgOp> skipped;
  for (Operation *other = anchor->getPrevNode();
       other && skipped.size() < kMostSkipped; other = other->getPrevNode()) {
    if (isCrossed(other) || isFill(other))
      continue;
    auto op = dyn_cast<linalg::LinalgOp>(other);
    if (!op || taken.contains(op))
      return;
    bool isRead = llvm::any_of(
        op.getDpsInits(), [&](Value init) { return known.contains(init); });
    bool stays = llvm::any_of(
        skipped, [&](linalg::LinalgOp later) { return areOrdered(op, later); });
    if (getFiller(op) || op.getNumReductionLoops() != 0 || !isRead || stays ||
        !add(op, /*atFront=*/true))
      skipped.push_back(op);
  }
}

/// Adds operations that work on the same rows.
void ChainFinder::growForward() {
  SmallVector<linalg::LinalgOp> skipped;
  for (Operation *other = anchor->getNextNode();
       other && skipped.size() < kMostSkipped; other = other->getNextNode()) {
    if (isCrossed(other))
      continue;
    auto op = dyn_cast<linalg::LinalgOp>(other);
    if (!op || taken.contains(op))
      return;
    bool follows = llvm::any_of(skipped, [&](linalg::LinalgOp earlier) {
      return !getFiller(earlier) && areOrdered(op, earlier);
    });
    if (follows || getFiller(op) || !add(op, /*atFront=*/false))
      skipped.push_back(op);
  }
}

/// Leaves a member out; false if the anchor is the only one.
bool ChainFinder::shrink() {
  if (chain.anchor + 1 != chain.members.size()) {
    chain.members.pop_back();
    return true;
  }
  if (chain.anchor == 0)
    return false;
  chain.members.erase(chain.members.begin());
  --chain.anchor;
  return true;
}

std::optional<RowChain> ChainFinder::find() {
  if (!start())
    return std::nullopt;
  growBackward();
  growForward();
  while (!fitsKernel() || !isLegal() || !resolve() || !storesApart())
    if (!shrink())
      return std::nullopt;
  groupRows();
  return std::move(chain);
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// True if a kernel can have all operands of the members.
bool ChainFinder::fitsKernel() {
  SmallVector<linalg::LinalgOp> ops;
  for (const RowMember &member : chain.members)
    ops.push_back(member.op);
  return countParameterBytes(ops) <= kParameterBytes;
}

/// True if all members may be done at the place of the last one.
bool ChainFinder::isLegal() {
  llvm::SmallPtrSet<Operation *, 8> own;
  for (const RowMember &member : chain.members) {
    own.insert(member.op);
    own.insert(member.fill);
  }
  SmallVector<linalg::LinalgOp> before;
  Operation *last = chain.members.back().op;
  for (Operation *other = chain.members.front().op; other != last;
       other = other->getNextNode()) {
    auto op = dyn_cast<linalg::LinalgOp>(other);
    auto copy = dyn_cast<gpu::MemcpyOp>(other);
    if (op && own.contains(op))
      before.push_back(op);
    else if (llvm::any_of(before, [&](linalg::LinalgOp member) {
               return (op && areOrdered(op, member)) ||
                      (copy && areOrdered(member, copy));
             }))
      return false;
  }
  return true;
}

/// The load of an operand from memory; loads of the same elements are one.
unsigned ChainFinder::addLoad(unsigned index, OpOperand &operand) {
  const RowMember &member = chain.members[index];
  AffineMap map = getMap(member, operand);
  for (auto [position, load] : llvm::enumerate(chain.loads))
    if (load.operand->get() == operand.get() && load.map == map)
      return position;
  auto moves = [&](unsigned loop) { return map.isFunctionOfDim(loop); };
  chain.loads.push_back({index, &operand, map, llvm::any_of(columnLoops, moves),
                         llvm::any_of(rowLoops, moves)});
  return chain.loads.size() - 1;
}

/// Finds where a member has its operands from; false if it reads elements that
/// others of the chain compute at another place.
bool ChainFinder::resolveInputs(unsigned index) {
  RowMember &member = chain.members[index];
  member.sources.clear();
  for (OpOperand &operand : member.op->getOpOperands()) {
    bool isFilled = member.fill && member.op.isDpsInit(&operand);
    RowSource source;
    auto writer = written.find(operand.get());
    if (!isBuffer(operand.get())) {
      source.kind = RowSource::Scalar;
    } else if (isFilled || !member.op.payloadUsesValueFromOperand(&operand)) {
      source.kind = RowSource::Unused;
    } else if (writer == written.end()) {
      source = {RowSource::Loaded, addLoad(index, operand), 0};
    } else {
      auto [from, result] = writer->second;
      source = {RowSource::Computed, from, result};
      RowMember &producer = chain.members[from];
      if (getMap(member, operand) !=
          getMap(producer, *producer.op.getDpsInitOperand(result)))
        return false;
    }
    member.sources.push_back(source);
  }
  return true;
}

/// Finds out which values come from where, and which are stored.
bool ChainFinder::resolve() {
  written.clear();
  chain.loads.clear();
  for (unsigned index = 0; index < chain.members.size(); ++index) {
    RowMember &member = chain.members[index];
    if (!resolveInputs(index))
      return false;
    member.isStored.assign(member.op.getNumDpsInits(), false);
    for (auto [result, init] : llvm::enumerate(member.op.getDpsInits()))
      written[init] = {index, result};
  }
  for (auto &[buffer, writer] : written)
    chain.members[writer.first].isStored[writer.second] = !isElided(buffer);
  return true;
}

/// True if nothing but the chain accesses the buffer, which it writes first.
bool ChainFinder::isElided(Value buffer) {
  Operation *source = buffer.getDefiningOp();
  if (auto view = dyn_cast_or_null<memref::ViewOp>(source))
    source = view.getSource().getDefiningOp();
  if (!isa_and_nonnull<memref::AllocOp>(source))
    return false;
  for (const RowLoad &load : chain.loads)
    if (load.operand->get() == buffer)
      return false;
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    return isa<memref::DeallocOp>(user) ||
           llvm::any_of(chain.members, [&](const RowMember &member) {
             return member.op == user || member.fill == user;
           });
  });
}

/// True if nothing that is stored overwrites what other threads load or store.
bool ChainFinder::storesApart() {
  SmallVector<std::pair<Value, AffineMap>> stores;
  for (const RowMember &member : chain.members)
    for (auto [result, isStored] : llvm::enumerate(member.isStored)) {
      OpOperand *init =
          const_cast<linalg::LinalgOp &>(member.op).getDpsInitOperand(result);
      if (isStored)
        stores.emplace_back(init->get(), getMap(member, *init));
    }
  for (auto [index, store] : llvm::enumerate(stores)) {
    for (auto &[other, map] : ArrayRef(stores).drop_front(index + 1))
      if (!isDistinct(store.first, other))
        return false;
    for (const RowLoad &load : chain.loads) {
      bool isSame = load.operand->get() == store.first &&
                    load.map == store.second && load.isFull;
      if (!isSame && !isDistinct(load.operand->get(), store.first))
        return false;
    }
  }
  return true;
}

/// Splits the rows' loops into groups that are one loop for every operand.
void ChainFinder::groupRows() {
  auto areOne = [&](unsigned outer, unsigned inner) {
    return llvm::all_of(chain.members, [&](RowMember &member) {
      SmallVector<SmallVector<unsigned>> pair;
      for (unsigned loop : {outer, inner}) {
        auto own = llvm::find(member.loops, std::optional(loop));
        pair.push_back({unsigned(own - member.loops.begin())});
      }
      return llvm::all_of(member.op->getOpOperands(), [&](OpOperand &operand) {
        return walksAsOneLoop(member.op, operand, pair);
      });
    });
  };
  chain.columns = columnLoops;
  chain.rows.clear();
  for (unsigned loop : rowLoops) {
    if (chain.rows.empty() || !areOne(chain.rows.back().back(), loop))
      chain.rows.emplace_back();
    chain.rows.back().push_back(loop);
  }
}

std::optional<RowChain>
mlir::hetero::findRowChain(linalg::LinalgOp reduction,
                           const llvm::SmallPtrSetImpl<Operation *> &taken) {
  if (reduction.getNumReductionLoops() == 0 ||
      reduction.getNumDpsInits() != 1 || !storesOncePerPoint(reduction) ||
      !isPlainBody(reduction))
    return std::nullopt;
  return ChainFinder(reduction, taken).find();
}
