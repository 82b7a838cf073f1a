//===- DotView.cpp - A placement as a graph -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphviz: a cluster per function, a box per operation in the colour of its
// device, and a dashed edge with the number of bytes per copy.
//
//===----------------------------------------------------------------------===//

#include "hetero/Target/DotView.h"

#include "PlacementView.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

/// A quoted string; `\n` of the text becomes a line break of the label.
static std::string quote(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\')
      result += '\\';
    // Other control characters are blanks, since no label shows them.
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

static std::string getName(ViewEnd end) {
  return (end.isCopy ? "c" : "n") + std::to_string(end.index);
}

static void printNode(const PlacementView &view, unsigned index,
                      llvm::raw_ostream &os) {
  const ViewNode &node = view.nodes[index];
  std::string label = node.name + "\n" + view.devices[node.device];
  if (!node.origin.empty())
    label += "\n" + node.origin;
  os << "    n" << index << " [label=" << quote(label)
     << ", fillcolor=" << quote(PlacementView::getColor(node.device));
  if (!node.isOperation)
    os << ", shape=ellipse";
  if (!node.explanation.empty())
    os << ", tooltip="
       << quote(node.location + (node.location.empty() ? "" : ": ") +
                node.explanation);
  os << "];\n";
}

/// The point where the copy is: what reads it starts there.
static void printCopy(const PlacementView &view, unsigned index,
                      llvm::raw_ostream &os) {
  const ViewCopy &copy = view.copies[index];
  os << "    c" << index
     << " [shape=point, tooltip=" << quote("copy of " + copy.value) << "];\n";
}

static void printEdge(const PlacementView &view, const ViewEdge &edge,
                      llvm::raw_ostream &os) {
  os << "  " << getName(edge.from) << " -> " << getName(edge.to);
  if (edge.to.isCopy) {
    const ViewCopy &copy = view.copies[edge.to.index];
    os << " [style=dashed, color=red, label="
       << quote(view.describeBytes(copy) + "\n" + view.devices[copy.from] +
                " to " + view.devices[copy.to])
       << "]";
  }
  os << ";\n";
}

static void printLegend(const PlacementView &view, llvm::raw_ostream &os) {
  os << "  subgraph cluster_devices {\n    label=\"devices\";\n";
  for (unsigned i = 0; i < view.devices.size(); ++i)
    os << "    d" << i << " [label=" << quote(view.devices[i])
       << ", fillcolor=" << quote(PlacementView::getColor(i)) << "];\n";
  os << "  }\n";
}

LogicalResult mlir::hetero::printPlacementAsDot(ModuleOp module,
                                                llvm::raw_ostream &os) {
  FailureOr<PlacementView> view = buildPlacementView(module);
  if (failed(view))
    return failure();
  os << "digraph placement {\n  label=" << quote(view->summary)
     << ";\n  node [shape=box, style=filled];\n";
  printLegend(*view, os);
  // Nodes and copies come function by function.
  unsigned node = 0, copy = 0;
  for (unsigned i = 0; i < view->functions.size(); ++i) {
    os << "  subgraph cluster_" << i
       << " {\n    label=" << quote(view->functions[i]) << ";\n";
    for (; node < view->nodes.size() && view->nodes[node].function == i; ++node)
      printNode(*view, node, os);
    for (; copy < view->copies.size() && view->copies[copy].function == i;
         ++copy)
      printCopy(*view, copy, os);
    os << "  }\n";
  }
  for (const ViewEdge &edge : view->edges)
    printEdge(*view, edge, os);
  os << "}\n";
  return success();
}
