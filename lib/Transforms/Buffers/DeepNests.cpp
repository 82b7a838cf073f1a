//===- DeepNests.cpp - Bufferizing deeply nested regions ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One-Shot Bufferize asks an operation with regions about what is inside of
// them, and an inner one answers by asking its own: three of its questions are
// asked twice per level, so that a level doubles the time. Each is kept from
// going down:
//
// - Is what a loop carries read? A loop that may not run reads what it is given
//   without a look inside. So that it may run is hidden.
// - Has an operation written what it returns? A loop has. A condition has, if
//   something inside has: a copy is made of what passed many of them.
// - Of which type is the buffer that a loop carries? It follows from those of
//   its init and of what it yields; the latter is written down, of outer loops
//   first and before inner ones are given copies, which asks for types, too.
//
//===----------------------------------------------------------------------===//

#include "DeepNests.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

using bufferization::AnalysisState;
using bufferization::BufferizableOpInterface;

/// The levels that the analysis may go down in: a question about them takes two
/// to the power of that many steps.
static constexpr unsigned kMaxLevels = 8;

static bool hasTensorResults(Operation *op) {
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

//===----------------------------------------------------------------------===//
// What loops read
//===----------------------------------------------------------------------===//

/// True if the loop reads all tensors that it carries, so that nothing is lost
/// when it is taken for one that does.
static bool readsAll(scf::ForOp loop) {
  bufferization::BufferizationOptions options;
  AnalysisState state(options);
  return llvm::all_of(loop.getRegionIterArgs(), [&](Value carried) {
    return !isa<TensorType>(carried.getType()) || state.isValueRead(carried);
  });
}

SmallVector<arith::AddIOp> mlir::hetero::hideTripCounts(ModuleOp module) {
  SmallVector<arith::AddIOp> sums;
  // How many loops whose number of trips is known are in each other in a loop.
  llvm::DenseMap<Operation *, unsigned> levels;
  module.walk([&](scf::ForOp loop) {
    if (!hasTensorResults(loop))
      return;
    unsigned inside = levels.lookup(loop);
    if (inside < kMaxLevels && !readsAll(loop)) {
      if (auto outer = loop->getParentOfType<scf::ForOp>())
        levels[outer] = std::max(levels[outer], inside + 1);
      return;
    }
    OpBuilder builder(loop);
    Value bound = loop.getUpperBound();
    sums.push_back(arith::AddIOp::create(builder, loop.getLoc(), bound, bound));
    loop.getUpperBoundMutable().set(sums.back());
  });
  return sums;
}

void mlir::hetero::showFirst(ArrayRef<arith::AddIOp> sums) {
  for (arith::AddIOp sum : sums) {
    sum.replaceAllUsesWith(sum.getLhs());
    sum.erase();
  }
}

//===----------------------------------------------------------------------===//
// What conditions have written
//===----------------------------------------------------------------------===//

namespace {
/// How often a value was chosen, by conditions in each other, since something
/// was written to it.
class Choices {
public:
  /// Copies what the operation chooses where that is too often. Inner
  /// operations come first.
  void visit(Operation *op);

private:
  static constexpr int kWritten = -1;

  int count(OpResult result) const;
  int countInside(Operation *op, OpOperand &operand) const;
  static bool isYielded(Operation *op, OpOperand &operand) {
    return operand.getOwner() != op;
  }

  bufferization::BufferizationOptions options;
  AnalysisState state{options};
  llvm::DenseMap<Value, int> counts;
};
} // namespace

/// How often the operation's result was chosen, if it is what `operand` is.
int Choices::countInside(Operation *op, OpOperand &operand) const {
  Value value = operand.get();
  if (!isYielded(op, operand))
    return state.bufferizesToMemoryWrite(operand) ? kWritten
                                                  : counts.lookup(value);
  if (!op->isProperAncestor(value.getParentBlock()->getParentOp()) &&
      value.getParentBlock()->getParentOp() != op)
    return 1;
  int inside = counts.lookup(value);
  return inside == kWritten ? kWritten : inside + 1;
}

int Choices::count(OpResult result) const {
  auto operands = state.getAliasingOpOperands(result);
  if (operands.getNumAliases() == 0)
    return state.bufferizesToMemoryWrite(result) ? kWritten : 0;
  int most = 0;
  for (const auto &alias : operands) {
    int count = countInside(result.getOwner(), *alias.opOperand);
    if (count == kWritten)
      return kWritten;
    most = std::max(most, count);
  }
  return most;
}

/// Has what is yielded copied.
static void copy(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  Value value = operand.get();
  operand.set(bufferization::AllocTensorOp::create(
      builder, operand.getOwner()->getLoc(),
      cast<RankedTensorType>(value.getType()),
      /*dynamicSizes=*/ValueRange(), /*copy=*/value));
}

void Choices::visit(Operation *op) {
  for (OpResult result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    int most = count(result);
    if (most > static_cast<int>(kMaxLevels)) {
      for (const auto &alias : state.getAliasingOpOperands(result))
        if (isYielded(op, *alias.opOperand))
          copy(*alias.opOperand);
      most = kWritten;
    }
    counts[result] = most;
  }
}

void mlir::hetero::copyDeepChoices(ModuleOp module) {
  Choices choices;
  module.walk([&](Operation *op) { choices.visit(op); });
}

//===----------------------------------------------------------------------===//
// What buffers loops carry
//===----------------------------------------------------------------------===//

/// Says of which type the buffer is that a loop yields: that of the init, where
/// it has no strides. What is not the same buffer has been copied by now, to
/// one without strides.
static LogicalResult
fixYieldedTypes(scf::ForOp loop,
                const bufferization::BufferizationOptions &options,
                const bufferization::BufferizationState &state) {
  OpBuilder builder(loop.getBody()->getTerminator());
  for (auto [init, yielded] :
       llvm::zip(loop.getInitArgs(), *loop.getYieldedValuesMutable())) {
    if (!isa<RankedTensorType>(init.getType()))
      continue;
    FailureOr<bufferization::BufferLikeType> buffer =
        bufferization::getBufferType(init, options, state);
    if (failed(buffer))
      return failure();
    auto type = dyn_cast<MemRefType>(static_cast<Type>(*buffer));
    if (!type || !type.getLayout().isIdentity())
      continue;
    Value memory = bufferization::ToBufferOp::create(builder, loop.getLoc(),
                                                     type, yielded.get());
    yielded.set(bufferization::ToTensorOp::create(
        builder, loop.getLoc(), init.getType(), memory, /*restrict=*/true));
  }
  return success();
}

/// The loops that carry tensors in nests of more than kMaxLevels, outer ones
/// first. In others, which need no help, asking for the type of an init could
/// take long by itself: upstream follows chains of loops over slices back from
/// each link in more than one way.
static SmallVector<scf::ForOp> findDeepLoops(ModuleOp module) {
  SmallVector<scf::ForOp> loops;
  // From the outermost loop to this one, and to the innermost in it.
  llvm::DenseMap<Operation *, unsigned> depths, deepest;
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!hasTensorResults(loop))
      return;
    loops.push_back(loop);
    deepest[loop] = depths[loop] =
        depths.lookup(loop->getParentOfType<scf::ForOp>()) + 1;
  });
  for (scf::ForOp loop : llvm::reverse(loops))
    if (auto outer = loop->getParentOfType<scf::ForOp>())
      deepest[outer] = std::max(deepest[outer], deepest[loop]);
  llvm::erase_if(loops,
                 [&](scf::ForOp loop) { return deepest[loop] <= kMaxLevels; });
  return loops;
}

