//===- Heap.h - malloc and free in kernels ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels take lies in the device's memory, so that accesses are checked
// as those of other memory are, and stays until they or the context give it
// back.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_HEAP_H
#define HETERO_LIB_EMULATOR_EXECUTE_HEAP_H

#include "Emulator/Execute/Memory.h"

#include <map>
#include <mutex>

namespace hetero::emulator {

class Heap {
public:
  Heap(Memory &memory, const void *owner) : memory(memory), owner(owner) {}

  /// Returns an address that is a multiple of `align`, a power of two, or 0
  /// when more than `limit` bytes would be in use.
  uint64_t allocate(uint64_t bytes, uint64_t align, uint64_t limit);
  /// False when the heap has not given the address.
  bool free(uint64_t address);
  /// Whether an allocation of the heap begins at `address`.
  bool owns(uint64_t address);
  /// The owner's memory is gone.
  void clear();

private:
  struct Piece {
    uint64_t allocation, bytes;
  };

  Memory &memory;
  const void *owner;
  std::mutex mutex;
  uint64_t used = 0;
  std::map<uint64_t, Piece> pieces; ///< By address.
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_HEAP_H
