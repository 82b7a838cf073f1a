//===- SystemSpec.cpp - Machines that DLTI describes ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   #dlti.target_system_spec<"gpu:0" = #dlti.target_device_spec<
//     "hetero.compute" = 10000000000000, ...,
//     "hetero.links" = #dlti.map<"cpu:0" = #dlti.map<"bandwidth" = ...>>>>
//
// is a device_spec of gpu:0 and the links from it.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static constexpr StringLiteral kDeviceKeys[] = {
    kMemoryKey, kComputeKey, kBandwidthKey, kLaunchKey, kTypesKey,
    kTargetKey, kOverlapKey, kLinksKey,     kNetworkKey};

/// Keys of a link, in the map of its source under its destination.
static constexpr StringLiteral kLinkBandwidthKey = "bandwidth";
static constexpr StringLiteral kLinkLatencyKey = "latency";
static constexpr StringLiteral kLinkUnifiedKey = "unified";
static constexpr StringLiteral kLinkKeys[] = {kLinkBandwidthKey,
                                              kLinkLatencyKey, kLinkUnifiedKey};
/// Keys of the network.
static constexpr StringLiteral kNetworkKeys[] = {kLinkBandwidthKey,
                                                 kLinkLatencyKey};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// A link from a device; what is left out is as in the default topology.
struct LinkFields {
  DeviceAttr to;
  std::optional<int64_t> bandwidth, latency;
  bool unified = false;
};

/// What the entries of a device say.
struct DeviceFields {
  std::optional<int64_t> memory, compute, bandwidth, launch;
  ArrayAttr types;
  Attribute target;
  bool overlap = true;
  /// Left out: to every other device of its node, as in the default topology.
  std::optional<SmallVector<LinkFields>> links;
  /// Of the host: what joins it and the hosts of other nodes.
  NetworkAttr network;
};
} // namespace

static StringRef getKey(DataLayoutEntryInterface entry) {
  auto key = dyn_cast<StringAttr>(entry.getKey());
  return key ? key.getValue() : "";
}

static bool isOwnKey(DataLayoutEntryInterface entry) {
  return getKey(entry).starts_with("hetero.");
}

/// "cpu:0"; a kind alone, as upstream writes "CPU", means its first device.
/// Null for other names.
static DeviceAttr parseDeviceID(StringRef id, MLIRContext *context) {
  DeviceAttr device = parseDevice(id.lower(), context);
  if (!device || device.hasOrdinal())
    return device;
  return DeviceAttr::get(context, device.getKind(), 0, device.getNode());
}

static LogicalResult readNumber(DataLayoutEntryInterface entry, int64_t least,
                                std::optional<int64_t> &result,
                                EmitError emitError) {
  auto number = dyn_cast<IntegerAttr>(entry.getValue());
  if (number && !isa<BoolAttr>(entry.getValue())) {
    const APInt &bits = number.getValue();
    bool isUnsigned = number.getType().isUnsignedInteger();
    // 63 bits, and a sign.
    if (isUnsigned ? bits.getActiveBits() < 64 : bits.getSignificantBits() < 65)
      result = isUnsigned ? bits.getZExtValue() : bits.getSExtValue();
  }
  if (result && *result >= least)
    return success();
  return emitError() << "expected '" << getKey(entry) << "' to be a "
                     << (least > 0 ? "positive" : "non-negative")
                     << " integer, got " << entry.getValue()
                     << "; docs/Topology.md has its unit";
}

static LogicalResult readBool(DataLayoutEntryInterface entry, bool &result,
                              EmitError emitError) {
  auto value = dyn_cast<BoolAttr>(entry.getValue());
  if (!value)
    return emitError() << "expected '" << getKey(entry)
                       << "' to be true or false, got " << entry.getValue();
  result = value.getValue();
  return success();
}

static LogicalResult refuseKey(StringRef key, ArrayRef<StringLiteral> keys,
                               EmitError emitError) {
  return emitError() << "unknown key '" << key << "'; the keys are "
                     << llvm::join(keys, ", ");
}

