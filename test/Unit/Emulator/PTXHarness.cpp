//===- PTXHarness.cpp - Runs PTX on one thread ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXHarness.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "gtest/gtest.h"

#include <csetjmp>

using namespace hetero::emulator;
using namespace hetero::emulator::test;

static constexpr uint64_t kIn = 0x10'0000'0000, kOut = kIn + 2048;
static constexpr uint64_t kGlobals = 0x20'0000'0000;

namespace {
/// What the callbacks of a run see.
struct Machine {
  alignas(16) uint8_t memory[4096] = {};
  alignas(16) uint8_t globals[4096] = {};
  alignas(16) uint8_t spare[64] = {};
  unsigned faults = 0;
  std::jmp_buf escape;
};
} // namespace

static uint8_t *fault(ThreadContext *ctx) {
  auto *machine = static_cast<Machine *>(ctx->executor);
  ++machine->faults;
  return machine->spare;
}

extern "C" {
uint8_t *heteroEmuTranslate(ThreadContext *ctx, uint64_t address, uint32_t size,
                            uint32_t, uint32_t, AccessWindow *window) {
  auto *machine = static_cast<Machine *>(ctx->executor);
  if (address >= kSharedWindowBase &&
      address - kSharedWindowBase < ctx->sharedBytes)
    return ctx->shared + (address - kSharedWindowBase);
  if (address >= kLocalWindowBase &&
      address - kLocalWindowBase < ctx->localBytes)
    return ctx->local + (address - kLocalWindowBase);
  if (address >= kGlobals && address - kGlobals <= 4096 - size &&
      address % size == 0)
    return machine->globals + (address - kGlobals);
  if (address < kIn || address - kIn > 4096 - size || address % size)
    return fault(ctx);
  *window = {kIn, 4096, machine->memory};
  return machine->memory + (address - kIn);
}
uint8_t *heteroEmuShared(ThreadContext *ctx, uint64_t, uint32_t, uint32_t,
                         uint32_t) {
  return fault(ctx);
}
uint8_t *heteroEmuLocal(ThreadContext *ctx, uint64_t, uint32_t, uint32_t,
                        uint32_t) {
  return fault(ctx);
}
uint8_t *heteroEmuParam(ThreadContext *ctx, uint64_t, uint32_t, uint32_t,
                        uint32_t) {
  return fault(ctx);
}
void heteroEmuBarrier(ThreadContext *, uint32_t, uint32_t) {}
uint64_t heteroEmuPhase(ThreadContext *, uint32_t, uint64_t *, uint64_t) {
  return 1;
}
void heteroEmuBulkCopy(ThreadContext *, uint32_t, uint64_t, uint64_t, uint32_t,
                       uint64_t, uint32_t) {}
void heteroEmuTensorCopy(ThreadContext *, uint32_t, uint64_t, uint32_t,
                         const int32_t *, uint64_t, uint64_t, uint32_t) {}
void heteroEmuGroups(ThreadContext *, uint32_t, uint32_t) {}
void heteroEmuWarpSync(ThreadContext *, uint32_t) {}
uint64_t heteroEmuShuffle(ThreadContext *, uint32_t mode, uint32_t value,
                          uint32_t lane, uint32_t clamp, uint32_t) {
  return (value + 1000 * mode + 100 * lane + clamp) | 1ull << 32;
}
uint32_t heteroEmuVote(ThreadContext *, uint32_t mode, uint32_t predicate,
                       uint32_t) {
  return mode == 3 ? predicate << 4 : predicate;
}
uint64_t heteroEmuMatch(ThreadContext *, uint32_t mode, uint64_t value,
                        uint32_t mask) {
  return (static_cast<uint32_t>(value) + mask) | uint64_t(mode) << 32;
}
uint32_t heteroEmuRedux(ThreadContext *, uint32_t mode, uint32_t value,
                        uint32_t mask) {
  return value + 1000 * mode + mask;
}
void heteroEmuBarrierArrive(ThreadContext *, uint32_t, uint32_t) {}
void heteroEmuClusterBarrier(ThreadContext *, uint32_t) {}
uint32_t heteroEmuBarrierReduce(ThreadContext *, uint32_t id, uint32_t threads,
                                uint32_t mode, uint32_t predicate) {
  return 1000 * id + threads + 10 * mode + predicate;
}
void heteroEmuYield(ThreadContext *) {}
void heteroEmuSleep(ThreadContext *, uint32_t) {}
void heteroEmuStep(ThreadContext *, uint32_t, uint64_t, uint32_t) {}
uint64_t heteroEmuClock(ThreadContext *) { return 1ull << 40; }
void heteroEmuSpin(ThreadContext *) {}
uint64_t heteroEmuAllocate(ThreadContext *, uint64_t, uint64_t) { return 0; }
void heteroEmuFree(ThreadContext *, uint64_t) {}
int32_t heteroEmuPrintf(ThreadContext *, uint64_t, uint64_t) { return 7; }
void heteroEmuMatrixMultiply(ThreadContext *, uint32_t, uint32_t, uint32_t,
                             uint32_t, uint32_t, uint32_t, const uint64_t *,
                             const uint64_t *, const uint64_t *, uint64_t *) {}
void heteroEmuQuadMultiply(ThreadContext *, uint32_t, uint32_t, uint32_t,
                           uint32_t, const uint64_t *, const uint64_t *,
                           const uint64_t *, uint64_t *) {}
void heteroEmuStoreMatrix(ThreadContext *, uint32_t, uint32_t, uint32_t,
                          uint64_t, uint32_t, uint64_t *) {}
void heteroEmuReplaceMap(ThreadContext *, uint64_t, uint32_t, uint32_t,
                         uint64_t, uint32_t) {}
void heteroEmuCopyMap(ThreadContext *, uint64_t, uint64_t, uint32_t) {}
void heteroEmuLoadMatrix(ThreadContext *, uint32_t, uint32_t, uint32_t,
                         uint64_t, uint32_t, uint64_t *) {}
void heteroEmuAccessFragment(ThreadContext *, const FragmentAccess *, uint64_t,
                             uint32_t, uint64_t *) {}
void heteroEmuMultiplyFragments(ThreadContext *, const FragmentType *, uint32_t,
                                const uint64_t *, const uint64_t *,
                                const uint64_t *, uint64_t *) {}
void heteroEmuGroupMultiply(ThreadContext *, const GroupMultiply *, uint64_t *,
                            uint64_t, uint64_t, uint32_t, uint64_t *) {}
uint32_t heteroEmuMoveMatrix(ThreadContext *, uint32_t value) { return value; }
uint32_t heteroEmuActiveMask(ThreadContext *, uint32_t) { return 1; }
void heteroEmuTrap(ThreadContext *ctx, const char *, uint32_t) {
  fault(ctx);
  std::longjmp(static_cast<Machine *>(ctx->executor)->escape, 1);
}
void heteroEmuAssertFail(ThreadContext *ctx, uint64_t, uint64_t, uint32_t line,
                         uint64_t) {
  heteroEmuTrap(ctx, "assert", line);
}
}

