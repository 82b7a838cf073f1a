//===- MaxFlow.cpp - Minimum cut of a flow network ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boost.Graph's algorithm of Boykov and Kolmogorov (2004, IEEE PAMI 26(9)) on a
// compressed graph.
//
//===----------------------------------------------------------------------===//

#include "BinarySolver.h"

#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/property_map/function_property_map.hpp>

using namespace mlir;
using namespace mlir::hetero;

namespace {
using Graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property,
                                       boost::no_property, boost::no_property,
                                       uint32_t, uint32_t>;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

/// The network with its terminals, edges sorted by their tails.
class Network {
public:
  Network(ArrayRef<int64_t> terminals, ArrayRef<FlowEdge> edges);
  SmallVector<uint8_t, 0> findSinkSide();

private:
  void place(unsigned from, unsigned to, int64_t capacity, int64_t reverse);
  void maximizeFlow();

  unsigned source, sink;
  /// First edge of each vertex, and where its next one goes.
  std::vector<uint32_t> begin, next;
  std::vector<std::pair<uint32_t, uint32_t>> ends;
  std::vector<uint32_t> mates;
  std::vector<int64_t> capacities, residuals;
};
} // namespace

Network::Network(ArrayRef<int64_t> terminals, ArrayRef<FlowEdge> edges)
    : source(terminals.size()), sink(source + 1) {
  begin.assign(sink + 2, 0);
  for (auto [vertex, terminal] : llvm::enumerate(terminals))
    if (terminal != 0) {
      ++begin[vertex + 1];
      ++begin[(terminal > 0 ? source : sink) + 1];
    }
  for (const FlowEdge &edge : edges) {
    ++begin[edge.from + 1];
    ++begin[edge.to + 1];
  }
  for (size_t i = 1; i < begin.size(); ++i)
    begin[i] += begin[i - 1];
  next = begin;
  ends.resize(begin.back());
  mates.resize(begin.back());
  capacities.resize(begin.back());
  for (auto [vertex, terminal] : llvm::enumerate(terminals))
    if (terminal > 0)
      place(source, vertex, terminal, 0);
    else if (terminal < 0)
      place(vertex, sink, -terminal, 0);
  for (const FlowEdge &edge : edges)
    place(edge.from, edge.to, edge.capacity, edge.reverse);
  residuals.resize(capacities.size());
}

void Network::place(unsigned from, unsigned to, int64_t capacity,
                    int64_t reverse) {
  uint32_t forth = next[from]++, back = next[to]++;
  ends[forth] = {from, to};
  ends[back] = {to, from};
  mates[forth] = back;
  mates[back] = forth;
  capacities[forth] = capacity;
  capacities[back] = reverse;
}

void Network::maximizeFlow() {
  Graph graph(boost::edges_are_sorted, ends.begin(), ends.end(), sink + 1);
  auto edgeIndex = get(boost::edge_index, graph);
  auto reverse = boost::make_function_property_map<Edge>([&](const Edge &edge) {
    uint32_t mate = mates[get(edgeIndex, edge)];
    return Edge(ends[mate].first, mate);
  });
  std::vector<Edge> parents(sink + 1);
  std::vector<boost::default_color_type> colors(sink + 1);
  std::vector<long> distances(sink + 1);
  auto vertexIndex = get(boost::vertex_index, graph);
  boost::boykov_kolmogorov_max_flow(
      graph, boost::make_iterator_property_map(capacities.begin(), edgeIndex),
      boost::make_iterator_property_map(residuals.begin(), edgeIndex), reverse,
      boost::make_iterator_property_map(parents.begin(), vertexIndex),
      boost::make_iterator_property_map(colors.begin(), vertexIndex),
      boost::make_iterator_property_map(distances.begin(), vertexIndex),
      vertexIndex, source, sink);
}

/// Backwards from the sink over edges that have room.
SmallVector<uint8_t, 0> Network::findSinkSide() {
  maximizeFlow();
  SmallVector<uint8_t, 0> reaches(sink + 1, false);
  SmallVector<uint32_t, 0> stack{sink};
  reaches[sink] = true;
  while (!stack.empty()) {
    uint32_t vertex = stack.pop_back_val();
    for (uint32_t edge = begin[vertex]; edge < begin[vertex + 1]; ++edge) {
      uint32_t other = ends[edge].second;
      if (reaches[other] || residuals[mates[edge]] == 0)
        continue;
      reaches[other] = true;
      stack.push_back(other);
    }
  }
  reaches.truncate(source);
  return reaches;
}

SmallVector<uint8_t, 0> mlir::hetero::findSinkSide(ArrayRef<int64_t> terminals,
                                                   ArrayRef<FlowEdge> edges) {
  return Network(terminals, edges).findSinkSide();
}
