//===- CompiledCode.h - What compiled PTX is, and what it sees --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_ABI_COMPILEDCODE_H
#define HETERO_LIB_EMULATOR_ABI_COMPILEDCODE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hetero::emulator {

class SourceLines;

/// A parameter of a kernel within its parameter block.
struct KernelParam {
  uint32_t offset, size, align;
};

/// An allocation that compiled code may access without asking the executor:
/// device addresses [begin, begin + size) are the host memory at `host`.
struct AccessWindow {
  uint64_t begin, size;
  uint8_t *host;
};

/// How many access windows ThreadContext::windows points to.
constexpr uint32_t kNumAccessWindows = 16;

/// What the code of one PTX thread sees: the only argument of every compiled
/// kernel. The fields stay the same while the thread runs, but for `line`; the
/// access windows that `windows` points to change.
struct ThreadContext {
  uint32_t tid[3], ntid[3], ctaid[3], nctaid[3];
  uint32_t laneid, warpid;
  const uint8_t *params; ///< Kernel parameter block (PTX .param space).
  uint8_t *shared;       ///< This block's shared memory: static, then dynamic.
  uint8_t *local;        ///< This thread's .local memory.
  void *executor;        ///< The executor's own state of this thread.
  uint32_t sharedBytes;  ///< Size of `shared`, static plus dynamic.
  uint32_t localBytes;   ///< Size of `local`, at least the kernel's localBytes.
  uint32_t smid, nsmid;  ///< The emulated multiprocessor, and their number.
  uint64_t gridid;       ///< A number that is unique to the launch.
  /// kNumAccessWindows windows that belong to the host thread that runs this
  /// PTX thread (zeroed before each launch). heteroEmuTranslate fills them.
  AccessWindow *windows;
  uint64_t stackLimit; ///< Recursion stops when the host's stack is below it.
  /// Floating-point operations, bytes of global loads and stores, and PTX
  /// instructions: code that was compiled to count adds to them.
  uint64_t *counters;
  /// Where the thread met others last, in the PTX; code writes it. When the
  /// lanes of a warp run as one, the first one's holds for all.
  uint32_t line;
  /// How many instructions the thread may still execute: code that was compiled
  /// with a limit counts it down.
  uint64_t *budget;
  /// Device memory in which the blocks of a cooperative launch meet, or 0.
  uint64_t workspace;
  uint32_t dynamicBytes; ///< The dynamic part of `shared`.
  /// Where reserved shared memory begins, if the kernel uses any: after the
  /// rest, whose size that is.
  uint32_t reservedAt;
  uint32_t isExplicitCluster; ///< The kernel or its launch asks for a cluster.
};
/// Shared memory that libraries take from each block.
constexpr uint32_t kReservedSharedBytes = 1024;

enum : size_t {
  kCountedFlops,
  kCountedBytes,
  kCountedInstructions,
  kNumCounters
};

using KernelFunction = void (*)(ThreadContext *);

/// What the code of a warp sees.
struct WarpContext {
  uint32_t tid[3][32];
  uint8_t *local[32];
  ThreadContext *threads[32];
  uint8_t *scratch;  ///< For lanes that are not there: 64 bytes.
  uint32_t live;     ///< Lanes that are there.
  uint32_t isInRows; ///< Eight lanes each are neighbours in x, or 0.
};
using WarpFunction = void (*)(WarpContext *);

struct CompiledKernel {
  std::string name;
  std::vector<KernelParam> params;
  uint32_t paramBytes = 0;  ///< Size of the parameter block.
  uint32_t sharedBytes = 0; ///< Static shared memory; the dynamic part follows.
  uint32_t localBytes = 0;  ///< .local memory of a thread, callees included.
  bool usesReservedShared = false;
  /// The threads of a block meet (bar, shfl, vote, match, redux, ...), in the
  /// kernel or in a function that it may call.
  bool usesBarriers = false;
  uint32_t maxThreads = 0;     ///< Product of .maxntid or .reqntid, or 0.
  uint32_t reqThreads[3] = {}; ///< .reqntid, or zeros.
  uint32_t reqCluster[3] = {}; ///< .reqnctapercluster, or zeros.
  uint32_t minBlocksPerSM = 0; ///< .minnctapersm, or 0.
  uint32_t numRegisters = 0;   ///< Estimate of 32-bit registers per thread.
  uint32_t ptxVersion = 0;     ///< .target of its module: 80 for sm_80.
  const SourceLines *lines = nullptr; ///< Of its module, if there are any.

  /// Its text asks for a cluster of more than one block.
  bool needsCluster() const {
    return uint64_t(reqCluster[0]) * reqCluster[1] * reqCluster[2] > 1;
  }
};

/// A module-scope .global or .const variable. The driver allocates it in the
/// memory of the device that the module is loaded on.
struct GlobalVariable {
  std::string name;
  uint64_t size = 0, align = 1;
  std::vector<uint8_t> init; ///< `size` bytes, or none when all are zero.
  bool isConst = false;
  bool isManaged = false; ///< The host reaches it too.
};

/// Says of a function where it is.
using AddFunction = void (*)(void *state, const char *name, void *function);

class CompiledModule {
public:
  virtual ~CompiledModule() = default;

  /// The kernel of that name, or null.
  virtual const CompiledKernel *lookup(std::string_view name) const = 0;
  virtual const std::vector<CompiledKernel> &kernels() const = 0;
  virtual const std::vector<GlobalVariable> &globals() const = 0;

  /// A function that runs a thread, and one that runs the threads of a warp as
  /// one. They are compiled when they are first asked for; null where there is
  /// none. Thread-safe.
  virtual KernelFunction threadFunction(const CompiledKernel &) = 0;
  virtual WarpFunction warpFunction(const CompiledKernel &) { return nullptr; }

  /// Whether nothing had to be compiled up to now.
  virtual bool isFromCache() const { return false; }

  /// Says where the driver has put a global. Called once per global, before
  /// the initializers are read and before any launch.
  virtual void bindGlobal(std::string_view name, uint64_t deviceAddress) = 0;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_ABI_COMPILEDCODE_H
