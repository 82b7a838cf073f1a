//===- Annotations.cpp - What leaves no choice ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides in order of priority: what was placed before, annotations, what only
// the host runs, and the default. What is still open is for the cost.
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"

#include "Causes.h"
#include "CheckNode.h"
#include "CheckState.h"
#include "Colocation.h"
#include "IdleAnnotations.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/CarriedDevices.h"
#include "hetero/Dialect/Hetero/IR/DeviceLattice.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::keepsPlacement(ModuleOp module,
                                  const PlacementOptions &options) {
  return getPhase(module) == Phase::Placed && !options.reopensCosts;
}

/// True for what neither cost nor the operation itself decided.
static bool isFixedOrigin(StringAttr origin) {
  constexpr llvm::StringLiteral fixed[] = {kPinnedOrigin, "rule ", "default",
                                           "fallback"};
  return origin && llvm::any_of(fixed, [&](StringRef text) {
           return origin.getValue().starts_with(text);
         });
}

//===----------------------------------------------------------------------===//
// Decider
//===----------------------------------------------------------------------===//

namespace {
/// Decides the nodes of one graph.
class Decider {
public:
  Decider(ModuleOp module, PlacementGraph &graph,
          const PlacementOptions &options)
      : module(module), graph(graph), topology(graph.topology),
        options(options), context(module.getContext()), assignment(graph) {}

  FailureOr<Assignment> run();

private:
  /// The annotation around an operation.
  struct Enclosing {
    DeviceAttr device;
    Operation *op = nullptr;
  };

  NodeIndex getIndex(const PlacementNode &node) const {
    return &node - graph.nodes.begin();
  }
  ValueIndex getSource(const PlacementNode &copy) const {
    return graph.copySources.at(getIndex(copy));
  }
  void decide(PlacementNode &node);
  void decideAnnotated(PlacementNode &node, DeviceAttr device);
  void decideCopy(PlacementNode &node, CopyOp copy);
  void decideByState(PlacementNode &node, Operation *state, DeviceAttr device);
  void decideByAttraction(PlacementNode &node);
  void decideCarried();
  void pinEndsOfCopies();
  void checkSignatures();
  void set(PlacementNode &node, DeviceIndex device, PlacementReason reason,
           StringAttr origin);
  void set(PlacementNode &node, DeviceIndex device, PlacementReason reason,
           const Twine &origin);
  /// Settles on a device of `spec`, or leaves the choice among several open.
  void pin(PlacementNode &node, DeviceAttr spec, PlacementReason reason,
           StringAttr origin);
  DeviceIndex findFallback(const PlacementNode &node, DeviceAttr wanted) const;
  void fallBack(PlacementNode &node, DeviceAttr wanted, StringRef reason);
  void decideIncapable(PlacementNode &node, DeviceAttr wanted,
                       StringRef reason);
  bool decideForHost(PlacementNode &node, DeviceAttr annotation);
  bool findCapable(PlacementNode &node, DeviceAttr spec, std::string &reason);
  ArrayRef<DeviceIndex> getMatching(DeviceAttr spec);
  void findEnclosing();
  LogicalResult checkPins();
  /// Names the place of an annotation that stands elsewhere.
  StringAttr getPinOrigin(Location loc);
  StringAttr getRuleOrigin(Operation *op);
  /// What the operation carries.
  StringAttr getOrigin(Operation *op);
  void unknownDevice(Operation *op, Location loc, const Twine &what,
                     DeviceAttr device);

  ModuleOp module;
  PlacementGraph &graph;
  const Topology &topology;
  const PlacementOptions &options;
  MLIRContext *context;
  Assignment assignment;
  // Origins that many operations have.
  StringAttr costOrigin = StringAttr::get(context, "cost");
  StringAttr controlOrigin = StringAttr::get(context, "host: control flow");
  StringAttr tensorlessOrigin = StringAttr::get(context, "host: no tensors");
  StringAttr pinOrigin = StringAttr::get(context, kPinnedOrigin);
  StringAttr originName = StringAttr::get(context, kOriginAttrName);
  /// What was decided before is kept.
  bool wasPlaced = false;
  bool hasErrors = false;
  llvm::DenseMap<Attribute, SmallVector<DeviceIndex, 2>> matching;
  /// By block.
  SmallVector<Enclosing, 0> enclosing;
  llvm::DenseSet<Operation *> reported;
  /// Devices that copies of the user ask for, by operation at either end.
  llvm::DenseMap<Operation *, CopyOp> wantedByCopy;
};
} // namespace

