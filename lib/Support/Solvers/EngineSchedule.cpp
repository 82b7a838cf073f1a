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
// Where many alike go through the same engines one after the other, a rank
// prefers to begin with another one over going on with the first, so that all
// are late: the order of the program counts, too, and that of the shortest
// ways. That is repeated from ranks that are a little longer or shorter, since
// it ends where no small change is better. Of few tasks all schedules are
// looked at that may be better, as far as a fixed amount of work goes.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/EngineSchedule.h"

#include "ExactSchedule.h"
#include "hetero/Support/Assert.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <queue>
#include <random>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// Most times that a schedule is built from both ends.
static constexpr unsigned kMostRounds = 4;
/// Most times that this starts from other ranks and orders of tasks that are
/// alike, and most tasks that are scheduled for that in all.
static constexpr size_t kMostTries = 64, kMostWork = 20'000;
/// By how much of itself a rank changes at most, in percent.
static constexpr int64_t kMostChange = 30;

namespace {
using Links = SmallVector<SmallVector<unsigned, 4>, 0>;
using Times = SmallVector<int64_t, 0>;

/// Tasks that take the same engines and have all that they need.
struct Queue {
  SmallVector<unsigned, 2> engines;
  /// By when they can start, priority, what decides else, and number.
  using Entry = std::tuple<int64_t, int64_t, unsigned, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> pending;
  /// Those that can start when the engines are free.
  using Choice = std::tuple<int64_t, unsigned, unsigned>;
  std::priority_queue<Choice, std::vector<Choice>, std::greater<>> waiting;
  /// What the builder has of the queue: what comes next was not before.
  Entry posted = kNothing;

  static constexpr Entry kNothing = {INT64_MAX, 0, 0, 0};
};

/// Builds one schedule; `needs` and `users` may be exchanged.
class ScheduleBuilder {
public:
  ScheduleBuilder(ArrayRef<EngineTask> tasks, const Links &needs,
                  const Links &users, ArrayRef<int64_t> priorities,
                  ArrayRef<unsigned> ties);

  EngineSchedule run();

private:
  void add(unsigned task);
  Queue::Entry findNext(Queue &queue) const;
  void post(unsigned queue);
  void start(Queue &queue, unsigned task, int64_t at);

  ArrayRef<EngineTask> tasks;
  const Links &needs, &users;
  ArrayRef<int64_t> priorities;
  ArrayRef<unsigned> ties;
  std::vector<Queue> queues;
  /// What queues start next. Engines that others take make an entry too early,
  /// which is seen when it is the first.
  using Posted = std::pair<Queue::Entry, unsigned>;
  std::priority_queue<Posted, std::vector<Posted>, std::greater<>> posted;
  /// The queue of each task.
  SmallVector<unsigned, 0> queueOf;
  SmallVector<unsigned, 0> missing;
  Times free;
  EngineSchedule schedule;
};
} // namespace

