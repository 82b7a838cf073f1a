//===- PrintPriced.cpp - A problem and its solution as JSON ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/Export/PrintPriced.h"

#include "hetero/Support/JSONColumns.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// An object that is one table.
template <typename Rows> class TablePrinter {
public:
  TablePrinter(llvm::json::OStream &json, StringRef key, const Rows &rows)
      : json(json), rows(rows) {
    json.attributeBegin(key);
    json.objectBegin();
    json.attribute("count", int64_t(rows.size()));
  }
  ~TablePrinter() {
    json.objectEnd();
    json.attributeEnd();
  }

  template <typename Getter> void column(StringRef key, Getter get) {
    printColumn(json, key, rows.size(),
                [&](size_t row) { return int64_t(get(rows[row])); });
  }

private:
  llvm::json::OStream &json;
  const Rows &rows;
};
} // namespace

/// All digits that tell a frequency from any other one.
static void printFrequencies(llvm::json::OStream &json,
                             ArrayRef<ProblemBlock> blocks) {
  json.attributeBegin("frequency");
  json.rawValue([&](llvm::raw_ostream &os) {
    os << '[';
    llvm::interleave(
        blocks, os,
        [&](const ProblemBlock &block) {
          os << llvm::format("%.17g", block.frequency);
        },
        ",");
    os << ']';
  });
  json.attributeEnd();
}

static void printMachine(llvm::json::OStream &json,
                         const PlacementProblem &problem) {
  json.attributeArray("devices", [&] {
    for (const std::string &device : problem.devices)
      json.value(device);
  });
  auto print = [&](StringRef key, const auto &values, bool hasNulls) {
    printColumn(
        json, key, values.size(),
        [&](size_t index) { return int64_t(values[index]); }, hasNulls);
  };
  print("capacities", problem.capacities, true);
  print("unified", problem.unified, false);
  print("next", problem.next, false);
  print("overlaps", problem.overlaps, false);
  print("sizes", problem.sizes, false);
  print("transfer", problem.transfers, true);
  json.attributeObject("blocks", [&] {
    printColumn(json, "parent", problem.blocks.size(),
                [&](size_t block) { return problem.blocks[block].parent; });
    printFrequencies(json, problem.blocks);
  });
  print("times", problem.times, true);
  json.attributeArray("sets", [&] {
    for (ArrayRef<DeviceIndex> set : problem.sets)
      json.array([&] {
        for (DeviceIndex device : set)
          json.value(device);
      });
  });
}

static void printNodes(llvm::json::OStream &json,
                       const PlacementProblem &problem) {
  int64_t numDevices = problem.devices.size();
  TablePrinter table(json, "nodes", problem.nodes);
  table.column("kind", [](const ProblemNode &node) { return node.kind; });
  table.column("block", [](const ProblemNode &node) { return node.block; });
  table.column("times", [&](const ProblemNode &node) {
    return node.times < 0 ? -1 : node.times / numDevices;
  });
  table.column("allowed", [](const ProblemNode &node) { return node.allowed; });
  table.column("open", [](const ProblemNode &node) { return node.isOpen; });
  table.column("replicable",
               [](const ProblemNode &node) { return node.isReplicable; });
  table.column("mayRepeat",
               [](const ProblemNode &node) { return node.mayRepeat; });
  table.column("repeatable",
               [](const ProblemNode &node) { return node.isRepeatable; });
  table.column("group", [](const ProblemNode &node) { return node.group; });
}

static void printValues(llvm::json::OStream &json,
                        const PlacementProblem &problem) {
  TablePrinter table(json, "values", problem.values);
  table.column("producer", [](const ProblemValue &v) { return v.producer; });
  table.column("device", [](const ProblemValue &v) { return v.device; });
  table.column("block", [](const ProblemValue &v) { return v.block; });
  table.column("size", [](const ProblemValue &v) { return v.size; });
}

static void printUses(llvm::json::OStream &json,
                      const PlacementProblem &problem) {
  {
    TablePrinter table(json, "reads", problem.reads);
    table.column("node", [](const ProblemRead &read) { return read.node; });
    table.column("value", [](const ProblemRead &read) { return read.value; });
    table.column("block", [](const ProblemRead &read) { return read.block; });
  }
  {
    TablePrinter table(json, "fixed", problem.uses);
    table.column("value", [](const ProblemUse &use) { return use.value; });
    table.column("device", [](const ProblemUse &use) { return use.device; });
    table.column("block", [](const ProblemUse &use) { return use.block; });
  }
  TablePrinter table(json, "partial", problem.parts);
  table.column("value", [](const ProblemPart &part) { return part.value; });
  table.column("block", [](const ProblemPart &part) { return part.block; });
  table.column("size", [](const ProblemPart &part) { return part.size; });
}

void mlir::hetero::printProblem(llvm::json::OStream &json,
                                const PlacementProblem &problem) {
  printMachine(json, problem);
  printNodes(json, problem);
  printValues(json, problem);
  printUses(json, problem);
  json.attributeObject("copySources", [&] {
    printColumn(json, "node", problem.copies.size(),
                [&](size_t i) { return problem.copies[i].first; });
    printColumn(json, "value", problem.copies.size(),
                [&](size_t i) { return problem.copies[i].second; });
  });
}

