//===- Report.cpp - Prints the runtime's counters -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Report.h"

#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace llvm;
using mlir::hetero::NodeTime;
using mlir::hetero::Table;

static const json::Array &arrayOf(const json::Object &object, StringRef key) {
  static const json::Array empty;
  const json::Array *array = object.getArray(key);
  return array ? *array : empty;
}

static std::string text(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("?").str();
}

static int64_t number(const json::Object &object, StringRef key) {
  return object.getInteger(key).value_or(0);
}

/// Whether some of the objects have a time of this name.
static bool haveTimes(const json::Array &objects, StringRef key) {
  return any_of(objects, [&](const json::Value &value) {
    const json::Object *object = value.getAsObject();
    return object && object->getNumber(key);
  });
}

static std::string microseconds(const json::Object &object, StringRef key) {
  return formatv("{0:f3} us", object.getNumber(key).value_or(0) * 1e6);
}

static void printCopies(const json::Array &copies, raw_ostream &os) {
  int64_t bytes = 0, count = 0;
  bool hasTimes = haveTimes(copies, "seconds");
  Table table;
  std::vector<std::string> titles = {"value", "from", "to", "bytes", "times"};
  if (hasTimes)
    titles.push_back("took");
  table.addRow(std::move(titles));
  for (const json::Value &value : copies) {
    const json::Object *copy = value.getAsObject();
    if (!copy)
      continue;
    bytes += number(*copy, "bytes");
    count += number(*copy, "count");
    std::vector<std::string> row = {text(*copy, "value"), text(*copy, "from"),
                                    text(*copy, "to"),
                                    std::to_string(number(*copy, "bytes")),
                                    std::to_string(number(*copy, "count"))};
    if (hasTimes)
      row.push_back(microseconds(*copy, "seconds"));
    table.addRow(std::move(row));
  }
  os << "copies: " << count << ", " << bytes << " bytes\n";
  if (!copies.empty())
    table.print(os);
}

/// All copies between the same two devices together.
static void printLinks(const json::Array &copies, raw_ostream &os) {
  std::map<std::pair<std::string, std::string>, std::pair<int64_t, int64_t>>
      links;
  for (const json::Value &value : copies)
    if (const json::Object *copy = value.getAsObject()) {
      auto &[bytes, count] = links[{text(*copy, "from"), text(*copy, "to")}];
      bytes += number(*copy, "bytes");
      count += number(*copy, "count");
    }
  if (links.empty())
    return;
  os << "links:\n";
  Table table;
  table.addRow({"from", "to", "bytes", "copies"});
  for (const auto &[ends, sums] : links)
    table.addRow({ends.first, ends.second, std::to_string(sums.first),
                  std::to_string(sums.second)});
  table.print(os);
}

static void printResident(const json::Array &resident, raw_ostream &os) {
  if (resident.empty())
    return;
  os << "constants uploaded once:\n";
  Table table;
  table.addRow({"value", "to", "bytes"});
  for (const json::Value &value : resident)
    if (const json::Object *constant = value.getAsObject())
      table.addRow({text(*constant, "value"), text(*constant, "device"),
                    std::to_string(number(*constant, "bytes"))});
  table.print(os);
}

static void addRuns(const json::Object &device, StringRef key, StringRef what,
                    Table &table) {
  for (const json::Value &value : arrayOf(device, key))
    if (const json::Object *run = value.getAsObject())
      table.addRow({text(device, "device"), what.str(), text(*run, "name"),
                    std::to_string(number(*run, "count"))});
}

