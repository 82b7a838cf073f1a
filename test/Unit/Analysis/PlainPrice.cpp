//===- PlainPrice.cpp - What programs cost, said plainly ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainPrice.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

//===----------------------------------------------------------------------===//
// Frequencies
//===----------------------------------------------------------------------===//

/// How often the region runs whenever the operation does.
static double getRuns(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<int64_t> bound = getConstantIntValue(loop.getUpperBound());
    return bound ? double(*bound) : 10.0;
  }
  return isa<scf::IfOp>(op) ? 0.5 : 1.0;
}

/// A recursion is a loop whose trip count is not known.
static double getRecursions(func::FuncOp function) {
  return function.walk([&](func::CallOp call) {
                   return call.getCallee() == function.getName()
                              ? WalkResult::interrupt()
                              : WalkResult::advance();
                 })
                 .wasInterrupted()
             ? 10.0
             : 1.0;
}

static double getFrequency(Operation *op) {
  double frequency = 1;
  Operation *parent = op->getParentOp();
  for (; !isa<func::FuncOp>(parent); parent = parent->getParentOp())
    frequency *= getRuns(parent);
  auto function = cast<func::FuncOp>(parent);
  if (function.isPublic())
    return frequency;
  double calls = 0;
  parent->getParentOfType<ModuleOp>().walk([&](func::CallOp call) {
    if (call.getCallee() == function.getName() && !function->isAncestor(call))
      calls += getFrequency(call);
  });
  return frequency * calls * getRecursions(function);
}

int64_t mlir::hetero::test::repeat(int64_t time, double frequency) {
  return time == INT64_MAX ? time : int64_t(std::ceil(time * frequency));
}

//===----------------------------------------------------------------------===//
// Materialized IR
//===----------------------------------------------------------------------===//

/// What may be made anywhere, is pinned nowhere, and has no user.
static bool isDeadReplica(Operation *op) {
  auto origin = op->getAttrOfType<StringAttr>(kOriginAttrName);
  return isRepeatable(op) && op->use_empty() &&
         !(origin && origin.getValue().starts_with(kPinnedOrigin));
}

IRPrice mlir::hetero::test::priceIR(ModuleOp module, const Topology &topology) {
  IRPrice price;
  TensorSizes sizes(module);
  walkPlacedOperations(module, [&](Operation *op) {
    int64_t time = 0;
    if (auto copy = dyn_cast<CopyOp>(op)) {
      ++price.copies;
      time = topology.getTransferTime(*topology.lookup(copy.getSourceDevice()),
                                      *topology.lookup(copy.getResultDevice()),
                                      sizes.getBytes(copy.getSource()));
    } else if (isPlaceable(op) && !isDeadReplica(op)) {
      time = topology.getComputeTime(op, *topology.lookup(getDevice(op)),
                                     getPlacementCost(op, sizes));
    }
    price.cost = addTimes(price.cost, repeat(time, getFrequency(op)));
  });
  return price;
}

