//===- Partition.cpp - Groups operations of one device --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = linalg.exp {hetero.device = #gpu} ins(%x : tensor<4xf32, #gpu>) ...
//   %1 = linalg.abs {hetero.device = #gpu} ins(%0 : tensor<4xf32, #gpu>) ...
//
// becomes
//
//   %1 = hetero.execute "main_gpu0_0" on #gpu (%a = %x : tensor<4xf32, #gpu>)
//       -> (tensor<4xf32, #gpu>) {
//     %2 = linalg.exp {hetero.device = #gpu} ins(%a : tensor<4xf32>) ...
//     %3 = linalg.abs {hetero.device = #gpu} ins(%2 : tensor<4xf32>) ...
//     hetero.yield %3 : tensor<4xf32>
//   }
//
// The groups of a block are decided by GroupPlan; here they are outlined.
//
//===----------------------------------------------------------------------===//

#include "GroupPlan.h"
#include "Transforms/Placement/PlacedTypes.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "hetero/Transforms/Placement/ValueNames.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_PARTITIONPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {
/// Computes sizes from the inputs of the operations that produce a tensor, so
/// that a size never makes one region of a device wait for another.
class SizeResolver : public OpBuilder::Listener {
public:
  explicit SizeResolver(Operation *root) : builder(root->getContext(), this) {
    root->walk([&](tensor::DimOp op) { worklist.push_back(op); });
  }

  void run() {
    while (!worklist.empty())
      resolve(worklist.pop_back_val());
  }

private:
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    setDevice(op, DeviceAttr::getHost(op->getContext()));
    if (auto dim = dyn_cast<tensor::DimOp>(op))
      worklist.push_back(dim);
  }

  void resolve(tensor::DimOp op);
  void replace(tensor::DimOp op, OpFoldResult size);

  OpBuilder builder;
  SmallVector<tensor::DimOp> worklist;
};
} // namespace

void SizeResolver::replace(tensor::DimOp op, OpFoldResult size) {
  builder.setInsertionPoint(op);
  op.replaceAllUsesWith(
      getValueOrCreateConstantIndexOp(builder, op.getLoc(), size));
  op.erase();
}

/// True in the body of an operation, which reads what is on its own device.
static bool isInBody(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (!hasPlacedRegions(parent))
      return true;
  return false;
}

void SizeResolver::resolve(tensor::DimOp op) {
  std::optional<int64_t> index = op.getConstantIndex();
  while (index) {
    auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto result = dyn_cast<OpResult>(op.getSource());
    if (!type || *index < 0 || *index >= type.getRank())
      return;
    if (!type.isDynamicDim(*index))
      return replace(op, builder.getIndexAttr(type.getDimSize(*index)));
    if (!result || isa<ExecuteOp>(result.getOwner()))
      return;
    Operation *producer = result.getOwner();
    if (auto copy = dyn_cast<CopyOp>(producer)) {
      if (isInBody(op))
        return;
      op.getSourceMutable().assign(copy.getSource());
      continue;
    }
    auto style = dyn_cast<DestinationStyleOpInterface>(producer);
    if (style && !hasPlacedRegions(producer)) {
      op.getSourceMutable().assign(style.getTiedOpOperand(result)->get());
      continue;
    }
    if (!isa<ReifyRankedShapedTypeOpInterface>(producer) ||
        hasPlacedRegions(producer))
      return;
    builder.setInsertionPoint(op);
    FailureOr<OpFoldResult> size =
        reifyDimOfResult(builder, producer, result.getResultNumber(), *index);
    if (succeeded(size))
      replace(op, *size);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

namespace {
/// Turns one group of operations into a region.
class Outliner {
public:
  Outliner(ArrayRef<Operation *> members, DeviceAttr device)
      : members(members), device(device),
        group(members.begin(), members.end()) {
    for (Operation *op : members)
      op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          collect(operand, op);
      });
    for (Operation *op : members)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(),
                         [&](Operation *user) { return !isInside(user); }))
          outputs.push_back(result);
  }

  /// Creates the region at the builder's insertion point.
  ExecuteOp run(OpBuilder &builder, StringRef name);

private:
  /// True for members and what is nested in them.
  bool isInside(Operation *op) const {
    Operation *ancestor =
        members.front()->getBlock()->findAncestorOpInBlock(*op);
    return ancestor && group.contains(ancestor);
  }
  void collect(Value value, Operation *user);
  void fill(Block *body);

  ArrayRef<Operation *> members;
  DeviceAttr device;
  llvm::DenseSet<Operation *> group;
  llvm::SetVector<Value> inputs;
  llvm::SetVector<Operation *> repeated;
  SmallVector<Value> outputs;
};
} // namespace

/// Notes a value that member `user` (null: a repeated producer) reads.
void Outliner::collect(Value value, Operation *user) {
  if (user && user->isAncestor(value.getParentBlock()->getParentOp()))
    return; // Defined inside the member.
  Operation *producer = value.getDefiningOp();
  if (producer && group.contains(producer))
    return;
  if (!producer || !isRepeatable(producer)) {
    inputs.insert(value);
    return;
  }
  visitReads(producer, [&](Value read) { collect(read, nullptr); });
  repeated.insert(producer);
}

ExecuteOp Outliner::run(OpBuilder &builder, StringRef name) {
  SmallVector<Type> types = llvm::map_to_vector(
      outputs, [](Value output) { return output.getType(); });
  auto execute = ExecuteOp::create(builder, members.front()->getLoc(), types,
                                   name, device, inputs.getArrayRef());
  fill(execute.getBodyBlock());
  for (auto [output, result] : llvm::zip(outputs, execute.getResults()))
    output.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !execute->isProperAncestor(use.getOwner());
    });
  return execute;
}

