//===- Libraries.cpp - Libraries that compiled code calls -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libraries.h"

#include "Error.h"
#include "JSON.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <vector>

using namespace hetero::runtime;
using namespace hetero::runtime::json;

namespace {
struct Function {
  const char *name;
  LibraryFunction call;
};

/// What the runtime knows of a library.
struct Known {
  const char *name;
  /// Files to try, the best first.
  std::vector<const char *> files;
  /// One that the library is of no use without.
  const char *symbol;
  std::vector<Function> functions;
  std::once_flag loaded;
  Library library;
  std::atomic<bool> wanted{false};
  std::atomic<int64_t> calls{0};
};
} // namespace

/// All that there are. Never destroyed: programs may call until the end.
static std::vector<Known *> &knownLibraries() {
  static auto *known = new std::vector<Known *>{
      new Known{"openblas",
                {"libopenblas.so.0", "libopenblas.so"},
                "cblas_sgemm",
                {{"gemm", callGemm}},
                {},
                {}},
      new Known{"onednn",
                {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so"},
                "dnnl_sgemm",
                {{"gemm", callGemmOfOneDNN}, {"convolution", callConvolution}},
                {},
                {}}};
  return *known;
}

/// What HETERO_LIBRARIES, a list of NAME=FILE by commas, says of a library.
static std::string findSetting(const char *name) {
  const char *text = std::getenv("HETERO_LIBRARIES");
  std::string rest = text ? text : "", prefix = std::string(name) + "=";
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    std::string entry = rest.substr(0, comma);
    if (entry.compare(0, prefix.size(), prefix) == 0)
      return entry.substr(prefix.size());
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return "";
}

void *Library::find(const char *symbol) const { return dlsym(handle, symbol); }

/// Loads one file; false with the reason in `why`.
static bool open(Known &known, const std::string &file) {
  Library &library = known.library;
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char *text = handle ? nullptr : dlerror();
  if (handle && dlsym(handle, known.symbol)) {
    library.handle = handle;
    library.path = file;
    library.why.clear();
    return true;
  }
  library.why += library.why.empty() ? "" : "; ";
  if (handle) {
    library.why += file + " has no function " + known.symbol;
    dlclose(handle);
  } else {
    library.why += text ? text : file + " cannot be loaded";
  }
  return false;
}

static void load(Known &known) {
  known.wanted = true;
  known.library.name = known.name;
  std::string setting = findSetting(known.name);
  if (setting == "off") {
    known.library.why = "HETERO_LIBRARIES says off";
  } else if (!setting.empty()) {
    open(known, setting);
  } else {
    for (const char *file : known.files)
      if (open(known, file))
        break;
  }
}

/// The library of this name, loaded if it can be; null if nobody knows it.
static Known *get(const char *name) {
  for (Known *known : knownLibraries())
    if (std::strcmp(known->name, name) == 0) {
      std::call_once(known->loaded, load, std::ref(*known));
      return known;
    }
  return nullptr;
}

HeteroStatus heteroHasLibrary(const char *name, int32_t *found) {
  Known *known = get(name);
  *found = known && known->library.handle;
  return HETERO_OK;
}

HeteroStatus heteroCallLibrary(const char *name, const char *function,
                               const HeteroValue *values, int32_t count,
                               int32_t accumulate, const int64_t *parameters,
                               int32_t numParameters, void **state) {
  Known *known = get(name);
  if (!known)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                std::string("the runtime knows no library '") + name + "'");
  if (!known->library.handle)
    return fail(HETERO_ERROR_PROGRAM,
                std::string("the library ") + name + " cannot be called: " +
                    known->library.why + "; ask heteroHasLibrary first");
  for (const Function &entry : known->functions)
    if (std::strcmp(entry.name, function) == 0) {
      ++known->calls;
      return entry.call({known->library, values, count, accumulate != 0,
                         parameters, numParameters, state});
    }
  return fail(HETERO_ERROR_INVALID_ARGUMENT,
              std::string("the runtime knows no function '") + function +
                  "' of the library " + name);
}

std::string hetero::runtime::printLibraries() {
  std::vector<const Known *> wanted;
  for (const Known *known : knownLibraries())
    if (known->wanted)
      wanted.push_back(known);
  return list(wanted, [](const Known *known) {
    const Library &library = known->library;
    return "{" + field("name", library.name) + ", " +
           (library.handle ? field("path", library.path)
                           : field("missing", library.why)) +
           ", " + field("calls", known->calls.load()) + "}";
  });
}

void hetero::runtime::resetLibraryCounts() {
  for (Known *known : knownLibraries())
    known->calls = 0;
}
