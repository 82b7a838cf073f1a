//===- ExactSchedule.cpp - The best schedule of few tasks -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can end the earliest starts next, or another task that takes one of its
// engines and can start before that end: all others can wait. A part of a
// schedule is given up where its tasks cannot be through before the best
// schedule is.
//
//===----------------------------------------------------------------------===//

#include "ExactSchedule.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Most tasks, and most parts of schedules that are looked at.
static constexpr size_t kMostTasks = 40;
static constexpr unsigned kMostParts = 2'000;

namespace {
class ActiveSchedules {
public:
  ActiveSchedules(ArrayRef<EngineTask> tasks, ArrayRef<int64_t> ranks,
                  int64_t bound, EngineSchedule &best)
      : tasks(tasks), ranks(ranks), bound(bound), best(best) {
    starts.assign(tasks.size(), kOpen);
    for (const EngineTask &task : tasks)
      for (unsigned engine : task.engines)
        free.resize(std::max<size_t>(free.size(), engine + 1), 0);
    left.assign(free.size(), 0);
    for (const EngineTask &task : tasks)
      for (unsigned engine : task.engines)
        left[engine] += task.time;
  }

  void visit(int64_t makespan);

private:
  static constexpr int64_t kOpen = -1;

  std::optional<int64_t> findStart(unsigned task) const;
  bool canImprove(int64_t makespan) const;
  void start(unsigned task, int64_t at, int64_t makespan);

  ArrayRef<EngineTask> tasks;
  ArrayRef<int64_t> ranks;
  int64_t bound;
  EngineSchedule &best;
  SmallVector<int64_t, 0> starts;
  /// By engine: when it is free, and the time of what has not started.
  SmallVector<int64_t> free, left;
  unsigned numParts = 0;
};
} // namespace

/// When a task could start next; nothing if it has, or has to wait for one that
/// has not.
std::optional<int64_t> ActiveSchedules::findStart(unsigned task) const {
  if (starts[task] != kOpen)
    return std::nullopt;
  int64_t at = 0;
  for (unsigned need : tasks[task].needs) {
    if (starts[need] == kOpen)
      return std::nullopt;
    at = std::max(at, starts[need] + tasks[need].time);
  }
  for (unsigned engine : tasks[task].engines)
    at = std::max(at, free[engine]);
  return at;
}

bool ActiveSchedules::canImprove(int64_t makespan) const {
  if (makespan >= best.makespan)
    return false;
  for (auto [end, rest] : llvm::zip_equal(free, left))
    if (rest != 0 && end + rest >= best.makespan)
      return false;
  for (unsigned task = 0; task < tasks.size(); ++task)
    if (auto at = findStart(task); at && *at + ranks[task] >= best.makespan)
      return false;
  return true;
}

void ActiveSchedules::start(unsigned task, int64_t at, int64_t makespan) {
  SmallVector<int64_t> before(free);
  int64_t end = at + tasks[task].time;
  starts[task] = at;
  for (unsigned engine : tasks[task].engines) {
    free[engine] = end;
    left[engine] -= tasks[task].time;
  }
  visit(std::max(makespan, end));
  for (unsigned engine : tasks[task].engines)
    left[engine] += tasks[task].time;
  starts[task] = kOpen;
  free = std::move(before);
}

void ActiveSchedules::visit(int64_t makespan) {
  if (++numParts > kMostParts || best.makespan <= bound ||
      !canImprove(makespan))
    return;
  int64_t firstEnd = INT64_MAX;
  std::optional<unsigned> first;
  for (unsigned task = 0; task < tasks.size(); ++task)
    if (auto at = findStart(task); at && *at + tasks[task].time < firstEnd) {
      firstEnd = *at + tasks[task].time;
      first = task;
    }
  if (!first) {
    best.starts = starts;
    best.makespan = makespan;
    return;
  }
  // Start, longest way, task.
  SmallVector<std::tuple<int64_t, int64_t, unsigned>> next;
  for (unsigned task = 0; task < tasks.size(); ++task) {
    std::optional<int64_t> at = findStart(task);
    bool isNext = at && (task == *first ||
                         (*at < firstEnd && llvm::any_of(
                                                tasks[task].engines,
                                                [&](unsigned e) {
                                                  return llvm::is_contained(
                                                      tasks[*first].engines, e);
                                                })));
    if (isNext)
      next.push_back({*at, -ranks[task], task});
  }
  // The longest way first, as in a list schedule.
  llvm::sort(next, [](const auto &a, const auto &b) {
    return std::tuple(std::get<1>(a), std::get<2>(a)) <
           std::tuple(std::get<1>(b), std::get<2>(b));
  });
  for (auto [at, rank, task] : next)
    start(task, at, makespan);
}

void mlir::hetero::improveExactly(ArrayRef<EngineTask> tasks,
                                  ArrayRef<int64_t> ranks, int64_t bound,
                                  EngineSchedule &best) {
  if (tasks.size() <= kMostTasks && best.makespan > bound)
    ActiveSchedules(tasks, ranks, bound, best).visit(0);
}
