//===- NodeRun.cpp - Compiles and runs the ranks of a program -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeRun.h"

#include "hetero/Compiler/Nodes/PredictedMakespan.h"
#include "hetero/Compiler/Report.h"
#include "hetero/Runtime/HeteroRequests.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

using namespace mlir::hetero;
namespace json = llvm::json;
namespace runner = ::hetero::runner;
using runner::NodeRole;

//===----------------------------------------------------------------------===//
// CallSpan
//===----------------------------------------------------------------------===//

CallSpan::Member::~Member() {
  std::lock_guard<std::mutex> lock(span.mutex);
  if (!hasArrived && --span.missing == 0)
    span.changed.notify_all();
}

void CallSpan::Member::begin() {
  int64_t now = heteroClock(), start;
  {
    std::unique_lock<std::mutex> lock(span.mutex);
    hasArrived = true;
    span.first = std::max(span.first, now);
    if (--span.missing == 0)
      span.changed.notify_all();
    span.changed.wait(lock, [&] { return span.missing <= 0; });
    start = span.first;
  }
  heteroAdvanceClock(start - now);
}

void CallSpan::Member::end() {
  int64_t now = heteroClock();
  std::lock_guard<std::mutex> lock(span.mutex);
  span.last = std::max(span.last, now);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

NodeRun::NodeRun(const runner::NodeOptions &options, NodeRole role,
                 const ProgramNodes &nodes, Compilation &compilation)
    : options(options), role(role), nodes(nodes), compilation(compilation),
      span(role == NodeRole::AllRanks ? nodes.count : 1) {}

/// After what the compiler has said.
static constexpr llvm::StringLiteral kDoesNotCompile =
    "the program does not compile";

/// What the compiler says besides errors it says once, of the first rank.
NodeRun::RankProgram NodeRun::compile(int32_t rank) {
  std::optional<mlir::ScopedDiagnosticHandler> quiet;
  if (rank == 0)
    compilation.announceDevices();
  else
    quiet.emplace(compilation.getSource().getContext(),
                  [](mlir::Diagnostic &diagnostic) {
                    return mlir::success(diagnostic.getSeverity() !=
                                         mlir::DiagnosticSeverity::Error);
                  });
  compilation.setNode(rank);
  RankProgram result;
  result.program = Program::compile(compilation);
  if (result.program)
    result.hash = compilation.getProgramHash();
  compilation.setNode(-1);
  return result;
}

/// Gives the emulator as many devices as the nodes have, unless the user says
/// how many. Before the driver is loaded.
static void requestDevices(const ProgramNodes &nodes) {
  const char *driver = std::getenv("HETERO_CUDA_DRIVER");
  const char *present = std::getenv("HETERO_EMULATOR");
  std::string text = present ? present : "";
  if (!driver || llvm::StringRef(driver) != "emulator" ||
      llvm::StringRef(text).contains("devices="))
    return;
  int32_t count =
      std::accumulate(nodes.numGPUs.begin(), nodes.numGPUs.end(), 0);
  text += (text.empty() ? "devices=" : ",devices=") +
          std::to_string(std::max(count, 1));
  setenv("HETERO_EMULATOR", text.c_str(), /*overwrite=*/1);
}

/// Before anything is compiled: ranks beyond the nodes have no program.
bool NodeRun::checkNumRanks(std::string &error) const {
  if (heteroNodeCount() == nodes.count)
    return true;
  (void)heteroAgreeOnProgram(nodes.count, /*programHash=*/0);
  error = heteroLastError();
  return false;
}

/// The one that this process is.
bool NodeRun::compileOne(int32_t rank, Prepare prepare, RankProgram &result,
                         std::string &error) {
  if (rank == 0 && !prepare(error))
    return false;
  if (mlir::succeeded(adaptToThisProcess(compilation)))
    result = compile(rank);
  if (!result.program)
    error = kDoesNotCompile.str();
  return result.program != nullptr;
}

/// An error, or nothing.
std::string NodeRun::compileAll(Prepare prepare) {
  std::string error;
  if (!prepare(error))
    return error;
  requestDevices(nodes);
  if (mlir::failed(adaptToThisProcess(compilation)))
    return kDoesNotCompile.str();
  for (int32_t rank = 0; rank < nodes.count; ++rank) {
    programs.push_back(compile(rank));
    if (!programs.back().program)
      return kDoesNotCompile.str();
  }
  prepareClock();
  return "";
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Of all nodes together, one after the other.
static runner::NodeMachine makeMachine(const ProgramNodes &nodes) {
  runner::NodeMachine machine;
  machine.count = nodes.count;
  machine.firstDevices.resize(nodes.count);
  std::exclusive_scan(nodes.numGPUs.begin(), nodes.numGPUs.end(),
                      machine.firstDevices.begin(), 0);
  for (const NodeLink &link : nodes.links)
    machine.links.push_back({link.bytesPerSecond, link.latencySeconds});
  return machine;
}

/// Each rank has its own where there is one, also one without gpus; the regions
/// of the host take what they take in the topology.
void NodeRun::prepareClock() {
  int32_t count;
  (void)heteroDeviceCount(&count);
  if (!heteroClockIsVirtual())
    return;
  std::optional<ProgramParts> parts = compilation.describeParts();
  std::vector<const char *> names;
  std::vector<uint64_t> times;
  if (parts)
    for (const RegionDescription &region : parts->regions) {
      names.push_back(region.name.c_str());
      times.push_back(std::llround(region.seconds * 1e12));
    }
  heteroSetHostTimes(names.data(), times.data(), names.size());
}

bool NodeRun::hasFirstRank() const {
  return isAlone() || heteroNodeRank() == 0;
}

std::vector<std::string> NodeRun::run(Prepare prepare, Call call) {
  if (isAlone())
    if (std::string error = compileAll(prepare); !error.empty())
      return {error};
  runner::NodeMachine machine = makeMachine(nodes);
  return runner::runRanks(
      options, role, machine, [&](int32_t rank, std::string &error) {
        CallSpan::Member member(span);
        RankProgram own;
        if (!isAlone() &&
            (!checkNumRanks(error) || !compileOne(rank, prepare, own, error)))
          return false;
        RankProgram &program = isAlone() ? programs[rank] : own;
        return runner::agreeOnProgram(options, nodes.count, program.hash,
                                      error) &&
               call(rank, *program.program, member, error);
      });
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

/// Whether that is a transfer: from the host of one node to that of another.
static bool isTransfer(llvm::StringRef from, llvm::StringRef to) {
  return from.starts_with("cpu:") && to.starts_with("cpu:") &&
         from.split('@').second != to.split('@').second;
}

/// "123.4 us"
static std::string printTime(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3f us", seconds * 1e6);
  return text;
}

void NodeRun::printSummary(llvm::StringRef report, llvm::raw_ostream &os) {
  int64_t bytes = 0, copies = 0;
  llvm::Expected<json::Value> parsed = json::parse(report);
  const json::Object *object = parsed ? parsed->getAsObject() : nullptr;
  const json::Array *list = object ? object->getArray("copies") : nullptr;
  for (const json::Value &value : list ? *list : json::Array()) {
    const json::Object &copy = *value.getAsObject();
    if (!isTransfer(copy.getString("from").value_or(""),
                    copy.getString("to").value_or("")))
      continue;
    bytes += copy.getInteger("bytes").value_or(0);
    copies += copy.getInteger("count").value_or(0);
  }
  llvm::consumeError(parsed.takeError());
  os << "nodes: " << nodes.count << ", "
     << (isAlone() ? "between them " : "from rank 0 to others ") << bytes
     << " bytes in " << copies << " transfers\n";
  if (!isAlone() || !heteroClockIsVirtual() || span.getSeconds() == 0)
    return;
  PredictedMakespan predicted = predictMakespan(compilation);
  os << "call: " << printTime(span.getSeconds()) << " on the virtual clock";
  if (predicted.seconds)
    os << ", predicted " << printTime(*predicted.seconds);
  if (predicted.bound)
    os << ", bound " << printTime(*predicted.bound);
  os << "\n";
}