/// Puts the variables of the module into the machine, as a driver does.
static void placeGlobals(CompiledModule &module, Machine &machine) {
  std::vector<size_t> offsets;
  size_t end = 0;
  for (const GlobalVariable &global : module.globals()) {
    end = (end + global.align - 1) / global.align * global.align;
    offsets.push_back(end);
    end += global.size;
    module.bindGlobal(global.name, kGlobals + offsets.back());
  }
  ASSERT_LE(end, sizeof machine.globals);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const std::vector<uint8_t> &init = module.globals()[i].init;
    std::copy(init.begin(), init.end(), machine.globals + offsets[i]);
  }
}

/// Runs kernel "k" of a module.
static void execute(CompiledModule &module, std::vector<uint64_t> in,
                    Outcome &outcome) {
  const CompiledKernel *kernel = module.lookup("k");
  if (!kernel) {
    outcome.error = "the module has no kernel 'k'";
    return;
  }
  KernelFunction function = module.threadFunction(*kernel);
  if (!function) {
    outcome.error = "the kernel cannot be compiled";
    return;
  }
  Machine machine;
  in.resize(std::max<size_t>(in.size(), 4));
  std::memcpy(machine.memory, in.data(), in.size() * sizeof(uint64_t));
  placeGlobals(module, machine);
  std::vector<uint64_t> shared(512), local(512);
  uint64_t params[2] = {kIn, kOut};
  AccessWindow windows[kNumAccessWindows] = {};
  ThreadContext ctx = {};
  ctx.tid[0] = 3;
  ctx.laneid = 3;
  ctx.ntid[0] = 32;
  ctx.params = reinterpret_cast<uint8_t *>(params);
  ctx.shared = reinterpret_cast<uint8_t *>(shared.data());
  ctx.local = reinterpret_cast<uint8_t *>(local.data());
  ctx.sharedBytes = kernel->sharedBytes;
  ctx.localBytes = kernel->localBytes;
  ctx.executor = &machine;
  ctx.windows = windows;
  ctx.counters = outcome.counted;
  ctx.stackLimit = reinterpret_cast<uint64_t>(&ctx) - (1 << 20);
  if (setjmp(machine.escape) == 0)
    function(&ctx);
  std::memcpy(outcome.out.data(), machine.memory + 2048, 64);
  outcome.faults = machine.faults;
}

