//===- ConstantPanels.cpp - Panels made by the compiler -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a matrix that is a constant, blocks of 32 columns of tiles of 64,
//
//   %b = arith.constant dense<...> : tensor<512x128xf32>
//
// become a constant of which every block is next to the one before:
//
//   %panels = arith.constant dense<...> : tensor<65536xf32>
//   panels[(n * 512 + k) * 32 + lane] = b[k, n * 32 + lane]
//
// so that nothing is copied when the program runs.
//
//===----------------------------------------------------------------------===//

#include "ConstantPanels.h"

#include "Access.h"
#include "Codegen/Common/SharedConstants.h"
#include "VectorPlan.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

/// Below this, a constant is in one page and read as fast where it is.
static constexpr int64_t kMinConstantBytes = 4096;
/// A constant that something else of the host reads, too, is there twice: not
/// if it is large.
static constexpr int64_t kMaxSharedBytes = 16 << 20;

/// Steps of a reduction along the dimensions `reduced`, of which those along
/// `grouped` are filled up to whole groups.
static int64_t countSteps(ArrayRef<int64_t> shape, ArrayRef<unsigned> reduced,
                          unsigned grouped, int64_t group) {
  int64_t steps = 1;
  for (unsigned dim : reduced)
    steps *= dim == grouped ? llvm::alignTo(shape[dim], group) : shape[dim];
  return steps;
}

int64_t ConstantPart::getDepth() const {
  return countSteps(shape, reduced, grouped, group);
}

void mlir::hetero::groupSteps(ConstantPart &part, linalg::GenericOp op,
                              OpOperand *operand, unsigned loop,
                              int64_t group) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  part.grouped =
      *map.getResultPosition(getAffineDimExpr(loop, op.getContext()));
  part.group = group;
}

ArrayRef<char> mlir::hetero::getConstantElements(arith::ConstantOp constant) {
  Attribute value = constant.getValue();
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value))
    return dense.isSplat() ? ArrayRef<char>() : dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? blob->getData() : ArrayRef<char>();
}

