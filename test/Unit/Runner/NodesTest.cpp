//===- NodesTest.cpp - Options of ranks, and how they are started ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/Nodes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

using namespace hetero::runner;

namespace {
bool set(NodeOptions &options, const char *name, const char *value) {
  std::string expected;
  return setNodeOption(options, name, value, expected);
}

/// What chooseNodeRole says, with an environment of its own.
class NodeRoleTest : public testing::Test {
protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void clear() {
    for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
      unsetenv(name);
  }
  std::string choose(int32_t nodes) {
    std::string error;
    role = NodeRole::Alone;
    chooseNodeRole(options, nodes, "tool", role, error);
    return error;
  }

  NodeOptions options;
  NodeRole role;
};
} // namespace

TEST(NodeOptions, AreRead) {
  NodeOptions options;
  EXPECT_TRUE(set(options, "nodes", "in-process"));
  EXPECT_TRUE(set(options, "timeout", "2.5"));
  EXPECT_TRUE(set(options, "node-seed", "7"));
  EXPECT_TRUE(set(options, "node-fault", "stall,rank=1,transfer=2,seconds=5"));
  EXPECT_TRUE(set(options, "node-fault", "slow-link,rank=1,peer=2,seconds=.5"));
  EXPECT_TRUE(set(options, "node-fault", "drop,rank=3"));
  EXPECT_TRUE(options.isInProcess);
  EXPECT_EQ(options.timeout, 2.5);
  EXPECT_EQ(options.seed, 7u);
  ASSERT_EQ(options.faults.size(), 3u);
  EXPECT_EQ(options.faults[0].kind, HETERO_FAULT_STALL);
  EXPECT_EQ(options.faults[0].transfer, 2);
  EXPECT_EQ(options.faults[0].seconds, 5);
  EXPECT_EQ(options.faults[1].peer, 2);
  EXPECT_EQ(options.faults[2].rank, 3);
  EXPECT_EQ(options.faults[2].transfer, 1);
  for (auto [name, value] : {std::pair{"nodes", "here"},
                             {"timeout", "0"},
                             {"timeout", "x"},
                             {"timeout", "inf"},
                             {"node-seed", "-1"},
                             {"node-fault", ""},
                             {"node-fault", "break"},
                             {"node-fault", "drop,rank"},
                             {"node-fault", "drop,rank=-1"},
                             {"node-fault", "lose,transfer=0"},
                             {"node-fault", "stall,seconds=0"},
                             {"node", "1"}})
    EXPECT_FALSE(set(options, name, value)) << name << "=" << value;
}

TEST_F(NodeRoleTest, FollowsFromTheStart) {
  EXPECT_EQ(choose(1), "");
  EXPECT_EQ(role, NodeRole::Alone);
  EXPECT_NE(choose(2).find("mpirun -n 2 tool"), std::string::npos);
  options.isInProcess = true;
  EXPECT_EQ(choose(2), "");
  EXPECT_EQ(role, NodeRole::AllRanks);
  setenv("PMI_SIZE", "2", 1);
  EXPECT_NE(choose(2).find("without mpirun"), std::string::npos);
  options.isInProcess = false;
  EXPECT_EQ(choose(2), "");
  EXPECT_EQ(role, NodeRole::OneRank);
  EXPECT_NE(choose(1).find("has started 2 ranks"), std::string::npos);
  setenv("PMI_SIZE", "1", 1);
  EXPECT_EQ(choose(1), "");
  EXPECT_EQ(role, NodeRole::Alone);
  clear();
  setenv("PMIX_RANK", "0", 1);
  EXPECT_EQ(choose(3), "");
  EXPECT_EQ(role, NodeRole::OneRank);
}

/// Each thread has its rank; what one says of an error has its number, and the
/// others end with it.
TEST(Ranks, AreThreads) {
  NodeOptions options;
  NodeMachine machine;
  machine.count = 3;
  std::atomic<int32_t> sum{0};
  RankBody body = [&](int32_t rank, std::string &error) {
    sum += 1 << rank;
    return agreeOnProgram(options, 3, 5, error);
  };
  EXPECT_TRUE(runRanks(options, NodeRole::AllRanks, machine, body).empty());
  EXPECT_EQ(sum, 7);
  auto errors = runRanks(options, NodeRole::AllRanks, machine,
                         [&](int32_t rank, std::string &error) {
                           error = "no";
                           return rank != 1;
                         });
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[0], "rank 0: rank 1 failed: no");
  EXPECT_EQ(errors[1], "rank 1: no");
}

TEST(Ranks, OtherThanTheFirstAreQuiet) {
  RunOptions options;
  options.tool = "tool";
  options.entry = "f";
  options.inputs = {"f32=1"};
  options.requests = 3;
  options.time = 2;
  RunOptions others = getOptionsOfOtherRank(options);
  EXPECT_TRUE(others.isQuiet);
  EXPECT_TRUE(others.inputs.empty());
  EXPECT_EQ(others.entry, "f");
  EXPECT_EQ(others.requests, 3);
  EXPECT_EQ(others.time, 2);
}
