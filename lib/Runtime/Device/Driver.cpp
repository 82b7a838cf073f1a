//===- Driver.cpp - Finds and loads the CUDA driver -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Driver.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Report/Trace.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <mutex>

using namespace hetero::runtime;
using namespace hetero;

static constexpr const char *kRealDriver = "libcuda.so.1";
static constexpr const char *kEmulator = "libhetero_cuda_emulator.so";

std::string Driver::describe(cuda::Result result) const {
  // The stub does not know its own error.
  if (result == cuda::kStubLibrary)
    return "CUDA_ERROR_STUB_LIBRARY (this is the CUDA toolkit's stub to link "
           "with, not a driver)";
  const char *name = nullptr, *text = nullptr;
  if (functions.getErrorName(result, &name) != cuda::kSuccess || !name)
    return "CUDA error " + std::to_string(result);
  std::string description = name;
  if (functions.getErrorString(result, &text) == cuda::kSuccess && text)
    description += std::string(" (") + text + ")";
  return description;
}

std::string Driver::describeFault(int device) const {
  if (!deviceFault)
    return "";
  std::string fault = deviceFault(device);
  for (int other = 0; fault.empty() && other < deviceCount; ++other)
    fault = deviceFault(other);
  return fault;
}

/// Opens a library and finds every function; null with the reason in `why`.
static std::unique_ptr<Driver> open(const std::string &path, std::string &why) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    why = text ? text : "it cannot be loaded";
    return nullptr;
  }
  auto driver = std::make_unique<Driver>();
  driver->name = path;
  const char *missing = nullptr;
  auto find = [&](const char *name) {
    void *symbol = dlsym(library, name);
    if (!symbol && !missing)
      missing = name;
    return symbol;
  };
#define HETERO_FIND(member, symbol, parameters)                                \
  driver->functions.member =                                                   \
      reinterpret_cast<decltype(driver->functions.member)>(find(symbol));
  HETERO_CUDA_FUNCTIONS(HETERO_FIND)
  if (missing) {
    why = std::string("it has no function ") + missing;
    return nullptr;
  }
  HETERO_CUDA_GRAPH_FUNCTIONS(HETERO_FIND)
  driver->missingForGraphs = missing;
  HETERO_CUDA_OPTIONAL_FUNCTIONS(HETERO_FIND)
#undef HETERO_FIND
  driver->deviceFault = reinterpret_cast<const char *(*)(int)>(
      dlsym(library, "heteroEmulatorDeviceFault"));
  // Errors of this library say what the fault was.
  if (auto print = reinterpret_cast<void (*)(int)>(
          dlsym(library, "heteroEmulatorPrintFaults")))
    print(/*prints=*/0);
  driver->hostTime = reinterpret_cast<uint64_t (*)()>(
      dlsym(library, "heteroEmulatorHostTime"));
  driver->enterHost = reinterpret_cast<void (*)(int)>(
      dlsym(library, "heteroEmulatorEnterHost"));
  driver->hostWorks = reinterpret_cast<void (*)(uint64_t)>(
      dlsym(library, "heteroEmulatorHostWorks"));
  driver->callsTakeTime = reinterpret_cast<void (*)(int)>(
      dlsym(library, "heteroEmulatorCallsTakeTime"));
  driver->waitForOne = reinterpret_cast<decltype(driver->waitForOne)>(
      dlsym(library, "heteroEmulatorWaitForOne"));
  driver->prepareLaunch = reinterpret_cast<decltype(driver->prepareLaunch)>(
      dlsym(library, "heteroEmulatorPrepareLaunch"));
  return driver;
}

/// Initializes the driver; false with the reason in `why`.
static bool initialize(Driver &driver, std::string &why) {
  cuda::Result result = driver.functions.init(0);
  if (result == cuda::kSuccess)
    result = driver.functions.deviceGetCount(&driver.deviceCount);
  if (result == cuda::kSuccess && driver.deviceCount > 0)
    return true;
  why = result == cuda::kSuccess ? "it has no device"
                                 : "cuInit returns " + driver.describe(result);
  return false;
}

/// The emulator lies beside this library.
static std::string emulatorPath() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&emulatorPath), &info) ||
      !info.dli_fname)
    return kEmulator;
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? kEmulator
                                    : path.substr(0, slash + 1) + kEmulator;
}

