//===- MarkdownReport.cpp - A report for people who read ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/MarkdownReport.h"

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Analysis/Placement/Explain/PayingChanges.h"
#include "hetero/Analysis/Placement/Explain/PlacementExplanation.h"
#include "hetero/Analysis/Placement/Export/ExportedPlacement.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Transforms/Placement/AssumedSizes.h"
#include "hetero/Transforms/Placement/ValueNames.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::hetero;

/// Rows of the tables of what is dearest.
static constexpr size_t kMostRows = 10;
/// Of larger programs it is not asked what would have to change: each question
/// places the program some thirty times.
static constexpr size_t kMostAsked = 20000;

namespace {
/// Prints one report.
class ReportPrinter {
public:
  ReportPrinter(ModuleOp module, const ExportedPlacement &placement,
                Profile *profile, llvm::raw_ostream &os)
      : module(module), topology(getTopology(module, profile)),
        placement(placement), price(placement.solution.price), os(os),
        explained(explainPlacement(module, topology, profile)) {}

  void run(llvm::StringRef title);

private:
  void printCost();
  void printDevices();
  void printLinks();
  void printOperations();
  void printCopies();
  void printChanges();
  void printChange(const PayingChange &change);
  void printNearest();
  void printRow(ArrayRef<std::string> cells);
  void printTable(ArrayRef<std::string> head);
  std::string getDevice(DeviceIndex device) const {
    return placement.problem.devices[device];
  }
  std::string getValue(unsigned value) const;

