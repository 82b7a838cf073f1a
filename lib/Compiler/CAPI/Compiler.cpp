//===- Compiler.cpp - C API of the compiler -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero-c/Compiler.h"

#include "ImportedModel.h"
#include "Options.h"
#include "hetero-c/Import.h"
#include "hetero/Compiler/Compilation.h"
#include "hetero/Compiler/Outputs.h"
#include "hetero/Compiler/PlacementPages.h"
#include "hetero/Compiler/PredictedRate.h"
#include "hetero/Compiler/Program.h"
#include "hetero/Compiler/Report.h"
#include "hetero/Compiler/Tuning/TuningReport.h"
#include "hetero/Runner/Runner.h"
#include "hetero/Runtime/HeteroRequests.h"
#include "hetero/Target/DotView.h"
#include "hetero/Target/JsonView.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::hetero;
namespace runner = ::hetero::runner;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

HeteroCompileOptions *heteroCreateCompileOptions(void) {
  return new HeteroCompileOptions;
}

void heteroDestroyCompileOptions(HeteroCompileOptions *options) {
  delete options;
}

char *heteroSetCompileOption(HeteroCompileOptions *options, const char *name,
                             const char *value) {
  std::string error = options->options.set(name, value);
  return error.empty() ? nullptr : copyString(error);
}

static void describeDefault(llvm::json::OStream &json,
                            const std::string &value) {
  json.attribute("type", "string");
  json.attribute("default", value);
}

static void describeDefault(llvm::json::OStream &json, bool value) {
  json.attribute("type", "bool");
  json.attribute("default", value);
}

static void describeDefault(llvm::json::OStream &json, int64_t value) {
  json.attribute("type", "int");
  json.attribute("default", value);
}

static void describeDefault(llvm::json::OStream &json,
                            const AssumedCount &value) {
  json.attribute("type", "string");
  json.attribute("default", value.str());
}

template <typename T>
static void describeDefault(llvm::json::OStream &json, T value) {
  json.attribute("type", "string");
  json.attribute("default", getChoiceName(value));
  json.attributeArray("choices", [&] {
    for (const Choice<T> &choice : getChoices<T>())
      json.value(choice.name);
  });
}