/// What a value is but for its shape.
static Value skipReshapes(Value value) {
  while (isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

arith::ConstantOp mlir::hetero::findConstant(Value value) {
  return skipReshapes(value).getDefiningOp<arith::ConstantOp>();
}

bool mlir::hetero::areWorthPanels(arith::ConstantOp constant) {
  return static_cast<int64_t>(getConstantElements(constant).size()) >
         kMinConstantBytes;
}

bool mlir::hetero::mayBeTwice(arith::ConstantOp constant) {
  if (constant->hasAttr(kSharedConstantAttrName))
    return false;
  return static_cast<int64_t>(getConstantElements(constant).size()) <=
             kMaxSharedBytes ||
         constant->hasOneUse();
}

/// The kernel that the value is an argument of, or null.
static FunctionOpInterface getKernel(BlockArgument argument) {
  return dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// True if panels may be made of the value at compile time.
static bool canHavePanels(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return areWorthPanels(constant) && mayBeTwice(constant);
  auto argument = dyn_cast<BlockArgument>(value);
  FunctionOpInterface kernel =
      argument ? getKernel(argument) : FunctionOpInterface();
  auto mark = kernel ? kernel.getArgAttrOfType<BoolAttr>(
                           argument.getArgNumber(), kConstantArgAttrName)
                     : BoolAttr();
  return mark && mark.getValue();
}

/// True if the place is known to be a multiple of `length`.
static bool isMultiple(OpFoldResult place, int64_t length) {
  if (std::optional<int64_t> constant = getConstantIntValue(place))
    return *constant % length == 0;
  auto argument = dyn_cast<BlockArgument>(cast<Value>(place));
  auto loop = argument
                  ? dyn_cast<scf::ForallOp>(argument.getOwner()->getParentOp())
                  : scf::ForallOp();
  if (!loop || argument.getArgNumber() >= loop.getRank())
    return false;
  unsigned position = argument.getArgNumber();
  int64_t lower = loop.getStaticLowerBound()[position];
  int64_t step = loop.getStaticStep()[position];
  return !ShapedType::isDynamic(lower) && !ShapedType::isDynamic(step) &&
         lower % length == 0 && step % length == 0;
}

/// Where the part begins in a dimension of which it need not take all; null for
/// the others.
static OpFoldResult *getOffset(ConstantPart &part, unsigned dimension) {
  if (dimension == part.dimension)
    return &part.offset;
  auto outer = llvm::find_if(part.outer, [&](const ConstantPart::Outer &of) {
    return of.dimension == dimension;
  });
  return outer == part.outer.end() ? nullptr : &outer->offset;
}

/// Follows slices that take all steps of the reduction, and at most one piece
/// along each other dimension.
static Value skipSlices(Value value, ConstantPart &part) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
    RankedTensorType from = slice.getSourceType(), to = slice.getType();
    if (from.getRank() != to.getRank() || !slice.hasUnitStride())
      return {};
    for (int64_t dim = 0; dim < from.getRank(); ++dim) {
      int64_t size = to.getDimSize(dim);
      if (ShapedType::isDynamic(size))
        return {};
      if (size == from.getDimSize(dim))
        continue;
      OpFoldResult *offset = getOffset(part, dim);
      if (!offset || !isZeroInteger(*offset))
        return {};
      *offset = slice.getMixedOffsets()[dim];
    }
    value = slice.getSource();
  }
  return value;
}

std::optional<ConstantPart> mlir::hetero::findConstantPart(linalg::GenericOp op,
                                                           OpOperand *operand,
                                                           unsigned loop) {
  auto type = dyn_cast<RankedTensorType>(operand->get().getType());
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (!type || !type.hasStaticShape() || !map.isProjectedPermutation() ||
      !map.isFunctionOfDim(loop) || !type.getElementType().isIntOrFloat() ||
      !isWholeInVectors(type.getElementType()))
    return std::nullopt;
  auto findDimension = [&](unsigned of) {
    return *map.getResultPosition(getAffineDimExpr(of, op.getContext()));
  };
  ConstantPart part;
  part.dimension = findDimension(loop);
  part.length = type.getDimSize(part.dimension);
  part.offset = OpBuilder(op).getIndexAttr(0);
  SmallVector<unsigned> reductions = getReductionLoops(op, operand);
  if (reductions.empty() || llvm::is_contained(reductions, loop))
    return std::nullopt;
  for (unsigned reduction : reductions)
    part.reduced.push_back(findDimension(reduction));
  for (unsigned other = 0; other < op.getNumLoops(); ++other)
    if (other != loop && map.isFunctionOfDim(other) &&
        !llvm::is_contained(reductions, other))
      part.outer.push_back({findDimension(other), other, part.offset});
  Value source = skipSlices(operand->get(), part);
  part.constant = source ? skipReshapes(source) : Value();
  if (!part.constant || part.length == 0 ||
      !isMultiple(part.offset, part.length) || !canHavePanels(part.constant))
    return std::nullopt;
  part.shape =
      llvm::to_vector(cast<RankedTensorType>(source.getType()).getShape());
  if (part.shape[part.dimension] % part.length != 0)
    return std::nullopt;
  return part;
}

int64_t mlir::hetero::countPanelElements(const ConstantPart &part,
                                         ArrayRef<int64_t> widths) {
  return llvm::sum_of(widths) * part.getDepth();
}

/// Where in the constant each index along `dimensions` begins, the last
/// dimension changing fastest.
static SmallVector<int64_t> getBegins(ArrayRef<int64_t> shape,
                                      ArrayRef<unsigned> dimensions) {
  SmallVector<int64_t> strides = computeStrides(shape), begins = {0};
  for (unsigned dim : dimensions) {
    SmallVector<int64_t> before;
    std::swap(before, begins);
    for (int64_t begin : before)
      for (int64_t i = 0; i < shape[dim]; ++i)
        begins.push_back(begin + i * strides[dim]);
  }
  return begins;
}

namespace {
/// How the elements of a constant are laid out, by numbers alone.
struct PanelLayout {
  SmallVector<int64_t> shape;
  SmallVector<unsigned> reduced, outer;
  SmallVector<int64_t> widths;
  int64_t dimension, length, group, grouped;
  bool isFlipped;

  PanelLayout(const ConstantPart &part, ArrayRef<int64_t> widths)
      : shape(part.shape), reduced(part.reduced),
        outer(llvm::map_to_vector(
            part.outer,
            [](const ConstantPart::Outer &of) { return of.dimension; })),
        widths(widths), dimension(part.dimension), length(part.length),
        group(part.group), grouped(part.grouped), isFlipped(part.isFlipped) {}
  explicit PanelLayout(DictionaryAttr attribute);
  DictionaryAttr toAttribute(MLIRContext *context) const;

  /// Elements of all panels.
  int64_t countElements() const;
};

/// How a constant is read: where the groups of steps begin, how many steps each
/// has, and how far apart these and the lanes are.
struct Reads {
  SmallVector<int64_t> begins, counts;
  int64_t group = 1, stepStride = 0, laneStride = 0, bytes = 0;
};
} // namespace

PanelLayout::PanelLayout(DictionaryAttr attribute) {
  auto get = [&](StringRef name) {
    return cast<DenseI64ArrayAttr>(attribute.get(name)).asArrayRef();
  };
  shape = llvm::to_vector(get("shape"));
  widths = llvm::to_vector(get("widths"));
  reduced = llvm::to_vector_of<unsigned>(get("reduced"));
  outer = llvm::to_vector_of<unsigned>(get("outer"));
  ArrayRef<int64_t> numbers = get("numbers");
  dimension = numbers[0];
  length = numbers[1];
  group = numbers[2];
  grouped = numbers[3];
  isFlipped = numbers[4];
}

DictionaryAttr PanelLayout::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  auto list = [&](StringRef name, ArrayRef<int64_t> numbers) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(numbers));
  };
  return builder.getDictionaryAttr(
      {list("shape", shape), list("widths", widths),
       list("reduced", llvm::to_vector_of<int64_t>(reduced)),
       list("outer", llvm::to_vector_of<int64_t>(outer)),
       list("numbers", {dimension, length, group, grouped, isFlipped})});
}

