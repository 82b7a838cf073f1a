//===- RunRanks.cpp - Ranks as threads of one process ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Devices.h"
#include "Runtime/Device/Driver.h"
#include "Runtime/Device/Lanes.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Nodes/Session.h"
#include "Runtime/Nodes/World.h"
#include "hetero/Runtime/HeteroNodes.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

using namespace hetero::runtime;

static constexpr int32_t kMostRanks = 256;

namespace {
/// A rank of the process, and what came of it.
struct RankThread {
  std::unique_ptr<Session> session;
  HeteroStatus status = HETERO_OK;
  std::string error;

  void run(HeteroRankBody body, void *context) {
    beginThreadOf(session.get());
    status = heteroLeaveNodes(body(context, session->number));
    error = lastError();
    exchangeCurrentRank(nullptr);
  }
};
} // namespace

/// The clocks of hosts are those of a driver that is loaded before; a program
/// that uses no gpu needs none.
static void prepareDevices(int32_t count, const int32_t *firstDevices) {
  std::vector<int32_t> devices(count);
  if (firstDevices)
    devices.assign(firstDevices, firstDevices + count);
  setFirstDevices(std::move(devices));
  const char *wanted = std::getenv("HETERO_CUDA_DRIVER");
  Driver *driver;
  if (firstDevices || (wanted && *wanted))
    getDriver(&driver);
}

/// The error of the first rank that failed by itself, else of the first.
static HeteroStatus
findFailure(const std::vector<std::unique_ptr<RankThread>> &ranks) {
  const RankThread *found = nullptr;
  for (const auto &rank : ranks)
    if (rank->status != HETERO_OK &&
        (!found ||
         (found->session->hasFollowed() && !rank->session->hasFollowed())))
      found = rank.get();
  return found ? fail(found->status, found->error) : HETERO_OK;
}

/// Runs all ranks, and returns when the last one has ended.
static void runThreads(const std::vector<std::unique_ptr<RankThread>> &ranks,
                       HeteroRankBody body, void *context) {
  std::vector<std::thread> threads;
  for (const auto &rank : ranks)
    try {
      threads.emplace_back(&RankThread::run, rank.get(), body, context);
    } catch (const std::system_error &) {
      // The others wait for it in vain.
      rank->status = HETERO_ERROR_NODES;
      rank->error = "the system has no thread for rank " +
                    std::to_string(rank->session->number) + "; end some";
    }
  for (std::thread &thread : threads)
    thread.join();
}

HeteroStatus heteroRunRanks(int32_t count, const HeteroRankOptions *options,
                            HeteroRankBody body, void *context) {
  if (count < 1 || count > kMostRanks)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "expected 1 to " + std::to_string(kMostRanks) +
                    " ranks in one process, got " + std::to_string(count) +
                    "; start several processes with mpirun");
  if (currentSession())
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "heteroRunRanks was called by a rank; call it before "
                "heteroJoinNodes");
  HeteroRankOptions chosen = options ? *options : HeteroRankOptions();
  if (chosen.timeoutSeconds <= 0)
    chosen.timeoutSeconds = HETERO_NODES_TIMEOUT;
  prepareDevices(count, chosen.firstDevices);
  World world(count, chosen);
  std::vector<std::unique_ptr<RankThread>> ranks;
  for (int32_t rank = 0; rank < count; ++rank) {
    auto session =
        std::make_unique<Session>(world.connect(rank), chosen.timeoutSeconds);
    session->firstDevice = rank * kDevicesOfRank;
    ranks.push_back(std::make_unique<RankThread>());
    ranks.back()->session = std::move(session);
  }
  runThreads(ranks, body, context);
  return findFailure(ranks);
}
