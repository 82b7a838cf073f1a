//===- CheckPlacements.cpp - Runs a model placed in many ways -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each placement is a copy of the source, compiled and run as any program. The
// search for an operation compares placed modules, whose operations are those
// of every placement of one source, one by one: their values are returned
// besides the results.
//
//===----------------------------------------------------------------------===//

#include "CheckPlacements.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Compiler/PlacementVariants.h"
#include "hetero/Compiler/Program.h"
#include "hetero/Compiler/Tuning/ProgramVariant.h"

using namespace mlir;
using namespace mlir::hetero;
namespace runner = ::hetero::runner;

namespace {
/// One placement of the model.
class Variant : public ProgramVariant {
public:
  using ProgramVariant::ProgramVariant;

  /// The placed module, or null with what is in the way.
  OwningOpRef<ModuleOp> place(std::string &error);
  /// Compiles and runs the entry point, after which the gpus must still work;
  /// false with what is wrong.
  bool run(llvm::StringRef entry, const runner::RunOptions &options,
           const runner::RunValues &values, ArrayRef<int32_t> gpus,
           runner::RunResults &results, std::string &error);
};

/// Values by number among those that can be compared.
using Values = std::vector<runner::HostValue>;

class PlacementCheck {
public:
  PlacementCheck(Compilation &model, const CompilationHost &host,
                 const runner::RunOptions &given,
                 const runner::RunValues &values, llvm::StringRef entry)
      : model(model), host(host), options(given), values(values), entry(entry) {
    options.readsState = true;
  }

  int run(unsigned numRandom);

private:
  using Change = llvm::function_ref<void(ModuleOp)>;
  /// A value in between that differs, and how.
  struct Difference {
    size_t index;
    std::string error;
  };

  bool makeReference();
  bool isPresent(DeviceAttr device, std::string &why);
  void skip(const llvm::Twine &name, const llvm::Twine &why);
  void check(const llvm::Twine &name, std::optional<std::string> device,
             Change change);
  bool compareState(const runner::NamedValue &got, std::string &error);
  bool compare(const runner::RunResults &got, std::string &error);
  void printFirst(Variant &variant);
  bool runPlaced(ModuleOp placed, std::optional<size_t> only, Values &results);
  std::optional<std::string> compareAlone(ModuleOp want, ModuleOp got,
                                          size_t index);
  std::optional<Difference> findFirst(ModuleOp want, ModuleOp got,
                                      size_t count);
  std::string describe(OpResult value);
  std::unique_ptr<Variant> makeVariant(ModuleOp source,
                                       std::optional<std::string> device);

