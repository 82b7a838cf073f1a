//===- World.cpp - Several ranks in one process ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Nodes/World.h"

#include "Runtime/Device/Driver.h"

#include <algorithm>
#include <cstring>
#include <thread>

using namespace hetero::runtime;

/// What links are like where nobody says.
static constexpr HeteroNodeLink kUsualLink = {10e9, 5e-6};

/// A side of it whose memory is null takes no part, or not any more.
struct World::Message {
  const void *source = nullptr;
  void *destination = nullptr;
  int64_t sent = 0, expected = 0;
  bool isSent = false, isLost = false, isOver = false, isWrong = false;
  Clock::time_point visibleAt;
  /// When the bytes have left, and have come, in picoseconds of the virtual
  /// clock.
  uint64_t leftAt = 0, arrivesAt = 0;
  /// Where the link has it until both have started it.
  bool isReceiving = false;

  bool meets(Clock::time_point now);
};

struct World::Request {
  std::shared_ptr<Message> message;
  bool isSend;
};

struct World::Endpoint {
  World *world;
  int32_t rank;
  int64_t numTransfers = 0;
  bool isDropped = false, hasLeft = false;
  std::string error;
  /// Sender and text.
  std::deque<std::pair<int32_t, std::string>> notices;
};

World::World(int32_t count, const HeteroRankOptions &options)
    : size(count), seed(options.seed),
      longestDelay(options.longestDelaySeconds),
      faults(options.faults, options.faults + options.numFaults),
      links(static_cast<size_t>(count) * count) {
  for (size_t i = 0; i < links.size(); ++i)
    links[i].speed = options.links ? options.links[i] : kUsualLink;
  for (int32_t rank = 0; rank < count; ++rank) {
    endpoints.push_back(std::make_unique<Endpoint>());
    endpoints.back()->world = this;
    endpoints.back()->rank = rank;
  }
}

World::~World() = default;

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// The host clock of the calling thread's rank; 0 without a virtual clock.
static uint64_t readHostClock() {
  const Driver *driver = getLoadedDriver();
  return driver && driver->hostTime ? driver->hostTime() : 0;
}

