//===- EngineScheduleTest.cpp - When engines do their work ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/EngineSchedule.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

using namespace mlir::hetero;

namespace {
using Tasks = std::vector<EngineTask>;

/// Every task starts after what it needs, and no engine does two at once.
void check(const Tasks &tasks, const EngineSchedule &schedule) {
  ASSERT_EQ(schedule.starts.size(), tasks.size());
  int64_t last = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    int64_t start = schedule.starts[i], end = start + tasks[i].time;
    last = std::max(last, end);
    EXPECT_GE(start, 0);
    for (unsigned other : tasks[i].needs)
      EXPECT_GE(start, schedule.starts[other] + tasks[other].time);
    for (size_t j = 0; j < i; ++j)
      for (unsigned engine : tasks[i].engines)
        if (llvm::is_contained(tasks[j].engines, engine)) {
          EXPECT_TRUE(start >= schedule.starts[j] + tasks[j].time ||
                      schedule.starts[j] >= end);
        }
  }
  EXPECT_EQ(schedule.makespan, last);
}

Tasks getRandom(std::mt19937 &random, unsigned count) {
  Tasks tasks;
  for (unsigned i = 0; i < count; ++i) {
    EngineTask task;
    for (unsigned engine = 0; engine < 3; ++engine)
      if (random() % 3 == 0)
        task.engines.push_back(engine);
    task.time = 1 + random() % 9;
    for (unsigned other = 0; other < i; ++other)
      if (random() % 4 == 0)
        task.needs.push_back(other);
    tasks.push_back(task);
  }
  return tasks;
}