  Compilation &model;
  const CompilationHost &host;
  runner::RunOptions options;
  const runner::RunValues &values;
  llvm::StringRef entry;
  std::unique_ptr<Variant> reference;
  /// Those of the program that the machine has.
  SmallVector<int32_t> gpus;
  /// The results of the reference, and the values in between once asked for.
  runner::RunResults expected;
  Values between;
  unsigned numRun = 0, numWrong = 0, numSkipped = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

/// The text of the first error among diagnostics.
static std::string getFirstError(llvm::StringRef messages) {
  constexpr llvm::StringLiteral kError = "error: ";
  size_t begin = messages.find(kError);
  if (begin == llvm::StringRef::npos)
    return messages.split('\n').first.str();
  return messages.drop_front(begin + kError.size()).split('\n').first.str();
}

OwningOpRef<ModuleOp> Variant::place(std::string &error) {
  OwningOpRef<ModuleOp> placed =
      getCompilation().runUntil(Phase::Placed, /*isQuiet=*/false);
  if (!placed)
    error = getFirstError(getMessages());
  // Compiling says everything again.
  dropMessages();
  return placed;
}

/// Whether a device takes work: what went wrong after the program had all that
/// it needs from it, like a race, is known then.
static bool takesWork(int32_t device, std::string &error) {
  float number = 0;
  HeteroValue host = {}, copy = {};
  host.type = copy.type = HETERO_TYPE_F32;
  host.device = HETERO_HOST;
  host.data = &number;
  bool isWell = heteroAllocateValue(&copy, device) == HETERO_OK &&
                heteroCopyValue(&copy, &host) == HETERO_OK;
  if (!isWell)
    error = heteroLastError();
  heteroReleaseValue(&copy);
  return isWell;
}

bool Variant::run(llvm::StringRef entry, const runner::RunOptions &options,
                  const runner::RunValues &values, ArrayRef<int32_t> gpus,
                  runner::RunResults &results, std::string &error) {
  std::unique_ptr<Program> program = Program::compile(getCompilation());
  if (!program) {
    error = "does not compile: " + getMessages();
    return false;
  }
  const HeteroProgramEntry *found =
      runner::findEntry(program->getEntries(), entry.str(), error);
  if (found &&
      runner::callEntry(*found, program->getStates(), options, values, results,
                        error) &&
      llvm::all_of(gpus, [&](int32_t gpu) { return takesWork(gpu, error); }))
    return true;
  // What has failed must not fail what comes next.
  heteroReset();
  return false;
}

/// With `device`, which may be empty, no option but that default says where
/// operations are placed.
std::unique_ptr<Variant>
PlacementCheck::makeVariant(ModuleOp source,
                            std::optional<std::string> device) {
  auto variant = std::make_unique<Variant>(model.getOptions(), host);
  if (device) {
    variant->options.rules = "";
    variant->options.schedule = "";
    variant->options.defaultDevice = *device;
  }
  // A driver compiles PTX itself, for one run.
  variant->options.cubins = false;
  variant->getCompilation().setEntry(entry);
  return variant->parse(source) ? std::move(variant) : nullptr;
}

//===----------------------------------------------------------------------===//
// The first operation that differs
//===----------------------------------------------------------------------===//

static func::FuncOp getEntry(ModuleOp module, llvm::StringRef name) {
  return module.lookupSymbol<func::FuncOp>(name);
}

/// Runs a placed module that returns its values too: all of them, or one.
bool PlacementCheck::runPlaced(ModuleOp placed, std::optional<size_t> only,
                               Values &results) {
  OwningOpRef<ModuleOp> copy = placed.clone();
  func::FuncOp function = getEntry(*copy, entry);
  SmallVector<OpResult> all = collectComparableValues(function);
  returnToo(function, only ? ArrayRef(all).slice(*only, 1) : ArrayRef(all));
  std::unique_ptr<Variant> variant = makeVariant(*copy, "");
  std::string error;
  runner::RunResults returned;
  if (!variant)
    return false;
  // It is on the module already.
  variant->options.topology = "";
  if (!variant->run(entry, options, values, gpus, returned, error))
    return false;
  results.assign(returned.values.begin() + expected.values.size(),
                 returned.values.end());
  return true;
}

/// How the values of this number differ where no other is kept; empty if they
/// do not. Nothing if they cannot be kept.
std::optional<std::string>
PlacementCheck::compareAlone(ModuleOp want, ModuleOp got, size_t index) {
  Values expectedValue, value;
  std::string error;
  if (!runPlaced(want, index, expectedValue) || !runPlaced(got, index, value))
    return std::nullopt;
  if (runner::compareRounded(value[0], expectedValue[0], options.tolerance,
                             error))
    error.clear();
  return error;
}

/// The first value that differs, first of all values in one run. Kept values
/// change what is fused, so that the difference may be gone; then one value at
/// a time is kept, by bisection.
std::optional<PlacementCheck::Difference>
PlacementCheck::findFirst(ModuleOp want, ModuleOp got, size_t count) {
  Values values;
  std::string error;
  if (between.empty())
    (void)runPlaced(want, std::nullopt, between);
  if (between.size() == count && runPlaced(got, std::nullopt, values))
    for (size_t i = 0; i < count; ++i)
      if (!runner::compareRounded(values[i], between[i], options.tolerance,
                                  error))
        return Difference{i, error};
  std::optional<Difference> found;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    std::optional<std::string> difference = compareAlone(want, got, middle);
    if (!difference)
      return std::nullopt;
    if (difference->empty()) {
      low = middle + 1;
      continue;
    }
    found = Difference{middle, *difference};
    high = middle;
  }
  return found;
}

static bool haveSameOperations(ArrayRef<OpResult> values,
                               ArrayRef<OpResult> others) {
  return values.size() == others.size() &&
         llvm::all_of_zip(values, others, [](OpResult value, OpResult other) {
           return value.getOwner()->getName().getStringRef() ==
                  other.getOwner()->getName().getStringRef();
         });
}

/// As the source names the operation: placement converts some.
std::string PlacementCheck::describe(OpResult value) {
  Operation *op = value.getOwner();
  std::string where = describeLocation(op->getLoc());
  std::string name = op->getName().getStringRef().str();
  for (Operation &original :
       getEntry(model.getSource(), entry).getBody().front())
    if (describeLocation(original.getLoc()) == where)
      name = original.getName().getStringRef().str();
  std::string text = "'" + name + "' op at " + where;
  if (DeviceAttr device = getDevice(op))
    text += " on " + device.str();
  if (op->getNumResults() > 1)
    text += ", result " + std::to_string(value.getResultNumber());
  return text;
}

void PlacementCheck::printFirst(Variant &variant) {
  OwningOpRef<ModuleOp> want =
      reference->getCompilation().runUntil(Phase::Placed, /*isQuiet=*/true);
  OwningOpRef<ModuleOp> got =
      variant.getCompilation().runUntil(Phase::Placed, /*isQuiet=*/true);
  std::optional<Difference> first;
  SmallVector<OpResult> values;
  if (want && got) {
    values = collectComparableValues(getEntry(*got, entry));
    if (haveSameOperations(collectComparableValues(getEntry(*want, entry)),
                           values))
      first = findFirst(*want, *got, values.size());
  }
  if (first)
    llvm::outs() << "  first: " << describe(values[first->index]) << ": "
                 << first->error << "\n";
  else
    llvm::outs() << "  no value in between can be compared\n";
}

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

/// State by its name: a placement may keep it in another order.
bool PlacementCheck::compareState(const runner::NamedValue &got,
                                  std::string &error) {
  for (const runner::NamedValue &want : expected.states)
    if (want.name == got.name)
      return runner::compareRounded(got.value, want.value, options.tolerance,
                                    error);
  return true;
}

bool PlacementCheck::compare(const runner::RunResults &got,
                             std::string &error) {
  for (auto [index, value] : llvm::enumerate(got.values)) {
    if (runner::compareRounded(value, expected.values[index], options.tolerance,
                               error))
      continue;
    error = "result[" + std::to_string(index) + "] differs: " + error;
    return false;
  }
  for (const runner::NamedValue &state : got.states) {
    if (compareState(state, error))
      continue;
    error = "state '" + state.name + "' differs: " + error;
    return false;
  }
  return true;
}

bool PlacementCheck::makeReference() {
  OwningOpRef<ModuleOp> source = model.getSource().clone();
  forgetPlacement(*source);
  reference = makeVariant(*source, "cpu:0");
  std::string error = "cannot be read";
  if (!reference ||
      !reference->run(entry, options, values, gpus, expected, error)) {
    llvm::outs() << "all on cpu:0: " << error << "\n";
    return false;
  }
  llvm::outs() << "all on cpu:0: " << expected.values.size() << " result(s)";
  if (!expected.states.empty())
    llvm::outs() << " and " << expected.states.size() << " state(s)";
  llvm::outs() << " that the others must have\n";
  return true;
}

/// Whether the machine has the device; it may have any of a kind that is not
/// the runtime's own, and of which a map says what stands for it.
bool PlacementCheck::isPresent(DeviceAttr device, std::string &why) {
  const char *map = std::getenv("HETERO_DEVICE_MAP");
  if (device.getKind() != "gpu" || !options.deviceMap.empty() || (map && *map))
    return true;
  int32_t count = 0;
  if (heteroDeviceCount(&count) != HETERO_OK)
    why = heteroLastError();
  else if (int64_t(device.getOrdinal()) >= count)
    why = "the machine has " + std::to_string(count) +
          " gpu(s); --device-map says what stands for it";
  return why.empty();
}

void PlacementCheck::skip(const llvm::Twine &name, const llvm::Twine &why) {
  ++numSkipped;
  llvm::outs() << name << ": skipped: " << why << "\n";
}

void PlacementCheck::check(const llvm::Twine &name,
                           std::optional<std::string> device, Change change) {
  OwningOpRef<ModuleOp> source = model.getSource().clone();
  change(*source);
  std::unique_ptr<Variant> variant = makeVariant(*source, device);
  runner::RunResults got;
  std::string error;
  if (!variant) {
    ++numRun, ++numWrong;
    llvm::outs() << name << ": cannot be read again\n";
    return;
  }
  OwningOpRef<ModuleOp> placed = variant->place(error);
  // A machine may have no room for it, for example.
  if (!placed)
    return skip(name, error);
  Remainder remainder;
  if (device && !device->empty()) {
    remainder = collectRemainder(*placed, *device);
    if (!remainder.isUsed)
      return skip(name, remainder.lines.empty()
                            ? "no operation can run there"
                            : "no operation can run there: " +
                                  remainder.lines.front());
  }
  ++numRun;
  bool hasRun = variant->run(entry, options, values, gpus, got, error);
  bool isSame = hasRun && compare(got, error);
  numWrong += !isSame;
  llvm::outs() << name << ": " << (isSame ? "same" : error) << "\n";
  for (const std::string &line : remainder.lines)
    llvm::outs() << "  on cpu:0 instead: " << line << "\n";
  if (hasRun && !isSame)
    printFirst(*variant);
  llvm::outs().flush();
}

int PlacementCheck::run(unsigned numRandom) {
  if (Phase phase = getPhase(model.getSource()); phase > Phase::Placed) {
    (void)model.fail("--check places the program again, expected one before "
                     "hetero-materialize-copies, got phase '" +
                     stringifyPhase(phase) + "'");
    return 1;
  }
  OwningOpRef<ModuleOp> placed =
      model.runUntil(Phase::Placed, /*isQuiet=*/false);
  if (!placed)
    return 1;
  Topology topology = Topology::get(*placed);
  SmallVector<DeviceIndex> present = {Topology::kHost};
  SmallVector<std::string> missing(topology.size());
  for (DeviceIndex device = 1; device < topology.size(); ++device) {
    DeviceAttr attr = topology.getDevice(device);
    if (!isPresent(attr, missing[device]))
      continue;
    present.push_back(device);
    if (attr.getKind() == "gpu")
      gpus.push_back(int32_t(attr.getOrdinal()));
  }
  if (!makeReference())
    return 1;
  check("as placed", std::nullopt, [](ModuleOp) {});
  for (DeviceIndex device = 1; device < topology.size(); ++device) {
    std::string name = topology.getDevice(device).str();
    if (missing[device].empty())
      check("all on " + name, name, forgetPlacement);
    else
      skip("all on " + name, missing[device]);
  }
  for (unsigned seed = 1; seed <= numRandom; ++seed)
    check("random placement " + llvm::Twine(seed), "", [&](ModuleOp source) {
      forgetPlacement(source);
      placeRandomly(source, topology, present, seed);
    });
  llvm::outs() << numRun << " placements, " << numWrong << " differ";
  if (numSkipped)
    llvm::outs() << ", " << numSkipped << " skipped";
  llvm::outs() << "\n";
  return numWrong != 0;
}

void mlir::hetero::requestRaceCheck() {
  const char *present = std::getenv("HETERO_EMULATOR");
  std::string text = present ? present : "";
  for (llvm::StringRef option : {"check=races", "schedule=random"})
    if (!llvm::StringRef(text).contains(option.split('=').first.str() + "="))
      text += (text.empty() ? "" : ",") + option.str();
  setenv("HETERO_EMULATOR", text.c_str(), /*overwrite=*/1);
}

int mlir::hetero::checkPlacements(Compilation &model,
                                  const CompilationHost &host,
                                  const runner::RunOptions &options,
                                  const runner::RunValues &values,
                                  llvm::StringRef entry, unsigned numRandom) {
  return PlacementCheck(model, host, options, values, entry).run(numRandom);
}
