//===- RunnerMain.cpp - main of the executables that are written ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

namespace {
struct CommandLine {
  RunOptions options;
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
    return false;
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

static int runMain(int argc, char **argv, const HeteroProgramTable &program,
                   const HeteroStateTable &states) {
  CommandLine line;
  line.options.tool = argv[0];
  std::string error;
  std::vector<HeteroProgramEntry> known(program.entries,
                                        program.entries + program.numEntries);
  bool parsed = parseCommandLine(argc, argv, line, error);
  if (parsed && line.help) {
    std::printf("usage: %s [options]\n%s", argv[0], usage);
    return 0;
  }
  const HeteroProgramEntry *entry =
      parsed ? findEntry(known, line.options.entry, error) : nullptr;
  RunValues values;
  if (!entry || !loadRunValues(*entry, line.options, values, error) ||
      !(line.options.requests ? runRequests : runEntry)(
          *entry, states, line.options, values, error)) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s: error: %s\n", argv[0], error.c_str());
    return 1;
  }
  if (line.report) {
    char *report = heteroReport();
    std::printf("%s\n", report ? report : "{}");
    heteroFreeString(report);
  }
  return 0;
}

extern "C" int heteroRunnerMain(int argc, char **argv,
                                const HeteroProgramTable *program,
                                const HeteroStateTable *states) {
  int status =
      runMain(argc, argv, *program, states ? *states : HeteroStateTable());
  // The driver sees that nothing is left, after an error too.
  heteroReset();
  return status;
}
