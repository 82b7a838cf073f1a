//===- HeteroRun.cpp - The command hetero-run -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeteroRun.h"

#include "../support/CompileFlags.h"
#include "../support/OptionNames.h"
#include "../support/Plugins.h"
#include "CheckPlacements.h"
#include "NodeRun.h"
#include "Options.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Compiler/Compilation.h"
#include "hetero/Compiler/MarkdownReport.h"
#include "hetero/Compiler/PlacementPages.h"
#include "hetero/Compiler/PredictedRate.h"
#include "hetero/Compiler/Program.h"
#include "hetero/Compiler/Report.h"
#include "hetero/Compiler/Tuning/MeasuredProfile.h"
#include "hetero/Compiler/Tuning/TuningReport.h"
#include "hetero/Runner/Files.h"
#include "hetero/Runner/Requests.h"
#include "hetero/Runner/Runner.h"
#include "hetero/Runtime/HeteroRequests.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include <cmath>
#include <functional>

using namespace mlir::hetero;
namespace cl = llvm::cl;
namespace runner = ::hetero::runner;

static constexpr llvm::StringLiteral tool = kRunTool;

/// Takes over a string of the runtime.
static std::string takeString(char *text) {
  std::string result = text ? text : "";
  heteroFreeString(text);
  return result;
}

static int writeFile(const std::string &path, const std::string &text) {
  std::string error;
  return runner::writeFile(path, {text}, error) ? 0 : reportError(tool, error);
}

static int failToRead(const std::string &report) {
  return reportError(tool, "the runtime's report cannot be read: " + report);
}

/// Prints what the calls of a run, one more where some are timed, took.
static bool printNodes(const std::string &report, int64_t numTimed) {
  auto times = collectNodeTimes(report, numTimed + 1);
  if (times)
    printNodeTimes(*times, llvm::outs());
  return times.has_value();
}

/// Writes where everything runs, and what the run did, for people to read.
static int writeMarkdown(const Options &options, Compilation &compilation,
                         const std::string &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (mlir::failed(printMarkdownReport(compilation, options.model, os)))
    return 1;
  os << "\n## The run\n\n```\n";
  if (!printReport(report, os))
    return failToRead(report);
  os << "```\n";
  return writeFile(options.reportFile, text);
}

static int writeReport(const Options &options, Compilation &compilation,
                       const std::string &report) {
  if (options.report && !printReport(report, llvm::outs()))
    return failToRead(report);
  if (options.reportNodes && !printNodes(report, options.toRunOptions().time))
    return failToRead(report);
  if (options.reportFile.empty())
    return 0;
  if (llvm::StringRef(options.reportFile).ends_with(".md"))
    return writeMarkdown(options, compilation, report);
  return writeFile(options.reportFile, report + "\n");
}

static int writeTrace(const Options &options, const std::string &trace) {
  return options.traceFile.empty() ? 0
                                   : writeFile(options.traceFile, trace + "\n");
}

namespace {
/// The same model, placed by the rules of --view-against.
class OtherPlacement {
public:
  explicit OtherPlacement(const CompileOptions &like)
      : options(like.defaultProcessors) {
    options.copyFrom(like);
  }

  mlir::LogicalResult parse(const Options &run, const CompilationHost &host) {
    if (run.viewAgainst.empty())
      return mlir::success();
    options.set("rules", run.viewAgainst);
    return compilation.emplace(options, host).parse(run.model);
  }
  /// Null without such rules.
  Compilation *get() { return compilation ? &*compilation : nullptr; }

private:
  CompileOptions options;
  std::optional<Compilation> compilation;
};
} // namespace

/// Writes the page of a program that ran so many times.
static int writeView(const Options &options, Compilation &compilation,
                     Compilation *against, RunRecord record) {
  if (options.viewFile.empty())
    return 0;
  std::string page;
  llvm::raw_string_ostream os(page);
  if (mlir::failed(printPlacementPage(compilation, options.model,
                                      std::move(record), against, os)))
    return 1;
  return writeFile(options.viewFile, page);
}

/// Writes what was measured, for placement to go by.
static int writeProfile(const Options &options, const std::string &report,
                        const std::optional<ProgramParts> &parts) {
  if (options.profileFile.empty() || !parts)
    return 0;
  std::string text = "# Measured by hetero-run on " + options.model + "\n";
  llvm::raw_string_ostream stream(text);
  // One call warms up.
  if (!printMeasuredProfile(report, *parts, options.toRunOptions().time + 1,
                            stream))
    return failToRead(report);
  return writeFile(options.profileFile, text);
}

