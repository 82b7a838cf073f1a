//===- IntegerProduct.cpp - Products of dequantized tensors ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sum((a - za) * (b - zb))
//     = sum(a * b) - za * sum(b) - zb * sum(a) + za * zb * K
//
// for zero points that are the same in all K steps of the sum. The right side
// is exact where the left one fits in 32 bits, for numbers that wrap in between
// come back (Jacob et al., Quantization and Training of Neural Networks for
// Efficient Integer-Arithmetic-Only Inference, section 2.3).
//
//===----------------------------------------------------------------------===//

#include "IntegerProduct.h"

#include "ConstantElements.h"
#include "JoinedOperations.h"
#include "ReadThrough.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// True for sums of products of two tensors.
static bool isSumOfProducts(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 &&
         op.getNumReductionLoops() != 0 &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0))
             .isProjectedPermutation();
}

/// True for a body that multiplies two elements of f32 and adds the product.
static bool isFloatBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  return op.getNumDpsInputs() == 2 &&
         llvm::range_size(body->getOperations()) == 3 &&
         llvm::all_of(body->getArgumentTypes(),
                      [](Type type) { return type.isF32(); }) &&
         linalg::detail::isContractionBody(
             *body, [](Operation *multiply, Operation *add) {
               return isa<arith::MulFOp>(multiply) && isa<arith::AddFOp>(add);
             });
}

static SmallVector<unsigned> getReductionLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return loops;
}

/// How many numbers a sum has; none if that is not known.
static std::optional<int64_t> countSteps(linalg::LinalgOp op) {
  int64_t steps = 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned loop : getReductionLoops(op)) {
    if (ShapedType::isDynamic(ranges[loop]) ||
        llvm::MulOverflow(steps, ranges[loop], steps))
      return std::nullopt;
  }
  return steps;
}

AffineMap IntegerProduct::getResultMap() {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

/// The map's results are loops of the result.
static bool areParallel(linalg::LinalgOp op, AffineMap map) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && linalg::isParallelIterator(iterators[dim.getPosition()]);
  });
}

/// The scales as the loops find them; false if they change from step to step of
/// a sum.
bool IntegerProduct::mapScale(Factor &factor) {
  factor.scaleMap = factor.tensor.scale.map.compose(factor.map);
  return areParallel(op, factor.scaleMap);
}

/// The largest distance of a factor from its zero point.
static int64_t getLargest(const Dequantized &tensor) {
  return tensor.isSigned && tensor.zero.isZero() ? 128 : 255;
}

/// True if the sums are numbers of i32.
bool IntegerProduct::fitsInSums() {
  std::optional<int64_t> steps = countSteps(op);
  int64_t largest =
      getLargest(factors[0].tensor) * getLargest(factors[1].tensor);
  return steps && *steps <= std::numeric_limits<int32_t>::max() / largest;
}

bool IntegerProduct::matchFloats(StringRef &reason) {
  DeviceAttr device = getDevice(op);
  for (auto [factor, input] :
       llvm::zip_equal(factors, op.getDpsInputOperands())) {
    ReadTensor read =
        readThrough(input->get(), op.getMatchingIndexingMap(input),
                    [&](Operation *copy) { return mayJoin(copy, device); });
    std::optional<Dequantized> found = findDequantized(read.source, device);
    if (!found)
      return false;
    factor.tensor = *found;
    factor.map = read.map;
  }
  reason = "a scale is not the same in all steps of a sum";
  if (!mapScale(factors[0]) || !mapScale(factors[1]))
    return false;
  reason = "its sums may not fit in 32 bits";
  return fitsInSums();
}

