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

static constexpr llvm::StringLiteral tool = "hetero-run";

namespace {
struct Options {
  cl::opt<std::string> model{cl::Positional, cl::Required,
                             cl::desc("<model.mlir>")};
  cl::list<std::string> inputs{
      "input",
      cl::desc("An argument: 5x7xf32=1.5, 3xi32=1,2,3, 5x7xf32=iota, "
               "=random:SEED, =randint:SEED, i32=3, @FILE.npy"),
      cl::value_desc("value")};
  cl::list<std::string> outputs{
      "output", cl::desc("Write a result as .npy; repeat for the next result"),
      cl::value_desc("file")};
  cl::list<std::string> expected{
      "expected",
      cl::desc("Compare a result, as --input; repeat for the next result"),
      cl::value_desc("value")};
  cl::list<std::string> loadState{
      "load-state",
      cl::desc("Set what the program keeps, NAME=VALUE with a value as "
               "--input, before the first call"),
      cl::value_desc("name=value")};
  cl::list<std::string> saveState{
      "state",
      cl::desc("Write what the program keeps, NAME=FILE, as .npy after the "
               "last call"),
      cl::value_desc("name=file")};
  cl::opt<double> rtol{"rtol", cl::init(-1),
                       cl::desc("Relative difference that --expected allows")};
  cl::opt<double> atol{"atol", cl::init(-1),
                       cl::desc("Absolute difference that --expected allows")};
  cl::opt<unsigned> time{"time", cl::init(0),
                         cl::desc("Time this many calls after one to warm up")};
  cl::opt<std::string> requests{
      "requests",
      cl::desc("Serve this many requests, several at once, and print their "
               "rate; inputs, outputs and expected results are those of one "
               "request, or of all, one after the other"),
      cl::value_desc("N")};
  cl::opt<std::string> inFlight{
      "in-flight",
      cl::desc("How many requests are under way at once; default: as many as "
               "keep the busiest device or link busy and fit into memory"),
      cl::value_desc("K")};
  cl::opt<unsigned> printMax{
      "print-max", cl::init(1024),
      cl::desc("Print at most this many elements of a result")};
  cl::opt<bool> report{"report",
                       cl::desc("Print copies, kernels, host regions, and "
                                "memory and waits of each device")};
  cl::opt<bool> reportNodes{
      "report-nodes",
      cl::desc("Measure kernels and host regions, and print how long a call "
               "works for which operations of the source")};
  cl::opt<std::string> reportFile{
      "report-file",
      cl::desc("Write the report as JSON, or, to a name "
               "that ends in .md, where everything "
               "runs and what it costs, to read"),
      cl::value_desc("file")};
  cl::opt<std::string> profileFile{
      "write-profile",
      cl::desc("Measure the kernels and host regions of --time calls, at least "
               "3, and write the times of their operations for --profile"),
      cl::value_desc("file")};
  cl::opt<unsigned> tune{
      "tune", cl::init(0),
      cl::desc("Place, run, measure, and place again by what was measured, at "
               "most N times, and all of it on each device; then run what was "
               "the fastest. --report has the errors of the predictions, and "
               "--write-profile keeps what was measured"),
      cl::value_desc("N")};
  cl::opt<std::string> traceFile{
      "trace",
      cl::desc("Write when kernels, copies, host regions and waits were, for "
               "Perfetto or chrome://tracing"),
      cl::value_desc("file")};
  cl::opt<std::string> viewFile{
      "view",
      cl::desc("Write a web page that shows where everything runs, what it "
               "costs, and when it ran"),
      cl::value_desc("file")};
  cl::opt<std::string> viewAgainst{
      "view-against",
      cl::desc("Compare on the page of --view with the placement by these "
               "rules, as --rules takes them"),
      cl::value_desc("rules")};
  cl::opt<std::string> deviceMap{
      "device-map",
      cl::desc("Which device of the machine serves which of the program, for "
               "example gpu:1=gpu:0"),
      cl::value_desc("map")};

