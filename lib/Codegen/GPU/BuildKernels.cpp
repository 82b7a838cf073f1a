//===- BuildKernels.cpp - Kernels from linalg on buffers ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What shares a kernel is decided before any is built: products with what fills
// and follows them, then chains of operations on rows. Every other operation is
// a kernel of its own.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/GPU/BuildKernels.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/Common/SourceLocations.h"
#include "Codegen/GPU/Kernels/ChainKernel.h"
#include "Codegen/GPU/Kernels/ElementwiseKernel.h"
#include "Codegen/GPU/Kernels/GenericKernel.h"
#include "Codegen/GPU/Kernels/ReductionKernel.h"
#include "Codegen/GPU/Plan/KernelLimits.h"
#include "Codegen/GPU/Products/ContractionKernel.h"
#include "Codegen/GPU/Products/ProductKernels.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::hetero;

static constexpr llvm::StringLiteral kKernelModuleName = "hetero_kernels";

/// The first with mma.sync of 16x8x16 f16, and with cp.async.
static constexpr unsigned kTensorCoreArchitecture = 80;

/// The device in whose memory the operation writes.
static DeviceAttr getMemoryDevice(linalg::LinalgOp op) {
  return getTypeDevice(op.getDpsInits().front().getType());
}

/// Operations on device memory, in order.
static SmallVector<linalg::LinalgOp> findDeviceWork(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op.getNumDpsInits() != 0 && !isHostAccessible(getMemoryDevice(op)))
      ops.push_back(op);
  });
  return ops;
}

/// Lets a sum of products be computed by fma, as on the host: each product is
/// not rounded before it is added.
static void contractProducts(linalg::LinalgOp op) {
  if (!addsProduct(op))
    return;
  auto contract = [](auto inner) {
    inner.setFastmath(inner.getFastmath() | arith::FastMathFlags::contract);
  };
  op.getBlock()->walk([&](arith::MulFOp inner) { contract(inner); });
  op.getBlock()->walk([&](arith::AddFOp inner) { contract(inner); });
}

//===----------------------------------------------------------------------===//
// What shares a kernel
//===----------------------------------------------------------------------===//

namespace {
/// A product for tensor cores, and what stands around it.
struct PlannedProduct {
  TensorCorePlan plan;
  ProductFusion fusion;
};

struct KernelPlan {
  void addProduct(linalg::LinalgOp op, bool allowTF32);
  void addChain(linalg::LinalgOp op);

  llvm::DenseMap<Operation *, PlannedProduct> products;
  std::vector<RowChain> chains;
  /// By the last operation of a chain: its number.
  llvm::DenseMap<Operation *, unsigned> chainOf;
  /// What the kernel of another operation does.
  llvm::SmallPtrSet<Operation *, 8> fused;
  /// What a kernel is chosen for.
  llvm::SmallPtrSet<Operation *, 8> taken;
};
} // namespace

void KernelPlan::addProduct(linalg::LinalgOp op, bool allowTF32) {
  std::optional<TensorCorePlan> plan = planTensorCores(op, allowTF32);
  if (!plan)
    return;
  ProductFusion fusion = findProductFusion(op);
  products[op] = {std::move(*plan), fusion};
  taken.insert(op);
  for (linalg::LinalgOp part : {fusion.fill, fusion.epilogue}) {
    fused.insert(part);
    taken.insert(part);
  }
}

void KernelPlan::addChain(linalg::LinalgOp op) {
  if (taken.contains(op) || isTiledContraction(op))
    return;
  std::optional<RowChain> chain = findRowChain(op, taken);
  if (!chain)
    return;
  for (RowMember &member : chain->members) {
    taken.insert(member.op);
    fused.insert(member.op);
    fused.insert(member.fill);
  }
  chainOf[chain->members.back().op] = chains.size();
  chains.push_back(std::move(*chain));
}

