//===- Margins.cpp - Pads, crops and blocks -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Cuts or pads both ends of axes to sizes.
static void buildCenterCropPad(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  auto every = llvm::to_vector(llvm::seq(x.rank()));
  SmallVector<int64_t> axes = n.axes(n.getInts("axes", every), x.rank());
  SmallVector<OpFoldResult> sizes = n.indices(n.in(1));
  if (!n.failed() && axes.size() != sizes.size())
    n.fail("its sizes are not as many as its axes");
  if (n.failed())
    return;
  Indices &ix = n.ix;
  OpFoldResult zero = ix.constant(0), two = ix.constant(2);
  Margins margins(n, x.rank());
  for (auto [axis, size] : llvm::zip_equal(axes, sizes)) {
    OpFoldResult more = ix.max(ix.sub(size, x.sizes[axis]), zero);
    OpFoldResult less = ix.max(ix.sub(x.sizes[axis], size), zero);
    OpFoldResult low = ix.sub(ix.floorDiv(more, two), ix.floorDiv(less, two));
    margins.low[axis] = low;
    margins.high[axis] = ix.sub(ix.sub(more, less), low);
  }
  n.set(0, applyMargins(n, x, margins, n.scalar(x.type, 0)));
}

/// The size of blocks of an input (N, C, H, W); 0 after an error.
static int64_t readBlock(NodeBuilder &n) {
  int64_t block = n.getInt("blocksize", 0);
  if (n.in(0).rank() != 4 || block < 1 || block > INT32_MAX)
    n.fail("its input has not 4 dimensions, or its blocksize is " +
           Twine(block));
  return n.failed() ? 0 : block;
}

/// A size over a number that must divide it.
static OpFoldResult divide(NodeBuilder &n, OpFoldResult size, int64_t divisor) {
  OpFoldResult quotient = n.ix.floorDiv(size, n.ix.constant(divisor));
  n.check(n.ix.equal(n.ix.mul(quotient, n.ix.constant(divisor)), size),
          "its blocks do not divide its input");
  return quotient;
}

static void buildDepthToSpace(NodeBuilder &n) {
  Tensor x = n.in(0);
  int64_t block = readBlock(n);
  if (!block)
    return;
  bool isFirst = n.getString("mode", "DCR") == "DCR";
  OpFoldResult count = n.ix.constant(block);
  OpFoldResult depth = divide(n, x.sizes[1], block * block);
  if (n.failed())
    return;
  x.sizes[1] = n.ix.mul(depth, n.ix.constant(block * block));
  x = materialize(n, x);
  Sizes split{x.sizes[0], isFirst ? count : depth,
              count,      isFirst ? depth : count,
              x.sizes[2], x.sizes[3]};
  SmallVector<int64_t> order{0, 1, 4, 2, 5, 3};
  if (isFirst)
    order = {0, 3, 4, 1, 5, 2};
  n.set(0, reshape(n, transpose(n, reshape(n, x, split), order),
                   {x.sizes[0], depth, n.ix.mul(x.sizes[2], count),
                    n.ix.mul(x.sizes[3], count)}));
}

static void buildSpaceToDepth(NodeBuilder &n) {
  Tensor x = n.in(0);
  int64_t block = readBlock(n);
  if (!block)
    return;
  OpFoldResult count = n.ix.constant(block);
  Sizes split(ArrayRef(x.sizes).take_front(2));
  for (int64_t axis : {2, 3}) {
    OpFoldResult quotient = divide(n, x.sizes[axis], block);
    x.sizes[axis] = n.ix.mul(quotient, count);
    split.append({quotient, count});
  }
  if (n.failed())
    return;
  Tensor blocks = reshape(n, materialize(n, x), split);
  SmallVector<int64_t> order{0, 3, 5, 1, 2, 4};
  if (n.getString("mode", "DCR") == "CRD")
    order = {0, 1, 3, 5, 2, 4};
  n.set(0,
        reshape(n, transpose(n, blocks, order),
                {x.sizes[0], n.ix.mul(x.sizes[1], n.ix.constant(block * block)),
                 split[2], split[4]}));
}

void mlir::hetero::onnx::addMargins(OperatorTable &table) {
  table.add("CenterCropPad", {18}, buildCenterCropPad);
  table.add("DepthToSpace", {1, 11, 13, 28}, buildDepthToSpace);
  table.add("SpaceToDepth", {1, 13, 28}, buildSpaceToDepth);
}
