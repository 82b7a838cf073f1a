//===- Nodes.cpp - Runs a program over several nodes ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/Nodes.h"

#include "Call.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

using namespace hetero;
using namespace hetero::runner;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

template <typename Number>
static bool parseInteger(std::string_view text, Number least, Number &number) {
  const char *last = text.data() + text.size();
  auto [end, code] = std::from_chars(text.data(), last, number);
  return code == std::errc() && end == last && number >= least;
}

static bool parseSeconds(const std::string &text, double &seconds) {
  char *end = nullptr;
  seconds = std::strtod(text.c_str(), &end);
  return !text.empty() && !*end && std::isfinite(seconds) && seconds > 0;
}

/// "rank=1"
static bool setFaultField(HeteroNodeFault &fault, std::string_view field) {
  size_t equals = field.find('=');
  if (equals == std::string_view::npos)
    return false;
  std::string_view name = field.substr(0, equals);
  std::string value(field.substr(equals + 1));
  if (name == "rank")
    return parseInteger(value, int32_t(0), fault.rank);
  if (name == "peer")
    return parseInteger(value, int32_t(0), fault.peer);
  if (name == "transfer")
    return parseInteger(value, int64_t(1), fault.transfer);
  return name == "seconds" && parseSeconds(value, fault.seconds);
}

/// "stall,rank=1,transfer=2,seconds=5"
static bool parseFault(std::string_view text, HeteroNodeFault &fault) {
  static constexpr std::pair<std::string_view, int32_t> kKinds[] = {
      {"drop", HETERO_FAULT_DROP},
      {"stall", HETERO_FAULT_STALL},
      {"slow-link", HETERO_FAULT_SLOW_LINK},
      {"lose", HETERO_FAULT_LOSE}};
  fault = HeteroNodeFault();
  fault.transfer = 1;
  bool isKind = true;
  while (!text.empty()) {
    std::string_view field = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), field.size() + 1));
    if (!isKind && !setFaultField(fault, field))
      return false;
    if (isKind)
      for (const auto &[name, kind] : kKinds)
        if (field == name)
          fault.kind = kind;
    isKind = false;
  }
  return fault.kind != 0;
}

bool runner::setNodeOption(NodeOptions &options, const std::string &name,
                           const std::string &value, std::string &expected) {
  if (name == "nodes") {
    options.isInProcess = value == "in-process";
    expected = options.isInProcess ? "" : "in-process";
  } else if (name == "timeout") {
    if (!parseSeconds(value, options.timeout))
      expected = "a number of seconds above zero";
  } else if (name == "node-seed") {
    if (!parseInteger(value, uint64_t(0), options.seed))
      expected = "a whole number of zero or more";
  } else if (name == "node-fault") {
    HeteroNodeFault fault;
    if (parseFault(value, fault))
      options.faults.push_back(fault);
    else
      expected = "drop, stall, slow-link or lose, and with commas what of "
                 "rank=R, transfer=N, peer=R and seconds=S it takes";
  } else {
    return false;
  }
  return expected.empty();
}

//===----------------------------------------------------------------------===//
// How the process was started
//===----------------------------------------------------------------------===//

/// Of ranks that were started together, as far as the environment says; empty
/// for a process that was started alone, 0 where the number is not known.
static std::optional<int32_t> countStartedRanks() {
  // Open MPI; MPICH, its relatives and Slurm's PMI-2.
  for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char *text = std::getenv(name);
    int32_t count = 0;
    if (text && parseInteger(std::string_view(text), int32_t(1), count))
      return count;
  }
  // Slurm and others, by PMIx, which leave it to MPI to ask for the number.
  if (std::getenv("PMIX_RANK"))
    return 0;
  return std::nullopt;
}