static KernelPlan planKernels(ArrayRef<linalg::LinalgOp> ops, StringRef chip,
                              bool allowTF32) {
  KernelPlan plan;
  if (getArchitecture(chip) >= kTensorCoreArchitecture)
    for (linalg::LinalgOp op : ops)
      plan.addProduct(op, allowTF32);
  for (linalg::LinalgOp op : ops)
    plan.addChain(op);
  return plan;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static LogicalResult buildKernel(gpu::GPUModuleOp kernels,
                                 linalg::LinalgOp op) {
  (void)widenBody(op);
  contractProducts(op);
  bool isContraction = isTiledContraction(op);
  bool isReduction = !isContraction && isBlockReduction(op);
  if (isReduction && isSplitReduction(op)) {
    FailureOr<linalg::LinalgOp> second = splitReduction(kernels, op);
    return failed(second) ? failure() : buildKernel(kernels, *second);
  }
  KernelBuilder kernel(kernels, op);
  if (failed(kernel.importOperands()))
    return failure();
  if (isContraction)
    buildContractionKernel(kernel);
  else if (isReduction)
    buildReductionKernel(kernel);
  else if (isVectorElementwise(op))
    buildElementwiseKernel(kernel);
  else
    buildGenericKernel(kernel);
  return success();
}

static LogicalResult buildPlanned(gpu::GPUModuleOp kernels, linalg::LinalgOp op,
                                  const PlannedProduct &planned,
                                  StringRef chip) {
  if (chip == kWarpGroupChip)
    if (std::optional<WarpGroupPlan> groups = planWarpGroups(op, planned.plan))
      return buildProduct(kernels, op, *groups, planned.fusion);
  return buildProduct(kernels, op, planned.plan, planned.fusion);
}

/// Its kernel has the location of the anchor.
static void joinLocations(RowChain &chain) {
  for (RowMember &member : chain.members)
    for (linalg::LinalgOp op : {member.op, member.fill})
      if (op)
        joinLocations(chain.members[chain.anchor].op, op.getOperation());
}

/// The kernel of an operation, unless that of another one does its work.
static LogicalResult build(gpu::GPUModuleOp kernels, linalg::LinalgOp op,
                           KernelPlan &plan, StringRef chip) {
  if (auto it = plan.chainOf.find(op); it != plan.chainOf.end()) {
    RowChain &chain = plan.chains[it->second];
    for (RowMember &member : chain.members)
      contractProducts(member.op);
    joinLocations(chain);
    return buildChainKernel(kernels, chain);
  }
  if (plan.fused.contains(op))
    return success();
  auto product = plan.products.find(op);
  if (product == plan.products.end())
    return buildKernel(kernels, op);
  for (linalg::LinalgOp part :
       {product->second.fusion.fill, product->second.fusion.epilogue})
    if (part)
      joinLocations(op, part.getOperation());
  return buildPlanned(kernels, op, product->second, chip);
}

/// A gpu.module for the kernels of one chip, named after it where there are
/// several.
static gpu::GPUModuleOp createKernelModule(ModuleOp module, const Chips &chips,
                                           StringRef chip) {
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(module.getContext()));
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  std::string name = kKernelModuleName.str();
  if (chips.getAll().size() > 1)
    name += "_" + chip.str();
  auto kernels = gpu::GPUModuleOp::create(builder, module.getLoc(), name);
  kernels.setTargetsAttr(chips.getTargets(module.getContext(), chip));
  return kernels;
}

/// Kernels of the devices that have the chip.
static LogicalResult buildForChip(gpu::GPUModuleOp kernels,
                                  ArrayRef<linalg::LinalgOp> ops,
                                  StringRef chip, bool allowTF32) {
  KernelPlan plan = planKernels(ops, chip, allowTF32);
  for (linalg::LinalgOp op : ops)
    if (failed(build(kernels, op, plan, chip)))
      return failure();
  return checkKernelLimits(kernels, chip);
}

LogicalResult mlir::hetero::buildKernels(ModuleOp module, const Chips &chips,
                                         bool allowTF32) {
  for (linalg::LinalgOp op : findDeviceWork(module))
    if (auto copy = dyn_cast<linalg::CopyOp>(*op))
      fillInsteadOfCopy(copy);
  llvm::StringMap<SmallVector<linalg::LinalgOp>> work;
  for (linalg::LinalgOp op : findDeviceWork(module)) {
    (void)widenBody(op);
    work[chips.getChip(getMemoryDevice(op))].push_back(op);
  }
  // Each module is put before those that are there.
  for (const std::string &chip : llvm::reverse(chips.getAll()))
    if (auto ops = work.find(chip); ops != work.end())
      if (failed(buildForChip(createKernelModule(module, chips, chip),
                              ops->second, chip, allowTF32)))
        return failure();
  return success();
}
