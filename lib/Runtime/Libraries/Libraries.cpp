//===- Libraries.cpp - Libraries that compiled code calls -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/Libraries.h"

#include "Runtime/Device/Device.h"
#include "Runtime/Device/Devices.h"
#include "Runtime/Device/Submit/Sequence.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/Frame.h"
#include "Runtime/Libraries/BLAS.h"
#include "Runtime/Libraries/CUBLAS.h"
#include "Runtime/Libraries/CUDNNConvolution.h"
#include "Runtime/Libraries/OneDNNConvolution.h"
#include "Runtime/Report/JSON.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <vector>

using namespace hetero;
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
  /// Computes on gpus, on their memory.
  bool isOnDevice = false;
  std::once_flag loaded = {};
  Library library = {};
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
                {{"gemm", callGemm}}},
      new Known{"onednn",
                {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so"},
                "dnnl_sgemm",
                {{"gemm", callGemmOfOneDNN}, {"convolution", callConvolution}}},
      new Known{"cublas",
                {"libcublas.so.13", "libcublas.so.12",
                 "/usr/local/cuda/lib64/libcublas.so.13",
                 "/usr/local/cuda/lib64/libcublas.so.12"},
                "cublasGemmEx",
                {{"gemm", callGemmOfCUBLAS}},
                /*isOnDevice=*/true},
      new Known{"cudnn",
                {"libcudnn.so.9", "/usr/local/cuda/lib64/libcudnn.so.9"},
                "cudnnConvolutionForward",
                {{"convolution", callConvolutionOfCUDNN}},
                /*isOnDevice=*/true}};
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

/// Whether the machine can run a library for devices, else why not.
static bool hasRealDriver(std::string &why) {
  Driver *driver;
  if (getDriver(&driver) != HETERO_OK)
    why = lastError();
  else if (driver->lastFault)
    why = "the emulator runs PTX only";
  else
    return true;
  return false;
}

static void load(Known &known) {
  known.wanted = true;
  known.library.name = known.name;
  std::string setting = findSetting(known.name);
  if (setting == "off") {
    known.library.why = "HETERO_LIBRARIES says off";
  } else if (setting.empty() && known.isOnDevice &&
             !hasRealDriver(known.library.why)) {
    // Said why.
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

/// The function of a library that is loaded; null with an error if there is
/// none.
static const Function *find(Known *&known, const char *name,
                            const char *function, bool isOnDevice,
                            HeteroStatus &status) {
  known = get(name);
  if (!known) {
    status = fail(HETERO_ERROR_INVALID_ARGUMENT,
                  std::string("the runtime knows no library '") + name + "'");
    return nullptr;
  }
  if (known->isOnDevice != isOnDevice) {
    status = fail(
        HETERO_ERROR_INVALID_ARGUMENT,
        std::string("the library ") + name + " computes on " +
            (isOnDevice ? "the host" : "devices") + " only; use " +
            (isOnDevice ? "heteroCallLibrary" : "heteroCallDeviceLibrary"));
    return nullptr;
  }
  if (!known->library.handle) {
    status = fail(HETERO_ERROR_PROGRAM,
                  std::string("the library ") + name + " cannot be called: " +
                      known->library.why + "; ask heteroHasLibrary first");
    return nullptr;
  }
  for (const Function &entry : known->functions)
    if (std::strcmp(entry.name, function) == 0)
      return &entry;
  status = fail(HETERO_ERROR_INVALID_ARGUMENT,
                std::string("the runtime knows no function '") + function +
                    "' of the library " + name);
  return nullptr;
}

HeteroStatus heteroCallLibrary(const char *name, const char *function,
                               const HeteroValue *values, int32_t count,
                               int32_t accumulate, const int64_t *parameters,
                               int32_t numParameters, void **state) {
  Known *known;
  HeteroStatus status = HETERO_OK;
  const Function *entry = find(known, name, function, false, status);
  if (!entry)
    return status;
  ++known->calls;
  return entry->call({known->library, values, count, accumulate != 0,
                      parameters, numParameters, state});
}

HeteroStatus heteroCallDeviceLibrary(int32_t id, const char *label,
                                     const char *name, const char *function,
                                     const HeteroValue *values, int32_t count,
                                     int32_t accumulate,
                                     const int64_t *parameters,
                                     int32_t numParameters, void **state) {
  HostRegionPause pause;
  Known *known;
  HeteroStatus status = HETERO_OK;
  const Function *entry = find(known, name, function, true, status);
  if (!entry)
    return status;
  useInFrame(deviceOf(id));
  Device *device;
  if (HeteroStatus status = getDevice(deviceOf(id), &device))
    return status;
  LibraryCall call{known->library, values,        count, accumulate != 0,
                   parameters,     numParameters, state};
  call.device = device;
  call.unit = streamOf(id);
  LibraryWork work = [&](cuda::Stream stream) {
    call.stream = stream;
    return entry->call(call);
  };
  auto submitCall = [&] {
    Operation operation{Operation::Library, device, call.unit, label};
    operation.work = &work;
    return submit(operation);
  };
  status = isMeasuring() ? measureLaunch(deviceOf(id), label, submitCall)
                         : submitCall();
  if (status != HETERO_OK)
    return status;
  ++known->calls;
  countLaunch(deviceOf(id), label);
  return HETERO_OK;
}

bool hetero::runtime::isEmpty(const HeteroValue &value) {
  return std::any_of(value.sizes, value.sizes + value.rank,
                     [](int64_t size) { return size <= 0; });
}

std::vector<int64_t> hetero::runtime::getCallKey(const LibraryCall &call) {
  std::vector<int64_t> key(call.parameters,
                           call.parameters + call.numParameters);
  key.push_back(call.accumulate);
  for (int i = 0; i < call.count; ++i) {
    const HeteroValue &value = call.values[i];
    key.push_back(value.type);
    key.push_back(value.rank);
    key.insert(key.end(), value.sizes, value.sizes + value.rank);
    key.insert(key.end(), value.strides, value.strides + value.rank);
  }
  return key;
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
