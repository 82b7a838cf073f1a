//===- ConstantUses.cpp - Who reads the constants of a device -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantUses.h"

#include "Transforms/Buffers/Buffers.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Runtime/BlockSizes.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::hetero;

memref::GetGlobalOp mlir::hetero::getConstantSource(Value buffer) {
  return getRootBuffer(buffer).getDefiningOp<memref::GetGlobalOp>();
}

/// True if a copy of a constant may stand before the operation: its function
/// keeps its structure until memory is planned, and runs once at a time.
static bool mayCopyBefore(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function && !function->hasAttr(kKernelAttrName) &&
         function.getFunctionBody().hasOneBlock() && !isInParallelRegion(op);
}

namespace {
class UseFinder {
public:
  UseFinder(ModuleOp module, DeviceIndex device, const Topology &topology,
            const BlockTree &tree)
      : module(module), device(device), topology(topology), tree(tree) {}

  ConstantUses run();

private:
  void addConstants();
  void addReader(Operation *op);
  std::optional<unsigned> lookup(Value buffer) const;
  bool isReader(Operation *op) const;
  void checkUsers(memref::GetGlobalOp op);
  void addTime(const FunctionReaders &function, const ConstantReader &reader);

  ModuleOp module;
  DeviceIndex device;
  const Topology &topology;
  const BlockTree &tree;
  ConstantUses uses;
  llvm::DenseMap<StringAttr, unsigned> numbers;
};
} // namespace

void UseFinder::addConstants() {
  DeviceIndex host = topology.getHostOf(device);
  bool isNear = topology.isReachable(host, device) &&
                topology.getStops(host, device).empty() &&
                !topology.isUnified(host, device);
  for (auto global : module.getOps<memref::GlobalOp>()) {
    DeviceAttr own = getTypeDevice(global.getType());
    std::optional<int64_t> bytes = getBufferBytes(global.getType());
    if (!own || !own.isSameDevice(uses.device) || !bytes)
      continue;
    bool isKnown =
        global.getConstant() && global.isPrivate() &&
        isa_and_nonnull<DenseElementsAttr, DenseResourceElementsAttr>(
            global.getInitialValue().value_or(Attribute()));
    numbers[global.getSymNameAttr()] = uses.constants.size();
    uses.constants.push_back(
        {global, int64_t(llvm::alignTo(*bytes, ::hetero::kDeviceAlignment)),
         *bytes,
         /*copyTime=*/0, isNear && isKnown});
  }
}

std::optional<unsigned> UseFinder::lookup(Value buffer) const {
  memref::GetGlobalOp source = getConstantSource(buffer);
  auto it =
      source ? numbers.find(source.getNameAttr().getAttr()) : numbers.end();
  if (it == numbers.end())
    return std::nullopt;
  return it->second;
}

/// True if what the operation reads may come from a slot: a kernel of the
/// device, or a copy of a whole constant, which needs no slot.
bool UseFinder::isReader(Operation *op) const {
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    DeviceAttr target = getBufferDevice(copy.getTarget());
    return target && target.isSameDevice(uses.device) &&
           copy.getSource().getDefiningOp<memref::GetGlobalOp>();
  }
  DeviceAttr stream = getKernelStream(op);
  return stream && stream.isSameDevice(uses.device);
}

/// Constants that something else than readers uses stay where they are.
void UseFinder::checkUsers(memref::GetGlobalOp op) {
  auto it = numbers.find(op.getNameAttr().getAttr());
  if (it == numbers.end())
    return;
  for (Operation *user : getBufferUsers(op))
    if (!isReader(user) || !mayCopyBefore(user))
      uses.constants[it->second].mayStream = false;
}

/// What the copies for a reader take. One right after another reader of the
/// same constant has it already.
void UseFinder::addTime(const FunctionReaders &function,
                        const ConstantReader &reader) {
  const ConstantReader *before =
      function.readers.empty() ? nullptr : &function.readers.back();
  bool isNext = before && before->op->getBlock() == reader.op->getBlock();
  BlockIndex block = tree.lookup(reader.op->getBlock());
  for (unsigned number : reader.constants) {
    if (isNext && llvm::is_contained(before->constants, number))
      continue;
    ConstantOnDevice &constant = uses.constants[number];
    int64_t time = topology.getTransferTime(topology.getHostOf(device), device,
                                            constant.elementBytes);
    constant.copyTime = addTimes(constant.copyTime, tree.scale(time, block));
  }
}

void UseFinder::addReader(Operation *op) {
  if (!isReader(op))
    return;
  ConstantReader reader{op, {}};
  for (auto [buffer, writes] : getBufferUses(op))
    if (std::optional<unsigned> number = lookup(buffer);
        number && !llvm::is_contained(reader.constants, *number))
      reader.constants.push_back(*number);
  if (reader.constants.empty())
    return;
  FunctionReaders &function = uses.functions.back();
  addTime(function, reader);
  function.readers.push_back(std::move(reader));
}

ConstantUses UseFinder::run() {
  uses.device = topology.getDevice(device);
  addConstants();
  for (auto function : module.getOps<FunctionOpInterface>()) {
    uses.functions.push_back({function, {}});
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto source = dyn_cast<memref::GetGlobalOp>(op))
        checkUsers(source);
      addReader(op);
    });
  }
  // The knapsack adds up times.
  constexpr int64_t kMostTime = int64_t(1) << 46;
  for (ConstantOnDevice &constant : uses.constants)
    constant.copyTime = std::min(constant.copyTime, kMostTime);
  return std::move(uses);
}

ConstantUses mlir::hetero::findConstantUses(ModuleOp module, DeviceIndex device,
                                            const Topology &topology,
                                            const BlockTree &tree) {
  return UseFinder(module, device, topology, tree).run();
}
