//===- Fiber.cpp - Stacks that threads of a block run on ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Fiber.h"

#include <cstdint>
#include <sys/mman.h>

#if __has_feature(address_sanitizer)
#define HETERO_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define HETERO_ASAN 0
#endif
#if __has_feature(thread_sanitizer)
#define HETERO_TSAN 1
#include <sanitizer/tsan_interface.h>
#else
#define HETERO_TSAN 0
#endif

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

using namespace hetero::emulator;

/// The lowest page is not accessible.
static constexpr size_t kPage = 4096;
/// Sanitizers make frames larger.
static constexpr size_t kScale = HETERO_ASAN ? 4 : 1;

//===----------------------------------------------------------------------===//
// Switching stacks
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)

// Saves what a call preserves (and the floating-point modes), exchanges the
// stack pointer, and restores. A fresh stack "returns" to heteroFiberStart.
extern "C" void heteroFiberSwitch(void **from, void *to);
extern "C" void heteroFiberStart();
asm(R"(
  .text
  .p2align 4
  .type heteroFiberSwitch, @function
  .hidden heteroFiberSwitch
  .globl heteroFiberSwitch
heteroFiberSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size heteroFiberSwitch, .-heteroFiberSwitch

  .p2align 4
  .type heteroFiberStart, @function
  .hidden heteroFiberStart
  .globl heteroFiberStart
heteroFiberStart:
  .cfi_startproc
  .cfi_undefined %rip
  movq %r13, %rdi
  callq *%r12
  ud2
  .cfi_endproc
  .size heteroFiberStart, .-heteroFiberStart
)");

static void *makeStack(uint8_t *top, size_t, Fiber::Entry entry,
                       void *argument) {
  uint32_t modes[2] = {0x1f80, 0x037f};
  // heteroFiberStart begins with the stack pointer at a multiple of 16.
  uint64_t *slot = reinterpret_cast<uint64_t *>(top) - 3;
  *slot-- = reinterpret_cast<uint64_t>(&heteroFiberStart);
  *slot-- = 0;                                    // rbp
  *slot-- = 0;                                    // rbx
  *slot-- = reinterpret_cast<uint64_t>(entry);    // r12
  *slot-- = reinterpret_cast<uint64_t>(argument); // r13
  *slot-- = 0;                                    // r14
  *slot-- = 0;                                    // r15
  *slot = modes[0] | uint64_t(modes[1]) << 32;
  return slot;
}

static void switchStack(void **from, void *to) { heteroFiberSwitch(from, to); }

#else

// The saved "stack pointer" is a context in the frame of switchStack.
static void startContext(unsigned entryHigh, unsigned entryLow,
                         unsigned argumentHigh, unsigned argumentLow) {
  auto join = [](unsigned high, unsigned low) {
    return uint64_t(high) << 32 | low;
  };
  reinterpret_cast<Fiber::Entry>(join(entryHigh, entryLow))(
      reinterpret_cast<void *>(join(argumentHigh, argumentLow)));
}

static void *makeStack(uint8_t *top, size_t bytes, Fiber::Entry entry,
                       void *argument) {
  auto *context = reinterpret_cast<ucontext_t *>(
      (reinterpret_cast<uintptr_t>(top) - sizeof(ucontext_t)) & ~uintptr_t(63));
  uint8_t *bottom = top - bytes;
  getcontext(context);
  context->uc_stack.ss_sp = bottom;
  context->uc_stack.ss_size = reinterpret_cast<uint8_t *>(context) - bottom;
  context->uc_link = nullptr;
  uint64_t e = reinterpret_cast<uint64_t>(entry);
  uint64_t a = reinterpret_cast<uint64_t>(argument);
  makecontext(context, reinterpret_cast<void (*)()>(startContext), 4,
              unsigned(e >> 32), unsigned(e), unsigned(a >> 32), unsigned(a));
  return context;
}

static void switchStack(void **from, void *to) {
  ucontext_t here;
  *from = &here;
  swapcontext(&here, static_cast<ucontext_t *>(to));
}

#endif

//===----------------------------------------------------------------------===//
// Fiber
//===----------------------------------------------------------------------===//

Fiber::Fiber(size_t bytes) : bytes(bytes * kScale) {}

Fiber::~Fiber() {
  if (stack)
    munmap(stack, bytes + kPage);
#if HETERO_TSAN
  if (tsanFiber)
    __tsan_destroy_fiber(tsanFiber);
#endif
}

bool Fiber::prepare(Entry entry, void *argument) {
  if (!stack) {
    void *memory = mmap(nullptr, bytes + kPage, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    mprotect(memory, kPage, PROT_NONE);
    stack = memory;
#if HETERO_TSAN
    tsanFiber = __tsan_create_fiber(0);
#endif
  }
  uint8_t *bottom = static_cast<uint8_t *>(stack) + kPage;
#if HETERO_ASAN
  // A fiber that was left in the middle has poison on its stack.
  __asan_unpoison_memory_region(bottom, bytes);
  fakeStack = nullptr;
#endif
  pointer = makeStack(bottom + bytes, bytes, entry, argument);
  return true;
}

uint64_t Fiber::stackLimit() const {
  // printf in a kernel needs room for its text.
  return reinterpret_cast<uint64_t>(stack) + kPage + bytes / 2;
}

void Fiber::resume() {
#if HETERO_ASAN
  __sanitizer_start_switch_fiber(&callerFakeStack,
                                 static_cast<uint8_t *>(stack) + kPage, bytes);
#endif
#if HETERO_TSAN
  tsanCaller = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(tsanFiber, 0);
#endif
  switchStack(&callerPointer, pointer);
#if HETERO_ASAN
  __sanitizer_finish_switch_fiber(callerFakeStack, nullptr, nullptr);
#endif
}

void Fiber::enter() {
#if HETERO_ASAN
  __sanitizer_finish_switch_fiber(fakeStack, &callerStack, &callerStackSize);
#endif
}

void Fiber::suspend(bool last) {
#if HETERO_ASAN
  __sanitizer_start_switch_fiber(last ? nullptr : &fakeStack, callerStack,
                                 callerStackSize);
#endif
#if HETERO_TSAN
  __tsan_switch_to_fiber(tsanCaller, 0);
#endif
  switchStack(&pointer, callerPointer);
  enter();
}