ScheduleBuilder::ScheduleBuilder(ArrayRef<EngineTask> tasks, const Links &needs,
                                 const Links &users,
                                 ArrayRef<int64_t> priorities,
                                 ArrayRef<unsigned> ties)
    : tasks(tasks), needs(needs), users(users), priorities(priorities),
      ties(ties) {
  std::map<SmallVector<unsigned, 2>, unsigned> numbers;
  unsigned engines = 0;
  for (auto [index, task] : llvm::enumerate(tasks)) {
    auto [it, isNew] = numbers.try_emplace(task.engines, queues.size());
    if (isNew)
      queues.push_back({task.engines, {}, {}, Queue::kNothing});
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
  queues[queueOf[task]].pending.push(
      {ready, -priorities[task], ties[task], task});
  post(queueOf[task]);
}

/// What the queue would start next, and when; kNothing if it is empty.
Queue::Entry ScheduleBuilder::findNext(Queue &queue) const {
  int64_t now = 0;
  for (unsigned engine : queue.engines)
    now = std::max(now, free[engine]);
  while (!queue.pending.empty() && std::get<0>(queue.pending.top()) <= now) {
    auto [ready, priority, tie, task] = queue.pending.top();
    queue.waiting.push({priority, tie, task});
    queue.pending.pop();
  }
  if (!queue.waiting.empty())
    return std::tuple_cat(std::tuple(now), queue.waiting.top());
  if (!queue.pending.empty())
    return queue.pending.top();
  return Queue::kNothing;
}

/// Unless an entry of the queue that is no later is there.
void ScheduleBuilder::post(unsigned number) {
  Queue &queue = queues[number];
  Queue::Entry next = findNext(queue);
  if (next >= queue.posted)
    return;
  queue.posted = next;
  posted.push({next, number});
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
  while (!posted.empty()) {
    auto [entry, number] = posted.top();
    posted.pop();
    Queue &queue = queues[number];
    if (entry != queue.posted)
      continue;
    queue.posted = Queue::kNothing;
    if (findNext(queue) == entry)
      start(queue, std::get<3>(entry), std::get<0>(entry));
    post(number);
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

/// The best of the schedules from both ends, until they get no better.
static EngineSchedule improve(ArrayRef<EngineTask> tasks, const Links &needs,
                              const Links &users, Times priorities,
                              ArrayRef<unsigned> ties) {
  auto build = [&](const Links &before, const Links &after) {
    return ScheduleBuilder(tasks, before, after, priorities, ties).run();
  };
  auto setPriorities = [&](const EngineSchedule &schedule) {
    for (auto [index, task] : llvm::enumerate(tasks))
      priorities[index] = schedule.starts[index] + task.time;
  };
  EngineSchedule best = build(needs, users), forward = best;
  for (unsigned round = 0; round < kMostRounds; ++round) {
    setPriorities(forward);
    setPriorities(build(users, needs));
    forward = build(needs, users);
    if (forward.makespan >= best.makespan)
      break;
    best = forward;
  }
  return best;
}

/// Other priorities to start from: what the program has first, and what is the
/// closest to the end.
static std::array<Times, 2> getOtherRules(ArrayRef<int64_t> ranks) {
  std::array<Times, 2> rules;
  for (auto [index, rank] : llvm::enumerate(ranks)) {
    rules[0].push_back(-static_cast<int64_t>(index));
    rules[1].push_back(-rank);
  }
  return rules;
}

/// Ranks that differ by random parts of themselves.
static Times change(Times ranks, std::mt19937 &random) {
  for (int64_t &rank : ranks) {
    auto percent = static_cast<int64_t>(random() % (2 * kMostChange + 1));
    rank += rank / 100 * (percent - kMostChange);
  }
  return ranks;
}

/// Whether each task starts when all that it needs have ended.
[[maybe_unused]] static bool waitsForNeeds(ArrayRef<EngineTask> tasks,
                                           const EngineSchedule &schedule) {
  for (auto [index, task] : llvm::enumerate(tasks))
    for (unsigned other : task.needs)
      if (schedule.starts[index] < schedule.starts[other] + tasks[other].time)
        return false;
  return true;
}

EngineSchedule mlir::hetero::scheduleEngines(ArrayRef<EngineTask> tasks,
                                             ScheduleEffort effort) {
  Links needs(tasks.size()), users(tasks.size());
  for (auto [index, task] : llvm::enumerate(tasks)) {
    needs[index] = task.needs;
    llvm::sort(needs[index]);
    needs[index].erase(llvm::unique(needs[index]), needs[index].end());
    for (unsigned other : needs[index])
      users[other].push_back(index);
  }
  Times ranks = findRanks(tasks);
  SmallVector<unsigned, 0> ties(tasks.size());
  std::iota(ties.begin(), ties.end(), 0);
  EngineSchedule best = improve(tasks, needs, users, ranks, ties);
  int64_t least = boundEngines(tasks);
  for (const Times &rule : getOtherRules(ranks)) {
    if (best.makespan <= least ||
        ScheduleBuilder(tasks, needs, users, rule, ties).run().makespan >=
            best.makespan)
      continue;
    EngineSchedule other = improve(tasks, needs, users, rule, ties);
    if (other.makespan < best.makespan)
      best = std::move(other);
  }
  size_t tries = effort == ScheduleEffort::One
                     ? 0
                     : std::min(kMostTries, kMostWork / (tasks.size() + 1));
  std::mt19937 random;
  for (size_t count = 0; count < tries && best.makespan > least; ++count) {
    for (size_t i = ties.size(); i > 1; --i)
      std::swap(ties[i - 1], ties[random() % i]);
    EngineSchedule next =
        improve(tasks, needs, users,
                count % 2 == 0 ? ranks : change(ranks, random), ties);
    if (next.makespan < best.makespan)
      best = std::move(next);
  }
  if (effort == ScheduleEffort::Several)
    improveExactly(tasks, ranks, least, best);
  best.bound = least;
  HETERO_ASSERT(best.makespan >= least, "no schedule ends before its bound");
  HETERO_ASSERT(waitsForNeeds(tasks, best), "tasks wait for what they need");
  return best;
}

//===----------------------------------------------------------------------===//
// Bound
//===----------------------------------------------------------------------===//

namespace {
/// A task of one engine: when it can start, and what must come after its end.
struct EngineJob {
  int64_t head, time, tail;
};
} // namespace

/// When the last tail ends if tasks of one engine may be interrupted.
static int64_t schedulePreemptively(SmallVectorImpl<EngineJob> &jobs) {
  llvm::sort(jobs, [](const EngineJob &a, const EngineJob &b) {
    return std::tie(a.head, a.time, a.tail) < std::tie(b.head, b.time, b.tail);
  });
  // Tail and what is left of its time.
  std::priority_queue<std::pair<int64_t, int64_t>> waiting;
  int64_t now = 0, last = 0;
  auto runUntil = [&](int64_t end) {
    while (!waiting.empty() && now < end) {
      auto [tail, left] = waiting.top();
      waiting.pop();
      int64_t part = std::min(left, end - now);
      now += part;
      if (part < left)
        waiting.push({tail, left - part});
      else
        last = std::max(last, now + tail);
    }
    now = std::max(now, end);
  };
  for (const EngineJob &job : jobs) {
    runUntil(job.head);
    waiting.push({job.tail, job.time});
  }
  runUntil(INT64_MAX);
  return last;
}

int64_t mlir::hetero::boundEngines(ArrayRef<EngineTask> tasks) {
  Times heads(tasks.size(), 0), ranks = findRanks(tasks);
  int64_t bound = 0;
  std::vector<SmallVector<EngineJob, 0>> jobs;
  for (auto [index, task] : llvm::enumerate(tasks)) {
    for (unsigned other : task.needs)
      heads[index] = std::max(heads[index], heads[other] + tasks[other].time);
    bound = std::max(bound, ranks[index]);
    for (unsigned engine : task.engines) {
      jobs.resize(std::max<size_t>(jobs.size(), engine + 1));
      jobs[engine].push_back(
          {heads[index], task.time, ranks[index] - task.time});
    }
  }
  for (auto &ofEngine : jobs)
    bound = std::max(bound, schedulePreemptively(ofEngine));
  return bound;
}
