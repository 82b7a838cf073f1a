//===- Topology.cpp - The machine that a module is placed on --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The default's parameters are those of docs/Topology.md; a test compares them.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/Topology.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// The default
//===----------------------------------------------------------------------===//

/// The host, these devices and the hosts of their nodes. Those of a node are
/// linked each to each, and the hosts are joined by a network.
static TopologyAttr makeDefault(MLIRContext *context,
                                ArrayRef<DeviceAttr> devices) {
  llvm::SetVector<DeviceAttr> known;
  known.insert(DeviceAttr::getHost(context));
  for (DeviceAttr device : devices) {
    int64_t ordinal = device.hasOrdinal() ? device.getOrdinal() : 0;
    known.insert(
        DeviceAttr::get(context, device.getKind(), ordinal, device.getNode()));
    known.insert(DeviceAttr::getHost(context).onNode(device.getNode()));
  }
  SmallVector<DeviceAttr> sorted = known.takeVector();
  llvm::sort(sorted, DeviceAttr::comesBefore);
  SmallVector<DeviceSpecAttr> specs;
  SmallVector<LinkAttr> links;
  for (ArrayRef<DeviceAttr> rest = sorted; !rest.empty();) {
    ArrayRef<DeviceAttr> ofNode = rest.take_while([&](DeviceAttr device) {
      return device.getNode() == rest.front().getNode();
    });
    rest = rest.drop_front(ofNode.size());
    for (DeviceAttr from : ofNode) {
      specs.push_back(getDefaultSpec(from));
      for (DeviceAttr to : ofNode)
        if (from != to)
          links.push_back(getDefaultLink(from, to));
    }
  }
  bool hasNodes = sorted.back().getNode() != 0;
  return TopologyAttr::get(context, specs, links,
                           hasNodes ? getDefaultNetwork(context)
                                    : NetworkAttr());
}

TopologyAttr Topology::getDefault(MLIRContext *context,
                                  ArrayRef<DeviceAttr> devices) {
  context->loadDialect<HeteroDialect>();
  SmallVector<DeviceAttr> all = {DeviceAttr::get(context, "gpu", 0)};
  llvm::append_range(all, devices);
  return makeDefault(context, all);
}

/// Collects the devices in a dictionary of attributes.
static void collectDevices(ArrayRef<NamedAttribute> attrs,
                           llvm::SetVector<DeviceAttr> &devices) {
  for (NamedAttribute attr : attrs)
    if (auto device = dyn_cast<DeviceAttr>(attr.getValue()))
      devices.insert(device);
}

Topology Topology::get(ModuleOp module, DeviceAttr extra) {
  // The context may be that of a program that registers nothing of hetero.
  module.getContext()->loadDialect<HeteroDialect>();
  if (TopologyAttr attr = getTopologyAttr(module)) {
    Topology topology(attr, /*isExplicit=*/true);
    topology.setBudgets(module);
    return topology;
  }
  llvm::SetVector<DeviceAttr> devices;
  devices.insert(extra);
  if (auto machine = module->getAttrOfType<ArrayAttr>(kMachineAttrName))
    devices.insert_range(machine.getAsRange<DeviceAttr>());
  else
    devices.insert(DeviceAttr::get(module.getContext(), "gpu", 0));
  if (auto named = module->getAttrOfType<ArrayAttr>(kDevicesAttrName))
    for (auto device : named.getAsRange<DeviceAttr>())
      devices.insert(device);
  module->walk([&](Operation *op) {
    if (auto device = hetero::getDevice(op))
      devices.insert(device);
    if (auto copy = dyn_cast<CopyOp>(op)) {
      devices.insert(copy.getSourceDevice());
      devices.insert(copy.getResultDevice());
    } else if (auto execute = dyn_cast<ExecuteOp>(op)) {
      devices.insert(execute.getDevice());
    } else if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        collectDevices(function.getArgAttrs(i), devices);
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        collectDevices(function.getResultAttrs(i), devices);
    }
  });
  devices.remove(DeviceAttr());
  Topology topology(makeDefault(module.getContext(), devices.getArrayRef()),
                    /*isExplicit=*/false);
  topology.setBudgets(module);
  return topology;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Drops comment lines in front, which the parser of attributes cannot skip,
