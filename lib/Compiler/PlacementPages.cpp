//===- PlacementPages.cpp - Pages of what was compiled and run ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/PlacementPages.h"

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Target/HtmlView.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::hetero;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Passes whose remarks are about operations and where they stand.
static constexpr llvm::StringLiteral kRemarked =
    "hetero-(place|annotate|check-support)";

/// The module after place, and what is said on the way there. Errors are
/// reported.
static OwningOpRef<ModuleOp> place(Compilation &compilation,
                                   std::vector<PageMessage> &messages) {
  MLIRContext &context = *compilation.getSource().getContext();
  bool isHeard = context.getRemarkEngine() != nullptr;
  if (!isHeard)
    (void)remark::enableOptimizationRemarks(
        context, nullptr, std::make_unique<remark::RemarkEmittingPolicyAll>(),
        {kRemarked.str(), {}, {}, {}, {}}, /*printAsEmitRemarks=*/true);
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        return failure();
      messages.push_back({diagnostic.getLocation(), diagnostic.getSeverity(),
                          diagnostic.str()});
      return success();
    });
    module = compilation.runUntil(Phase::Placed, /*isQuiet=*/false);
  }
  if (!isHeard)
    context.setRemarkEngine(nullptr);
  return module;
}

/// The operations that rules are for, before passes make others of them.
static std::vector<PageOperation> readAnnotated(Compilation &compilation) {
  std::vector<PageOperation> operations;
  OwningOpRef<ModuleOp> module =
      compilation.runUntil(Phase::Annotated, /*isQuiet=*/true);
  if (module)
    walkPlacedOperations(*module, [&](Operation *op) {
      operations.push_back({op->getLoc(), op->getName().getStringRef().str()});
    });
  return operations;
}

//===----------------------------------------------------------------------===//
// Timelines
//===----------------------------------------------------------------------===//

namespace {
/// Reads a trace.
class TimelineReader {
public:
  TimelineReader(llvm::ArrayRef<RegionDescription> regions, unsigned calls)
      : regions(regions), calls(calls), nanoseconds(regions.size(), 0) {}

  /// Nothing where it is no trace, or an empty one.
  std::optional<PageTimeline> read(llvm::StringRef trace);

private:
  void addName(const json::Object &event);
  void addSpan(const json::Object &event);
  void addLevel(const json::Object &event);
  void divide(const RegionDescription &region, double picoseconds);
  unsigned getLane(const json::Object &event);

  llvm::ArrayRef<RegionDescription> regions;
  unsigned calls;
  PageTimeline timeline;
  /// By region: what all calls took.
  std::vector<double> nanoseconds;
  /// By process, and by process and thread.
  std::map<int64_t, std::string> processes;
  std::map<std::pair<int64_t, int64_t>, std::string> threads;
  std::map<std::pair<int64_t, int64_t>, unsigned> lanes;
};
} // namespace

static std::pair<int64_t, int64_t> getRow(const json::Object &event) {
  return {event.getInteger("pid").value_or(0),
          event.getInteger("tid").value_or(0)};
}

void TimelineReader::addName(const json::Object &event) {
  const json::Object *arguments = event.getObject("args");
  if (!arguments)
    return;
  std::string name = arguments->getString("name").value_or("").str();
  if (event.getString("name") == "process_name")
    processes[getRow(event).first] = name;
  else
    threads[getRow(event)] = name;
}

unsigned TimelineReader::getLane(const json::Object &event) {
  auto row = getRow(event);
  auto [it, isNew] = lanes.try_emplace(row, timeline.lanes.size());
  if (isNew)
    timeline.lanes.push_back(processes[row.first] + ", " + threads[row]);
  return it->second;
}

/// The operation that a kernel's name tells, else that which takes the longest.
static std::optional<PageOperation>
findOperation(const RegionDescription &region, llvm::StringRef kernel) {
  const RegionOperation *best = nullptr;
  bool isBestNamed = false;
  for (const RegionOperation &operation : region.operations) {
    llvm::StringRef name = llvm::StringRef(operation.op).rsplit('.').second;
    bool isNamed = kernel.ends_with(("_" + name).str());
    if (!best || isNamed > isBestNamed ||
        (isNamed == isBestNamed && operation.share > best->share)) {
      best = &operation;
      isBestNamed = isNamed;
    }
  }
  return best ? std::optional(PageOperation{best->loc, best->op})
              : std::nullopt;
}

