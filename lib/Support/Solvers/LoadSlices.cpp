//===- LoadSlices.cpp - Orders of items cut into slices -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where to cut an order, so that the largest load of a slice is the least, is
// found by dynamic programming, once for each order of the devices. The load of
// a slice counts what enters and what leaves it, wherever that comes from or
// goes to. Of long orders only some places are cuts.
//
//===----------------------------------------------------------------------===//

#include "LoadSlices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <random>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Orders that are tried, and the most places where one may be cut; both are
/// less where there are more items than kManyToSlice.
static constexpr unsigned kOrders = 8, kCuts = 1024, kManyToSlice = 8192,
                          kOrdersOfMany = 2, kCutsOfMany = 256;
/// The load of a slice that cannot be there.
static constexpr double kImpossible = 1e300;

namespace {
/// Loads of the slices of one order on one device.
class SliceLoads {
public:
  SliceLoads(const LoadProblem &problem, const NetsOfItems &netsOfItems,
             const LoadSolution &start, ArrayRef<unsigned> order,
             unsigned cutEvery);

  void run(unsigned device);
  /// Of what is between two cuts.
  double get(unsigned from, unsigned to) const {
    return from == to ? 0 : loads[size_t(from) * numCuts + to];
  }
  unsigned getNumCuts() const { return numCuts; }
  unsigned getPosition(unsigned cut) const {
    return std::min<unsigned>(cut * cutEvery, order.size());
  }

private:
  struct Crossing {
    double in = 0, out = 0;
  };
  /// The ends of a net in the slice so far.
  struct Inside {
    unsigned stamp = 0, readers = 0;
    bool hasProducer = false;
  };

  void findCrossings(unsigned device);
  void extend(unsigned item);
  void add(unsigned net, double sign);
  double getLoad() const;
  Inside &getInside(unsigned net);

  const LoadProblem &problem;
  const NetsOfItems &netsOfItems;
  ArrayRef<unsigned> order;
  unsigned cutEvery, numCuts, device = 0, stamp = 0;
  /// By item: where it is if that is no choice, else kNoItem.
  SmallVector<unsigned, 0> fixed;
  SmallVector<Crossing, 0> crossings;
  SmallVector<Inside, 0> inside;
  SmallVector<double, 0> loads;
  double compute = 0, in = 0, out = 0;
};
} // namespace

SliceLoads::SliceLoads(const LoadProblem &problem,
                       const NetsOfItems &netsOfItems,
                       const LoadSolution &start, ArrayRef<unsigned> order,
                       unsigned cutEvery)
    : problem(problem), netsOfItems(netsOfItems), order(order),
      cutEvery(cutEvery), numCuts((order.size() + cutEvery - 1) / cutEvery + 1),
      inside(problem.nets.size()), loads(size_t(numCuts) * numCuts) {
  for (unsigned item = 0; item < problem.getNumItems(); ++item)
    fixed.push_back(problem.hasChoice(item) ? kNoItem : start[item]);
}

/// What each net takes of the device at least if it comes in, or goes out.
void SliceLoads::findCrossings(unsigned d) {
  SmallVector<unsigned> ins, outs;
  for (unsigned other = 0; other < problem.numDevices; ++other) {
    if (ArrayRef<unsigned> route = problem.getRoute(other, d); !route.empty())
      ins.push_back(route.back());
    if (ArrayRef<unsigned> route = problem.getRoute(d, other); !route.empty())
      outs.push_back(route.front());
  }
  auto getLeast = [](ArrayRef<int64_t> costs, ArrayRef<unsigned> links) {
    int64_t least = links.empty() ? 0 : costs[links.front()];
    for (unsigned link : links)
      least = std::min(least, costs[link]);
    return double(least);
  };
  crossings.assign(problem.nets.size(), {});
  for (auto [net, crossing] : llvm::zip_equal(problem.nets, crossings)) {
    ArrayRef<int64_t> costs = problem.getCosts(net);
    if (net.producer == kNoItem)
      crossing.in = double(costs[d]);
    else
      crossing = {getLeast(costs, ins), getLeast(costs, outs)};
  }
}

/// What is fixed on the device counts as inside of every slice.
SliceLoads::Inside &SliceLoads::getInside(unsigned index) {
  Inside &ends = inside[index];
  if (ends.stamp == stamp)
    return ends;
  const LoadNet &net = problem.nets[index];
  ends = {stamp, 0, net.producer != kNoItem && fixed[net.producer] == device};
  for (unsigned reader : net.readers)
    ends.readers += fixed[reader] == device;
  return ends;
}

