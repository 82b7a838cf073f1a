//===- TileParallel.cpp - Tiles groups of operations for threads ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = max(%a) ; %1 = exp(%a - %0) ; %2 = sum(%1) ; %3 = %1 / %2
//
// becomes one scf.forall over blocks of rows that computes all four on a block.
// A group is an operation with the producers that it alone reads and of which
// each tile needs its own part only, so that nothing is computed twice.
//
//===----------------------------------------------------------------------===//

#include "TileParallel.h"

#include "Borders.h"
#include "Codegen/CPU/Plan/PixelPlan.h"
#include "Codegen/Match/FillValue.h"
#include "Pads.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Operations below which a second thread costs more than it saves.
static constexpr int64_t kMinWork = 32 * 1024;
/// The part of the last vector's lanes that a tile may leave unused in addition
/// to those that the whole loop does.
static constexpr double kMaxWaste = 0.04;
/// Rows of a contraction below which a tile is not split further.
static constexpr int64_t kMinRows = 256;
/// The same where panels that the compiler makes are in the second-level cache:
/// the rows that a tile reads should be there, too, for the next tile's
/// vectors.
static constexpr int64_t kMinNearRows = 64;
static constexpr int64_t kMaxNearBytes = 512 * 1024;
/// The same of sums along lanes, which are stored one by one, column by column.
static constexpr int64_t kMinLaneRows = 32;
/// Pixels that share panels of filters which do not stay in a cache.
static constexpr int64_t kMinPixels = 64;
/// Elements of a row that are read one after the other before the next row.
static constexpr int64_t kMinStreamed = 1024;
/// Bytes that operations in a tile pass on, above which the tile is split.
static constexpr int64_t kMaxPassedBytes = 256 * 1024;
/// Operations of a group. Those of a long chain of layers are looked at for
/// each of them, and a tile of more has little to gain.
static constexpr size_t kMaxMembers = 32;
/// Stands for a dynamic size in estimates.
static constexpr int64_t kAssumedSize = 256;

namespace {
/// A root and the producers computed in its tiles: linalg.generic and
/// tensor.pad.
struct Group {
  Operation *root = nullptr;
  llvm::SetVector<Operation *> members;
  /// For each member, the loop of the root that each of its loops follows, -1
  /// for none.
  llvm::DenseMap<Operation *, SmallVector<int>> rootLoops;
};
} // namespace

static int64_t saturatingMul(int64_t a, int64_t b) {
  int64_t result;
  return llvm::MulOverflow(a, b, result) ? INT64_MAX : result;
}

static int64_t estimate(int64_t size) {
  return ShapedType::isDynamic(size) ? kAssumedSize : size;
}

/// The loops of an operation; those of a pad are over its result.
static SmallVector<int64_t> getLoopSizes(Operation *op) {
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return llvm::to_vector(pad.getResultType().getShape());
  return cast<linalg::GenericOp>(op).getStaticLoopRanges();
}

/// True for the loops that may be split: a tile with a border of its own would
/// not have a size that is known.
static SmallVector<bool> getTileableLoops(Operation *op) {
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return llvm::map_to_vector(
        llvm::zip_equal(pad.getStaticLow(), pad.getStaticHigh()),
        [](auto pair) { return pair == std::tuple(0, 0); });
  return llvm::map_to_vector(
      cast<linalg::GenericOp>(op).getIteratorTypesArray(),
      [](auto type) { return type == utils::IteratorType::parallel; });
}

/// Which element of an operand each iteration reads.
static AffineMap getReadMap(OpOperand &operand) {
  if (auto op = dyn_cast<linalg::GenericOp>(operand.getOwner()))
    return op.getMatchingIndexingMap(&operand);
  // Along a border a pad reads an element further on, but all of them.
  auto type = cast<RankedTensorType>(operand.get().getType());
  return AffineMap::getMultiDimIdentityMap(type.getRank(), type.getContext());
}

/// Which element of a result each iteration writes.
static AffineMap getWriteMap(OpResult result) {
  if (auto op = dyn_cast<linalg::GenericOp>(result.getOwner()))
    return op.getIndexingMapMatchingResult(result);
  auto type = cast<RankedTensorType>(result.getType());
  return AffineMap::getMultiDimIdentityMap(type.getRank(), type.getContext());
}

/// Estimated number of operations of the body over all iterations.
static int64_t getWork(Operation *op) {
  int64_t work = 1;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    work = std::max<int64_t>(
        1, llvm::range_size(generic.getBody()->without_terminator()));
  for (int64_t size : getLoopSizes(op))
    work = saturatingMul(work, estimate(size));
  return work;
}

