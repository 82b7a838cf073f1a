//===- OpenSlices.cpp - Parts that are copied alone -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// hetero-optimize-copies copies the slices that a device reads of a tensor, if
// that is less than the tensor:
//
//   %1 = tensor.extract_slice %0 {gpu:0}   // %0 is on cpu:0
//
// So a slice costs what it would without the annotation, and its result is
// needed on gpu:0: the solver finds whether the whole is there anyway. Likewise
// a part that is inserted there comes back alone, if only that device needs the
// result which has the rest.
//
//===----------------------------------------------------------------------===//

#include "OpenSlices.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
class SliceOpener {
public:
  SliceOpener(PlacementGraph &graph, Assignment &fixed)
      : graph(graph), fixed(fixed), parts(graph.nodes.size()),
        opened(graph.nodes.size()) {}

  void run();

private:
  bool isDecidedView(NodeIndex index) const;
  bool isReadByPartsOnly(NodeIndex view, const llvm::BitVector &known) const;
  bool mayComeFromElsewhere(NodeIndex view) const;
  ValueIndex getSource(NodeIndex view) const {
    return graph.reads[graph.readsOfNode.get(view).front()].value;
  }
  ValueIndex getResult(NodeIndex view) const {
    return graph.resultsOfNode.get(view).front();
  }
  bool isDecided(NodeIndex index) const;
  bool comesBack(NodeIndex insert) const;
  void open(NodeIndex index, DeviceIndex other);
  void addUses();

  PlacementGraph &graph;
  Assignment &fixed;
  /// Views of which only a part is read, and those that are open now.
  llvm::BitVector parts, opened;
  SmallVector<DeviceIndex, 0> devices;
};
} // namespace

bool SliceOpener::isDecided(NodeIndex index) const {
  const PlacementNode &node = graph.nodes[index];
  return node.isTimed && !node.open && !fixed.isReplicated(index) &&
         fixed.getDevice(index) != kNone &&
         !node.op->hasAttr(kColocateAttrName) &&
         graph.resultsOfNode.get(index).size() == 1;
}

bool SliceOpener::isDecidedView(NodeIndex index) const {
  return isa_and_nonnull<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                         tensor::CollapseShapeOp>(graph.nodes[index].op) &&
         isDecided(index) && graph.readsOfNode.get(index).size() == 1;
}

/// True if everything that needs the result of an insertion is on the device of
/// what it inserts into, which is another one.
bool SliceOpener::comesBack(NodeIndex insert) const {
  auto op = dyn_cast_or_null<tensor::InsertSliceOp>(graph.nodes[insert].op);
  ArrayRef<unsigned> reads = graph.readsOfNode.get(insert);
  if (!op || !isDecided(insert) || reads.size() != 2)
    return false;
  // Reads are in the order of operands: the part, and what it goes into.
  ValueIndex into = graph.reads[reads.back()].value;
  DeviceIndex from = fixed.getValueDevice(into);
  ValueIndex value = getResult(insert);
  bool isUsed = !graph.fixedUsesOfValue.get(value).empty() ||
                !graph.readsOfValue.get(value).empty();
  return isUsed && from != kNone && from != devices[insert] &&
         !fixed.isValueReplicated(into) && graph.canRunOn(insert, from) &&
         graph.partialReadsOfValue.get(value).empty() &&
         llvm::all_of(graph.fixedUsesOfValue.get(value),
                      [&](unsigned use) {
                        return graph.fixedUses[use].device == from;
                      }) &&
         llvm::all_of(graph.readsOfValue.get(value), [&](unsigned read) {
           return devices[graph.reads[read].node] == from;
         });
}

/// By views that are known, on the same device.
bool SliceOpener::isReadByPartsOnly(NodeIndex view,
                                    const llvm::BitVector &known) const {
  ValueIndex value = getResult(view);
  return graph.fixedUsesOfValue.get(value).empty() &&
         graph.partialReadsOfValue.get(value).empty() &&
         !graph.readsOfValue.get(value).empty() &&
         llvm::all_of(graph.readsOfValue.get(value), [&](unsigned read) {
           NodeIndex reader = graph.reads[read].node;
           return known.test(reader) && devices[reader] == devices[view];
         });
}

/// True unless what the view is of is made where the view stands.
bool SliceOpener::mayComeFromElsewhere(NodeIndex view) const {
  ValueIndex source = getSource(view);
  NodeIndex producer = graph.values[source].producer;
  if (fixed.isValueReplicated(source))
    return false;
  return (producer != kNone && opened.test(producer)) ||
         fixed.getValueDevice(source) != devices[view];
}

/// Lets the node stand on its device or the other one; kNone for any. A third
/// device may have the whole by chance, and copies do not come from there.
void SliceOpener::open(NodeIndex index, DeviceIndex other) {
  PlacementNode &node = graph.nodes[index];
  DeviceAttr device = graph.topology.getDevice(devices[index]);
  node.stated = node.spec && node.spec != node.spec.getBare()
                    ? device.meet(node.spec)
                    : device;
  node.spec = {};
  node.open = true;
  fixed.setDevice(index, kNone);
  opened.set(index);
  size_t numClasses = graph.representatives.size();
  if (other == kNone || numClasses != graph.topology.size())
    return;
  for (DeviceIndex third = 0; third < numClasses; ++third)
    if (third != other && third != devices[index])
      graph.times[size_t(index) * numClasses + graph.classes[third]] = kNever;
}

/// The last views of chains are needed where they stand.
void SliceOpener::addUses() {
  llvm::BitVector views = opened;
  views &= parts;
  for (unsigned index : views.set_bits())
    if (!isReadByPartsOnly(index, views))
      graph.fixedUses.push_back(
          {getResult(index), devices[index], graph.nodes[index].block, index});
  llvm::stable_sort(graph.fixedUses, [](const FixedUse &a, const FixedUse &b) {
    return a.at < b.at;
  });
  graph.fixedUsesOfValue.build(
      graph.fixedUses.size(), graph.values.size(),
      [&](unsigned i) { return graph.fixedUses[i].value; });
}

void SliceOpener::run() {
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index)
    devices.push_back(fixed.getDevice(index));
  // Readers of a view come after it.
  for (NodeIndex index = graph.nodes.size(); index-- > 0;)
    if (isDecidedView(index) &&
        (isa<tensor::ExtractSliceOp>(graph.nodes[index].op) ||
         isReadByPartsOnly(index, parts)))
      parts.set(index);
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    if (parts.test(index) && mayComeFromElsewhere(index))
      open(index, fixed.getValueDevice(getSource(index)));
    else if (comesBack(index))
      open(index, fixed.getValueDevice(
                      graph.reads[graph.readsOfNode.get(index).back()].value));
  }
  if (opened.any())
    addUses();
}

void mlir::hetero::openSlices(PlacementGraph &graph, Assignment &fixed) {
  SliceOpener(graph, fixed).run();
}
