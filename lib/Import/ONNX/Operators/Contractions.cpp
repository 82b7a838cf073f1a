//===- Contractions.cpp - Products ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Activation.h"
#include "../Emit/Contraction.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Fails unless the inputs have elements of one type.
static bool haveOneType(NodeBuilder &n) {
  for (unsigned i = 1; i < n.numInputs(); ++i)
    if (n.has(i) && n.in(i).type != n.in(0).type)
      n.fail("its inputs have elements of unlike types");
  return !n.failed();
}

/// The last two dimensions exchanged.
static Tensor transposeMatrix(NodeBuilder &n, const Tensor &tensor) {
  int64_t rank = tensor.rank();
  if (rank < 2)
    return tensor;
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq(rank));
  std::swap(permutation[rank - 2], permutation[rank - 1]);
  return transpose(n, tensor, permutation);
}

static void buildMatMul(NodeBuilder &n) {
  const Tensor &lhs = n.in(0), &rhs = n.in(1);
  if (haveOneType(n))
    n.set(0, castTo(n, matmul(n, lhs, rhs), lhs.type));
}

/// A tensor times a constant, as it is for 1. Integers are scaled as doubles.
static Tensor scale(NodeBuilder &n, const Tensor &tensor, double factor) {
  if (factor == 1)
    return tensor;
  return elementwise(n, {tensor}, [&](Scalars &s, ValueRange e) {
    if (s.isFloat())
      return s.mul(e[0], s.constantLike(e[0], factor));
    Scalars wide(s.b, s.loc, ElementType::F64);
    Value product =
        wide.mul(s.convert(e[0], s.type, wide.type), wide.constant(factor));
    return s.convert(product, wide.type, s.type);
  });
}

/// An operand as two attributes say; the first of its dimensions may be that of
/// rows, before those of a batch.
static Tensor readFactor(NodeBuilder &n, unsigned input, StringRef suffix) {
  Tensor tensor = n.in(input);
  int64_t rank = tensor.rank();
  if (n.getBool(("transBatch" + suffix).str()) && rank > 2) {
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq(rank));
    std::rotate(permutation.begin(), permutation.begin() + 1,
                permutation.end() - 1);
    tensor = transpose(n, tensor, permutation);
  }
  if (n.getBool(("trans" + suffix).str()))
    tensor = transposeMatrix(n, tensor);
  return tensor;
}

static void buildFusedMatMul(NodeBuilder &n) {
  if (!haveOneType(n))
    return;
  Tensor lhs = readFactor(n, 0, "A"), rhs = readFactor(n, 1, "B");
  Tensor product = scale(n, matmul(n, lhs, rhs), n.getFloat("alpha", 1));
  n.set(0, castTo(n, product, lhs.type));
}

/// alpha * A' * B' + beta * C
static void buildGemm(NodeBuilder &n) {
  Tensor lhs = n.in(0), rhs = n.in(1);
  if (lhs.rank() != 2 || rhs.rank() != 2)
    n.fail("its inputs are no matrices");
  if (!haveOneType(n))
    return;
  ElementType type = lhs.type;
  if (n.getBool("transA"))
    lhs = transpose(n, lhs, {1, 0});
  if (n.getBool("transB"))
    rhs = transpose(n, rhs, {1, 0});
  Tensor product = matmul(n, lhs, rhs);
  product = scale(n, product, n.getFloat("alpha", 1));
  double beta = n.getFloat("beta", 1);
  if (n.has(2) && beta != 0)
    product = add(n, product, scale(n, castTo(n, n.in(2), product.type), beta));
  n.set(0, castTo(n, activate(n, product), type));
}

/// A convolution. One that is fused may have a summand and an activation; the
/// channels of NhwcConv are last.
static void buildConv(NodeBuilder &n) {
  Tensor x = n.in(0);
  const Tensor &weights = n.in(1);
  bool isLast = n.op() == "NhwcConv";
  if (!haveOneType(n))
    return;
  if (isLast)
    x = moveChannels(n, x, /*areLast=*/true);
  auto convolution = readConvolution(n, x, weights, n.scalar(x.type, 0));
  if (!convolution)
    return;
  const Tensor *bias = n.find(2);
  Tensor start =
      startAtBias(n, convolution->sizes, getAccumulator(x.type), bias);
  if (n.failed())
    return;
  Tensor made = convolve(n, *convolution, weights, start);
  if (n.op() == "FusedConv" && n.has(3))
    made = add(n, made, castTo(n, n.in(3), made.type));
  made = castTo(n, activate(n, made), x.type);
  n.set(0, isLast ? moveChannels(n, made, /*areLast=*/false) : made);
}

/// A convolution of each channel with what came before it, of which the last
/// is the state.
static void buildCausalConv(NodeBuilder &n) {
  Tensor x = n.in(0);
  const Tensor &weights = n.in(1);
  bool isShaped = x.rank() == 3 && weights.rank() == 3 && weights.dim(1) == 1;
  StringRef name = n.getString("activation", "none");
  bool isSilu = name == "silu" || name == "swish";
  if (weights.rank() == 3 && !(weights.dim(0) && weights.dim(1)))
    n.noteNeeded(OpFoldResult(n.value(weights)));
  if (!isShaped || !weights.dim(0) || (n.has(3) && n.in(3).rank() != 3))
    n.fail("its input, weights or state are not of three dimensions, or its "
           "channels are not known");
  if (!isSilu && name != "none" && !name.empty())
    n.fail("its activation is '" + name + "', which is not known");
  if (n.failed() || !haveOneType(n))
    return;
  x.sizes[1] = n.checkEqual(x.sizes[1], weights.sizes[0],
                            "channels of its input and of its weights differ");
  if (n.failed())
    return;
  x = n.make(x.type, x.sizes, n.value(x));
  OpFoldResult zero = n.ix.constant(0);
  OpFoldResult before = n.ix.sub(weights.sizes[2], n.ix.constant(1));
  Tensor all = n.has(3) ? concat(n, {n.in(3), x}, 2)
                        : pad(n, x, {zero, zero, before}, {zero, zero, zero},
                              n.scalar(x.type, 0));
  Window window{{weights.sizes[2]}, {1}, {1}, {zero}, {zero}, {x.sizes[2]}};
  Convolution convolution{window, *weights.dim(0), all, x.sizes};
  Tensor start =
      startAtBias(n, convolution.sizes, getAccumulator(x.type), n.find(2));
  if (n.failed())
    return;
  Tensor made = convolve(n, convolution, weights, start);
  if (isSilu)
    made = elementwise(n, {made}, [](Scalars &s, ValueRange e) {
      return s.mul(e[0], s.sigmoid(e[0]));
    });
  n.set(0, castTo(n, made, x.type));
  n.set(1, sliceAxis(n, all, 2, x.sizes[2], before));
}

void mlir::hetero::onnx::addContractions(OperatorTable &table) {
  table.add("MatMul", {1, 9, 13}, buildMatMul);
  table.add("Gemm", {7, 9, 11, 13}, buildGemm);
  table.add("Conv", {1, 11, 22}, buildConv);
  table.add("CausalConvWithState", {27}, buildCausalConv);
  table.add("FusedMatMul", {1}, buildFusedMatMul, kMicrosoft);
  table.add("FusedGemm", {1}, buildGemm, kMicrosoft);
  table.add("FusedConv", {1}, buildConv, kMicrosoft);
  table.add("NhwcConv", {1}, buildConv, kMicrosoft);
}