static bool hasDynamicLoops(Operation *op) {
  return llvm::any_of(getLoopSizes(op), ShapedType::isDynamic);
}

/// The root's loops that the loops of `operand`'s producer follow, if each tile
/// of the root needs a different part of the producer.
static FailureOr<SmallVector<int>>
followLoops(OpOperand &operand, const Group &group, ArrayRef<bool> tiled) {
  auto result = cast<OpResult>(operand.get());
  AffineMap read = getReadMap(operand), write = getWriteMap(result);
  if (!write.isProjectedPermutation())
    return failure();
  ArrayRef<int> consumerLoops =
      group.rootLoops.find(operand.getOwner())->second;
  SmallVector<bool> tileable = getTileableLoops(result.getOwner());
  SmallVector<int> loops(tileable.size(), -1);
  for (auto [from, to] :
       llvm::zip_equal(read.getResults(), write.getResults())) {
    unsigned target = cast<AffineDimExpr>(to).getPosition();
    auto dim = dyn_cast<AffineDimExpr>(from);
    if (dim && tileable[target]) {
      loops[target] = consumerLoops[dim.getPosition()];
      continue;
    }
    for (unsigned loop = 0; loop < consumerLoops.size(); ++loop)
      if (consumerLoops[loop] >= 0 && tiled[consumerLoops[loop]] &&
          from.isFunctionOfDim(loop))
        return failure();
  }
  // Which of the untiled loops it follows makes no difference.
  for (int &loop : loops)
    if (loop >= 0 && !tiled[loop])
      loop = -1;
  for (unsigned loop = 0; loop < tiled.size(); ++loop)
    if (tiled[loop] && llvm::count(loops, static_cast<int>(loop)) != 1)
      return failure();
  return loops;
}

/// Adds `producer` to the group if every use is in it and all uses need the
/// same part.
static bool tryAdd(Operation *producer, Group &group, ArrayRef<bool> tiled) {
  std::optional<SmallVector<int>> loops;
  for (OpOperand &use : producer->getUses()) {
    if (!group.members.contains(use.getOwner()))
      return false;
    FailureOr<SmallVector<int>> followed = followLoops(use, group, tiled);
    if (failed(followed) || (loops && *loops != *followed))
      return false;
    loops = *followed;
  }
  if (!loops)
    return false;
  group.members.insert(producer);
  group.rootLoops[producer] = *loops;
  return true;
}

/// The group of `root` when the loops in `tiled` are tiled.
static Group collectGroup(Operation *root, ArrayRef<bool> tiled) {
  Group group;
  group.root = root;
  group.members.insert(root);
  group.rootLoops[root] = llvm::to_vector(llvm::seq<int>(tiled.size()));
  // A producer may become addable after a later member: repeat until stable.
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0;
         i < group.members.size() && group.members.size() < kMaxMembers; ++i)
      for (Value operand : group.members[i]->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (isa_and_nonnull<linalg::GenericOp, tensor::PadOp>(producer) &&
            producer->getBlock() == root->getBlock() &&
            !hasMarkedBorder(producer) && !group.members.contains(producer))
          changed |= tryAdd(producer, group, tiled);
      }
  }
  return group;
}

namespace {
/// For each loop of the root, the size that tiles should be a multiple of, the
/// least that they should have, and the lanes of a contraction's vectors along
/// it.
struct TileBounds {
  SmallVector<int64_t> granules, least, lanes;
};
} // namespace

namespace {
/// How operations are vectorized, found out once for all groups that they may
/// be in.
class Plans {
public:
  explicit Plans(const CPUTarget &target) : target(target) {}

  const std::optional<VectorPlan> &get(linalg::GenericOp op) {
    auto [it, isNew] = plans.try_emplace(op);
    if (isNew)
      it->second = planVectorLoops(op, target);
    return it->second;
  }

  /// To be called before an operation is erased: another one may come to lie
  /// where it was.
  void forget(Operation *op) { plans.erase(op); }

private:
  const CPUTarget &target;
  llvm::DenseMap<Operation *, std::optional<VectorPlan>> plans;
};
} // namespace

/// True if all panels of a contraction are made by the compiler, and few.
static bool hasNearPanels(linalg::GenericOp op, const VectorPlan &plan) {
  return !plan.panels.prepared.empty() && plan.panels.packed.empty() &&
         llvm::all_of(plan.panels.prepared, [&](unsigned input) {
           return getTensorBytes(op->getOperand(input).getType()) <=
                  kMaxNearBytes;
         });
}

