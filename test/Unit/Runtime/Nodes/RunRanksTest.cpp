//===- RunRanksTest.cpp - Ranks as threads of one process -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroNodes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

namespace {
using Body = std::function<HeteroStatus(int32_t rank)>;

/// A thread may come to see late that its time is over.
std::string withoutTimes(const std::string &text) {
  static const std::regex kTime("waited [0-9.]+ s");
  return std::regex_replace(text, kTime, "waited N s");
}

/// Runs the ranks, and keeps what each ended with.
struct Ranks {
  HeteroRankOptions options = {};
  std::vector<std::string> errors;
  std::vector<HeteroStatus> statuses;

  HeteroStatus run(int32_t count, const Body &body) {
    errors.assign(count, "");
    statuses.assign(count, HETERO_OK);
    auto call = [&](int32_t rank) -> HeteroStatus {
      heteroFrameBegin("test");
      HeteroStatus status = heteroFrameEnd(body(rank));
      statuses[rank] = heteroLeaveNodes(status);
      if (statuses[rank] != HETERO_OK)
        errors[rank] = withoutTimes(heteroLastError());
      return statuses[rank];
    };
    std::function<HeteroStatus(int32_t)> closure = call;
    return heteroRunRanks(
        count, &options,
        [](void *context, int32_t rank) {
          return (*static_cast<std::function<HeteroStatus(int32_t)> *>(
              context))(rank);
        },
        &closure);
  }
};

HeteroStatus sendNumber(int32_t to, int64_t tag, const int64_t &number) {
  return heteroSend(to, tag, &number, sizeof number, "%x of @main");
}

HeteroStatus receiveNumber(int32_t from, int64_t tag, int64_t &number) {
  return heteroReceive(from, tag, &number, sizeof number, "%x of @main");
}

/// Makes calls until one fails.
HeteroStatus all() { return HETERO_OK; }
template <typename First, typename... Rest>
HeteroStatus all(First first, Rest... rest) {
  HeteroStatus status = first();
  return status == HETERO_OK ? all(rest...) : status;
}

/// Sends a number in a ring, each rank adding its own.
HeteroStatus addInRing(int32_t rank, int32_t count, int64_t &sum) {
  int64_t sent = 0;
  if (rank > 0)
    if (HeteroStatus status =
            all([&] { return receiveNumber(rank - 1, 1, sent); },
                [&] { return heteroAwaitTransfer(1, &sent); }))
      return status;
  sent += rank;
  if (HeteroStatus status =
          all([&] { return sendNumber((rank + 1) % count, 1, sent); },
              [&] {
                return rank > 0 ? heteroAwaitTransfer(1, &sent)
                                : HeteroStatus(HETERO_OK);
              }))
    return status;
  if (rank > 0)
    return HETERO_OK;
  return all([&] { return receiveNumber(count - 1, 1, sum); },
             [&] { return heteroAwaitTransfer(1, &sum); },
             [&] { return heteroAwaitTransfer(1, &sent); });
}

TEST(RunRanks, PassesANumberInARing) {
  Ranks ranks;
  int64_t sum = -1;
  ASSERT_EQ(ranks.run(4,
                      [&](int32_t rank) -> HeteroStatus {
                        EXPECT_EQ(heteroNodeRank(), rank);
                        EXPECT_EQ(heteroNodeCount(), 4);
                        return addInRing(rank, 4, sum);
                      }),
            HETERO_OK)
      << heteroLastError();
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(heteroNodeRank(), 0);
  EXPECT_EQ(heteroNodeCount(), 1);
}

/// Whatever delays say, a receive gets what was sent under its tag, and of a
/// tag in order.
TEST(RunRanks, MatchesTagsUnderAnyDelays) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Ranks ranks;
    ranks.options.seed = seed;
    ranks.options.longestDelaySeconds = 2e-3;
    constexpr int64_t kTags = 5, kTimes = 3;
    int64_t got[kTags][kTimes] = {};
    HeteroStatus status = ranks.run(2, [&](int32_t rank) -> HeteroStatus {
      int64_t sent[kTags][kTimes];
      for (int64_t time = 0; time < kTimes; ++time)
        for (int64_t i = 0; i < kTags; ++i) {
          // The receiver takes them in another order.
          int64_t tag = rank == 0 ? i : kTags - 1 - i;
          sent[tag][time] = 10 * tag + time;
          if (HeteroStatus failed =
                  rank == 0 ? sendNumber(1, tag + 1, sent[tag][time])
                            : receiveNumber(0, tag + 1, got[tag][time]))
            return failed;
        }
      for (int64_t tag = 0; tag < kTags; ++tag)
        for (int64_t time = 0; time < kTimes; ++time)
          if (HeteroStatus failed = heteroAwaitTransfer(
                  tag + 1, rank == 0 ? &sent[tag][time] : &got[tag][time]))
            return failed;
      return HETERO_OK;
    });
    ASSERT_EQ(status, HETERO_OK) << heteroLastError();
    for (int64_t tag = 0; tag < kTags; ++tag)
      for (int64_t time = 0; time < kTimes; ++time)
        EXPECT_EQ(got[tag][time], 10 * tag + time);
  }
}

