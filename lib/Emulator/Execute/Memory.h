//===- Memory.h - The memory of an emulated device --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device addresses are numbers in a window that no host address lies in. Each
// allocation has host memory of its own. Addresses are given out in ascending
// order with gaps, so that an access past the end of an allocation, or to one
// that was freed, meets nothing and is reported.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_MEMORY_H
#define HETERO_LIB_EMULATOR_EXECUTE_MEMORY_H

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace hetero::emulator {

constexpr uint64_t kDeviceWindowBytes = uint64_t(256) << 30;

/// First address of a device's window.
constexpr uint64_t deviceWindow(int device) {
  return kFirstDeviceAddress + uint64_t(device) * kDeviceWindowBytes;
}

/// The device that an address may belong to, or -1 for a host address.
int deviceOfAddress(uint64_t address, int numDevices);

/// Frees what the emulator has allocated.
struct FreeHostMemory {
  bool isOwned = true;
  void operator()(uint8_t *memory) const;
};

class Memory {
public:
  /// `tracksWrites`: which bytes were written is known.
  Memory(int device, uint64_t limit, bool tracksWrites = false)
      : base(deviceWindow(device)), next(base), limit(limit),
        tracksWrites(tracksWrites) {}

  /// Returns the address, or 0 when the limit would be passed. The allocation
  /// goes with its owner.
  uint64_t allocate(uint64_t bytes, const void *owner = nullptr);
  /// An address for as many bytes that nothing lies at yet, or 0.
  uint64_t reserve(uint64_t bytes);
  /// Gives the address back; an allocation that is there stays.
  void unreserve(uint64_t address);
  /// Allocates at a reserved address; false when the limit would be passed.
  bool allocateAt(uint64_t address, uint64_t bytes, const void *owner);
  /// Frees the allocation that begins at `address`; false if none does. While
  /// kernels run, the host memory stays until they are done.
  bool free(uint64_t address, uint64_t *bytes = nullptr);
  /// Lets kernels reach memory that is not the device's own allocation. What
  /// lies side by side for them and for the host is one piece.
  void addForeign(uint64_t address, uint64_t bytes, uint8_t *host,
                  bool isReadOnly = false);
  void removeForeign(uint64_t address);
  /// Counts memory that has no address here; false if there is too little.
  bool take(uint64_t bytes);
  void giveBack(uint64_t bytes);
  /// Frees all that an owner has.
  void clear(const void *owner);
  /// Of the allocation that holds the address; null if none does.
  const void *ownerOf(uint64_t address) const;

  /// Host memory of [address, address + bytes), or null. `window` gets the
  /// whole allocation.
  uint8_t *translate(uint64_t address, uint64_t bytes,
                     AccessWindow *window = nullptr) const;
  /// False if some of the bytes may only be read.
  bool isWritable(uint64_t address, uint64_t bytes) const;
  /// The same as translate() for an access of a kernel: `window` gets what may
  /// be read and written.
  uint8_t *access(uint64_t address, uint64_t bytes, bool isStore,
                  AccessWindow *window) const;
  /// "12 bytes after the end of the allocation of 140 bytes at 0x...", also of
  /// one that was freed not long ago.
  std::string describe(uint64_t address, uint64_t bytes) const;

  /// A flag for each of the bytes, which lie in one allocation: whether it was
  /// written. Null where that is not known.
  uint8_t *writtenFlags(uint64_t address, uint64_t bytes) const;
  bool isWritten(uint64_t address, uint64_t bytes) const;
  void noteWritten(uint64_t address, uint64_t bytes) const;

  uint64_t usedBytes() const;
  uint64_t numAllocations() const;
  uint64_t totalBytes() const { return limit; }

  void kernelBegins();
  void kernelEnds();

private:
  using HostMemory = std::unique_ptr<uint8_t, FreeHostMemory>;
  struct Allocation {
    uint64_t bytes;
    HostMemory host, written;
    const void *owner;
    bool isReadOnly = false;

    /// Its bytes are not the device's own.
    bool isForeign() const { return !host.get_deleter().isOwned; }
  };

  uint64_t findAddress(uint64_t bytes);
  bool add(uint64_t address, uint64_t bytes, const void *owner);
  bool isReadOnly(uint64_t address, uint64_t bytes) const;
  std::map<uint64_t, Allocation>::const_iterator find(uint64_t address,
                                                      uint64_t bytes) const;
  std::map<uint64_t, Allocation>::iterator
  remove(std::map<uint64_t, Allocation>::iterator it);
  void noteFreed(uint64_t address, uint64_t bytes);

  const uint64_t base;
  uint64_t next;
  const uint64_t limit;
  const bool tracksWrites;
  uint64_t used = 0;
  int runningKernels = 0;
  mutable std::shared_mutex mutex;
  std::map<uint64_t, Allocation> allocations;
  std::map<uint64_t, uint64_t> reserved; ///< Bytes by address.
  std::map<uint64_t, uint64_t> freed; ///< Bytes of the last ones, by address.
  std::vector<HostMemory> retired;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_MEMORY_H
