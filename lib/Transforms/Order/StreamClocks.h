//===- StreamClocks.h - What is known to be done ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector clocks: for each stream, and for the host, how many operations of each
// other stream are done before its next one begins.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_ORDER_STREAMCLOCKS_H
#define HETERO_TRANSFORMS_ORDER_STREAMCLOCKS_H

#include "mlir/IR/Operation.h"

namespace mlir::hetero {

/// An operation of a stream, by its position there; the first one has 1.
struct StreamEvent {
  unsigned stream = 0, number = 0;

  bool operator==(StreamEvent other) const {
    return stream == other.stream && number == other.number;
  }
};

class StreamClocks {
public:
  /// The host enqueues all work, so that a stream knows what the host knows.
  static constexpr unsigned kHost = 0;
  using Clock = SmallVector<unsigned, 0>;

  explicit StreamClocks(unsigned count)
      : issued(count), known(count, Clock(count, 0)) {}

  /// The stream gets an operation; null for work that is not known.
  StreamEvent issue(unsigned stream, Operation *op);
  /// What the stream gets from now on comes after all that the other has got.
  void order(unsigned stream, unsigned after);
  void orderBoth(unsigned a, unsigned b) {
    order(a, b);
    order(b, a);
  }
  /// True if the event is done before the stream's next operation, which the
  /// host enqueues with what it knows.
  bool isAfter(unsigned stream, StreamEvent event) const {
    return stream == event.stream ||
           std::max(known[stream][event.stream], known[kHost][event.stream]) >=
               event.number;
  }
  unsigned countIssued(unsigned stream) const { return issued[stream].size(); }
  Operation *getOperation(StreamEvent event) const {
    return issued[event.stream][event.number - 1];
  }

  /// Of all streams.
  SmallVector<Clock, 0> save() const { return known; }
  void restore(SmallVector<Clock, 0> saved) { known = std::move(saved); }

private:
  void join(unsigned stream, unsigned other);

  SmallVector<SmallVector<Operation *, 0>, 0> issued;
  SmallVector<Clock, 0> known;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_ORDER_STREAMCLOCKS_H