static int64_t getNanoseconds(const json::Object &event, llvm::StringRef key) {
  return std::llround(event.getNumber(key).value_or(0) * 1000);
}

void TimelineReader::addSpan(const json::Object &event) {
  PageEvent result{getLane(event), getNanoseconds(event, "ts"),
                   getNanoseconds(event, "dur"),
                   event.getString("name").value_or("").str()};
  llvm::StringRef kind = event.getString("cat").value_or("");
  if (const json::Object *arguments = event.getObject("args"))
    result.bytes = arguments->getInteger("bytes").value_or(-1);
  // A part of a region has its operations after the region's name.
  llvm::StringRef work = llvm::StringRef(result.name).split(": ").first;
  if (kind == "kernel" || kind == "region")
    if (int64_t region = findRegion(regions, work, kind == "kernel");
        region >= 0) {
      nanoseconds[region] += result.length;
      result.operation = findOperation(regions[region], result.name);
    }
  timeline.events.push_back(std::move(result));
}

void TimelineReader::addLevel(const json::Object &event) {
  const json::Object *arguments = event.getObject("args");
  if (event.getString("name") != "memory" || !arguments)
    return;
  timeline.memory[processes[getRow(event).first]].push_back(
      {getNanoseconds(event, "ts"),
       arguments->getInteger("bytes").value_or(0)});
}

/// The time of a region is its operations', in the parts that the cost model
/// has.
void TimelineReader::divide(const RegionDescription &region,
                            double picoseconds) {
  for (const RegionOperation &operation : region.operations)
    timeline.measured.push_back({{operation.loc, operation.op},
                                 int64_t(picoseconds * operation.share)});
}

std::optional<PageTimeline> TimelineReader::read(llvm::StringRef trace) {
  llvm::Expected<json::Value> parsed = json::parse(trace);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const json::Object *root = parsed->getAsObject();
  const json::Array *events = root ? root->getArray("traceEvents") : nullptr;
  if (!events)
    return std::nullopt;
  auto visit = [&](llvm::StringRef phase, auto add) {
    for (const json::Value &value : *events)
      if (const json::Object *event = value.getAsObject())
        if (event->getString("ph") == phase)
          (this->*add)(*event);
  };
  visit("M", &TimelineReader::addName);
  visit("X", &TimelineReader::addSpan);
  visit("C", &TimelineReader::addLevel);
  if (timeline.events.empty())
    return std::nullopt;
  for (auto [region, time] : llvm::zip(regions, nanoseconds))
    if (time > 0)
      divide(region, 1000 * time / calls);
  return std::move(timeline);
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

LogicalResult
mlir::hetero::printPlacementPage(Compilation &compilation,
                                 llvm::StringRef title,
                                 const std::optional<RunRecord> &run,
                                 Compilation *against, llvm::raw_ostream &os) {
  PageContents contents;
  OwningOpRef<ModuleOp> placed = place(compilation, contents.messages);
  if (!placed)
    return failure();
  std::optional<Profile> profile;
  if (failed(loadProfileOption(compilation.getOptions().profile,
                               placed->getLoc(), profile)))
    return failure();
  contents.profile = profile ? &*profile : nullptr;
  contents.title = title.str();
  contents.annotated = readAnnotated(compilation);
  if (run) {
    std::optional<ProgramParts> parts = compilation.describeParts();
    contents.timeline =
        TimelineReader(parts ? llvm::ArrayRef(parts->regions)
                             : llvm::ArrayRef<RegionDescription>(),
                       run->calls)
            .read(run->trace);
  }
  OwningOpRef<ModuleOp> other;
  if (against) {
    other = against->runUntil(Phase::Placed, /*isQuiet=*/false);
    if (!other)
      return failure();
    contents.against = *other;
  }
  return printPlacementPage(*placed, contents, os);
}