void Decider::set(PlacementNode &node, DeviceIndex device,
                  PlacementReason reason, StringAttr origin) {
  assignment.setDevice(getIndex(node), device);
  node.reason = reason;
  node.origin = origin;
}

void Decider::set(PlacementNode &node, DeviceIndex device,
                  PlacementReason reason, const Twine &origin) {
  set(node, device, reason, StringAttr::get(context, origin));
}

StringAttr Decider::getPinOrigin(Location loc) {
  std::string where = describeLocation(loc);
  return where.empty() ? pinOrigin
                       : StringAttr::get(context, "pinned at " + where);
}

void Decider::unknownDevice(Operation *op, Location loc, const Twine &what,
                            DeviceAttr device) {
  hasErrors = true;
  // An annotation around many operations is wrong once.
  if (!reported.insert(op).second)
    return;
  InFlightDiagnostic error =
      emitError(loc) << "'" << op->getName() << "' op " << what << " "
                     << device.str() << ", which the topology does not have ("
                     << topology.listDevices()
                     << "); add a device_spec for it or name another device";
  error.attachNote(module.getLoc()) << "the topology stands here";
}

/// The devices of a specification; few different ones are asked for.
ArrayRef<DeviceIndex> Decider::getMatching(DeviceAttr spec) {
  auto [it, isNew] = matching.try_emplace(spec);
  if (isNew)
    llvm::append_range(it->second, topology.getMatching(spec));
  return it->second;
}

/// True if some device of the specification can run the operation.
bool Decider::findCapable(PlacementNode &node, DeviceAttr spec,
                          std::string &reason) {
  ArrayRef<DeviceIndex> matching = getMatching(spec);
  if (llvm::any_of(matching, [&](DeviceIndex device) {
        return graph.canRunOn(getIndex(node), device);
      }))
    return true;
  for (DeviceIndex device : matching)
    (void)canRunOn(node.op, topology, device, reason);
  return false;
}

void Decider::pin(PlacementNode &node, DeviceAttr spec, PlacementReason reason,
                  StringAttr origin) {
  node.spec = spec;
  node.reason = reason;
  node.origin = origin;
  SmallVector<DeviceIndex> capable;
  for (DeviceIndex device : getMatching(spec))
    if (graph.canRunOn(getIndex(node), device))
      capable.push_back(device);
  node.open = capable.size() > 1;
  if (!node.open || options.strategy == PlacementStrategy::AnnotatedOnly)
    assignment.setDevice(getIndex(node), capable.front());
}

/// The host of the node that the operation was meant for runs it.
DeviceIndex Decider::findFallback(const PlacementNode &node,
                                  DeviceAttr wanted) const {
  std::optional<DeviceIndex> host =
      topology.lookup(DeviceAttr::getHost(context).onNode(wanted.getNode()));
  return host && graph.canRunOn(getIndex(node), *host) ? *host
                                                       : Topology::kHost;
}

void Decider::fallBack(PlacementNode &node, DeviceAttr wanted,
                       StringRef reason) {
  graph.wanted[getIndex(node)] = wanted;
  set(node, findFallback(node, wanted), PlacementReason::Fallback,
      "fallback: " + reason);
}

/// What a default asks for and the device cannot do. Values that are not
/// tensors live on the host, so that an operation that makes only such (an
/// extract) is where it belongs.
void Decider::decideIncapable(PlacementNode &node, DeviceAttr wanted,
                              StringRef reason) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::none_of(node.op->getResultTypes(), isTensor))
    return set(node, Topology::kHost, PlacementReason::Host, "host: " + reason);
  fallBack(node, wanted, reason);
}

/// The annotation of the operation around each block is the default for those
/// inside. Blocks around come first.
void Decider::findEnclosing() {
  for (BlockIndex index = 0; index < graph.tree.size(); ++index) {
    Operation *parent = graph.tree.getBlock(index)->getParentOp();
    Enclosing &result = enclosing.emplace_back();
    StringAttr origin = getOrigin(parent);
    DeviceAttr device = getDevice(parent);
    if (BlockIndex above = graph.tree.getParent(index);
        above != BlockTree::kNone)
      result = enclosing[above];
    if (device && !(origin && origin.getValue().starts_with("host")))
      result = {withDefaults(device, result.device), parent};
  }
}

StringAttr Decider::getOrigin(Operation *op) {
  return dyn_cast_or_null<StringAttr>(op->getDiscardableAttr(originName));
}

/// "rule N" if a rule annotated the operation, else null.
StringAttr Decider::getRuleOrigin(Operation *op) {
  StringAttr origin = getOrigin(op);
  return origin && origin.getValue().starts_with("rule ") ? origin
                                                          : StringAttr();
}

