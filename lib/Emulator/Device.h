//===- Device.h - An emulated device and its context ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_H
#define HETERO_LIB_EMULATOR_DEVICE_H

#include "Config.h"
#include "Executor.h"
#include "Graph.h"
#include "Races.h"
#include "Stream.h"
#include "Timeline.h"

#include <atomic>
#include <map>
#include <unordered_map>

namespace hetero::emulator {

/// Objects that handles stand for. A handle that is not among them is an error
/// and not a crash.
template <typename Object> class Registry {
public:
  Object *add(std::shared_ptr<Object> object) {
    std::lock_guard<std::mutex> lock(mutex);
    Object *handle = object.get();
    objects.emplace(handle, std::move(object));
    return handle;
  }
  std::shared_ptr<Object> find(const void *handle) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = objects.find(handle);
    return it == objects.end() ? nullptr : it->second;
  }
  std::shared_ptr<Object> remove(const void *handle) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = objects.find(handle);
    if (it == objects.end())
      return nullptr;
    std::shared_ptr<Object> object = std::move(it->second);
    objects.erase(it);
    return object;
  }
  template <typename Predicate> void removeIf(Predicate predicate) {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto it = objects.begin(); it != objects.end();)
      it = predicate(*it->second) ? objects.erase(it) : std::next(it);
  }
  size_t size() {
    std::lock_guard<std::mutex> lock(mutex);
    return objects.size();
  }
  std::vector<std::shared_ptr<Object>> all() {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<std::shared_ptr<Object>> list;
    for (auto &[handle, object] : objects)
      list.push_back(object);
    return list;
  }

private:
  std::mutex mutex;
  std::unordered_map<const void *, std::shared_ptr<Object>> objects;
};

struct Module;

/// A kernel of a loaded module.
struct Function {
  Module *module;
  const CompiledKernel *kernel;
  std::atomic<uint32_t> mostDynamicShared{48 * 1024};
};

struct Module : std::enable_shared_from_this<Module> {
  explicit Module(Device &device) : device(device) {}
  Device &device;
  std::unique_ptr<CompiledModule> code;
  struct Global {
    uint64_t address, bytes;
  };
  std::map<std::string, Global, std::less<>> globals;
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
};

/// A device with its primary context, the only context that it has.
class Device {
public:
  Device(int ordinal, const Config &config)
      : ordinal(ordinal), major(config.major), minor(config.minor),
        memory(ordinal, config.memory, config.checksUninitialized) {}

  const int ordinal, major, minor;
  Memory memory;

  /// Appends work to a stream; the task is skipped after a fault. A kernel has
  /// filled in `effects` when it is done.
  void submit(const std::shared_ptr<Stream> &stream, const Work &work,
              Stream::Task task, Effects *effects = nullptr);
  /// The same for what others wait for: it is never skipped. Returns the
  /// operation if operations are tracked; it also comes after `after`.
  OperationRef submitAlways(const std::shared_ptr<Stream> &stream,
                            const Work &work, Stream::Task task,
                            const OperationRef &after = nullptr,
                            Effects *effects = nullptr);
  /// A point behind what the stream was given.
  std::shared_ptr<Marker> record(const std::shared_ptr<Stream> &stream);
  /// Lets the stream go on when the point is reached.
  void wait(const std::shared_ptr<Stream> &stream,
            const std::shared_ptr<Marker> &marker);
  std::shared_ptr<Stream> defaultStream();
  /// Waits for all streams.
  void synchronize();
  /// Waits for one.
  void synchronize(Stream &stream);
  OperationRef lastOperation(Stream &stream);

  /// Makes every later call of the context fail with `code`.
  void setFault(const Fault &fault);
  cuda::Result fault() const { return faultCode; }
  /// The same for calls that give things back: they work after a fault of a
  /// kernel, but not on a device that is lost.
  cuda::Result loss() const {
    return fault() == cuda::kDeviceLost ? cuda::kDeviceLost : cuda::kSuccess;
  }
  /// Counts a call on the device, which may be the one that loses it.
  cuda::Result countedFault();

  bool isActive() const { return users > 0; }
  int numUsers() const { return users; }
  void retain() { ++users; }
  /// False when it was not retained.
  bool release();
  void reset();

private:
  void complete(const OperationRef &operation, Effects *effects);

  std::mutex mutex; ///< Orders work of the default and the blocking streams.
  std::shared_ptr<Stream> nullStream;
  std::atomic<int> users{0};
  std::atomic<cuda::Result> faultCode{cuda::kSuccess};
};

/// Everything behind the driver's functions; made by cuInit.
struct Driver {
  Config config;
  std::vector<std::unique_ptr<Device>> devices;
  Registry<Stream> streams;
  Registry<Event> events;
  Registry<Module> modules;
  Registry<Graph> graphs;
  Registry<ExecGraph> execGraphs;
  /// If the clock is virtual.
  std::unique_ptr<Timeline> timeline;
  /// If accesses are checked.
  std::unique_ptr<Races> races;
  bool tracksOperations() const { return timeline || races; }
  /// The host has waited for the operations; some may be null.
  void hostWaits(const std::vector<OperationRef> &operations);
  void reportRace(Device &device, const std::string &race);
  /// Host memory that the driver has allocated (true) or registered.
  struct HostRange {
    uint64_t bytes;
    bool allocated;
    Device *owner; ///< Whose context gives it back.
  };
  std::mutex hostMutex;
  std::map<uintptr_t, HostRange> hostRanges;

  bool isPinned(const void *pointer, uint64_t bytes);
  void forgetHostRangesOf(const Device &device);
  Device *deviceOf(uint64_t address) {
    int ordinal = deviceOfAddress(address, static_cast<int>(devices.size()));
    return ordinal < 0 ? nullptr : devices[ordinal].get();
  }
};

/// Appends a line with what is alive to a file when the process exits; false
/// when the file cannot be written.
bool reportLeaksAtExit(const std::string &path);

/// The same for the virtual clock's report.
bool reportTimelineAtExit(const std::string &path);

/// CUDA_ERROR_NOT_SUPPORTED; says on stderr for what.
cuda::Result refuse(const char *what);

/// The driver, or null before cuInit.
Driver *getDriver();

/// The calling thread's context: its device, unless there is none or it has
/// failed.
cuda::Result getCurrent(Device *&device);

/// True for null, CU_STREAM_LEGACY (1) and CU_STREAM_PER_THREAD (2).
inline bool isDefaultStream(cuda::Stream handle) {
  return reinterpret_cast<uintptr_t>(handle) <= 2;
}

/// The stream of a handle, on the calling thread's context when null.
cuda::Result getStream(cuda::Stream handle, std::shared_ptr<Stream> &stream);

/// A kernel and the module that keeps it alive.
struct FunctionReference {
  Function *function = nullptr;
  std::shared_ptr<Module> module;

  Function *operator->() const { return function; }
};
cuda::Result getFunction(const void *handle, FunctionReference &result);

/// Most shared memory of a block, static and dynamic.
constexpr uint32_t kMostShared = 227 * 1024;

/// How many blocks a multiprocessor has room for at once.
int countActiveBlocks(const CompiledKernel &kernel, uint32_t threads,
                      uint64_t dynamicShared);

} // namespace hetero::emulator

/// Start of the definition of a function that the driver exports.
#define HETERO_CUDA_API                                                        \
  extern "C" __attribute__((visibility("default"))) hetero::cuda::Result

#endif // HETERO_LIB_EMULATOR_DEVICE_H
