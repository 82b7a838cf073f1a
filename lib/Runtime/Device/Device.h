//===- Device.h - A GPU: its parts under one lock ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_DEVICE_H
#define HETERO_LIB_RUNTIME_DEVICE_DEVICE_H

#include "Runtime/Device/Context.h"
#include "Runtime/Device/DeviceTrace.h"
#include "Runtime/Device/Lanes.h"
#include "Runtime/Device/Memory/DeviceMemory.h"
#include "Runtime/Device/Memory/StagingMemory.h"
#include "Runtime/Device/Modules.h"
#include "Runtime/Device/Streams.h"
#include "Runtime/Host/Rank.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace hetero::runtime {

class LibraryHandle;

/// The device of a number that calls take, and the unit.
inline int32_t deviceOf(int32_t id) {
  return inProcess(id < 0 ? id : id & 0xffff);
}
inline int32_t unitOf(int32_t id) { return id < 0 ? 0 : id >> 16; }
/// The calling thread's stream for the unit. What says unit from here on means
/// it: in a lane each unit has another one.
inline int32_t streamOf(int32_t id) { return findOwnStream(unitOf(id)); }

/// One device of the program, opened when it is first used. Work of one unit
/// goes to one stream in order. Puts its parts together under one lock.
class Device {
public:
  Device(Driver &driver, int32_t id, int32_t ordinal)
      : context(driver, id, ordinal) {}

  HeteroStatus open();
  void close();

  HeteroStatus allocate(int64_t bytes, bool isKept, void **pointer);
  /// Whether the driver could get memory back.
  bool hasUnused();
  /// Gives what is unused back to the driver first.
  HeteroStatus allocateAnew(int64_t bytes, bool isKept, void **pointer);
  void free(void *pointer);
  /// Pinned memory of at least `bytes`, for one operation.
  HeteroStatus takeStaging(int64_t bytes, int32_t unit, Staging *staging);
  /// Whether a lane should wait before it takes that much more.
  bool isStagingFull(int64_t bytes);
  /// Loads the kernel for such a launch.
  HeteroStatus getKernel(const HeteroImage &image, const char *name,
                         const LaunchShape &launch, Kernel **kernel);

  /// Gives the operation to its stream, whatever is held (see Sequence.h).
  HeteroStatus submitNow(const Operation &operation);
  /// What the operation takes until its stream is done; with the lock held.
  void keep(const Operation &operation) { staging.keep(operation); }
  /// Takes back what an operation has that is not submitted.
  void drop(const Operation &operation);
  /// So that what is freed can be used again at once.
  bool hasOneStream();
  /// Waits for everything, or for what one unit has got; in a lane, for
  /// everything of the lane. To a trace it began then.
  HeteroStatus wait(int32_t unit, Moment begin);
  /// The streams that wait() would wait for.
  std::vector<cuda::Stream> getBusyStreams(int32_t unit);
  /// Forgets copies to host memory that is about to be freed.
  void dropCopiesTo(const void *host, int64_t bytes) {
    staging.dropCopiesTo(host, bytes);
  }

  /// Keeps the memory of a constant until it is forgotten.
  void keepConstant(const HeteroConstant &constant, Staging memory);
  /// Waits until all constants are there.
  HeteroStatus finishUploads();
  /// Unloads modules and frees constants that lie there.
  void forget(const void *host, int64_t bytes);

  int32_t getId() const { return context.getId(); }
  Context &getContext() { return context; }
  const Context &getContext() const { return context; }
  /// With the lock held.
  Streams &getStreams() { return streams; }
  std::recursive_mutex &getMutex() { return mutex; }
  /// Where the handle of a library for a unit is, null before the first call;
  /// with the lock held.
  std::shared_ptr<LibraryHandle> &getLibrary(const std::string &library,
                                             int32_t unit) {
    return libraries[{library, unit}];
  }

private:
  /// Lets a library enqueue its work.
  HeteroStatus submitWork(const Operation &operation, cuda::Stream stream);
  /// What the unit gets from now on runs after what the other has got so far.
  HeteroStatus order(int32_t unit, Device &other, int32_t otherUnit);
  /// Waits for all units, where a trace says why if it is not the program.
  HeteroStatus synchronize(const char *why = nullptr);
  HeteroStatus synchronizeLane(int32_t lane);
  HeteroStatus synchronizeUnit(int32_t unit);
  /// Waits for what the unit has got.
  HeteroStatus settle(int32_t unit);

  std::recursive_mutex mutex;
  bool isOpen = false;
  Context context;
  Streams streams{context};
  DeviceMemory memory{context, streams};
  StagingMemory staging{context};
  Modules modules{context};
  std::unordered_map<const HeteroConstant *, Staging> constants;
  /// By name and unit.
  std::map<std::pair<std::string, int32_t>, std::shared_ptr<LibraryHandle>>
      libraries;
  DeviceTrace trace;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_DEVICE_H
