//===- RandomMachine.cpp - Machines of random programs --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomMachine.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

using namespace mlir;
using namespace mlir::hetero;

void mlir::hetero::test::connectDevices(ModuleOp module, std::mt19937 &random) {
  MLIRContext *context = module.getContext();
  auto topology = module->getAttrOfType<TopologyAttr>(kTopologyAttrName);
  SmallVector<DeviceSpecAttr> specs;
  for (DeviceSpecAttr spec : topology.getDevices())
    specs.push_back(DeviceSpecAttr::get(
        context, spec.getDevice(), spec.getMemory(), spec.getCompute(),
        spec.getBandwidth(), spec.getLaunch(), spec.getTypes(),
        spec.getTarget(), random() % 2));
  SmallVector<LinkAttr> links(topology.getLinks());
  for (DeviceSpecAttr from : specs)
    for (DeviceSpecAttr to : specs)
      if (from != to && llvm::none_of(topology.getLinks(), [&](LinkAttr link) {
            return link.getFrom() == from.getDevice() &&
                   link.getTo() == to.getDevice();
          }))
        links.push_back(LinkAttr::get(context, from.getDevice(), to.getDevice(),
                                      10'000'000'000, 1'000'000,
                                      /*unified=*/false));
  module->setAttr(kTopologyAttrName, TopologyAttr::get(context, specs, links));
}
