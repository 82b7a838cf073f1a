//===- Fiber.h - Stacks that threads of a block run on ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_FIBER_H
#define HETERO_LIB_EMULATOR_EXECUTE_FIBER_H

#include <cstdint>

#include <cstddef>

namespace hetero::emulator {

/// What a thread of a kernel needs, and a warp that runs as one: kernels keep
/// their arrays in .local memory, so that the stack holds only spills and the
/// executor's own frames.
constexpr size_t kThreadStack = 256 * 1024, kWarpStack = 2048 * 1024;

/// A stack of its own, entered with resume() and left with suspend(). A fiber
/// that is never resumed again costs nothing: what ran on it owns no resources.
class Fiber {
public:
  using Entry = void (*)(void *);

  /// A stack of so many bytes, a multiple of 4096.
  explicit Fiber(size_t bytes);
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;
  ~Fiber();

  /// Makes the next resume() call entry(argument), which must end in suspend().
  /// False when there is no memory for the stack.
  bool prepare(Entry entry, void *argument);

  /// Runs the fiber on the calling thread until it suspends.
  void resume();

  /// Goes back to the caller of resume(); called on the fiber. `last` when it
  /// will not be resumed again.
  void suspend(bool last);

  /// Called first on a fiber, by its entry.
  void enter();

  /// Recursion on the fiber's stack should not go below this address.
  uint64_t stackLimit() const;

private:
  size_t bytes;
  void *stack = nullptr;
  void *pointer = nullptr;       ///< Saved stack pointer of the fiber.
  void *callerPointer = nullptr; ///< And of who resumed it.
  // For the sanitizers only.
  [[maybe_unused]] void *fakeStack = nullptr, *callerFakeStack = nullptr;
  [[maybe_unused]] const void *callerStack = nullptr;
  [[maybe_unused]] size_t callerStackSize = 0;
  [[maybe_unused]] void *tsanFiber = nullptr, *tsanCaller = nullptr;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_FIBER_H