static LogicalResult readLink(DataLayoutEntryInterface entry, LinkFields &link,
                              EmitError emitError) {
  StringRef to = getKey(entry);
  link.to = parseDeviceID(to, entry.getContext());
  if (!link.to)
    return emitError() << "expected '" << kLinksKey
                       << "' to have devices like \"gpu:0\" as keys, got \""
                       << to << "\"";
  auto map = dyn_cast<MapAttr>(entry.getValue());
  if (!map)
    return emitError() << "expected the link to \"" << to << "\" in '"
                       << kLinksKey << "' to be a #dlti.map with the keys "
                       << llvm::join(ArrayRef(kLinkKeys), ", ") << ", got "
                       << entry.getValue();
  for (DataLayoutEntryInterface field : map.getEntries()) {
    StringRef key = getKey(field);
    LogicalResult result =
        key == kLinkBandwidthKey
            ? readNumber(field, 1, link.bandwidth, emitError)
        : key == kLinkLatencyKey ? readNumber(field, 0, link.latency, emitError)
        : key == kLinkUnifiedKey ? readBool(field, link.unified, emitError)
                                 : refuseKey(key, kLinkKeys, emitError);
    if (failed(result))
      return failure();
  }
  return success();
}

static LogicalResult readLinks(DataLayoutEntryInterface entry,
                               DeviceFields &fields, EmitError emitError) {
  auto map = dyn_cast<MapAttr>(entry.getValue());
  if (!map)
    return emitError() << "expected '" << kLinksKey
                       << "' to be a #dlti.map of devices, got "
                       << entry.getValue();
  fields.links.emplace();
  for (DataLayoutEntryInterface link : map.getEntries())
    if (failed(readLink(link, fields.links->emplace_back(), emitError)))
      return failure();
  return success();
}

static LogicalResult readNetwork(DataLayoutEntryInterface entry,
                                 DeviceFields &fields, EmitError emitError) {
  auto map = dyn_cast<MapAttr>(entry.getValue());
  if (!map)
    return emitError() << "expected '" << kNetworkKey
                       << "' to be a #dlti.map with the keys "
                       << llvm::join(ArrayRef(kNetworkKeys), ", ") << ", got "
                       << entry.getValue();
  NetworkAttr known = getDefaultNetwork(entry.getContext());
  std::optional<int64_t> bandwidth, latency;
  for (DataLayoutEntryInterface field : map.getEntries()) {
    StringRef key = getKey(field);
    LogicalResult result =
        key == kLinkBandwidthKey ? readNumber(field, 1, bandwidth, emitError)
        : key == kLinkLatencyKey ? readNumber(field, 0, latency, emitError)
                                 : refuseKey(key, kNetworkKeys, emitError);
    if (failed(result))
      return failure();
  }
  fields.network = NetworkAttr::get(entry.getContext(),
                                    bandwidth.value_or(known.getBandwidth()),
                                    latency.value_or(known.getLatency()));
  return success();
}

static LogicalResult readTypes(DataLayoutEntryInterface entry,
                               DeviceFields &fields, EmitError emitError) {
  fields.types = dyn_cast<ArrayAttr>(entry.getValue());
  if (fields.types && llvm::all_of(fields.types, llvm::IsaPred<TypeAttr>))
    return success();
  return emitError() << "expected '" << kTypesKey
                     << "' to be an array of types like [f32, i32], got "
                     << entry.getValue();
}

static LogicalResult readEntry(DataLayoutEntryInterface entry,
                               DeviceFields &fields, EmitError emitError) {
  StringRef key = getKey(entry);
  if (key == kMemoryKey)
    return readNumber(entry, 1, fields.memory, emitError);
  if (key == kComputeKey)
    return readNumber(entry, 1, fields.compute, emitError);
  if (key == kBandwidthKey)
    return readNumber(entry, 1, fields.bandwidth, emitError);
  if (key == kLaunchKey)
    return readNumber(entry, 0, fields.launch, emitError);
  if (key == kTypesKey)
    return readTypes(entry, fields, emitError);
  if (key == kOverlapKey)
    return readBool(entry, fields.overlap, emitError);
  if (key == kLinksKey)
    return readLinks(entry, fields, emitError);
  if (key == kNetworkKey)
    return readNetwork(entry, fields, emitError);
  if (key != kTargetKey)
    return refuseKey(key, kDeviceKeys, emitError);
  fields.target = entry.getValue();
  return success();
}

LogicalResult
mlir::hetero::verifySystemSpecEntry(DataLayoutEntryInterface entry,
                                    EmitError emitError) {
  DeviceFields fields;
  return readEntry(entry, fields, emitError);
}

//===----------------------------------------------------------------------===//
// The topology
//===----------------------------------------------------------------------===//

using Devices = llvm::MapVector<DeviceAttr, DeviceFields>;

