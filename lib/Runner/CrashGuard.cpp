//===- CrashGuard.cpp - One line instead of a crash -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signal handler may call few functions and allocate nothing, so that the
// text is put together before anything runs. It has a stack of its own: where a
// recursion never ends, there is no other left.
//
//===----------------------------------------------------------------------===//

#include "CrashGuard.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <sys/resource.h>
#include <unistd.h>

using namespace hetero::runner;

static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static constexpr int kNumSignals = 4;

/// How many guards there are, and what was installed before the first.
static std::mutex mutex;
static int numGuards = 0;
static struct sigaction before[kNumSignals];

/// The least that a handler may have.
static constexpr size_t kHandlerBytes = 64 * 1024;
alignas(16) static char handlerStack[kHandlerBytes];

/// The beginning of every text, and the stack of each thread that runs.
static std::string beginning;
static thread_local uintptr_t stackTop;
static thread_local uint64_t stackBytes;

static void print(const char *text) {
  size_t length = std::strlen(text);
  while (length > 0) {
    ssize_t written = write(STDERR_FILENO, text, length);
    if (written <= 0)
      return;
    text += written;
    length -= written;
  }
}

/// True for an access just below what the stack may grow to.
static bool isStackFull(const void *address) {
  constexpr uint64_t kMargin = 1 << 20;
  auto place = reinterpret_cast<uintptr_t>(address);
  if (place > stackTop)
    return false;
  uint64_t depth = stackTop - place;
  return depth + kMargin > stackBytes && depth < stackBytes + kMargin;
}

static void handle(int signal, siginfo_t *info, void *) {
  print(beginning.c_str());
  if ((signal == SIGSEGV || signal == SIGBUS) && isStackFull(info->si_addr))
    print(
        "ran out of stack; a recursion may never end, or ulimit -s may be too "
        "low\n");
  else if (signal == SIGSEGV || signal == SIGBUS)
    print("accessed memory that is not its own; an index may be out of range, "
          "or a library of --shared-libs may be at fault\n");
  else if (signal == SIGFPE)
    print("divided an integer by zero, or overflowed in it\n");
  else
    print("came to an instruction that this processor does not have\n");
  _exit(1);
}

/// New threads get as much as the first one may have.
static void measureStack() {
  stackTop = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  struct rlimit limit;
  bool isKnown =
      getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  stackBytes = isKnown ? limit.rlim_cur : uint64_t(8) << 20;
}

namespace {
/// Where the handler of a thread runs, until the thread ends.
struct HandlerStack {
  HandlerStack() : memory(new char[kHandlerBytes]) {
    stack_t own = {};
    own.ss_sp = memory.get();
    own.ss_size = kHandlerBytes;
    sigaltstack(&own, nullptr);
  }
  ~HandlerStack() {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

  std::unique_ptr<char[]> memory;
};
} // namespace

void CrashGuard::protectThread() {
  static thread_local HandlerStack stack;
  measureStack();
}

CrashGuard::CrashGuard(const std::string &tool, const std::string &entry) {
  std::lock_guard<std::mutex> lock(mutex);
  isFirst = numGuards++ == 0;
  if (!isFirst) {
    protectThread();
    return;
  }
  beginning = tool + ": error: the program crashed: '" + entry + "' ";
  measureStack();
  stack_t own = {};
  own.ss_sp = handlerStack;
  own.ss_size = kHandlerBytes;
  sigaltstack(&own, &stackBefore);
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < kNumSignals; ++i)
    sigaction(kSignals[i], &action, &before[i]);
}

CrashGuard::~CrashGuard() {
  std::lock_guard<std::mutex> lock(mutex);
  if (--numGuards == 0)
    for (int i = 0; i < kNumSignals; ++i)
      sigaction(kSignals[i], &before[i], nullptr);
  if (isFirst)
    sigaltstack(&stackBefore, nullptr);
}
