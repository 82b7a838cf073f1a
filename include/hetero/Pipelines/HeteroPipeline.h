//===- HeteroPipeline.h - The whole sequence of phases ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_PIPELINES_HETEROPIPELINE_H
#define HETERO_PIPELINES_HETEROPIPELINE_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Transforms/AssumedCount.h"
#include "hetero/Transforms/OptionChoices.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;

namespace hetero {

/// The phases that a pipeline may end with.
template <> llvm::ArrayRef<Choice<Phase>> getChoices();

/// Who answers calls where a device is missing.
enum class Fallback { None, Host };
template <> llvm::ArrayRef<Choice<Fallback>> getChoices();

/// Options of `--hetero-pipeline`.
struct HeteroPipelineOptions
    : public PassPipelineOptions<HeteroPipelineOptions> {
  template <typename T> using ChoiceOption = Option<T, ChoiceParser<T>>;

  Option<std::string> schedule{
      *this, "schedule", llvm::cl::value_desc("file"),
      llvm::cl::desc("File with a transform dialect schedule to run first; "
                     "default: the one in the module, if there is one")};
  Option<std::string> rules{
      *this, "rules", llvm::cl::value_desc("file or YAML"),
      llvm::cl::desc("The rules file (YAML), or the rules themselves")};
  Option<std::string> topology{
      *this, "topology", llvm::cl::value_desc("file"),
      llvm::cl::desc("File with a #hetero.topology, or its text, for a module "
                     "without")};
  Option<std::string> chip{
      *this, "chip", llvm::cl::value_desc("name"),
      llvm::cl::desc(
          "NVIDIA architecture of all kernels; default: of each device its "
          "own in the topology, or sm_80")};
  ChoiceOption<Fallback> fallback{
      *this,
      "fallback",
      llvm::cl::value_desc("device"),
      llvm::cl::desc("Who answers calls where a device is missing"),
      llvm::cl::init(Fallback::None),
      ChoicesOf<Fallback>()};
  Option<bool> allowTF32{
      *this, "allow-tf32",
      llvm::cl::desc("Round factors of f32 to tf32 on tensor cores where no "
                     "attribute says whether that may be done"),
      llvm::cl::init(false)};
  ChoiceOption<PlacementStrategy> placement{
      *this,
      "placement",
      llvm::cl::value_desc("strategy"),
      llvm::cl::desc("How unannotated operations are placed"),
      llvm::cl::init(PlacementStrategy::Optimal),
      ChoicesOf<PlacementStrategy>()};
  ChoiceOption<PlacementObjective> objective{
      *this,
      "objective",
      llvm::cl::value_desc("name"),
      llvm::cl::desc("What placement by cost makes as small as it can"),
      llvm::cl::init(PlacementObjective::Sum),
      ChoicesOf<PlacementObjective>()};
  ChoiceOption<ConflictMode> conflict{
      *this,
      "conflict",
      llvm::cl::value_desc("mode"),
      llvm::cl::desc("What becomes of a value whose pinned users stand on "
                     "several devices"),
      llvm::cl::init(ConflictMode::Copy),
      ChoicesOf<ConflictMode>()};
  ChoiceOption<CopySite> copySite{*this,
                                  "copy-site",
                                  llvm::cl::value_desc("site"),
                                  llvm::cl::desc("Where copies stand"),
                                  llvm::cl::init(CopySite::Auto),
                                  ChoicesOf<CopySite>()};
  Option<std::string> defaultDevice{
      *this, "default", llvm::cl::value_desc("device"),
      llvm::cl::desc("Device of operations that nothing else places")};
  Option<std::string> profile{
      *this, "profile", llvm::cl::value_desc("file"),
      llvm::cl::desc("File with measured times that placement and the code "
                     "generator auto go by")};
  Option<AssumedCount> tripCount{
      *this, "trip-count", llvm::cl::value_desc("N"),
      llvm::cl::desc("What costs assume of loops whose trip count is not "
                     "static; auto: what the module says, or 10")};
  Option<AssumedCount> dynamicSize{
      *this, "dynamic-size", llvm::cl::value_desc("N"),
      llvm::cl::desc("What costs take a dynamic dimension to be of which "
                     "nothing is known; auto: what the module says, or by "
                     "what reads it")};
  Option<std::string> memoryBudget{
      *this, "memory-budget", llvm::cl::value_desc("device=size,..."),
      llvm::cl::desc("Most memory to use of devices, as gpu:0=4GiB: constants "
                     "that do not fit are streamed from the host; default: "
                     "what the topology gives the device")};
  Option<std::string> report{
      *this, "report", llvm::cl::value_desc("file"),
      llvm::cl::desc("Write the placement's JSON report to this file")};
  Option<std::string> targetPipelines{
      *this, "target-pipeline", llvm::cl::value_desc("options"),
      llvm::cl::desc("What to run on a device's regions: the options of "
                     "--hetero-target-pipeline, or several {...},{...}")};
  Option<std::string> processors{
      *this, "processors", llvm::cl::value_desc("names"),
      llvm::cl::desc(
          "Processors that host code is made for: names by commas "
          "(of x86-64: avx512bf16, avx512, avx2, baseline), all, or native"),
      llvm::cl::init("native")};
  Option<bool> boundsChecks{
      *this, "bounds-checks",
      llvm::cl::desc("Compare dynamic sizes and indices with those that there "
                     "are, and divisors with 0, which makes an error of an "
                     "access out of bounds and of a division by zero"),
      llvm::cl::init(true)};
  Option<bool> simplify{
      *this, "simplify",
      llvm::cl::desc("Simplify the program before it is placed"),
      llvm::cl::init(true)};
  Option<bool> markNodes{
      *this, "mark-nodes",
      llvm::cl::desc("Let the runtime measure the work of each operation of "
                     "the source, where it measures"),
      llvm::cl::init(false)};
  Option<bool> cubins{
      *this, "cubins",
      llvm::cl::desc("Assemble kernels where there is a ptxas, so that no "
                     "driver has to compile their PTX"),
      llvm::cl::init(true)};
  Option<std::string> entry{
      *this, "entry", llvm::cl::value_desc("name"),
      llvm::cl::desc("Public function to compile, with what it calls; default: "
                     "all of them, and of hetero-run the only one, or main")};
  Option<int64_t> node{
      *this, "node", llvm::cl::value_desc("number"),
      llvm::cl::desc("Make the program of this node, where the devices are on "
                     "several; -1: that of all, which only stops before code "
                     "is made"),
      llvm::cl::init(-1)};
  ChoiceOption<Phase> stopAfter{*this,
                                "stop-after",
                                llvm::cl::value_desc("phase"),
                                llvm::cl::desc("Stop after this phase"),
                                llvm::cl::init(Phase::LLVM),
                                ChoicesOf<Phase>()};

  /// Calls `visit` with each option, as the type that it has.
  template <typename Visitor> void visitOptions(Visitor &&visit) {
    visit(schedule);
    visit(rules);
    visit(topology);
    visit(chip);
    visit(fallback);
    visit(allowTF32);
    visit(placement);
    visit(objective);
    visit(conflict);
    visit(copySite);
    visit(defaultDevice);
    visit(profile);
    visit(tripCount);
    visit(dynamicSize);
    visit(memoryBudget);
    visit(report);
    visit(targetPipelines);
    visit(processors);
    visit(boundsChecks);
    visit(simplify);
    visit(markNodes);
    visit(cubins);
    visit(entry);
    visit(node);
    visit(stopAfter);
  }
};

/// Adds the phases to the pipeline, each followed by `--hetero-verify`. Options
/// of a target pipeline that it does not have are an error.
LogicalResult buildHeteroPipeline(
    OpPassManager &manager, const HeteroPipelineOptions &options,
    llvm::function_ref<LogicalResult(const llvm::Twine &)> emitError);

/// Registers `hetero-pipeline`.
void registerHeteroPipelines();

} // namespace hetero
} // namespace mlir

#endif // HETERO_PIPELINES_HETEROPIPELINE_H