void Decider::decideAnnotated(PlacementNode &node, DeviceAttr device) {
  Operation *op = node.op;
  if (getMatching(device).empty())
    return unknownDevice(op, op->getLoc(), "is annotated with", device);
  StringAttr rule = getRuleOrigin(op);
  std::string reason;
  if (findCapable(node, device, reason)) {
    StringAttr origin = getOrigin(op);
    return pin(node, device,
               rule ? PlacementReason::Rule : PlacementReason::Pinned,
               origin ? origin : pinOrigin);
  }
  if (rule) {
    emitWarning(op->getLoc())
        << "'" << op->getName() << "' op falls back to "
        << topology.getDevice(findFallback(node, device)).str() << ": "
        << rule.getValue() << " asks for " << device.str() << ", but "
        << reason;
    return fallBack(node, device, reason);
  }
  hasErrors = true;
  InFlightDiagnostic error = emitError(op->getLoc())
                             << "'" << op->getName()
                             << "' op is annotated with " << device.str()
                             << ", which cannot run it: " << reason
                             << "; remove the annotation or write "
                                "#hetero.device<cpu:0>";
  for (Value operand : op->getOperands())
    if (isa<TensorType>(operand.getType())) {
      error.attachNote(operand.getLoc()) << "it works on this tensor";
      break;
    }
  noteState(error, op);
}

void Decider::decideCopy(PlacementNode &node, CopyOp copy) {
  DeviceAttr ends[] = {copy.getSourceDevice(), copy.getResultDevice()};
  for (DeviceAttr end : ends)
    if (!topology.lookup(end))
      return unknownDevice(copy, copy.getLoc(), "names", end);
  set(node, *topology.lookup(getExecutingDevice(copy)), PlacementReason::Pinned,
      pinOrigin);
}

/// What has no annotation of its own: a neighbouring copy, an annotation
/// around, the default, or the cost decides.
void Decider::decideByAttraction(PlacementNode &node) {
  std::string reason;
  const Enclosing &around = enclosing[node.block];
  // State has users in other functions, whose annotations may be others.
  if (around.device && !graph.states.contains(getIndex(node))) {
    if (getMatching(around.device).empty())
      return unknownDevice(around.op, around.op->getLoc(), "is annotated with",
                           around.device);
    if (!findCapable(node, around.device, reason))
      return decideIncapable(node, around.device, reason);
    StringAttr rule = getRuleOrigin(around.op);
    return pin(node, around.device,
               rule ? PlacementReason::Rule : PlacementReason::Pinned,
               rule ? rule : getPinOrigin(around.op->getLoc()));
  }
  if (options.defaultDevice) {
    if (!findCapable(node, options.defaultDevice, reason))
      return decideIncapable(node, options.defaultDevice, reason);
    return pin(node, options.defaultDevice, PlacementReason::Default,
               StringAttr::get(context, "default"));
  }
  bool onlyHost = true;
  for (DeviceIndex device = 1; device < topology.size() && onlyHost; ++device)
    onlyHost = !graph.canRunOn(getIndex(node), device);
  if (onlyHost) {
    for (DeviceIndex device = 1; device < topology.size(); ++device)
      (void)canRunOn(node.op, topology, device, reason);
    return set(node, Topology::kHost, PlacementReason::Host,
               reason.empty() ? "host: no other device" : "host: " + reason);
  }
  // For the bound it is open in any case.
  node.open = true;
  if (options.strategy == PlacementStrategy::AnnotatedOnly)
    return set(node, Topology::kHost, PlacementReason::Host,
               "host: not annotated");
  node.reason = PlacementReason::Cost;
  node.origin = costOrigin;
}

/// What the host alone runs, whatever anyone asks for.
bool Decider::decideForHost(PlacementNode &node, DeviceAttr annotation) {
  if (node.isTimed)
    return false;
  Operation *op = node.op;
  if (!node.isControl && annotation)
    return false;
  if (node.isControl || !node.hasTensors) {
    set(node, Topology::kHost, PlacementReason::Host,
        node.isControl ? controlOrigin : tensorlessOrigin);
    return true;
  }
  std::string reason = "no tensor to compute";
  (void)hetero::canRunOn(op, "gpu", reason);
  set(node, Topology::kHost, PlacementReason::Host, "host: " + reason);
  return true;
}

