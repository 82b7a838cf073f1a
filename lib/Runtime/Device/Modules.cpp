//===- Modules.cpp - The kernels of a device ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Modules.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Report/Measure.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <vector>

using namespace hetero::runtime;
using namespace hetero;

/// Whether a device of the compute capability runs the code.
static bool runs(const HeteroCode &code, int major, int minor) {
  if (code.reach == HETERO_REACH_SAME)
    return code.major == major && code.minor == minor;
  if (code.major == major)
    return code.minor <= minor;
  return code.major < major && code.format == HETERO_CODE_PTX &&
         code.reach == HETERO_REACH_LATER;
}

/// Whether the first is the better one of two that the device runs.
static bool isBetter(const HeteroCode &code, const HeteroCode &other) {
  auto rank = [](const HeteroCode &each) {
    return std::tuple(each.major, each.minor, each.reach,
                      each.format == HETERO_CODE_CUBIN);
  };
  return rank(code) > rank(other);
}

/// What the device takes of the image; null if it runs none of it. A driver
/// without real hardware takes only PTX.
static const HeteroCode *choose(const HeteroImage &image,
                                const Context &context) {
  const HeteroCode *best = nullptr;
  for (const HeteroCode *code = image.codes; code != image.codes + image.count;
       ++code) {
    if (code->format != HETERO_CODE_PTX && context.getDriver().deviceFault)
      continue;
    if (runs(*code, context.getMajor(), context.getMinor()) &&
        (!best || isBetter(*code, *best)))
      best = code;
  }
  return best;
}

static std::string describe(int major, int minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

static HeteroStatus failNoCode(const HeteroImage &image,
                               const Context &context) {
  std::string has;
  for (const HeteroCode *code = image.codes; code != image.codes + image.count;
       ++code)
    // There is PTX for each chip.
    if (code->format == HETERO_CODE_PTX)
      has += (has.empty() ? "" : ", ") + describe(code->major, code->minor) +
             (code->reach == HETERO_REACH_SAME ? " only" : "");
  return fail(HETERO_ERROR_MODULE,
              "module " + std::string(image.name) +
                  " has code for compute capability " + has + ", but " +
                  deviceName(context.getId()) + " is of " +
                  describe(context.getMajor(), context.getMinor()) +
                  "; name the device's chip in the topology, compile for it "
                  "with --chip, or map to another one with --device-map");
}

HeteroStatus Modules::loadModule(const HeteroImage &image,
                                 cuda::Module *module) {
  auto it = modules.find({&image, image.hash});
  if (it != modules.end()) {
    *module = it->second;
    return HETERO_OK;
  }
  const HeteroCode *code = choose(image, context);
  if (!code)
    return failNoCode(image, context);
  char log[4096] = "";
  int options[] = {cuda::kJitErrorLogBuffer, cuda::kJitErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  cuda::Result result = context.getFunctions().moduleLoadDataEx(
      module, code->bytes, 2, options, values);
  HeteroStatus status = context.check(result, "cuModuleLoadDataEx", [&] {
    return "module " + std::string(image.name) +
           (*log ? std::string(": ") + log : "");
  });
  if (status == HETERO_OK)
    modules[{&image, image.hash}] = *module;
  return status;
}

static std::optional<std::vector<size_t>>
getParameters(const Driver &driver, cuda::Function function) {
  if (driver.missingForGraphs)
    return std::nullopt;
  std::vector<size_t> sizes;
  size_t offset, size;
  cuda::Result result;
  while ((result = driver.functions.funcGetParamInfo(
              function, sizes.size(), &offset, &size)) == cuda::kSuccess)
    sizes.push_back(size);
  // There is no such parameter.
  if (result != cuda::kInvalidValue)
    return std::nullopt;
  return sizes;
}

HeteroStatus Modules::loadKernel(const HeteroImage &image, const char *name,
                                 Kernel **kernel) {
  ImageKey key(&image, image.hash);
  auto it = kernels.find(KernelOrder::View(key, name));
  if (it != kernels.end()) {
    *kernel = &it->second;
    return HETERO_OK;
  }
  HostSpan span("load", context.getId(),
                [&] { return std::string("load ") + name; });
  cuda::Module module = nullptr;
  Kernel loaded;
  HeteroStatus status = loadModule(image, &module);
  if (status == HETERO_OK)
    status = context.check(context.getFunctions().moduleGetFunction(
                               &loaded.function, module, name),
                           "cuModuleGetFunction",
                           [&] { return std::string("kernel ") + name; });
  if (status != HETERO_OK)
    return status;
  loaded.parameters = getParameters(context.getDriver(), loaded.function);
  *kernel = &(kernels[{key, name}] = std::move(loaded));
  return HETERO_OK;
}

/// More dynamic shared memory than every device offers must be asked for.
HeteroStatus Modules::allowShared(Kernel &kernel, const char *name,
                                  int64_t bytes) {
  if (bytes <= kernel.mostShared)
    return HETERO_OK;
  cuda::Result result = context.getFunctions().funcSetAttribute(
      kernel.function, cuda::kMaxDynamicSharedSizeBytes,
      static_cast<int>(std::min<int64_t>(bytes, INT32_MAX)));
  std::string detail = std::string("kernel ") + name + " needs " +
                       std::to_string(bytes) + " bytes of shared memory";
  if (result == cuda::kInvalidValue)
    return fail(HETERO_ERROR_LAUNCH, detail + ", more than " +
                                         deviceName(context.getId()) +
                                         " offers; use smaller tiles");
  HeteroStatus status =
      context.check(result, "cuFuncSetAttribute", [&] { return detail; });
  if (status == HETERO_OK)
    kernel.mostShared = bytes;
  return status;
}

/// Drivers load a kernel when it is launched first, the emulator compiles it.
/// What fails is the launch's to report.
void Modules::prepare(Kernel &kernel, const char *name,
                      const LaunchShape &launch) {
  HostSpan span("load", context.getId(),
                [&] { return std::string("load ") + name; });
  const Driver &driver = context.getDriver();
  if (driver.prepareLaunch) {
    auto count = [](const int64_t (&sizes)[3]) {
      return static_cast<uint64_t>(sizes[0] * sizes[1] * sizes[2]);
    };
    if (!driver.prepareLaunch(kernel.function, count(launch.grid),
                              count(launch.block)))
      span.drop();
    return;
  }
  if (driver.functions.funcLoad && !kernel.isPrepared)
    driver.functions.funcLoad(kernel.function);
  else
    span.drop();
  kernel.isPrepared = true;
}

HeteroStatus Modules::getKernel(const HeteroImage &image, const char *name,
                                const LaunchShape &launch, Kernel **kernel) {
  HeteroStatus status = context.enter();
  if (status == HETERO_OK)
    status = loadKernel(image, name, kernel);
  if (status == HETERO_OK)
    status = allowShared(**kernel, name, launch.sharedBytes);
  if (status == HETERO_OK && (isTracing() || isMeasuring()))
    prepare(**kernel, name, launch);
  return status;
}

void Modules::forget(const HostRange &range, bool isUsable) {
  for (auto it = kernels.begin(); it != kernels.end();)
    it = range.has(it->first.first.first) ? kernels.erase(it) : std::next(it);
  for (auto it = modules.begin(); it != modules.end();) {
    bool isGone = range.has(it->first.first);
    if (isGone && isUsable)
      context.getFunctions().moduleUnload(it->second);
    it = isGone ? modules.erase(it) : std::next(it);
  }
}

void Modules::clear() {
  modules.clear();
  kernels.clear();
}