  cl::opt<std::string> check{
      "check", cl::ValueOptional,
      cl::desc("Compare the results as placed, on the host, on each device and "
               "in N random placements, with a check for races; default: 3"),
      cl::value_desc("N")};

  /// How many random placements are checked; none without --check.
  std::optional<unsigned> getRandomPlacements(std::string &error) const {
    unsigned count = 3;
    if (!check.empty() && llvm::StringRef(check).getAsInteger(10, count))
      error = "expected --check to be a number, got '" + check + "'";
    if (!check.getNumOccurrences() || !error.empty())
      return std::nullopt;
    if (!outputs.empty() || !expected.empty() || !saveState.empty() || time ||
        tune || report || reportNodes || !reportFile.empty() ||
        !profileFile.empty() || !traceFile.empty() || !viewFile.empty())
      error =
          "--check runs many placements; leave out --output, --expected, "
          "--state, --time, --tune, --report, --report-nodes, --report-file, "
          "--write-profile, --trace and --view";
    return count;
  }

  /// Reads --requests and --in-flight; false where they make no sense.
  bool setRequests(runner::RunOptions &run, std::string &error) const {
    if (!requests.getNumOccurrences()) {
      if (inFlight.getNumOccurrences())
        error = "--in-flight says how many of --requests=N are under way at "
                "once; add --requests";
      return error.empty();
    }
    if (time || reportNodes || !profileFile.empty() || !viewFile.empty() ||
        check.getNumOccurrences())
      error =
          "--requests takes the times of many calls that overlap; leave out "
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

  /// True if somebody wants to know when everything ran.
  bool isTraced() const {
    return !traceFile.empty() || !viewFile.empty() || reportsRequests();
  }
  /// How busy devices and links were a trace says.
  bool reportsRequests() const {
    return requests.getNumOccurrences() && (report || !reportFile.empty());
  }
  runner::RunOptions toRunOptions() const {
    runner::RunOptions run;
    run.tool = tool.str();
    run.inputs.assign(inputs.begin(), inputs.end());
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
};
} // namespace

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
    options.copyOptionValuesFrom(like);
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
  FailureOr<PredictedRate> rate = predictRate(compilation);
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
  heteroTrace(options.isTraced());
  return runner::runRequests(entry, states, run, values, error);
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
  if (!execute(options, runOptions, *entry, program.getStates(), values,
               error)) {
    std::fflush(stdout);
    int status = reportError(tool, error);
    // What happened up to there.
    std::string trace = takeString(heteroTraceJSON());
    writeTrace(options, trace);
    writeView(options, compilation, other.get(), {trace});
    return status;
  }
  std::fflush(stdout);
  std::string report = takeString(heteroReport());
  std::string trace = options.isTraced() ? takeString(heteroTraceJSON()) : "";
  if (rate && !reportRequests(*rate, trace, report))
    return failToRead(report);
  int status = writeReport(options, compilation, report);
  if (!status)
    status = writeTrace(options, trace);
  if (!status)
    status = writeView(options, compilation, other.get(),
                       {trace, unsigned(runOptions.time) + 1});
  return status ? status : writeProfile(options, report, parts);
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

static int
run(const Options &options, const CompileOptions &compileOptions,
    const std::function<void(mlir::DialectRegistry &)> &registerMore) {
  std::string error;
  std::optional<unsigned> numRandom = options.getRandomPlacements(error);
  runner::RunOptions runOptions = options.toRunOptions();
  if (!error.empty() || !isTolerance(options.rtol, error) ||
      !isTolerance(options.atol, error) ||
      !options.setRequests(runOptions, error))
    return reportError(tool, error);
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
  runner::RunValues values;
  if (!entry || !runner::loadRunValues(*entry, runOptions, values, error) ||
      !canWriteFiles(options, error))
    return reportError(tool, error);
  if (mlir::failed(adaptToThisProcess(compilation)))
    return 1;
  compilation.setEntry(entry->name);
  runOptions.entry = entry->name;
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
