//===- Winograd.cpp - Convolutions with fewer products --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution with windows of 3 x 3 and stride 1 by the minimal filtering of
// Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks" (2016):
// tiles of M x M pixels of the result from N x N of the image, N = M + 2,
//
//   Y = A^T ((G g G^T) * (B^T d B)) A
//
// with N^2 products for each tile, channel and filter instead of 9 M^2. The
// sums over the channels are products of matrices, one for each of the N^2
// positions. All steps are contractions, so that the strategies for these
// apply:
//
//   t[c, b, y, q]    = sum over j of B[b, j] * x[c, y, M q + j]
//   v[p, a, c, b, q] = sum over i of B[a, i] * t[c, b, M p + i, q]
//   m[p, a, b, q, f] = sum over c of v[p, a, c, b, q] * u[a, b, c, f]
//   z[p, r, q, b, f] = sum over a of A[r, a] * m[p, a, b, q, f]
//   y[p, r, q, s, f] = sum over b of A[s, b] * z[p, r, q, b, f]
//
// for tiles in rows p and columns q. The filters u are transformed in double
// precision by the compiler. From v to y all is done row by row, in the nearer
// caches, unless the filters take more memory than the image: then each of the
// products reads its filters once, and p and q are one loop of it.
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"

#include "Codegen/CPU/Layout/ResultOrder.h"
#include "Codegen/CPU/Plan/ConstantPanels.h"
#include "Codegen/CPU/Plan/VectorPlan.h"
#include "Codegen/Match/ConvolutionLoops.h"
#include "Codegen/Match/MultiplyAdd.h"
#include "hetero/Codegen/CPU/Target/CPUTarget.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::hetero;

/// Size of the windows.
static constexpr int64_t kWindow = 3;
/// The share of the direct convolution's time below which another counts as
/// faster.
static constexpr double kMargin = 0.8;
/// Lanes of a product that take as long as reading a byte of the filters from
/// the last-level cache.
static constexpr double kLanesPerByte = 1.6;

namespace {
/// The matrices for tiles of `tile` x `tile`: row by row.
struct Matrices {
  int64_t tile;
  std::vector<float> image, result;
  std::vector<double> filter;

  int64_t size() const { return tile + kWindow - 1; }
};

/// A convolution that can be computed so.
struct Convolution {
  linalg::GenericOp op;
  Value image, filter;
  /// Dimensions of the operands: image, channel, row, column; filter, channel,
  /// row, column; image, filter, row, column.
  SmallVector<int64_t> imageOrder, filterOrder, resultOrder;
  int64_t channels, filters, height, width;
};
} // namespace

static const Matrices &getMatrices(int64_t tile) {
  static const Matrices two = {
      2,
      {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1},
      {1, 1, 1, 0, 0, 1, -1, -1},
      {1, 0, 0, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0, 0, 1}};
  static const Matrices four = {
      4,
      {4, 0,  -5, 0, 1, 0, 0, -4, -4, 1,  1, 0, 0, 4, -4, -1, 1, 0,
       0, -2, -1, 2, 1, 0, 0, 2,  -1, -2, 1, 0, 0, 4, 0,  -5, 0, 1},
      {1, 1, 1, 1, 1, 0, 0, 1, -1, 2, -2, 0,
       0, 1, 1, 4, 4, 0, 0, 1, -1, 8, -8, 1},
      {1. / 4, 0, 0, -1. / 6, -1. / 6, -1. / 6, -1. / 6, 1. / 6, -1. / 6,
       1. / 24, 1. / 12, 1. / 6, 1. / 24, -1. / 12, 1. / 6, 0, 0, 1}};
  return tile == 2 ? two : four;
}

//===----------------------------------------------------------------------===//
// Which convolutions
//===----------------------------------------------------------------------===//