int64_t mlir::hetero::test::countTraffic(ModuleOp module,
                                         const Topology &topology) {
  TensorSizes sizes(module);
  int64_t bytes = 0;
  module.walk([&](CopyOp copy) {
    DeviceIndex at = *topology.lookup(copy.getSourceDevice()),
                to = *topology.lookup(copy.getResultDevice());
    SmallVector<DeviceIndex> way = topology.getStops(at, to);
    way.push_back(to);
    for (DeviceIndex next : way) {
      if (topology.getDevice(at).getNode() !=
          topology.getDevice(next).getNode())
        bytes += repeat(sizes.getBytes(copy.getSource()), getFrequency(copy));
      at = next;
    }
  });
  return bytes;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

PlainProgram::PlainProgram(ModuleOp module, const Topology &topology)
    : topology(topology), sizes(module) {
  auto function = *module.getOps<func::FuncOp>().begin();
  for (BlockArgument argument : function.getArguments())
    if (isa<TensorType>(argument.getType())) {
      DeviceAttr device = getArgumentDevice(function, argument.getArgNumber());
      addValue(argument, -1, 0, device ? *topology.lookup(device) : 0);
    }
  addBlock(function.getBody().front(), 0, 1);
  findUnused();
  replicas.resize(ops.size());
}

unsigned PlainProgram::addValue(mlir::Value value, int producer, unsigned block,
                                unsigned device) {
  values.push_back({producer, device, block, sizes.getBytes(value), segment});
  return numbers[value] = values.size() - 1;
}

void PlainProgram::addBlock(mlir::Block &block, unsigned parent,
                            double frequency) {
  unsigned number = blocks.size(),
           around = std::exchange(segment, numSegments++);
  blocks.push_back({parent, frequency});
  firstSegments.push_back(segment);
  for (Value &value : values)
    if (value.block == number)
      value.segment = segment;
  for (BlockArgument argument : block.getArguments())
    if (isa<TensorType>(argument.getType()) && !numbers.count(argument))
      addValue(argument, -1, number, Topology::kHost);
  for (Operation &op : block)
    if (op.hasTrait<OpTrait::IsTerminator>())
      addTerminator(op, number);
    else
      addOp(op, number);
  segment = around;
}

void PlainProgram::addRead(unsigned op, mlir::Value value, unsigned block) {
  unsigned number = numbers.at(value);
  if (llvm::is_contained(ops[op].reads, number) && !ops[op].isCarrier)
    return;
  ops[op].reads.push_back(number);
  values[number].readers.push_back({op, block});
}

/// What takes no time and is open.
unsigned PlainProgram::addCarrier(Operation *op) {
  openOps.push_back(ops.size());
  Op entry{op};
  entry.isCarrier = true;
  entry.times.assign(topology.size(), 0);
  ops.push_back(entry);
  return ops.size() - 1;
}

/// Where arguments and the result of a private function are: as it says, else
/// anywhere, but in the same place for all calls.
const PlainProgram::Function &PlainProgram::addSignature(func::FuncOp callee) {
  Function signature;
  for (BlockArgument argument : callee.getArguments()) {
    auto &carrier = signature.arguments.emplace_back();
    unsigned number = argument.getArgNumber();
    if (!isa<TensorType>(argument.getType()))
      continue;
    DeviceAttr pin = getArgumentDevice(callee, number);
    if (pin) {
      addValue(argument, -1, blocks.size(), *topology.lookup(pin));
      continue;
    }
    carrier = addCarrier(callee);
    ops[*carrier].argument = number;
    addValue(argument, *carrier, blocks.size(), Topology::kHost);
  }
  signature.result = addCarrier(callee);
  return functions[callee] = signature;
}

/// A call of a private function with one tensor as its result. What the first
/// call finds, it adds; others are those of the function itself.
void PlainProgram::addCall(func::CallOp call, unsigned block) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  bool isFirst = !functions.contains(callee);
  Function signature = isFirst ? addSignature(callee) : functions.at(callee);
  for (auto [index, operand] : llvm::enumerate(call.getOperands())) {
    if (!isa<TensorType>(operand.getType()))
      continue;
    if (std::optional<unsigned> carrier = signature.arguments[index])
      addRead(*carrier, operand, block);
    else
      values[numbers.at(operand)].fixed.push_back(
          {*topology.lookup(getArgumentDevice(callee, index)), block});
  }
  endSegment();
  addValue(call.getResult(0), signature.result, block, Topology::kHost);
  if (isFirst)
    addBlock(callee.getBody().front(), block,
             blocks[block].frequency * getRecursions(callee));
}

/// A loop or a branch with one tensor: what becomes it is needed where it is.
void PlainProgram::addControlFlow(Operation &op, unsigned block) {
  unsigned carrier = addCarrier(&op);
  endSegment();
  addValue(op.getResult(0), carrier, block, Topology::kHost);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    addRead(carrier, loop.getInitArgs().front(), block);
    addValue(loop.getRegionIterArg(0), carrier, blocks.size(), Topology::kHost);
  }
  double frequency = blocks[block].frequency * getRuns(&op);
  for (Region &region : op.getRegions()) {
    unsigned body = blocks.size();
    addBlock(region.front(), block, frequency);
    addRead(carrier, region.front().getTerminator()->getOperand(0), body);
  }
}

