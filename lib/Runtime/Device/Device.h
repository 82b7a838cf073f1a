//===- Device.h - A GPU: its stream, memory and modules ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_DEVICE_H
#define HETERO_LIB_RUNTIME_DEVICE_DEVICE_H

#include "Runtime/Device/Driver.h"
#include "Runtime/Device/Submit/Operation.h"
#include "Runtime/Host/Reuse.h"
#include "Runtime/Report/Trace.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hetero::runtime {

/// A copy to pageable host memory that is finished at the next wait: from rows
/// without gaps in staging memory.
struct PendingCopy {
  int32_t unit;
  Staging staging;
  void *target;
  Rows rows;
};

/// Staging memory that a copy of the unit uses.
struct BusyStaging {
  int32_t unit;
  Staging staging;
};

/// The code of an image. The address alone does not tell images apart: that of
/// an unloaded program may be another one's now.
using ImageKey = std::pair<const HeteroImage *, uint64_t>;

/// The image of a kernel, and its name.
using KernelKey = std::pair<ImageKey, std::string>;

/// By image and name; names may be given as they are in the program.
struct KernelOrder {
  using is_transparent = void;
  using View = std::pair<ImageKey, std::string_view>;

  static View view(const KernelKey &key) { return {key.first, key.second}; }
  static View view(const View &key) { return key; }

  template <typename Left, typename Right>
  bool operator()(const Left &left, const Right &right) const {
    return view(left) < view(right);
  }
};

/// A freed block that work on several streams may still use.
struct RetiredBlock {
  void *pointer;
  int64_t bytes;
  /// Whether the events are there: one for each stream that has work.
  bool isMarked;
  std::vector<cuda::Event> events;
};

struct GraphLanes;
class LibraryHandle;

/// The stream of a unit, and what is under way there.
struct UnitStream {
  /// Since the host has waited for it: nothing; work; a graph, which the stream
  /// itself does not know of, and which records `done` behind the unit's work;
  /// or a graph that is done, but may have failed here.
  enum State { Idle, Busy, InGraph, Done };

  cuda::Stream stream = nullptr;
  State state = Idle;
  /// Graphs wait for `ready` before the unit's work. Made for the first graph.
  cuda::Event ready = nullptr, done = nullptr;
  /// How often the host has waited for it.
  uint64_t waits = 0;
  /// The graph that its work is in.
  std::shared_ptr<const GraphLanes> graph;

  bool isUnderWay() const { return state == Busy || state == InGraph; }
};

/// The device of a number that calls take, and the unit.
inline int32_t deviceOf(int32_t id) { return id < 0 ? id : id & 0xffff; }
inline int32_t unitOf(int32_t id) { return id < 0 ? 0 : id >> 16; }

/// One device of the program, opened when it is first used. Work of one unit
/// goes to one stream in order. While there is only one stream, a freed block
/// can be reused at once.
class Device {
public:
  static constexpr int32_t kNoStream = -1;
  /// Staging memory in flight before the stream is waited for.
  static constexpr int64_t kStagingLimit = 64 << 20;

  Device(Driver &driver, int32_t id, int32_t ordinal)
      : driver(driver), id(id), ordinal(ordinal) {}

  HeteroStatus open();
  HeteroStatus makeCurrent();

  HeteroStatus allocate(int64_t bytes, void **pointer);
  /// Whether the driver could get memory back.
  bool hasUnused();
  /// Gives what is unused back to the driver first.
  HeteroStatus allocateAnew(int64_t bytes, void **pointer);
  HeteroStatus free(void *pointer);
  /// Loads the kernel and lets it have that much shared memory.
  HeteroStatus getKernel(const HeteroImage &image, const char *name,
                         int64_t sharedBytes, Kernel **kernel);
  /// Pinned memory of at least `bytes`, for one operation.
  HeteroStatus takeStaging(int64_t bytes, Staging *staging);
  /// Gives the operation to its stream, whatever is held (see Sequence.h).
  HeteroStatus submitNow(const Operation &operation);
  /// Takes back what an operation has that is not submitted.
  void drop(const Operation &operation);
  /// So that what is freed can be used again at once.
  bool hasOneStream();
  /// Waits for everything, or for what one unit has got.
  HeteroStatus wait(int32_t unit = kNoStream);
  /// Forgets copies to host memory that is about to be freed.
  void dropCopiesTo(const void *host, int64_t bytes);
  /// Enqueues the upload of a constant and fills in its address.
  HeteroStatus upload(HeteroConstant &constant);
  /// Waits until all constants are there.
  HeteroStatus finishUploads();
  /// Unloads modules and frees constants that lie there.
  void forget(const void *host, int64_t bytes);
  void close();

  int32_t getId() const { return id; }
  /// Of the compute capability.
  int getMajor() const { return major; }
  const cuda::Functions &getFunctions() const { return driver.functions; }
  /// Where the handle of a library for a unit is, null before the first call;
  /// with the device's lock held.
  std::shared_ptr<LibraryHandle> &getLibrary(const std::string &library,
                                             int32_t unit) {
    return libraries[{library, unit}];
  }

