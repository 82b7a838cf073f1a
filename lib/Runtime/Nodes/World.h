//===- World.h - Several ranks in one process ---------------- -*- C++ -*--===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message is copied straight from the sender's memory to the receiver's, once
// both have started it and its delay is over, by whichever looks first. So the
// sender waits for the receiver, as MPI may let it.
//
// On the emulator's virtual clock each rank is a host of its own. When a
// message arrives depends on when it was sent, on its link, and on what was
// sent over that before: on nothing that threads could do in another order.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_NODES_WORLD_H
#define HETERO_LIB_RUNTIME_NODES_WORLD_H

#include "hetero/Runtime/HeteroNodes.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace hetero::runtime {

class World {
public:
  World(int32_t count, const HeteroRankOptions &options);
  ~World();

  /// Connects a rank with the others as long as the world is there.
  HeteroTransport connect(int32_t rank);

private:
  using Clock = std::chrono::steady_clock;
  struct Endpoint;
  struct Message;
  struct Request;
  struct Calls;

  /// From one rank to another.
  struct Link {
    HeteroNodeLink speed;
    /// By tag, how many sends and receives were started.
    std::map<int64_t, std::pair<int64_t, int64_t>> started;
    /// Of what was sent; those of a tag do not pass each other.
    std::map<int64_t, Clock::time_point> lastVisible;
    int64_t numSent = 0;
    /// In picoseconds of the virtual clock.
    uint64_t freeAt = 0;
    /// By tag and number of the message with it.
    std::map<std::pair<int64_t, int64_t>, std::shared_ptr<Message>> open;
  };

  Link &getLink(int32_t from, int32_t to) { return links[from * size + to]; }
  HeteroStatus meetFaults(Endpoint &endpoint, bool &isLost);
  void stall(const Endpoint &endpoint, double seconds);
  double getSlowness(int32_t from, int32_t to) const;
  std::shared_ptr<Message> open(Link &link, int64_t tag, bool isSend);
  void post(Link &link, int32_t from, int32_t to, int64_t tag,
            Message &message);
  Clock::duration drawDelay(int32_t from, int32_t to, int64_t number) const;
  HeteroStatus start(Endpoint &endpoint, bool isSend, int32_t peer, int64_t tag,
                     void *data, int64_t bytes, void **request);
  HeteroStatus test(Endpoint &endpoint, Request *request, int32_t *isDone,
                    uint64_t *picoseconds);

  const int32_t size;
  const uint64_t seed;
  const double longestDelay;
  const std::vector<HeteroNodeFault> faults;
  std::mutex mutex;
  std::vector<Link> links;
  std::vector<std::unique_ptr<Endpoint>> endpoints;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_NODES_WORLD_H
