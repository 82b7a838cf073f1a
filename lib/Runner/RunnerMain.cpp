//===- RunnerMain.cpp - main of the executables that are written ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/Nodes.h"
#include "hetero/Runner/Requests.h"
#include "hetero/Runner/Runner.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace hetero;
using namespace hetero::runner;

static const char usage[] =
    "  --entry=NAME      entry point; default: the only one, or main\n"
    "  --input=VALUE     one per argument: 5x7xf32=1.5, 3xi32=1,2,3,\n"
    "                    5x7xf32=iota, =random:SEED, =randint:SEED, @FILE.npy\n"
    "  --random-inputs   makes up all arguments; dynamic sizes are 1\n"
    "  --output=FILE     writes a result as .npy; repeat for the next result\n"
    "  --expected=VALUE  compares a result; repeat for the next result\n"
    "  --load-state=NAME=VALUE\n"
    "                    sets what the program keeps before the first call\n"
    "  --state=NAME=FILE writes what it keeps after the last call as .npy\n"
    "  --rtol=X --atol=X what --expected allows\n"
    "  --time=N          times N calls after one to warm up\n"
    "  --requests=N      serves N requests; inputs are those of one or of all\n"
    "  --in-flight=K     of which K are under way at once\n"
    "  --print-max=N     prints at most N elements of a result\n"
    "  --device-map=MAP  for example gpu:1=gpu:0\n"
    "  --report          prints the runtime's counters as JSON\n";

static const char nodesUsage[] =
    "  --nodes=in-process\n"
    "                    runs all ranks in this process; else mpirun starts "
    "them\n"
    "  --timeout=SECONDS how long a rank waits for another one\n";

namespace {
struct CommandLine {
  RunOptions options;
  NodeOptions nodes;
  bool report = false;
  bool help = false;
};
} // namespace

static bool parseNumber(const std::string &text, int64_t &number,
                        std::string &error) {
  const char *last = text.data() + text.size();
  auto [end, code] = std::from_chars(text.data(), last, number);
  if (code == std::errc() && end == last && number >= 0)
    return true;
  error = "a whole number of zero or more";
  return false;
}

static bool parseNumber(const std::string &text, double &number,
                        std::string &error) {
  char *end = nullptr;
  number = std::strtod(text.c_str(), &end);
  if (!text.empty() && !*end && std::isfinite(number) && number >= 0)
    return true;
  error = "a number of zero or more";
  return false;
}

static bool parseCount(const std::string &text, int32_t &count,
                       std::string &error) {
  int64_t number = 0;
  if (parseNumber(text, number, error) && number >= 1 && number <= 1024) {
    count = static_cast<int32_t>(number);
    return true;
  }
  error = "a whole number from 1 to 1024";
  return false;
}

/// A number of requests, of which there is at least one.
static bool parseRequests(const std::string &text, int64_t &requests,
                          std::string &error) {
  if (parseNumber(text, requests, error) && requests > 0)
    return true;
  error = "a whole number from 1";
  return false;
}

/// Takes one option; false when there is none of that name, or with what its
/// value is expected to be.
static bool setOption(CommandLine &line, const std::string &name,
                      const std::string &value, std::string &expected) {
  RunOptions &options = line.options;
  if (name == "input")
    options.inputs.push_back(value);
  else if (name == "random-inputs" && value.empty())
    options.randomInputs = true;
  else if (name == "output")
    options.outputs.push_back(value);
  else if (name == "expected")
    options.expected.push_back(value);
  else if (name == "load-state")
    options.loadState.push_back(value);
  else if (name == "state")
    options.saveState.push_back(value);
  else if (name == "entry")
    options.entry = value;
  else if (name == "device-map")
    options.deviceMap = value;
  else if (name == "rtol")
    return parseNumber(value, options.tolerance.relative, expected);
  else if (name == "atol")
    return parseNumber(value, options.tolerance.absolute, expected);
  else if (name == "time")
    return parseNumber(value, options.time, expected);
  else if (name == "print-max")
    return parseNumber(value, options.printMax, expected);
  else if (name == "requests")
    return parseRequests(value, options.requests, expected);
  else if (name == "in-flight")
    return parseCount(value, options.inFlight, expected);
  else if (name == "report" && value.empty())
    line.report = true;
  else if (name == "help" && value.empty())
    line.help = true;
  else
    return setNodeOption(line.nodes, name, value, expected);
  return true;
}

static bool parseCommandLine(int argc, char **argv, CommandLine &line,
                             std::string &error) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.compare(0, 2, "--") != 0) {
      error = "unexpected argument '" + word + "'; see --help";
      return false;
    }
    size_t equals = word.find('=');
    std::string name = word.substr(
        2, equals == std::string::npos ? std::string::npos : equals - 2);
    std::string value =
        equals == std::string::npos ? "" : word.substr(equals + 1);
    std::string expected;
    if (setOption(line, name, value, expected))
      continue;
    error = expected.empty() ? "bad option '" + word + "'; see --help"
                             : "expected --" + name + " to be " + expected +
                                   ", got '" + value + "'";
    return false;
  }
  return true;
}

