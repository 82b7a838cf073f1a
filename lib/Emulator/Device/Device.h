//===- Device.h - Emulated devices and their contexts -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_DEVICE_H
#define HETERO_LIB_EMULATOR_DEVICE_DEVICE_H

#include "Emulator/Device/Config.h"
#include "Emulator/Device/Races.h"
#include "Emulator/Device/Stream.h"
#include "Emulator/Device/Timeline.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Execute/Executor.h"

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

class Device;
struct Module;

/// What cuLaunchGrid launches with.
struct LegacyLaunch {
  std::mutex mutex;
  uint32_t block[3] = {1, 1, 1}, sharedBytes = 0;
  std::vector<uint8_t> params;
};

/// A kernel of a loaded module.
struct Function {
  Module *module;
  const CompiledKernel *kernel;
  std::atomic<uint32_t> mostDynamicShared{48 * 1024};
  LegacyLaunch legacy{};
};

struct Module : std::enable_shared_from_this<Module> {
  explicit Module(Context &context) : context(context) {}
  Context &context;
  std::unique_ptr<CompiledModule> code;
  struct Global {
    uint64_t address, bytes;
  };
  std::map<std::string, Global, std::less<>> globals;
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
};

/// Streams, events, modules and memory that fail and go together: the primary
/// context of a device, or one that a program has created.
class Context {
public:
  Context(Device &device, bool isPrimary, unsigned flags = 0);

  Device &device;
  const bool isPrimary;
  const uint64_t id; ///< Unique in the process.
  std::atomic<unsigned> flags;
  std::atomic<int> cacheConfig{0};
  /// CUlimit, with what hardware has at first.
  static constexpr int kNumLimits = 7, kHeapLimit = 2;
  std::atomic<size_t> limits[kNumLimits] = {1024, 1 << 20, 8 << 20, 0,
                                            2048, 128,     0};
  Heap heap;

  /// Appends work to a stream; the task is skipped after a fault. A kernel has
  /// filled in `effects` when it is done.
  void submit(const std::shared_ptr<Stream> &stream, const Work &work,
              Stream::Task task, Effects *effects = nullptr);
  /// The same for what others wait for: it is never skipped. Returns the
  /// operation if operations are tracked; it also comes after `after`. The
  /// marker is reached when the task is done.
  OperationRef submitAlways(const std::shared_ptr<Stream> &stream,
                            const Work &work, Stream::Task task,
                            const OperationRef &after = nullptr,
                            Effects *effects = nullptr,
                            const std::shared_ptr<Marker> &marker = nullptr);
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
  /// True if that is the first one.
  bool setFault(const Fault &fault);
  /// The same of a kernel's, which is printed unless the program asks for it.
  void reportFault(const Fault &fault);
  cuda::Result fault() const;
  /// The same for calls that give things back: they work after a fault of a
  /// kernel, but not on a device that is lost.
  cuda::Result loss() const {
    return fault() == cuda::kDeviceLost ? cuda::kDeviceLost : cuda::kSuccess;
  }
  /// Counts a call on the device, which may be the one that loses it.
  cuda::Result countedFault();

  /// A created context has one user until it is destroyed.
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

/// A device: its memory, which all its contexts share, and its primary context.
class Device {
public:
  Device(int ordinal, const Config &config)
      : ordinal(ordinal), major(config.major), minor(config.minor),
        memory(ordinal, config.memory, config.checksUninitialized),
        primary(*this, /*isPrimary=*/true) {}

  const int ordinal, major, minor;
  Memory memory;
  Context primary;
  /// Until the primary context is reset.
  std::atomic<bool> isLost{false};
};

/// The device whose memory is mapped at an address that a program has reserved;
/// null for others.
Device *deviceOfMapping(uint64_t address);

/// Everything behind the driver's functions; made by cuInit.
struct Driver {
  Config config;
  std::vector<std::unique_ptr<Device>> devices;
  Registry<Stream> streams;
  Registry<Event> events;
  Registry<Module> modules;
  Registry<Graph> graphs;
  Registry<GraphNode> graphNodes;
  Registry<UserObject> userObjects;
  Registry<ExecGraph> execGraphs;
  /// If the clock is virtual.
  std::unique_ptr<Timeline> timeline;
  /// If accesses are checked.
  std::unique_ptr<Races> races;
  bool tracksOperations() const { return timeline || races; }
  /// The host has waited for the operations; some may be null.
  void hostWaits(const std::vector<OperationRef> &operations);
  void reportRace(Context &context, const std::string &race);
  /// Memory of the host that devices reach.
  struct HostRange {
    enum Kind { Allocated, Registered, Managed };
    uint64_t bytes;
    Kind kind;
    unsigned flags; ///< That the program has asked for.
    Context *owner; ///< Gives it back.
  };
  std::mutex hostMutex;
  std::map<uintptr_t, HostRange> hostRanges;

  /// False when it overlaps with another; kernels reach it from then on.
  bool addHostRange(void *pointer, const HostRange &range);
  /// Forgets a range that begins there, and frees what the driver has
  /// allocated; false if there is none of the kind.
  bool removeHostRange(void *pointer, HostRange::Kind kind);
  std::map<uintptr_t, HostRange>::iterator
  dropHostRange(std::map<uintptr_t, HostRange>::iterator it);
  /// The range that holds the bytes, with its first address.
  std::optional<std::pair<uintptr_t, HostRange>>
  findHostRange(const void *pointer, uint64_t bytes);
  bool isPinned(const void *pointer, uint64_t bytes) {
    return findHostRange(pointer, bytes).has_value();
  }
  void forgetHostRangesOf(const Context &context);

