//===- Options.cpp - The options of hetero-run ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace mlir::hetero;
namespace runner = ::hetero::runner;

std::optional<unsigned> Options::getRandomPlacements(std::string &error) const {
  unsigned count = 3;
  if (!check.empty() && llvm::StringRef(check).getAsInteger(10, count))
    error = "expected --check to be a number, got '" + check + "'";
  if (!check.getNumOccurrences() || !error.empty())
    return std::nullopt;
  if (!outputs.empty() || !expected.empty() || !saveState.empty() || time ||
      tune || report || reportNodes || !reportFile.empty() ||
      !profileFile.empty() || !traceFile.empty() || !viewFile.empty())
    error = "--check runs many placements; leave out --output, --expected, "
            "--state, --time, --tune, --report, --report-nodes, --report-file, "
            "--write-profile, --trace and --view";
  return count;
}

bool Options::setRequests(runner::RunOptions &run, std::string &error) const {
  if (!requests.getNumOccurrences()) {
    if (inFlight.getNumOccurrences())
      error = "--in-flight says how many of --requests=N are under way at "
              "once; add --requests";
    return error.empty();
  }
  if (time || reportNodes || !profileFile.empty() || !viewFile.empty() ||
      check.getNumOccurrences())
    error = "--requests takes the times of many calls that overlap; leave out "
            "--time, --report-nodes, --write-profile, --view and --check";
  else if (llvm::StringRef(requests).getAsInteger(10, run.requests) ||
           run.requests < 1)
    error = "expected --requests to be a number of at least 1, got '" +
            requests + "'";
  else if (inFlight.getNumOccurrences() &&
           (llvm::StringRef(inFlight).getAsInteger(10, run.inFlight) ||
            run.inFlight < 1 || run.inFlight > 1024))
    error = "expected --in-flight to be a number from 1 to 1024, got '" +
            inFlight + "'";
  return error.empty();
}

bool Options::setNodes(runner::NodeOptions &run, std::string &error) const {
  auto set = [&](const std::string &name, const std::string &value) {
    std::string expected;
    if (value.empty() || runner::setNodeOption(run, name, value, expected))
      return true;
    error =
        "expected --" + name + " to be " + expected + ", got '" + value + "'";
    return false;
  };
  if (!set("nodes", nodes) || !set("timeout", timeout) ||
      !set("node-seed", nodeSeed) ||
      !llvm::all_of(nodeFaults, [&](const std::string &fault) {
        return set("node-fault", fault);
      }))
    return false;
  if (!run.isInProcess && (!nodeSeed.empty() || !nodeFaults.empty()))
    error = "--node-seed and --node-fault are for ranks that are threads of "
            "one process; add --nodes=in-process";
  return error.empty();
}

runner::RunOptions Options::toRunOptions() const {
  runner::RunOptions run;
  run.tool = kRunTool.str();
  run.inputs.assign(inputs.begin(), inputs.end());
  run.randomInputs = randomInputs;
  run.outputs.assign(outputs.begin(), outputs.end());
  run.expected.assign(expected.begin(), expected.end());
  run.loadState.assign(loadState.begin(), loadState.end());
  run.saveState.assign(saveState.begin(), saveState.end());
  run.tolerance = {rtol, atol};
  run.time = profileFile.empty() || tune ? time.getValue()
                                         : std::max(time.getValue(), 3u);
  run.deviceMap = deviceMap;
  run.printMax = printMax;
  return run;
}
