//===- JsonView.cpp - A placement as JSON ---------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Target/JsonView.h"

#include "PlacementView.h"
#include "TimeShares.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Prints one object.
class JSONPrinter {
public:
  JSONPrinter(const PlacementView &view, ArrayRef<NodeTime> times,
              llvm::raw_ostream &os)
      : view(view), times(times), measured(divideTimes(view, times)),
        json(os, /*IndentSize=*/1) {}

  void run() {
    json.object([&] {
      json.attribute("summary", view.summary);
      json.attributeArray("devices", [&] {
        for (const std::string &device : view.devices)
          json.value(device);
      });
      json.attributeArray("operations", [&] {
        for (auto [node, share] : llvm::zip_equal(view.nodes, measured))
          if (node.isOperation)
            json.object(
                [&, &node = node, &share = share] { printNode(node, share); });
      });
      json.attributeArray("copies", [&] {
        for (const ViewCopy &copy : view.copies)
          json.object([&] { printCopy(copy); });
      });
      if (!times.empty())
        json.attributeArray("measured", [&] {
          for (const NodeTime &time : times)
            json.object([&] { printTime(time); });
        });
    });
  }

private:
  static double toSeconds(int64_t picoseconds) { return picoseconds * 1e-12; }

  /// Names in a source need not be UTF-8.
  void print(StringRef key, StringRef text) {
    json.attribute(key, llvm::json::fixUTF8(text));
  }

  void printNode(const ViewNode &node, const TimeShare &share) {
    print("function", view.functions[node.function]);
    print("op", node.name);
    print("name", node.source);
    print("location", node.location);
    print("device", view.devices[node.device]);
    print("origin", node.origin);
    print("explanation", node.explanation);
    if (node.time)
      json.attribute("seconds", toSeconds(*node.time));
    if (!share.seconds)
      return;
    json.attribute("measured_seconds", *share.seconds);
    json.attribute("measured_alone", share.isAlone);
  }

  void printTime(const NodeTime &time) {
    print("device", time.device);
    json.attributeArray("nodes", [&] {
      for (const std::string &node : time.nodes)
        json.value(llvm::json::fixUTF8(node));
    });
    if (time.nodes.empty())
      print("work", time.work);
    json.attribute("seconds", time.seconds);
  }

  void printCopy(const ViewCopy &copy) {
    print("function", view.functions[copy.function]);
    print("value", copy.value);
    print("from", view.devices[copy.from]);
    print("to", view.devices[copy.to]);
    if (copy.bytes)
      json.attribute("bytes", *copy.bytes);
    json.attribute("seconds", toSeconds(copy.time));
  }

  const PlacementView &view;
  ArrayRef<NodeTime> times;
  std::vector<TimeShare> measured;
  llvm::json::OStream json;
};
} // namespace

LogicalResult mlir::hetero::printPlacementAsJson(ModuleOp module,
                                                 llvm::raw_ostream &os) {
  return printMeasuredPlacementAsJson(module, /*profile=*/"", /*times=*/{}, os);
}

LogicalResult
mlir::hetero::printMeasuredPlacementAsJson(ModuleOp module, StringRef profile,
                                           ArrayRef<NodeTime> times,
                                           llvm::raw_ostream &os) {
  FailureOr<PlacementView> view = buildPlacementView(module, profile);
  if (failed(view))
    return failure();
  JSONPrinter(*view, times, os).run();
  os << "\n";
  return success();
}