static void printTraffic(llvm::json::OStream &json,
                         const PlacementPrice &price) {
  json.attributeArray("links", [&] {
    for (const auto &entry : price.links)
      json.object([&] {
        printNumber(json, "from", entry.first.first);
        printNumber(json, "to", entry.first.second);
        printNumber(json, "copies", entry.second.copies);
        printNumber(json, "bytes", entry.second.bytes);
        printNumber(json, "time", entry.second.time);
      });
  });
  json.attributeArray("loads", [&] {
    for (const DeviceLoad &load : price.devices)
      json.object([&] {
        printNumber(json, "ops", load.ops);
        printNumber(json, "time", load.time);
        printNumber(json, "memory", load.memory);
      });
  });
}

static void printSites(llvm::json::OStream &json, ArrayRef<PricedSite> sites) {
  TablePrinter table(json, "sites", sites);
  table.column("value", [](const PricedSite &site) { return site.value; });
  table.column("from", [](const PricedSite &site) { return site.from; });
  table.column("to", [](const PricedSite &site) { return site.to; });
  table.column("block", [](const PricedSite &site) { return site.block; });
  table.column("bytes", [](const PricedSite &site) { return site.bytes; });
  table.column("time", [](const PricedSite &site) { return site.time; });
  table.column("partial", [](const PricedSite &site) { return site.isPart; });
}

void mlir::hetero::printStreams(llvm::json::OStream &json,
                                ArrayRef<StreamedConstants> streams) {
  struct Row {
    unsigned read;
    DeviceIndex from, to;
  };
  SmallVector<Row, 0> rows;
  for (const StreamedConstants &stream : streams)
    for (unsigned read : stream.reads)
      rows.push_back({read, stream.from, stream.to});
  TablePrinter table(json, "streamed", rows);
  table.column("read", [](const Row &row) { return row.read; });
  table.column("from", [](const Row &row) { return row.from; });
  table.column("to", [](const Row &row) { return row.to; });
}

void mlir::hetero::printSolution(llvm::json::OStream &json,
                                 const PricedSolution &solution) {
  const PlacementPrice &price = solution.price;
  printColumn(json, "device", solution.devices.size(),
              [&](size_t node) { return solution.devices[node]; });
  printColumn(json, "replicated", solution.replicated.size(),
              [&](size_t node) { return solution.replicated[node]; });
  printNumber(json, "cost", price.cost);
  printNumber(json, "lowerBound", price.lowerBound);
  json.attribute("optimal", price.isOptimal);
  printNumber(json, "copies", price.copies);
  printTraffic(json, price);
  printStreams(json, price.streams);
  printSites(json, solution.sites);
}

static void printSpans(llvm::json::OStream &json, StringRef key,
                       ArrayRef<ProblemSpan> spans) {
  TablePrinter table(json, key, spans);
  table.column("first", [](const ProblemSpan &span) { return span.first; });
  table.column("last", [](const ProblemSpan &span) { return span.last; });
}

static void printMemoryOfValues(llvm::json::OStream &json,
                                const ProblemMemory &memory) {
  using Value = ProblemMemory::Value;
  TablePrinter table(json, "values", memory.values);
  table.column("viewed", [](const Value &value) { return value.viewed; });
  table.column("overwritten",
               [](const Value &value) { return value.overwritten; });
  table.column("constant", [](const Value &value) { return value.constant; });
  table.column("argument", [](const Value &value) { return value.isArgument; });
  table.column("call", [](const Value &value) { return value.call; });
  table.column("at", [](const Value &value) { return value.at; });
}

static void printOrder(llvm::json::OStream &json, const ProblemMemory &memory) {
  {
    using Block = ProblemMemory::Block;
    TablePrinter table(json, "blocks", memory.blocks);
    table.column("first", [](const Block &block) { return block.first; });
    table.column("function", [](const Block &block) { return block.function; });
  }
  {
    using Function = ProblemMemory::Function;
    TablePrinter table(json, "functions", memory.functions);
    table.column("first", [](const Function &f) { return f.span.first; });
    table.column("last", [](const Function &f) { return f.span.last; });
    table.column("root", [](const Function &f) { return f.isRoot; });
  }
  using Call = ProblemMemory::Call;
  TablePrinter table(json, "calls", memory.calls);
  table.column("function", [](const Call &call) { return call.function; });
  table.column("node", [](const Call &call) { return call.node; });
  table.column("callee", [](const Call &call) { return call.callee; });
}

void mlir::hetero::printMemory(llvm::json::OStream &json,
                               const PlacementProblem &problem) {
  const ProblemMemory &memory = problem.memory;
  printMemoryOfValues(json, memory);
  json.attributeObject("reads", [&] {
    auto print = [&](StringRef key, int64_t ProblemSpan::*member) {
      printColumn(json, key, memory.reads.size(), [&](size_t read) {
        return memory.reads[read].*member - int64_t(problem.reads[read].node);
      });
    };
    print("first", &ProblemSpan::first);
    print("last", &ProblemSpan::last);
  });
  printSpans(json, "fixed", memory.uses);
  printSpans(json, "partial", memory.parts);
  {
    using Carrier = ProblemMemory::Carrier;
    TablePrinter table(json, "carriers", memory.carriers);
    table.column("node", [](const Carrier &c) { return c.node; });
    table.column("first", [](const Carrier &c) { return c.span.first; });
    table.column("last", [](const Carrier &c) { return c.span.last; });
  }
  {
    using State = ProblemMemory::State;
    TablePrinter table(json, "states", memory.states);
    table.column("node", [](const State &state) { return state.node; });
    table.column("bytes", [](const State &state) { return state.bytes; });
  }
  printOrder(json, memory);
  auto print = [&](StringRef key, ArrayRef<unsigned> numbers) {
    printColumn(json, key, numbers.size(),
                [&](size_t i) { return numbers[i]; });
  };
  print("blockCarriers", memory.blockCarriers);
  print("order", memory.order);
}
