//===- LocalDevices.cpp - Devices as one node names them ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalDevices.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"
#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Renames the devices of one node. What is left of others is named as if it
/// was the host: nobody uses it.
class DeviceRenamer {
public:
  explicit DeviceRenamer(int64_t node) : node(node) {}

  bool isOwn(DeviceAttr device) const { return device.getNode() == node; }
  DeviceAttr rename(DeviceAttr device) const {
    return isOwn(device) ? device.onNode(0)
                         : DeviceAttr::getHost(device.getContext());
  }
  void renameTypes(ModuleOp module) const;
  TopologyAttr rename(TopologyAttr topology) const;
  void renameList(ModuleOp module, StringRef name) const;
  void renameBudgets(ModuleOp module) const;

private:
  int64_t node;
};
} // namespace

void DeviceRenamer::renameTypes(ModuleOp module) const {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DeviceAttr device) { return rename(device); });
  replacer.addReplacement(
      [&](MemRefType type) -> std::optional<std::pair<Type, WalkResult>> {
        auto device = dyn_cast_or_null<DeviceAttr>(type.getMemorySpace());
        if (!device)
          return std::nullopt;
        DeviceAttr local = rename(device);
        MemRefType::Builder builder(type);
        builder.setMemorySpace(local.isHost() ? Attribute() : local);
        return std::pair(Type(MemRefType(builder)), WalkResult::skip());
      });
  // The module's own attributes have other devices, too.
  for (Operation &op : *module.getBody())
    replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
}

TopologyAttr DeviceRenamer::rename(TopologyAttr topology) const {
  SmallVector<DeviceSpecAttr> devices;
  SmallVector<LinkAttr> links;
  for (DeviceSpecAttr spec : topology.getDevices())
    if (isOwn(spec.getDevice()))
      devices.push_back(DeviceSpecAttr::get(
          spec.getContext(), rename(spec.getDevice()), spec.getMemory(),
          spec.getCompute(), spec.getBandwidth(), spec.getLaunch(),
          spec.getTypes(), spec.getTarget(), spec.getOverlap()));
  for (LinkAttr link : topology.getLinks())
    if (isOwn(link.getFrom()) && isOwn(link.getTo()))
      links.push_back(LinkAttr::get(link.getContext(), rename(link.getFrom()),
                                    rename(link.getTo()), link.getBandwidth(),
                                    link.getLatency(), link.getUnified()));
  return TopologyAttr::get(topology.getContext(), devices, links);
}

void DeviceRenamer::renameList(ModuleOp module, StringRef name) const {
  auto list = module->getAttrOfType<ArrayAttr>(name);
  if (!list)
    return;
  SmallVector<Attribute> own;
  for (auto device : list.getAsRange<DeviceAttr>())
    if (isOwn(device))
      own.push_back(rename(device));
  module->setAttr(name, ArrayAttr::get(module.getContext(), own));
}

void DeviceRenamer::renameBudgets(ModuleOp module) const {
  auto budgets = module->getAttrOfType<DictionaryAttr>(kMemoryBudgetAttrName);
  if (!budgets)
    return;
  NamedAttrList own;
  for (NamedAttribute budget : budgets) {
    DeviceAttr device = parseDevice(budget.getName(), module.getContext());
    if (device && isOwn(device))
      own.set(rename(device).str(), budget.getValue());
  }
  module->setAttr(kMemoryBudgetAttrName,
                  own.getDictionary(module.getContext()));
}

void mlir::hetero::localizeDevices(ModuleOp module, int64_t node,
                                   int64_t count) {
  DeviceRenamer renamer(node);
  if (TopologyAttr topology = getTopologyAttr(module))
    module->setAttr(kTopologyAttrName, renamer.rename(topology));
  renamer.renameList(module, kMachineAttrName);
  renamer.renameList(module, kDevicesAttrName);
  renamer.renameBudgets(module);
  module->removeAttr(kDefaultAttrName);
  renamer.renameTypes(module);
  Builder builder(module.getContext());
  module->setAttr(kNodeAttrName, builder.getI64IntegerAttr(node));
  module->setAttr(kNodesAttrName, builder.getI64IntegerAttr(count));
}