void Decider::decide(PlacementNode &node) {
  Operation *op = node.op;
  DeviceAttr device = std::exchange(node.spec, {});
  if (device && options.reopensCosts && !isFixedOrigin(getOrigin(op)))
    device = {};
  if (wasPlaced && device && topology.lookup(device))
    if (StringAttr origin = getOrigin(op)) {
      set(node, *topology.lookup(device), PlacementReason::Kept, origin);
      node.spec = device;
      return;
    }
  if (node.isCopy)
    return decideCopy(node, cast<CopyOp>(op));
  if (decideForHost(node, device))
    return;
  if (device)
    return decideAnnotated(node,
                           withDefaults(device, enclosing[node.block].device));
  if (CopyOp copy = wantedByCopy.empty() ? CopyOp() : wantedByCopy.lookup(op)) {
    bool isSource = copy.getSource().getDefiningOp() == op;
    DeviceAttr end = isSource ? copy.getSourceDevice() : copy.getResultDevice();
    std::string reason;
    if (topology.lookup(end) && findCapable(node, end, reason))
      return pin(node, end, PlacementReason::Pinned,
                 getPinOrigin(copy.getLoc()));
  }
  if (Operation *state = graph.states.lookup(getIndex(node)))
    if (DeviceAttr own = getDevice(state))
      return decideByState(node, state, own);
  decideByAttraction(node);
}

/// What uses state that is annotated runs there.
void Decider::decideByState(PlacementNode &node, Operation *state,
                            DeviceAttr device) {
  if (getMatching(device).empty())
    return unknownDevice(state, state->getLoc(), "is annotated with", device);
  std::string reason;
  if (findCapable(node, device, reason))
    return pin(node, device, PlacementReason::Pinned,
               getPinOrigin(state->getLoc()));
  // Reported with the state.
  set(node, Topology::kHost, PlacementReason::Host, "host: " + reason);
}

/// A copy that the user wrote pins the operation that makes its source, and,
/// where no other copy says otherwise, those that use its result.
void Decider::pinEndsOfCopies() {
  llvm::DenseSet<Operation *> contested;
  for (PlacementNode &node : graph.nodes) {
    if (!node.isCopy)
      continue;
    auto copy = cast<CopyOp>(node.op);
    for (Operation *user : copy.getResult().getUsers()) {
      auto [it, isNew] = wantedByCopy.try_emplace(user, copy);
      if (!isNew &&
          !it->second.getResultDevice().isSameDevice(copy.getResultDevice()))
        contested.insert(user);
    }
  }
  for (Operation *op : contested)
    wantedByCopy.erase(op);
  // Sources last: where a value is made is not open to opinion.
  for (PlacementNode &node : graph.nodes)
    if (node.isCopy) {
      auto copy = cast<CopyOp>(node.op);
      NodeIndex producer = graph.values[getSource(node)].producer;
      if (producer == kNone || copy.getSource().getDefiningOp<CopyOp>())
        continue;
      PlacementNode &source = graph.nodes[producer];
      std::optional<DeviceIndex> from = topology.lookup(copy.getSourceDevice());
      if (source.op)
        wantedByCopy[source.op] = copy;
      else if (from && graph.canRunOn(producer, *from))
        assignment.setDevice(producer, *from);
    }
}

/// Annotations of arguments and results must name devices of the topology.
void Decider::checkSignatures() {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    auto check = [&](DeviceAttr device, StringRef what, unsigned index) {
      if (!device)
        return;
      std::string value = what.str() + " " + std::to_string(index);
      if (topology.getMatching(device).empty())
        return unknownDevice(function, function.getLoc(),
                             value + " is annotated with", device);
      hasErrors |= failed(checkNode(function, device, value));
    };
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      check(getArgumentDevice(function, i), "argument", i);
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      check(hetero::getResultDevice(function, i), "result", i);
  }
}

