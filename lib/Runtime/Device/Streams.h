//===- Streams.h - The streams of a device's units --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_STREAMS_H
#define HETERO_LIB_RUNTIME_DEVICE_STREAMS_H

#include "Runtime/Device/Context.h"
#include "Runtime/Host/StreamNumbers.h"

#include <memory>
#include <vector>

namespace hetero::runtime {

struct GraphLanes;

/// The stream of a unit, and what is under way there.
struct UnitStream {
  /// Since the host has waited for it: nothing; work; a graph, which the stream
  /// itself does not know of, and which records `done` after the unit's work;
  /// or a graph that is done, but may have failed here.
  enum State { Idle, Busy, InGraph, Done };

  cuda::Stream stream = nullptr;
  int32_t lane = kNoLane;
  State state = Idle;
  /// Graphs wait for `ready` before the unit's work. Made for the first graph.
  cuda::Event ready = nullptr, done = nullptr;
  /// How often the host has waited for it.
  uint64_t waits = 0;
  /// The graph that its work is in.
  std::shared_ptr<const GraphLanes> graph;

  bool isUnderWay() const { return state == Busy || state == InGraph; }
};

/// Calls need the device's lock.
class Streams {
public:
  explicit Streams(Context &context) : context(context) {}

  /// The unit's stream, created when it is first asked for, for work.
  HeteroStatus get(int32_t unit, cuda::Stream *stream);
  /// Makes a stream wait for what another one has got so far.
  HeteroStatus order(cuda::Stream stream, Context &other, cuda::Stream after);
  /// Waits for what the unit has got. `ended` is the graph that it was in.
  HeteroStatus synchronize(int32_t unit,
                           std::shared_ptr<const GraphLanes> &ended);
  /// Makes the stream wait for the graph in which the unit's work is.
  HeteroStatus leaveGraph(UnitStream &unit);
  /// Makes the events by which graphs have the unit's work; false on failure.
  bool makeEvents(int32_t unit);
  /// So that what is freed can be used again at once.
  bool haveOne() const;
  bool areUnderWay(int32_t lane = kAllLanes) const;
  /// Whether a block was freed while there was one stream, and work that used
  /// it may still be under way.
  void noteReuse(bool isUnderWay) { hasReused = isUnderWay; }
  /// They went with their context.
  void clear();

  /// Of units that were not used they are null.
  UnitStream &operator[](int32_t unit) { return streams[unit]; }
  int32_t size() const { return static_cast<int32_t>(streams.size()); }
  std::vector<UnitStream>::iterator begin() { return streams.begin(); }
  std::vector<UnitStream>::iterator end() { return streams.end(); }

private:
  HeteroStatus create(cuda::Stream *stream);

  Context &context;
  std::vector<UnitStream> streams;
  bool hasReused = false;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_STREAMS_H