/// The least over every order in which tasks may start.
int64_t findLeast(const Tasks &tasks) {
  std::vector<unsigned> order(tasks.size());
  std::iota(order.begin(), order.end(), 0);
  int64_t least = INT64_MAX;
  do {
    std::map<unsigned, int64_t> free, ends;
    int64_t makespan = 0;
    bool isValid = true;
    for (unsigned task : order) {
      int64_t start = 0;
      for (unsigned other : tasks[task].needs) {
        isValid &= ends.count(other) != 0;
        start = std::max(start, ends[other]);
      }
      for (unsigned engine : tasks[task].engines)
        start = std::max(start, free[engine]);
      ends[task] = start + tasks[task].time;
      for (unsigned engine : tasks[task].engines)
        free[engine] = ends[task];
      makespan = std::max(makespan, ends[task]);
    }
    if (isValid)
      least = std::min(least, makespan);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

/// Requests that run through stages, each with two operations on an engine of
/// its own, between which a copy takes the link to the next stage. `order` is
/// that of the tasks: by number of the request, stage and operation.
template <typename Order>
Tasks getPipeline(unsigned requests, unsigned stages, Order order) {
  struct Step {
    unsigned request, stage, part;
  };
  std::vector<Step> steps;
  for (unsigned request = 0; request < requests; ++request)
    for (unsigned stage = 0; stage < stages; ++stage)
      for (unsigned part = 0; part < 3; ++part)
        steps.push_back({request, stage, part});
  std::stable_sort(steps.begin(), steps.end(), [&](Step a, Step b) {
    return order(a.request, a.stage, a.part) <
           order(b.request, b.stage, b.part);
  });
  std::map<std::array<unsigned, 2>, unsigned> last;
  Tasks tasks;
  for (auto [request, stage, part] : steps) {
    EngineTask task;
    // The copy is shorter than what comes before and after it.
    task.time = part == 2 ? 40 : 50;
    task.engines.push_back(2 * stage + (part == 2));
    unsigned number = 3 * stage + part;
    if (number != 0)
      task.needs.push_back(last.at({request, number - 1}));
    last[{request, number}] = tasks.size();
    tasks.push_back(task);
  }
  return tasks;
}

// Whatever order the program has, a pipeline takes at most 1.05 of the bound:
// what the busiest stage has to do, and the first request's way there and the
// last one's from there.
TEST(EngineScheduleTest, PipelinesAreFull) {
  for (unsigned stages : {2, 4, 16, 128})
    for (unsigned requests : {1, 8, 16}) {
      int64_t bound = int64_t(stages) * 140 + (requests - 1) * 100;
      auto checkOrder = [&](const Tasks &tasks) {
        EngineSchedule schedule = scheduleEngines(tasks);
        EXPECT_EQ(schedule.bound, bound);
        EXPECT_LE(schedule.makespan, bound + bound / 20)
            << stages << " stages, " << requests << " requests";
      };
      checkOrder(getPipeline(requests, stages,
                             [](unsigned request, unsigned, unsigned) {
                               return std::tuple(request, 0u, 0u);
                             }));
      checkOrder(getPipeline(requests, stages,
                             [](unsigned request, unsigned stage, unsigned) {
                               return std::tuple(stage, request, 0u);
                             }));
      checkOrder(getPipeline(requests, stages,
                             [](unsigned, unsigned stage, unsigned part) {
                               return std::tuple(stage, part, 0u);
                             }));
    }
}
} // namespace

TEST(EngineScheduleTest, NothingTakesNoTime) {
  EXPECT_EQ(scheduleEngines({}).makespan, 0);
}

TEST(EngineScheduleTest, TheLongestWayToTheEndGoesFirst) {
  Tasks tasks = {{{0}, 1}, {{0}, 1}, {{1}, 5, {1}}};
  EngineSchedule schedule = scheduleEngines(tasks);
  check(tasks, schedule);
  EXPECT_EQ(schedule.makespan, 6);
  EXPECT_EQ(schedule.starts[1], 0);
}

/// Engines that cannot be taken at the same time are taken one after the other.
TEST(EngineScheduleTest, TasksTakeAllOfTheirEngines) {
  Tasks tasks = {{{0, 1}, 2}, {{1, 2}, 2}, {{0}, 2}, {{2}, 2}};
  EngineSchedule schedule = scheduleEngines(tasks);
  check(tasks, schedule);
  EXPECT_EQ(schedule.makespan, 4);
}

/// The first has the longer way to the end, but what the second keeps busy is
/// busy for longer.
TEST(EngineScheduleTest, BusyEnginesGetTheirWorkEarly) {
  Tasks tasks = {{{0}, 1}, {{0}, 1}, {{1}, 3, {0}}};
  for (unsigned i = 0; i < 4; ++i)
    tasks.push_back({{2}, 2, {1}});
  EngineSchedule schedule = scheduleEngines(tasks);
  check(tasks, schedule);
  EXPECT_EQ(schedule.makespan, 9);
}

TEST(EngineScheduleTest, SchedulesAreValid) {
  std::mt19937 random(1);
  for (unsigned seed = 0; seed < 200; ++seed) {
    Tasks tasks = getRandom(random, 1 + seed % 40);
    check(tasks, scheduleEngines(tasks));
  }
}

TEST(EngineScheduleTest, SmallSchedulesAreCloseToTheBest) {
  std::mt19937 random(2);
  double product = 0;
  unsigned total = 60;
  for (unsigned seed = 0; seed < total; ++seed) {
    Tasks tasks = getRandom(random, 7);
    int64_t least = findLeast(tasks), found = scheduleEngines(tasks).makespan;
    EXPECT_GE(found, least);
    product += std::log(double(found) / double(least));
  }
  EXPECT_LE(std::exp(product / total), 1.02);
}

/// One engine by itself has the work between the heads and the tails of its
/// tasks, which neither the longest way nor its load alone say.
TEST(EngineScheduleTest, BoundsCountWhatComesBeforeAndAfter) {
  Tasks tasks = {{{0}, 3}, {{1}, 2, {0}}, {{1}, 2, {0}}, {{2}, 4, {1, 2}}};
  EXPECT_EQ(boundEngines(tasks), 11);
  EXPECT_EQ(boundEngines({}), 0);
}

TEST(EngineScheduleTest, BoundsHoldAndAreClose) {
  std::mt19937 random(3);
  unsigned total = 60, equal = 0;
  for (unsigned seed = 0; seed < total; ++seed) {
    Tasks tasks = getRandom(random, 7);
    int64_t least = findLeast(tasks), bound = boundEngines(tasks);
    EXPECT_LE(bound, least);
    equal += bound == least;
  }
  EXPECT_GE(equal * 3, total * 2);
}
