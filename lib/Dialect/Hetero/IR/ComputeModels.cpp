//===- ComputeModels.cpp - Models for linalg, arith and math --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every structured linalg operation is described by its body and its maps, so
// that one model serves the named ones as well as linalg.generic.
//
//===----------------------------------------------------------------------===//

#include "ComputeModels.h"

#include "ModelHelp.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if the operation writes every element of this destination: the map of
/// `init` reaches all of it, and no loop may be without iterations.
static bool writesAll(linalg::LinalgOp op, OpOperand &init) {
  AffineMap map = op.getMatchingIndexingMap(&init);
  auto type = cast<ShapedType>(init.get().getType());
  llvm::SmallBitVector reached(map.getNumDims());
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    if (type.getDimSize(index) == 1 && isa<AffineConstantExpr>(expr))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || reached.test(dim.getPosition()))
      return false;
    reached.set(dim.getPosition());
  }
  if (reached.all())
    return true;
  SmallVector<int64_t, 4> ranges = op.getStaticLoopRanges();
  for (unsigned loop : reached.flip().set_bits())
    if (ShapedType::isDynamic(ranges[loop]) || ranges[loop] == 0)
      return false;
  return true;
}

namespace {
//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

/// The size of each loop of a structured operation from the operand that has it
/// as a plain dimension; none if an operand has a loop in an expression only.
/// What getStaticLoopRanges says, without building maps of shapes to loops.
std::optional<int64_t> countIterations(Operation *op, ArrayAttr maps,
                                       TensorSizes &tensorSizes) {
  SmallVector<int64_t, 8> sizes;
  unsigned known = 0;
  for (auto [attr, value] : llvm::zip(maps, op->getOperands())) {
    AffineMap map = cast<AffineMapAttr>(attr).getValue();
    sizes.resize(map.getNumDims(), -1);
    auto type = dyn_cast<ShapedType>(value.getType());
    for (auto [index, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || sizes[dim.getPosition()] != -1)
        continue;
      int64_t size = type.getDimSize(index);
      sizes[dim.getPosition()] = ShapedType::isDynamic(size)
                                     ? tensorSizes.getDimSize(value, index)
                                     : size;
      ++known;
    }
    if (known == sizes.size())
      break;
  }
  if (known != sizes.size())
    return std::nullopt;
  int64_t iterations = 1;
  for (int64_t size : sizes)
    iterations = multiplySizes(iterations, size);
  return iterations;
}

/// True if results move along a reduction, which one thread runs for each row,
/// and there are too few rows for the threads of a device.
bool hasFewScans(linalg::GenericOp op) {
  SmallVector<utils::IteratorType, 4> iterators = op.getIteratorTypesArray();
  if (!llvm::is_contained(iterators, utils::IteratorType::reduction))
    return false;
  int64_t rows = 1;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (iterators[loop] == utils::IteratorType::parallel)
      rows =
          multiplySizes(rows, ShapedType::isDynamic(size) ? INT64_MAX : size);
  return rows < kFewestScanRows &&
         !storesOncePerPoint(cast<linalg::LinalgOp>(op.getOperation()));
}

/// What the models of structured operations know by the class of the operation.
/// The rest is the same for all of them, and compiled once.
struct StructuredOp {
  Operation *op;
  /// Inits are the second group of operands of every structured operation.
  unsigned firstInit;
  bool isGeneric;
  ArrayAttr (*getIndexingMaps)(Operation *op);

  bool reads(OpOperand &operand) const;
  int64_t countIterations(TensorSizes &sizes) const;
  PlacementCost getCost(TensorSizes &sizes) const;
  bool isReplicable() const;
};

/// Upstream's payloadUsesValueFromOperand says "no" for every destination of
/// linalg.map, so the body is asked.
bool StructuredOp::reads(OpOperand &operand) const {
  unsigned number = operand.getOperandNumber();
  if (number < firstInit)
    return true;
  if (!op->getRegion(0).getArgument(number).use_empty())
    return true;
  // The maps of other operations reach every element by definition.
  auto structured = cast<linalg::LinalgOp>(op);
  bool hasOwnMaps = isGeneric || structured.hasUserDefinedMaps();
  return hasOwnMaps && !writesAll(structured, operand);
}

int64_t StructuredOp::countIterations(TensorSizes &sizes) const {
  if (auto count = ::countIterations(op, getIndexingMaps(op), sizes))
    return *count;
  int64_t iterations = 1;
  auto ranges = cast<linalg::LinalgOp>(op).getStaticLoopRanges();
  for (auto [dim, size] : llvm::enumerate(ranges))
    iterations =
        multiplySizes(iterations, ShapedType::isDynamic(size)
                                      ? sizes.getDefault(dim, ranges.size())
                                      : size);
  return iterations;
}

PlacementCost StructuredOp::getCost(TensorSizes &sizes) const {
  int64_t perElement = 0, bytes = 0;
  for (Operation &inner : op->getRegion(0).front())
    perElement += OpTrait::hasElementwiseMappableTraits(&inner);
  for (OpOperand &operand : op->getOpOperands())
    if (reads(operand))
      bytes = addSizes(bytes, sizes.getBytes(operand.get()));
  for (Value result : op->getResults())
    bytes = addSizes(bytes, sizes.getBytes(result));
  return {perElement ? multiplySizes(countIterations(sizes), perElement) : 0,
          bytes};
}

/// Fills and iotas: made from scalars alone.
bool StructuredOp::isReplicable() const {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    Type type = operand.get().getType();
    return !isa<ShapedType>(type) || (isa<TensorType>(type) && !reads(operand));
  });
}

