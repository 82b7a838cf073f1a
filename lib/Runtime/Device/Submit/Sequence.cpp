//===- Sequence.cpp - Operations between two waits of the host ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread whose sequence is held follows a path of the tree. One thread at a
// time holds operations, and only while no other one waits for a device, so
// that the lock of the tree is never held for long.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Submit/Sequence.h"

#include "Runtime/Device/Device.h"
#include "Runtime/Device/Submit/SequenceTree.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

using namespace hetero::runtime;

/// Longer sequences are cut, so that a device does not wait long for its first
/// operation.
static constexpr int64_t kMostOperations = 256;
/// Bytes that the host copies within a sequence, for the same reason.
static constexpr int64_t kMostHostBytes = 256 << 10;

namespace {
/// What a thread gives to devices from one wait to the next.
struct Sequence {
  Sequence();
  ~Sequence();

  /// The last operation; null if there is none. Of a tree that is gone if the
  /// epoch is another one.
  SequenceNode *last = nullptr;
  int64_t epoch = 0, length = 0, hostBytes = 0;
  /// Whether nothing has been submitted so far.
  bool mayHold = false;
  std::vector<Operation> held;
  /// Blocks that were freed after held operations.
  std::vector<std::pair<Device *, void *>> freed;
  /// What became of operations that another thread has submitted.
  HeteroStatus status = HETERO_OK;
  std::string error;
};

/// The calling thread's.
thread_local int64_t myWaits = 0;

struct Sequences {
  std::mutex mutex;
  SequenceTree tree;
  /// The sequence whose operations are held, or null.
  Sequence *holder = nullptr;
  /// Threads that wait for devices.
  std::atomic<int64_t> waits{0};

  bool othersWait() const { return waits > myWaits; }

  HeteroStatus append(Sequence &mine, const Operation &operation, bool &isHeld);
  HeteroStatus end(Sequence &mine);
  HeteroStatus submitHeld(Sequence &sequence);
  void submitHeldOfOthers(const Sequence &mine);

private:
  void open(Sequence &mine);
  void letGo(Sequence &sequence);
};
} // namespace

static Sequences &sequences() {
  static Sequences *instance = new Sequences;
  return *instance;
}

static thread_local Sequence current;

/// Errors have to outlive it.
Sequence::Sequence() { (void)lastError(); }

