//===- PlacementReport.cpp - Prints the price of a placement --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/Explain/PlacementReport.h"

#include "Analysis/Placement/Price/PlacementPrice.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::hetero;

static double toSeconds(int64_t picoseconds) { return picoseconds * 1e-12; }

/// The part of the cost that the lower bound does not account for.
static double getGap(const PlacementPrice &price) {
  if (price.cost == 0)
    return 0;
  return double(price.cost - price.lowerBound) / double(price.cost);
}

/// What each device and link has to do for one request, and the best that one
/// device alone does.
static void printLoads(llvm::json::OStream &json, const PlacementPrice &price,
                       const Topology &topology) {
  if (price.objective == PlacementObjective::Sum)
    return;
  json.attribute("objective", getObjectiveName(price.objective));
  if (price.single)
    json.attributeObject("single_device", [&] {
      json.attribute("device", topology.getDevice(price.single->device).str());
      json.attribute("cost_seconds", toSeconds(price.single->cost));
    });
  auto print = [&](StringRef key, const std::string &name, int64_t time) {
    json.object([&] {
      json.attribute(key, name);
      json.attribute("seconds", toSeconds(time));
    });
  };
  json.attributeArray("loads", [&] {
    for (auto [device, time] : llvm::enumerate(price.loads.devices))
      print("device", topology.getDevice(device).str(), time);
    for (const auto &[link, time] : price.loads.links)
      if (time != 0)
        print("link",
              topology.getDevice(link.first).str() + " -> " +
                  topology.getDevice(link.second).str(),
              time);
  });
}

static StringRef describeLimit(MemoryLimit limit) {
  switch (limit) {
  case MemoryLimit::None:
    return "unlimited";
  case MemoryLimit::Idle:
    return "fits";
  case MemoryLimit::Binding:
    return "limited";
  }
  llvm_unreachable("all limits are handled");
}

/// What streaming constants costs, and with how much memory it would not.
static void printStreams(llvm::json::OStream &json,
                         ArrayRef<StreamedConstants> streams) {
  if (streams.empty())
    return;
  json.attributeArray("streamed", [&] {
    for (const StreamedConstants &stream : streams)
      json.object([&] {
        json.attribute("device", stream.device.str());
        json.attribute("constants", stream.constants);
        json.attribute("bytes", stream.bytes);
        json.attribute("seconds", toSeconds(stream.time));
        json.attribute("memory_needed", stream.neededBytes);
      });
  });
}

/// What goes between nodes, if there are several.
static void printNetwork(llvm::json::OStream &json,
                         ArrayRef<NodeTraffic> network) {
  if (network.empty())
    return;
  json.attributeArray("network", [&] {
    for (const NodeTraffic &traffic : network)
      json.object([&] {
        json.attribute("from_node", traffic.from);
        json.attribute("to_node", traffic.to);
        json.attribute("crossings", traffic.crossings);
        json.attribute("bytes", traffic.bytes);
      });
  });
}

/// The shapes that were assumed of dynamic arguments.
static void printShapes(llvm::json::OStream &json,
                        ArrayRef<AssumedShape> shapes) {
  if (shapes.empty())
    return;
  json.attributeArray("assumed_shapes", [&] {
    for (const AssumedShape &assumed : shapes)
      json.object([&] {
        json.attribute("argument", assumed.argument);
        json.attributeArray("shape", [&] {
          for (int64_t size : assumed.shape)
            json.value(size);
        });
      });
  });
}

void mlir::hetero::printPlacementReport(const PlacementPrice &price,
                                        const Topology &topology,
                                        ArrayRef<AssumedShape> shapes,
                                        llvm::raw_ostream &stream) {
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  auto link = [&](DeviceIndex from, DeviceIndex to,
                  const LinkTraffic &traffic) {
    json.object([&] {
      json.attribute("from", topology.getDevice(from).str());
      json.attribute("to", topology.getDevice(to).str());
      json.attribute("copies", traffic.copies);
      json.attribute("bytes", traffic.bytes);
      json.attribute("seconds", toSeconds(traffic.time));
    });
  };
  json.object([&] {
    json.attribute("cost_seconds", toSeconds(price.cost));
    json.attribute("lower_bound_seconds", toSeconds(price.lowerBound));
    json.attribute("gap", getGap(price));
    json.attribute("optimal", price.isOptimal);
    json.attribute("copies", price.copies);
    printShapes(json, shapes);
    printLoads(json, price, topology);
    json.attribute("memory", describeLimit(price.memory));
    printStreams(json, price.streams);
    json.attributeArray("links", [&] {
      for (const auto &[ends, traffic] : price.links)
        link(ends.first, ends.second, traffic);
    });
    printNetwork(json, price.network);
    json.attributeArray("devices", [&] {
      for (DeviceIndex device = 0; device < topology.size(); ++device)
        json.object([&] {
          json.attribute("device", topology.getDevice(device).str());
          json.attribute("ops", price.devices[device].ops);
          json.attribute("seconds", toSeconds(price.devices[device].time));
          json.attribute("memory_bytes", price.devices[device].memory);
          if (auto capacity = topology.getCapacity(device))
            json.attribute("memory_capacity", *capacity);
        });
    });
  });
  stream << "\n";
}
