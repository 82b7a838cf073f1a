//===- ParallelFor.cpp - Loops over the threads of the machine ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/Error.h"
#include "Runtime/Host/Frame.h"
#include "Runtime/Host/Rank.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

using namespace hetero::runtime;

namespace {
/// One loop that the workers take chunks of.
struct Loop {
  int64_t count, chunk;
  HeteroLoopBody body;
  void *closure;
  Frame *frame;
  Rank *rank;
  std::atomic<int64_t> next{0};
  std::mutex mutex;
  /// First failure in iteration order.
  int64_t failedAt = INT64_MAX;
  HeteroStatus status = HETERO_OK;
  std::string error;

  /// Takes chunks until none is left.
  void work() {
    for (;;) {
      int64_t begin = next.fetch_add(chunk);
      if (begin >= count)
        return;
      HeteroStatus result =
          body(closure, begin, std::min(count, begin + chunk));
      if (result == HETERO_OK)
        continue;
      next.store(count);
      std::lock_guard<std::mutex> lock(mutex);
      if (begin < failedAt) {
        failedAt = begin;
        status = result;
        error = lastError();
      }
    }
  }
};

/// Threads that wait for loops. Lives as long as the process: a destructor
/// would race with threads of the program at exit.
class ThreadPool {
public:
  /// With fewer threads than asked for where the system refuses more: loops are
  /// slower then, and as right.
  explicit ThreadPool(int threads) {
    for (; workers < threads - 1; ++workers)
      try {
        std::thread([this] { run(); }).detach();
      } catch (const std::system_error &) {
        return;
      }
  }

  int size() const { return workers + 1; }

  /// Runs a loop on the workers and the calling thread; false if the pool is
  /// busy with another thread's loop.
  bool tryRun(Loop &loop) {
    std::unique_lock<std::mutex> owner(busy, std::try_to_lock);
    if (!owner)
      return false;
    {
      std::lock_guard<std::mutex> lock(mutex);
      current = &loop;
      ++generation;
      active = workers;
    }
    wake.notify_all();
    loop.work();
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, [this] { return active == 0; });
    current = nullptr;
    return true;
  }

private:
  void run();

  std::mutex busy, mutex;
  std::condition_variable wake, done;
  Loop *current = nullptr;
  int64_t generation = 0;
  int active = 0, workers = 0;
};
} // namespace

/// True in a thread that runs a loop's body: loops in loops run serially.
static thread_local bool insideLoop = false;

void ThreadPool::run() {
  insideLoop = true;
  int64_t seen = 0;
  for (;;) {
    Loop *loop;
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return generation != seen; });
      seen = generation;
      loop = current;
    }
    Frame *previous = exchangeCurrentFrame(loop->frame);
    Rank *previousRank = exchangeCurrentRank(loop->rank);
    loop->work();
    exchangeCurrentRank(previousRank);
    exchangeCurrentFrame(previous);
    std::lock_guard<std::mutex> lock(mutex);
    if (--active == 0)
      done.notify_all();
  }
}

namespace {
/// What HETERO_NUM_THREADS says.
struct ThreadCount {
  int number =
      static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  /// Why that is no number of threads; empty if it is.
  std::string error;
};
} // namespace

static ThreadCount readThreadCount() {
  constexpr int kMost = 1024;
  ThreadCount count;
  const char *text = std::getenv("HETERO_NUM_THREADS");
  if (!text || !*text)
    return count;
  const char *last = text + std::strlen(text);
  auto [end, code] = std::from_chars(text, last, count.number);
  if (code != std::errc() || end != last || count.number < 1 ||
      count.number > kMost)
    count.error = std::string("HETERO_NUM_THREADS=") + text +
                  ": expected a number from 1 to " + std::to_string(kMost) +
                  "; unset it for all cores";
  return count;
}

/// Lives as long as the process, as the pool does.
static const ThreadCount &threadCount() {
  static const auto *count = new ThreadCount(readThreadCount());
  return *count;
}

static ThreadPool &pool() {
  static ThreadPool *instance = new ThreadPool(threadCount().number);
  return *instance;
}

int32_t heteroThreadCount(void) { return pool().size(); }

HeteroStatus heteroParallelFor(int64_t count, int64_t grain,
                               HeteroLoopBody body, void *closure) {
  if (count <= 0)
    return HETERO_OK;
  if (!threadCount().error.empty())
    return fail(HETERO_ERROR_PROGRAM, threadCount().error);
  grain = std::max<int64_t>(grain, 1);
  if (insideLoop || count <= grain || pool().size() == 1)
    return body(closure, 0, count);
  // Four chunks per thread even out uneven work.
  int64_t pieces = std::min<int64_t>((count + grain - 1) / grain,
                                     4 * static_cast<int64_t>(pool().size()));
  Loop loop;
  loop.count = count;
  loop.chunk = (count + pieces - 1) / pieces;
  loop.body = body;
  loop.closure = closure;
  loop.frame = currentFrame();
  loop.rank = currentRank();
  insideLoop = true;
  bool ran = pool().tryRun(loop);
  insideLoop = false;
  if (!ran)
    return body(closure, 0, count);
  if (loop.status != HETERO_OK)
    setLastError(loop.error);
  return loop.status;
}