/// linalg.quantized_matmul and the like: integers and two zero points.
bool IntegerProduct::matchIntegers() {
  if (!isa<linalg::QuantizedMatmulOp, linalg::QuantizedBatchMatmulOp>(op))
    return false;
  for (auto [number, factor] : llvm::enumerate(factors)) {
    OpOperand *input = op.getDpsInputOperand(number);
    factor.tensor.data = input->get();
    factor.map = op.getMatchingIndexingMap(input);
    if (!getElementTypeOrSelf(input->get().getType()).isInteger(8))
      return false;
    Value zero = op.getDpsInputOperand(2 + number)->get();
    APInt constant;
    if (matchPattern(zero, m_ConstantInt(&constant)))
      factor.tensor.zero.number = constant.getSExtValue();
    else
      factor.tensor.zero.value = zero;
    if (!zero.getType().isInteger(32))
      return false;
  }
  return countSteps(op).has_value();
}

std::optional<IntegerProduct> IntegerProduct::match(linalg::LinalgOp op,
                                                    StringRef &reason) {
  if (!isSumOfProducts(op))
    return std::nullopt;
  IntegerProduct product(op);
  bool isMatched =
      isFloatBody(op) ? product.matchFloats(reason) : product.matchIntegers();
  return isMatched ? std::optional(product) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// A tensor of zeros with the sizes of another one.
static Value createZeros(OpBuilder &builder, Location loc,
                         ArrayRef<OpFoldResult> sizes) {
  Type type = builder.getI32Type();
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

static Value widen(OpBuilder &builder, Location loc, Value value,
                   bool isSigned) {
  Type wide = builder.getI32Type();
  if (value.getType() == wide)
    return value;
  return isSigned ? Value(arith::ExtSIOp::create(builder, loc, wide, value))
                  : Value(arith::ExtUIOp::create(builder, loc, wide, value));
}

/// The sums of the products of the integers as they are.
Value IntegerProduct::buildSums(OpBuilder &builder) {
  Location loc = op.getLoc();
  OpOperand *init = op.getDpsInitOperand(0);
  Value zeros = createZeros(builder, loc,
                            tensor::getMixedSizes(builder, loc, init->get()));
  return linalg::GenericOp::create(
             builder, loc, zeros.getType(),
             ValueRange{factors[0].data, factors[1].data}, zeros,
             ArrayRef{factors[0].map, factors[1].map, getResultMap()},
             op.getIteratorTypesArray(),
             [&](OpBuilder &inner, Location, ValueRange arguments) {
               Value a =
                   widen(inner, loc, arguments[0], factors[0].tensor.isSigned);
               Value b =
                   widen(inner, loc, arguments[1], factors[1].tensor.isSigned);
               Value term = arith::MulIOp::create(inner, loc, a, b);
               Value sum =
                   arith::AddIOp::create(inner, loc, arguments[2], term);
               linalg::YieldOp::create(inner, loc, sum);
             })
      .getResult(0);
}

/// The map with only those results that satisfy a predicate.
static AffineMap filterResults(AffineMap map,
                               llvm::function_ref<bool(AffineExpr)> isKept) {
  SmallVector<AffineExpr> results =
      llvm::filter_to_vector(map.getResults(), isKept);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// The elements of the result's loops that a factor's map depends on.
static AffineMap getOwnLoops(AffineMap result, AffineMap map) {
  return filterResults(result, [&](AffineExpr expr) {
    return map.isFunctionOfDim(cast<AffineDimExpr>(expr).getPosition());
  });
}

/// The sizes of a map's loops, of which the operation's result has some.
static SmallVector<OpFoldResult> getSizes(OpBuilder &builder,
                                          linalg::LinalgOp op, AffineMap map) {
  SmallVector<OpFoldResult> sizes;
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap result = op.getMatchingIndexingMap(init);
  for (AffineExpr expr : map.getResults())
    sizes.push_back(tensor::getMixedSize(builder, op.getLoc(), init->get(),
                                         *result.getResultPosition(expr)));
  return sizes;
}

/// A tensor that nothing reads, with the sizes of the loops that no dimension
/// of the data is alone; null if there is none. Windows are such loops.
static Value createWindow(OpBuilder &builder, linalg::LinalgOp op,
                          AffineMap data, AffineMap &map) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), sizes;
  SmallVector<AffineExpr> loops;
  for (unsigned loop : getReductionLoops(op)) {
    AffineExpr expr = builder.getAffineDimExpr(loop);
    if (data.getResultPosition(expr))
      continue;
    loops.push_back(expr);
    sizes.push_back(ranges[loop]);
  }
  map = AffineMap::get(data.getNumDims(), 0, loops, builder.getContext());
  return loops.empty() ? Value()
                       : tensor::EmptyOp::create(builder, op.getLoc(), sizes,
                                                 builder.getI8Type());
}

/// Maps without the loops that none of them has.
static void dropLoops(MutableArrayRef<AffineMap> maps,
                      SmallVectorImpl<utils::IteratorType> &iterators) {
  llvm::SmallBitVector unused = getUnusedDimsBitVector(maps);
  for (AffineMap &map : maps)
    map = projectDims(map, unused, /*compressDimsFlag=*/true);
  SmallVector<utils::IteratorType> kept;
  for (auto [loop, iterator] : llvm::enumerate(iterators))
    if (!unused[loop])
      kept.push_back(iterator);
  iterators.assign(kept);
}

/// The sums of a constant's elements, each of which belongs to one sum; none if
/// it is no constant.
static std::optional<std::vector<int32_t>>
foldSums(Value data, bool isSigned, AffineMap map, AffineMap loops,
         SmallVectorImpl<int64_t> &sizes) {
  std::optional<ConstantElements> elements = ConstantElements::get(data);
  if (!elements || !map.isProjectedPermutation())
    return std::nullopt;
  ArrayRef<int64_t> shape = elements->getType().getShape();
  SmallVector<int64_t> strides = computeStrides(shape), along;
  for (AffineExpr expr : loops.getResults()) {
    along.push_back(*map.getResultPosition(expr));
    sizes.push_back(shape[along.back()]);
  }
  SmallVector<int64_t> places = computeStrides(sizes);
  std::vector<int32_t> sums(computeProduct(sizes), 0);
  for (int64_t index : llvm::seq(elements->getType().getNumElements())) {
    int64_t place = 0;
    for (auto [dim, stride] : llvm::zip_equal(along, places))
      place += index / strides[dim] % shape[dim] * stride;
    char byte = elements->getBytes(index).front();
    sums[place] += isSigned ? int32_t(int8_t(byte)) : int32_t(uint8_t(byte));
  }
  return sums;
}

template <typename T>
static Value createTensor(OpBuilder &builder, Location loc,
                          ArrayRef<int64_t> shape, Type type,
                          const std::vector<T> &numbers) {
  return createConstant(builder, loc, RankedTensorType::get(shape, type),
                        ArrayRef(reinterpret_cast<const char *>(numbers.data()),
                                 numbers.size() * sizeof(T)));
}

/// The sums of one factor's integers in all steps.
Value IntegerProduct::buildFactorSums(OpBuilder &builder, const Factor &factor,
                                      AffineMap loops) {
  Location loc = op.getLoc();
  Value zeros = createZeros(builder, loc, getSizes(builder, op, loops));
  SmallVector<Value> inputs = {factor.data};
  SmallVector<AffineMap> maps = {factor.map};
  AffineMap windowMap;
  if (Value window = createWindow(builder, op, factor.map, windowMap)) {
    inputs.push_back(window);
    maps.push_back(windowMap);
  }
  maps.push_back(loops);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  dropLoops(maps, iterators);
  return linalg::GenericOp::create(
             builder, loc, zeros.getType(), inputs, zeros, maps, iterators,
             [&](OpBuilder &inner, Location, ValueRange arguments) {
               Value number =
                   widen(inner, loc, arguments.front(), factor.tensor.isSigned);
               Value sum =
                   arith::AddIOp::create(inner, loc, arguments.back(), number);
               linalg::YieldOp::create(inner, loc, sum);
             })
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// What is done with the sums
//===----------------------------------------------------------------------===//

/// An elementwise operation whose body is made of steps.
class mlir::hetero::ElementwiseResult {
public:
  /// Makes a number of the last one and of the element of an operand.
  using Step = std::function<Value(OpBuilder &, Value, Value)>;

  ElementwiseResult(Value sums, AffineMap result)
      : sums(sums), fromLoops(inverseAndBroadcastProjectedPermutation(result)) {
  }

  /// `map` is from the loops of the product.
  void add(Value operand, AffineMap map, Step step) {
    operands.push_back({operand, map.compose(fromLoops), std::move(step)});
  }
  /// Of the last number alone.
  void add(Step step) { operands.push_back({{}, {}, std::move(step)}); }
  Value build(OpBuilder &builder, Location loc, Type element);

private:
  struct Operand {
    Value value;
    AffineMap map;
    Step step;
  };

  Value sums;
  AffineMap fromLoops;
  SmallVector<Operand> operands;
};

Value ElementwiseResult::build(OpBuilder &builder, Location loc, Type element) {
  int64_t rank = cast<RankedTensorType>(sums.getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<Value> inputs = {sums};
  SmallVector<AffineMap> maps = {identity};
  for (const Operand &operand : operands) {
    if (!operand.value)
      continue;
    inputs.push_back(operand.value);
    maps.push_back(operand.map);
  }
  maps.push_back(identity);
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, sums), element);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), inputs, empty, maps,
             SmallVector(rank, utils::IteratorType::parallel),
             [&](OpBuilder &inner, Location, ValueRange arguments) {
               Value number = arguments.front();
               unsigned next = 1;
               for (const Operand &operand : operands)
                 number =
                     operand.step(inner, number,
                                  operand.value ? arguments[next++] : Value());
               linalg::YieldOp::create(inner, loc, number);
             })
      .getResult(0);
}

