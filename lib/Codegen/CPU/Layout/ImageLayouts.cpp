//===- ImageLayouts.cpp - Which images have channels last -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The network of the minimum cut has a vertex for each operation, and two for a
// convolution: what it reads and what it makes. Those on the side of the sink
// have channels last. An image that is made on one side and read on the other
// is transposed once, however many read it: a vertex of its own joins the
// readers, as that of a copy joins those on another device
// (docs/Design/Placement.md).
//
//===----------------------------------------------------------------------===//

#include "ImageLayouts.h"

#include "LayoutCosts.h"
#include "hetero/Support/Solvers/MaxFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

/// Capacity of a cycle.
static constexpr double kUnitsPerCycle = 16;

namespace {
/// The vertices of an operation: what it reads and what it makes.
struct Vertices {
  unsigned reads, makes;
};

class LayoutNetwork {
public:
  LayoutNetwork(Block &block, const BlockImages &images,
                const CPUTarget &target);

  /// True if some operation is better off with channels last.
  bool hasGain() const { return gain; }
  MinimumCut cut() const { return findMinimumCut(terminals, edges); }

  llvm::MapVector<Operation *, Vertices> operations;

private:
  unsigned addVertex();
  void addCost(unsigned vertex, double plain, double last);
  void addEdge(unsigned from, unsigned to, double cycles);
  void addConvolution(linalg::GenericOp op, const CPUTarget &target);
  void addThrough(Operation *op, const CPUTarget &target);
  void addTranspositions(Value image);
  unsigned getReader(OpOperand &use) const;

  const BlockImages &images;
  /// Of what has the order of the program.
  static constexpr unsigned kPlain = 0;
  SmallVector<int64_t> terminals;
  SmallVector<FlowEdge> edges;
  bool gain = false;
};
} // namespace

static int64_t toUnits(double cycles) {
  return std::min(std::llround(cycles * kUnitsPerCycle),
                  static_cast<long long>(FlowEdge::kInfinite / 1024));
}

/// The values that operations of a block read or make, and that may be
/// transposed.
static llvm::SetVector<Value> findValues(Block &block) {
  llvm::SetVector<Value> values;
  for (Operation &op : block) {
    values.insert_range(op.getOperands());
    values.insert_range(op.getResults());
  }
  // Of a constant, the compiler changes the order.
  values.remove_if([](Value value) {
    return isa_and_present<arith::ConstantOp>(value.getDefiningOp());
  });
  return values;
}

/// The uses of a value but those that only ask for its sizes.
static SmallVector<OpOperand *> getReads(Value value) {
  SmallVector<OpOperand *> reads;
  for (OpOperand &use : value.getUses()) {
    auto dim = dyn_cast<tensor::DimOp>(use.getOwner());
    if (!dim || !dim.getConstantIndex())
      reads.push_back(&use);
  }
  return reads;
}

/// True if an operation makes its result in the operand.
static bool isInit(OpOperand &use) {
  auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return op && op.isDpsInit(&use);
}

LayoutNetwork::LayoutNetwork(Block &block, const BlockImages &images,
                             const CPUTarget &target)
    : images(images) {
  terminals.push_back(FlowEdge::kInfinite);
  for (auto [op, role] : images.getRoles())
    if (role == ImageRole::Convolution)
      addConvolution(cast<linalg::GenericOp>(op), target);
    else
      addThrough(op, target);
  for (Value value : findValues(block))
    addTranspositions(value);
}

unsigned LayoutNetwork::addVertex() {
  terminals.push_back(0);
  return terminals.size() - 1;
}

/// Cycles of an operation by the side of a vertex.
void LayoutNetwork::addCost(unsigned vertex, double plain, double last) {
  terminals[vertex] += toUnits(last) - toUnits(plain);
}

/// Cycles if `to` has channels last and `from` has not.
void LayoutNetwork::addEdge(unsigned from, unsigned to, double cycles) {
  edges.push_back({from, to, toUnits(cycles), 0});
}

void LayoutNetwork::addConvolution(linalg::GenericOp op,
                                   const CPUTarget &target) {
  ConvolutionCycles cycles = estimateConvolution(op, target);
  Vertices vertices{addVertex(), addVertex()};
  operations[op] = vertices;
  gain |= std::min(cycles.makesLast, cycles.last) < cycles.plain;
  // Of a function of two sides, one cost for each side and one of both.
  double both =
      cycles.makesLast + cycles.readsLast - cycles.plain - cycles.last;
  addCost(vertices.reads, cycles.plain, cycles.readsLast);
  addCost(vertices.makes, 0, cycles.last - cycles.readsLast);
  addEdge(vertices.reads, vertices.makes, std::max(both, 0.0));
}

