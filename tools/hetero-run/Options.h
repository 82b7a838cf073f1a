//===- Options.h - The options of hetero-run --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_HETERO_RUN_OPTIONS_H
#define HETERO_TOOLS_HETERO_RUN_OPTIONS_H

#include "hetero/Runner/Nodes.h"
#include "hetero/Runner/Runner.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

namespace mlir::hetero {

/// How the tool calls itself.
inline constexpr llvm::StringLiteral kRunTool = "hetero-run";

struct Options {
  llvm::cl::opt<std::string> model{llvm::cl::Positional, llvm::cl::Required,
                                   llvm::cl::desc("<model.mlir>")};
  llvm::cl::list<std::string> inputs{
      "input",
      llvm::cl::desc("An argument: 5x7xf32=1.5, 3xi32=1,2,3, 5x7xf32=iota, "
                     "=random:SEED, =randint:SEED, i32=3, @FILE.npy"),
      llvm::cl::value_desc("value")};
  llvm::cl::opt<bool> randomInputs{
      "random-inputs",
      llvm::cl::desc("Make up all arguments; dynamic sizes are 1")};
  llvm::cl::list<std::string> outputs{
      "output",
      llvm::cl::desc("Write a result as .npy; repeat for the next result"),
      llvm::cl::value_desc("file")};
  llvm::cl::list<std::string> expected{
      "expected",
      llvm::cl::desc(
          "Compare a result, as --input; repeat for the next result"),
      llvm::cl::value_desc("value")};
  llvm::cl::list<std::string> loadState{
      "load-state",
      llvm::cl::desc("Set what the program keeps, NAME=VALUE with a value as "
                     "--input, before the first call"),
      llvm::cl::value_desc("name=value")};
  llvm::cl::list<std::string> saveState{
      "state",
      llvm::cl::desc(
          "Write what the program keeps, NAME=FILE, as .npy after the "
          "last call"),
      llvm::cl::value_desc("name=file")};
  llvm::cl::opt<double> rtol{
      "rtol", llvm::cl::init(-1),
      llvm::cl::desc("Relative difference that --expected allows")};
  llvm::cl::opt<double> atol{
      "atol", llvm::cl::init(-1),
      llvm::cl::desc("Absolute difference that --expected allows")};
  llvm::cl::opt<unsigned> time{
      "time", llvm::cl::init(0),
      llvm::cl::desc("Time this many calls after one to warm up")};
  llvm::cl::opt<std::string> requests{
      "requests",
      llvm::cl::desc(
          "Serve this many requests, several at once, and print their "
          "rate; inputs, outputs and expected results are those of one "
          "request, or of all, one after the other"),
      llvm::cl::value_desc("N")};
  llvm::cl::opt<std::string> inFlight{
      "in-flight",
      llvm::cl::desc(
          "How many requests are under way at once; default: as many as "
          "keep the busiest device or link busy and fit into memory"),
      llvm::cl::value_desc("K")};
  llvm::cl::opt<unsigned> printMax{
      "print-max", llvm::cl::init(1024),
      llvm::cl::desc("Print at most this many elements of a result")};
  llvm::cl::opt<bool> report{
      "report", llvm::cl::desc("Print copies, kernels, host regions, and "
                               "memory and waits of each device")};
  llvm::cl::opt<bool> reportNodes{
      "report-nodes",
      llvm::cl::desc(
          "Measure kernels and host regions, and print how long a call "
          "works for which operations of the source")};
  llvm::cl::opt<std::string> reportFile{
      "report-file",
      llvm::cl::desc("Write the report as JSON, or, to a name "
                     "that ends in .md, where everything "
                     "runs and what it costs, to read"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<std::string> profileFile{
      "write-profile",
      llvm::cl::desc(
          "Measure the kernels and host regions of --time calls, at least "
          "3, and write the times of their operations for --profile"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<unsigned> tune{
      "tune", llvm::cl::init(0),
      llvm::cl::desc(
          "Place, run, measure, and place again by what was measured, at "
          "most N times, and all of it on each device; then run what was "
          "the fastest. --report has the errors of the predictions, and "
          "--write-profile keeps what was measured"),
      llvm::cl::value_desc("N")};
  llvm::cl::opt<std::string> traceFile{
      "trace",
      llvm::cl::desc(
          "Write when kernels, copies, host regions and waits were, for "
          "Perfetto or chrome://tracing"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<std::string> viewFile{
      "view",
      llvm::cl::desc(
          "Write a web page that shows where everything runs, what it "
          "costs, and when it ran"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<std::string> viewAgainst{
      "view-against",
      llvm::cl::desc(
          "Compare on the page of --view with the placement by these "
          "rules, as --rules takes them"),
      llvm::cl::value_desc("rules")};
  llvm::cl::opt<std::string> deviceMap{
      "device-map",
      llvm::cl::desc(
          "Which device of the machine serves which of the program, for "
          "example gpu:1=gpu:0"),
      llvm::cl::value_desc("map")};

  llvm::cl::opt<std::string> nodes{
      "nodes",
      llvm::cl::desc(
          "in-process: run the ranks of a program over several nodes as "
          "threads of this process; default: this is one of those that "
          "mpirun has started"),
      llvm::cl::value_desc("how")};
  llvm::cl::opt<std::string> timeout{
      "timeout",
      llvm::cl::desc(
          "How many seconds a rank waits for another one; default: 60"),
      llvm::cl::value_desc("seconds")};
  llvm::cl::opt<std::string> nodeSeed{
      "node-seed",
      llvm::cl::desc(
          "With --nodes=in-process: delay what passes between nodes at "
          "random"),
      llvm::cl::value_desc("seed")};
  llvm::cl::list<std::string> nodeFaults{
      "node-fault",
      llvm::cl::desc(
          "With --nodes=in-process: what goes wrong with a rank, as "
          "stall,rank=1,transfer=2,seconds=5; also drop, slow-link (with "
          "peer=R) and lose; transfers count from 1"),
      llvm::cl::value_desc("fault")};
  llvm::cl::opt<std::string> check{
      "check", llvm::cl::ValueOptional,
      llvm::cl::desc(
          "Compare the results as placed, on the host, on each device and "
          "in N random placements, with a check for races; default: 3"),
      llvm::cl::value_desc("N")};

  /// How many random placements are checked; none without --check.
  std::optional<unsigned> getRandomPlacements(std::string &error) const;
  /// Reads --requests and --in-flight; false where they make no sense.
  bool setRequests(::hetero::runner::RunOptions &run, std::string &error) const;
  /// Reads the options for several nodes.
  bool setNodes(::hetero::runner::NodeOptions &run, std::string &error) const;

  /// True if somebody wants to know when everything ran.
  bool isTraced() const {
    return !traceFile.empty() || !viewFile.empty() || reportsRequests();
  }
  /// How busy devices and links were a trace says.
  bool reportsRequests() const {
    return requests.getNumOccurrences() && (report || !reportFile.empty());
  }
  ::hetero::runner::RunOptions toRunOptions() const;
};

} // namespace mlir::hetero

#endif // HETERO_TOOLS_HETERO_RUN_OPTIONS_H