/// The operations of the module that may need copies, in the order in which
/// upstream gives them copies; not those of modules inside.
static SmallVector<BufferizableOpInterface>
findBufferizable(ModuleOp module,
                 const bufferization::BufferizationOptions &options) {
  SmallVector<BufferizableOpInterface> ops;
  module.walk([&](Operation *op) {
    auto bufferizable = options.dynCastBufferizableOp(op);
    if (bufferizable &&
        op->getParentWithTrait<OpTrait::SymbolTable>() == module.getOperation())
      ops.push_back(bufferizable);
  });
  return ops;
}

LogicalResult mlir::hetero::insertCopies(
    ModuleOp module, const bufferization::OneShotBufferizationOptions &options,
    const bufferization::BufferizationState &state) {
  bufferization::OneShotAnalysisState analysis(module, options);
  if (failed(bufferization::analyzeModuleOp(module, analysis)))
    return failure();
  SmallVector<BufferizableOpInterface> ops = findBufferizable(module, options);
  IRRewriter rewriter(module.getContext());
  auto resolve = [&](BufferizableOpInterface op) {
    rewriter.setInsertionPoint(op);
    return op.resolveConflicts(rewriter, analysis, state);
  };
  llvm::SmallPtrSet<Operation *, 8> resolved;
  for (scf::ForOp loop : findDeepLoops(module)) {
    auto op = cast<BufferizableOpInterface>(loop.getOperation());
    if (failed(resolve(op)) || failed(fixYieldedTypes(loop, options, state)))
      return failure();
    resolved.insert(loop);
  }
  for (BufferizableOpInterface op : ops)
    if (!resolved.contains(op) && failed(resolve(op)))
      return failure();
  return success();
}