/// A zero point times a number.
static Value multiplyZeroPoint(OpBuilder &builder, Location loc,
                               const ZeroPoint &zero, int64_t number) {
  Type type = builder.getI32Type();
  if (zero.isConstant())
    return ZeroPoint{Value(), zero.number * number}.create(builder, loc, type);
  Value count = ZeroPoint{Value(), number}.create(builder, loc, type);
  return arith::MulIOp::create(builder, loc, zero.create(builder, loc, type),
                               count);
}

/// Takes the zero point of one factor off, for all steps at once: it is
/// multiplied by the other factor's sums, less the latter's zero points.
void IntegerProduct::takeOff(OpBuilder &builder, const Factor &factor,
                             const Factor &other, bool isFirst,
                             ElementwiseResult &result) {
  ZeroPoint zero = factor.tensor.zero;
  if (zero.isZero())
    return;
  Location loc = op.getLoc();
  Type type = builder.getI32Type();
  AffineMap loops = getOwnLoops(getResultMap(), other.map);
  // What both zero points make is taken off once.
  ZeroPoint rest = isFirst ? other.tensor.zero : ZeroPoint();
  int64_t steps = *countSteps(op);
  SmallVector<int64_t> sizes;
  if (zero.isConstant() && rest.isConstant()) {
    if (auto sums = foldSums(other.data, other.tensor.isSigned, other.map,
                             loops, sizes)) {
      for (int32_t &sum : *sums)
        sum = uint32_t(zero.number) * (uint32_t(steps * rest.number) - sum);
      result.add(createTensor(builder, loc, sizes, type, *sums), loops,
                 [=](OpBuilder &inner, Value number, Value offset) -> Value {
                   return arith::AddIOp::create(inner, loc, number, offset);
                 });
      return;
    }
  }
  result.add(buildFactorSums(builder, other, loops), loops,
             [=](OpBuilder &inner, Value number, Value sum) -> Value {
               if (!rest.isZero())
                 sum = arith::SubIOp::create(
                     inner, loc, sum,
                     multiplyZeroPoint(inner, loc, rest, steps));
               Value offset = arith::MulIOp::create(
                   inner, loc, zero.create(inner, loc, type), sum);
               return arith::SubIOp::create(inner, loc, number, offset);
             });
}