/// The devices with keys of this dialect.
static LogicalResult readDevices(TargetSystemSpecInterface spec,
                                 Devices &devices, EmitError emitError) {
  for (DataLayoutEntryInterface entry : spec.getEntries()) {
    auto entries = dyn_cast<TargetDeviceSpecInterface>(entry.getValue());
    if (!entries || llvm::none_of(entries.getEntries(), isOwnKey))
      continue;
    StringRef id = getKey(entry);
    DeviceAttr device = parseDeviceID(id, spec.getContext());
    if (!device)
      return emitError() << "expected the devices of "
                            "'dlti.target_system_spec' with keys of hetero to "
                            "be called like \"cpu:0\" or \"gpu\", got \""
                         << id << "\"";
    auto [it, isNew] = devices.insert({device, {}});
    if (!isNew)
      return emitError() << "device " << device.str()
                         << " is described twice in "
                            "'dlti.target_system_spec'; remove one";
    for (DataLayoutEntryInterface field : entries.getEntries())
      if (isOwnKey(field) && failed(readEntry(field, it->second, [&] {
            return emitError() << "in device \"" << id << "\": ";
          })))
        return failure();
  }
  return success();
}

static DeviceSpecAttr makeSpec(DeviceAttr device, const DeviceFields &fields) {
  DeviceSpecAttr known = getDefaultSpec(device);
  return DeviceSpecAttr::get(device.getContext(), device, fields.memory,
                             fields.compute.value_or(known.getCompute()),
                             fields.bandwidth.value_or(known.getBandwidth()),
                             fields.launch.value_or(known.getLaunch()),
                             fields.types, fields.target, fields.overlap);
}

static LinkAttr makeLink(DeviceAttr from, const LinkFields &fields) {
  LinkAttr known = getDefaultLink(from, fields.to);
  return LinkAttr::get(from.getContext(), from, fields.to,
                       fields.bandwidth.value_or(known.getBandwidth()),
                       fields.latency.value_or(known.getLatency()),
                       fields.unified);
}

/// The host of each node that has devices.
static void addHosts(Devices &devices, MLIRContext *context) {
  DeviceAttr host = DeviceAttr::getHost(context);
  llvm::SetVector<DeviceAttr> hosts;
  hosts.insert(host);
  for (const auto &entry : devices)
    hosts.insert(host.onNode(entry.first.getNode()));
  for (DeviceAttr each : hosts)
    devices.insert({each, {}});
}

/// From a device to the others of its node.
static void addDefaultLinks(DeviceAttr device, const Devices &devices,
                            SmallVectorImpl<LinkAttr> &links) {
  for (const auto &other : devices)
    if (other.first != device && other.first.getNode() == device.getNode())
      links.push_back(getDefaultLink(device, other.first));
}

/// True if there are several nodes, of which the host of one leaves out what it
/// is joined to.
static bool leavesOutNetwork(const Devices &devices) {
  bool hasNodes = llvm::any_of(
      devices, [](const auto &entry) { return entry.first.getNode() != 0; });
  return hasNodes && llvm::any_of(devices, [](const auto &entry) {
           return entry.first.isHostOfNode() && !entry.second.links;
         });
}

FailureOr<TopologyAttr>
mlir::hetero::readSystemSpec(TargetSystemSpecInterface spec,
                             EmitError emitError) {
  Devices devices;
  if (failed(readDevices(spec, devices, emitError)))
    return failure();
  if (devices.empty())
    return TopologyAttr();
  addHosts(devices, spec.getContext());
  SmallVector<DeviceSpecAttr> specs;
  SmallVector<LinkAttr> links;
  NetworkAttr network;
  for (const auto &[device, fields] : devices) {
    specs.push_back(makeSpec(device, fields));
    if (fields.network && !device.isHost())
      return emitError() << "expected '" << kNetworkKey
                         << "' on the host cpu:0 alone, got it on "
                         << device.str() << "; it is of all nodes";
    if (fields.network)
      network = fields.network;
    if (fields.links)
      for (const LinkFields &link : *fields.links)
        links.push_back(makeLink(device, link));
    else
      addDefaultLinks(device, devices, links);
  }
  if (!network && leavesOutNetwork(devices))
    network = getDefaultNetwork(spec.getContext());
  auto topology = TopologyAttr::getChecked(
      emitError, spec.getContext(), ArrayRef(specs), ArrayRef(links), network);
  if (!topology)
    return failure();
  return topology;
}