/// and returns how many lines that were.
static int dropComments(StringRef &text) {
  int lines = 0;
  while (text.ltrim(" \t").starts_with("//") ||
         text.ltrim(" \t").starts_with("\n")) {
    text = text.split('\n').second;
    ++lines;
  }
  text = text.trim();
  return lines;
}

FailureOr<TopologyAttr>
mlir::hetero::loadTopology(StringRef option, MLIRContext *context,
                           llvm::function_ref<InFlightDiagnostic()> emitError) {
  std::unique_ptr<llvm::MemoryBuffer> file;
  StringRef text = option.trim();
  if (!text.starts_with("#")) {
    std::string message;
    file = openInputFile(text, &message);
    if (!file)
      return emitError() << "cannot read the topology: " << message
                         << "; give a file or the text of a #hetero.topology";
    text = file->getBuffer();
  }
  int skipped = dropComments(text);
  // The parser names neither the option nor the file, so its message becomes
  // part of ours.
  std::string cause;
  Attribute attr;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      auto loc = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
      if (!cause.empty())
        return;
      if (file && loc)
        cause = "line " + std::to_string(loc.getLine() + skipped) + ": ";
      cause += diagnostic.str();
    });
    attr = parseAttribute(text, context);
  }
  if (auto topology = dyn_cast_or_null<TopologyAttr>(attr))
    return topology;
  InFlightDiagnostic error = emitError();
  error << "expected a #hetero.topology attribute, got '" << option << "'";
  if (!attr)
    error << ": " << cause;
  return error << "; docs/Topology.md shows one";
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Topology::Topology(TopologyAttr attr, bool isExplicit)
    : attr(attr), explicitly(isExplicit) {
  // The host is number 0 wherever the attribute lists it.
  specs.append(attr.getDevices().begin(), attr.getDevices().end());
  std::stable_partition(specs.begin(), specs.end(), [](DeviceSpecAttr spec) {
    return spec.getDevice().isHost();
  });
  for (auto [index, spec] : llvm::enumerate(specs)) {
    devices.push_back(spec.getDevice().getBare());
    kinds.push_back(
        lookupDeviceKind(attr.getContext(), devices.back().getKind()));
    indices[devices.back()] = index;
  }
  budgets.resize(size());
  for (auto [index, device] : llvm::enumerate(devices)) {
    DeviceAttr host = DeviceAttr::getHost(attr.getContext());
    hosts.push_back(indices.lookup(host.onNode(device.getNode())));
    ofHost[hosts.back()].push_back(index);
    ofKind[DeviceAttr::get(attr.getContext(), device.getKind(),
                           DeviceAttr::kAnyOrdinal, device.getNode())]
        .push_back(index);
  }
  for (auto &entry : ofKind)
    llvm::sort(entry.second, [&](DeviceIndex a, DeviceIndex b) {
      return devices[a].getOrdinal() < devices[b].getOrdinal();
    });
  addPaths();
}

void Topology::addPaths() {
  auto all = std::make_shared<MachinePaths>(size());
  for (LinkAttr link : attr.getLinks())
    all->addLink(indices.lookup(link.getFrom().getBare()),
                 indices.lookup(link.getTo().getBare()),
                 {link.getBandwidth(), link.getLatency(), link.getUnified()});
  if (NetworkAttr network = attr.getNetwork()) {
    SmallVector<DeviceIndex> joined;
    for (DeviceIndex index = 0; index < size(); ++index)
      if (isHostOfNode(index))
        joined.push_back(index);
    all->setNetwork(joined, {network.getBandwidth(), network.getLatency(),
                             /*isUnified=*/false});
  }
  all->finish();
  paths = std::move(all);
}