/// The convolution that `op` is, or why it cannot be computed so.
static FailureOr<Convolution> match(linalg::GenericOp op, std::string &reason) {
  std::optional<ConvolutionLoops> loops = matchConvolutionLoops(op);
  if (!loops || !multipliesAndAdds(op))
    return failure();
  ConvolutionOrders orders = getConvolutionOrders(op, *loops);
  Convolution result;
  result.op = op;
  result.image = op.getDpsInputs()[0];
  result.filter = op.getDpsInputs()[1];
  result.imageOrder = orders.image;
  result.filterOrder = orders.filter;
  result.resultOrder = orders.result;
  bool isPlain = loops->group < 0 && loops->windows.size() == 2 &&
                 llvm::all_of(
                     loops->windows,
                     [](const ConvolutionLoops::Window &window) {
                       return window.stride == 1 && window.dilation == 1;
                     });
  if (!isPlain || llvm::is_contained(result.filterOrder, -1)) {
    reason = "its windows are not dense ones of 3 x 3 over all channels";
    return failure();
  }
  auto filter = cast<RankedTensorType>(result.filter.getType());
  auto type = cast<RankedTensorType>(op.getType(0));
  auto image = cast<RankedTensorType>(result.image.getType());
  if (!llvm::all_of(op->getOperandTypes(),
                    [](Type of) { return getElementTypeOrSelf(of).isF32(); })) {
    reason = "its elements are not f32";
    return failure();
  }
  if (!filter.hasStaticShape() || !type.hasStaticShape() ||
      !image.hasStaticShape()) {
    reason = "a size is not known";
    return failure();
  }
  for (int64_t dim : ArrayRef(result.filterOrder).drop_front(2))
    if (filter.getDimSize(dim) != kWindow) {
      reason = "its windows are not of 3 x 3";
      return failure();
    }
  int64_t images = result.imageOrder[0];
  if (images >= 0 && image.getDimSize(images) != 1) {
    reason = "there are several images";
    return failure();
  }
  arith::ConstantOp constant = findConstant(result.filter);
  if (!constant || getConstantElements(constant).empty()) {
    reason = "its filters are not constants of the program";
    return failure();
  }
  result.filters = filter.getDimSize(result.filterOrder[0]);
  result.channels = filter.getDimSize(result.filterOrder[1]);
  result.height = type.getDimSize(result.resultOrder[2]);
  result.width = type.getDimSize(result.resultOrder[3]);
  return result;
}

/// About how many lanes of products the convolution takes with such tiles, in
/// all channels and filters.
static double estimate(const Convolution &op, int64_t tile) {
  double size = getMatrices(tile).size();
  double columns = llvm::divideCeil(op.width, tile);
  double tiles = llvm::divideCeil(op.height, tile) * columns;
  double pairs = double(op.channels) * op.filters;
  // A row of tiles is along the lanes of the image's transform.
  double lanes = 16 * llvm::divideCeil(columns, 16.0) / columns;
  double ofImage = size * size * (size + tile) * tiles * op.channels * lanes;
  double ofResult = tile * size * (size + tile) * tiles * op.filters;
  double read = 4 * size * size * pairs * kLanesPerByte;
  return size * size * pairs * tiles + ofImage + ofResult + read;
}

/// The size of tiles that is fastest; 0 where none is.
static int64_t chooseTile(const Convolution &op, std::string &reason) {
  double direct = double(kWindow * kWindow) * op.channels * op.filters *
                  op.height * op.width;
  int64_t best = 0;
  double least = direct * kMargin;
  std::string times;
  for (int64_t tile : {4, 2}) {
    double products = estimate(op, tile);
    times += llvm::formatv("{0}tiles of {1}: {2:f2}", times.empty() ? "" : ", ",
                           tile, products / direct);
    if (products < least) {
      least = products;
      best = tile;
    }
  }
  reason = "estimated share of the direct convolution's time: " + times;
  return best;
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

namespace {
/// Emits the steps of one convolution.
class Emitter {
public:
  Emitter(RewriterBase &rewriter, Convolution conv, int64_t tile)
      : rewriter(rewriter), conv(conv), loc(conv.op.getLoc()),
        matrices(getMatrices(tile)), m(tile), n(matrices.size()),
        rows(llvm::divideCeil(conv.height, tile)),
        columns(llvm::divideCeil(conv.width, tile)) {}

  void run();

private:
  Value multiply(Value left, ArrayRef<AffineExpr> leftMap, Value right,
                 ArrayRef<AffineExpr> rightMap, ArrayRef<int64_t> shape,
                 ArrayRef<AffineExpr> resultMap);
  Value createConstant(ArrayRef<int64_t> shape, ArrayRef<float> values);
  Value extendImage();
  Value transformFilters();
  Value transformRows(Value ofImage);
  Value multiplyByRow(Value ofImage, Value t);
  Value multiplyByPosition(Value ofImage, Value t);
  Value transformBack(Value products, bool byRow);

  AffineExpr dim(unsigned position) {
    return rewriter.getAffineDimExpr(position);
  }

  RewriterBase &rewriter;
  Convolution conv;
  Location loc;
  const Matrices &matrices;
  int64_t m, n, rows, columns;
};
} // namespace

/// A sum of products over the last loop.
Value Emitter::multiply(Value left, ArrayRef<AffineExpr> leftMap, Value right,
                        ArrayRef<AffineExpr> rightMap, ArrayRef<int64_t> shape,
                        ArrayRef<AffineExpr> resultMap) {
  unsigned loops = resultMap.size() + 1;
  Value zeros = createFilled(rewriter, loc, shape, rewriter.getF32FloatAttr(0));
  auto map = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(loops, 0, exprs, rewriter.getContext());
  };
  SmallVector<utils::IteratorType> iterators(loops,
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             rewriter, loc, zeros.getType(), ValueRange{left, right}, zeros,
             ArrayRef{map(leftMap), map(rightMap), map(resultMap)}, iterators,
             [](OpBuilder &builder, Location place, ValueRange arguments) {
               Value product = arith::MulFOp::create(
                   builder, place, arguments[0], arguments[1]);
               Value sum =
                   arith::AddFOp::create(builder, place, arguments[2], product);
               linalg::YieldOp::create(builder, place, sum);
             })
      .getResult(0);
}

