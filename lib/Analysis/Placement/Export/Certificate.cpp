//===- Certificate.cpp - A placement and its proof as a file --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last line is the SHA-256 of all before it. It says nothing about the
// proof; it tells a file that was changed, though it may still be right, from
// the one that the compiler wrote.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/Export/Certificate.h"

#include "Analysis/Placement/Graph/MergedGroups.h"
#include "Analysis/Placement/Price/LatencyTasks.h"
#include "Analysis/Placement/Solve/BuildProblem.h"
#include "Analysis/Placement/Solve/Latency/LatencyBound.h"
#include "Analysis/Placement/Solve/PlaceForThroughput.h"
#include "FlowProof.h"
#include "hetero/Analysis/Placement/Export/PrintPriced.h"
#include "hetero/Support/JSONColumns.h"
#include "hetero/Support/Solvers/LoadBound.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace mlir::hetero;

static StringRef getEndName(LoadProof::End end) {
  switch (end) {
  case LoadProof::End::None:
    return "none";
  case LoadProof::End::Work:
    return "work";
  case LoadProof::End::Item:
    return "item";
  case LoadProof::End::Pigeonhole:
    return "pigeonhole";
  }
  llvm_unreachable("all ends are handled");
}

namespace {
/// Prints a proof that is about a division of work.
class LoadProofPrinter {
public:
  LoadProofPrinter(llvm::json::OStream &json, const LoadModel &model)
      : json(json), model(model) {}

  void print(const LoadProof &proof);

private:
  template <typename Numbers>
  void printNumbers(StringRef key, const Numbers &numbers) {
    printColumn(json, key, numbers.size(),
                [&](size_t index) { return int64_t(numbers[index]); });
  }
  void printRound(const LoadProof::Round &round);

  llvm::json::OStream &json;
  const LoadModel &model;
};
} // namespace

void LoadProofPrinter::printRound(const LoadProof::Round &round) {
  SmallVector<int64_t, 0> values, blocks, items;
  for (LoadProof::Merge merge : round.merges) {
    values.push_back(model.getValue(merge.net));
    blocks.push_back(model.getBlock(merge.net));
    items.push_back(model.getNumber(merge.reader));
  }
  json.object([&] {
    printNumbers("weights", round.weights);
    printNumbers("values", values);
    printNumbers("blocks", blocks);
    printNumbers("items", items);
  });
}

void LoadProofPrinter::print(const LoadProof &proof) {
  printNumber(json, "bound", proof.target + 1);
  json.attribute("kind", "loads");
  json.attributeArray("rounds", [&] {
    for (const LoadProof::Round &round : proof.rounds)
      printRound(round);
  });
  json.attribute("end", getEndName(proof.end));
  printNumbers("weights", proof.weights);
  SmallVector<int64_t, 0> items;
  for (unsigned item : proof.items)
    items.push_back(model.getNumber(item));
  printNumbers("items", items);
  printNumbers("devices", proof.devices);
}

/// A proof of more than what is known anyway.
static void printLoadProof(llvm::json::OStream &json, const Assignment &decided,
                           const PlacementPrice &price, int64_t known = -1) {
  LoadModel model(decided);
  if (hasFewPlacements(model)) {
    printNumber(json, "bound", price.lowerBound);
    json.attribute("kind", "enumeration");
    return;
  }
  LoadProofPrinter(json, model)
      .print(boundLoads(model.getProblem(), price.cost, known));
}

static void printFlowProof(llvm::json::OStream &json,
                           const Assignment &decided) {
  FlowProof proof = findFlowProof(decided);
  printNumber(json, "bound", proof.bound);
  json.attribute("kind", "flow");
  printColumn(json, "flow", proof.flows.size(),
              [&](size_t edge) { return proof.flows[edge]; });
}

//===----------------------------------------------------------------------===//
// Latency
//===----------------------------------------------------------------------===//

