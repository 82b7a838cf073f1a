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
  std::string name;
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
  /// What all functions of a library that was registered are called by.
  HeteroLibraryFunction registered = nullptr;
  bool isOff = false;

  bool isOurs() const { return symbol != nullptr; }
  bool canBeCalled() const { return library.handle || (registered && !isOff); }
};
} // namespace

/// The runtime's own. Never destroyed: programs may call until the end.
static const std::vector<Known *> &ownLibraries() {
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

namespace {
/// Those of others: registered, or asked for and not there.
struct Foreign {
  std::mutex mutex;
  std::vector<Known *> libraries;
};
} // namespace

static Foreign &foreign() {
  static auto *instance = new Foreign;
  return *instance;
}

static Known *findByName(const std::vector<Known *> &libraries,
                         const char *name) {
  for (Known *known : libraries)
    if (known->name == name)
      return known;
  return nullptr;
}

/// Another's library of this name, which need not be there yet.
static Known *getForeign(const char *name) {
  std::lock_guard<std::mutex> lock(foreign().mutex);
  Known *known = findByName(foreign().libraries, name);
  if (known)
    return known;
  known = new Known{name, {}, /*symbol=*/nullptr, {}};
  known->library.name = name;
  foreign().libraries.push_back(known);
  return known;
}

static std::vector<Known *> allLibraries() {
  std::vector<Known *> all = ownLibraries();
  std::lock_guard<std::mutex> lock(foreign().mutex);
  all.insert(all.end(), foreign().libraries.begin(), foreign().libraries.end());
  return all;
}

HeteroStatus heteroRegisterLibrary(const char *name, HeteroLibraryFunction call,
                                   int32_t isOnDevice) {
  if (!name || !*name)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "expected the name of a library, got none");
  if (findByName(ownLibraries(), name))
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                std::string("the runtime has a library '") + name +
                    "' of its own; register yours under another name");
  Known *known = getForeign(name);
  std::lock_guard<std::mutex> lock(foreign().mutex);
  known->registered = call;
  known->isOnDevice = isOnDevice != 0;
  Dl_info info;
  bool hasFile =
      call && dladdr(reinterpret_cast<void *>(call), &info) && info.dli_fname;
  known->library.path = hasFile ? info.dli_fname : "";
  known->library.why = call ? "" : "it was taken back";
  return HETERO_OK;
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
  else if (driver->deviceFault)
    why = "the emulator runs PTX only";
  else
    return true;
  return false;
}

/// Loads the file that is to register a library; whoever has registered it by
/// now needs none.
static void loadForeign(Known &known) {
  known.wanted = true;
  std::string &why = known.library.why, file = findSetting(known.name.c_str());
  known.isOff = file == "off";
  if (known.isOff) {
    why = "HETERO_LIBRARIES says off";
  } else if (known.registered) {
    // There already.
  } else if (file.empty()) {
    why = "nobody has registered it, and HETERO_LIBRARIES names no file that "
          "does";
  } else if (!dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    const char *text = dlerror();
    why = text ? text : file + " cannot be loaded";
  } else if (!known.registered) {
    why = file + " does not register it";
  }
}