TEST(RunRanks, ChecksProgramsOfAllRanks) {
  Ranks ranks;
  EXPECT_EQ(
      ranks.run(
          3, [](int32_t) -> HeteroStatus { return heteroJoinNodes(3, 17, 2); }),
      HETERO_OK);
  EXPECT_EQ(ranks.run(3,
                      [](int32_t rank) -> HeteroStatus {
                        return heteroJoinNodes(3, rank == 2 ? 18 : 17, 2);
                      }),
            HETERO_ERROR_INVALID_ARGUMENT);
  for (int32_t rank = 0; rank < 3; ++rank)
    EXPECT_EQ(ranks.errors[rank],
              "rank " + std::to_string(rank) +
                  ": rank 0 and rank 2 run different programs (hashes "
                  "0000000000000011 and 0000000000000012); start the same file "
                  "with the same options on all ranks");
}

TEST(RunRanks, ChecksTheNumberOfRanks) {
  Ranks ranks;
  EXPECT_EQ(
      ranks.run(
          2, [](int32_t) -> HeteroStatus { return heteroJoinNodes(3, 17, 2); }),
      HETERO_ERROR_INVALID_ARGUMENT);
  for (int32_t rank = 0; rank < 2; ++rank)
    EXPECT_EQ(ranks.errors[rank],
              "rank " + std::to_string(rank) +
                  ": the program is for 3 nodes, but the number of ranks is 2; "
                  "start as many as the topology has nodes (mpirun -n 3)");
}

/// One that does not come is named by rank 0, and everybody ends.
TEST(RunRanks, DoesNotWaitForARankThatDoesNotJoin) {
  Ranks ranks;
  EXPECT_EQ(ranks.run(3,
                      [](int32_t rank) -> HeteroStatus {
                        if (rank == 2) {
                          std::this_thread::sleep_for(
                              std::chrono::milliseconds(400));
                          return HETERO_OK;
                        }
                        return heteroJoinNodes(3, 17, rank == 0 ? 0.1 : 30);
                      }),
            HETERO_ERROR_NODES);
  EXPECT_EQ(ranks.errors[0],
            "rank 0: waited N s for the program of rank 2, which does not "
            "answer; see whether it runs, or wait longer (--timeout)");
  EXPECT_EQ(ranks.errors[1],
            "rank 1: rank 0 failed: " + ranks.errors[0].substr(8));
}

TEST(RunRanks, SaysWhatItWaitedFor) {
  Ranks ranks;
  ranks.options.timeoutSeconds = 0.1;
  EXPECT_EQ(
      ranks.run(2,
                [](int32_t rank) -> HeteroStatus {
                  if (rank == 0) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(300));
                    return heteroJoinNodes(0, 0, 30);
                  }
                  int64_t number = 0;
                  return all([&] { return receiveNumber(0, 1, number); },
                             [&] { return heteroAwaitTransfer(1, &number); });
                }),
      HETERO_ERROR_NODES);
  EXPECT_EQ(ranks.errors[1],
            "rank 1: waited N s for '%x of @main' from rank 0, which does "
            "not answer; see whether it runs, or wait longer (--timeout)");
  EXPECT_EQ(ranks.errors[0],
            "rank 0: rank 1 failed: " + ranks.errors[1].substr(8));
}