  /// Returns HETERO_OK, or the error with its text: call, device, stream (the
  /// unit's, where the call has one), result, what `describe` says, remedy.
  template <typename Describe>
  HeteroStatus check(cuda::Result result, const char *call, Describe describe,
                     int32_t unit = kNoStream) {
    if (result == cuda::kSuccess)
      return HETERO_OK;
    return failCall(result, call, describe(), unit);
  }
  HeteroStatus check(cuda::Result result, const char *call,
                     int32_t unit = kNoStream) {
    return check(result, call, [] { return std::string(); }, unit);
  }

private:
  friend class Graph;
  friend bool hasProperty(const Device &device, int attribute);

  HeteroStatus failCall(cuda::Result result, const char *call,
                        const std::string &detail, int32_t unit);
  HeteroStatus loadKernel(const HeteroImage &image, const char *name,
                          Kernel **kernel);
  HeteroStatus allowShared(Kernel &kernel, const char *name, int64_t bytes);
  HeteroStatus loadModule(const HeteroImage &image, cuda::Module *module);
  /// Lets a library enqueue its work.
  HeteroStatus submitWork(const Operation &operation, cuda::Stream stream);
  /// The driver's call for anything but Order and Library.
  cuda::Result issue(const Operation &operation, cuda::Stream stream);
  TraceOperation traceOf(const Operation &operation) const;
  std::string describe(const Operation &operation) const;
  /// What the unit gets from now on runs after what the other has got so far.
  HeteroStatus order(int32_t unit, Device &other, int32_t otherUnit);
  /// What the operation takes until its stream is done.
  void keep(const Operation &operation);
  HeteroStatus synchronize();
  HeteroStatus synchronizeUnit(int32_t unit);
  void finishCopies(bool areDone, int32_t unit);
  void releaseCache();
  /// Waits for what the unit has got.
  HeteroStatus synchronize(int32_t unit);
  /// What the host knows when it has waited for the unit's part of a graph.
  void settleGraph(UnitStream &unit);
  /// Makes the stream wait for the graph in which the unit's work is.
  HeteroStatus leaveGraph(UnitStream &unit);
  /// Makes the events by which graphs have the unit's work; false on failure.
  bool makeEvents(int32_t unit);
  HeteroStatus createStream(cuda::Stream *stream);
  /// The unit's stream, created when it is first asked for, for work.
  HeteroStatus getStream(int32_t unit, cuda::Stream *stream);
  HeteroStatus orderStreams(cuda::Stream stream, Device &other,
                            cuda::Stream after);
  void retire(void *pointer, int64_t bytes);
  HeteroStatus mark(RetiredBlock &block);
  /// Before there is more work: retired blocks come before it.
  HeteroStatus markRetired();
  /// Moves retired blocks that nothing uses any more to the cache.
  void reviveBlocks(bool all);

  Driver &driver;
  int32_t id, ordinal;
  std::recursive_mutex mutex;
  bool isOpen = false, isLost = false;
  int major = 0, minor = 0;
  cuda::Device device = 0;
  cuda::Context context = nullptr;
  /// By unit; those of units that were not used are null.
  std::vector<UnitStream> streams;
  /// Whether a block was freed while there was one stream, and work that used
  /// it may still be under way.
  bool hasReused = false;
  std::vector<RetiredBlock> retired;
  bool hasUnmarked = false;
  /// Lists of events of blocks that were revived.
  std::vector<std::vector<cuda::Event>> spareEvents;
  /// Free blocks, and the size of every block.
  FreeBlocks cache;
  std::unordered_map<void *, int64_t> blocks;
  /// Staging memory: free, and in use until the next synchronization.
  FreeBlocks freeStaging;
  std::vector<BusyStaging> busyStaging;
  int64_t busyStagingBytes = 0;
  /// Taken after `mutex`, and without it by dropCopiesTo().
  std::mutex pendingMutex;
  std::vector<PendingCopy> pending;
  std::map<ImageKey, cuda::Module> modules;
  std::map<KernelKey, Kernel, KernelOrder> kernels;
  std::unordered_map<const HeteroConstant *, Staging> constants;
  /// By name and unit.
  std::map<std::pair<std::string, int32_t>, std::shared_ptr<LibraryHandle>>
      libraries;
  DeviceTrace trace;
};

/// A CUdevice_attribute that is there or not.
bool hasProperty(const Device &device, int attribute);

/// The program's device `id` through the device map, opened.
HeteroStatus getDevice(int32_t id, Device **device);

HeteroStatus allocateOnDevice(int32_t device, int64_t bytes, void **pointer);
HeteroStatus freeOnDevice(int32_t device, void *pointer);
HeteroStatus waitForDevice(int32_t device);
/// All constants are to be uploaded again: devices have lost theirs.
void outdateConstants();
/// Nobody will read what devices still have to copy to this host memory.
void dropCopiesTo(const void *host, int64_t bytes);
HeteroStatus copyBetween(int32_t toDevice, void *to, int32_t fromDevice,
                         const void *from, int64_t bytes, const char *name);
HeteroStatus copyRowsBetween(int32_t toDevice, void *to, int32_t fromDevice,
                             const void *from, Rows rows, const char *name);
/// Copies between the host and the device; what is from the host has been read.
HeteroStatus copyStaged(Device &device, int32_t unit, bool isIn, void *to,
                        const void *from, Rows rows, const char *name);
/// Copies rows within the host's memory.
void copyRowsOnHost(void *to, const void *from, Rows rows);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_DEVICE_H