/// The thread ends.
Sequence::~Sequence() {
  if (isDriverGone())
    return;
  Sequences &all = sequences();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (all.holder == this)
    all.submitHeld(*this);
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

void Sequences::open(Sequence &mine) {
  if (mine.last && mine.epoch == tree.getEpoch())
    return;
  if (tree.isFull())
    tree.forget();
  mine.last = tree.getRoot();
  mine.epoch = tree.getEpoch();
  mine.length = 0;
  mine.mayHold = !holder && !othersWait();
}

HeteroStatus Sequences::append(Sequence &mine, const Operation &operation,
                               bool &isHeld) {
  HeteroStatus status = HETERO_OK;
  if (mine.length == kMostOperations)
    status = end(mine);
  open(mine);
  ++mine.length;
  uint64_t hash = SequenceTree::hash(operation);
  SequenceNode *next = SequenceTree::find(*mine.last, hash, operation);
  isHeld = status == HETERO_OK && mine.mayHold && next && next->numGraphs > 0;
  if (isHeld) {
    holder = &mine;
    mine.held.push_back(operation);
    mine.held.back().launch.arguments = next->operation.launch.arguments;
  } else if (status == HETERO_OK && mine.mayHold) {
    status = submitHeld(mine);
  }
  mine.last = next ? next : tree.add(*mine.last, hash, operation);
  return status;
}

/// Nothing is held any more: what was freed after it can be.
void Sequences::letGo(Sequence &sequence) {
  sequence.held.clear();
  sequence.mayHold = false;
  if (holder == &sequence)
    holder = nullptr;
  for (auto [device, pointer] : sequence.freed)
    device->free(pointer);
  sequence.freed.clear();
}

HeteroStatus Sequences::submitHeld(Sequence &sequence) {
  HeteroStatus status = HETERO_OK;
  for (const Operation &operation : sequence.held) {
    if (status == HETERO_OK)
      status = operation.device->submitNow(operation);
    else
      operation.device->drop(operation);
  }
  letGo(sequence);
  return status;
}

void Sequences::submitHeldOfOthers(const Sequence &mine) {
  if (!holder || holder == &mine)
    return;
  Sequence &other = *holder;
  HeteroStatus status = submitHeld(other);
  if (status == HETERO_OK || other.status != HETERO_OK)
    return;
  other.status = status;
  other.error = lastError();
}

HeteroStatus Sequences::end(Sequence &mine) {
  mine.hostBytes = mine.length = 0;
  SequenceNode *node = mine.epoch == tree.getEpoch() ? mine.last : nullptr;
  mine.last = nullptr;
  if (!node)
    return HETERO_OK;
  HeteroStatus status = HETERO_OK;
  if (!mine.held.empty()) {
    if (node->graph && SequenceTree::launch(*node, mine.held))
      letGo(mine);
    else
      status = submitHeld(mine);
  }
  ++node->ends;
  if (status == HETERO_OK && !node->graph && node->ends > 1 && !othersWait())
    SequenceTree::makeGraph(*node);
  return status;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// An error of the thread's own operations that another thread has met.
static HeteroStatus takeError(Sequence &mine) {
  HeteroStatus status = std::exchange(mine.status, HETERO_OK);
  if (status != HETERO_OK)
    setLastError(mine.error);
  return status;
}

/// Nobody knows what a library enqueues.
static bool isComparable(const Operation &operation) {
  if (operation.kind == Operation::Library)
    return false;
  const Kernel *kernel = operation.launch.kernel;
  return !kernel || kernel->parameters;
}

HeteroStatus hetero::runtime::submit(const Operation &operation) {
  Sequences &all = sequences();
  bool isHeld = false;
  HeteroStatus status;
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    all.submitHeldOfOthers(current);
    status = takeError(current);
    // A lane's streams and addresses change from request to request.
    bool isPart = usesGraphs() && !currentLane() && isComparable(operation);
    if (status == HETERO_OK)
      status =
          isPart ? all.append(current, operation, isHeld) : all.end(current);
  }
  if (status == HETERO_OK)
    return isHeld ? HETERO_OK : operation.device->submitNow(operation);
  operation.device->drop(operation);
  return status;
}

HeteroStatus hetero::runtime::endSequence() {
  Sequences &all = sequences();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.submitHeldOfOthers(current);
  HeteroStatus status = takeError(current);
  if (status != HETERO_OK && all.holder == &current)
    return all.submitHeld(current), status;
  return status == HETERO_OK ? all.end(current) : status;
}

HeteroStatus hetero::runtime::announceHostWork(int64_t bytes) {
  if (!usesGraphs() || currentLane())
    return HETERO_OK;
  HeteroStatus status = HETERO_OK;
  if (current.last && current.hostBytes + bytes > kMostHostBytes)
    status = endSequence();
  current.hostBytes += bytes;
  return status;
}

HeteroStatus hetero::runtime::withNothingHeld(
    const std::function<HeteroStatus()> &function) {
  Sequences &all = sequences();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.submitHeldOfOthers(current);
  HeteroStatus status = all.submitHeld(current);
  return status == HETERO_OK ? function() : status;
}

bool hetero::runtime::freeAfterHeld(Device &device, void *pointer) {
  Sequences &all = sequences();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (all.holder != &current || device.hasOneStream())
    return false;
  current.freed.push_back({&device, pointer});
  return true;
}

void hetero::runtime::dropHeldCopiesTo(const void *host, int64_t bytes) {
  Sequences &all = sequences();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (!all.holder)
    return;
  auto *begin = static_cast<const char *>(host), *end = begin + bytes;
  for (Operation &operation : all.holder->held)
    if (auto *target = static_cast<const char *>(operation.target);
        target >= begin && target < end)
      operation.target = nullptr;
}

void hetero::runtime::forgetSequences() {
  Sequences &all = sequences();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.submitHeldOfOthers(current);
  all.submitHeld(current);
  all.tree.forget();
}

WaitScope::WaitScope() {
  ++myWaits;
  ++sequences().waits;
}

WaitScope::~WaitScope() {
  --myWaits;
  --sequences().waits;
}

//===----------------------------------------------------------------------===//
// Whether there are graphs
//===----------------------------------------------------------------------===//

static std::atomic<bool> isEnabled{true};

bool hetero::runtime::usesGraphs() {
  Driver *driver = getLoadedDriver();
  return isEnabled && driver && driver->usesGraphs && !isTracing() &&
         !isMeasuring();
}

HeteroStatus heteroUseGraphs(int32_t enabled) {
  isEnabled = enabled != 0;
  return endSequence();
}