Value Emitter::createConstant(ArrayRef<int64_t> shape, ArrayRef<float> values) {
  auto type = RankedTensorType::get(shape, rewriter.getF32Type());
  return arith::ConstantOp::create(rewriter, loc,
                                   DenseElementsAttr::get(type, values));
}

/// The image with as many rows and columns as all tiles read: after the last,
/// zeros. What is computed of them is thrown away.
Value Emitter::extendImage() {
  Value image = conv.image;
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[conv.imageOrder[2]] = rows * m + kWindow - 1;
  shape[conv.imageOrder[3]] = columns * m + kWindow - 1;
  if (type.getShape() == ArrayRef(shape))
    return image;
  SmallVector<OpFoldResult> low(4, rewriter.getIndexAttr(0)), high;
  for (auto [wanted, size] : llvm::zip_equal(shape, type.getShape()))
    high.push_back(rewriter.getIndexAttr(wanted - size));
  // One pad with zeros is enough.
  auto pad = image.getDefiningOp<tensor::PadOp>();
  Value border = pad ? pad.getConstantPaddingValue() : Value();
  if (border && matchPattern(border, m_AnyZeroFloat()) &&
      llvm::none_of(pad.getStaticHigh(), ShapedType::isDynamic)) {
    image = pad.getSource();
    low = pad.getMixedLowPad();
    for (auto [end, before] : llvm::zip_equal(high, pad.getStaticHigh()))
      end = rewriter.getIndexAttr(*getConstantIntValue(end) + before);
  }
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0));
  return tensor::PadOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()), image,
      low, high, zero);
}

/// G g G^T of each filter and channel, as [a, b, channel, filter].
Value Emitter::transformFilters() {
  ArrayRef<char> bytes = getConstantElements(findConstant(conv.filter));
  const float *data = reinterpret_cast<const float *>(bytes.data());
  SmallVector<int64_t> strides =
      computeStrides(cast<RankedTensorType>(conv.filter.getType()).getShape());
  auto at = [&](int64_t f, int64_t c, int64_t i, int64_t j) -> double {
    return data[f * strides[conv.filterOrder[0]] +
                c * strides[conv.filterOrder[1]] +
                i * strides[conv.filterOrder[2]] +
                j * strides[conv.filterOrder[3]]];
  };
  const double *g = matrices.filter.data();
  std::vector<float> values(n * n * conv.channels * conv.filters);
  for (int64_t f = 0; f < conv.filters; ++f)
    for (int64_t c = 0; c < conv.channels; ++c)
      for (int64_t a = 0; a < n; ++a)
        for (int64_t b = 0; b < n; ++b) {
          double sum = 0;
          for (int64_t i = 0; i < kWindow; ++i)
            for (int64_t j = 0; j < kWindow; ++j)
              sum += g[a * kWindow + i] * g[b * kWindow + j] * at(f, c, i, j);
          values[((a * n + b) * conv.channels + c) * conv.filters + f] = sum;
        }
  return createConstant({n, n, conv.channels, conv.filters}, values);
}

/// t of the comment above.
Value Emitter::transformRows(Value ofImage) {
  AffineExpr c = dim(0), b = dim(1), y = dim(2), q = dim(3), j = dim(4);
  SmallVector<AffineExpr> place(4, rewriter.getAffineConstantExpr(0));
  place[conv.imageOrder[1]] = c;
  place[conv.imageOrder[2]] = y;
  place[conv.imageOrder[3]] = q * m + j;
  return multiply(ofImage, {b, j}, extendImage(), place,
                  {conv.channels, n, rows * m + kWindow - 1, columns},
                  {c, b, y, q});
}

/// m, row by row: [p, a, b, q, f].
Value Emitter::multiplyByRow(Value ofImage, Value t) {
  AffineExpr p = dim(0), a = dim(1), c = dim(2), b = dim(3), q = dim(4);
  Value v = multiply(ofImage, {a, dim(5)}, t, {c, b, p * m + dim(5), q},
                     {rows, n, conv.channels, n, columns}, {p, a, c, b, q});
  b = dim(2), q = dim(3), c = dim(5);
  AffineExpr f = dim(4);
  return multiply(v, {p, a, c, b, q}, transformFilters(), {a, b, c, f},
                  {rows, n, n, columns, conv.filters}, {p, a, b, q, f});
}