bool runner::chooseNodeRole(const NodeOptions &options, int32_t nodes,
                            const std::string &tool, NodeRole &role,
                            std::string &error) {
  std::optional<int32_t> started = countStartedRanks();
  bool isStarted = started && *started != 1;
  std::string number = std::to_string(nodes);
  if (options.isInProcess && isStarted)
    error = "--nodes=in-process runs all ranks in one process; start " + tool +
            " without mpirun";
  else if (isStarted && nodes == 1)
    error = "the program has one node, and mpirun has started " +
            (*started ? std::to_string(*started) : "several") +
            " ranks; start " + tool + " without mpirun";
  else if (!isStarted && nodes > 1 && !options.isInProcess)
    error = "the program has " + number +
            " nodes; start a rank for each with "
            "mpirun -n " +
            number + " " + tool +
            " ..., or all of them in this process with --nodes=in-process";
  if (!error.empty())
    return false;
  role = options.isInProcess ? NodeRole::AllRanks
         : nodes > 1         ? NodeRole::OneRank
                             : NodeRole::Alone;
  return true;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The body between joining and leaving; its error with the rank, or nothing.
static std::string runRank(const NodeOptions &options, const RankBody &body) {
  // Programs are compiled by each rank on its own, however long that takes.
  HeteroStatus status =
      heteroJoinNodes(0, 0, std::max(options.timeout, HETERO_NODES_TIMEOUT));
  std::string error;
  if (status == HETERO_OK && !body(heteroNodeRank(), error)) {
    status = HETERO_ERROR_PROGRAM;
    (void)heteroAssert(/*condition=*/0, error.c_str());
  }
  if (heteroLeaveNodes(status) == HETERO_OK)
    return "";
  return heteroLastError();
}

bool runner::agreeOnProgram(const NodeOptions &options, int32_t nodes,
                            uint64_t hash, std::string &error) {
  return (heteroAgreeOnProgram(nodes, hash) == HETERO_OK &&
          heteroJoinNodes(0, 0, options.timeout) == HETERO_OK) ||
         failCall(error);
}

namespace {
/// What the threads of a process share.
struct RankThreads {
  const NodeOptions &options;
  const RankBody &body;
  /// By rank.
  std::vector<std::string> errors;

  static HeteroStatus run(void *context, int32_t rank) {
    auto &all = *static_cast<RankThreads *>(context);
    all.errors[rank] = runRank(all.options, all.body);
    return all.errors[rank].empty() ? HETERO_OK : HETERO_ERROR_PROGRAM;
  }
};
} // namespace

/// The longest delay of a message between threads, where a seed asks for any.
static constexpr double kLongestDelay = 2e-3;

static std::vector<std::string> runThreads(const NodeOptions &options,
                                           const NodeMachine &machine,
                                           const RankBody &body) {
  HeteroRankOptions ranks = {};
  ranks.timeoutSeconds = options.timeout;
  ranks.seed = options.seed;
  ranks.longestDelaySeconds = options.seed ? kLongestDelay : 0;
  ranks.links = machine.links.empty() ? nullptr : machine.links.data();
  ranks.firstDevices =
      machine.firstDevices.empty() ? nullptr : machine.firstDevices.data();
  ranks.faults = options.faults.data();
  ranks.numFaults = static_cast<int64_t>(options.faults.size());
  RankThreads threads{options, body, std::vector<std::string>(machine.count)};
  HeteroStatus status =
      heteroRunRanks(machine.count, &ranks, RankThreads::run, &threads);
  std::vector<std::string> errors;
  for (std::string &error : threads.errors)
    if (!error.empty())
      errors.push_back(std::move(error));
  // What no rank says: the threads could not be started, for example.
  if (status != HETERO_OK && errors.empty())
    errors.push_back(heteroLastError());
  return errors;
}

std::vector<std::string> runner::runRanks(const NodeOptions &options,
                                          NodeRole role,
                                          const NodeMachine &machine,
                                          const RankBody &body) {
  if (role == NodeRole::AllRanks)
    return runThreads(options, machine, body);
  std::string error = runRank(options, body);
  return error.empty() ? std::vector<std::string>()
                       : std::vector<std::string>{error};
}

RunOptions runner::getOptionsOfOtherRank(const RunOptions &options) {
  RunOptions others;
  others.tool = options.tool;
  others.entry = options.entry;
  others.time = options.time;
  others.requests = options.requests;
  others.inFlight = options.inFlight;
  others.areRequestsEqual = options.areRequestsEqual;
  others.isQuiet = true;
  return others;
}