void PlainProgram::addTerminator(Operation &op, unsigned block) {
  auto function = dyn_cast<func::FuncOp>(op.getParentOp());
  for (OpOperand &operand : op.getOpOperands()) {
    if (!function)
      return;
    if (function.isPrivate()) {
      addRead(functions.at(function).result, operand.get(), block);
      continue;
    }
    DeviceAttr device = getResultDevice(function, operand.getOperandNumber());
    values[numbers.at(operand.get())].fixed.push_back(
        {device ? *topology.lookup(device) : Topology::kHost, block});
  }
}

void PlainProgram::addOp(Operation &op, unsigned block) {
  if (isa<scf::ForOp, scf::IfOp>(op))
    return addControlFlow(op, block);
  if (auto call = dyn_cast<func::CallOp>(op))
    return addCall(call, block);
  bool isTimed = hasTensors(&op);
  Op entry{&op};
  DeviceAttr pin = getDevice(&op);
  entry.isReplicable = isTimed && !pin && isRepeatable(&op);
  for (unsigned device = 0; device < topology.size(); ++device) {
    std::string reason;
    int64_t time = topology.getComputeTime(
        &op, device, hetero::getPlacementCost(&op, sizes));
    bool can = succeeded(canRunOn(&op, topology, device, reason));
    entry.times.push_back(!isTimed ? 0
                          : !can   ? INT64_MAX
                                   : repeat(time, blocks[block].frequency));
  }
  entry.mayRepeat =
      entry.isReplicable &&
      llvm::any_of(entry.times, [](int64_t time) { return time != 0; });
  bool isElement = isa<tensor::ExtractOp>(op);
  if (isTimed && !pin && !entry.isReplicable && !isElement)
    entry.mayRepeat = entry.hasOperands = isMemoryEffectFree(&op);
  if (isTimed && !pin && (entry.mayRepeat || !entry.isReplicable) && !isElement)
    openOps.push_back(ops.size());
  entry.device = pin ? *topology.lookup(pin) : Topology::kHost;
  unsigned number = ops.size();
  entry.segment = segment;
  ops.push_back(entry);
  for (OpOperand &operand : op.getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType()) || !readsOperand(operand))
      continue;
    if (isElement) {
      values[numbers.at(operand.get())].elements.push_back(block);
      values[numbers.at(operand.get())].elementSegments.push_back(segment);
    } else {
      addRead(number, operand.get(), block);
    }
  }
  for (OpResult result : op.getResults())
    if (isa<TensorType>(result.getType()))
      addValue(result, number, block, Topology::kHost);
}

/// What nothing needs stands somewhere, and is never made again.
void PlainProgram::findUnused() {
  SmallVector<bool> isUsed(ops.size());
  for (const Value &value : values)
    if (value.producer >= 0 &&
        (!value.readers.empty() || !value.fixed.empty() ||
         !value.elements.empty()))
      isUsed[value.producer] = true;
  for (auto [op, isUsed] : llvm::zip_equal(ops, isUsed))
    op.mayRepeat &= isUsed || !op.hasOperands;
}

void PlainProgram::annotate(ArrayRef<unsigned> devices) {
  for (auto [number, device] : llvm::zip_equal(openOps, devices)) {
    if (device == topology.size()) {
      if (ops[number].hasOperands)
        ops[number].op->setAttr(kRepeatedAttrName,
                                UnitAttr::get(ops[number].op->getContext()));
      continue;
    }
    Attribute attr = topology.getDevice(device);
    auto function = dyn_cast<func::FuncOp>(ops[number].op);
    if (function && ops[number].argument)
      function.setArgAttr(*ops[number].argument, kDeviceAttrName, attr);
    else if (function)
      function.setResultAttr(0, kDeviceAttrName, attr);
    else if (ops[number].isCarrier)
      ops[number].op->setAttr(kCarriedAttrName,
                              ArrayAttr::get(attr.getContext(), attr));
    else
      ops[number].op->setAttr(kDeviceAttrName, attr);
  }
}

void PlainProgram::removeAnnotations() {
  for (unsigned number : openOps) {
    const Op &op = ops[number];
    auto function = dyn_cast<func::FuncOp>(op.op);
    if (function && op.argument)
      function.removeArgAttr(*op.argument, kDeviceAttrName);
    else if (function)
      function.removeResultAttr(
          0, StringAttr::get(function->getContext(), kDeviceAttrName));
    else
      for (StringRef name :
           {kCarriedAttrName, kDeviceAttrName, kRepeatedAttrName})
        op.op->removeAttr(name);
  }
}