static TileBounds getTileBounds(const Group &group, Plans &plans) {
  unsigned numLoops = group.rootLoops.find(group.root)->second.size();
  TileBounds bounds;
  bounds.granules.assign(numLoops, 1);
  bounds.least.assign(numLoops, 1);
  bounds.lanes.assign(numLoops, 0);
  int64_t most = 0;
  for (Operation *member : group.members)
    most = std::max(most, getWork(member));
  for (const auto &entry : group.rootLoops) {
    auto member = dyn_cast<linalg::GenericOp>(entry.first);
    // What a row's sum is initialized with has no say in the size of a tile.
    if (!member || getWork(member) < most / 4)
      continue;
    const std::optional<VectorPlan> &plan = plans.get(member);
    if (!plan)
      continue;
    auto raise = [&](SmallVector<int64_t> &list, std::optional<unsigned> loop,
                     int64_t size) {
      if (loop && entry.second[*loop] >= 0)
        list[entry.second[*loop]] = std::max(list[entry.second[*loop]], size);
    };
    raise(bounds.granules, plan->vectorLoop, plan->lanes * plan->vectors);
    if (plan->is<Passes>())
      raise(bounds.least, plan->vectorLoop, kMinStreamed);
    if (plan->is<Passes>() || !plan->panels.prepared.empty())
      raise(bounds.lanes, plan->vectorLoop, plan->lanes);
    // Many rows share what is loaded, or packed, for one of them. A rest costs
    // less than tiles of a size that is not known.
    if (!plan->rows || plan->is<LaneSums>() ||
        member.getNumReductionLoops() == 0) {
      if (plan->rows)
        raise(bounds.granules, plan->rows->loop, plan->rows->count);
      // What is read once serves all iterations of the inner loop.
      raise(bounds.least, plan->getInnerLoop(), kMinLaneRows);
      continue;
    }
    // Where a block of them meets many vectors, it is enough for a tile. Rows
    // of an image are split between its pixels only if there are no others.
    int64_t leastRows = hasNearPanels(member, *plan) ? kMinNearRows : kMinRows;
    int64_t rows = member.getStaticLoopRanges()[plan->rows->loop];
    if (plan->inner)
      leastRows = plan->is<PixelRows>() ? rows : plan->rows->count;
    raise(bounds.least, plan->rows->loop,
          ShapedType::isDynamic(leastRows) ? kMinRows : leastRows);
    raise(bounds.lanes, plan->vectorLoop, plan->lanes);
    if (hasTilesOfVectors(member, *plan))
      raise(bounds.least, plan->getInnerLoop(),
            llvm::divideCeil(kMinPixels, estimate(rows)));
  }
  return bounds;
}

static int64_t getGroupWork(const Group &group) {
  int64_t work = 0;
  for (Operation *member : group.members)
    work = llvm::SaturatingAdd<uint64_t>(work, getWork(member));
  return std::min<uint64_t>(work, INT64_MAX);
}

/// True for sums of products and the like; a window alone is no operand.
static bool sumsProducts(Operation *member) {
  auto op = dyn_cast<linalg::GenericOp>(member);
  return op && op.getNumReductionLoops() != 0 &&
         llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *input) {
           return op.payloadUsesValueFromOperand(input);
         }) > 1;
}

/// Bytes that the members of a group pass on to each other.
static int64_t getPassedBytes(const Group &group) {
  int64_t bytes = 0;
  for (Operation *member : group.members)
    for (OpResult result : member->getResults()) {
      auto op = dyn_cast<linalg::GenericOp>(member);
      if (member == group.root ||
          (op && getFillValue(op, result.getResultNumber())))
        continue;
      auto type = cast<RankedTensorType>(result.getType());
      int64_t size = getElementBytes(type.getElementType());
      for (int64_t extent : type.getShape())
        size = saturatingMul(size, estimate(extent));
      bytes = llvm::SaturatingAdd<uint64_t>(bytes, size);
    }
  return std::min<uint64_t>(bytes, INT64_MAX);
}

/// Work per tile: contractions want tiles that reuse what they load, but what
/// is passed on should stay in the nearer caches.
static int64_t getWorkPerTile(const Group &group, int64_t work) {
  int64_t wanted = std::clamp<int64_t>(work / 64, kMinWork, 1 << 18);
  if (llvm::any_of(group.members, sumsProducts))
    wanted = std::clamp<int64_t>(work / 32, 1 << 20, 1 << 24);
  double passed = getPassedBytes(group);
  if (passed * wanted > double(kMaxPassedBytes) * work)
    wanted = std::max<int64_t>(kMinWork, kMaxPassedBytes / passed * work);
  return wanted;
}

