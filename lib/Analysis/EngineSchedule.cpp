//===- EngineSchedule.cpp - When engines do their work --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the tasks that can start the earliest the one with the highest priority
// starts: at first that with the longest way to the end, its upward rank
// (Topcuoglu, Hariri and Wu, "Performance-Effective and Low-Complexity Task
// Scheduling for Heterogeneous Computing", 2002). A rank knows nothing of
// engines that others keep busy, a schedule does. So the schedule is built
// again from its end, by when tasks ended, and from its start, by when they
// then started, and the best one counts (Li and Willis, "An iterative
// scheduling technique for resource-constrained project scheduling", 1992).
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/EngineSchedule.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <queue>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Most times that a schedule is built from both ends.
static constexpr unsigned kMostRounds = 4;

namespace {
using Links = SmallVector<SmallVector<unsigned, 4>, 0>;
using Times = SmallVector<int64_t, 0>;

/// Tasks that take the same engines and have all that they need.
struct Queue {
  SmallVector<unsigned, 2> engines;
  /// By when they can start, priority and number.
  using Entry = std::tuple<int64_t, int64_t, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> pending;
  /// Those that can start when the engines are free.
  using Choice = std::pair<int64_t, unsigned>;
  std::priority_queue<Choice, std::vector<Choice>, std::greater<>> waiting;
};

/// Builds one schedule; `needs` and `users` may be exchanged.
class ScheduleBuilder {
public:
  ScheduleBuilder(ArrayRef<EngineTask> tasks, const Links &needs,
                  const Links &users, ArrayRef<int64_t> priorities);

  EngineSchedule run();

private:
  void add(unsigned task);
  Queue::Entry findNext(Queue &queue) const;
  void start(Queue &queue, unsigned task, int64_t at);

  ArrayRef<EngineTask> tasks;
  const Links &needs, &users;
  ArrayRef<int64_t> priorities;
  std::vector<Queue> queues;
  /// The queue of each task.
  SmallVector<unsigned, 0> queueOf;
  SmallVector<unsigned, 0> missing;
  Times free;
  EngineSchedule schedule;
};
} // namespace

ScheduleBuilder::ScheduleBuilder(ArrayRef<EngineTask> tasks, const Links &needs,
                                 const Links &users,
                                 ArrayRef<int64_t> priorities)
    : tasks(tasks), needs(needs), users(users), priorities(priorities) {
  std::map<SmallVector<unsigned, 2>, unsigned> numbers;
  unsigned engines = 0;
  for (auto [index, task] : llvm::enumerate(tasks)) {
    auto [it, isNew] = numbers.try_emplace(task.engines, queues.size());
    if (isNew)
      queues.push_back({task.engines, {}, {}});
    queueOf.push_back(it->second);
    missing.push_back(needs[index].size());
    for (unsigned engine : task.engines)
      engines = std::max(engines, engine + 1);
  }
  free.assign(engines, 0);
  schedule.starts.assign(tasks.size(), 0);
}

/// The task has all that it needs.
void ScheduleBuilder::add(unsigned task) {
  int64_t ready = 0;
  for (unsigned other : needs[task])
    ready = std::max(ready, schedule.starts[other] + tasks[other].time);
  queues[queueOf[task]].pending.push({ready, -priorities[task], task});
}

/// What the queue would start next, and when; INT64_MAX if it is empty.
Queue::Entry ScheduleBuilder::findNext(Queue &queue) const {
  int64_t now = 0;
  for (unsigned engine : queue.engines)
    now = std::max(now, free[engine]);
  while (!queue.pending.empty() && std::get<0>(queue.pending.top()) <= now) {
    auto [ready, priority, task] = queue.pending.top();
    queue.waiting.push({priority, task});
    queue.pending.pop();
  }
  if (!queue.waiting.empty())
    return {now, queue.waiting.top().first, queue.waiting.top().second};
  if (!queue.pending.empty())
    return queue.pending.top();
  return {INT64_MAX, 0, 0};
}

void ScheduleBuilder::start(Queue &queue, unsigned task, int64_t at) {
  if (queue.waiting.empty())
    queue.pending.pop();
  else
    queue.waiting.pop();
  schedule.starts[task] = at;
  int64_t end = at + tasks[task].time;
  schedule.makespan = std::max(schedule.makespan, end);
  for (unsigned engine : queue.engines)
    free[engine] = end;
  for (unsigned user : users[task])
    if (--missing[user] == 0)
      add(user);
}

EngineSchedule ScheduleBuilder::run() {
  for (unsigned task = 0; task < tasks.size(); ++task)
    if (missing[task] == 0)
      add(task);
  for (size_t count = 0; count < tasks.size(); ++count) {
    Queue *best = nullptr;
    Queue::Entry next{INT64_MAX, 0, 0};
    for (Queue &queue : queues)
      if (Queue::Entry entry = findNext(queue); !best || entry < next) {
        best = &queue;
        next = entry;
      }
    start(*best, std::get<2>(next), std::get<0>(next));
  }
  return std::move(schedule);
}

/// The longest way from the start of each task to the end.
static Times findRanks(ArrayRef<EngineTask> tasks) {
  Times ranks(tasks.size(), 0);
  for (unsigned index = tasks.size(); index-- > 0;) {
    ranks[index] += tasks[index].time;
    for (unsigned other : tasks[index].needs)
      ranks[other] = std::max(ranks[other], ranks[index]);
  }
  return ranks;
}

EngineSchedule mlir::hetero::scheduleEngines(ArrayRef<EngineTask> tasks) {
  Links needs(tasks.size()), users(tasks.size());
  for (auto [index, task] : llvm::enumerate(tasks)) {
    needs[index] = task.needs;
    llvm::sort(needs[index]);
    needs[index].erase(llvm::unique(needs[index]), needs[index].end());
    for (unsigned other : needs[index])
      users[other].push_back(index);
  }
  Times priorities = findRanks(tasks);
  EngineSchedule best = ScheduleBuilder(tasks, needs, users, priorities).run();
  EngineSchedule forward = best;
  for (unsigned round = 0; round < kMostRounds; ++round) {
    for (auto [index, task] : llvm::enumerate(tasks))
      priorities[index] = forward.starts[index] + task.time;
    EngineSchedule backward =
        ScheduleBuilder(tasks, users, needs, priorities).run();
    for (auto [index, task] : llvm::enumerate(tasks))
      priorities[index] = backward.starts[index] + task.time;
    forward = ScheduleBuilder(tasks, needs, users, priorities).run();
    if (forward.makespan >= best.makespan)
      break;
    best = forward;
  }
  return best;
}