char *heteroDescribeCompileOptions(void) {
  CompileOptions options(kNativeProcessor);
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.array([&] {
    options.visitAllOptions([&](auto &option) {
      json.object([&] {
        json.attribute("name", option.ArgStr);
        describeDefault(json, option.getValue());
        json.attribute("help", option.HelpStr);
      });
    });
  });
  return copyString(text);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

struct HeteroProgram {
  ~HeteroProgram() {
    program.reset();
    if (library)
      dlclose(library);
    if (copy >= 0)
      close(copy);
  }

  std::string model;
  /// What was said since somebody asked.
  std::string text;
  llvm::raw_string_ostream log{text};
  /// Of a program that was compiled here.
  CompileOptions options{kNativeProcessor};
  std::unique_ptr<Compilation> ownCompilation;
  /// Of one whose placement was tuned.
  std::unique_ptr<Tuning> tuning;
  /// One of these; null of a program that was loaded.
  Compilation *compilation = nullptr;
  std::unique_ptr<Program> program;
  /// Of one that was loaded.
  void *library = nullptr;
  /// Of the copy of its file that this is, by whose number the loader knows it.
  int copy = -1;
  HeteroProgramTable table = {};
  HeteroStateTable states = {};
  /// The caller's text.
  std::string note;
  /// Of the shortest call that was measured, and its entry point.
  std::vector<NodeTime> times;
  std::string measuredEntry;
  /// By entry point: how many requests should be under way at once.
  std::map<std::string, int32_t> inFlight;
};

/// How many calls are compiling or asking a program.
static std::atomic<int> numReports{0};

namespace {
/// Passes what is said during a call to its caller in the end.
class Report {
public:
  Report(HeteroProgram &program, char **result)
      : program(program), result(result) {
    ++numReports;
  }
  ~Report() {
    --numReports;
    if (result)
      *result = copyString(program.text);
    program.text.clear();
  }

private:
  HeteroProgram &program;
  char **result;
};
} // namespace

using ProgramPtr = std::unique_ptr<HeteroProgram>;
using Parse = llvm::function_ref<LogicalResult(Compilation &)>;

/// What callers see of a program that was compiled.
static HeteroProgram *addTables(ProgramPtr program) {
  const auto &entries = program->program->getEntries();
  program->table = {static_cast<int64_t>(entries.size()), entries.data()};
  program->states = program->program->getStates();
  return program.release();
}

/// Compiles what `parse` reads.
static HeteroProgram *compile(llvm::StringRef name,
                              const HeteroCompileOptions *options,
                              char **diagnostics, Parse parse) {
  auto program = std::make_unique<HeteroProgram>();
  Report report(*program, diagnostics);
  program->model = name.str();
  if (options)
    program->options.copyFrom(options->options);
  program->ownCompilation = std::make_unique<Compilation>(
      program->options, CompilationHost{"hetero", program->log});
  program->compilation = program->ownCompilation.get();
  Compilation &compilation = *program->compilation;
  if (failed(parse(compilation)) || failed(adaptToThisProcess(compilation)))
    return nullptr;
  program->program = Program::compile(compilation);
  return program->program ? addTables(std::move(program)) : nullptr;
}

HeteroProgram *heteroCompileFile(const char *path,
                                 const HeteroCompileOptions *options,
                                 char **diagnostics) {
  return compile(path, options, diagnostics, [&](Compilation &compilation) {
    return compilation.parse(llvm::StringRef(path));
  });
}

HeteroProgram *heteroCompileBuffer(const void *data, int64_t bytes,
                                   const char *name,
                                   const HeteroCompileOptions *options,
                                   char **diagnostics) {
  return heteroTuneBuffer(data, bytes, name, options, nullptr, nullptr, -1,
                          /*rounds=*/0, diagnostics);
}

void heteroLeaveCompilations(void) {
  // Destructors at the end of the process would take what they still use.
  on_exit(
      [](int status, void *) {
        if (numReports == 0)
          return;
        std::fflush(nullptr);
        _exit(status);
      },
      nullptr);
}

/// Tunes a parsed compilation with calls of an entry point.
static std::optional<Tuning>
tune(Compilation &compilation, const CompilationHost &host, const char *entry,
     const HeteroValue *arguments, int32_t numArguments, int32_t rounds) {
  EntryTable table(compilation.getEntryPoints());
  std::string error;
  runner::RunValues values;
  const HeteroProgramEntry *found =
      runner::findEntry(table.get(), entry ? entry : "", error);
  if (!found ||
      !runner::takeRunValues(*found, arguments, numArguments, values, error)) {
    (void)compilation.fail(error);
    return std::nullopt;
  }
  compilation.assumeShapes(found->name, runner::getShapes(values.inputs));
  runner::RunOptions options;
  options.tool = host.name;
  options.entry = found->name;
  return tunePlacement(compilation, host, options, values, found->name, rounds);
}

/// Compiles what `parse` reads, and tunes it if there are rounds.
static HeteroProgram *tune(llvm::StringRef name,
                           const HeteroCompileOptions *options,
                           const char *entry, const HeteroValue *arguments,
                           int32_t numArguments, int32_t rounds,
                           char **diagnostics, Parse parse) {
  if (rounds <= 0)
    return compile(name, options, diagnostics, parse);
  auto program = std::make_unique<HeteroProgram>();
  Report report(*program, diagnostics);
  program->model = name.str();
  if (options)
    program->options.copyFrom(options->options);
  CompilationHost host{"hetero", program->log};
  Compilation model(program->options, host);
  if (failed(parse(model)) || failed(adaptToThisProcess(model)))
    return nullptr;
  std::optional<Tuning> tuning =
      tune(model, host, entry, arguments, numArguments, rounds);
  if (!tuning)
    return nullptr;
  program->program = std::move(tuning->program);
  program->tuning = std::make_unique<Tuning>(std::move(*tuning));
  program->compilation = &program->tuning->variant->getCompilation();
  return addTables(std::move(program));
}

HeteroProgram *heteroTuneBuffer(const void *data, int64_t bytes,
                                const char *name,
                                const HeteroCompileOptions *options,
                                const char *entry, const HeteroValue *arguments,
                                int32_t numArguments, int32_t rounds,
                                char **diagnostics) {
  return tune(name, options, entry, arguments, numArguments, rounds,
              diagnostics, [&](Compilation &compilation) {
                llvm::StringRef source(static_cast<const char *>(data), bytes);
                return compilation.parse(
                    llvm::MemoryBuffer::getMemBufferCopy(source, name));
              });
}

HeteroProgram *heteroTuneImport(const HeteroImport *import,
                                const HeteroCompileOptions *options,
                                const char *entry, const HeteroValue *arguments,
                                int32_t numArguments, int32_t rounds,
                                char **diagnostics) {
  ImportedModel &model = *import->model;
  return tune(model.name, options, entry, arguments, numArguments, rounds,
              diagnostics, [&](Compilation &compilation) {
                return compilation.parse(model.name, [&](MLIRContext *context) {
                  return model.copy(context);
                });
              });
}

char *heteroDescribeTuning(const HeteroProgram *program) {
  if (!program->tuning)
    return nullptr;
  std::string text;
  llvm::raw_string_ostream os(text);
  printTuningAsJson(*program->tuning, os);
  return copyString(text);
}

/// Loads a copy of the file, which is another library to the loader.
static void *openCopy(const char *path, int &copy) {
  auto file = llvm::MemoryBuffer::getFile(path);
  copy = memfd_create("hetero-program", MFD_CLOEXEC);
  if (!file || copy < 0)
    return nullptr;
  llvm::raw_fd_ostream(copy, /*shouldClose=*/false) << (*file)->getBuffer();
  return dlopen(("/proc/self/fd/" + std::to_string(copy)).c_str(),
                RTLD_NOW | RTLD_LOCAL);
}

/// A library that is loaded is loaded once, unless it has state: each program
/// has its own.
static void *openLibrary(const char *path, int &copy) {
  void *known = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (!known)
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!dlsym(known, getStateTableSymbol().c_str()))
    return known;
  dlclose(known);
  return openCopy(path, copy);
}