void SliceLoads::add(unsigned index, double sign) {
  const Inside &ends = getInside(index);
  const LoadNet &net = problem.nets[index];
  if (!ends.hasProducer && ends.readers != 0)
    in += sign * crossings[index].in;
  if (ends.hasProducer && ends.readers != net.readers.size())
    out += sign * crossings[index].out;
}

void SliceLoads::extend(unsigned item) {
  int64_t time = problem.getTime(item, device);
  compute += time == kNoTime ? kImpossible : double(time);
  for (unsigned net : netsOfItems.get(item)) {
    add(net, -1);
    Inside &ends = getInside(net);
    if (problem.nets[net].producer == item)
      ends.hasProducer = true;
    else
      ++ends.readers;
    add(net, 1);
  }
}

double SliceLoads::getLoad() const {
  return problem.overlaps[device] ? std::max({compute, in, out})
                                  : compute + in + out;
}

void SliceLoads::run(unsigned d) {
  device = d;
  findCrossings(d);
  for (unsigned from = 0; from + 1 < numCuts; ++from) {
    ++stamp;
    compute = in = out = 0;
    for (unsigned to = from + 1; to < numCuts; ++to) {
      for (unsigned at = getPosition(to - 1); at < getPosition(to); ++at)
        extend(order[at]);
      loads[size_t(from) * numCuts + to] = getLoad();
    }
  }
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

namespace {
/// The best ends of the slices of these devices, which have the order's items
/// from the first on.
class SliceChooser {
public:
  explicit SliceChooser(unsigned numCuts)
      : numCuts(numCuts), best(numCuts, kImpossible) {
    best.front() = 0;
  }

  /// The next device takes a slice, which may be empty.
  void add(const SliceLoads &loads);
  /// The first cut of each device's slice.
  SmallVector<unsigned> getStarts() const;

private:
  unsigned numCuts;
  /// By cut: the largest load of what is before it.
  SmallVector<double, 0> best;
  SmallVector<SmallVector<unsigned, 0>, 8> starts;
};
} // namespace

void SliceChooser::add(const SliceLoads &loads) {
  SmallVector<double, 0> next(best);
  SmallVector<unsigned, 0> &start = starts.emplace_back();
  for (unsigned to = 0; to < numCuts; ++to) {
    start.push_back(to);
    for (unsigned from = to; from-- != 0;) {
      double load = loads.get(from, to);
      if (double largest = std::max(best[from], load); largest < next[to]) {
        next[to] = largest;
        start[to] = from;
      }
    }
  }
  best = std::move(next);
}

SmallVector<unsigned> SliceChooser::getStarts() const {
  SmallVector<unsigned> result(starts.size());
  unsigned end = numCuts - 1;
  for (unsigned slice = starts.size(); slice-- != 0;)
    result[slice] = end = starts[slice][end];
  return result;
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// The number of nets that an item reads.
static SmallVector<unsigned, 0> countOperands(const LoadProblem &problem) {
  SmallVector<unsigned, 0> counts(problem.getNumItems(), 0);
  for (const LoadNet &net : problem.nets)
    if (net.producer != kNoItem)
      for (unsigned reader : net.readers)
        ++counts[reader];
  return counts;
}

/// An order in which items come after what they read; where items read each
/// other, the first of them begins. Even numbers follow chains, odd ones take
/// what has waited the longest; those after the first two choose by chance.
static SmallVector<unsigned, 0> makeOrder(const LoadProblem &problem,
                                          const NetsOfItems &netsOfItems,
                                          unsigned number) {
  std::mt19937_64 random(number);
  SmallVector<unsigned, 0> missing = countOperands(problem), order, ready;
  SmallVector<uint8_t, 0> isDone(missing.size(), false);
  unsigned first = 0;
  for (unsigned item = missing.size(); item-- != 0;)
    if (missing[item] == 0)
      ready.push_back(item);
  size_t head = 0;
  auto take = [&]() {
    if (number == 1)
      return ready[head++];
    size_t back = number == 0 ? 0 : random() % 3;
    size_t at = ready.size() - 1 - std::min(back, ready.size() - 1);
    std::swap(ready[at], ready.back());
    return ready.pop_back_val();
  };
  while (order.size() < missing.size()) {
    while (head == ready.size() && isDone[first])
      ++first;
    unsigned item = head == ready.size() ? first : take();
    if (std::exchange(isDone[item], true))
      continue;
    order.push_back(item);
    for (unsigned net : netsOfItems.get(item))
      if (problem.nets[net].producer == item)
        for (unsigned reader : problem.nets[net].readers)
          if (--missing[reader] == 0)
            ready.push_back(reader);
  }
  return order;
}

/// The host first, the host last, and the fastest first.
static SmallVector<SmallVector<unsigned>>
orderDevices(const LoadProblem &problem) {
  SmallVector<unsigned> byNumber =
      llvm::to_vector(llvm::seq(problem.numDevices));
  SmallVector<unsigned> hostLast = byNumber, bySpeed = byNumber;
  std::rotate(hostLast.begin(), hostLast.begin() + 1, hostLast.end());
  SmallVector<double> totals(problem.numDevices, 0);
  for (size_t index = 0; index < problem.times.size(); ++index)
    totals[index % problem.numDevices] += double(problem.times[index]);
  llvm::stable_sort(
      bySpeed, [&](unsigned a, unsigned b) { return totals[a] < totals[b]; });
  SmallVector<SmallVector<unsigned>> result = {byNumber, hostLast};
  if (bySpeed != byNumber && bySpeed != hostLast)
    result.push_back(bySpeed);
  return result;
}

/// Whether slices have the same loads on both devices.
static bool areAlike(const LoadProblem &problem, unsigned a, unsigned b) {
  auto isLike = [&](unsigned aLink, unsigned bLink) {
    return llvm::all_of(problem.nets, [&](const LoadNet &net) {
      ArrayRef<int64_t> costs = problem.getCosts(net);
      return net.producer == kNoItem || costs[aLink] == costs[bLink];
    });
  };
  for (unsigned item = 0; item < problem.getNumItems(); ++item)
    if (problem.hasChoice(item) &&
        problem.getTime(item, a) != problem.getTime(item, b))
      return false;
  for (const LoadNet &net : problem.nets)
    if (net.producer == kNoItem &&
        problem.getCosts(net)[a] != problem.getCosts(net)[b])
      return false;
  ArrayRef<unsigned> aIn = problem.getRoute(0, a), bIn = problem.getRoute(0, b),
                     aOut = problem.getRoute(a, 0),
                     bOut = problem.getRoute(b, 0);
  return problem.overlaps[a] == problem.overlaps[b] && a != 0 && b != 0 &&
         !aIn.empty() && !bIn.empty() && !aOut.empty() && !bOut.empty() &&
         isLike(aIn.back(), bIn.back()) && isLike(aOut.front(), bOut.front());
}

/// By device: the first that is like it.
static SmallVector<unsigned> findAlike(const LoadProblem &problem) {
  SmallVector<unsigned> result;
  for (unsigned device = 0; device < problem.numDevices; ++device) {
    unsigned like = 0;
    while (like != device &&
           (result[like] != like || !areAlike(problem, like, device)))
      ++like;
    result.push_back(like);
  }
  return result;
}

SmallVector<LoadSolution, 0>
mlir::hetero::sliceOrders(const LoadProblem &problem,
                          const LoadSolution &start) {
  NetsOfItems netsOfItems(problem);
  SmallVector<LoadSolution, 0> result;
  bool isMany = problem.getNumItems() > kManyToSlice;
  SmallVector<unsigned> alike = findAlike(problem);
  for (unsigned number = 0; number < (isMany ? kOrdersOfMany : kOrders);
       ++number) {
    SmallVector<unsigned, 0> order = makeOrder(problem, netsOfItems, number);
    llvm::erase_if(order,
                   [&](unsigned item) { return !problem.hasChoice(item); });
    unsigned most = isMany ? kCutsOfMany : kCuts;
    unsigned cutEvery = order.size() / most + 1;
    SmallVector<std::unique_ptr<SliceLoads>> loads(problem.numDevices);
    for (unsigned device = 0; device < problem.numDevices; ++device)
      if (alike[device] == device) {
        loads[device] = std::make_unique<SliceLoads>(problem, netsOfItems,
                                                     start, order, cutEvery);
        loads[device]->run(device);
      }
    for (ArrayRef<unsigned> devices : orderDevices(problem)) {
      const SliceLoads &any = *loads.front();
      SliceChooser chooser(any.getNumCuts());
      for (unsigned device : devices)
        chooser.add(*loads[alike[device]]);
      LoadSolution solution = start;
      SmallVector<unsigned> starts = chooser.getStarts();
      for (unsigned slice = 0; slice < devices.size(); ++slice)
        for (unsigned at = any.getPosition(starts[slice]); at < order.size();
             ++at)
          solution[order[at]] = devices[slice];
      if (llvm::all_of(order, [&](unsigned item) {
            return problem.getTime(item, solution[item]) != kNoTime;
          }))
        result.push_back(std::move(solution));
    }
  }
  return result;
}
