//===- Mgpu.cpp - The functions that MLIR's gpu-to-llvm calls -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's own runtime interface on the same driver, for programs that upstream's
// --gpu-to-llvm lowers. Its functions return no status: a failure is printed
// and remembered for heteroLastError(), and what it should have made is null.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Driver.h"
#include "Runtime/Host/Error.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

using namespace hetero::runtime;
using namespace hetero;

#define HETERO_MGPU extern "C" HETERO_EXPORT

/// What mgpuSetDefaultDevice has chosen for the calling thread.
static thread_local int32_t defaultDevice = 0;

static HeteroStatus print(HeteroStatus status) {
  if (status != HETERO_OK)
    std::fprintf(stderr, "hetero: %s\n", lastError().c_str());
  return status;
}

namespace {
/// The streams that programs have made, by number from 1; that of the driver is
/// number 0.
struct Streams {
  std::mutex mutex;
  std::map<cuda::Stream, int> numbers;
  int made = 0;

  void add(cuda::Stream stream) {
    std::lock_guard<std::mutex> lock(mutex);
    numbers[stream] = ++made;
  }
  void remove(cuda::Stream stream) {
    std::lock_guard<std::mutex> lock(mutex);
    numbers.erase(stream);
  }
  std::string describe(cuda::Stream stream) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = numbers.find(stream);
    if (stream && it == numbers.end())
      return ", a stream that mgpuStreamCreate did not make";
    return ", stream " + std::to_string(stream ? it->second : 0);
  }
};
} // namespace

static Streams &streams() {
  static Streams *instance = new Streams;
  return *instance;
}

/// `place` is what the text has after the device.
static bool checkAt(const Driver &driver, cuda::Result result, const char *call,
                    const std::string &place, const std::string &detail) {
  std::string text = std::string(call) + " failed on " +
                     deviceName(defaultDevice) + place + ": " +
                     driver.describe(result);
  if (!detail.empty())
    text += ": " + detail;
  if (driver.lastFault)
    if (const char *fault = driver.lastFault(); fault && *fault)
      text += std::string(": ") + fault;
  print(fail(HETERO_ERROR_DRIVER,
             text + "; call heteroReset() before the next program if a kernel "
                    "has failed"));
  return false;
}

static bool check(const Driver &driver, cuda::Result result, const char *call,
                  const std::string &detail = "") {
  return result == cuda::kSuccess || checkAt(driver, result, call, "", detail);
}

/// The same for a call with a stream.
static bool checkOn(cuda::Stream stream, const Driver &driver,
                    cuda::Result result, const char *call,
                    const std::string &detail = "") {
  return result == cuda::kSuccess ||
         checkAt(driver, result, call, streams().describe(stream), detail);
}

/// The context of a device, retained once per process.
static cuda::Result retain(const Driver &driver, int32_t ordinal,
                           cuda::Context *context) {
  static std::mutex mutex;
  static auto *contexts = new std::map<int32_t, cuda::Context>;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = contexts->find(ordinal);
  if (it != contexts->end()) {
    *context = it->second;
    return cuda::kSuccess;
  }
  cuda::Device device;
  cuda::Result result = driver.functions.deviceGet(&device, ordinal);
  if (result == cuda::kSuccess)
    result = driver.functions.primaryCtxRetain(context, device);
  if (result == cuda::kSuccess)
    (*contexts)[ordinal] = *context;
  return result;
}

/// The driver with the default device's context current, or null.
static const Driver *enter() {
  Driver *driver;
  if (print(getDriver(&driver)) != HETERO_OK)
    return nullptr;
  cuda::Context context;
  if (!check(*driver, retain(*driver, defaultDevice, &context),
             "cuDevicePrimaryCtxRetain") ||
      !check(*driver, driver->functions.ctxSetCurrent(context),
             "cuCtxSetCurrent"))
    return nullptr;
  return driver;
}

static cuda::DevicePointer address(const void *pointer) {
  return reinterpret_cast<cuda::DevicePointer>(pointer);
}

