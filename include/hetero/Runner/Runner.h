//===- Runner.h - Runs an entry point of a compiled program -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What hetero-run does after compiling, and all that the executables of
// hetero-compile do: take inputs, call an entry point, print, write and check
// its results.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNNER_RUNNER_H
#define HETERO_RUNNER_RUNNER_H

#include "hetero/Runner/CompareValues.h"

#include <functional>
#include <string>
#include <vector>

extern "C" {
/// main of an executable: parses the command line and runs one entry point.
/// `states` may be null.
int heteroRunnerMain(int argc, char **argv, const HeteroProgramTable *program,
                     const HeteroStateTable *states);
/// The same of a program over several nodes.
int heteroRunnerMainOfNodes(int argc, char **argv,
                            const HeteroNodeTable *table);
}

namespace hetero {
namespace runner {

struct RunOptions {
  /// Begins the error of a program that crashes.
  std::string tool;
  /// Empty: the only entry point, or else "main".
  std::string entry;
  std::vector<std::string> inputs;
  /// Arguments are made up instead; their dynamic sizes are 1.
  bool randomInputs = false;
  std::vector<std::string> outputs;
  std::vector<std::string> expected;
  /// "NAME=VALUE" for state that the first call finds, and "NAME=FILE" for that
  /// which is written after the last one.
  std::vector<std::string> loadState, saveState;
  /// Whether the results of a call have all state that it leaves.
  bool readsState = false;
  Tolerance tolerance;
  /// Timed repetitions after one to warm up; 0: do not time.
  int64_t time = 0;
  /// How many requests are served; 0: one call is made. Inputs, outputs and
  /// expected results are then those of all requests, one after the other, or
  /// of one, for each of them.
  int64_t requests = 0;
  /// How many of them are under way at once; 0: as many as the runtime takes.
  int32_t inFlight = 0;
  /// Whether requests with the same inputs have to return the same: nothing is
  /// kept from call to call.
  bool areRequestsEqual = false;
  std::string deviceMap;
  int64_t printMax = 1024;
  /// Prints nothing but errors: results and times are another rank's matter.
  bool isQuiet = false;
  /// Called right before and right after the first call; may be empty.
  std::function<void()> beforeCall, afterCall;
};

/// Finds the entry point that `name` asks for; the error lists what there is.
const HeteroProgramEntry *
findEntry(const std::vector<HeteroProgramEntry> &entries,
          const std::string &name, std::string &error);

/// State by its name.
struct NamedValue {
  std::string name;
  HostValue value;
};

/// The values that a run needs, checked against the entry point's types; of one
/// request or of all.
struct RunValues {
  std::vector<HostValue> inputs, expected;
  std::vector<NamedValue> states;
};

/// What a run has computed.
struct RunResults {
  std::vector<HostValue> values;
  std::vector<NamedValue> states;
};

/// Reads the inputs and the expected results. `entry.function` is not used, so
/// that bad values are found before a program is compiled.
bool loadRunValues(const HeteroProgramEntry &entry, const RunOptions &options,
                   RunValues &values, std::string &error);

/// Maps the program's devices as the options say.
bool mapDevices(const RunOptions &options, std::string &error);

/// Prints them as a run does.
void printResults(const std::vector<HostValue> &results, int64_t printMax);

/// Copies the arguments of a call, which are on the host; with `count` -1 makes
/// them up, from a seed that is always the same, where all sizes are static.
bool takeRunValues(const HeteroProgramEntry &entry,
                   const HeteroValue *arguments, int32_t count,
                   RunValues &values, std::string &error);

/// Calls an entry point of a program that keeps such state, as often as the
/// options say, and fetches what the last call returned. Returns false with the
/// reason in `error`.
bool callEntry(const HeteroProgramEntry &entry, const HeteroStateTable &states,
               const RunOptions &options, const RunValues &values,
               RunResults &results, std::string &error);

/// The same, and prints, writes and compares the results.
bool runEntry(const HeteroProgramEntry &entry, const HeteroStateTable &states,
              const RunOptions &options, const RunValues &values,
              std::string &error);

/// What calls of an entry point took.
struct MeasuredCalls {
  /// The shortest call as it runs, in seconds of the clock that counts
  /// (heteroClock).
  double seconds = 0;
  /// heteroReport() of as many calls whose kernels, host regions and copies
  /// were measured one after the other.
  std::string report;
};

/// Calls the entry point once to warm up, and `count` times each as it runs and
/// with its parts measured. The report's counters begin anew.
bool measureEntry(const HeteroProgramEntry &entry, const RunOptions &options,
                  const RunValues &values, int64_t count,
                  MeasuredCalls &measured, std::string &error);

} // namespace runner
} // namespace hetero

#endif // HETERO_RUNNER_RUNNER_H