/// The module, with its globals in the memory that kernels see; null and an
/// error when it is refused.
static std::unique_ptr<CompiledModule>
compile(const std::string &text, Outcome &outcome,
        const CompileOptions &options = {}) {
  outcome.out.resize(8);
  auto result = compilePTX(text, 12, 0, options);
  if (auto *error = std::get_if<CompileError>(&result)) {
    outcome.error = error->message;
    outcome.kind = error->kind;
    return nullptr;
  }
  return std::move(std::get<0>(result));
}

Outcome test::runModule(const std::string &text, std::vector<uint64_t> in) {
  Outcome outcome;
  if (auto module = compile(text, outcome))
    execute(*module, std::move(in), outcome);
  return outcome;
}

Outcome test::runCounted(const std::string &text, std::vector<uint64_t> in) {
  Outcome outcome;
  CompileOptions options;
  options.counts = true;
  if (auto module = compile(text, outcome, options))
    execute(*module, std::move(in), outcome);
  return outcome;
}

Outcome test::runCached(const std::string &text, const std::string &folder,
                        bool &wasFound) {
  Outcome outcome;
  CompileOptions options;
  options.cache = folder;
  if (auto module = compile(text, outcome, options)) {
    execute(*module, {}, outcome);
    wasFound = module->isFromCache();
  }
  return outcome;
}

std::string test::compileOnly(const std::string &text) {
  Outcome outcome;
  compile(text, outcome);
  return outcome.error;
}

static std::string moduleOf(const std::string &body) {
  std::string text =
      ".version 9.0\n.target sm_120a\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .pred %p<20>;\n.reg .b16 %h<20>;\n.reg .b32 %r<20>;\n"
      ".reg .b64 %rd<20>;\n"
      "ld.param.u64 %rd0, [in];\nld.param.u64 %rd1, [out];\n";
  for (int i = 0; i < 4; ++i) {
    std::string n = std::to_string(i), at = std::to_string(8 * i) + "];\n";
    text += "ld.global.b32 %r" + n + ", [%rd0+" + at;
    text += "ld.global.b64 %rd1" + n + ", [%rd0+" + at;
    text += "ld.global.b16 %h" + n + ", [%rd0+" + at;
  }
  return text + body + "\nret;\n}\n";
}

Outcome test::runBody(const std::string &body, std::vector<uint64_t> in) {
  return runModule(moduleOf(body), std::move(in));
}

Sweep::Sweep(const std::string &instructions) {
  module = compile(moduleOf(instructions + "\nst.global.b64 [%rd1], %rd9;"),
                   outcome);
}

Sweep::~Sweep() = default;

uint64_t Sweep::run(std::vector<uint64_t> in) {
  execute(*module, std::move(in), outcome);
  return outcome.out[0];
}

static uint64_t single(const std::string &instruction, const char *store,
                       std::vector<uint64_t> in) {
  Outcome outcome = runBody(instruction + "\n" + store, std::move(in));
  EXPECT_EQ(outcome.error, "") << instruction;
  EXPECT_EQ(outcome.faults, 0u) << instruction;
  return outcome.out[0];
}

uint32_t test::word(const std::string &instruction, std::vector<uint64_t> in) {
  return single(instruction, "st.global.b32 [%rd1], %r9;", std::move(in));
}

uint64_t test::wide(const std::string &instruction, std::vector<uint64_t> in) {
  return single(instruction, "st.global.b64 [%rd1], %rd9;", std::move(in));
}

uint16_t test::half(const std::string &instruction, std::vector<uint64_t> in) {
  return single(instruction, "st.global.b16 [%rd1], %h9;", std::move(in));
}

bool test::predicate(const std::string &instruction, std::vector<uint64_t> in) {
  return single(instruction,
                "selp.b32 %r9, 1, 0, %p9;\nst.global.b32 [%rd1], %r9;",
                std::move(in));
}