int64_t PanelLayout::countElements() const {
  int64_t count = shape[dimension] / length * llvm::sum_of(widths) *
                  countSteps(shape, reduced, grouped, group);
  for (unsigned dim : outer)
    count *= shape[dim];
  return count;
}

static Reads getReads(const PanelLayout &part, int64_t bytes) {
  SmallVector<int64_t> strides = computeStrides(part.shape);
  Reads reads;
  reads.group = part.group;
  reads.stepStride = strides[part.grouped];
  reads.laneStride = strides[part.dimension];
  reads.bytes = bytes;
  reads.begins = getBegins(part.shape, part.reduced);
  reads.counts.assign(reads.begins.size(), 1);
  if (part.group == 1)
    return reads;
  // Of each group the first step is where it begins.
  SmallVector<int64_t> begins;
  reads.counts.clear();
  for (int64_t begin : reads.begins) {
    int64_t size = part.shape[part.grouped];
    int64_t step = begin / reads.stepStride % size;
    if (step % part.group != 0)
      continue;
    begins.push_back(begin);
    reads.counts.push_back(std::min(part.group, size - step));
  }
  reads.begins = begins;
  return reads;
}

/// One block of vectors: `count` of its `width` lanes for all steps.
static char *packBlock(const char *from, const Reads &reads, int64_t count,
                       int64_t width, char *to) {
  int64_t bytes = reads.bytes;
  for (auto [begin, steps] : llvm::zip_equal(reads.begins, reads.counts)) {
    for (int64_t lane = 0; lane < count; ++lane)
      for (int64_t step = 0; step < steps; ++step)
        std::memcpy(
            to + (lane * reads.group + step) * bytes,
            from + (begin + lane * reads.laneStride + step * reads.stepStride) *
                       bytes,
            bytes);
    to += width * reads.group * bytes;
  }
  return to;
}