/// Looks at all files that are written when the program has run: nothing
/// overwrites another one, or the model.
static bool canWriteFiles(const Options &options, std::string &error) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"the model", options.model}};
  auto add = [&](const char *option, const std::string &path) {
    if (path.empty())
      return true;
    for (const auto &[other, known] : files)
      if (runner::areOneFile(path, known)) {
        error = std::string(option) + " would overwrite '" + path + "' of " +
                other + "; name another file";
        return false;
      }
    files.emplace_back(option, path);
    return runner::canWriteFile(path, error);
  };
  return llvm::all_of(
             options.outputs,
             [&](const auto &path) { return add("--output", path); }) &&
         llvm::all_of(options.saveState,
                      [&](const auto &text) {
                        return add(
                            "--state",
                            llvm::StringRef(text).split('=').second.str());
                      }) &&
         add("--report-file", options.reportFile) &&
         add("--trace", options.traceFile) &&
         add("--write-profile", options.profileFile) &&
         add("--view", options.viewFile);
}

/// True if the option is left out, or a number that something can differ by.
static bool isTolerance(const cl::opt<double> &option, std::string &error) {
  if (!option.getNumOccurrences() ||
      (std::isfinite(option.getValue()) && option >= 0))
    return true;
  error =
      ("expected --" + option.ArgStr + " to be a number of zero or more").str();
  return false;
}

/// Tells a virtual clock how long the host works, by the topology's numbers.
static void setHostTimes(Compilation &compilation) {
  std::optional<ProgramParts> parts = compilation.describeParts();
  std::vector<const char *> names;
  std::vector<uint64_t> times;
  for (const RegionDescription &region :
       parts ? llvm::ArrayRef(parts->regions)
             : llvm::ArrayRef<RegionDescription>()) {
    names.push_back(region.name.c_str());
    times.push_back(std::llround(region.seconds * 1e12));
  }
  heteroSetHostTimes(names.data(), times.data(), names.size());
}

/// What --requests goes by: the rate that placement predicts, and how many
/// requests that takes, unless the user says it.
static PredictedRate predictRequests(Compilation &compilation,
                                     runner::RunOptions &run) {
  mlir::FailureOr<PredictedRate> rate = predictRate(compilation);
  if (mlir::failed(rate))
    return {};
  setHostTimes(compilation);
  if (run.inFlight == 0)
    run.inFlight = rate->inFlight;
  return *rate;
}

/// Makes the calls. What is put on devices before requests is in no trace.
static bool execute(const Options &options, runner::RunOptions run,
                    const HeteroProgramEntry &entry,
                    const HeteroStateTable &states,
                    const runner::RunValues &values, std::string &error) {
  if (!run.requests) {
    if (!run.isQuiet)
      heteroTrace(options.isTraced());
    return runner::runEntry(entry, states, run, values, error);
  }
  if (!runner::mapDevices(run, error))
    return false;
  run.deviceMap.clear();
  if (heteroInitialize(entry.function) != HETERO_OK) {
    error = heteroLastError();
    return false;
  }
  if (!run.isQuiet)
    heteroTrace(options.isTraced());
  return runner::runRequests(entry, states, run, values, error);
}

/// Says why the run failed, and writes what happened up to there.
static int failRun(const Options &options, Compilation &compilation,
                   OtherPlacement &other,
                   const std::vector<std::string> &errors) {
  std::fflush(stdout);
  for (const std::string &error : errors)
    reportError(tool, error);
  std::string trace = takeString(heteroTraceJSON());
  writeTrace(options, trace);
  writeView(options, compilation, other.get(), {trace});
  return 1;
}

/// Adds the prediction to the report and prints how the requests went.
static bool reportRequests(const PredictedRate &rate, const std::string &trace,
                           std::string &report) {
  std::optional<std::string> whole = addPrediction(report, rate, trace);
  if (!whole)
    return false;
  report = std::move(*whole);
  return printRequestReport(report, llvm::outs());
}