TopologyAttr mlir::hetero::getTopologyAttr(ModuleOp module) {
  if (auto own = module->getAttrOfType<TopologyAttr>(kTopologyAttrName))
    return own;
  TargetSystemSpecInterface spec = module.getTargetSystemSpec();
  if (!spec)
    return {};
  // What is wrong with it, verifySystemSpec() has said.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  auto topology =
      readSystemSpec(spec, [&] { return emitError(module.getLoc()); });
  return succeeded(topology) ? *topology : TopologyAttr();
}

LogicalResult mlir::hetero::verifySystemSpec(ModuleOp module) {
  TargetSystemSpecInterface spec = module.getTargetSystemSpec();
  if (!spec)
    return success();
  return readSystemSpec(spec, [&] { return emitError(module.getLoc()); });
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// The entries of a map or of a device.
class EntryList {
public:
  explicit EntryList(MLIRContext *context) : builder(context) {}

  void add(StringRef key, Attribute value) {
    entries.push_back(
        DataLayoutEntryAttr::get(builder.getStringAttr(key), value));
  }
  void add(StringRef key, int64_t value) {
    add(key, builder.getI64IntegerAttr(value));
  }
  void addFlag(StringRef key, bool value) {
    add(key, builder.getBoolAttr(value));
  }

  Builder builder;
  SmallVector<DataLayoutEntryInterface> entries;
};
} // namespace

/// What there is to say of the links from a device.
static MapAttr writeLinks(TopologyAttr topology, DeviceAttr from) {
  EntryList links(topology.getContext());
  for (LinkAttr link : topology.getLinks()) {
    if (link.getFrom().getBare() != from)
      continue;
    EntryList fields(topology.getContext());
    fields.add(kLinkBandwidthKey, link.getBandwidth());
    fields.add(kLinkLatencyKey, link.getLatency());
    if (link.getUnified())
      fields.addFlag(kLinkUnifiedKey, true);
    links.add(link.getTo().str(),
              MapAttr::get(topology.getContext(), fields.entries));
  }
  return MapAttr::get(topology.getContext(), links.entries);
}

static MapAttr writeNetwork(NetworkAttr network) {
  EntryList fields(network.getContext());
  fields.add(kLinkBandwidthKey, network.getBandwidth());
  fields.add(kLinkLatencyKey, network.getLatency());
  return MapAttr::get(network.getContext(), fields.entries);
}

static void writeDevice(TopologyAttr topology, DeviceSpecAttr spec,
                        EntryList &fields) {
  if (std::optional<int64_t> memory = spec.getMemory())
    fields.add(kMemoryKey, *memory);
  fields.add(kComputeKey, spec.getCompute());
  fields.add(kBandwidthKey, spec.getBandwidth());
  fields.add(kLaunchKey, spec.getLaunch());
  if (spec.getTypes())
    fields.add(kTypesKey, spec.getTypes());
  if (spec.getTarget())
    fields.add(kTargetKey, spec.getTarget());
  if (!spec.getOverlap())
    fields.addFlag(kOverlapKey, false);
  fields.add(kLinksKey, writeLinks(topology, spec.getDevice().getBare()));
  if (spec.getDevice().isHost() && topology.getNetwork())
    fields.add(kNetworkKey, writeNetwork(topology.getNetwork()));
}

TargetSystemSpecAttr
mlir::hetero::writeSystemSpec(TopologyAttr topology,
                              TargetSystemSpecInterface present) {
  MLIRContext *context = topology.getContext();
  // By device, for those that are devices of ours.
  llvm::MapVector<Attribute, std::pair<std::string, EntryList>> devices;
  auto find = [&](StringRef id) -> EntryList & {
    DeviceAttr device = parseDeviceID(id, context);
    Attribute key = device ? Attribute(device) : StringAttr::get(context, id);
    return devices.insert({key, {id.str(), EntryList(context)}})
        .first->second.second;
  };
  for (DataLayoutEntryInterface entry :
       present ? present.getEntries() : ArrayRef<DataLayoutEntryInterface>())
    if (auto spec = dyn_cast<TargetDeviceSpecInterface>(entry.getValue())) {
      EntryList &fields = find(getKey(entry));
      for (DataLayoutEntryInterface field : spec.getEntries())
        if (!isOwnKey(field))
          fields.entries.push_back(field);
    }
  for (DeviceSpecAttr spec : topology.getDevices())
    writeDevice(topology, spec, find(spec.getDevice().getBare().str()));
  EntryList system(context);
  for (const auto &[key, device] : devices)
    system.add(device.first,
               TargetDeviceSpecAttr::get(context, device.second.entries));
  return TargetSystemSpecAttr::get(context, system.entries);
}
