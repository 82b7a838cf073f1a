//===- OneDNNConvolution.cpp - Convolutions by oneDNN ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is prepared once for its sizes and strides: the primitive in
// the layouts that oneDNN is fastest in, and the reorders to and from them.
// Weights that never change are kept in their layout for each place that calls
// with them; everything else lies in a buffer of the thread.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/OneDNNConvolution.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Libraries/OneDNN.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

using namespace hetero::runtime;
using namespace hetero::runtime::dnn;

namespace {
/// A primitive with its description.
struct Step {
  const Interface *dnn = nullptr;
  void *description = nullptr, *primitive = nullptr;
  /// The layout of its scratch memory, which belongs to the description; null
  /// if it needs none.
  const void *scratch = nullptr;
  size_t scratchBytes = 0;

  ~Step() {
    if (primitive)
      dnn->destroyPrimitive(primitive);
    if (description)
      dnn->destroyDescription(description);
  }
  /// Makes the primitive of the description.
  int create() {
    if (int status = dnn->createPrimitive(&primitive, description))
      return status;
    scratch = dnn->query(description, kScratch, 0);
    scratchBytes = scratch ? dnn->countBytes(scratch) : 0;
    return 0;
  }
};

/// A value between the caller's layout and the primitive's.
struct Side {
  Layout plain;
  /// The primitive's, which belongs to its description.
  const void *wanted = nullptr;
  /// Without a primitive where both are the same.
  Step toWanted, toPlain;
  size_t bytes = 0;
};

struct Prepared {
  const Interface *dnn = nullptr;
  Step convolution;
  Side source, weights, result;
  Layout bias;
  /// Enough for each step.
  size_t scratchBytes = 0;
};

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<char, Free>;
} // namespace

constexpr size_t kLine = 64;

static size_t roundUp(size_t bytes) {
  return (bytes + kLine - 1) / kLine * kLine;
}

