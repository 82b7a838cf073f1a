//===- PlacementView.cpp - A placed program to look at --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module after place gets its copies first, optimized, so that those shown
// are those that will run, where they will stand.
//
//===----------------------------------------------------------------------===//

#include "PlacementView.h"

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Analysis/Placement/Explain/PlacementExplanation.h"
#include "hetero/Analysis/Placement/MachineCosts.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "hetero/Transforms/Placement/ValueNames.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::hetero;

StringRef PlacementView::getColor(unsigned device) {
  constexpr llvm::StringLiteral colors[] = {"#e8e8e8", "#cfe8cf", "#cfdff5",
                                            "#f8dfc0", "#e5d3f0", "#f7d0d5",
                                            "#d0efef", "#f3f0c4"};
  return colors[device % std::size(colors)];
}

std::string PlacementView::describeBytes(const ViewCopy &copy) const {
  return copy.bytes ? std::to_string(*copy.bytes) + " bytes" : "? bytes";
}

//===----------------------------------------------------------------------===//
// Nodes and edges
//===----------------------------------------------------------------------===//

namespace {
/// Collects what a module with copies shows.
class ViewBuilder {
public:
  ViewBuilder(ModuleOp module, Profile *profile, PlacementView &view)
      : module(module), profile(profile), view(view),
        topology(getTopology(module, profile)), sizes(module) {}

  void run();

private:
  void addFunction(FunctionOpInterface function);
  void addOperation(Operation *op);
  void addCopy(CopyOp copy);
  void addEdges(Operation *op, ViewEnd to);
  void addEdge(Value value, ViewEnd to);
  void addHandovers(Operation *terminator);
  std::optional<ViewEnd> getEnd(Value value);
  ViewEnd addArgument(BlockArgument argument);
  unsigned getDevice(DeviceAttr device);
  std::optional<int64_t> getTime(Operation *op);

  ModuleOp module;
  Profile *profile;
  PlacementView &view;
  Topology topology;
  TensorSizes sizes;
  unsigned function = 0;
  llvm::DenseMap<Operation *, ViewEnd> ends;
  llvm::DenseMap<Value, ViewEnd> arguments;
  llvm::DenseSet<std::pair<unsigned, unsigned>> known;
};
} // namespace

/// The host where nothing says otherwise.
unsigned ViewBuilder::getDevice(DeviceAttr device) {
  std::string name = device ? device.getBare().str() : "cpu:0";
  auto it = llvm::find(view.devices, name);
  if (it == view.devices.end())
    it = view.devices.insert(it, name);
  return it - view.devices.begin();
}

ViewEnd ViewBuilder::addArgument(BlockArgument argument) {
  auto [it, isNew] = arguments.try_emplace(argument);
  if (isNew) {
    ViewNode node;
    node.function = function;
    node.name = getValueName(argument);
    node.device = getDevice(getTypeDevice(argument.getType()));
    node.isOperation = false;
    it->second = {false, unsigned(view.nodes.size())};
    view.nodes.push_back(std::move(node));
  }
  return it->second;
}

/// What makes a value: an operation, a copy, or an argument. Arguments of
/// structured control flow are the operation's.
std::optional<ViewEnd> ViewBuilder::getEnd(Value value) {
  if (!isa<TensorType>(value.getType()))
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    op = argument.getOwner()->getParentOp();
    if (isa<FunctionOpInterface>(op))
      return addArgument(argument);
  }
  auto it = ends.find(op);
  return it == ends.end() ? std::nullopt : std::optional(it->second);
}

void ViewBuilder::addEdge(Value value, ViewEnd to) {
  std::optional<ViewEnd> from = getEnd(value);
  auto number = [](ViewEnd end) { return end.index * 2 + end.isCopy; };
  // A loop passes itself what it carries unchanged.
  if (from && !(*from == to) &&
      known.insert({number(*from), number(to)}).second)
    view.edges.push_back({*from, to});
}

void ViewBuilder::addEdges(Operation *op, ViewEnd to) {
  for (OpOperand &operand : op->getOpOperands())
    if (readsOperand(operand))
      addEdge(operand.get(), to);
  if (op->getNumRegions() != 0 && !hasPlacedRegions(op))
    visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *operand) {
      addEdge(operand->get(), to);
    });
}

/// What a branch or a yield passes.
void ViewBuilder::addHandovers(Operation *terminator) {
  for (OpOperand &operand : terminator->getOpOperands())
    for (Value input : getSuccessorInputs(operand))
      if (std::optional<ViewEnd> to = getEnd(input))
        addEdge(operand.get(), *to);
}

void ViewBuilder::addCopy(CopyOp copy) {
  auto type = cast<RankedTensorType>(copy.getType());
  ViewCopy result{function, getCopiedName(copy),
                  getDevice(copy.getSourceDevice()),
                  getDevice(copy.getResultDevice()), std::nullopt};
  if (type.hasStaticShape())
    result.bytes = getTensorBytes(type);
  if (result.from < topology.size() && result.to < topology.size())
    result.time = topology.getTransferTime(result.from, result.to,
                                           sizes.getBytes(copy.getSource()));
  ViewEnd end{true, unsigned(view.copies.size())};
  view.copies.push_back(std::move(result));
  ends[copy] = end;
  addEdge(copy.getSource(), end);
}