/// What of the budgets is none is an error of placement.
void Topology::setBudgets(ModuleOp module) {
  auto attr = module->getAttrOfType<DictionaryAttr>(kMemoryBudgetAttrName);
  for (DeviceIndex index = 0; attr && index < size(); ++index)
    if (auto bytes = attr.getAs<IntegerAttr>(getDevice(index).str()))
      budgets[index] = bytes.getInt();
}

std::optional<int64_t> Topology::getCapacity(DeviceIndex index) const {
  std::optional<int64_t> memory;
  if (explicitly)
    memory = specs[index].getMemory();
  if (!memory || !budgets[index])
    return memory ? memory : budgets[index];
  return std::min(*memory, *budgets[index]);
}

Topology Topology::withLinks(ArrayRef<LinkAttr> all) const {
  Topology other(TopologyAttr::get(attr.getContext(), attr.getDevices(), all,
                                   attr.getNetwork()),
                 explicitly);
  other.budgets = budgets;
  return other;
}

std::optional<DeviceIndex> Topology::lookup(DeviceAttr device) const {
  auto it = indices.find(device.getBare());
  if (it == indices.end())
    return std::nullopt;
  return it->second;
}

SmallVector<DeviceIndex> Topology::getMatching(DeviceAttr spec) const {
  if (spec.hasOrdinal()) {
    std::optional<DeviceIndex> index = lookup(spec);
    return index ? SmallVector<DeviceIndex>{*index}
                 : SmallVector<DeviceIndex>();
  }
  return SmallVector<DeviceIndex>(ofKind.lookup(spec.getBare()));
}

std::string Topology::listDevices() const {
  return llvm::join(
      llvm::map_range(devices, [](DeviceAttr device) { return device.str(); }),
      ", ");
}

bool Topology::hasNodes() const {
  return llvm::any_of(devices,
                      [](DeviceAttr device) { return device.getNode() != 0; });
}

bool Topology::supportsType(DeviceIndex device, Type elementType) const {
  ArrayAttr types = specs[device].getTypes();
  return !types || llvm::is_contained(types, TypeAttr::get(elementType));
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

int64_t Topology::getComputeTime(Operation *op, DeviceIndex device,
                                 PlacementCost cost) const {
  if (kinds[device])
    if (std::optional<int64_t> time =
            kinds[device]->getTime(op, cost, specs[device]))
      return std::max<int64_t>(*time, 0);
  return getRooflineTime(device, cost);
}

int64_t Topology::getRooflineTime(DeviceIndex device,
                                  PlacementCost cost) const {
  if (cost.flops == 0 && cost.bytes == 0)
    return 0;
  DeviceSpecAttr spec = specs[device];
  return addTimes(spec.getLaunch(),
                  std::max(getRateTime(cost.flops, spec.getCompute()),
                           getRateTime(cost.bytes, spec.getBandwidth())));
}

SmallVector<DeviceIndex> Topology::getStops(DeviceIndex from,
                                            DeviceIndex to) const {
  SmallVector<DeviceIndex> stops;
  if (!isReachable(from, to) || from == to)
    return stops;
  for (DeviceIndex next = paths->getHop(from, to).next; next != to;
       next = paths->getHop(next, to).next)
    stops.push_back(next);
  return stops;
}

int64_t Topology::getTransferTime(DeviceIndex from, DeviceIndex to,
                                  int64_t bytes) const {
  int64_t time = 0;
  while (from != to) {
    MachinePaths::Hop hop = paths->getHop(from, to);
    if (!hop.link)
      return INT64_MAX;
    time = addTimes(time, hop.link->getTime(bytes));
    from = hop.next;
  }
  return time;
}

bool Topology::isUnified(DeviceIndex from, DeviceIndex to) const {
  const LinkRate *link = paths->getLink(from, to);
  return link && link->isUnified;
}