static std::string bytesText(uint64_t bytes) {
  return std::to_string(bytes) + " bytes";
}

HETERO_MGPU void mgpuSetDefaultDevice(int32_t device) {
  defaultDevice = device;
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

namespace {
struct Image;

/// What a cuda::Function of a program stands for: a kernel on any device.
struct Kernel {
  Image *image;
  std::string name;
};

/// What a cuda::Module of a program stands for. Upstream's code loads a binary
/// once, before it chooses a device; each device loads it on first use.
struct Image {
  void *data;
  std::mutex mutex;
  std::map<int32_t, cuda::Module> modules;
  std::map<std::string, std::unique_ptr<Kernel>> kernels;
};
} // namespace

/// The image on the default device, whose context is current; null on failure.
/// With the image's lock held.
static cuda::Module loadImage(const Driver &driver, Image &image) {
  cuda::Module &module = image.modules[defaultDevice];
  if (module)
    return module;
  char log[4096] = "";
  int options[] = {cuda::kJitErrorLogBuffer, cuda::kJitErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  cuda::Module loaded = nullptr;
  cuda::Result result = driver.functions.moduleLoadDataEx(&loaded, image.data,
                                                          2, options, values);
  if (check(driver, result, "cuModuleLoadDataEx", log))
    module = loaded;
  return module;
}

/// A kernel on the default device; null on failure.
static cuda::Function findFunction(const Driver &driver, Image &image,
                                   const char *name) {
  std::lock_guard<std::mutex> lock(image.mutex);
  cuda::Module module = loadImage(driver, image);
  cuda::Function function = nullptr;
  if (!module ||
      !check(driver,
             driver.functions.moduleGetFunction(&function, module, name),
             "cuModuleGetFunction", std::string("kernel ") + name))
    return nullptr;
  return function;
}

static Image *load(void *data) {
  const Driver *driver = enter();
  if (!driver)
    return nullptr;
  auto image = std::make_unique<Image>();
  image->data = data;
  std::lock_guard<std::mutex> lock(image->mutex);
  return loadImage(*driver, *image) ? image.release() : nullptr;
}

HETERO_MGPU Image *mgpuModuleLoad(void *data, size_t) { return load(data); }

HETERO_MGPU Image *mgpuModuleLoadJIT(void *data, int, size_t) {
  return load(data);
}

HETERO_MGPU void mgpuModuleUnload(Image *image) {
  if (!image || isDriverGone())
    return;
  int32_t device = defaultDevice;
  for (auto [ordinal, module] : image->modules) {
    defaultDevice = ordinal;
    if (const Driver *driver = module ? enter() : nullptr)
      check(*driver, driver->functions.moduleUnload(module), "cuModuleUnload");
  }
  defaultDevice = device;
  delete image;
}

HETERO_MGPU Kernel *mgpuModuleGetFunction(Image *image, const char *name) {
  const Driver *driver = image ? enter() : nullptr;
  if (!driver || !findFunction(*driver, *image, name))
    return nullptr;
  std::lock_guard<std::mutex> lock(image->mutex);
  std::unique_ptr<Kernel> &kernel = image->kernels[name];
  if (!kernel)
    kernel.reset(new Kernel{image, name});
  return kernel.get();
}

/// The driver and the kernel's function on the default device; null where one
/// is not to be had, which has been reported.
static const Driver *enter(Kernel *kernel, cuda::Function &function) {
  const Driver *driver = kernel ? enter() : nullptr;
  if (driver)
    function = findFunction(*driver, *kernel->image, kernel->name.c_str());
  return function ? driver : nullptr;
}

/// Allows more dynamic shared memory than every device has.
static bool allowShared(const Driver &driver, cuda::Function function,
                        int32_t bytes) {
  constexpr int32_t kSharedOfEveryDevice = 48 * 1024;
  return bytes <= kSharedOfEveryDevice ||
         check(driver,
               driver.functions.funcSetAttribute(
                   function, cuda::kMaxDynamicSharedSizeBytes, bytes),
               "cuFuncSetAttribute", bytesText(bytes));
}

/// False with an error where an older driver lacks the function.
static bool isThere(const Driver &driver, const void *function,
                    const char *name) {
  if (!function)
    print(fail(HETERO_ERROR_DRIVER,
               driver.name + " has no " + name + "; update the driver"));
  return function;
}

HETERO_MGPU void mgpuLaunchKernel(Kernel *kernel, intptr_t gridX,
                                  intptr_t gridY, intptr_t gridZ,
                                  intptr_t blockX, intptr_t blockY,
                                  intptr_t blockZ, int32_t sharedBytes,
                                  cuda::Stream stream, void **params,
                                  void **extra, size_t) {
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return;
  cuda::Function function = nullptr;
  const Driver *driver = enter(kernel, function);
  if (!driver)
    return;
  if (!allowShared(*driver, function, sharedBytes))
    return;
  checkOn(stream, *driver,
          driver->functions.launchKernel(function, gridX, gridY, gridZ, blockX,
                                         blockY, blockZ, sharedBytes, stream,
                                         params, extra),
          "cuLaunchKernel", "kernel " + kernel->name);
}

namespace {
/// CUlaunchAttribute: a number that says what, and 64 bytes.
struct LaunchAttribute {
  enum : int { kClusterDimension = 4 };
  int id;
  char pad[4];
  union {
    unsigned cluster[3];
    char bytes[64];
  };
};

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  cuda::Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};
} // namespace

/// The blocks of a cluster run together; the sizes of the grid are blocks.
HETERO_MGPU void mgpuLaunchClusterKernel(
    Kernel *kernel, intptr_t clusterX, intptr_t clusterY, intptr_t clusterZ,
    intptr_t gridX, intptr_t gridY, intptr_t gridZ, intptr_t blockX,
    intptr_t blockY, intptr_t blockZ, int32_t sharedBytes, cuda::Stream stream,
    void **params, void **extra, size_t) {
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return;
  cuda::Function function = nullptr;
  const Driver *driver = enter(kernel, function);
  if (!driver || !allowShared(*driver, function, sharedBytes) ||
      !isThere(*driver,
               reinterpret_cast<void *>(driver->functions.launchKernelEx),
               "cuLaunchKernelEx"))
    return;
  auto narrow = [](intptr_t size) { return static_cast<unsigned>(size); };
  LaunchAttribute cluster = {};
  cluster.id = LaunchAttribute::kClusterDimension;
  cluster.cluster[0] = narrow(clusterX);
  cluster.cluster[1] = narrow(clusterY);
  cluster.cluster[2] = narrow(clusterZ);
  LaunchConfig config = {{narrow(gridX), narrow(gridY), narrow(gridZ)},
                         {narrow(blockX), narrow(blockY), narrow(blockZ)},
                         narrow(sharedBytes),
                         stream,
                         &cluster,
                         1};
  checkOn(stream, *driver,
          driver->functions.launchKernelEx(&config, function, params, extra),
          "cuLaunchKernelEx", "kernel " + kernel->name);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

HETERO_MGPU cuda::Stream mgpuStreamCreate() {
  const Driver *driver = enter();
  cuda::Stream stream = nullptr;
  if (driver)
    check(*driver,
          driver->functions.streamCreate(&stream, cuda::kStreamNonBlocking),
          "cuStreamCreate");
  if (stream)
    streams().add(stream);
  return stream;
}

HETERO_MGPU void mgpuStreamDestroy(cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver, driver->functions.streamDestroy(stream),
            "cuStreamDestroy");
  streams().remove(stream);
}

HETERO_MGPU void mgpuStreamSynchronize(cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver, driver->functions.streamSynchronize(stream),
            "cuStreamSynchronize");
}