/// A rank that waits for another one is not the one that hangs.
TEST(RunRanks, NamesTheRankThatHangs) {
  Ranks ranks;
  ranks.options.timeoutSeconds = 0.3;
  EXPECT_EQ(ranks.run(4,
                      [](int32_t rank) -> HeteroStatus {
                        if (rank == 3) {
                          std::this_thread::sleep_for(std::chrono::seconds(2));
                          return HETERO_OK;
                        }
                        // The first one to wait is the first one to give up.
                        std::this_thread::sleep_for(
                            std::chrono::milliseconds(50 * rank));
                        int64_t number = 0;
                        return all(
                            [&] { return receiveNumber(rank + 1, 1, number); },
                            [&] { return heteroAwaitTransfer(1, &number); });
                      }),
            HETERO_ERROR_NODES);
  const std::string hangs =
      "rank 3, which does not answer; see whether it runs, or wait longer "
      "(--timeout)";
  for (int32_t rank = 0; rank < 3; ++rank)
    EXPECT_NE(ranks.errors[rank].find("'%x of @main' from " + hangs),
              std::string::npos)
        << ranks.errors[rank];
}

/// A failure is heard of at once, however long the rank would wait.
TEST(RunRanks, HearsOfAFailureAtOnce) {
  Ranks ranks;
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(ranks.run(3,
                      [](int32_t rank) -> HeteroStatus {
                        if (rank == 0)
                          return heteroAssert(0, "the sizes differ");
                        int64_t number = 0;
                        return all(
                            [&] { return receiveNumber(0, 1, number); },
                            [&] { return heteroAwaitTransfer(1, &number); });
                      }),
            HETERO_ERROR_PROGRAM);
  EXPECT_STREQ(heteroLastError(), "rank 0: the sizes differ");
  EXPECT_EQ(ranks.errors[1], "rank 1: rank 0 failed: the sizes differ");
  EXPECT_EQ(ranks.errors[2], "rank 2: rank 0 failed: the sizes differ");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(RunRanks, RefusesBadTransfers) {
  Ranks ranks;
  EXPECT_EQ(ranks.run(2,
                      [](int32_t rank) -> HeteroStatus {
                        int64_t number = 0;
                        return rank == 0 ? HETERO_OK
                                         : receiveNumber(2, 1, number);
                      }),
            HETERO_ERROR_PROGRAM);
  EXPECT_EQ(ranks.errors[1],
            "rank 1: '%x of @main' goes to or comes from rank 2 of 2; this is "
            "a bug in the compiled program");
  EXPECT_EQ(ranks.run(2,
                      [](int32_t rank) -> HeteroStatus {
                        return rank == 0 ? HETERO_OK
                                         : heteroAwaitTransfer(7, nullptr);
                      }),
            HETERO_ERROR_PROGRAM);
  EXPECT_EQ(ranks.errors[1], "rank 1: no transfer with tag 7 is under way; "
                             "this is a bug in the compiled program");
  int64_t number = 0;
  heteroFrameBegin("test");
  EXPECT_EQ(sendNumber(1, 1, number), HETERO_ERROR_PROGRAM);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

TEST(RunRanks, ComparesSizes) {
  Ranks ranks;
  ranks.options.timeoutSeconds = 1;
  EXPECT_EQ(
      ranks.run(
          2,
          [](int32_t rank) -> HeteroStatus {
            int64_t numbers[2] = {};
            return rank == 0
                       ? all([&] { return sendNumber(1, 1, numbers[0]); },
                             [&] { return heteroAwaitTransfer(1, numbers); })
                       : all(
                             [&] {
                               return heteroReceive(0, 1, numbers,
                                                    sizeof numbers,
                                                    "%x of @main");
                             },
                             [&] { return heteroAwaitTransfer(1, numbers); });
          }),
      HETERO_ERROR_PROGRAM);
  EXPECT_EQ(ranks.errors[1],
            "rank 1: '%x of @main' from rank 0: expected 16 bytes, got 8; this "
            "is a bug in the compiled program");
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// Rank 1 answers each number of rank 0.
HeteroStatus pingPong(int32_t rank, int times) {
  for (int64_t time = 0; time < times; ++time) {
    int64_t number = time, answer = 0;
    int32_t other = 1 - rank;
    if (HeteroStatus status =
            rank == 0 ? all([&] { return sendNumber(other, 1, number); },
                            [&] { return receiveNumber(other, 2, answer); },
                            [&] { return heteroAwaitTransfer(1, &number); },
                            [&] { return heteroAwaitTransfer(2, &answer); })
                      : all([&] { return receiveNumber(other, 1, answer); },
                            [&] { return heteroAwaitTransfer(1, &answer); },
                            [&] { return sendNumber(other, 2, answer); },
                            [&] { return heteroAwaitTransfer(2, &answer); }))
      return status;
    EXPECT_EQ(answer, time);
  }
  return HETERO_OK;
}

Ranks withFault(const HeteroNodeFault &fault, double timeout = 0.2) {
  Ranks ranks;
  ranks.options.timeoutSeconds = timeout;
  ranks.options.faults = &fault;
  ranks.options.numFaults = 1;
  ranks.run(2, [](int32_t rank) -> HeteroStatus { return pingPong(rank, 4); });
  return ranks;
}

TEST(RankFaults, ADroppedRankIsMissed) {
  Ranks ranks = withFault({HETERO_FAULT_DROP, 1, 0, 0, 4, 0});
  EXPECT_EQ(ranks.errors[1],
            "rank 1: '%x of @main': the rank was dropped at its transfer 4, as "
            "a fault asks for");
  EXPECT_EQ(ranks.errors[0],
            "rank 0: waited N s for '%x of @main' from rank 1, which does "
            "not answer; see whether it runs, or wait longer (--timeout)");
}

TEST(RankFaults, AStalledRankIsMissed) {
  Ranks ranks = withFault({HETERO_FAULT_STALL, 1, 0, 0, 4, 30});
  EXPECT_EQ(ranks.errors[0],
            "rank 0: waited N s for '%x of @main' from rank 1, which does "
            "not answer; see whether it runs, or wait longer (--timeout)");
  EXPECT_EQ(ranks.errors[1],
            "rank 1: rank 0 failed: " + ranks.errors[0].substr(8));
}

TEST(RankFaults, AShortStallIsNone) {
  Ranks ranks = withFault({HETERO_FAULT_STALL, 1, 0, 0, 4, 0.02}, 10);
  EXPECT_EQ(ranks.errors[0], "");
  EXPECT_EQ(ranks.errors[1], "");
}

TEST(RankFaults, ALostMessageIsMissed) {
  Ranks ranks = withFault({HETERO_FAULT_LOSE, 0, 0, 0, 3, 0});
  std::string lost = "waited N s for '%x of @main' from rank ";
  // Whoever gives up first says so to the other.
  bool isFirst = ranks.errors[0].find("rank 1 failed") == std::string::npos;
  EXPECT_NE(ranks.errors[isFirst ? 0 : 1].find(lost), std::string::npos)
      << ranks.errors[0] << "\n"
      << ranks.errors[1];
}

TEST(RankFaults, ASlowLinkIsSlow) {
  auto start = std::chrono::steady_clock::now();
  Ranks ranks = withFault({HETERO_FAULT_SLOW_LINK, 0, 1, 0, 1, 0.03}, 10);
  EXPECT_EQ(ranks.errors[0], "");
  EXPECT_GE(std::chrono::steady_clock::now() - start,
            std::chrono::milliseconds(120));
}

TEST(RunRanks, RefusesNumbersOfRanks) {
  Ranks ranks;
  auto body = [](void *, int32_t) -> HeteroStatus { return HETERO_OK; };
  EXPECT_EQ(heteroRunRanks(0, nullptr, body, nullptr),
            HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(heteroRunRanks(257, nullptr, body, nullptr),
            HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(heteroRunRanks(1, nullptr, body, nullptr), HETERO_OK);
}
} // namespace
