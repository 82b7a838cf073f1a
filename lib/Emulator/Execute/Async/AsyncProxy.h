//===- AsyncProxy.h - Memory that is accessed for threads -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies and the products of warpgroups access memory while the thread
// that began them goes on. Here they are done at once; what the thread must do
// before others rely on them is found by check=shared, to which they are agents
// of their own.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_ASYNC_ASYNCPROXY_H
#define HETERO_LIB_EMULATOR_EXECUTE_ASYNC_ASYNCPROXY_H

#include "Emulator/Execute/Access.h"

namespace hetero::emulator {

/// An asynchronous operation of a thread. What is wrong is reported, and the
/// thread left: callers hold nothing that has to be freed.
class AsyncProxy {
public:
  enum Kind : uint8_t { Copy, Product };

  AsyncProxy(ThreadContext *context, Kind kind, uint32_t line);

  /// Host memory of bytes of shared memory.
  uint8_t *shared(uint64_t offset, uint64_t bytes, bool isStore);
  /// Of global memory, within one allocation.
  uint8_t *global(uint64_t address, uint64_t bytes, bool isStore);

  /// The bytes have come: completes the transaction of an mbarrier.
  void complete(uint64_t barrier, uint64_t bytes);

  /// `what` is not a multiple of `align`: "shared address", ...
  void checkAlignment(const char *what, uint64_t value, uint64_t align);

  /// Reports and leaves. `what` follows the name of the thread.
  [[noreturn]] void fail(const char *what);

  ThreadContext *context;
  uint32_t line;

private:
  PTXThread &thread;
  SharedChecks *checks; ///< Null if there are none.
  uint32_t agent = 0;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_ASYNC_ASYNCPROXY_H