/// The numbers of a constant scalar or tensor.
static std::optional<std::vector<float>> getNumbers(Value value) {
  FloatAttr scalar;
  if (matchPattern(value, m_Constant(&scalar)))
    return std::vector<float>{scalar.getValue().convertToFloat()};
  std::optional<ConstantElements> elements = ConstantElements::get(value);
  if (!elements)
    return std::nullopt;
  std::vector<float> numbers;
  for (int64_t index : llvm::seq(elements->getType().getNumElements()))
    numbers.push_back(elements->getFloat(index));
  return numbers;
}

/// Multiplies by the scales: by one number where one is the same for all
/// elements and both are constants.
void IntegerProduct::addScales(OpBuilder &builder, ElementwiseResult &result) {
  Location loc = op.getLoc();
  result.add([=](OpBuilder &inner, Value number, Value) -> Value {
    return arith::SIToFPOp::create(inner, loc, inner.getF32Type(), number);
  });
  const Factor *one = &factors[0], *several = &factors[1];
  if (one->scaleMap.getNumResults() != 0)
    std::swap(one, several);
  std::optional<std::vector<float>> left = getNumbers(one->tensor.scale.value),
                                    right =
                                        getNumbers(several->tensor.scale.value);
  auto scaleBy = [=](OpBuilder &inner, Value number, Value scale) -> Value {
    return arith::MulFOp::create(inner, loc, number, scale);
  };
  if (!left || !right || left->size() != 1) {
    for (const Factor &factor : factors)
      result.add(factor.tensor.scale.value, factor.scaleMap, scaleBy);
    return;
  }
  for (float &number : *right)
    number *= left->front();
  if (auto type =
          dyn_cast<RankedTensorType>(several->tensor.scale.value.getType()))
    return result.add(createTensor(builder, loc, type.getShape(),
                                   type.getElementType(), *right),
                      several->scaleMap, scaleBy);
  FloatAttr scale = builder.getF32FloatAttr(right->front());
  result.add([=](OpBuilder &inner, Value number, Value) {
    return scaleBy(inner, number, arith::ConstantOp::create(inner, loc, scale));
  });
}

