//===- MergeHostKernels.cpp - Generates equal kernels once ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers of one shape are equal but for the tensors that they read and write.
// What they have in common becomes a function, of which code is generated and
// compiled once:
//
//   %1 = linalg.generic {product} ins(%0, %w0) outs(...)
//   %2 = linalg.generic {product} ins(%1, %w1) outs(...)
//     ->
//   %1 = hetero.invoke @main_cpu0_0_kernel ins(%0, %w0) outs(...)
//   %2 = hetero.invoke @main_cpu0_0_kernel ins(%1, %w1) outs(...)
//
// This is done after fusion and tiling, where kernels do not change each other
// any more, and before vectorization, which is most of the work. Where inputs
// are constants, each call has panels of its own.
//
//===----------------------------------------------------------------------===//

#include "MergeHostKernels.h"

#include "Codegen/CPU/Emit/VectorizeRegion.h"
#include "Codegen/CPU/Plan/ConstantPanels.h"
#include "Codegen/CPU/Prepare/MergeProducers.h"
#include "Codegen/Common/CleanUp.h"
#include "IdentityLayouts.h"
#include "KernelGroup.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Groups that are equal.
struct KernelClass {
  OwningOpRef<func::FuncOp> kernel;
  SmallVector<KernelGroup> groups;
};

/// Finds the equal groups of a module's regions.
class KernelMerger {
public:
  explicit KernelMerger(ModuleOp module)
      : module(module), symbols(module), rewriter(module.getContext()) {}

  void add(ExecuteOp region);
  /// Replaces what there is more than once by calls, and generates the kernels.
  LogicalResult run();

private:
  void add(const KernelGroup &group, StringRef region);
  LogicalResult generate(KernelClass &equal);

  ModuleOp module;
  SymbolTable symbols;
  IRRewriter rewriter;
  IdentityLayouts layouts;
  std::vector<KernelClass> classes;
  llvm::DenseMap<llvm::hash_code, SmallVector<size_t, 1>> byHash;
};
} // namespace