static void load(Known &known) {
  known.wanted = true;
  known.library.name = known.name;
  std::string setting = findSetting(known.name.c_str());
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

/// The library of this name, loaded if it can be.
static Known &get(const char *name) {
  Known *known = findByName(ownLibraries(), name);
  bool isOurs = known != nullptr;
  if (!isOurs)
    known = getForeign(name);
  std::call_once(known->loaded, isOurs ? load : loadForeign, std::ref(*known));
  return *known;
}

HeteroStatus heteroHasLibrary(const char *name, int32_t *found) {
  *found = get(name).canBeCalled();
  return HETERO_OK;
}

/// The function of a library of the runtime's own, or null.
static LibraryFunction findFunction(const Known &known, const char *name) {
  for (const Function &entry : known.functions)
    if (std::strcmp(entry.name, name) == 0)
      return entry.call;
  return nullptr;
}

/// Whether the library has the function and computes there.
static HeteroStatus checkCall(const Known &known, const char *function,
                              bool isOnDevice) {
  bool isKnown = known.isOurs() || known.registered;
  if (isKnown && known.isOnDevice != isOnDevice)
    return fail(
        HETERO_ERROR_INVALID_ARGUMENT,
        "the library " + known.name + " computes on " +
            (isOnDevice ? "the host" : "devices") + " only; use " +
            (isOnDevice ? "heteroCallLibrary" : "heteroCallDeviceLibrary"));
  if (!known.canBeCalled())
    return fail(HETERO_ERROR_PROGRAM,
                "the library " + known.name + " cannot be called: " +
                    known.library.why + "; ask heteroHasLibrary first");
  if (known.isOurs() && !findFunction(known, function))
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                std::string("the runtime knows no function '") + function +
                    "' of the library " + known.name);
  return HETERO_OK;
}

/// Of a library that somebody has registered.
static HeteroStatus callRegistered(const Known &known, const char *function,
                                   const LibraryCall &call) {
  HeteroLibraryCall values{function,
                           call.values,
                           call.count,
                           call.accumulate,
                           call.parameters,
                           call.numParameters,
                           call.device ? call.device->getId() : HETERO_HOST,
                           call.stream};
  HeteroStatus status = known.registered(&values);
  if (status == HETERO_OK)
    return status;
  return fail(status, "the library " + known.name + " failed in '" + function +
                          "' with status " + std::to_string(status));
}

static HeteroStatus callFunction(const Known &known, const char *function,
                                 const LibraryCall &call) {
  return known.isOurs() ? findFunction(known, function)(call)
                        : callRegistered(known, function, call);
}

HeteroStatus heteroCallLibrary(const char *name, const char *function,
                               const HeteroValue *values, int32_t count,
                               int32_t accumulate, const int64_t *parameters,
                               int32_t numParameters, void **state) {
  Known &known = get(name);
  if (HeteroStatus status = checkCall(known, function, /*isOnDevice=*/false))
    return status;
  ++known.calls;
  return callFunction(known, function,
                      {known.library, values, count, accumulate != 0,
                       parameters, numParameters, state});
}

HeteroStatus heteroCallDeviceLibrary(int32_t id, const char *label,
                                     const char *name, const char *function,
                                     const HeteroValue *values, int32_t count,
                                     int32_t accumulate,
                                     const int64_t *parameters,
                                     int32_t numParameters, void **state) {
  HostRegionPause pause;
  Known &known = get(name);
  if (HeteroStatus status = checkCall(known, function, /*isOnDevice=*/true))
    return status;
  useInFrame(deviceOf(id));
  Device *device;
  if (HeteroStatus status = getDevice(deviceOf(id), &device))
    return status;
  LibraryCall call{known.library, values,        count, accumulate != 0,
                   parameters,    numParameters, state};
  call.device = device;
  call.unit = streamOf(id);
  LibraryWork work = [&](cuda::Stream stream) {
    call.stream = stream;
    return callFunction(known, function, call);
  };
  auto submitCall = [&] {
    Operation operation{Operation::Library, device, call.unit, label};
    operation.work = &work;
    return submit(operation);
  };
  HeteroStatus status = isMeasuring()
                            ? measureLaunch(deviceOf(id), label, submitCall)
                            : submitCall();
  if (status != HETERO_OK)
    return status;
  ++known.calls;
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
  for (const Known *known : allLibraries())
    if (known->wanted)
      wanted.push_back(known);
  return list(wanted, [](const Known *known) {
    const Library &library = known->library;
    return "{" + field("name", library.name) + ", " +
           (known->canBeCalled() ? field("path", library.path)
                                 : field("missing", library.why)) +
           ", " + field("calls", known->calls.load()) + "}";
  });
}

void hetero::runtime::resetLibraryCounts() {
  for (Known *known : allLibraries())
    known->calls = 0;
}