/// Adds what the sums started from.
void IntegerProduct::addInit(ElementwiseResult &result) {
  Location loc = op.getLoc();
  Value init = op.getDpsInits()[0];
  Value scalar = getSplatScalar(init);
  if (scalar && (matchPattern(scalar, m_AnyZeroFloat()) ||
                 matchPattern(scalar, m_Zero())))
    return;
  DeviceAttr device = getDevice(op);
  ReadTensor read = readThrough(init, getResultMap(), [&](Operation *copy) {
    return mayJoin(copy, device);
  });
  result.add(read.source, read.map,
             [=](OpBuilder &inner, Value number, Value start) -> Value {
               if (number.getType().isInteger())
                 return arith::AddIOp::create(inner, loc, start, number);
               return arith::AddFOp::create(inner, loc, start, number);
             });
}

Value IntegerProduct::build(OpBuilder &builder) {
  for (Factor &factor : factors)
    factor.data = factor.tensor.moveData(builder);
  ElementwiseResult result(buildSums(builder), getResultMap());
  takeOff(builder, factors[0], factors[1], /*isFirst=*/true, result);
  takeOff(builder, factors[1], factors[0], /*isFirst=*/false, result);
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<FloatType>(element))
    addScales(builder, result);
  addInit(result);
  return result.build(builder, op.getLoc(), element);
}