/// Cycles of what has one order for all its images.
static double estimateThrough(Operation *op, const BlockImages &images,
                              bool isLast, const CPUTarget &target) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return estimateWindows(generic, *images.getChannelLoop(generic), isLast,
                           target);
  return estimateCopy(op->getResult(0).getType(), isLast);
}

void LayoutNetwork::addThrough(Operation *op, const CPUTarget &target) {
  unsigned vertex = addVertex();
  operations[op] = {vertex, vertex};
  double plain = estimateThrough(op, images, /*isLast=*/false, target);
  double last = estimateThrough(op, images, /*isLast=*/true, target);
  gain |= last < plain;
  addCost(vertex, plain, last);
}

/// The vertex of what reads a value.
unsigned LayoutNetwork::getReader(OpOperand &use) const {
  auto found = operations.find(use.getOwner());
  if (found == operations.end())
    return kPlain;
  return isInit(use) ? found->second.makes : found->second.reads;
}

void LayoutNetwork::addTranspositions(Value image) {
  SmallVector<OpOperand *> reads = getReads(image);
  if (!images.canMove(image) || reads.empty())
    return;
  unsigned maker = kPlain;
  if (Operation *op = image.getDefiningOp())
    if (auto made = operations.find(op); made != operations.end())
      maker = made->second.makes;
  double cycles = estimateTransposition(image.getType());
  unsigned toLast = addVertex(), toPlain = addVertex();
  addEdge(maker, toLast, cycles);
  addEdge(toPlain, maker, cycles);
  for (OpOperand *use : reads) {
    unsigned reader = getReader(*use);
    edges.push_back({toLast, reader, FlowEdge::kInfinite, 0});
    edges.push_back({reader, toPlain, FlowEdge::kInfinite, 0});
  }
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

ImageLayouts::ImageLayouts(Block &block, const CPUTarget &target)
    : images(block) {
  if (images.getRoles().empty())
    return;
  LayoutNetwork network(block, images, target);
  if (!network.hasGain())
    return;
  MinimumCut cut = network.cut();
  for (const auto &[op, vertices] : network.operations) {
    if (cut.isSink[vertices.reads])
      reading.insert(op);
    if (cut.isSink[vertices.makes])
      making.insert(op);
  }
}

ImageLayouts::ImageLayouts(Block &block, llvm::function_ref<bool()> choose)
    : images(block) {
  for (auto [op, role] : images.getRoles()) {
    bool isLast = choose();
    if (isLast)
      reading.insert(op);
    if (role == ImageRole::Convolution ? choose() : isLast)
      making.insert(op);
  }
}

SmallVector<Operation *> ImageLayouts::getMoved() const {
  SmallVector<Operation *> ops;
  for (auto [op, role] : images.getRoles())
    if (readsLast(op) || makesLast(op))
      ops.push_back(op);
  return ops;
}

//===----------------------------------------------------------------------===//
// What a choice takes
//===----------------------------------------------------------------------===//

static double estimate(Operation *op, const ImageLayouts &layouts,
                       const CPUTarget &target) {
  const BlockImages &images = layouts.getImages();
  bool reads = layouts.readsLast(op), makes = layouts.makesLast(op);
  if (images.getRole(op) == ImageRole::Through)
    return estimateThrough(op, images, reads, target);
  ConvolutionCycles cycles =
      estimateConvolution(cast<linalg::GenericOp>(op), target);
  if (reads)
    return makes ? cycles.last : cycles.readsLast;
  return makes ? cycles.makesLast : cycles.plain;
}

/// True if some operation reads the value in another order than it is made in.
static bool isTransposed(Value value, const ImageLayouts &layouts) {
  Operation *op = value.getDefiningOp();
  bool isLast = op && layouts.makesLast(op);
  return llvm::any_of(getReads(value), [&](OpOperand *use) {
    return isLast != (isInit(*use) ? layouts.makesLast(use->getOwner())
                                   : layouts.readsLast(use->getOwner()));
  });
}

double mlir::hetero::estimateCycles(Block &block, const ImageLayouts &layouts,
                                    const CPUTarget &target) {
  const BlockImages &images = layouts.getImages();
  double cycles = 0;
  for (auto [op, role] : images.getRoles())
    cycles += estimate(op, layouts, target);
  for (Value value : findValues(block))
    if (images.canMove(value) && isTransposed(value, layouts))
      cycles += estimateTransposition(value.getType());
  return cycles;
}