//===----------------------------------------------------------------------===//
// The price of a placement
//===----------------------------------------------------------------------===//

/// First what others need, then what replicas need: they come after what they
/// read, so one pass backwards is enough.
void PlainProgram::findReplicas() {
  std::fill(replicas.begin(), replicas.end(), 0);
  for (const Value &value : values) {
    if (value.producer < 0 || !ops[value.producer].isReplicable)
      continue;
    for (auto [device, block] : value.fixed)
      replicas[value.producer] |= 1u << device;
    if (!value.elements.empty())
      replicas[value.producer] |= 1u << Topology::kHost;
  }
  auto want = [&](const Op &op, unsigned wanted) {
    for (unsigned read : op.reads)
      if (int producer = values[read].producer;
          producer >= 0 && ops[producer].isReplicable)
        replicas[producer] |= wanted;
  };
  for (const Op &op : ops)
    if (!op.isReplicable)
      want(op, 1u << op.device);
  for (unsigned i = ops.size(); i-- != 0;)
    if (ops[i].isReplicable)
      want(ops[i], replicas[i]);
}

/// Marks the blocks that need the whole value on a device.
void PlainProgram::findUses(const Value &value, unsigned to,
                            MutableArrayRef<bool> isUsed) {
  for (auto [reader, block] : value.readers)
    if (ops[reader].isReplicable ? replicas[reader] >> to & 1
                                 : ops[reader].device == to)
      isUsed[block] = true;
  for (auto [device, block] : value.fixed)
    if (device == to)
      isUsed[block] = true;
}

/// The least cost that serves all these blocks: in each of them either one copy
/// for it and all blocks inside, or what the blocks inside cost by themselves.
int64_t PlainProgram::serve(const Value &value, ArrayRef<bool> isUsed,
                            int64_t once, SmallVector<int64_t> inside) {
  for (unsigned block = blocks.size() - 1;; --block) {
    int64_t here = repeat(once, blocks[block].frequency);
    int64_t best = isUsed[block] ? here : std::min(here, inside[block]);
    if (block == value.block)
      return best;
    unsigned parent = blocks[block].parent;
    inside[parent] = addTimes(inside[parent], best);
  }
}

/// The least cost of copies that serve every use on the device. Elements may
/// come one by one.
int64_t PlainProgram::priceValue(const Value &value, unsigned to) {
  unsigned from = getHome(value);
  if (from == to)
    return 0;
  SmallVector<bool> isUsed(blocks.size());
  SmallVector<int64_t> inside(blocks.size());
  findUses(value, to, isUsed);
  if (to == Topology::kHost)
    for (unsigned block : value.elements)
      inside[block] =
          addTimes(inside[block], repeat(topology.getTransferTime(from, to, 4),
                                         blocks[block].frequency));
  return serve(value, isUsed, topology.getTransferTime(from, to, value.bytes),
               std::move(inside));
}

int64_t PlainProgram::getLeastTraffic(ArrayRef<unsigned> devices) {
  setDevices(devices);
  int64_t bytes = 0;
  for (const Value &value : values) {
    if (value.producer >= 0 && ops[value.producer].isReplicable)
      continue;
    int64_t node = topology.getDevice(getHome(value)).getNode();
    SmallVector<bool> isUsed(blocks.size());
    for (unsigned to = 0; to < topology.size(); ++to)
      if (topology.getDevice(to).getNode() != node)
        findUses(value, to, isUsed);
    bytes +=
        serve(value, isUsed, value.bytes, SmallVector<int64_t>(blocks.size()));
  }
  return bytes;
}

void PlainProgram::setDevices(ArrayRef<unsigned> devices) {
  for (auto [op, device] : llvm::zip_equal(openOps, devices)) {
    ops[op].device = device;
    ops[op].isReplicable = device == topology.size();
  }
  findReplicas();
}

bool PlainProgram::runsOn(unsigned op, unsigned device) const {
  return ops[op].isReplicable ? replicas[op] >> device & 1
                              : ops[op].device == device;
}