namespace {
/// The program of all nodes, and how the process was called.
class ProgramRunner {
public:
  ProgramRunner(const HeteroNodeTable &table, CommandLine line)
      : table(table), line(std::move(line)) {
    for (int64_t node = 0; node < table.numNodes; ++node) {
      const HeteroProgramTable &program = table.programs[node].program;
      entries.emplace_back(program.entries,
                           program.entries + program.numEntries);
    }
  }

  /// The errors of the run.
  std::vector<std::string> run();
  /// Whether this process has what the first node has.
  bool hasFirstNode() const {
    return role != NodeRole::OneRank || heteroNodeRank() == 0;
  }

private:
  const HeteroProgramEntry *find(int32_t node, std::string &error) const;
  NodeMachine getMachine() const;
  bool load(std::string &error);
  bool call(int32_t node, std::string &error) const;

  const HeteroNodeTable &table;
  CommandLine line;
  /// By node.
  std::vector<std::vector<HeteroProgramEntry>> entries;
  NodeRole role = NodeRole::Alone;
  RunValues values;
};
} // namespace

const HeteroProgramEntry *ProgramRunner::find(int32_t node,
                                              std::string &error) const {
  return findEntry(entries[node], line.options.entry, error);
}

NodeMachine ProgramRunner::getMachine() const {
  NodeMachine machine;
  machine.count = static_cast<int32_t>(table.numNodes);
  int32_t first = 0;
  for (int32_t node = 0; node < machine.count; ++node) {
    machine.firstDevices.push_back(first);
    first += table.programs[node].numGPUs;
  }
  return machine;
}

/// What the first node takes.
bool ProgramRunner::load(std::string &error) {
  const HeteroProgramEntry *entry = find(0, error);
  return entry && loadRunValues(*entry, line.options, values, error);
}

bool ProgramRunner::call(int32_t node, std::string &error) const {
  const HeteroStateTable *states = table.programs[node].states;
  const HeteroProgramEntry *entry = find(node, error);
  return entry &&
         (line.options.requests ? runRequests : runEntry)(
             *entry, states ? *states : HeteroStateTable(),
             node == 0 ? line.options : getOptionsOfOtherRank(line.options),
             node == 0 ? values : RunValues(), error);
}

std::vector<std::string> ProgramRunner::run() {
  auto nodes = static_cast<int32_t>(table.numNodes);
  std::string error;
  if (!chooseNodeRole(line.nodes, nodes, line.options.tool, role, error))
    return {error};
  if (role != NodeRole::OneRank && !load(error))
    return {error};
  if (role == NodeRole::Alone)
    return call(0, error) ? std::vector<std::string>()
                          : std::vector<std::string>{error};
  if (!mapDevices(line.options, error))
    return {error};
  line.options.deviceMap.clear();
  NodeMachine machine = getMachine();
  return runRanks(
      line.nodes, role, machine, [&](int32_t rank, std::string &error) {
        return (rank != 0 || role == NodeRole::AllRanks || load(error)) &&
               agreeOnProgram(line.nodes, nodes, table.hash, error) &&
               call(rank, error);
      });
}

static int runMain(int argc, char **argv, const HeteroNodeTable &table) {
  CommandLine line;
  line.options.tool = argv[0];
  std::string error;
  bool parsed = parseCommandLine(argc, argv, line, error);
  if (parsed && line.help) {
    std::printf("usage: %s [options]\n%s%s", argv[0], usage,
                table.numNodes > 1 ? nodesUsage : "");
    return 0;
  }
  ProgramRunner runner(table, line);
  std::vector<std::string> errors =
      parsed ? runner.run() : std::vector<std::string>{error};
  std::fflush(stdout);
  for (const std::string &text : errors)
    std::fprintf(stderr, "%s: error: %s\n", argv[0], text.c_str());
  if (!errors.empty())
    return 1;
  if (line.report && runner.hasFirstNode()) {
    char *report = heteroReport();
    std::printf("%s\n", report ? report : "{}");
    heteroFreeString(report);
  }
  return 0;
}

extern "C" int heteroRunnerMainOfNodes(int argc, char **argv,
                                       const HeteroNodeTable *table) {
  int status = runMain(argc, argv, *table);
  // The driver sees that nothing is left, after an error too.
  heteroReset();
  return status;
}

extern "C" int heteroRunnerMain(int argc, char **argv,
                                const HeteroProgramTable *program,
                                const HeteroStateTable *states) {
  HeteroNodeProgram only = {*program, states, /*numGPUs=*/0, /*reserved=*/0};
  HeteroNodeTable table = {/*numNodes=*/1, /*hash=*/0, &only};
  return heteroRunnerMainOfNodes(argc, argv, &table);
}