/// Inverts the uppermost bits of elements of a byte each.
static void flipElements(MutableArrayRef<char> elements) {
  for (char &element : elements)
    element ^= static_cast<char>(0x80);
}

static SmallVector<char> packElements(ArrayRef<char> elements,
                                      const PanelLayout &part, int64_t bytes) {
  SmallVector<int64_t> begins = getBegins(part.shape, part.outer);
  Reads reads = getReads(part, bytes);
  int64_t parts = part.shape[part.dimension] / part.length;
  const char *data = elements.data();
  // What is not written is zero.
  SmallVector<char> panels(part.countElements() * bytes);
  char *to = panels.data();
  for (int64_t begin : begins)
    for (int64_t tile = 0; tile < parts; ++tile) {
      int64_t lane = tile * part.length, end = lane + part.length;
      for (int64_t width : part.widths) {
        to = packBlock(data + (begin + lane * reads.laneStride) * bytes, reads,
                       std::min(width, end - lane), width, to);
        lane += width;
      }
    }
  if (part.isFlipped)
    flipElements(panels);
  return panels;
}

static Value createPanels(OpBuilder &builder, arith::ConstantOp constant,
                          const PanelLayout &layout) {
  Type element = getElementTypeOrSelf(constant.getType());
  int64_t bytes = getElementBytes(element);
  SmallVector<char> panels =
      packElements(getConstantElements(constant), layout, bytes);
  auto type = RankedTensorType::get({layout.countElements()}, element);
  TypedAttr value;
  if (isa<DenseResourceElementsAttr>(constant.getValue()))
    value = DenseResourceElementsAttr::get(
        type, "panels",
        HeapAsmResourceBlob::allocateAndCopyWithAlign(panels, /*align=*/64));
  else
    value = DenseElementsAttr::getFromRawBuffer(type, panels);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(constant);
  return arith::ConstantOp::create(builder, constant.getLoc(), value);
}

Value mlir::hetero::createPanels(OpBuilder &builder, arith::ConstantOp constant,
                                 DictionaryAttr layout) {
  return ::createPanels(builder, constant, PanelLayout(layout));
}

/// Adds an argument for the panels of another one.
static Value addArgument(const PanelLayout &layout, BlockArgument constant) {
  FunctionOpInterface kernel = getKernel(constant);
  Builder builder(kernel.getContext());
  auto type = RankedTensorType::get({layout.countElements()},
                                    getElementTypeOrSelf(constant.getType()));
  auto attributes = builder.getDictionaryAttr(builder.getNamedAttr(
      kPanelsAttrName,
      builder.getDictionaryAttr(
          {builder.getNamedAttr(
               "source", builder.getI64IntegerAttr(constant.getArgNumber())),
           builder.getNamedAttr("layout",
                                layout.toAttribute(kernel.getContext()))})));
  unsigned place = kernel.getNumArguments() - kernel.getNumResults();
  (void)kernel.insertArgument(place, type, attributes, constant.getLoc());
  return kernel.getArgument(place);
}

Value mlir::hetero::createPanels(OpBuilder &builder, const ConstantPart &part,
                                 ArrayRef<int64_t> widths) {
  PanelLayout layout(part, widths);
  if (auto argument = dyn_cast<BlockArgument>(part.constant))
    return addArgument(layout, argument);
  return ::createPanels(
      builder, part.constant.getDefiningOp<arith::ConstantOp>(), layout);
}

std::optional<ArgumentPanels>
mlir::hetero::getArgumentPanels(FunctionOpInterface kernel, unsigned argument) {
  auto panels =
      kernel.getArgAttrOfType<DictionaryAttr>(argument, kPanelsAttrName);
  if (!panels)
    return std::nullopt;
  return ArgumentPanels{
      static_cast<unsigned>(cast<IntegerAttr>(panels.get("source")).getInt()),
      cast<DictionaryAttr>(panels.get("layout"))};
}
