//===- Edges.cpp - What comes after what in a graph -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Graphs/GraphNodes.h"
#include "Emulator/Driver/Launch.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unordered_map>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Listing: as many as there is room for, or how many there are
//===----------------------------------------------------------------------===//

template <typename Item>
static cuda::Result list(const std::vector<Item> &items, Item *result,
                         size_t *count) {
  if (!count)
    return cuda::kInvalidValue;
  for (size_t i = 0; result && i < *count; ++i)
    result[i] = i < items.size() ? items[i] : nullptr;
  if (!result || *count > items.size())
    *count = items.size();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphGetNodes(cuda::Graph handle, GraphNode **nodes,
                                size_t *count) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findGraph(handle, graph))
    return error;
  std::vector<GraphNode *> all;
  for (const std::shared_ptr<GraphNode> &node : graph->nodes)
    all.push_back(node.get());
  return list(all, nodes, count);
}

HETERO_CUDA_API cuGraphGetRootNodes(cuda::Graph handle, GraphNode **nodes,
                                    size_t *count) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findGraph(handle, graph))
    return error;
  std::vector<GraphNode *> roots;
  for (const std::shared_ptr<GraphNode> &node : graph->nodes)
    if (node->after.empty())
      roots.push_back(node.get());
  return list(roots, nodes, count);
}

static void fillPlain(EdgeData *edges, const size_t *count) {
  if (edges && count)
    std::fill_n(edges, *count, EdgeData{});
}

HETERO_CUDA_API cuGraphGetEdges_v2(cuda::Graph handle, GraphNode **from,
                                   GraphNode **to, EdgeData *edges,
                                   size_t *count) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findGraph(handle, graph))
    return error;
  if (!count || !from != !to)
    return cuda::kInvalidValue;
  std::vector<GraphNode *> begins, ends;
  for (const std::shared_ptr<GraphNode> &node : graph->nodes)
    for (GraphNode *before : node->after) {
      begins.push_back(before);
      ends.push_back(node.get());
    }
  size_t room = *count;
  fillPlain(from ? edges : nullptr, &room);
  list(begins, from, &room);
  return list(ends, to, count);
}

HETERO_CUDA_API cuGraphGetEdges(cuda::Graph handle, GraphNode **from,
                                GraphNode **to, size_t *count) {
  return cuGraphGetEdges_v2(handle, from, to, nullptr, count);
}

HETERO_CUDA_API cuGraphNodeGetDependencies_v2(GraphNode *handle,
                                              GraphNode **nodes,
                                              EdgeData *edges, size_t *count) {
  std::shared_ptr<GraphNode> node;
  if (cuda::Result error = findNode(handle, node))
    return error;
  fillPlain(nodes ? edges : nullptr, count);
  return list(node->after, nodes, count);
}

HETERO_CUDA_API cuGraphNodeGetDependencies(GraphNode *node, GraphNode **nodes,
                                           size_t *count) {
  return cuGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}

HETERO_CUDA_API cuGraphNodeGetDependentNodes_v2(GraphNode *handle,
                                                GraphNode **nodes,
                                                EdgeData *edges,
                                                size_t *count) {
  std::shared_ptr<GraphNode> node;
  if (cuda::Result error = findNode(handle, node))
    return error;
  std::vector<GraphNode *> after;
  for (const std::shared_ptr<GraphNode> &other : node->graph->nodes)
    if (std::find(other->after.begin(), other->after.end(), handle) !=
        other->after.end())
      after.push_back(other.get());
  fillPlain(nodes ? edges : nullptr, count);
  return list(after, nodes, count);
}

HETERO_CUDA_API cuGraphNodeGetDependentNodes(GraphNode *node, GraphNode **nodes,
                                             size_t *count) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// Lets `change` change what each `to` comes after, if all are of the graph.
template <typename Change>
static cuda::Result changeEdges(cuda::Graph handle, GraphNode *const *from,
                                GraphNode *const *to, size_t count,
                                Change change) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findGraph(handle, graph))
    return error;
  if (count > 0 && (!from || !to))
    return cuda::kInvalidValue;
  for (size_t i = 0; i < count; ++i)
    for (GraphNode *each : {from[i], to[i]}) {
      std::shared_ptr<GraphNode> node;
      if (findNode(each, node) || node->graph != graph.get())
        return cuda::kInvalidValue;
    }
  for (size_t i = 0; i < count; ++i)
    if (!change(to[i]->after, from[i]))
      return cuda::kInvalidValue;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphAddDependencies(cuda::Graph graph,
                                       GraphNode *const *from,
                                       GraphNode *const *to, size_t count) {
  return changeEdges(graph, from, to, count, [](auto &after, GraphNode *node) {
    if (std::find(after.begin(), after.end(), node) != after.end())
      return false;
    after.push_back(node);
    return true;
  });
}

HETERO_CUDA_API cuGraphAddDependencies_v2(cuda::Graph graph,
                                          GraphNode *const *from,
                                          GraphNode *const *to,
                                          const EdgeData *edges, size_t count) {
  if (!arePlain(edges, count))
    return refuse("an edge of a graph with ports");
  return cuGraphAddDependencies(graph, from, to, count);
}

HETERO_CUDA_API cuGraphRemoveDependencies(cuda::Graph graph,
                                          GraphNode *const *from,
                                          GraphNode *const *to, size_t count) {
  return changeEdges(graph, from, to, count, [](auto &after, GraphNode *node) {
    auto it = std::find(after.begin(), after.end(), node);
    if (it == after.end())
      return false;
    after.erase(it);
    return true;
  });
}

HETERO_CUDA_API cuGraphRemoveDependencies_v2(cuda::Graph graph,
                                             GraphNode *const *from,
                                             GraphNode *const *to,
                                             const EdgeData *edges,
                                             size_t count) {
  return arePlain(edges, count)
             ? cuGraphRemoveDependencies(graph, from, to, count)
             : cuda::kInvalidValue;
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

static const char *nameOf(NodeKind kind) {
  static constexpr const char *names[] = {"kernel", "copy",  "fill", "host",
                                          "graph",  "empty", "wait", "record"};
  return names[static_cast<int>(kind)];
}

/// A graph for Graphviz; kernels have their names.
HETERO_CUDA_API cuGraphDebugDotPrint(cuda::Graph handle, const char *path,
                                     unsigned) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findGraph(handle, graph))
    return error;
  std::FILE *file = path ? std::fopen(path, "w") : nullptr;
  if (!file)
    return path ? cuda::kFileNotFound : cuda::kInvalidValue;
  std::fprintf(file, "digraph {\n");
  std::unordered_map<const GraphNode *, size_t> places;
  for (const std::shared_ptr<GraphNode> &node : graph->nodes) {
    size_t place = places.size();
    places[node.get()] = place;
    auto *kernel =
        std::get_if<std::shared_ptr<const KernelNode>>(&node->params);
    std::fprintf(file, "  n%zu [label=\"%s%s%s\"];\n", place,
                 nameOf(node->kind), kernel ? " " : "",
                 kernel ? (*kernel)->prepared.kernel->name.c_str() : "");
  }
  for (const std::shared_ptr<GraphNode> &node : graph->nodes)
    for (const GraphNode *before : node->after)
      std::fprintf(file, "  n%zu -> n%zu;\n", places[before],
                   places[node.get()]);
  std::fprintf(file, "}\n");
  std::fclose(file);
  return cuda::kSuccess;
}