static std::chrono::steady_clock::duration inClock(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

/// The finalizer of splitmix64: neighbours give unrelated numbers.
static uint64_t mixBits(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

/// The same for a message whatever others do.
World::Clock::duration World::drawDelay(int32_t from, int32_t to,
                                        int64_t message) const {
  uint64_t bits = seed + 0x9e3779b97f4a7c15u;
  for (int64_t part : {int64_t(from), int64_t(to), message})
    bits = mixBits(bits + static_cast<uint64_t>(part) + 1);
  return inClock(longestDelay * static_cast<double>(bits >> 11) * 0x1p-53);
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// Sleeps, unless the others have left meanwhile.
void World::stall(const Endpoint &endpoint, double seconds) {
  auto end = Clock::now() + inClock(seconds);
  while (Clock::now() < end) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (std::all_of(endpoints.begin(), endpoints.end(),
                      [&](const auto &other) {
                        return other.get() == &endpoint || other->hasLeft;
                      }))
        return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// The rank is about to start its next transfer.
HeteroStatus World::meetFaults(Endpoint &endpoint, bool &isLost) {
  ++endpoint.numTransfers;
  for (const HeteroNodeFault &fault : faults) {
    if (fault.rank != endpoint.rank || fault.transfer != endpoint.numTransfers)
      continue;
    if (fault.kind == HETERO_FAULT_DROP) {
      std::lock_guard<std::mutex> lock(mutex);
      endpoint.isDropped = true;
    }
    if (fault.kind == HETERO_FAULT_STALL)
      stall(endpoint, fault.seconds);
    isLost |= fault.kind == HETERO_FAULT_LOSE;
  }
  if (!endpoint.isDropped)
    return HETERO_OK;
  endpoint.error = "the rank was dropped at its transfer " +
                   std::to_string(endpoint.numTransfers) +
                   ", as a fault asks for";
  return HETERO_ERROR_NODES;
}

/// In seconds that a message takes more.
double World::getSlowness(int32_t from, int32_t to) const {
  double seconds = 0;
  for (const HeteroNodeFault &fault : faults)
    if (fault.kind == HETERO_FAULT_SLOW_LINK && fault.rank == from &&
        fault.peer == to && endpoints[from]->numTransfers >= fault.transfer)
      seconds += fault.seconds;
  return seconds;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// The next message with the tag, of which the other side may have started its
/// part; with the lock.
std::shared_ptr<World::Message> World::open(Link &link, int64_t tag,
                                            bool isSend) {
  auto &[sends, receives] = link.started[tag];
  int64_t number = isSend ? sends++ : receives++;
  auto place = link.open.find({tag, number});
  if (place == link.open.end())
    return link.open[{tag, number}] = std::make_shared<Message>();
  std::shared_ptr<Message> message = place->second;
  link.open.erase(place);
  return message;
}

/// Says when the message comes; with the lock.
void World::post(Link &link, int32_t from, int32_t to, int64_t tag,
                 Message &message) {
  double slowness = getSlowness(from, to);
  Clock::time_point &last = link.lastVisible[tag];
  last = std::max(last, Clock::now() + drawDelay(from, to, link.numSent++) +
                            inClock(slowness));
  message.visibleAt = last;
  double seconds = message.sent / link.speed.bytesPerSecond;
  message.leftAt = std::max(readHostClock(), link.freeAt) +
                   static_cast<uint64_t>(seconds * 1e12);
  link.freeAt = message.leftAt;
  message.arrivesAt =
      message.leftAt +
      static_cast<uint64_t>((link.speed.latencySeconds + slowness) * 1e12);
}

/// Copies it if it can be; with the lock.
bool World::Message::meets(Clock::time_point now) {
  if (isOver || !isSent || isLost || !isReceiving || now < visibleAt)
    return isOver;
  isWrong = sent != expected;
  if (!isWrong && source && destination && sent > 0)
    std::memcpy(destination, source, sent);
  return isOver = true;
}

HeteroStatus World::start(Endpoint &endpoint, bool isSend, int32_t peer,
                          int64_t tag, void *data, int64_t bytes,
                          void **request) {
  bool isLost = false;
  if (HeteroStatus status = meetFaults(endpoint, isLost))
    return status;
  int32_t from = isSend ? endpoint.rank : peer;
  int32_t to = isSend ? peer : endpoint.rank;
  std::lock_guard<std::mutex> lock(mutex);
  Link &link = getLink(from, to);
  std::shared_ptr<Message> message = open(link, tag, isSend);
  if (isSend) {
    message->source = data;
    message->sent = bytes;
    message->isSent = true;
    message->isLost = isLost;
    post(link, from, to, tag, *message);
  } else {
    message->destination = data;
    message->expected = bytes;
    message->isReceiving = true;
  }
  *request = new Request{std::move(message), isSend};
  return HETERO_OK;
}

HeteroStatus World::test(Endpoint &endpoint, Request *request, int32_t *isDone,
                         uint64_t *picoseconds) {
  std::lock_guard<std::mutex> lock(mutex);
  Message &message = *request->message;
  bool isOver = message.meets(Clock::now());
  *isDone = isOver || (request->isSend && message.isLost);
  if (!*isDone)
    return HETERO_OK;
  *picoseconds = request->isSend ? message.leftAt : message.arrivesAt;
  HeteroStatus status = HETERO_OK;
  if (message.isWrong && !request->isSend) {
    endpoint.error = "expected " + std::to_string(message.expected) +
                     " bytes, got " + std::to_string(message.sent) +
                     "; this is a bug in the compiled program";
    status = HETERO_ERROR_PROGRAM;
  }
  delete request;
  return status;
}

//===----------------------------------------------------------------------===//
// The transport
//===----------------------------------------------------------------------===//

/// The functions of a HeteroTransport, whose context is an endpoint.
struct World::Calls {
  static HeteroStatus send(void *context, int32_t peer, int64_t tag,
                           const void *data, int64_t bytes, void **request) {
    auto &endpoint = *static_cast<Endpoint *>(context);
    return endpoint.world->start(endpoint, /*isSend=*/true, peer, tag,
                                 const_cast<void *>(data), bytes, request);
  }
  static HeteroStatus receive(void *context, int32_t peer, int64_t tag,
                              void *data, int64_t bytes, void **request) {
    auto &endpoint = *static_cast<Endpoint *>(context);
    return endpoint.world->start(endpoint, /*isSend=*/false, peer, tag, data,
                                 bytes, request);
  }
  static HeteroStatus test(void *context, void *request, int32_t *isDone,
                           uint64_t *picoseconds) {
    auto &endpoint = *static_cast<Endpoint *>(context);
    return endpoint.world->test(endpoint, static_cast<Request *>(request),
                                isDone, picoseconds);
  }
  /// Nobody copies from or to its memory any more.
  static int32_t cancel(void *context, void *handle) {
    auto *request = static_cast<Request *>(handle);
    std::lock_guard<std::mutex> lock(
        static_cast<Endpoint *>(context)->world->mutex);
    if (request->isSend)
      request->message->isLost = true;
    else
      request->message->isReceiving = false;
    delete request;
    return 1;
  }
  static void notify(void *context, int32_t peer, const void *data,
                     int64_t bytes) {
    auto &endpoint = *static_cast<Endpoint *>(context);
    World &world = *endpoint.world;
    std::lock_guard<std::mutex> lock(world.mutex);
    if (!endpoint.isDropped)
      world.endpoints[peer]->notices.emplace_back(
          endpoint.rank, std::string(static_cast<const char *>(data), bytes));
  }
  static int64_t takeNotice(void *context, int32_t *peer, void *data,
                            int64_t capacity) {
    auto &endpoint = *static_cast<Endpoint *>(context);
    std::lock_guard<std::mutex> lock(endpoint.world->mutex);
    if (endpoint.notices.empty())
      return -1;
    auto [sender, text] = std::move(endpoint.notices.front());
    endpoint.notices.pop_front();
    *peer = sender;
    int64_t bytes = std::min<int64_t>(capacity, text.size());
    std::memcpy(data, text.data(), bytes);
    return bytes;
  }
  static int32_t isEnding(void *) { return 0; }
  static const char *lastError(void *context) {
    return static_cast<Endpoint *>(context)->error.c_str();
  }
  static void end(void *context, int32_t, HeteroStatus) {
    auto &endpoint = *static_cast<Endpoint *>(context);
    std::lock_guard<std::mutex> lock(endpoint.world->mutex);
    endpoint.hasLeft = true;
  }
};

HeteroTransport World::connect(int32_t rank) {
  return {HETERO_TRANSPORT_VERSION,
          rank,
          size,
          /*reserved=*/0,
          /*maxTag=*/INT64_MAX,
          endpoints[rank].get(),
          Calls::send,
          Calls::receive,
          Calls::test,
          Calls::cancel,
          /*progress=*/nullptr,
          Calls::notify,
          Calls::takeNotice,
          Calls::isEnding,
          Calls::lastError,
          Calls::end};
}
