//===- AssumedSizes.cpp - Sizes of arguments that nobody said -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Placement/AssumedSizes.h"

#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "hetero/Transforms/Placement/ValueNames.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// What a dimension counts; each kind has a size of its own.
enum class DimKind { Batch, ImageSide, Sequence };
} // namespace

static int64_t getSize(DimKind kind) {
  switch (kind) {
  case DimKind::Batch:
    return 1;
  case DimKind::ImageSide:
    return 224;
  case DimKind::Sequence:
    return kDefaultDynamicSize;
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// By the name
//===----------------------------------------------------------------------===//

/// The words of a name in lower case: "pastLength_2" has past and length.
static SmallVector<std::string> splitWords(StringRef name) {
  SmallVector<std::string> words(1);
  bool wasLower = false;
  for (char c : name) {
    bool startsWord = !llvm::isAlpha(c) || (llvm::isUpper(c) && wasLower);
    if (startsWord && !words.back().empty())
      words.emplace_back();
    if (llvm::isAlpha(c))
      words.back() += llvm::toLower(c);
    wasLower = llvm::isLower(c);
  }
  return words;
}

static std::optional<DimKind> getKindByName(StringRef name) {
  std::optional<DimKind> found;
  for (StringRef word : splitWords(name)) {
    auto kind = llvm::StringSwitch<std::optional<DimKind>>(word)
                    .Cases({"batch", "batches", "batchsize", "bs", "n", "b"},
                           DimKind::Batch)
                    .Cases({"height", "width", "image", "img", "h", "w"},
                           DimKind::ImageSide)
                    .Cases({"sequence", "seq", "seqlen", "length", "len", "l",
                            "time", "t", "tokens", "frames", "steps"},
                           DimKind::Sequence)
                    .Default(std::nullopt);
    // "batch_sequence" is a batch.
    if (kind && (!found || *kind < *found))
      found = kind;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// By what reads it
//===----------------------------------------------------------------------===//

/// The kind of a dimension by the convolution, pool or contraction that reads
/// it; none for other operations, and for channels.
static std::optional<DimKind> getKindByReader(OpOperand &use, int64_t dim) {
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!op)
    return std::nullopt;
  AffineExpr expr = op.getMatchingIndexingMap(&use).getResult(dim);
  auto loop = dyn_cast<AffineDimExpr>(expr);
  if (auto window = linalg::inferConvolutionDims(op); succeeded(window)) {
    // A window slides along a row, as over time, or over a picture.
    if (!loop || llvm::is_contained(window->outputImage, loop.getPosition()))
      return window->outputImage.size() > 1 ? DimKind::ImageSide
                                            : DimKind::Sequence;
    if (llvm::is_contained(window->batch, loop.getPosition()))
      return DimKind::Batch;
    return std::nullopt;
  }
  if (!loop || !linalg::isaContractionOpInterface(op))
    return std::nullopt;
  auto product = linalg::inferContractionDims(op);
  bool isBatch = succeeded(product) &&
                 llvm::is_contained(product->batch, loop.getPosition());
  return isBatch ? DimKind::Batch : DimKind::Sequence;
}

namespace {
using Dimension = std::pair<Value, int64_t>;
} // namespace

/// Where other sizes of one are added or taken away, the dimension that the
/// group has in the other shape; nullopt if the group has several sizes.
static std::optional<int64_t> findInGroup(ArrayRef<int64_t> group,
                                          ArrayRef<int64_t> shape) {
  std::optional<int64_t> found;
  for (int64_t dim : group) {
    if (shape[dim] == 1)
      continue;
    if (found)
      return std::nullopt;
    found = dim;
  }
  return found;
}

/// The dimensions of results, and of arguments of a callee, that have the size.
static SmallVector<Dimension> getSuccessors(OpOperand &use, int64_t dim) {
  SmallVector<Dimension> next;
  Operation *op = use.getOwner();
  auto addLoop = [&](linalg::LinalgOp linalgOp) {
    AffineExpr loop = linalgOp.getMatchingIndexingMap(&use).getResult(dim);
    for (OpOperand &init : linalgOp.getDpsInitsMutable())
      for (auto [i, expr] :
           llvm::enumerate(linalgOp.getMatchingIndexingMap(&init).getResults()))
        if (expr == loop && linalgOp->getNumResults() != 0)
          next.push_back({linalgOp.getTiedOpResult(&init), i});
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](linalg::LinalgOp linalgOp) { addLoop(linalgOp); })
      .Case<tensor::PadOp, tensor::CastOp>([&](Operation *same) {
        if (isa<RankedTensorType>(same->getResult(0).getType()))
          next.push_back({same->getResult(0), dim});
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        if (slice.getType().getRank() == slice.getSourceType().getRank())
          next.push_back({slice.getResult(), dim});
      })
      .Case([&](tensor::InsertSliceOp insert) {
        if (use.get() == insert.getDest() ||
            insert.getSourceType().getRank() == insert.getType().getRank())
          next.push_back({insert.getResult(), dim});
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        for (auto [i, group] :
             llvm::enumerate(collapse.getReassociationIndices()))
          if (findInGroup(group, collapse.getSrcType().getShape()) == dim)
            next.push_back({collapse.getResult(), i});
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        if (auto found = findInGroup(expand.getReassociationIndices()[dim],
                                     expand.getResultType().getShape()))
          next.push_back({expand.getResult(), *found});
      })
      .Case([&](CallOpInterface call) {
        auto callee =
            dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
        if (callee && !callee.isExternal())
          next.push_back({callee.getArgument(use.getOperandNumber()), dim});
      })
      .Default([&](Operation *other) {
        if (OpTrait::hasElementwiseMappableTraits(other))
          for (Value result : other->getResults())
            next.push_back({result, dim});
      });
  return next;
}

/// Looks at what reads the dimension, and at what becomes of it, nearest first.
static std::optional<DimKind> getKindByReaders(Value argument, int64_t dim) {
  constexpr size_t kMostVisited = 64;
  SmallVector<Dimension> queue{{argument, dim}};
  llvm::DenseSet<Dimension> seen(queue.begin(), queue.end());
  for (size_t i = 0; i < std::min(queue.size(), kMostVisited); ++i) {
    Dimension here = queue[i];
    for (OpOperand &use : here.first.getUses()) {
      if (auto kind = getKindByReader(use, here.second))
        return kind;
      for (Dimension next : getSuccessors(use, here.second))
        if (seen.insert(next).second)
          queue.push_back(next);
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static StringRef getDimName(FunctionOpInterface function, unsigned argument,
                            unsigned number) {
  auto names =
      function.getArgAttrOfType<ArrayAttr>(argument, kDimensionNamesAttrName);
  return names ? cast<StringAttr>(names[number]).getValue() : StringRef();
}

/// Whether costs have no size for a dimension of the argument.
static bool lacksSizes(FunctionOpInterface function, BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  return type && !type.hasStaticShape() &&
         !function.getArgAttr(argument.getArgNumber(), kDynamicSizesAttrName);
}

/// One size for each dynamic dimension.
static SmallVector<int64_t>
listSizes(BlockArgument argument,
          llvm::function_ref<int64_t(int64_t dim, size_t number)> getSize) {
  auto type = cast<RankedTensorType>(argument.getType());
  SmallVector<int64_t> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(getSize(dim, sizes.size()));
  return sizes;
}

namespace {
/// Writes the sizes of arguments.
class SizeWriter {
public:
  explicit SizeWriter(ModuleOp module) : defaults(module) {}

  /// Of a function that others may call.
  void assume(FunctionOpInterface function);
  /// Gives the callee of a call the sizes of its operands, by the sizes of the
  /// caller's.
  void pass(CallOpInterface call, FunctionOpInterface callee,
            TensorSizes &known);

  SmallVector<AssumedSize, 0> found;

private:
  int64_t assume(FunctionOpInterface function, BlockArgument argument,
                 int64_t dim, size_t number);
  void write(FunctionOpInterface function, BlockArgument argument,
             ArrayRef<int64_t> sizes);

  TensorSizes defaults;
};
} // namespace

/// Unless they are what costs take them for anyway.
void SizeWriter::write(FunctionOpInterface function, BlockArgument argument,
                       ArrayRef<int64_t> sizes) {
  if (listSizes(argument, [&](int64_t dim, size_t) {
        return defaults.getDimSize(argument, dim);
      }) == sizes)
    return;
  function.setArgAttr(argument.getArgNumber(), kDynamicSizesAttrName,
                      DenseI64ArrayAttr::get(function.getContext(), sizes));
}

int64_t SizeWriter::assume(FunctionOpInterface function, BlockArgument argument,
                           int64_t dim, size_t number) {
  auto note = [&](DimKind kind, StringRef why) {
    found.push_back({argument, dim, getSize(kind), why});
    return getSize(kind);
  };
  if (auto kind =
          getKindByName(getDimName(function, argument.getArgNumber(), number)))
    return note(*kind, "its name");
  if (auto kind = getKindByReaders(argument, dim))
    return note(*kind, "what reads it");
  return defaults.getDimSize(argument, dim);
}

void SizeWriter::assume(FunctionOpInterface function) {
  for (BlockArgument argument : function.getArguments())
    if (lacksSizes(function, argument))
      write(function, argument,
            listSizes(argument, [&](int64_t dim, size_t number) {
              return assume(function, argument, dim, number);
            }));
}

void SizeWriter::pass(CallOpInterface call, FunctionOpInterface callee,
                      TensorSizes &known) {
  for (auto [operand, argument] :
       llvm::zip(call.getArgOperands(), callee.getArguments()))
    if (lacksSizes(callee, argument) && operand.getType() == argument.getType())
      write(callee, argument,
            listSizes(argument, [&, value = operand,
                                 target = argument](int64_t dim, size_t) {
              int64_t size = known.getDimSize(value, dim);
              found.push_back({target, dim, size, "its first call"});
              return size;
            }));
}

SmallVector<AssumedSize, 0> mlir::hetero::assumeSizes(ModuleOp module) {
  if (module->hasAttr(kDynamicSizeAttrName))
    return {};
  SizeWriter writer(module);
  SmallVector<FunctionOpInterface> functions;
  llvm::DenseSet<Operation *> seen;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    writer.assume(function);
    functions.push_back(function);
    seen.insert(function);
  }
  TensorSizes known(module);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i].walk<WalkOrder::PreOrder>([&](CallOpInterface call) {
      auto callee =
          dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
      if (!callee || callee.isExternal() || !seen.insert(callee).second)
        return;
      writer.pass(call, callee, known);
      functions.push_back(callee);
    });
  return std::move(writer.found);
}

void mlir::hetero::forgetSizes(ArrayRef<AssumedSize> sizes) {
  for (const AssumedSize &size : sizes)
    cast<FunctionOpInterface>(size.argument.getOwner()->getParentOp())
        .removeArgAttr(size.argument.getArgNumber(), kDynamicSizesAttrName);
}

SmallVector<AssumedShape, 0> mlir::hetero::listAssumedShapes(ModuleOp module) {
  TensorSizes sizes(module);
  SmallVector<AssumedShape, 0> shapes;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    for (BlockArgument argument : function.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || type.hasStaticShape())
        continue;
      shapes.push_back({getValueName(argument), {}});
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        shapes.back().shape.push_back(sizes.getDimSize(argument, dim));
    }
  }
  return shapes;
}
