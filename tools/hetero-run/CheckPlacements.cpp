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
#include "mlir/Bytecode/BytecodeWriter.h"

using namespace mlir;
using namespace mlir::hetero;
namespace runner = ::hetero::runner;

namespace {
/// One placement of the model.
class Variant {
public:
  Variant(const CompileOptions &options, const CompilationHost &host)
      : options(options.defaultProcessors), errors(messages) {
    this->options.copyOptionValuesFrom(options);
    CompilationHost quiet{host.name, errors, host.extendRegistry,
                          host.configurePasses};
    compilation.emplace(this->options, quiet);
  }

  bool parse(ModuleOp source);
  /// Compiles and runs the entry point; false with what is wrong.
  bool run(llvm::StringRef entry, const runner::RunOptions &options,
           const runner::RunValues &values,
           std::vector<runner::HostValue> &results, std::string &error);

  CompileOptions options;
  std::optional<Compilation> compilation;

private:
  std::string messages;
  llvm::raw_string_ostream errors;
};

/// Values by number among those that can be compared.
using Values = std::vector<runner::HostValue>;

class PlacementCheck {
public:
  PlacementCheck(Compilation &model, const CompilationHost &host,
                 const runner::RunOptions &options,
                 const runner::RunValues &values, llvm::StringRef entry)
      : model(model), host(host), options(options), values(values),
        entry(entry) {}

  int run(unsigned numRandom);

private:
  using Change = llvm::function_ref<void(ModuleOp)>;
  /// A value in between that differs, and how.
  struct Difference {
    size_t index;
    std::string error;
  };

  bool makeReference();
  void check(const llvm::Twine &name, std::optional<std::string> device,
             Change change);
  bool compare(const Values &got, std::string &error);
  void printFirst(Variant &variant);
  bool runPlaced(ModuleOp placed, std::optional<size_t> only, Values &results);
  std::string compareAlone(ModuleOp want, ModuleOp got, size_t index);
  std::optional<Difference> findFirst(ModuleOp want, ModuleOp got,
                                      size_t count);
  std::string describe(OpResult value);
  std::unique_ptr<Variant> makeVariant(ModuleOp source,
                                       std::optional<std::string> device);

  Compilation &model;
  const CompilationHost &host;
  const runner::RunOptions &options;
  const runner::RunValues &values;
  llvm::StringRef entry;
  std::unique_ptr<Variant> reference;
  /// The results of the reference, and the values in between once asked for.
  Values expected, between;
  unsigned numRun = 0, numWrong = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

bool Variant::parse(ModuleOp source) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  return succeeded(writeBytecodeToFile(source, stream)) &&
         succeeded(compilation->parse(
             llvm::MemoryBuffer::getMemBufferCopy(text, "placement")));
}

bool Variant::run(llvm::StringRef entry, const runner::RunOptions &options,
                  const runner::RunValues &values, Values &results,
                  std::string &error) {
  std::unique_ptr<Program> program = Program::compile(*compilation);
  if (!program) {
    error = "does not compile: " + messages;
    return false;
  }
  const HeteroProgramEntry *found =
      runner::findEntry(program->getEntries(), entry.str(), error);
  if (found && runner::callEntry(*found, options, values, results, error))
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
  variant->compilation->setEntry(entry);
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
  Values returned;
  if (!variant)
    return false;
  // It is on the module already.
  variant->options.topology = "";
  if (!variant->run(entry, options, values, returned, error))
    return false;
  results.assign(returned.begin() + expected.size(), returned.end());
  return true;
}

/// How the values of this number differ where no other is kept; empty if they
/// do not.
std::string PlacementCheck::compareAlone(ModuleOp want, ModuleOp got,
                                         size_t index) {
  Values expectedValue, value;
  std::string error = "it cannot be run alone";
  if (runPlaced(want, index, expectedValue) && runPlaced(got, index, value) &&
      runner::compareRounded(value[0], expectedValue[0], options.tolerance,
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
    error = compareAlone(want, got, middle);
    if (error.empty()) {
      low = middle + 1;
      continue;
    }
    found = Difference{middle, error};
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
      reference->compilation->runUntil(Phase::Placed, /*isQuiet=*/true);
  OwningOpRef<ModuleOp> got =
      variant.compilation->runUntil(Phase::Placed, /*isQuiet=*/true);
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

bool PlacementCheck::compare(const Values &got, std::string &error) {
  for (auto [index, value] : llvm::enumerate(got)) {
    if (runner::compareRounded(value, expected[index], options.tolerance,
                               error))
      continue;
    error = "result[" + std::to_string(index) + "] differs: " + error;
    return false;
  }
  return true;
}

bool PlacementCheck::makeReference() {
  OwningOpRef<ModuleOp> source = model.getSource().clone();
  forgetPlacement(*source);
  reference = makeVariant(*source, "cpu:0");
  std::string error = "cannot be read";
  if (reference && reference->run(entry, options, values, expected, error)) {
    llvm::outs() << "all on cpu:0: " << expected.size()
                 << " result(s) that the others must have\n";
    return true;
  }
  llvm::outs() << "all on cpu:0: " << error << "\n";
  return false;
}

void PlacementCheck::check(const llvm::Twine &name,
                           std::optional<std::string> device, Change change) {
  ++numRun;
  OwningOpRef<ModuleOp> source = model.getSource().clone();
  change(*source);
  std::unique_ptr<Variant> variant = makeVariant(*source, device);
  Values got;
  std::string error = "cannot be read";
  bool hasRun = variant && variant->run(entry, options, values, got, error);
  bool isSame = hasRun && compare(got, error);
  numWrong += !isSame;
  llvm::outs() << name << ": " << (isSame ? "same" : error) << "\n";
  if (hasRun && !isSame)
    printFirst(*variant);
  llvm::outs().flush();
}

int PlacementCheck::run(unsigned numRandom) {
  OwningOpRef<ModuleOp> placed =
      model.runUntil(Phase::Placed, /*isQuiet=*/false);
  if (!placed)
    return 1;
  if (!makeReference())
    return 1;
  Topology topology = Topology::get(*placed);
  check("as placed", std::nullopt, [](ModuleOp) {});
  for (DeviceIndex device = 1; device < topology.size(); ++device) {
    std::string name = topology.getDevice(device).str();
    check("all on " + name, name, forgetPlacement);
  }
  for (unsigned seed = 1; seed <= numRandom; ++seed)
    check("random placement " + llvm::Twine(seed), "", [&](ModuleOp source) {
      forgetPlacement(source);
      placeRandomly(source, topology, seed);
    });
  llvm::outs() << numRun << " placements, " << numWrong << " differ\n";
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
