//===- TunePlacement.cpp - Places by what was measured --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first round is placed as without tuning. Then what is open goes to one
// device after the other, and later rounds are placed by all that was measured.
// Each placement is compiled in a context of its own; that of the shortest call
// is kept.
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Tuning/TunePlacement.h"

#include "ProfileFit.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::hetero;
namespace runner = ::hetero::runner;

namespace {
class PlacementTuner {
public:
  PlacementTuner(Compilation &model, const CompilationHost &host,
                 const runner::RunOptions &options,
                 const runner::RunValues &values, llvm::StringRef entry)
      : model(model), host(host), options(options), values(values),
        entry(entry) {}

  std::optional<Tuning> run(unsigned rounds);

private:
  using Change = llvm::function_ref<void(CompileOptions &)>;

  static std::unique_ptr<Program> compile(ProgramVariant &variant,
                                          ModuleOp source);
  bool compileKept();
  bool measure(TunedPlacement &placement, Change change);
  bool measureRound(unsigned round);
  void measureSingles();
  bool runProgram(ProgramVariant &variant, Program &program,
                  TunedPlacement &placement);
  std::string printProfile() const;
  void remarkOnSingles() const;
  llvm::raw_ostream &remark() const {
    return llvm::WithColor::remark(host.errors, host.name);
  }

  Compilation &model;
  const CompilationHost &host;
  const runner::RunOptions &options;
  const runner::RunValues &values;
  llvm::StringRef entry;
  ProfileFit fit;
  Tuning tuning;
};
} // namespace

//===----------------------------------------------------------------------===//
// What a run says
//===----------------------------------------------------------------------===//

/// Where each operation of a placed module is; none after an error.
static std::vector<std::string> listDevices(Compilation &compilation) {
  std::vector<std::string> devices;
  OwningOpRef<ModuleOp> placed =
      compilation.runUntil(Phase::Placed, /*isQuiet=*/true);
  if (placed)
    walkPlacedOperations(*placed, [&](Operation *op) {
      if (DeviceAttr device = getDevice(op); device && isPlaceable(op))
        devices.push_back(device.str());
    });
  return devices;
}

static std::string countByDevice(llvm::ArrayRef<std::string> devices) {
  std::map<std::string, unsigned> counts;
  for (const std::string &device : devices)
    ++counts[device];
  std::string text;
  for (const auto &[device, count] : counts)
    text += (text.empty() ? "" : ", ") + device + " " + std::to_string(count);
  return text;
}

/// Operations that are told apart by their places, those of one place together.
static std::vector<TunedPart>
listOperations(const MeasuredRun &run,
               const std::map<std::string, DeviceFit> &fits) {
  std::vector<TunedPart> parts;
  for (const MeasuredRegion &region : run.regions) {
    auto fit = fits.find(region.device);
    std::vector<double> seconds = ProfileFit::divide(
        region, fit == fits.end() ? DeviceFit() : fit->second);
    for (auto [operation, time] : llvm::zip(region.operations, seconds))
      parts.push_back({operation.op + " at " + operation.place, region.device,
                       operation.predicted * region.executions,
                       time * region.executions});
  }
  return parts;
}