/// True for what writes one value to all elements of its result.
static bool isFill(Operation *member) {
  auto op = dyn_cast<linalg::GenericOp>(member);
  return op && op->getNumResults() == 1 && getFillValue(op, 0);
}

namespace {
struct Tiling {
  SmallVector<int64_t> sizes; // 0: not tiled
  Group group;
  int64_t workPerTile = 0;
};
} // namespace

/// The multiple of `granule` near `wanted` that divides `size`, so that all
/// tiles have the same static size; where there is none, the next multiple.
static int64_t chooseTile(int64_t size, int64_t wanted, int64_t granule) {
  int64_t first = llvm::alignTo(wanted, granule);
  if (ShapedType::isDynamic(size))
    return first;
  for (int64_t tile = first; tile <= 2 * first && tile < size; tile += granule)
    if (size % tile == 0)
      return tile;
  for (int64_t tile = first; tile >= std::max(first / 2, granule);
       tile -= granule)
    if (size % tile == 0)
      return tile;
  return first;
}

/// The same along the vectors of a contraction: a divisor of `size` of which
/// the last vector is nearly full. Where there is none, a short loop stays
/// whole, for its end then has a size that is known.
static int64_t chooseVectorTile(int64_t size, int64_t wanted, int64_t granule,
                                int64_t lanes) {
  int64_t first = llvm::alignTo(wanted, granule);
  if (ShapedType::isDynamic(size) || size % first == 0)
    return first;
  auto waste = [&](int64_t tile) {
    return double(llvm::alignTo(tile, lanes) - tile) / tile;
  };
  for (int64_t tile = first / 2; tile <= std::min(size / 2, 8 * first); ++tile)
    if (size % tile == 0 && tile >= granule &&
        waste(tile) <= waste(size) + kMaxWaste)
      return tile;
  return size <= 16 * granule ? size : first;
}

/// True for a contraction whose tiles should be parts of its vectors.
static bool wantsVectorTiles(Operation *member, Plans &plans) {
  auto op = dyn_cast<linalg::GenericOp>(member);
  return op && sumsProducts(op) && plans.get(op) &&
         hasTilesOfVectors(op, *plans.get(op));
}

/// The loop of the root that tiles should be parts of first; -1 for the
/// outermost.
static int findFirstLoop(const Group &whole, Plans &plans) {
  if (llvm::none_of(whole.members, [&](Operation *member) {
        return wantsVectorTiles(member, plans);
      }))
    return -1;
  SmallVector<bool> tileable = getTileableLoops(whole.root);
  for (unsigned loop = 0; loop < tileable.size(); ++loop) {
    SmallVector<bool> tiled(tileable.size(), false);
    tiled[loop] = tileable[loop];
    for (const auto &entry : collectGroup(whole.root, tiled).rootLoops)
      if (wantsVectorTiles(entry.first, plans) &&
          entry.second[plans.get(cast<linalg::GenericOp>(entry.first))
                           ->vectorLoop] == static_cast<int>(loop))
        return loop;
  }
  return -1;
}

/// Splits the outermost parallel loops until a tile is small enough. A loop
/// that would break the group up stays whole once there are tiles enough.
static Tiling chooseTiling(Operation *root, Plans &plans) {
  SmallVector<int64_t> sizes = getLoopSizes(root);
  SmallVector<bool> tileable = getTileableLoops(root);
  SmallVector<bool> tiled(sizes.size(), false);
  Tiling tiling{SmallVector<int64_t>(sizes.size(), 0),
                collectGroup(root, tiled), 0};
  int64_t work = getGroupWork(tiling.group);
  int64_t wanted = getWorkPerTile(tiling.group, work), tiles = 1;
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(sizes.size()));
  if (int first = findFirstLoop(tiling.group, plans); first >= 0)
    std::rotate(order.begin(), order.begin() + first,
                order.begin() + first + 1);
  for (unsigned loop : order) {
    int64_t size = estimate(sizes[loop]);
    // A size that nobody knows may be large: it is split at least once.
    bool unknown = ShapedType::isDynamic(sizes[loop]) && tiles == 1;
    if (!tileable[loop] || size <= 1 || (work <= wanted && !unknown))
      continue;
    tiled[loop] = true;
    Group group = collectGroup(root, tiled);
    int64_t perIteration = std::max<int64_t>(1, work / size);
    TileBounds bounds = getTileBounds(group, plans);
    int64_t atLeast = std::max<int64_t>(llvm::divideCeil(wanted, perIteration),
                                        bounds.least[loop]);
    int64_t granule = bounds.granules[loop], lanes = bounds.lanes[loop];
    int64_t tile = lanes
                       ? chooseVectorTile(sizes[loop], atLeast, granule, lanes)
                       : chooseTile(sizes[loop], atLeast, granule);
    bool breaksUp = group.members.size() < tiling.group.members.size();
    if ((tile >= size && !unknown) || (breaksUp && tiles > 1)) {
      tiled[loop] = false;
      continue;
    }
    tiling.sizes[loop] = tile;
    tiling.group = std::move(group);
    work = saturatingMul(perIteration, tile);
    tiles *= unknown ? 2 : llvm::divideCeil(size, tile);
  }
  tiling.workPerTile = work;
  return tiling;
}