HETERO_MGPU void mgpuStreamWaitEvent(cuda::Stream stream, cuda::Event event) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver,
            driver->functions.streamWaitEvent(stream, event, 0),
            "cuStreamWaitEvent");
}

HETERO_MGPU cuda::Event mgpuEventCreate() {
  const Driver *driver = enter();
  cuda::Event event = nullptr;
  if (driver)
    check(*driver,
          driver->functions.eventCreate(&event, cuda::kEventDisableTiming),
          "cuEventCreate");
  return event;
}

HETERO_MGPU void mgpuEventDestroy(cuda::Event event) {
  if (const Driver *driver = enter())
    check(*driver, driver->functions.eventDestroy(event), "cuEventDestroy");
}

HETERO_MGPU void mgpuEventSynchronize(cuda::Event event) {
  if (const Driver *driver = enter())
    check(*driver, driver->functions.eventSynchronize(event),
          "cuEventSynchronize");
}

HETERO_MGPU void mgpuEventRecord(cuda::Event event, cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver, driver->functions.eventRecord(event, stream),
            "cuEventRecord");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

HETERO_MGPU void *mgpuMemAlloc(uint64_t bytes, cuda::Stream,
                               bool isHostShared) {
  const Driver *driver = enter();
  if (!driver || bytes == 0)
    return nullptr;
  cuda::DevicePointer pointer = 0;
  if (isHostShared) {
    if (isThere(*driver,
                reinterpret_cast<void *>(driver->functions.memAllocManaged),
                "cuMemAllocManaged"))
      check(*driver,
            driver->functions.memAllocManaged(&pointer, bytes,
                                              cuda::kMemAttachGlobal),
            "cuMemAllocManaged", bytesText(bytes));
    return reinterpret_cast<void *>(pointer);
  }
  check(*driver, driver->functions.memAlloc(&pointer, bytes), "cuMemAlloc",
        bytesText(bytes));
  return reinterpret_cast<void *>(pointer);
}