/// What is carried is where its attribute says, else where it is best; what
/// was placed before, or is placed by annotations alone, is on the host.
void Decider::decideCarried() {
  bool isForHost =
      wasPlaced || options.strategy == PlacementStrategy::AnnotatedOnly;
  auto decide = [&](NodeIndex index, DeviceAttr device, bool isAnnotated) {
    if (index == kNone)
      return;
    PlacementNode &node = graph.nodes[index];
    std::optional<DeviceIndex> wanted = isAnnotated && !options.reopensCosts
                                            ? topology.lookup(device)
                                            : std::nullopt;
    if (wanted && graph.canRunOn(index, *wanted))
      assignment.setDevice(index, *wanted);
    if (assignment.getDevice(index) != kNone)
      return;
    node.open = !wasPlaced;
    if (isForHost)
      assignment.setDevice(index, Topology::kHost);
  };
  for (const CarriedValues &carried : graph.carried) {
    Operation *op = carried.op;
    if (isa<FunctionOpInterface>(op)) {
      for (NodeIndex node :
           llvm::concat<const NodeIndex>(carried.results, carried.inits))
        decide(node, {}, false);
    } else {
      bool isAnnotated = op->hasAttr(kCarriedAttrName);
      for (auto [result, node] : llvm::zip(op->getResults(), carried.results))
        decide(node, getCarriedDevice(result), isAnnotated);
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op);
          loop && !carried.inits.empty())
        for (auto [argument, node] :
             llvm::zip(loop.getRegionIterArgs(), carried.inits))
          decide(node, getCarriedDevice(argument),
                 op->hasAttr(kCarriedInitsAttrName));
    }
    for (auto [block, nodes] : llvm::enumerate(carried.blocks))
      for (auto [argument, node] : llvm::enumerate(nodes))
        decide(node, getBlockArgumentDevice(op, block + 1, argument),
               op->hasAttr(kBlockArgumentsAttrName));
  }
}

/// Annotations must not have been lost since hetero-annotate counted them.
LogicalResult Decider::checkPins() {
  auto expected = module->getAttrOfType<IntegerAttr>(kPinsAttrName);
  if (wasPlaced || !expected || graph.numAnnotated >= expected.getInt())
    return success();
  return emitError(module.getLoc())
         << "expected " << expected.getInt()
         << " annotated operations, as hetero-annotate counted, got "
         << graph.numAnnotated
         << "; run the pass in between that drops hetero.device earlier";
}

FailureOr<Assignment> Decider::run() {
  wasPlaced = keepsPlacement(module, options);
  if (options.defaultDevice &&
      topology.getMatching(options.defaultDevice).empty())
    return emitError(module.getLoc())
           << "the default device " << options.defaultDevice.str()
           << " is not in the topology (" << topology.listDevices()
           << "); add a device_spec for it or name another device";
  checkSignatures();
  warnOfIdleAnnotations(module, graph);
  hasErrors |= failed(checkStates(module, topology));
  pinEndsOfCopies();
  decideCarried();
  findEnclosing();
  for (PlacementNode &node : graph.nodes) {
    if (!node.op)
      continue;
    decide(node);
    // What the user pinned is made there once, and copied from there.
    bool isReplicated = node.canReplicate && node.origin &&
                        !node.origin.getValue().starts_with(kPinnedOrigin);
    assignment.setReplicated(getIndex(node), isReplicated);
    // What needs it decides.
    node.open = node.open && !isReplicated;
    if (isReplicated && !wasPlaced && isRepeated(node.op))
      assignment.setDevice(getIndex(node), kNone);
  }
  if (failed(checkPins()))
    return failure();
  if (!hasErrors)
    hasErrors = failed(
        decideColocated(graph, assignment,
                        options.strategy == PlacementStrategy::AnnotatedOnly));
  if (hasErrors) // All that is wrong is said at once.
    (void)checkEndsOfCopies(assignment);
  if (hasErrors)
    return failure();
  return std::move(assignment);
}

FailureOr<Assignment>
mlir::hetero::decideByAnnotations(ModuleOp module, PlacementGraph &graph,
                                  const PlacementOptions &options) {
  return Decider(module, graph, options).run();
}

LogicalResult mlir::hetero::checkEndsOfCopies(const Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  const Topology &topology = graph.topology;
  bool hasErrors = false;
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    if (!node.isCopy)
      continue;
    auto copy = cast<CopyOp>(node.op);
    ValueIndex source = graph.copySources.at(index);
    if (!topology.lookup(copy.getSourceDevice()) ||
        assignment.isValueReplicated(source))
      continue;
    DeviceIndex actual = assignment.getValueDevice(source);
    if (auto before = copy.getSource().getDefiningOp<CopyOp>())
      actual = topology.lookup(before.getResultDevice()).value_or(kNone);
    if (actual == kNone || actual == *topology.lookup(copy.getSourceDevice()))
      continue;
    hasErrors = true;
    InFlightDiagnostic error = copy.emitOpError("copies from ")
                               << copy.getSourceDevice().str()
                               << ", but its source is on "
                               << topology.getDevice(actual).str()
                               << "; change one of the two devices";
    if (auto before = copy.getSource().getDefiningOp<CopyOp>())
      error.attachNote(before.getLoc()) << "this copy brings it there";
    else
      attachCauses(error, assignment, source);
  }
  return failure(hasErrors);
}