/// Tiles `root` and computes its group in the tiles.
static LogicalResult tileGroup(RewriterBase &rewriter, Operation *root,
                               const Tiling &tiling) {
  scf::SCFTilingOptions options;
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : tiling.sizes)
    sizes.push_back(rewriter.getIndexAttr(size));
  options.setTileSizes(sizes).setLoopType(
      scf::SCFTilingOptions::LoopType::ForallOp);
  scf::SCFTileAndFuseOptions fuse;
  fuse.setTilingOptions(options);
  fuse.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (tiling.group.members.contains(producer.getOwner()))
          return scf::SCFTileAndFuseOptions::ControlFnResult{};
        return std::nullopt;
      });
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(root), fuse);
  if (failed(tiled))
    return failure();
  for (auto loop : tiled->loops)
    loop->setAttr(kGrainAttrName,
                  rewriter.getI64IntegerAttr(std::max<int64_t>(
                      1, kMinWork / std::max<int64_t>(1, tiling.workPerTile))));
  for (OpResult result : root->getResults())
    if (Value replacement = tiled->replacements.lookup(result))
      rewriter.replaceAllUsesWith(result, replacement);
  // Producers before their own: each is dead once its consumers are.
  for (Operation *member : tiling.group.members)
    if (member->use_empty())
      rewriter.eraseOp(member);
  return success();
}

/// Lets sizes be read from what the sizes were made of, so that no size keeps
/// an operation alive.
static LogicalResult resolveSizes(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, root->getContext());
  return applyPatternsGreedily(root, std::move(patterns));
}

LogicalResult mlir::hetero::tileCPURegion(Operation *root) {
  if (failed(resolveSizes(root)))
    return failure();
  CPUTarget target = CPUTarget::get(root);
  IRRewriter rewriter(root->getContext());
  markBorders(rewriter, root, target);
  Plans plans(target);
  SmallVector<Operation *> candidates;
  root->walk([&](Operation *op) {
    if (isa<linalg::GenericOp, tensor::PadOp>(op) && !hasMarkedBorder(op) &&
        !op->getParentOfType<scf::ForallOp>())
      candidates.push_back(op);
  });
  llvm::SmallPtrSet<Operation *, 16> gone;
  // Consumers come before the producers that their groups take in.
  for (Operation *candidate : llvm::reverse(candidates)) {
    if (gone.contains(candidate))
      continue;
    Tiling tiling = chooseTiling(candidate, plans);
    // Tiles of elements that are next to each other are small pieces of rows.
    if (auto pad = dyn_cast<tensor::PadOp>(candidate);
        pad && tiling.sizes.back() != 0)
      if (linalg::GenericOp copy = expandToCopy(rewriter, pad)) {
        candidate = copy;
        tiling = chooseTiling(candidate, plans);
      }
    bool small = getGroupWork(tiling.group) < kMinWork &&
                 llvm::none_of(tiling.group.members, hasDynamicLoops);
    // Of nothing, no size makes something.
    auto isEmpty = [](Operation *member) { return getWork(member) == 0; };
    if (small || llvm::any_of(tiling.group.members, isEmpty))
      continue;
    if (llvm::all_of(tiling.sizes, [](int64_t s) { return s == 0; })) {
      // Sums that are one tile start from the values that they were filled
      // with, which no threads need to write.
      gone.insert_range(llvm::make_filter_range(tiling.group.members, isFill));
      continue;
    }
    for (Operation *member : tiling.group.members) {
      gone.insert(member);
      plans.forget(member);
    }
    if (failed(tileGroup(rewriter, candidate, tiling)))
      return candidate->emitOpError("cannot be tiled");
  }
  sinkBorders(rewriter, root);
  return resolveSizes(root);
}