/// Writes what was asked for of a run.
static int writeRun(const Options &options, Compilation &compilation,
                    OtherPlacement &other, int64_t numTimed,
                    const std::optional<PredictedRate> &rate,
                    const std::optional<ProgramParts> &parts, NodeRun *nodes) {
  std::fflush(stdout);
  std::string report = takeString(heteroReport());
  std::string trace = options.isTraced() ? takeString(heteroTraceJSON()) : "";
  if (rate && !reportRequests(*rate, trace, report))
    return failToRead(report);
  int status = writeReport(options, compilation, report);
  if (!status && nodes && options.report)
    nodes->printSummary(report, llvm::outs());
  if (!status)
    status = writeTrace(options, trace);
  if (!status)
    status = writeView(options, compilation, other.get(),
                       {trace, unsigned(numTimed) + 1});
  return status ? status : writeProfile(options, report, parts);
}

/// Runs the program, and writes what was asked for of the run.
static int runProgram(const Options &options, Program &program,
                      Compilation &compilation, OtherPlacement &other,
                      runner::RunOptions runOptions,
                      const runner::RunValues &values,
                      const std::optional<ProgramParts> &parts) {
  std::string error;
  const HeteroProgramEntry *entry =
      runner::findEntry(program.getEntries(), runOptions.entry, error);
  std::optional<PredictedRate> rate;
  if (runOptions.requests)
    rate = predictRequests(compilation, runOptions);
  runOptions.areRequestsEqual = program.getStates().numStates == 0;
  if (!execute(options, runOptions, *entry, program.getStates(), values, error))
    return failRun(options, compilation, other, {error});
  return writeRun(options, compilation, other, runOptions.time, rate, parts,
                  /*nodes=*/nullptr);
}

/// Tunes the placement, and runs the program that was kept.
static int runTuned(const Options &options, Compilation &compilation,
                    const CompilationHost &host, OtherPlacement &other,
                    const runner::RunOptions &runOptions,
                    const runner::RunValues &values) {
  std::optional<Tuning> tuning = tunePlacement(
      compilation, host, runOptions, values, runOptions.entry, options.tune);
  if (!tuning)
    return 1;
  printTuning(*tuning, options.report, llvm::outs());
  llvm::outs().flush();
  // The report is of the run that follows.
  heteroResetReport();
  if (options.reportNodes)
    heteroMeasure(HETERO_MEASURE_PARTS);
  int status =
      runProgram(options, *tuning->program, tuning->variant->getCompilation(),
                 other, runOptions, values, /*parts=*/std::nullopt);
  if (status || options.profileFile.empty())
    return status;
  return writeFile(options.profileFile,
                   "# Tuned by hetero-run on " + options.model + ", kept " +
                       tuning->getKept().name + "\n" + tuning->profile);
}

/// Reads what rank 0 takes, before anything is compiled.
using LoadValues = std::function<bool(runner::RunValues &, std::string &)>;

/// Says which options are for a program of one node only.
static bool checkOptionsOfNodes(const Options &options, std::string &error) {
  if (options.check.getNumOccurrences() || options.tune ||
      options.reportNodes || !options.profileFile.empty())
    error = "--check, --tune, --report-nodes and --write-profile are for "
            "programs of one node; leave them out, or use another topology";
  return error.empty();
}

/// Runs the ranks of the program that are this process's.
static int runOnNodes(const Options &options, NodeRun &nodes,
                      Compilation &compilation, OtherPlacement &other,
                      runner::RunOptions runOptions,
                      const LoadValues &loadValues) {
  std::string error;
  runner::RunValues values;
  if (!checkOptionsOfNodes(options, error) ||
      !runner::mapDevices(runOptions, error))
    return reportError(tool, error);
  runOptions.deviceMap.clear();
  std::optional<PredictedRate> rate;
  if (runOptions.requests)
    rate = predictRequests(compilation, runOptions);
  std::vector<std::string> errors = nodes.run(
      [&](std::string &error) { return loadValues(values, error); },
      [&](int32_t rank, Program &program, CallSpan::Member &span,
          std::string &error) {
        runner::RunOptions own =
            rank == 0 ? runOptions : runner::getOptionsOfOtherRank(runOptions);
        own.areRequestsEqual = program.getStates().numStates == 0;
        own.beforeCall = [&] { span.begin(); };
        own.afterCall = [&] { span.end(); };
        const HeteroProgramEntry *entry =
            runner::findEntry(program.getEntries(), own.entry, error);
        return entry &&
               execute(options, own, *entry, program.getStates(),
                       rank == 0 ? values : runner::RunValues(), error);
      });
  if (!nodes.hasFirstRank()) {
    for (const std::string &error : errors)
      reportError(tool, error);
    return !errors.empty();
  }
  if (!errors.empty())
    return failRun(options, compilation, other, errors);
  return writeRun(options, compilation, other, runOptions.time, rate,
                  /*parts=*/std::nullopt, &nodes);
}