int64_t PlainProgram::price(ArrayRef<unsigned> devices) {
  setDevices(devices);
  int64_t cost = 0;
  for (auto [index, op] : llvm::enumerate(ops))
    for (unsigned device = 0; device < topology.size(); ++device)
      if (runsOn(index, device))
        cost = addTimes(cost, op.times[device]);
  for (const Value &value : values)
    if (value.producer < 0 || !ops[value.producer].isReplicable)
      for (unsigned to = 0; to < topology.size(); ++to)
        cost = addTimes(cost, priceValue(value, to));
  return cost;
}

int64_t PlainProgram::getLargestLoad(ArrayRef<unsigned> devices) {
  setDevices(devices);
  SmallVector<int64_t> loads(topology.size(), 0);
  int64_t largest = 0;
  for (unsigned from = 0; from < topology.size(); ++from) {
    for (auto [index, op] : llvm::enumerate(ops))
      if (runsOn(index, from))
        loads[from] = addTimes(loads[from], op.times[from]);
    for (unsigned to = 0; to < topology.size(); ++to) {
      int64_t copies = 0;
      for (const Value &value : values) {
        bool isAgain = value.producer >= 0 && ops[value.producer].isReplicable;
        unsigned home =
            value.producer < 0 ? value.device : ops[value.producer].device;
        if (!isAgain && home == from)
          copies = addTimes(copies, priceValue(value, to));
      }
      largest = std::max(largest, copies);
      for (unsigned end : {from, to})
        if (!topology.overlapsCopies(end))
          loads[end] = addTimes(loads[end], copies);
    }
  }
  return std::max(largest, *llvm::max_element(loads));
}

int64_t PlainProgram::enumerateLoads() {
  int64_t best = INT64_MAX;
  forEachPlacement([&](ArrayRef<unsigned> devices) {
    if (isMadeOnce(devices))
      best = std::min(best, getLargestLoad(devices));
  });
  return best;
}

/// But for what has no operands.
bool PlainProgram::isMadeOnce(ArrayRef<unsigned> devices) const {
  return llvm::all_of(llvm::zip_equal(openOps, devices), [&](auto pair) {
    const Op &op = ops[std::get<0>(pair)];
    return (std::get<1>(pair) == topology.size()) ==
           (op.mayRepeat && !op.hasOperands);
  });
}

//===----------------------------------------------------------------------===//
// All placements
//===----------------------------------------------------------------------===//

void PlainProgram::forEachPlacement(
    llvm::function_ref<void(ArrayRef<unsigned>)> visit) {
  SmallVector<unsigned> devices(openOps.size(), 0);
  while (true) {
    if (llvm::all_of(colocated, [&](auto pair) {
          return devices[pair.first] == devices[pair.second];
        }))
      visit(devices);
    unsigned i = 0;
    while (i < devices.size() &&
           ++devices[i] == topology.size() + ops[openOps[i]].mayRepeat)
      devices[i++] = 0;
    if (i == devices.size())
      return;
  }
}

int64_t PlainProgram::enumerate() {
  int64_t best = INT64_MAX;
  forEachPlacement([&](ArrayRef<unsigned> devices) {
    best = std::min(best, price(devices));
  });
  return best;
}

bool PlainProgram::colocate(unsigned first, unsigned second) {
  Op &a = ops[openOps[first]], &b = ops[openOps[second]];
  auto isMovable = [](const Op &op) {
    return !op.isCarrier && (op.hasOperands || !op.mayRepeat) &&
           !op.op->hasAttr(kColocateAttrName);
  };
  if (first == second || !isMovable(a) || !isMovable(b))
    return false;
  a.mayRepeat = b.mayRepeat = false;
  auto name =
      StringAttr::get(a.op->getContext(), "group" + Twine(colocated.size()));
  a.op->setAttr(kColocateAttrName, name);
  b.op->setAttr(kColocateAttrName, name);
  colocated.push_back({first, second});
  return true;
}

int64_t PlainProgram::sumFastest() const {
  int64_t sum = 0;
  for (auto [number, op] : llvm::enumerate(ops))
    if (op.hasOperands || (!op.isReplicable && !op.mayRepeat))
      sum = addTimes(sum, llvm::is_contained(openOps, number)
                              ? *llvm::min_element(op.times)
                              : op.times[op.device]);
  return sum;
}
