//===- MemoryNeeds.cpp - What functions need of a device ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryNeeds.h"

#include "Analysis/Blocks/CallOrder.h"
#include "Transforms/Buffers/Buffers.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Runtime/BlockSizes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::hetero;

/// More than any device has; rounded up it is still a number.
static constexpr int64_t kMostArena = int64_t(1) << 62;

int64_t mlir::hetero::getAlignment(DeviceAttr device) {
  return isHostAccessible(device) ? 64 : 256;
}

int64_t ResidentBytes::getSum() const { return addTimes(constants, states); }

ResidentByDevice mlir::hetero::countResidentBytes(ModuleOp module) {
  ResidentByDevice resident;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    std::optional<int64_t> bytes = getBufferBytes(global.getType());
    DeviceAttr device = getTypeDevice(global.getType());
    if (!bytes || !device)
      continue;
    ResidentBytes &kept = resident[device];
    int64_t &sum = global.getConstant() ? kept.constants : kept.states;
    sum = addTimes(sum, llvm::alignTo(*bytes, getAlignment(device)));
  }
  return resident;
}

void mlir::hetero::addBuffer(MemRefType type,
                             llvm::MapVector<Attribute, int64_t> &bytes) {
  DeviceAttr device = getTypeDevice(type);
  if (std::optional<int64_t> size = getBufferBytes(type);
      size && device && !isHostAccessible(device) && *size < kMostArena)
    bytes[device] = addTimes(bytes[device], ::hetero::deviceBlockSize(*size));
}

void mlir::hetero::addArguments(FunctionOpInterface function,
                                llvm::MapVector<Attribute, int64_t> &bytes) {
  // What is passed on is its caller's.
  if (!function.isPublic())
    return;
  for (Type type : function.getArgumentTypes())
    if (auto buffer = dyn_cast<MemRefType>(type))
      addBuffer(buffer, bytes);
}

void mlir::hetero::addPackedCopies(FunctionOpInterface function,
                                   llvm::MapVector<Attribute, int64_t> &bytes) {
  llvm::MapVector<Attribute, int64_t> largest;
  function->walk([&](memref::CopyOp copy) {
    DeviceAttr from = getTypeDevice(copy.getSource().getType());
    if (from == getTypeDevice(copy.getTarget().getType()))
      return;
    for (Value end : {copy.getSource(), copy.getTarget()}) {
      auto type = dyn_cast<MemRefType>(end.getType());
      if (!type || type.getLayout().isIdentity())
        continue;
      llvm::MapVector<Attribute, int64_t> own;
      addBuffer(MemRefType::get(type.getShape(), type.getElementType(),
                                MemRefLayoutAttrInterface(),
                                type.getMemorySpace()),
                own);
      for (auto [device, size] : own)
        largest[device] = std::max(largest[device], size);
    }
  });
  for (auto [device, size] : largest)
    bytes[device] = addTimes(bytes[device], size);
}

bool mlir::hetero::fitsTogether(ModuleOp module,
                                ArrayRef<FunctionMemory> measured,
                                const ResidentByDevice &resident) {
  Topology topology = Topology::get(module);
  return llvm::all_of(llvm::seq(topology.size()), [&](DeviceIndex index) {
    DeviceAttr device = topology.getDevice(index);
    std::optional<int64_t> capacity = topology.getCapacity(index);
    return !capacity || isHostAccessible(device) ||
           addTimes(resident.lookup(device).getSum(),
                    getFunctionNeeds(module, measured, device).getPeak()) <=
               *capacity;
  });
}

int64_t FunctionNeeds::getPeak(ArrayRef<int64_t> more) const {
  auto starts = llvm::to_vector(llvm::seq<unsigned>(0, arenas.size()));
  SmallVector<unsigned> order = orderByCalls(
      starts, [&](unsigned function, unsigned call) -> std::optional<unsigned> {
        return call < callees[function].size()
                   ? std::optional(callees[function][call])
                   : std::nullopt;
      });
  SmallVector<int64_t, 0> peaks(arenas.size(), 0);
  int64_t most = 0;
  for (unsigned function : llvm::reverse(order)) {
    int64_t below = 0;
    for (unsigned callee : callees[function])
      below = std::max(below, peaks[callee]);
    int64_t arena = addTimes(arenas[function], more[function]);
    if (arena != 0 && arena < kMostArena)
      arena = ::hetero::deviceBlockSize(arena);
    peaks[function] = addTimes(below, addTimes(arena, others[function]));
    most = std::max(most, peaks[function]);
  }
  return most;
}

int64_t FunctionNeeds::getPeak() const {
  return getPeak(SmallVector<int64_t>(arenas.size(), 0));
}

FunctionNeeds mlir::hetero::getFunctionNeeds(ModuleOp module,
                                             ArrayRef<FunctionMemory> measured,
                                             DeviceAttr device) {
  llvm::DenseMap<StringAttr, const FunctionMemory *> known;
  for (const FunctionMemory &function : measured)
    known[function.name] = &function;
  FunctionNeeds needs;
  llvm::DenseMap<StringAttr, unsigned> numbers;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    numbers[function.getNameAttr()] = needs.arenas.size();
    const FunctionMemory *own = known.lookup(function.getNameAttr());
    needs.arenas.push_back(own ? own->arenas.lookup(device) : 0);
    needs.others.push_back(own ? own->others.lookup(device) : 0);
  }
  for (auto function : module.getOps<FunctionOpInterface>()) {
    SmallVector<unsigned> &callees = needs.callees.emplace_back();
    function->walk([&](CallOpInterface call) {
      auto symbol =
          dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
      auto it =
          symbol ? numbers.find(symbol.getLeafReference()) : numbers.end();
      if (it != numbers.end())
        callees.push_back(it->second);
    });
  }
  return needs;
}