static std::unique_ptr<Driver> openInitialized(const std::string &path,
                                               std::string &why) {
  std::unique_ptr<Driver> driver = open(path, why);
  if (driver && !initialize(*driver, why))
    return nullptr;
  return driver;
}

/// The machine's driver, else the emulator with a notice.
static std::unique_ptr<Driver> openAny(std::string &why) {
  std::string whyNotReal;
  if (auto driver = openInitialized(kRealDriver, whyNotReal))
    return driver;
  auto driver = openInitialized(emulatorPath(), why);
  if (driver) {
    std::fprintf(stderr,
                 "hetero: no CUDA driver with a device (%s); using the "
                 "emulator\n",
                 whyNotReal.c_str());
    return driver;
  }
  why = std::string(kRealDriver) + ": " + whyNotReal + "; " + emulatorPath() +
        ": " + why;
  return nullptr;
}

namespace {
struct Choice {
  std::unique_ptr<Driver> driver;
  std::string error;
};
} // namespace

/// HETERO_GRAPHS: "auto", "on" or "off"; false with the reason in `why`.
static bool chooseGraphs(Driver &driver, std::string &why) {
  const char *variable = std::getenv("HETERO_GRAPHS");
  std::string wanted = variable && *variable ? variable : "auto";
  driver.usesGraphs = wanted != "off" && !driver.missingForGraphs;
  if (wanted == "auto" || wanted == "off" ||
      (wanted == "on" && driver.usesGraphs))
    return true;
  why = wanted == "on" ? "HETERO_GRAPHS is 'on', but " + driver.name +
                             " has no function " + driver.missingForGraphs +
                             "; update the driver, or set HETERO_GRAPHS=auto"
                       : "expected HETERO_GRAPHS to be auto, on or off, got '" +
                             wanted + "'; set one of them";
  return false;
}

/// HETERO_CUDA_DRIVER: "auto", "emulator" or a path.
static std::string wantedDriver() {
  const char *variable = std::getenv("HETERO_CUDA_DRIVER");
  return variable && *variable ? variable : "auto";
}

static Choice chooseDriver() {
  std::string wanted = wantedDriver();
  Choice choice;
  std::string why;
  if (wanted == "auto")
    choice.driver = openAny(why);
  else
    choice.driver =
        openInitialized(wanted == "emulator" ? emulatorPath() : wanted, why);
  const char *remedy = wanted == "emulator"
                           ? "correct HETERO_EMULATOR"
                           : "install the NVIDIA driver, or set "
                             "HETERO_CUDA_DRIVER=emulator";
  if (!choice.driver)
    choice.error = "no CUDA driver can be used: HETERO_CUDA_DRIVER is '" +
                   wanted + "': " + why + "; " + remedy;
  else if (!chooseGraphs(*choice.driver, choice.error))
    choice.driver = nullptr;
  return choice;
}

static std::atomic<bool> exiting{false};

bool hetero::runtime::isDriverGone() { return exiting; }

static std::atomic<Driver *> loaded{nullptr};

Driver *hetero::runtime::getLoadedDriver() { return loaded; }

static Choice *makeChoice() {
  auto *choice = new Choice(chooseDriver());
  loaded = choice->driver.get();
  if (loaded && choice->driver->hasVirtualClock())
    setVirtualClock(choice->driver->hostTime, choice->driver->hostWorks);
  // Runs before what the driver has registered when it was loaded.
  std::atexit([] { exiting = true; });
  return choice;
}

HeteroStatus hetero::runtime::getDriver(Driver **driver) {
  static Choice *choice = makeChoice();
  if (!choice->driver)
    return fail(HETERO_ERROR_NO_DRIVER, choice->error);
  *driver = choice->driver.get();
  return HETERO_OK;
}

int32_t heteroMachineDeviceCount(void) {
  if (wantedDriver() == "auto") {
    std::string why;
    std::unique_ptr<Driver> real = openInitialized(kRealDriver, why);
    return real ? real->deviceCount : 0;
  }
  // What is wrong with it is said where it is needed.
  Driver *driver;
  return getDriver(&driver) == HETERO_OK ? driver->deviceCount : 0;
}