static remark::RemarkOpts remarkNamed(StringRef name) {
  return remark::RemarkOpts::name(name).category("hetero-codegen");
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

/// Attributes but for the name, by which equal kernels differ.
static DictionaryAttr getAttributes(func::FuncOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(kernel.getContext());
}

static llvm::hash_code hashKernel(func::FuncOp kernel) {
  llvm::hash_code hash =
      llvm::hash_value(getAttributes(kernel).getAsOpaquePointer());
  kernel.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

static bool areEqual(func::FuncOp first, func::FuncOp second) {
  return getAttributes(first) == getAttributes(second) &&
         OperationEquivalence::isRegionEquivalentTo(
             &first.getBody(), &second.getBody(),
             OperationEquivalence::IgnoreLocations);
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

void KernelMerger::add(ExecuteOp region) {
  SmallVector<KernelGroup> groups = findKernelGroups(region);
  // They are found from the end, but names count in program order.
  for (const KernelGroup &group : llvm::reverse(groups))
    if (isWorthCall(group))
      add(group, region.getName());
}

void KernelMerger::add(const KernelGroup &group, StringRef region) {
  std::string reason;
  FailureOr<KernelOperands> operands = findKernelOperands(group, reason);
  if (failed(operands) ||
      failed(checkLayouts(group, *operands, layouts, reason))) {
    remark::missed(group.getRoot()->getLoc(), remarkNamed("kernel"))
        << remark::add("code of its own") << remark::reason("{0}", reason);
    return;
  }
  OwningOpRef<func::FuncOp> kernel =
      createKernel(group, *operands, (region + "_kernel").str());
  SmallVector<size_t, 1> &same = byHash[hashKernel(*kernel)];
  for (size_t index : same)
    if (areEqual(*classes[index].kernel, *kernel)) {
      classes[index].groups.push_back(group);
      return;
    }
  same.push_back(classes.size());
  classes.push_back({std::move(kernel), {group}});
}

LogicalResult KernelMerger::run() {
  for (KernelClass &equal : classes)
    if (equal.groups.size() > 1 && failed(generate(equal)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Generating
//===----------------------------------------------------------------------===//

/// Passes each call its panels of constants.
static void passPanels(func::FuncOp kernel, ArrayRef<InvokeOp> calls) {
  unsigned inputs = kernel.getNumArguments() - kernel.getNumResults();
  llvm::DenseMap<std::pair<Operation *, Attribute>, Value> made;
  OpBuilder builder(kernel.getContext());
  for (unsigned argument = 0; argument < inputs; ++argument) {
    std::optional<ArgumentPanels> panels = getArgumentPanels(kernel, argument);
    if (!panels)
      continue;
    for (InvokeOp call : calls) {
      auto constant =
          call.getInputs()[panels->source].getDefiningOp<arith::ConstantOp>();
      Value &value = made[{constant, panels->layout}];
      if (!value)
        value = createPanels(builder, constant, panels->layout);
      call.getInputsMutable().append(value);
    }
  }
}

/// Takes away inputs that are not read, and what was known of them.
static void dropUnused(func::FuncOp kernel, ArrayRef<InvokeOp> calls) {
  llvm::BitVector unused(kernel.getNumArguments());
  for (unsigned i = 0; i < kernel.getNumArguments() - kernel.getNumResults();
       ++i)
    unused[i] = kernel.getArgument(i).use_empty();
  for (InvokeOp call : calls) {
    SmallVector<Value> inputs;
    for (auto [i, input] : llvm::enumerate(call.getInputs()))
      if (!unused[i])
        inputs.push_back(input);
    call.getInputsMutable().assign(inputs);
  }
  (void)kernel.eraseArguments(unused);
  kernel.removeArgAttrsAttr();
}

LogicalResult KernelMerger::generate(KernelClass &equal) {
  func::FuncOp kernel = equal.kernel.release();
  Operation *first = equal.groups.front().getRoot();
  symbols.insert(kernel, std::next(Block::iterator(
                             first->getParentOfType<func::FuncOp>())));
  SmallVector<InvokeOp> calls;
  for (const KernelGroup &group : equal.groups) {
    std::string reason;
    // Groups before this one are calls by now, whose results they use.
    FailureOr<KernelOperands> operands = findKernelOperands(group, reason);
    calls.push_back(replaceByCall(rewriter, group, *operands, kernel));
    remark::passed(calls.back().getLoc(), remarkNamed("kernel"))
        << remark::add("call of @{0}, as in {1} places", kernel.getName().str(),
                       equal.groups.size());
  }
  if (failed(vectorizeCPURegion(kernel)) || failed(cleanUpRegion(kernel)))
    return kernel.emitError("cannot generate host code for @")
           << kernel.getName();
  passPanels(kernel, calls);
  dropUnused(kernel, calls);
  return success();
}

/// Gives a call the types of what it calls: upstream folds tensor.cast into all
/// operations that have destinations.
static void castOperands(OpBuilder &builder, InvokeOp call,
                         func::FuncOp kernel) {
  builder.setInsertionPoint(call);
  for (auto [operand, type] :
       llvm::zip_equal(call->getOpOperands(), kernel.getArgumentTypes()))
    if (operand.get().getType() != type)
      operand.set(
          tensor::CastOp::create(builder, call.getLoc(), type, operand.get()));
  builder.setInsertionPointAfter(call);
  for (auto [result, type] :
       llvm::zip_equal(call->getResults(), kernel.getResultTypes())) {
    Type known = result.getType();
    if (known == type)
      continue;
    result.setType(type);
    auto cast = tensor::CastOp::create(builder, call.getLoc(), known, result);
    result.replaceAllUsesExcept(cast, cast);
  }
}

LogicalResult mlir::hetero::generatePreparedRegions(ModuleOp module) {
  SmallVector<ExecuteOp> regions;
  module.walk([&](ExecuteOp op) {
    if (op->removeAttr(kPreparedAttrName))
      regions.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  KernelMerger merger(module);
  for (ExecuteOp op : regions) {
    mergeProducers(rewriter, op);
    merger.add(op);
  }
  if (failed(merger.run()))
    return failure();
  for (ExecuteOp op : regions)
    if (failed(vectorizePreparedRegion(op)))
      return failure();
  SymbolTableCollection symbols;
  OpBuilder builder(module.getContext());
  module.walk([&](InvokeOp call) {
    castOperands(builder, call,
                 symbols.lookupNearestSymbolFrom<func::FuncOp>(
                     call, call.getKernelAttr()));
  });
  return success();
}