HeteroProgram *heteroLoadProgram(const char *path, char **diagnostics) {
  auto program = std::make_unique<HeteroProgram>();
  Report report(*program, diagnostics);
  auto fail = [&](const llvm::Twine &message) {
    program->log << "error: " << message << "\n";
    return nullptr;
  };
  // A name without a folder is a file here.
  llvm::SmallString<256> file(path);
  (void)llvm::sys::fs::make_absolute(file);
  program->library = openLibrary(file.c_str(), program->copy);
  if (!program->library)
    return fail("cannot load the program: " + llvm::Twine(dlerror()));
  auto *table = static_cast<const HeteroProgramTable *>(
      dlsym(program->library, kEntryTableSymbol.data()));
  if (!table)
    return fail("'" + llvm::Twine(path) +
                "' is not a library that hetero-compile wrote: it has no " +
                kEntryTableSymbol);
  program->table = *table;
  if (auto *states = static_cast<const HeteroStateTable *>(
          dlsym(program->library, getStateTableSymbol().c_str())))
    program->states = *states;
  if (auto *note = static_cast<const char *>(
          dlsym(program->library, kNoteSymbol.data())))
    program->note = note;
  return program.release();
}

void heteroSetProgramNote(HeteroProgram *program, const char *note) {
  program->note = note;
}

const char *heteroGetProgramNote(const HeteroProgram *program) {
  return program->note.c_str();
}

void heteroDestroyProgram(HeteroProgram *program) { delete program; }

const HeteroProgramTable *heteroGetProgramTable(const HeteroProgram *program) {
  return &program->table;
}

const HeteroStateTable *heteroGetProgramStates(const HeteroProgram *program) {
  return &program->states;
}

/// False, and an error, for a program that was loaded.
static bool knowsPlacement(HeteroProgram &program) {
  if (!program.compilation)
    program.log << "error: a program that was loaded does not know where its "
                   "operations were; compile it again\n";
  return program.compilation != nullptr;
}

static LogicalResult printPlacement(HeteroProgram &program,
                                    llvm::StringRef format,
                                    llvm::raw_ostream &os) {
  if (format == "html")
    return printPlacementPage(*program.compilation, "Placement",
                              /*run=*/std::nullopt, /*against=*/nullptr, os);
  OwningOpRef<ModuleOp> placed =
      program.compilation->runUntil(Phase::Placed, /*isQuiet=*/false);
  if (!placed)
    return failure();
  return format == "json"
             ? printMeasuredPlacementAsJson(
                   *placed,
                   program.compilation->getOptions().profile.getValue(),
                   program.times, os)
             : printPlacementAsDot(*placed, os);
}