static int
run(const Options &options, const CompileOptions &compileOptions,
    const std::function<void(mlir::DialectRegistry &)> &registerMore) {
  std::string error;
  std::optional<unsigned> numRandom = options.getRandomPlacements(error);
  runner::RunOptions runOptions = options.toRunOptions();
  runner::NodeOptions nodeOptions;
  if (!error.empty() || !options.setNodes(nodeOptions, error) ||
      !isTolerance(options.rtol, error) || !isTolerance(options.atol, error) ||
      !options.setRequests(runOptions, error))
    return reportError(tool, error);
  if (compileOptions.node >= 0)
    return reportError(tool, "--node is for files of hetero-compile; leave it "
                             "out: each rank compiles its own program");
  if (numRandom)
    requestRaceCheck();
  CompilationHost host{tool.str(), llvm::errs(), registerMore,
                       mlir::applyPassManagerCLOptions};
  Compilation compilation(compileOptions, host);
  if (mlir::failed(compilation.parse(options.model)))
    return 1;
  OtherPlacement other(compileOptions);
  if (mlir::failed(other.parse(options, host)))
    return 1;
  runOptions.entry = compileOptions.entry;
  // A wrong name, input or library must not cost a compilation.
  EntryTable table(compilation.getEntryPoints());
  const HeteroProgramEntry *entry =
      runner::findEntry(table.get(), runOptions.entry, error);
  if (!entry)
    return reportError(tool, error);
  compilation.setEntry(entry->name);
  runOptions.entry = entry->name;
  ProgramNodes nodes = describeNodes(compilation);
  runner::NodeRole role;
  if (!runner::chooseNodeRole(nodeOptions, nodes.count, tool.str(), role,
                              error))
    return reportError(tool, error);
  LoadValues loadValues = [&](runner::RunValues &values, std::string &error) {
    return runner::loadRunValues(*entry, runOptions, values, error) &&
           canWriteFiles(options, error);
  };
  if (role != runner::NodeRole::Alone) {
    NodeRun nodeRun(nodeOptions, role, nodes, compilation);
    return runOnNodes(options, nodeRun, compilation, other, runOptions,
                      loadValues);
  }
  runner::RunValues values;
  if (!loadValues(values, error))
    return reportError(tool, error);
  compilation.assumeShapes(entry->name, runner::getShapes(values.inputs));
  if (mlir::failed(adaptToThisProcess(compilation)))
    return 1;
  if (options.tune)
    return runTuned(options, compilation, host, other, runOptions, values);
  compilation.announceDevices();
  if (numRandom)
    return checkPlacements(compilation, host, runOptions, values, entry->name,
                           *numRandom);
  std::optional<ProgramParts> parts;
  if (!options.profileFile.empty())
    parts = compilation.describeParts();
  if (!options.profileFile.empty() || options.reportNodes)
    heteroMeasure(HETERO_MEASURE_PARTS);
  std::unique_ptr<Program> program = Program::compile(compilation);
  if (!program)
    return 1;
  return runProgram(options, *program, compilation, other, runOptions, values,
                    parts);
}

int mlir::hetero::runHeteroRun(int argc, char **argv,
                               RegisterDialects registerMore) {
  llvm::InitLLVM init(argc, argv);
  hideLibraryOptions();
  Options options;
  CompileOptions compileOptions(kNativeProcessor);
  CompileFlags flags(compileOptions);
  Plugins plugins;
  if (!checkOptionNames(argc, argv) || !checkOptionValues(argc, argv))
    return 1;
  cl::ParseCommandLineOptions(argc, argv,
                              "compiles an MLIR model and runs it\n");
  // A profile has the times of single operations, too, where there are any.
  if (options.reportNodes || (!options.profileFile.empty() && !options.tune))
    compileOptions.markNodes = true;
  std::string error;
  if (!plugins.load(error))
    return reportError(tool, error);
  int status = run(options, compileOptions, [&](DialectRegistry &registry) {
    registerMore(registry);
    plugins.registerDialects(registry);
  });
  // The driver sees that nothing is left, after an error too.
  heteroReset();
  return status;
}