/// m, one product after the other: [a, b, p, q, f].
Value Emitter::multiplyByPosition(Value ofImage, Value t) {
  AffineExpr c = dim(0), a = dim(1), b = dim(2), p = dim(3), q = dim(4);
  Value v = multiply(ofImage, {a, dim(5)}, t, {c, b, p * m + dim(5), q},
                     {n, n, conv.channels, rows, columns}, {a, b, c, p, q});
  SmallVector<ReassociationIndices> ofV = {{0}, {1}, {2}, {3, 4}};
  v = tensor::CollapseShapeOp::create(rewriter, loc, v, ofV);
  a = dim(0), b = dim(1), p = dim(2), c = dim(4);
  AffineExpr f = dim(3);
  Value product = multiply(v, {a, b, c, p}, transformFilters(), {a, b, c, f},
                           {n, n, rows * columns, conv.filters}, {a, b, p, f});
  SmallVector<ReassociationIndices> ofProduct = {{0}, {1}, {2, 3}, {4}};
  auto type = RankedTensorType::get({n, n, rows, columns, conv.filters},
                                    rewriter.getF32Type());
  return tensor::ExpandShapeOp::create(rewriter, loc, type, product, ofProduct);
}

/// The sums as [row, column, filter].
Value Emitter::transformBack(Value products, bool byRow) {
  Value ofResult = createConstant({m, n}, matrices.result);
  AffineExpr p = dim(0), r = dim(1), q = dim(2), b = dim(3), f = dim(4),
             a = dim(5);
  SmallVector<AffineExpr> place = {a, b, p, q, f};
  if (byRow)
    place = {p, a, b, q, f};
  Value z = multiply(ofResult, {r, a}, products, place,
                     {rows, m, columns, n, conv.filters}, {p, r, q, b, f});
  AffineExpr s = dim(3);
  b = dim(5);
  Value y = multiply(ofResult, {s, b}, z, {p, r, q, b, f},
                     {rows, m, columns, m, conv.filters}, {p, r, q, s, f});
  SmallVector<ReassociationIndices> pixels = {{0, 1}, {2, 3}, {4}};
  Value sums = tensor::CollapseShapeOp::create(rewriter, loc, y, pixels);
  if (rows * m == conv.height && columns * m == conv.width)
    return sums;
  SmallVector<OpFoldResult> zeros(3, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(3, rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = {rewriter.getIndexAttr(conv.height),
                                     rewriter.getIndexAttr(conv.width),
                                     rewriter.getIndexAttr(conv.filters)};
  return tensor::ExtractSliceOp::create(rewriter, loc, sums, zeros, sizes,
                                        ones);
}

void Emitter::run() {
  rewriter.setInsertionPoint(conv.op);
  Value ofImage = createConstant({n, n}, matrices.image);
  Value t = transformRows(ofImage);
  bool byRow = conv.filters <= rows * columns;
  Value products =
      byRow ? multiplyByRow(ofImage, t) : multiplyByPosition(ofImage, t);
  Value sums = transformBack(products, byRow);
  SmallVector<AffineExpr> order = {dim(conv.resultOrder[2]),
                                   dim(conv.resultOrder[3]),
                                   dim(conv.resultOrder[1])};
  unsigned rank = cast<RankedTensorType>(conv.op.getType(0)).getRank();
  replaceBySums(rewriter, conv.op, sums,
                AffineMap::get(rank, 0, order, rewriter.getContext()));
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult mlir::hetero::applyWinograd(Operation *root) {
  auto region = dyn_cast<ExecuteOp>(root);
  if (!region || region.getDevice().getCodegen() != kWinogradCodegen)
    return success();
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  IRRewriter rewriter(root->getContext());
  for (linalg::GenericOp op : ops) {
    std::string reason;
    FailureOr<Convolution> conv = match(op, reason);
    int64_t tile = succeeded(conv) ? chooseTile(*conv, reason) : 0;
    if (reason.empty())
      continue;
    auto options =
        remark::RemarkOpts::name("winograd").category("hetero-codegen");
    if (tile == 0) {
      remark::missed(op.getLoc(), options)
          << remark::add("a convolution is computed directly")
          << remark::reason("{0}", reason);
      continue;
    }
    remark::passed(op.getLoc(), options)
        << remark::add("a convolution has tiles of {0} x {0}", tile)
        << remark::reason("{0}", reason);
    Emitter(rewriter, *conv, tile).run();
  }
  return success();
}