/// True for what takes part in the program's tensors.
static bool isShown(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (op->hasTrait<OpTrait::IsTerminator>())
    return op->hasTrait<OpTrait::ReturnLike>() &&
           isa<FunctionOpInterface>(op->getParentOp()) &&
           llvm::any_of(op->getOperandTypes(), isTensor);
  // A destination that nobody reads says nothing.
  if (isRepeatable(op) && llvm::none_of(op->getUses(), [](OpOperand &use) {
        return readsOperand(use);
      }))
    return false;
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

/// Control flow takes the time of what it holds.
std::optional<int64_t> ViewBuilder::getTime(Operation *op) {
  DeviceAttr device = getRunDevice(op);
  std::optional<DeviceIndex> index =
      device ? topology.lookup(device.getBare()) : std::nullopt;
  if (!index || !isa<PlacementOpInterface>(op) || hasPlacedRegions(op))
    return std::nullopt;
  return estimateTime(op, topology, *index, getPlacementCost(op, sizes),
                      profile)
      .picoseconds;
}

void ViewBuilder::addOperation(Operation *op) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return addCopy(copy);
  if (op->hasTrait<OpTrait::IsTerminator>())
    addHandovers(op);
  if (!isShown(op))
    return;
  auto getText = [&](StringRef name) {
    auto text = op->getAttrOfType<StringAttr>(name);
    return text ? text.str() : std::string();
  };
  ViewNode node;
  node.function = function;
  node.name = op->getName().getStringRef().str();
  node.location = describeLocation(op->getLoc());
  if (auto source = op->getLoc()->findInstanceOf<NameLoc>())
    node.source = source.getName().str();
  forEachSource(op->getLoc(),
                [&](StringRef text) { node.sources.push_back(text.str()); });
  DeviceAttr device = getRunDevice(op);
  node.device = getDevice(device);
  node.runsOnHost = isHostAccessible(device);
  node.origin = getText(kOriginAttrName);
  node.explanation = getText(kExplainAttrName);
  node.time = getTime(op);
  node.isOperation = !op->hasTrait<OpTrait::IsTerminator>();
  ViewEnd end{false, unsigned(view.nodes.size())};
  view.nodes.push_back(std::move(node));
  ends[op] = end;
  addEdges(op, end);
}

void ViewBuilder::addFunction(FunctionOpInterface op) {
  if (op.isExternal())
    return;
  function = view.functions.size();
  view.functions.push_back("@" + SymbolTable::getSymbolName(op).str());
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner == op)
      return WalkResult::advance();
    addOperation(inner);
    return hasPlacedRegions(inner) ? WalkResult::advance() : WalkResult::skip();
  });
}

void ViewBuilder::run() {
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    view.devices.push_back(topology.getDevice(device).str());
  for (auto op : module.getOps<FunctionOpInterface>())
    addFunction(op);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// The price of a placed module, in words.
static FailureOr<std::string> summarize(ModuleOp module, Profile *profile) {
  Topology topology = getTopology(module, profile);
  PlacementOptions options;
  options.profile = profile;
  options.wantsPrice = true;
  FailureOr<Placement> placement =
      computePlacement(module, topology, BlockTree(module), options);
  if (failed(placement))
    return failure();
  const PlacementPrice &price = placement->price;
  return "cost " + describeTime(price.cost) + ", " +
         std::to_string(price.copies) + " copies";
}

FailureOr<PlacementView>
mlir::hetero::buildPlacementView(ModuleOp module, StringRef profileOption) {
  std::optional<Profile> loaded;
  if (failed(loadProfileOption(profileOption, module.getLoc(), loaded)))
    return failure();
  Profile *profile = loaded ? &*loaded : nullptr;
  PlacementView view;
  Phase phase = getPhase(module);
  if (phase != Phase::Placed && phase != Phase::Materialized &&
      phase != Phase::CopiesOptimized)
    return emitError(module.getLoc())
           << "expected a module in phase 'placed', 'materialized' or "
              "'copies-optimized', got phase '"
           << stringifyPhase(phase) << "'; run hetero-opt --hetero-place first";
  if (phase == Phase::Placed) {
    FailureOr<std::string> summary = summarize(module, profile);
    if (failed(summary))
      return failure();
    view.summary = *summary;
    PassManager passes(module.getContext());
    ExplainPassOptions explain;
    explain.profileFile = profileOption.str();
    passes.addPass(createExplainPass(explain));
    passes.addPass(createMaterializeCopiesPass());
    passes.addPass(createOptimizeCopiesPass());
    if (failed(passes.run(module)))
      return failure();
  }
  ViewBuilder(module, profile, view).run();
  return view;
}