static void describeRun(const MeasuredRun &run, const ProfileFit &fit,
                        TunedPlacement &placement) {
  placement.operations = listOperations(run, fit.fitDevices());
  for (const MeasuredCopies &copies : run.copies)
    placement.copies.push_back(
        {copies.value + ", " + std::to_string(copies.bytes) + " bytes",
         copies.from + " to " + copies.to, copies.predicted * copies.executions,
         copies.seconds * copies.executions});
  for (const auto &[device, sum] : sumByDevice(run))
    placement.devices.push_back({device, device, sum.predicted, sum.measured});
  for (const auto &[ends, sum] : sumByLink(run)) {
    std::string link = ends.first + " to " + ends.second;
    placement.links.push_back({link, link, sum.predicted, sum.measured});
  }
  for (const auto *parts : {&placement.devices, &placement.links})
    for (const TunedPart &part : *parts) {
      placement.predicted += part.predicted;
      placement.measured += part.measured;
    }
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

bool PlacementTuner::runProgram(ProgramVariant &variant, Program &program,
                                TunedPlacement &placement) {
  const HeteroProgramEntry *found =
      runner::findEntry(program.getEntries(), entry.str(), placement.failure);
  // The shortest of several: others use the machine, too.
  constexpr int64_t kFewestCalls = 5;
  int64_t calls = std::max(options.time, kFewestCalls);
  runner::MeasuredCalls measured;
  if (!found || !runner::measureEntry(*found, options, values, calls, measured,
                                      placement.failure)) {
    // What has failed must not fail what comes next.
    heteroReset();
    return false;
  }
  std::optional<ProgramParts> parts = variant.getCompilation().describeParts();
  std::optional<MeasuredRun> run =
      parts ? readMeasuredRun(measured.report, *parts, calls) : std::nullopt;
  if (!run) {
    placement.failure = "the runtime's report cannot be read";
    return false;
  }
  placement.call = measured.seconds;
  fit.add(*run);
  describeRun(*run, fit, placement);
  return true;
}

std::unique_ptr<Program> PlacementTuner::compile(ProgramVariant &variant,
                                                 ModuleOp source) {
  if (!variant.parse(source) ||
      failed(adaptToThisProcess(variant.getCompilation())))
    return nullptr;
  return Program::compile(variant.getCompilation());
}

/// Compiles with changed options, and measures; false where that fails.
bool PlacementTuner::measure(TunedPlacement &placement, Change change) {
  auto variant = std::make_unique<ProgramVariant>(model.getOptions(), host);
  change(variant->options);
  // Loops and kernels have times of their own.
  variant->options.markNodes = true;
  Compilation &compilation = variant->getCompilation();
  compilation.setEntry(entry);
  if (tuning.placements.empty())
    compilation.announceDevices();
  std::unique_ptr<Program> program = compile(*variant, model.getSource());
  // What was said of the first one is said of all.
  if (tuning.placements.empty())
    host.errors << variant->getMessages();
  if (!program) {
    placement.failure =
        "it does not compile: " +
        llvm::StringRef(variant->getMessages()).split('\n').first.str();
    return false;
  }
  placement.devicesOfOperations = listDevices(compilation);
  placement.counts = countByDevice(placement.devicesOfOperations);
  if (!runProgram(*variant, *program, placement))
    return false;
  size_t index = tuning.placements.size();
  if (tuning.variant && placement.call >= tuning.getKept().call)
    return true;
  // The program is of the compilation that goes.
  tuning.program = std::move(program);
  tuning.variant = std::move(variant);
  tuning.kept = index;
  return true;
}

bool PlacementTuner::measureRound(unsigned round) {
  TunedPlacement placement;
  placement.name = "round " + std::to_string(round);
  placement.isRound = true;
  std::string profile = round == 1 ? "" : printProfile();
  bool isGood = measure(placement, [&](CompileOptions &options) {
    if (round > 1)
      options.profile = profile;
  });
  if (!isGood)
    (void)model.fail("cannot measure " + placement.name +
                     " of --tune: " + placement.failure);
  tuning.placements.push_back(std::move(placement));
  return isGood;
}

/// All that nothing else places on one device after the other.
void PlacementTuner::measureSingles() {
  std::optional<ProgramParts> parts =
      tuning.variant->getCompilation().describeParts();
  std::vector<std::string> devices;
  if (parts)
    for (DeviceIndex i = 0; i < parts->topology.size(); ++i)
      devices.push_back(parts->topology.getDevice(i).str());
  for (const std::string &device : devices) {
    TunedPlacement placement;
    placement.name = "all on " + device;
    if (!measure(placement, [&](CompileOptions &options) {
          options.defaultDevice = device;
        }))
      remark() << "--tune cannot measure " << placement.name << ": "
               << placement.failure << "\n";
    tuning.placements.push_back(std::move(placement));
  }
}

std::string PlacementTuner::printProfile() const {
  std::string text =
      "# Measured with --tune: " + std::to_string(tuning.placements.size()) +
      " placements\n";
  llvm::raw_string_ostream os(text);
  fit.print(os);
  return text;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

static std::string inMicroseconds(double seconds) {
  return llvm::formatv("{0:f1} us", seconds * 1e6);
}

/// Says where a single device was faster than a placement that should have been
/// the best.
void PlacementTuner::remarkOnSingles() const {
  const TunedPlacement *single = nullptr;
  for (const TunedPlacement &placement : tuning.placements)
    if (!placement.isRound && placement.failure.empty() &&
        (!single || placement.call < single->call))
      single = &placement;
  for (const TunedPlacement &placement : tuning.placements) {
    if (!single || !placement.isRound || placement.call <= single->call ||
        placement.devicesOfOperations == single->devicesOfOperations)
      continue;
    remark() << "the model was wrong: " << placement.name << " takes "
             << inMicroseconds(placement.call) << " a call (predicted "
             << inMicroseconds(placement.predicted) << "), " << single->name
             << " takes " << inMicroseconds(single->call) << " (predicted "
             << inMicroseconds(single->predicted) << ")\n";
  }
}

/// Makes the program that was asked for: without marks, with all entry points.
bool PlacementTuner::compileKept() {
  auto variant =
      std::make_unique<ProgramVariant>(tuning.variant->options, host);
  variant->options.markNodes = model.getOptions().markNodes.getValue();
  variant->getCompilation().setEntry(model.getEntry());
  tuning.program = compile(*variant, model.getSource());
  if (!tuning.program)
    host.errors << variant->getMessages();
  tuning.variant = std::move(variant);
  return tuning.program != nullptr;
}

std::optional<Tuning> PlacementTuner::run(unsigned rounds) {
  if (!measureRound(1))
    return std::nullopt;
  measureSingles();
  size_t last = 0;
  for (unsigned round = 2; round <= rounds && !tuning.isSettled; ++round) {
    if (!measureRound(round))
      return std::nullopt;
    size_t next = tuning.placements.size() - 1;
    tuning.isSettled = tuning.placements[next].devicesOfOperations ==
                       tuning.placements[last].devicesOfOperations;
    last = next;
  }
  remarkOnSingles();
  tuning.profile = printProfile();
  if (!compileKept())
    return std::nullopt;
  return std::move(tuning);
}

std::optional<Tuning>
mlir::hetero::tunePlacement(Compilation &model, const CompilationHost &host,
                            const runner::RunOptions &options,
                            const runner::RunValues &values,
                            llvm::StringRef entry, unsigned rounds) {
  return PlacementTuner(model, host, options, values, entry).run(rounds);
}