char *heteroDescribePlacement(HeteroProgram *program, const char *format,
                              char **diagnostics) {
  Report report(*program, diagnostics);
  if (!knowsPlacement(*program))
    return nullptr;
  if (!llvm::is_contained({"json", "html", "dot"}, llvm::StringRef(format))) {
    program->log << "error: no placement is printed as '" << format
                 << "'; expected json, html or dot\n";
    return nullptr;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  return succeeded(printPlacement(*program, format, os)) ? copyString(text)
                                                         : nullptr;
}

char *heteroComparePlacements(HeteroProgram *program, HeteroProgram *other,
                              char **diagnostics) {
  Report report(*program, diagnostics);
  if (!knowsPlacement(*program))
    return nullptr;
  if (!other->compilation) {
    program->log << "error: the other program was loaded and does not know "
                    "where its operations were; compile it again\n";
    return nullptr;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  return succeeded(printPlacementPage(*program->compilation, "Placement",
                                      /*run=*/std::nullopt, other->compilation,
                                      os))
             ? copyString(text)
             : nullptr;
}

/// The entry point of this name, the only one, or main; null if there is none.
static const HeteroProgramEntry *findEntry(const HeteroProgramTable &table,
                                           const char *name) {
  if (!name && table.numEntries == 1)
    return table.entries;
  llvm::StringRef wanted = name ? name : "main";
  for (const HeteroProgramEntry &entry :
       llvm::ArrayRef(table.entries, table.numEntries))
    if (wanted == entry.name)
      return &entry;
  return nullptr;
}

static HeteroStatus failEntry(const HeteroProgram *program, const char *entry) {
  std::string names;
  for (int64_t i = 0; i < program->table.numEntries; ++i)
    names += (i ? ", " : "") + std::string(program->table.entries[i].name);
  std::string message = "the program has no entry point '" +
                        std::string(entry ? entry : "main") + "'; it has " +
                        names;
  (void)heteroAssert(/*condition=*/0, message.c_str());
  return HETERO_ERROR_INVALID_ARGUMENT;
}

HeteroStatus heteroInvoke(const HeteroProgram *program, const char *entry,
                          const HeteroValue *arguments, int32_t numArguments,
                          HeteroValue *results, int32_t numResults) {
  const HeteroProgramEntry *found = findEntry(program->table, entry);
  return found ? found->function(arguments, numArguments, results, numResults)
               : failEntry(program, entry);
}

/// What placement predicts; 0 where it does not know.
static int32_t chooseInFlight(HeteroProgram &program, const char *entry) {
  if (!program.compilation)
    return 0;
  auto [it, isNew] = program.inFlight.try_emplace(entry, 0);
  if (!isNew)
    return it->second;
  program.compilation->setEntry(entry);
  FailureOr<PredictedRate> rate = predictRate(*program.compilation);
  program.compilation->setEntry("");
  if (succeeded(rate))
    it->second = rate->inFlight;
  return it->second;
}

HeteroStatus heteroInvokeMany(HeteroProgram *program, const char *entry,
                              const HeteroValue *arguments,
                              int32_t numArguments, HeteroValue *results,
                              int32_t numResults, int64_t numRequests,
                              int32_t inFlight) {
  const HeteroProgramEntry *found = findEntry(program->table, entry);
  if (!found)
    return failEntry(program, entry);
  if (inFlight == 0)
    inFlight = chooseInFlight(*program, found->name);
  return heteroCallMany(found->function, arguments, numArguments, results,
                        numResults, numRequests, inFlight);
}

static double sumSeconds(llvm::ArrayRef<NodeTime> times) {
  double seconds = 0;
  for (const NodeTime &time : times)
    seconds += time.seconds;
  return seconds;
}

HeteroStatus heteroInvokeMeasured(HeteroProgram *program, const char *entry,
                                  const HeteroValue *arguments,
                                  int32_t numArguments, HeteroValue *results,
                                  int32_t numResults) {
  if (!program->compilation || !program->options.markNodes) {
    (void)heteroAssert(/*condition=*/0,
                       "expected a program that was compiled here with the "
                       "option 'mark-nodes'; compile it so to measure it");
    return HETERO_ERROR_INVALID_ARGUMENT;
  }
  // The runtime's times are those of the whole process.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  (void)heteroMeasure(1);
  HeteroStatus status = heteroInvoke(program, entry, arguments, numArguments,
                                     results, numResults);
  (void)heteroMeasure(0);
  if (status != HETERO_OK)
    return status;
  char *report = heteroReport();
  auto times = collectNodeTimes(report ? report : "", /*calls=*/1);
  heteroFreeString(report);
  std::string name = findEntry(program->table, entry)->name;
  if (times && (name != program->measuredEntry ||
                sumSeconds(*times) < sumSeconds(program->times))) {
    program->times = std::move(*times);
    program->measuredEntry = name;
  }
  return HETERO_OK;
}

/// The folder of the library that this is, where the runtime is too.
static std::string getLibraryFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&heteroCompileFile), &info) ||
      !info.dli_fname)
    return ".";
  return llvm::sys::path::parent_path(info.dli_fname).str();
}

int32_t heteroSaveProgram(HeteroProgram *program, const char *path,
                          char **diagnostics) {
  Report report(*program, diagnostics);
  if (!program->compilation) {
    program->log << "error: a program that was loaded is a file already\n";
    return 0;
  }
  std::string error;
  std::optional<OutputKind> kind = chooseOutputKind(path, "", error);
  if (!kind) {
    program->log << "error: " << error << "\n";
    return 0;
  }
  OutputOptions output;
  output.kind = *kind;
  output.file = path;
  output.model = program->model;
  output.note = program->note;
  output.libraryFolder = getLibraryFolder();
  std::vector<std::string> images;
  return succeeded(writeOutput(*program->compilation, output, images));
}