HETERO_MGPU void mgpuMemFree(void *pointer, cuda::Stream stream) {
  const Driver *driver = pointer ? enter() : nullptr;
  // What the stream still has to do may use the memory.
  if (driver &&
      checkOn(stream, *driver, driver->functions.streamSynchronize(stream),
              "cuStreamSynchronize"))
    check(*driver, driver->functions.memFree(address(pointer)), "cuMemFree");
}

HETERO_MGPU void mgpuMemcpy(void *to, void *from, size_t bytes,
                            cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver,
            driver->functions.memcpyAsync(address(to), address(from), bytes,
                                          stream),
            "cuMemcpyAsync", bytesText(bytes));
}

HETERO_MGPU void mgpuMemset32(void *to, unsigned value, size_t count,
                              cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver,
            driver->functions.memsetD32Async(address(to), value, count, stream),
            "cuMemsetD32Async", bytesText(4 * count));
}

HETERO_MGPU void mgpuMemset16(void *to, unsigned short value, size_t count,
                              cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver,
            driver->functions.memsetD16Async(address(to), value, count, stream),
            "cuMemsetD16Async", bytesText(2 * count));
}

HETERO_MGPU void mgpuMemHostRegister(void *pointer, uint64_t bytes) {
  if (const Driver *driver = enter())
    check(*driver, driver->functions.memHostRegister(pointer, bytes, 0),
          "cuMemHostRegister", bytesText(bytes));
}

HETERO_MGPU void mgpuMemHostUnregister(void *pointer) {
  if (const Driver *driver = enter())
    check(*driver, driver->functions.memHostUnregister(pointer),
          "cuMemHostUnregister");
}

namespace {
/// MLIR's memref descriptor: then `rank` sizes and as many strides.
struct MemRef {
  char *allocated, *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};
} // namespace