static Buffer allocate(size_t bytes) {
  return Buffer(static_cast<char *>(
      std::aligned_alloc(kLine, std::max(roundUp(bytes), kLine))));
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

static int makeReorder(const Interface &dnn, const void *from, const void *to,
                       Step &step) {
  step.dnn = &dnn;
  int status = dnn.describeReorder(from, to, &step.description);
  return status ? status : step.create();
}

/// Asks the primitive for its layout of one value, and how to get there.
static int prepareSide(const Prepared &prepared, Query query, bool in, bool out,
                       Side &side) {
  const Interface &dnn = *prepared.dnn;
  side.wanted = dnn.query(prepared.convolution.description, query, 0);
  if (!side.wanted)
    return 1;
  side.bytes = dnn.countBytes(side.wanted);
  if (dnn.areEqual(side.plain.get(), side.wanted))
    return 0;
  int status = 0;
  if (in)
    status = makeReorder(dnn, side.plain.get(), side.wanted, side.toWanted);
  if (!status && out)
    status = makeReorder(dnn, side.wanted, side.plain.get(), side.toPlain);
  return status;
}

/// Channels next to each other are a layout that oneDNN is fast in.
static bool isFastLayout(const HeteroValue &value) {
  return value.strides[1] == 1 && value.sizes[1] > 1;
}

static int prepare(const Convolution &op, Prepared &prepared) {
  const Interface &dnn = *prepared.dnn;
  Layout source, weights, result;
  bool any = !isFastLayout(op.source) || !isFastLayout(op.result);
  for (auto [layout, value, isAny] :
       {std::tuple(&prepared.source.plain, &op.source, false),
        {&prepared.weights.plain, &op.weights, false},
        {&prepared.result.plain, &op.result, false},
        {&source, &op.source, any},
        {&weights, &op.weights, true},
        {&result, &op.result, any}})
    if (int status = dnn.makeLayout(*layout, *value, isAny))
      return status;
  if (op.hasBias)
    if (int status = dnn.makeLayout(prepared.bias, op.bias, false))
      return status;
  prepared.convolution.dnn = &dnn;
  int status = dnn.describeConvolution(
      source, weights, op.hasBias ? &prepared.bias : nullptr, result,
      op.windows, op.accumulate, op.relu, &prepared.convolution.description);
  if (!status)
    status = prepared.convolution.create();
  if (!status)
    status = prepareSide(prepared, kSource, true, false, prepared.source);
  if (!status)
    status = prepareSide(prepared, kWeightsOf, true, false, prepared.weights);
  if (!status)
    status =
        prepareSide(prepared, kResult, op.accumulate, true, prepared.result);
  if (!status)
    for (const Step *step :
         {&prepared.convolution, &prepared.source.toWanted,
          &prepared.weights.toWanted, &prepared.result.toWanted,
          &prepared.result.toPlain})
      prepared.scratchBytes =
          std::max(prepared.scratchBytes, step->scratchBytes);
  return status;
}

/// The convolution of these sizes; null where oneDNN has none.
static std::shared_ptr<Prepared> getPrepared(const Interface &dnn,
                                             const LibraryCall &call,
                                             const Convolution &op) {
  constexpr size_t kMostPrepared = 1024;
  static std::mutex mutex;
  static auto *all =
      new std::map<std::vector<int64_t>, std::shared_ptr<Prepared>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<int64_t> key = getCallKey(call);
  auto it = all->find(key);
  if (it != all->end())
    return it->second;
  auto prepared = std::make_shared<Prepared>();
  prepared->dnn = &dnn;
  if (prepare(op, *prepared))
    prepared.reset();
  // Sizes that change with each call must not fill the memory.
  if (all->size() == kMostPrepared)
    all->clear();
  (*all)[std::move(key)] = prepared;
  return prepared;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

namespace {
/// Memory objects of one execution.
class Arguments {
public:
  Arguments(const Step &step, void *scratch) : step(step) {
    if (step.scratchBytes)
      add(kScratchArg, step.scratch, scratch);
  }
  ~Arguments() {
    for (const Argument &argument : arguments)
      step.dnn->destroyMemory(argument.memory);
  }
  void add(Role role, const void *layout, void *data) {
    void *memory = nullptr;
    if (int made =
            step.dnn->createMemory(&memory, layout, step.dnn->engine, data))
      status = made;
    else
      arguments.push_back({role, memory});
  }
  int run() const {
    return status ? status : step.dnn->execute(step.primitive, arguments);
  }

private:
  const Step &step;
  std::vector<Argument> arguments;
  int status = 0;
};
} // namespace

static int runReorder(const Step &step, const void *fromLayout, void *from,
                      const void *toLayout, void *to, void *scratch) {
  Arguments arguments(step, scratch);
  arguments.add(kSourceArg, fromLayout, from);
  arguments.add(kResultArg, toLayout, to);
  return arguments.run();
}

/// Memory of this thread that keeps its size from call to call.
static char *getBuffer(size_t bytes) {
  static thread_local Buffer buffer;
  static thread_local size_t held = 0;
  if (bytes > held) {
    buffer = allocate(bytes);
    held = buffer ? bytes : 0;
  }
  return buffer.get();
}

/// Brings a value into the primitive's layout, at `place`; where it is then.
static void *toWanted(const Side &side, void *data, char *place, char *scratch,
                      int &status) {
  if (!side.toWanted.primitive || status)
    return data;
  status = runReorder(side.toWanted, side.plain.get(), data, side.wanted, place,
                      scratch);
  return place;
}

/// Runs the primitive; `packed` are weights in its layout, or null.
static int run(const Convolution &op, const Prepared &prepared, void *packed) {
  const Side &from = prepared.source, &by = prepared.weights,
             &to = prepared.result;
  size_t scratchBytes = roundUp(prepared.scratchBytes);
  size_t sourceBytes = roundUp(from.bytes), weightBytes = roundUp(by.bytes);
  char *scratch =
      getBuffer(scratchBytes + sourceBytes + weightBytes + to.bytes);
  if (!scratch)
    return 1;
  char *place = scratch + scratchBytes;
  int status = 0;
  void *source = toWanted(from, op.source.data, place, scratch, status);
  void *weights = packed ? packed
                         : toWanted(by, op.weights.data, place + sourceBytes,
                                    scratch, status);
  bool moves = to.toPlain.primitive != nullptr;
  char *after = place + sourceBytes + weightBytes;
  if (op.accumulate)
    toWanted(to, op.result.data, after, scratch, status);
  void *result = moves ? after : op.result.data;
  Arguments arguments(prepared.convolution, scratch);
  arguments.add(kSourceArg, from.wanted, source);
  arguments.add(kWeightsArg, by.wanted, weights);
  if (op.hasBias)
    arguments.add(kBiasArg, prepared.bias.get(), op.bias.data);
  arguments.add(kResultArg, to.wanted, result);
  if (!status)
    status = arguments.run();
  if (!status && moves)
    status = runReorder(to.toPlain, to.wanted, result, to.plain.get(),
                        op.result.data, scratch);
  return status;
}

//===----------------------------------------------------------------------===//
// Weights that never change
//===----------------------------------------------------------------------===//

namespace {
/// Weights of one place that calls, in the layouts of primitives.
struct Kept {
  std::mutex mutex;
  std::vector<std::pair<std::shared_ptr<Prepared>, Buffer>> weights;
};

/// All of them by the address of the program's pointer.
struct KeptByState {
  std::mutex mutex;
  std::map<const void *, std::unique_ptr<Kept>> all;
};
} // namespace

static KeptByState &keptByState() {
  static auto *instance = new KeptByState;
  return *instance;
}

static Kept &getKept(void **state) {
  if (void *known = __atomic_load_n(state, __ATOMIC_ACQUIRE))
    return *static_cast<Kept *>(known);
  KeptByState &kept = keptByState();
  std::lock_guard<std::mutex> lock(kept.mutex);
  // What another program left here that did not say goodbye goes.
  if (!__atomic_load_n(state, __ATOMIC_ACQUIRE)) {
    kept.all[state] = std::make_unique<Kept>();
    __atomic_store_n(state, kept.all[state].get(), __ATOMIC_RELEASE);
  }
  return *kept.all[state];
}

void hetero::runtime::forgetLibraryState(const void *data, int64_t bytes) {
  KeptByState &kept = keptByState();
  std::lock_guard<std::mutex> lock(kept.mutex);
  auto begin = kept.all.lower_bound(data);
  auto end = kept.all.lower_bound(static_cast<const char *>(data) + bytes);
  kept.all.erase(begin, end);
}

/// The weights in the primitive's layout, for as long as the program is loaded;
/// null where they cannot be kept.
static void *keepWeights(void **state, const Convolution &op,
                         const std::shared_ptr<Prepared> &prepared) {
  constexpr size_t kMostKept = 16;
  const Side &side = prepared->weights;
  if (!state || !side.toWanted.primitive)
    return nullptr;
  Kept &kept = getKept(state);
  std::lock_guard<std::mutex> lock(kept.mutex);
  for (auto &[owner, buffer] : kept.weights)
    if (owner == prepared)
      return buffer.get();
  char *scratch = getBuffer(roundUp(prepared->scratchBytes));
  Buffer buffer = allocate(side.bytes);
  // Sizes that change with each call must not fill the memory.
  if (kept.weights.size() == kMostKept || !scratch || !buffer ||
      runReorder(side.toWanted, side.plain.get(), op.weights.data, side.wanted,
                 buffer.get(), scratch))
    return nullptr;
  kept.weights.emplace_back(prepared, std::move(buffer));
  return kept.weights.back().second.get();
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

static int64_t getStride(const HeteroValue &value, int dim) {
  return value.sizes[dim] == 1 ? 0 : value.strides[dim];
}

/// The sum over channels and window of one element of the result, at `index`.
static float sumWindow(const Convolution &op, const int64_t *index) {
  bool grouped = op.weights.rank > op.source.rank;
  int first = grouped ? 3 : 2;
  int64_t taps = 1;
  for (int i = 0; i < op.spatial; ++i)
    taps *= op.weights.sizes[first + i];
  float sum = 0;
  for (int64_t tap = 0; tap < taps; ++tap) {
    int64_t from = index[0] * getStride(op.source, 0);
    int64_t by = index[1] * getStride(op.weights, 0), rest = tap;
    bool isInside = true;
    for (int i = op.spatial - 1; i >= 0; --i) {
      int64_t size = op.weights.sizes[first + i], at = rest % size;
      rest /= size;
      int64_t place = index[2 + i] * op.windows.strides[i] +
                      at * (op.windows.dilations[i] + 1) - op.windows.low[i];
      isInside &= place >= 0 && place < op.source.sizes[2 + i];
      from += place * getStride(op.source, 2 + i);
      by += at * getStride(op.weights, first + i);
    }
    if (!isInside)
      continue;
    int64_t channels = grouped ? 1 : op.source.sizes[1];
    from += grouped ? index[1] * getStride(op.source, 1) : 0;
    for (int64_t channel = 0; channel < channels; ++channel)
      sum += static_cast<const float *>(
                 op.source.data)[from + channel * getStride(op.source, 1)] *
             static_cast<const float *>(
                 op.weights.data)[by + channel * getStride(op.weights, 1)];
  }
  return sum;
}

/// Element by element: for what oneDNN has no primitive for.
static void convolvePlainly(const Convolution &op) {
  int64_t index[kMaxRank] = {}, count = 1;
  for (int dim = 0; dim < op.result.rank; ++dim)
    count *= op.result.sizes[dim];
  for (int64_t i = 0; i < count; ++i) {
    int64_t to = 0;
    for (int dim = 0; dim < op.result.rank; ++dim)
      to += index[dim] * op.result.strides[dim];
    float &element = static_cast<float *>(op.result.data)[to];
    float sum = (op.accumulate ? element : 0) + sumWindow(op, index);
    if (op.hasBias)
      sum += static_cast<const float *>(
          op.bias.data)[index[1] * getStride(op.bias, 0)];
    element = op.relu ? std::max(sum, 0.0f) : sum;
    for (int dim = op.result.rank - 1;
         dim >= 0 && ++index[dim] == op.result.sizes[dim]; --dim)
      index[dim] = 0;
  }
}

/// Filters of one channel each, as oneDNN has them: groups come first.
static HeteroValue splitGroups(const HeteroValue &weights) {
  HeteroValue split = weights;
  split.rank = weights.rank + 1;
  for (int dim = weights.rank; dim > 2; --dim) {
    split.sizes[dim] = weights.sizes[dim - 1];
    split.strides[dim] = weights.strides[dim - 1];
  }
  for (int dim : {1, 2}) {
    split.sizes[dim] = 1;
    split.strides[dim] = weights.strides[0];
  }
  return split;
}

HeteroStatus hetero::runtime::callConvolution(const LibraryCall &call) {
  Convolution op = {};
  if (HeteroStatus status = readConvolution(call, {HETERO_TYPE_F32}, op))
    return status;
  if (op.isGrouped)
    op.weights = splitGroups(op.weights);
  // oneDNN counts what is between two taps.
  for (int i = 0; i < op.spatial; ++i)
    --op.windows.dilations[i];
  if (isEmpty(op.result))
    return HETERO_OK;
  const Interface *dnn = Interface::get(call.library);
  std::shared_ptr<Prepared> prepared;
  if (dnn && !isEmpty(op.source) && !isEmpty(op.weights))
    prepared = getPrepared(*dnn, call, op);
  if (!prepared) {
    convolvePlainly(op);
    return HETERO_OK;
  }
  void *packed = keepWeights(call.state, op, prepared);
  if (int status = run(op, *prepared, packed))
    return fail(HETERO_ERROR_PROGRAM, "a convolution by " + call.library.name +
                                          " failed with status " +
                                          std::to_string(status) +
                                          " of oneDNN");
  return HETERO_OK;
}
