//===- Sequence.cpp - Operations between two waits of the host ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All sequences are paths in one tree, from its root. A thread whose sequence
// is held follows a path; the node where it ends has the graph. One thread at a
// time holds operations, and only while no other one waits for a device, so
// that the lock of the tree is never held for long.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Submit/Sequence.h"

#include "Runtime/Device/Device.h"
#include "Runtime/Device/Submit/Graph.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

using namespace hetero::runtime;

/// Longer sequences are cut, so that a device does not wait long for its first
/// operation.
static constexpr int64_t kMostOperations = 256;
/// Bytes that the host copies within a sequence, for the same reason.
static constexpr int64_t kMostHostBytes = 256 << 10;
/// What is kept; where there is more, all is learned anew.
static constexpr int64_t kMostNodes = 1 << 13, kMostGraphs = 64;

namespace {
/// An operation that has followed those of the nodes above it.
struct Node {
  explicit Node(Node *parent) : parent(parent) {}

  Node *const parent;
  /// With pointers to arguments of its own.
  Operation operation = {};
  std::vector<char> bytes;
  std::vector<void *> arguments;
  std::vector<std::pair<uint64_t, std::unique_ptr<Node>>> next; ///< By hash.
  /// Sequences that ended here, and what they became.
  int64_t ends = 0;
  std::unique_ptr<Graph> graph;
  bool isRefused = false;
  /// Here and below.
  int64_t numGraphs = 0;
};

/// What a thread gives to devices from one wait to the next.
struct Sequence {
  Sequence();
  ~Sequence();

  /// The last operation; null if there is none. Of a tree that is gone if the
  /// epoch is another one.
  Node *last = nullptr;
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
  std::unique_ptr<Node> root = std::make_unique<Node>(nullptr);
  int64_t epoch = 1, numNodes = 0;
  /// The sequence whose operations are held, or null.
  Sequence *holder = nullptr;
  /// Threads that wait for devices.
  std::atomic<int64_t> waits{0};

  bool othersWait() const { return waits > myWaits; }