static void printDevices(const json::Array &devices, raw_ostream &os) {
  Table runs, peaks;
  std::string leftovers;
  runs.addRow({"device", "what", "name", "times"});
  peaks.addRow({"device", "bytes"});
  for (const json::Value &value : devices) {
    const json::Object *device = value.getAsObject();
    if (!device)
      continue;
    addRuns(*device, "regions", "host region", runs);
    addRuns(*device, "kernels", "kernel", runs);
    peaks.addRow({text(*device, "device"),
                  std::to_string(number(*device, "peak_bytes"))});
    if (int64_t bytes = number(*device, "leftover_bytes"))
      leftovers +=
          "  " + text(*device, "device") + "  " + std::to_string(bytes) + "\n";
  }
  os << "ran:\n";
  runs.print(os);
  os << "memory peaks:\n";
  peaks.print(os);
  if (!leftovers.empty())
    os << "memory that only the end of a call freed:\n" << leftovers;
}

/// The libraries that the program asked for.
static void printLibraries(const json::Array &libraries, raw_ostream &os) {
  if (libraries.empty())
    return;
  os << "libraries:\n";
  Table table;
  table.addRow({"name", "calls", "file"});
  for (const json::Value &value : libraries)
    if (const json::Object *library = value.getAsObject()) {
      bool found = library->get("path") != nullptr;
      table.addRow({text(*library, "name"),
                    std::to_string(number(*library, "calls")),
                    found ? text(*library, "path")
                          : "not found: " + text(*library, "missing")});
    }
  table.print(os);
}

/// Calls that the host answered for want of a device.
static void printFallbacks(const json::Array &fallbacks, raw_ostream &os) {
  if (fallbacks.empty())
    return;
  os << "on the host, because a device is missing:\n";
  Table table;
  table.addRow({"entry point", "missing", "calls"});
  for (const json::Value &value : fallbacks)
    if (const json::Object *fallback = value.getAsObject())
      table.addRow({text(*fallback, "entry"), text(*fallback, "missing"),
                    std::to_string(number(*fallback, "count"))});
  table.print(os);
}

/// What each device did besides; how long, if its times were taken.
static void printActivity(const json::Array &devices, raw_ostream &os) {
  bool hasTimes = haveTimes(devices, "busy_seconds");
  bool hasWaits = haveTimes(devices, "wait_seconds");
  Table table;
  std::vector<std::string> titles = {"device", "allocations", "waits"};
  if (hasTimes)
    titles.push_back("busy");
  if (hasWaits)
    titles.push_back("waited for");
  table.addRow(std::move(titles));
  for (const json::Value &value : devices) {
    const json::Object *device = value.getAsObject();
    if (!device)
      continue;
    std::vector<std::string> row = {
        text(*device, "device"), std::to_string(number(*device, "allocations")),
        std::to_string(number(*device, "waits"))};
    if (hasTimes)
      row.push_back(microseconds(*device, "busy_seconds"));
    if (hasWaits)
      row.push_back(microseconds(*device, "wait_seconds"));
    table.addRow(std::move(row));
  }
  os << "devices:\n";
  table.print(os);
}

static StringRef getLoadKind(const json::Object &load) {
  return load.get("link") ? "link" : load.get("engine") ? "engine" : "device";
}

static double getPredictedSeconds(const json::Object &load) {
  return load.getNumber("predicted_seconds").value_or(0);
}

/// A rate that the largest predicted load does not allow says that this was
/// predicted wrongly.
static void printExcess(const json::Object &requests, double ratio,
                        raw_ostream &os) {
  constexpr double kTolerance = 1.05;
  const json::Object *largest = nullptr;
  if (const json::Array *loads = requests.getArray("loads"))
    for (const json::Value &value : *loads)
      if (const json::Object *load = value.getAsObject();
          load && (!largest ||
                   getPredictedSeconds(*load) > getPredictedSeconds(*largest)))
        largest = load;
  if (ratio > kTolerance && largest)
    os << formatv("above what was held possible: {0} takes less than the "
                  "predicted {1:f3} us for one request; measure the machine "
                  "with hetero-probe, or correct the topology\n",
                  text(*largest, getLoadKind(*largest)),
                  getPredictedSeconds(*largest) * 1e6);
}