/// Address and bytes that the elements span.
static std::pair<char *, uint64_t> extent(int64_t rank, const MemRef &memref,
                                          int64_t elementBytes) {
  int64_t last = 0;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = memref.sizesAndStrides[i];
    if (size == 0)
      return {memref.aligned, 0};
    last += (size - 1) * memref.sizesAndStrides[rank + i];
  }
  return {memref.aligned + memref.offset * elementBytes,
          static_cast<uint64_t>((last + 1) * elementBytes)};
}

HETERO_MGPU void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                                           int64_t elementBytes) {
  auto [pointer, bytes] =
      extent(rank, *static_cast<MemRef *>(descriptor), elementBytes);
  if (bytes > 0)
    mgpuMemHostRegister(pointer, bytes);
}

HETERO_MGPU void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                             int64_t elementBytes) {
  auto [pointer, bytes] =
      extent(rank, *static_cast<MemRef *>(descriptor), elementBytes);
  if (bytes > 0)
    mgpuMemHostUnregister(pointer);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Bytes of the elements of a CUtensorMapDataType; 0 of a number that is none.
static int64_t tensorMapElementBytes(int type) {
  static constexpr int64_t kBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return type >= 0 && type < int(std::size(kBytes)) ? kBytes[type] : 0;
}

/// Numbers as the driver's interface has them.
HETERO_MGPU void
mgpuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address,
                         const uint64_t *sizes, const uint64_t *strides,
                         const unsigned *box, const unsigned *steps,
                         int interleave, int swizzle, int promotion, int fill) {
  const Driver *driver = enter();
  if (driver &&
      isThere(*driver,
              reinterpret_cast<void *>(driver->functions.tensorMapEncodeTiled),
              "cuTensorMapEncodeTiled"))
    check(*driver,
          driver->functions.tensorMapEncodeTiled(
              map, type, rank, address, sizes, strides, box, steps, interleave,
              swizzle, promotion, fill),
          "cuTensorMapEncodeTiled", std::to_string(rank) + " dimensions");
}

/// The map of a memref, in memory of the device that lives as long as the
/// process: upstream's code never frees it. The map has the innermost dimension
/// first, and the memref and the box have it last.
HETERO_MGPU void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor,
                                                 int type, int interleave,
                                                 int swizzle, int promotion,
                                                 int fill, const int64_t *box) {
  constexpr int64_t kMostRank = 5;
  int64_t bytes = tensorMapElementBytes(type);
  const Driver *driver = enter();
  if (!driver)
    return nullptr;
  if (rank < 1 || rank > kMostRank || bytes == 0) {
    print(fail(HETERO_ERROR_PROGRAM,
               "mgpuTensorMapEncodeTiledMemref: expected 1 to 5 dimensions and "
               "a type of CUtensorMapDataType, got " +
                   std::to_string(rank) + " and " + std::to_string(type) +
                   "; change the type of the memref"));
    return nullptr;
  }
  auto &memref = *static_cast<MemRef *>(descriptor);
  uint64_t sizes[kMostRank], strides[kMostRank];
  unsigned boxes[kMostRank], steps[kMostRank] = {1, 1, 1, 1, 1};
  for (int64_t i = 0; i < rank; ++i) {
    int64_t from = rank - 1 - i;
    sizes[i] = memref.sizesAndStrides[from];
    boxes[i] = static_cast<unsigned>(box[from]);
    if (i > 0)
      strides[i - 1] = memref.sizesAndStrides[rank + from] * bytes;
  }
  alignas(HETERO_TENSOR_MAP_ALIGNMENT) char map[HETERO_TENSOR_MAP_BYTES] = {};
  mgpuTensorMapEncodeTiled(map, type, static_cast<unsigned>(rank),
                           memref.aligned + memref.offset * bytes, sizes,
                           strides, boxes, steps, interleave, swizzle,
                           promotion, fill);
  void *copy = mgpuMemAlloc(sizeof map, nullptr, /*isHostShared=*/false);
  if (copy) {
    mgpuMemcpy(copy, map, sizeof map, nullptr);
    mgpuStreamSynchronize(nullptr);
  }
  return copy;
}