  HeteroStatus append(Sequence &mine, const Operation &operation, bool &isHeld);
  HeteroStatus end(Sequence &mine);
  HeteroStatus submitHeld(Sequence &sequence);
  void submitHeldOfOthers(const Sequence &mine);
  void forget();

private:
  void open(Sequence &mine);
  Node *add(Node &parent, uint64_t hash, const Operation &operation);
  bool launch(Sequence &mine, Node &node);
  void makeGraph(Node &node);
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
// The tree
//===----------------------------------------------------------------------===//

static bool isSameLaunch(const LaunchShape &a, const LaunchShape &b) {
  if (a.kernel != b.kernel || a.sharedBytes != b.sharedBytes ||
      !std::equal(a.grid, a.grid + 3, b.grid) ||
      !std::equal(a.block, a.block + 3, b.block))
    return false;
  if (!a.kernel)
    return true;
  const std::vector<size_t> &sizes = *a.kernel->parameters;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (std::memcmp(a.arguments[i], b.arguments[i], sizes[i]) != 0)
      return false;
  return true;
}

/// Whether a driver does the same for both.
static bool isSame(const Operation &a, const Operation &b) {
  return a.kind == b.kind && a.device == b.device && a.unit == b.unit &&
         a.other == b.other && a.otherUnit == b.otherUnit && a.to == b.to &&
         a.from == b.from && a.rows.width == b.rows.width &&
         a.rows.count == b.rows.count && a.rows.toPitch == b.rows.toPitch &&
         a.rows.fromPitch == b.rows.fromPitch &&
         isSameLaunch(a.launch, b.launch);
}

static uint64_t hashOf(const Operation &operation) {
  uint64_t hash = 0;
  auto add = [&](uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  auto addPointer = [&](const void *pointer) {
    add(reinterpret_cast<uintptr_t>(pointer));
  };
  add(operation.kind);
  add(operation.unit);
  addPointer(operation.device);
  addPointer(operation.to);
  addPointer(operation.from);
  add(operation.rows.width);
  const Kernel *kernel = operation.launch.kernel;
  addPointer(kernel);
  for (size_t i = 0; kernel && i < kernel->parameters->size(); ++i) {
    uint64_t word = 0;
    std::memcpy(&word, operation.launch.arguments[i],
                std::min(sizeof word, (*kernel->parameters)[i]));
    add(word);
  }
  return hash;
}

static Node *find(const Node &node, uint64_t hash, const Operation &operation) {
  for (const auto &[key, next] : node.next)
    if (key == hash && isSame(next->operation, operation))
      return next.get();
  return nullptr;
}

Node *Sequences::add(Node &parent, uint64_t hash, const Operation &operation) {
  auto node = std::make_unique<Node>(&parent);
  node->operation = operation;
  if (const Kernel *kernel = operation.launch.kernel) {
    const std::vector<size_t> &sizes = *kernel->parameters;
    size_t total = 0;
    for (size_t size : sizes)
      total += size;
    node->bytes.resize(total);
    char *place = node->bytes.data();
    for (size_t i = 0; i < sizes.size(); ++i) {
      std::memcpy(place, operation.launch.arguments[i], sizes[i]);
      node->arguments.push_back(place);
      place += sizes[i];
    }
    node->operation.launch.arguments = node->arguments.data();
  }
  ++numNodes;
  parent.next.push_back({hash, std::move(node)});
  return parent.next.back().second.get();
}

void Sequences::forget() {
  root = std::make_unique<Node>(nullptr);
  numNodes = 0;
  ++epoch;
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

void Sequences::open(Sequence &mine) {
  if (mine.last && mine.epoch == epoch)
    return;
  if (numNodes > kMostNodes || root->numGraphs > kMostGraphs)
    forget();
  mine.last = root.get();
  mine.epoch = epoch;
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
  uint64_t hash = hashOf(operation);
  Node *next = find(*mine.last, hash, operation);
  isHeld = status == HETERO_OK && mine.mayHold && next && next->numGraphs > 0;
  if (isHeld) {
    holder = &mine;
    mine.held.push_back(operation);
    mine.held.back().launch.arguments = next->operation.launch.arguments;
  } else if (status == HETERO_OK && mine.mayHold) {
    status = submitHeld(mine);
  }
  mine.last = next ? next : add(*mine.last, hash, operation);
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
  Node *node = mine.epoch == epoch ? mine.last : nullptr;
  mine.last = nullptr;
  if (!node)
    return HETERO_OK;
  HeteroStatus status = HETERO_OK;
  if (!mine.held.empty()) {
    if (node->graph && launch(mine, *node))
      letGo(mine);
    else
      status = submitHeld(mine);
  }
  ++node->ends;
  if (status == HETERO_OK && !node->graph && node->ends > 1 && !othersWait())
    makeGraph(*node);
  return status;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static void countOnPath(Node *node, int64_t change) {
  for (; node; node = node->parent)
    node->numGraphs += change;
}

/// The whole sequence that ends at the node. One operation is as good by
/// itself.
void Sequences::makeGraph(Node &node) {
  if (node.isRefused)
    return;
  std::vector<const Operation *> operations;
  for (Node *at = &node; at->parent; at = at->parent)
    operations.push_back(&at->operation);
  std::reverse(operations.begin(), operations.end());
  auto count = std::count_if(operations.begin(), operations.end(),
                             [](const Operation *operation) {
                               return operation->kind != Operation::Order;
                             });
  if (count > 1)
    node.graph = Graph::create(operations);
  node.isRefused = !node.graph;
  if (!node.graph)
    return;
  countOnPath(&node, 1);
  countGraph(count);
}

bool Sequences::launch(Sequence &mine, Node &node) {
  if (node.graph->launch(mine.held)) {
    countGraphLaunch();
    return true;
  }
  if (!node.graph->isRefused())
    return false;
  node.graph.reset();
  node.isRefused = true;
  countOnPath(&node, -1);
  return false;
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
    bool isPart = usesGraphs() && isComparable(operation);
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
  if (!usesGraphs())
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
  all.forget();
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