/// What is scheduled together.
static void printSegments(llvm::json::OStream &json,
                          const ProgramSegments &segments,
                          const PlacementGraph &graph) {
  json.attributeObject("segments", [&] {
    printColumn(json, "node", graph.nodes.size(),
                [&](size_t node) { return int64_t(segments.getOfNode(node)); });
    printColumn(json, "value", graph.values.size(), [&](size_t value) {
      return int64_t(segments.getOfValue(value));
    });
    printColumn(json, "partial", graph.partialReads.size(),
                [&](size_t read) { return int64_t(segments.getOfPart(read)); });
  });
}

/// When each task starts, from the start of its segment, by the keys of tasks.
static void printStarts(llvm::json::OStream &json, const Assignment &decided,
                        const ProgramSegments &segments) {
  using Entry = std::pair<decltype(LatencyTask().getKey()), int64_t>;
  SmallVector<Entry, 0> starts;
  for (const LatencySegment &segment :
       collectTasks(decided, segments).segments) {
    EngineSchedule schedule = scheduleEngines(segment.work);
    for (auto [task, start] : llvm::zip_equal(segment.tasks, schedule.starts))
      starts.push_back({task.getKey(), start});
  }
  llvm::sort(starts);
  printColumn(json, "starts", starts.size(),
              [&](size_t task) { return starts[task].second; });
}

static void printLatencyProof(llvm::json::OStream &json,
                              const Assignment &decided,
                              const MergedGroups &merged,
                              const ProgramSegments &segments,
                              const PlacementPrice &price) {
  LatencyProof proof = proveLatency(decided, merged, segments, price.cost);
  if (proof.kind == LatencyProof::Kind::Loads)
    return printLoadProof(json, merged.merge(decided), price,
                          boundPath(decided, segments) - 1);
  printNumber(json, "bound", proof.bound);
  json.attribute(
      "kind", proof.kind == LatencyProof::Kind::Path ? "path" : "enumeration");
}

static void printBody(llvm::json::OStream &json,
                      const PlacementSolution &solution,
                      const PlacementPrice &price) {
  const Assignment &decided = solution.assignment;
  bool isLatency = price.objective == PlacementObjective::Latency;
  json.attribute("format", "hetero-certificate");
  json.attribute("version", 1);
  json.attribute("objective", getObjectiveName(price.objective));
  json.attributeObject(
      "problem", [&] { printProblem(json, buildProblem(decided.getGraph())); });
  ProgramSegments segments(decided.getGraph());
  if (isLatency)
    printSegments(json, segments, decided.getGraph());
  size_t numNodes = decided.getGraph().nodes.size();
  json.attributeObject("solution", [&] {
    printColumn(json, "device", numNodes,
                [&](size_t node) { return int64_t(decided.getDevice(node)); });
    printColumn(json, "replicated", numNodes,
                [&](size_t node) { return decided.isReplicated(node); });
    printNumber(json, "cost", price.cost);
    printStreams(json, solution.streams);
    if (isLatency)
      printStarts(json, decided, segments);
  });
  MergedGroups merged(decided.getGraph());
  json.attributeObject("proof", [&] {
    switch (price.objective) {
    case PlacementObjective::Sum:
      return printFlowProof(json, decided);
    case PlacementObjective::Latency:
      return printLatencyProof(json, decided, merged, segments, price);
    case PlacementObjective::Throughput:
      return printLoadProof(json, merged.merge(decided), price);
    }
  });
}

void mlir::hetero::printCertificate(const PlacementSolution &solution,
                                    const PlacementPrice &price,
                                    llvm::raw_ostream &stream) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] { printBody(json, solution, price); });
  // The digest takes the place of the brace at the end.
  text.pop_back();
  text += ",\n";
  auto hash = llvm::SHA256::hash(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  stream << text << "\"digest\": \"" << llvm::toHex(hash, /*LowerCase=*/true)
         << "\"}\n";
}