LogicalResult canRunStructured(Operation *op, StringRef kind,
                               std::string &reason) {
  if (!hasTensors(op))
    return runsOnlyOnHost(op, kind, "works on memrefs", reason);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (generic && hasFewScans(generic))
    return runsOnlyOnHost(op, kind,
                          "is a scan of fewer rows than the threads of a " +
                              kind.str() + " need",
                          reason);
  return success();
}

/// Structured operations. The methods of the class are called rather than those
/// of linalg's interface, whose general answers take longer than all the rest
/// of placement.
template <typename OpTy>
struct LinalgModel
    : public PlacementOpInterface::ExternalModel<LinalgModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    return canRunStructured(op, kind, reason);
  }
  PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes) const {
    return describe(op).getCost(sizes);
  }
  bool isReplicable(Operation *op) const { return describe(op).isReplicable(); }
  bool readsOperand(Operation *op, unsigned index) const {
    return describe(op).reads(op->getOpOperand(index));
  }

private:
  static StructuredOp describe(Operation *op) {
    return {op, cast<OpTy>(op).getODSOperandIndexAndLength(1).first,
            std::is_same_v<OpTy, linalg::GenericOp>, [](Operation *op) {
              return ArrayAttr(cast<OpTy>(op).getIndexingMaps());
            }};
  }
};

/// linalg.softmax, which code generation decomposes; its destination is
/// overwritten.
struct SoftmaxModel
    : public PlacementOpInterface::ExternalModel<SoftmaxModel,
                                                 linalg::SoftmaxOp> {
  PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes) const {
    // maximum, subtract, exponential, sum, divide
    return {multiplySizes(5, sizes.getNumElements(op->getOperand(0))),
            getTrafficBytes(op, sizes)};
  }
  bool readsOperand(Operation *, unsigned index) const { return index == 0; }
};

//===----------------------------------------------------------------------===//
// arith and math
//===----------------------------------------------------------------------===//

LogicalResult canRunElementwise(Operation *op, StringRef kind,
                                std::string &reason) {
  if (!hasTensors(op))
    return runsOnlyOnHost(op, kind, "works on no tensors", reason);
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return runsOnlyOnHost(op, kind, "has no " + kind.str() + " kernel", reason);
  return success();
}

PlacementCost getElementwiseCost(Operation *op, TensorSizes &sizes) {
  if (!hasTensors(op))
    return {};
  bool isShaped = isa<ShapedType>(op->getResult(0).getType());
  return {isShaped ? sizes.getNumElements(op->getResult(0)) : 0,
          getTrafficBytes(op, sizes)};
}

/// Elementwise operations, on tensors or scalars. Those on tensors become
/// linalg before code generation.
template <typename OpTy>
struct ElementwiseModel
    : public PlacementOpInterface::ExternalModel<ElementwiseModel<OpTy>, OpTy> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    return canRunElementwise(op, kind, reason);
  }
  PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes) const {
    return getElementwiseCost(op, sizes);
  }
};

/// A constant tensor is there before the program starts, on every device that
/// wants it and can hold its elements as they are.
struct ConstantModel
    : public PlacementOpInterface::ExternalModel<ConstantModel,
                                                 arith::ConstantOp> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    return hasTensorsToPlace(op, kind, reason);
  }
  bool isReplicable(Operation *op) const {
    return hasTensors(op) && hasDenseElements(op);
  }
};

/// The models of a list of operation classes, as tablegen prints it.
template <typename... Ops> struct AttachElementwise {
  static void to(MLIRContext *context) { (attachOne<Ops>(context), ...); }
  template <typename OpTy> static void attachOne(MLIRContext *context) {
    if constexpr (std::is_same_v<OpTy, arith::ConstantOp>)
      OpTy::template attachInterface<ConstantModel>(*context);
    else
      OpTy::template attachInterface<ElementwiseModel<OpTy>>(*context);
  }
};

template <typename... Ops> struct AttachLinalg {
  static void to(MLIRContext *context) {
    (Ops::template attachInterface<LinalgModel<Ops>>(*context), ...);
  }
};
} // namespace

void mlir::hetero::registerComputeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    AttachLinalg<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >::to(context);
    linalg::SoftmaxOp::attachInterface<SoftmaxModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    AttachElementwise<
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
        >::to(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    AttachElementwise<
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
        >::to(context);
  });
}
