//===- HtmlView.cpp - A placement as a web page ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One page without scripts or other files: the operations, each in the colour
// of its device, and the copies with what reads them.
//
//===----------------------------------------------------------------------===//

#include "hetero/Target/HtmlView.h"

#include "PlacementView.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Prints one page.
class PagePrinter {
public:
  PagePrinter(const PlacementView &view, llvm::raw_ostream &os)
      : view(view), os(os) {}

  void run();

private:
  void printHead();
  void printNodes();
  void printCopies();
  void printCell(StringRef text, StringRef attributes = "");
  void printDevice(unsigned device);

  const PlacementView &view;
  llvm::raw_ostream &os;
};
} // namespace

void PagePrinter::printCell(StringRef text, StringRef attributes) {
  os << "<td" << attributes << ">";
  llvm::printHTMLEscaped(text, os);
  os << "</td>";
}

void PagePrinter::printDevice(unsigned device) {
  printCell(view.devices[device], " class=\"d" + std::to_string(device) + "\"");
}

void PagePrinter::printHead() {
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n<title>Placement</title>\n<style>\n"
        "body { font-family: sans-serif; }\n"
        "table { border-collapse: collapse; }\n"
        "td, th { border: 1px solid #999; padding: 2px 6px; "
        "text-align: left; }\n";
  for (unsigned i = 0; i < view.devices.size(); ++i)
    os << ".d" << i << " { background: " << PlacementView::getColor(i)
       << "; }\n";
  os << "</style>\n</head>\n<body>\n<h1>Placement</h1>\n";
  if (view.summary.empty())
    return;
  os << "<p>";
  llvm::printHTMLEscaped(view.summary, os);
  os << "</p>\n";
}

/// Everything but arguments and returns.
void PagePrinter::printNodes() {
  os << "<h2>Operations</h2>\n<table>\n<tr><th>Function</th><th>Operation</th>"
        "<th>Device</th><th>Origin</th><th>Cost</th><th>Location</th></tr>\n";
  for (const ViewNode &node : view.nodes) {
    if (!node.isOperation)
      continue;
    // The explanation begins with the origin.
    StringRef cost = node.explanation;
    cost.consume_front(node.origin);
    cost.consume_front("; ");
    os << "<tr>";
    printCell(view.functions[node.function]);
    printCell(node.name);
    printDevice(node.device);
    printCell(node.origin);
    printCell(cost);
    printCell(node.location);
    os << "</tr>\n";
  }
  os << "</table>\n";
}

void PagePrinter::printCopies() {
  std::vector<std::string> readers(view.copies.size());
  for (const ViewEdge &edge : view.edges) {
    if (!edge.from.isCopy)
      continue;
    std::string name = "a copy";
    if (!edge.to.isCopy) {
      const ViewNode &node = view.nodes[edge.to.index];
      name = node.location.empty() ? node.name
                                   : node.name + " at " + node.location;
    }
    std::string &text = readers[edge.from.index];
    text += (text.empty() ? "" : ", ") + name;
  }
  os << "<h2>Copies</h2>\n<table>\n<tr><th>Function</th><th>Value</th>"
        "<th>From</th><th>To</th><th>Size</th><th>Needed by</th></tr>\n";
  for (auto [copy, readerNames] : llvm::zip(view.copies, readers)) {
    os << "<tr>";
    printCell(view.functions[copy.function]);
    printCell(copy.value);
    printDevice(copy.from);
    printDevice(copy.to);
    printCell(view.describeBytes(copy));
    printCell(readerNames);
    os << "</tr>\n";
  }
  os << "</table>\n";
}

void PagePrinter::run() {
  printHead();
  printNodes();
  printCopies();
  os << "</body>\n</html>\n";
}

LogicalResult mlir::hetero::printPlacementAsHtml(ModuleOp module,
                                                 llvm::raw_ostream &os) {
  FailureOr<PlacementView> view = buildPlacementView(module);
  if (failed(view))
    return failure();
  PagePrinter(*view, os).run();
  return success();
}
