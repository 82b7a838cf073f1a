//===- NodeReport.cpp - Where the time of a call goes ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/NodeReport.h"

#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <tuple>

using namespace mlir::hetero;
using llvm::StringRef;
namespace json = llvm::json;

/// The objects of a list that a member has.
static std::vector<const json::Object *> objectsOf(const json::Object &object,
                                                   StringRef key) {
  std::vector<const json::Object *> objects;
  if (const json::Array *array = object.getArray(key))
    for (const json::Value &value : *array)
      if (const json::Object *element = value.getAsObject())
        objects.push_back(element);
  return objects;
}

static std::vector<std::string> nodesOf(const json::Object &part) {
  std::vector<std::string> nodes;
  if (const json::Array *array = part.getArray("nodes"))
    for (const json::Value &value : *array)
      nodes.push_back(value.getAsString().value_or("").str());
  return nodes;
}

namespace {
/// Adds up what is for the same operations.
class NodeTimes {
public:
  explicit NodeTimes(int64_t calls) : calls(calls) {}

  void add(StringRef device, const json::Object &run) {
    std::optional<double> seconds = run.getNumber("seconds");
    if (!seconds)
      return;
    std::string name = run.getString("name").value_or("").str();
    double executions = run.getNumber("measured").value_or(0) / calls;
    std::vector<const json::Object *> parts = objectsOf(run, "parts");
    if (parts.empty())
      add(device, {}, name, *seconds, executions);
    for (const json::Object *part : parts)
      add(device, nodesOf(*part), name, part->getNumber("seconds").value_or(0),
          executions);
  }

  std::vector<NodeTime> take() {
    llvm::stable_sort(times, [](const NodeTime &a, const NodeTime &b) {
      return a.seconds > b.seconds;
    });
    return std::move(times);
  }

private:
  void add(StringRef device, std::vector<std::string> nodes, std::string work,
           double seconds, double executions) {
    if (!nodes.empty())
      work.clear();
    auto [it, isNew] =
        places.try_emplace({device.str(), nodes, work}, times.size());
    if (isNew)
      times.push_back({device.str(), std::move(nodes), std::move(work)});
    NodeTime &time = times[it->second];
    time.seconds += seconds * executions;
    time.executions += executions;
  }

  int64_t calls;
  std::vector<NodeTime> times;
  std::map<std::tuple<std::string, std::vector<std::string>, std::string>,
           size_t>
      places;
};
} // namespace

std::optional<std::vector<NodeTime>>
mlir::hetero::collectNodeTimes(StringRef report, int64_t calls) {
  llvm::Expected<json::Value> parsed = json::parse(report);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const json::Object *object = parsed->getAsObject();
  if (!object)
    return std::nullopt;
  NodeTimes times(calls);
  for (const json::Object *device : objectsOf(*object, "devices"))
    for (StringRef key : {"regions", "kernels"})
      for (const json::Object *run : objectsOf(*device, key))
        times.add(device->getString("device").value_or("?"), *run);
  return times.take();
}

static std::string inMicroseconds(double seconds) {
  return llvm::formatv("{0:f1} us", seconds * 1e6);
}

void mlir::hetero::printNodeTimes(llvm::ArrayRef<NodeTime> times,
                                  llvm::raw_ostream &os) {
  double all = 0;
  for (const NodeTime &time : times)
    all += time.seconds;
  Table table;
  table.addRow({"time", "share", "pieces", "device", "operations"});
  for (const NodeTime &time : times)
    table.addRow(
        {inMicroseconds(time.seconds),
         llvm::formatv("{0:f1} %", all > 0 ? time.seconds / all * 100 : 0),
         llvm::formatv("{0}", time.executions), time.device,
         time.nodes.empty() ? "(all of " + time.work + ")"
                            : llvm::join(time.nodes, ", ")});
  os << "a call by operations of the source, " << inMicroseconds(all)
     << " in all:\n";
  table.print(os);
}