  /// Those that programs have created, also what is left of destroyed ones:
  /// threads may have them current.
  std::mutex contextsMutex;
  std::vector<std::unique_ptr<Context>> contexts;

  Context &createContext(Device &device, unsigned flags);
  std::vector<Context *> allContexts();
  /// True for what is or was one.
  bool isContext(const void *handle);
  /// Waits for all streams of all contexts.
  void synchronizeAll();
  Device *deviceOf(uint64_t address) {
    int ordinal = deviceOfAddress(address, static_cast<int>(devices.size()));
    return ordinal < 0 ? deviceOfMapping(address) : devices[ordinal].get();
  }
  /// The context that an address of a device was allocated in.
  Context &ownerOf(uint64_t address);
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

cuda::Result findDevice(cuda::Device ordinal, Device *&device);

/// The calling thread's context, unless there is none or it has failed.
cuda::Result getCurrent(Context *&context);

/// Of streams; the greatest is the smallest number.
constexpr int kLeastPriority = 0, kGreatestPriority = -5;

/// Whether a call that says nothing of a stream means the thread's own.
bool nullMeansOwnStream();

/// The calling thread's own stream; it waits for the default stream and is
/// waited for.
std::shared_ptr<Stream> ownStream(Context &context);

/// Handles that stand for no stream that was created.
enum : uintptr_t { kNoStream = 0, kLegacyStream = 1, kPerThreadStream = 2 };

inline bool isOwnStream(cuda::Stream handle) {
  auto number = reinterpret_cast<uintptr_t>(handle);
  return number == kPerThreadStream ||
         (number == kNoStream && nullMeansOwnStream());
}

/// True for the stream that all blocking ones wait for.
inline bool isDefaultStream(cuda::Stream handle) {
  return reinterpret_cast<uintptr_t>(handle) <= kLegacyStream &&
         !isOwnStream(handle);
}

/// The stream of a handle, on the calling thread's context when null.
cuda::Result getStream(cuda::Stream handle, std::shared_ptr<Stream> &stream);

/// Memory of the context's device, as cuMemAlloc gives it.
cuda::Result allocate(Context &context, cuda::DevicePointer *result,
                      size_t bytes);
/// Memory of the host that the driver frees; not for registered memory.
cuda::Result allocateHost(Context &context, void **result, size_t bytes,
                          Driver::HostRange::Kind kind, unsigned flags);
/// Frees what cuMemAllocManaged has given.
cuda::Result freeManaged(cuda::DevicePointer address);
struct MemoryPool;
/// The pool that an address came from, or null.
MemoryPool *findPoolOf(cuda::DevicePointer address);
/// Says to a memory pool that what it gave is free; others are no matter.
void leavePool(cuda::DevicePointer address);
/// Whether the address begins what a pool gave.
bool isOfPool(cuda::DevicePointer address);

/// A kernel and the module that keeps it alive.
struct FunctionReference {
  Function *function = nullptr;
  std::shared_ptr<Module> module;

  Function *operator->() const { return function; }
};
/// A handle may be that of a library's kernel, which is another function in
/// each context: of the current one, if none is named.
cuda::Result getFunction(const void *handle, FunctionReference &result,
                         Context *context = nullptr);

/// How a kernel is launched.
struct LaunchCall {
  uint32_t grid[3], block[3];
  unsigned sharedBytes;
  bool isCooperative;
};

/// Checks the call and takes its arguments.
cuda::Result prepareLaunch(const FunctionReference &function,
                           const LaunchCall &call, void **params, void **extra,
                           PreparedLaunch &prepared);
IssueWork issueOf(const FunctionReference &function,
                  const PreparedLaunch &prepared);
/// A launch that is a node of a graph.
struct KernelNode {
  FunctionReference function;
  LaunchCall call;
  PreparedLaunch prepared;
  mutable std::vector<void *> arguments = {}; ///< For who asks for them.
};
cuda::Result applyAttributes(const LaunchAttribute *attributes, unsigned count,
                             const Device &device, LaunchCall &call);
cuda::Result getEvent(cuda::Event handle, std::shared_ptr<Event> &event);
/// Work of nodes that record an event, wait for one, or call the host.
IssueWork issueRecord(std::shared_ptr<Event> event);
IssueWork issueWait(std::shared_ptr<Event> event);
IssueWork issueOf(HostCall call);
/// cuEventRecord.
cuda::Result recordEvent(cuda::Event event, cuda::Stream stream);

/// Most shared memory of a block, static and dynamic.
constexpr uint32_t kMostShared = 227 * 1024;

/// How many blocks a multiprocessor has room for at once.
int countActiveBlocks(const CompiledKernel &kernel, uint32_t threads,
                      uint64_t dynamicShared);

} // namespace hetero::emulator

/// Start of the definition of a function that the driver exports.
#define HETERO_CUDA_API                                                        \
  extern "C" __attribute__((visibility("default"))) hetero::cuda::Result

#endif // HETERO_LIB_EMULATOR_DEVICE_DEVICE_H