/// Requests that were under way together, and what was predicted of them.
static void printRequests(const json::Object &requests, raw_ostream &os) {
  double rate = requests.getNumber("per_second").value_or(0);
  os << formatv("requests: {0}, {1} at once, {2:f3} us, the first after "
                "{3:f3} us\n",
                number(requests, "count"), number(requests, "in_flight"),
                requests.getNumber("seconds").value_or(0) * 1e6,
                requests.getNumber("first_seconds").value_or(0) * 1e6);
  os << formatv("rate: {0:f1} per second", rate);
  double predicted = requests.getNumber("predicted_per_second").value_or(0);
  if (predicted != 0)
    os << formatv(", {0:f3} of the predicted {1:f1}", rate / predicted,
                  predicted);
  os << "\n";
  if (predicted != 0)
    printExcess(requests, rate / predicted, os);
  if (int64_t waits = number(requests, "waits_for_memory"))
    os << "waits for the memory of other requests: " << waits << "\n";
  if (requests.getBoolean("ordered_by_state").value_or(false))
    os << "one after the other, because the program keeps state\n";
}

static void printLoads(const json::Array &loads, raw_ostream &os) {
  if (loads.empty())
    return;
  Table table;
  table.addRow({"for one request", "predicted", "busy"});
  for (const json::Value &value : loads)
    if (const json::Object *load = value.getAsObject()) {
      double seconds = getPredictedSeconds(*load);
      std::optional<double> busy = load->getNumber("busy");
      table.addRow({text(*load, getLoadKind(*load)),
                    formatv("{0:f3} us", seconds * 1e6),
                    busy ? formatv("{0:f1} %", *busy * 100).str() : "?"});
    }
  table.print(os);
}

bool mlir::hetero::printRequestReport(StringRef text, raw_ostream &os) {
  Expected<json::Value> parsed = json::parse(text);
  if (!parsed) {
    consumeError(parsed.takeError());
    return false;
  }
  const json::Object *report = parsed->getAsObject();
  const json::Object *requests =
      report ? report->getObject("requests") : nullptr;
  if (requests)
    printRequests(*requests, os);
  return requests != nullptr;
}

bool mlir::hetero::printReport(StringRef text, raw_ostream &os) {
  Expected<json::Value> parsed = json::parse(text);
  if (!parsed) {
    consumeError(parsed.takeError());
    return false;
  }
  const json::Object *report = parsed->getAsObject();
  if (!report)
    return false;
  printCopies(arrayOf(*report, "copies"), os);
  printResident(arrayOf(*report, "resident"), os);
  printDevices(arrayOf(*report, "devices"), os);
  printLinks(arrayOf(*report, "copies"), os);
  printActivity(arrayOf(*report, "devices"), os);
  printFallbacks(arrayOf(*report, "fallbacks"), os);
  printLibraries(arrayOf(*report, "libraries"), os);
  if (const json::Object *requests = report->getObject("requests"))
    printLoads(arrayOf(*requests, "loads"), os);
  return true;
}

//===----------------------------------------------------------------------===//
// Operations of the source
//===----------------------------------------------------------------------===//

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
    stable_sort(times, [](const NodeTime &a, const NodeTime &b) {
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
  Expected<json::Value> parsed = json::parse(report);
  if (!parsed) {
    consumeError(parsed.takeError());
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
  return formatv("{0:f1} us", seconds * 1e6);
}

void mlir::hetero::printNodeTimes(ArrayRef<NodeTime> times, raw_ostream &os) {
  double all = 0;
  for (const NodeTime &time : times)
    all += time.seconds;
  Table table;
  table.addRow({"time", "share", "pieces", "device", "operations"});
  for (const NodeTime &time : times)
    table.addRow({inMicroseconds(time.seconds),
                  formatv("{0:f1} %", all > 0 ? time.seconds / all * 100 : 0),
                  formatv("{0}", time.executions), time.device,
                  time.nodes.empty() ? "(all of " + time.work + ")"
                                     : join(time.nodes, ", ")});
  os << "a call by operations of the source, " << inMicroseconds(all)
     << " in all:\n";
  table.print(os);
}