  ModuleOp module;
  Topology topology;
  const ExportedPlacement &placement;
  const PlacementPrice &price;
  llvm::raw_ostream &os;
  /// In the order of the program.
  FailureOr<SmallVector<OperationExplanation, 0>> explained;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void ReportPrinter::printRow(ArrayRef<std::string> cells) {
  os << "|";
  for (const std::string &cell : cells) {
    os << " ";
    for (char c : cell) {
      if (c == '|')
        os << '\\';
      os << (c == '\n' ? ' ' : c);
    }
    os << " |";
  }
  os << "\n";
}

/// The head of a table whose last columns are numbers.
void ReportPrinter::printTable(ArrayRef<std::string> head) {
  os << "\n";
  printRow(head);
  printRow(std::vector<std::string>(head.size(), "---"));
}

static std::string getPercent(int64_t part, int64_t whole) {
  double percent = whole == 0 ? 0 : 100.0 * double(part) / double(whole);
  return llvm::formatv("{0:f1} %", percent).str();
}

/// "linalg.matmul at model.mlir:3:8".
static std::string getName(Operation *op) {
  std::string where = describeLocation(op->getLoc());
  std::string name = "`" + op->getName().getStringRef().str() + "`";
  return where.empty() ? name : name + " at " + where;
}

std::string ReportPrinter::getValue(unsigned value) const {
  int64_t producer = placement.problem.values[value].producer;
  if (producer >= 0) {
    Operation *op = placement.operations[producer];
    return op ? getName(op) : "a value that control flow carries";
  }
  unsigned number = 0;
  for (auto function : ModuleOp(module).getOps<FunctionOpInterface>())
    for (Value argument : function.getArguments())
      if (!function.isExternal() && isa<TensorType>(argument.getType()))
        if (number < placement.arguments.size() &&
            placement.arguments[number++] == value)
          return getValueName(argument);
  return "a value of the host";
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

void ReportPrinter::printCost() {
  os << "\nBy the cost model one call takes " << describeTime(price.cost)
     << ", of which " << price.copies << " copies take ";
  int64_t copies = 0;
  for (const auto &[ends, link] : price.links)
    copies = addTimes(copies, link.time);
  os << describeTime(copies) << ". ";
  if (price.isOptimal)
    os << "No placement that keeps the annotations costs less.\n";
  else
    os << "No placement that keeps the annotations costs less than "
       << describeTime(price.lowerBound) << ", "
       << getPercent(price.cost - price.lowerBound, price.cost) << " below.\n";
  for (const AssumedShape &assumed : listAssumedShapes(module)) {
    os << "The shape of " << assumed.argument << " was assumed to be [";
    llvm::interleaveComma(assumed.shape, os);
    os << "].\n";
  }
}

void ReportPrinter::printDevices() {
  os << "\n## Devices\n";
  printTable({"device", "operations", "time", "share", "memory", "capacity"});
  for (auto [index, load] : llvm::enumerate(price.devices)) {
    std::optional<int64_t> capacity = topology.getCapacity(index);
    printRow({getDevice(index), std::to_string(load.ops),
              describeTime(load.time), getPercent(load.time, price.cost),
              std::to_string(load.memory) + " bytes",
              capacity ? std::to_string(*capacity) + " bytes" : "not limited"});
  }
}

void ReportPrinter::printLinks() {
  if (price.copies == 0)
    return;
  os << "\n## Links\n";
  printTable({"from", "to", "copies", "bytes", "time", "share"});
  for (const auto &[ends, link] : price.links)
    printRow({getDevice(ends.first), getDevice(ends.second),
              std::to_string(link.copies), std::to_string(link.bytes),
              describeTime(link.time), getPercent(link.time, price.cost)});
}

void ReportPrinter::printOperations() {
  if (failed(explained))
    return;
  SmallVector<OperationExplanation, 0> explanations = *explained;
  llvm::stable_sort(explanations, [](const auto &a, const auto &b) {
    return a.time > b.time;
  });
  os << "\n## The dearest operations\n";
  printTable({"operation", "device", "time", "share", "why"});
  for (const OperationExplanation &entry :
       ArrayRef(explanations).take_front(kMostRows))
    if (entry.time != 0)
      printRow({getName(entry.op), entry.device.str(), describeTime(entry.time),
                getPercent(entry.time, price.cost), describe(entry)});
}

void ReportPrinter::printCopies() {
  SmallVector<PricedSite, 0> sites = placement.solution.sites;
  if (sites.empty())
    return;
  llvm::stable_sort(sites, [](const PricedSite &a, const PricedSite &b) {
    return a.time > b.time;
  });
  os << "\n## The dearest copies\n";
  printTable({"value", "from", "to", "bytes", "time", "share"});
  for (const PricedSite &site : ArrayRef(sites).take_front(kMostRows))
    printRow({getValue(site.value), getDevice(site.from), getDevice(site.to),
              std::to_string(site.bytes), describeTime(site.time),
              getPercent(site.time, price.cost)});
}

void ReportPrinter::printChange(const PayingChange &change) {
  std::string device = "`" + getDevice(change.device) + "`";
  StringRef part = change.part == MachinePart::Device  ? " itself"
                   : change.part == MachinePart::Links ? "'s links"
                                                       : " and its links";
  if (!change.factor)
    os << "* " << device << part << ": not even " << int(kMostPaying)
       << " times as fast.\n";
  else if (*change.factor == 1)
    os << "* " << device << " pays as it is: " << change.ops
       << " operations are there at the least cost.\n";
  else
    os << "* " << device << part << ": "
       << llvm::formatv("{0:f2}", *change.factor)
       << " times as fast, for the first " << change.ops << " operations.\n";
}

void ReportPrinter::printChanges() {
  if (topology.size() == 1)
    return;
  os << "\n## What would have to change\n\n";
  if (placement.operations.size() > kMostAsked) {
    os << "Not asked for more than " << kMostAsked << " operations.\n";
    return;
  }
  os << "For cost to place something on a device, besides what annotations "
        "and rules do, it would have to be so many times as fast:\n\n";
  BlockTree tree(module);
  for (const PayingChange &change : findPayingChanges(module, topology, tree))
    printChange(change);
  printNearest();
}

/// Operations of the host that would be on another device at the least cost
/// more.
void ReportPrinter::printNearest() {
  if (failed(explained))
    return;
  SmallVector<OperationExplanation, 0> explanations = *explained;
  llvm::erase_if(explanations, [](const OperationExplanation &entry) {
    return !entry.alternative || !entry.device.isHost() ||
           entry.alternative->getTotal() <= 0 ||
           !entry.origin.getValue().starts_with("cost");
  });
  if (explanations.empty())
    return;
  llvm::stable_sort(explanations, [](const auto &a, const auto &b) {
    return a.alternative->getTotal() < b.alternative->getTotal();
  });
  os << "\nOperations of the host that are nearest to another device, each "
        "moved alone:\n";
  printTable(
      {"operation", "to", "takes there", "would have to take", "copies"});
  for (const OperationExplanation &entry :
       ArrayRef(explanations).take_front(kMostRows)) {
    const PlacementAlternative &other = *entry.alternative;
    int64_t there = addTimes(entry.time, other.compute);
    int64_t needed = there - other.getTotal();
    printRow({getName(entry.op), other.device.str(), describeTime(there),
              needed > 0 ? describeTime(needed)
                         : "no time: its copies cost more than it",
              describeTime(other.copies)});
  }
}

void ReportPrinter::run(llvm::StringRef title) {
  os << "# Where " << title << " runs\n";
  printCost();
  printDevices();
  printLinks();
  printOperations();
  printCopies();
  printChanges();
}

LogicalResult mlir::hetero::printMarkdownReport(Compilation &compilation,
                                                llvm::StringRef title,
                                                llvm::raw_ostream &os) {
  OwningOpRef<ModuleOp> placed =
      compilation.runUntil(Phase::Placed, /*isQuiet=*/true);
  if (!placed)
    return failure();
  std::optional<Profile> profile;
  if (failed(loadProfileOption(compilation.getOptions().profile,
                               placed->getLoc(), profile)))
    return failure();
  Profile *times = profile ? &*profile : nullptr;
  FailureOr<ExportedPlacement> placement = exportPlacement(*placed, times);
  if (failed(placement))
    return failure();
  ReportPrinter(*placed, *placement, times, os).run(title);
  return success();
}