/// Moves the members into the body, on plain tensors.
void Outliner::fill(Block *body) {
  auto builder = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  for (auto [input, argument] : llvm::zip(inputs, body->getArguments()))
    mapping.map(input, argument);
  auto strip = [](Operation *op) {
    for (OpResult result : op->getResults())
      (void)setTensorType(result, withoutDevice(result.getType()));
  };
  for (Operation *op : repeated)
    strip(builder.clone(*op, mapping));
  for (Operation *op : members) {
    op->moveBefore(body, body->end());
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
    });
    strip(op);
  }
  builder.setInsertionPointToEnd(body);
  YieldOp::create(builder, members.back()->getLoc(), outputs);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Erases what has no effect and no use, users first.
static void eraseUnused(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    return hasPlacedRegions(op) ? WalkResult::advance() : WalkResult::skip();
  });
  for (Operation *op : llvm::reverse(ops))
    if (op->getNumResults() != 0 && isOpTriviallyDead(op))
      op->erase();
}

/// Outlines the groups of one block in the order of the plan.
static void outlineBlock(Block &block, const GroupPlan &plan,
                         SmallVectorImpl<ExecuteOp> &regions) {
  Operation *terminator = &block.back();
  OpBuilder builder(terminator);
  for (const GroupPlan::Item &item : plan.getItems()) {
    if (item.device)
      regions.push_back(Outliner(item.ops, item.device).run(builder, ""));
    else
      item.ops.front()->moveBefore(terminator);
  }
}

/// "main_gpu0_2": function, device, number among the function's regions there.
static void nameRegions(ModuleOp module, ArrayRef<ExecuteOp> created) {
  llvm::DenseSet<Operation *> isNew(created.begin(), created.end());
  llvm::StringSet<> taken;
  SmallVector<ExecuteOp> unnamed;
  module.walk<WalkOrder::PreOrder>([&](ExecuteOp op) {
    if (isNew.contains(op))
      unnamed.push_back(op);
    else
      taken.insert(op.getName());
  });
  llvm::StringMap<unsigned> counters;
  for (ExecuteOp op : unnamed) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    std::string prefix = function ? function.getName().str() : "region";
    DeviceAttr device = op.getDevice();
    prefix +=
        "_" + device.getKind().str() + std::to_string(device.getOrdinal());
    if (device.getNode() != 0)
      prefix += "_node" + std::to_string(device.getNode());
    unsigned &counter = counters[prefix];
    std::string name;
    do
      name = prefix + "_" + std::to_string(counter++);
    while (!taken.insert(name).second);
    op.setName(name);
  }
}

/// An operation of another device that no region can hold.
static LogicalResult checkGroupable(Operation *op) {
  DeviceAttr device = getRunDevice(op);
  if (!device || device.isHost() || !hasTensors(op) ||
      isa<CopyOp, ExecuteOp>(op) || canBeGrouped(op) || isNoWork(op) ||
      getStateName(op))
    return success();
  return op->emitOpError("cannot be part of a region on ")
         << device.str()
         << "; only operations without side effects whose operands are on "
            "that device can, place it on the host";
}

/// Names what copies copy for reports, before what makes it is inside of a
/// region with other operations.
static void nameCopies(ModuleOp module) {
  Builder builder(module.getContext());
  module.walk([&](CopyOp copy) {
    if (!copy->hasAttr(kValueAttrName))
      copy->setAttr(kValueAttrName, builder.getStringAttr(getCopiedName(copy)));
  });
}

/// Copies start as early as they can unless they are to take memory for less
/// time: then each stands before the first operation of its block that needs
/// it.
static void sinkCopies(ModuleOp module) {
  SmallVector<std::pair<CopyOp, Operation *>> places;
  module.walk([&](CopyOp copy) {
    Operation *first = copy->getBlock()->getTerminator();
    for (Operation *user : copy->getUsers())
      if (Operation *op = copy->getBlock()->findAncestorOpInBlock(*user);
          op && op->isBeforeInBlock(first))
        first = op;
    places.push_back({copy, first});
  });
  for (auto [copy, first] : places)
    copy->moveBefore(first);
}

namespace {
struct PartitionPass
    : public mlir::hetero::impl::PartitionPassBase<PartitionPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    nameCopies(module);
    SizeResolver(module).run();
    eraseUnused(module);
    SmallVector<Block *> blocks;
    if (failed(collectBlocks(module, blocks)))
      return signalPassFailure();
    SmallVector<ExecuteOp> regions;
    for (Block *block : blocks)
      outlineBlock(*block, GroupPlan(*block), regions);
    eraseUnused(module);
    if (module->hasAttr(kLateCopiesAttrName))
      sinkCopies(module);
    nameRegions(module, regions);
    if (getPhase(module) < Phase::Partitioned)
      setPhase(module, Phase::Partitioned);
    remark::analysis(
        module.getLoc(),
        remark::RemarkOpts::name("summary").category("hetero-partition"))
        << remark::metric("regions", static_cast<int>(regions.size()));
  }

  /// The blocks to partition, inner ones first, so that what is sunk into an
  /// inner region does not hold back its producer outside.
  LogicalResult collectBlocks(ModuleOp module,
                              SmallVectorImpl<Block *> &blocks) {
    WalkResult walk = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (failed(checkGroupable(op)))
        return WalkResult::interrupt();
      if (!hasPlacedRegions(op))
        return WalkResult::skip();
      if (!isa<ModuleOp>(op) && !op->hasTrait<OpTrait::IsTerminator>())
        for (Region &region : op->getRegions())
          for (Block &block : region)
            if (block.mightHaveTerminator())
              blocks.push_back(&block);
      return WalkResult::advance();
    });
    std::reverse(blocks.begin(), blocks.end());
    return failure(walk.wasInterrupted());
  }
};
} // namespace
