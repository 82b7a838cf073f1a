//===- TopologyTest.cpp - Ways between devices of many nodes --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Analysis/Machine/MachineEngines.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {
class TopologyTest : public testing::Test {
protected:
  TopologyTest() { context.loadDialect<HeteroDialect>(); }

  /// Nodes with a host and a gpu each.
  TopologyAttr getDefault(unsigned numNodes) {
    SmallVector<DeviceAttr> devices;
    for (unsigned node = 0; node < numNodes; ++node)
      devices.push_back(DeviceAttr::get(&context, "gpu", 0, node));
    return Topology::getDefault(&context, devices);
  }

  MLIRContext context;
};

/// Shortest ways where what a link joins takes that (Bellman and Ford).
SmallVector<int64_t> findTimes(const Topology &topology, int64_t bytes) {
  unsigned n = topology.size();
  SmallVector<int64_t> times(n * n, INT64_MAX);
  SmallVector<bool> isFixed(n * n, false);
  for (LinkAttr link : topology.getAttr().getLinks()) {
    unsigned pair =
        *topology.lookup(link.getFrom()) * n + *topology.lookup(link.getTo());
    isFixed[pair] = true;
    times[pair] =
        addTimes(link.getLatency(), getRateTime(bytes, link.getBandwidth()));
  }
  if (NetworkAttr network = topology.getAttr().getNetwork())
    for (unsigned from = 0; from < n; ++from)
      for (unsigned to = 0; to < n; ++to)
        if (from != to && topology.isHostOfNode(from) &&
            topology.isHostOfNode(to) && !isFixed[from * n + to]) {
          isFixed[from * n + to] = true;
          times[from * n + to] = addTimes(
              network.getLatency(), getRateTime(bytes, network.getBandwidth()));
        }
  SmallVector<int64_t> links = times;
  for (unsigned i = 0; i < n; ++i)
    times[i * n + i] = 0;
  for (bool changed = true; std::exchange(changed, false);)
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = 0; j < n; ++j)
        for (unsigned next = 0; next < n; ++next) {
          int64_t through = addTimes(links[i * n + next], times[next * n + j]);
          if (isFixed[i * n + j] || through >= times[i * n + j])
            continue;
          times[i * n + j] = through;
          changed = true;
        }
  return times;
}

/// Of two nodes only hosts.
bool mayBeJoined(DeviceAttr a, DeviceAttr b) {
  return a.getNode() == b.getNode() || (a.isHostOfNode() && b.isHostOfNode());
}

// Whatever links there are, and whether they are few or many: the times are
// those of the shortest ways.
TEST_F(TopologyTest, RandomMachinesHaveShortestWays) {
  std::mt19937 random;
  for (unsigned count = 0; count < 60; ++count) {
    unsigned numNodes = 1 + random() % (count % 3 == 0 ? 12 : 4);
    SmallVector<DeviceAttr> devices;
    SmallVector<DeviceSpecAttr> specs;
    for (unsigned node = 0; node < numNodes; ++node)
      for (StringRef kind : {"cpu", "gpu", "npu"})
        for (unsigned i = 0, e = kind == "cpu" ? 1 : random() % 3; i < e; ++i) {
          devices.push_back(DeviceAttr::get(&context, kind, i, node));
          specs.push_back(getDefaultSpec(devices.back()));
        }
    SmallVector<LinkAttr> links;
    for (DeviceAttr from : devices)
      for (DeviceAttr to : devices)
        if (from != to && mayBeJoined(from, to) && random() % 2 == 0)
          links.push_back(LinkAttr::get(&context, from, to, 1'000'000'000'000,
                                        random() % 5, false));
    NetworkAttr network;
    if (random() % 3 != 0)
      network = NetworkAttr::get(&context, 1'000'000'000'000, /*latency=*/5);
    Topology topology(TopologyAttr::get(&context, specs, links, network),
                      /*isExplicit=*/true);
    SmallVector<int64_t> times = findTimes(topology, 1'000'000);
    for (unsigned from = 0; from < topology.size(); ++from)
      for (unsigned to = 0; to < topology.size(); ++to) {
        int64_t time = topology.getTransferTime(from, to, 1'000'000);
        EXPECT_EQ(time, times[from * topology.size() + to])
            << topology.getDevice(from).str() << " to "
            << topology.getDevice(to).str() << " of machine " << count;
        EXPECT_EQ(topology.isReachable(from, to), time != INT64_MAX);
      }
  }
}

// A thousand nodes: what is asked for is known, and nothing is stored by pair.
TEST_F(TopologyTest, ThousandNodes) {
  Topology topology(getDefault(1024), /*isExplicit=*/true);
  ASSERT_EQ(topology.size(), 2048u);
  EXPECT_EQ(topology.getAttr().getLinks().size(), 2048u);
  DeviceIndex first = *topology.lookup(DeviceAttr::get(&context, "gpu", 0)),
              last =
                  *topology.lookup(DeviceAttr::get(&context, "gpu", 0, 1023));
  SmallVector<DeviceIndex> stops = topology.getStops(first, last);
  ASSERT_EQ(stops.size(), 2u);
  EXPECT_EQ(topology.getDevice(stops[0]).str(), "cpu:0");
  EXPECT_EQ(topology.getDevice(stops[1]).str(), "cpu:0@1023");
  EXPECT_EQ(topology.getTransferTime(first, last, 1'000'000), 291666668);
  EXPECT_EQ(topology.getHostOf(last), stops[1]);
}

// A copy within a node takes the copy engine of its gpu; one between nodes
// takes the link in this direction and nothing of either gpu or host.
TEST_F(TopologyTest, EnginesOfCopies) {
  Topology topology(getDefault(2), /*isExplicit=*/true);
  auto find = [&](StringRef kind, int64_t node) {
    return *topology.lookup(DeviceAttr::get(&context, kind, 0, node));
  };
  auto in = getCopyEngines(topology, find("cpu", 1), find("gpu", 1));
  ASSERT_EQ(in.size(), 1u);
  EXPECT_EQ(in[0].device, find("gpu", 1));
  EXPECT_EQ(in[0].role, EngineRole::CopyIn);
  auto over = getCopyEngines(topology, find("cpu", 0), find("cpu", 1));
  ASSERT_EQ(over.size(), 1u);
  EXPECT_EQ(over[0].role, EngineRole::Transfer);
  EngineNumbers numbers;
  auto back = getCopyEngines(topology, find("cpu", 1), find("cpu", 0));
  EXPECT_NE(numbers.get(over[0]), numbers.get(back[0]));
  EXPECT_EQ(numbers.get(over[0]), 0u);
}
} // namespace
