//===- HeteroToGPU.cpp - Turns work on device memory into the gpu dialect -===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory space of a buffer says where an operation on it runs. Each linalg
// operation on device memory becomes a kernel in one gpu.module and a
// gpu.launch_func; memory operations become those of the gpu dialect:
//
//   linalg.add ins(%a, %b : memref<4xf32, gpu:0>, ...) outs(%c : ...)
//   memref.copy %c, %h : memref<4xf32, gpu:0> to memref<4xf32>
//     ->
//   gpu.launch_func @kernels::@f_0_add blocks in (%n, %c1, %c1)
//     threads in (%c256, %c1, %c1) args(%pa, %pb, %pc : ...)
//     {hetero.device = gpu:0}
//   gpu.memcpy %h, %c {hetero.from = gpu:0, hetero.to = cpu:0}
//
// At the end no type has a device memory space.
//
//===----------------------------------------------------------------------===//

#include "Codegen/GPU/Plan/FuseKernels.h"
#include "Codegen/GPU/Plan/RowShape.h"
#include "Codegen/GPU/Plan/TensorCorePlan.h"
#include "Codegen/GPU/Plan/WarpGroupPlan.h"
#include "Conversion/CopyRows.h"
#include "LibraryOperands.h"
#include "VariantKernels.h"
#include "hetero/Conversion/Passes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"

#include "Codegen/GPU/Kernels/KernelBuilder.h"
#include "hetero/Codegen/Arithmetic/WidenSums.h"
#include "hetero/Codegen/GPU/KernelSupport.h"
#include "hetero/Codegen/GPU/Serialize/SerializeKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CONVERTHETEROTOGPUPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// Old enough to run widely.
static constexpr StringLiteral kDefaultChip = "sm_80";

static constexpr llvm::StringLiteral kKernelModuleName = "hetero_kernels";

/// Buffers of a device that the host stands in for are host memory, too.
static bool isOnHost(Type memref) {
  return isHostAccessible(getTypeDevice(memref));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static bool isContiguous(Value memref) {
  return cast<MemRefType>(memref.getType()).getLayout().isIdentity();
}

/// A contiguous buffer of the same shape on the same device.
static Value createTemporary(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<MemRefType>(like.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(builder, loc, like, i));
  auto packed =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  return memref::AllocOp::create(builder, loc, packed, sizes);
}

/// A copy within one device's memory, or the host's.
static void copyLocally(OpBuilder &builder, Location loc, Value from, Value to,
                        Attribute stream, Attribute region = {}) {
  if (isOnHost(from.getType())) {
    memref::CopyOp::create(builder, loc, from, to);
    return;
  }
  auto copy =
      linalg::CopyOp::create(builder, loc, ValueRange(from), ValueRange(to));
  if (stream)
    copy->setAttr(kDeviceAttrName, stream);
  if (region)
    copy->setAttr(kRegionAttrName, region);
}

/// True if the runtime copies the rows of strided memory as they are. It packs
/// those of the host on their way; a device's copy engine is slow at short
/// ones.
static bool copiesRows(memref::CopyOp op) {
  constexpr int64_t kShortRow = 64;
  auto source = cast<MemRefType>(op.getSource().getType());
  auto target = cast<MemRefType>(op.getTarget().getType());
  if (isOnHost(source) == isOnHost(target))
    return false;
  std::optional<int64_t> last = findCopyRows(source, target);
  if (!last || !source.getElementType().isIntOrFloat())
    return false;
  if (isContiguous(isOnHost(source) ? op.getTarget() : op.getSource()))
    return true;
  int64_t bytes = (source.getElementTypeBitWidth() + 7) / 8;
  for (int64_t size : source.getShape().drop_front(*last + 1)) {
    if (ShapedType::isDynamic(size))
      return true;
    bytes *= size;
  }
  return bytes >= kShortRow;
}

/// Copies between devices are contiguous, or of rows: other strided ends go
/// through a packed temporary on their own device.
static LogicalResult lowerCopy(memref::CopyOp op, bool packsAll) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value source = op.getSource(), target = op.getTarget();
  DeviceAttr from = getTypeDevice(source.getType());
  DeviceAttr to = getTypeDevice(target.getType());
  // With units where the schedule chose one.
  auto getStream = [&](StringRef name, DeviceAttr device) {
    auto stream = op->getAttrOfType<DeviceAttr>(name);
    return stream ? stream : device;
  };
  DeviceAttr fromStream = getStream(kFromAttrName, from);
  DeviceAttr toStream = getStream(kToAttrName, to);
  if (from == to) {
    copyLocally(builder, loc, source, target, toStream,
                op->getAttr(kRegionAttrName));
    op->erase();
    return success();
  }
  Value packedSource = source, packedTarget = target;
  bool keepsRows = !packsAll && copiesRows(op);
  if (!isContiguous(source) && !keepsRows) {
    packedSource = createTemporary(builder, loc, source);
    copyLocally(builder, loc, source, packedSource, fromStream);
  }
  if (!isContiguous(target) && !keepsRows)
    packedTarget = createTemporary(builder, loc, target);
  auto memcpy = gpu::MemcpyOp::create(builder, loc, TypeRange(), ValueRange(),
                                      packedTarget, packedSource);
  memcpy->setAttr(kFromAttrName, fromStream);
  memcpy->setAttr(kToAttrName, toStream);
  if (Attribute name = op->getAttr(kValueAttrName))
    memcpy->setAttr(kValueAttrName, name);
  if (packedTarget != target) {
    if (isHostAccessible(to))
      WaitOp::create(builder, loc, from);
    copyLocally(builder, loc, packedTarget, target, toStream);
    memref::DeallocOp::create(builder, loc, packedTarget);
  }
  if (packedSource != source)
    memref::DeallocOp::create(builder, loc, packedSource);
  op->erase();
  return success();
}

static LogicalResult lowerCopies(ModuleOp module, bool packsAll) {
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp op) {
    if (!isOnHost(op.getSource().getType()) ||
        !isOnHost(op.getTarget().getType()))
      copies.push_back(op);
  });
  for (memref::CopyOp op : copies)
    if (failed(lowerCopy(op, packsAll)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void lowerAlloc(memref::AllocOp op) {
  OpBuilder builder(op);
  auto alloc = gpu::AllocOp::create(
      builder, op.getLoc(), op.getType(), /*asyncToken=*/Type(),
      /*asyncDependencies=*/ValueRange(), op.getDynamicSizes(),
      op.getSymbolOperands());
  setDevice(alloc, getTypeDevice(op.getType()));
  if (Attribute sharer = op->getAttr(kSharedAttrName))
    alloc->setAttr(kSharedAttrName, sharer);
  op.replaceAllUsesWith(alloc.getMemref());
  op.erase();
}

static void lowerDealloc(memref::DeallocOp op) {
  OpBuilder builder(op);
  auto dealloc = gpu::DeallocOp::create(builder, op.getLoc(), TypeRange(),
                                        ValueRange(), op.getMemref());
  setDevice(dealloc, getTypeDevice(op.getMemref().getType()));
  op.erase();
}

/// The constant's bytes are in host memory; its address is asked for per
/// device.
static void lowerGetGlobal(memref::GetGlobalOp op) {
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  auto resident = ResidentOp::create(builder, op.getLoc(), op.getType(), op,
                                     getTypeDevice(op.getType()));
  resident->setAttr(kValueAttrName, builder.getStringAttr(op.getName()));
  op.getResult().replaceAllUsesExcept(resident, resident);
}

static void lowerMemory(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::DeallocOp, memref::GetGlobalOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    Type type = op->getNumResults() ? op->getResult(0).getType()
                                    : op->getOperand(0).getType();
    if (isOnHost(type))
      continue;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      lowerAlloc(alloc);
    else if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      lowerDealloc(dealloc);
    else
      lowerGetGlobal(cast<memref::GetGlobalOp>(op));
  }
}

/// The elements of a constant carry the device in their tensor type.
static void stripInitialValue(memref::GlobalOp global) {
  std::optional<Attribute> value = global.getInitialValue();
  if (!value)
    return;
  auto elements = dyn_cast<ElementsAttr>(*value);
  if (!elements)
    return;
  Type type = withoutDevice(elements.getShapedType());
  if (Attribute retyped = retypeElements(elements, cast<ShapedType>(type)))
    global.setInitialValueAttr(retyped);
}

/// Device memory spaces mean nothing to upstream's lowerings.
static void stripMemorySpaces(ModuleOp module) {
  for (auto global : module.getOps<memref::GlobalOp>())
    stripInitialValue(global);
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!isa_and_nonnull<DeviceAttr>(type.getMemorySpace()))
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  // Both ends have one type now.
  SmallVector<memref::MemorySpaceCastOp> casts;
  module.walk([&](memref::MemorySpaceCastOp op) {
    if (op.getType() == op.getSource().getType())
      casts.push_back(op);
  });
  for (memref::MemorySpaceCastOp op : casts) {
    op.replaceAllUsesWith(op.getSource());
    op.erase();
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// "sm_90a" is 90; 0 for anything else.
static unsigned getArchitecture(StringRef chip) {
  unsigned number = 0;
  if (chip.consume_front("sm_"))
    chip.consumeInteger(10, number);
  return number;
}

/// The chip of the kernels: that of the option, else the lowest that a device
/// of the topology has, since PTX for it runs on the others, too.
static std::string chooseChip(ModuleOp module, StringRef option) {
  if (!option.empty())
    return option.str();
  std::string lowest;
  auto topology = module->getAttrOfType<TopologyAttr>(kTopologyAttrName);
  if (!topology)
    return kDefaultChip.str();
  for (DeviceSpecAttr spec : topology.getDevices()) {
    auto target = dyn_cast_or_null<NVVM::NVVMTargetAttr>(spec.getTarget());
    if (target && (lowest.empty() ||
                   getArchitecture(target.getChip()) < getArchitecture(lowest)))
      lowest = target.getChip().str();
  }
  return lowest.empty() ? kDefaultChip.str() : lowest;
}

/// The first with mma.sync of 16x8x16 f16, and with cp.async.
static constexpr unsigned kTensorCoreArchitecture = 80;

namespace {
/// A product for tensor cores, and what stands around it.
struct PlannedProduct {
  TensorCorePlan plan;
  ProductFusion fusion;
};
} // namespace

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

/// Erases an allocation that is only freed.
static void eraseUnused(Value buffer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  if (!alloc)
    return;
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    if (isOpTriviallyDead(user))
      user->erase();
  if (!llvm::all_of(buffer.getUsers(), llvm::IsaPred<memref::DeallocOp>))
    return;
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    user->erase();
  alloc->erase();
}

/// Moves deallocations between two operations behind the second.
static void freeBehind(Operation *first, Operation *last) {
  SmallVector<Operation *> deallocs;
  for (Operation *op = first; op != last; op = op->getNextNode())
    if (isa<memref::DeallocOp>(op))
      deallocs.push_back(op);
  for (Operation *op : llvm::reverse(deallocs))
    op->moveAfter(last);
}

/// True if the chain loads from the buffer or stores to it.
static bool isAccessed(RowChain &chain, Value buffer) {
  return llvm::any_of(chain.loads,
                      [&](const RowLoad &load) {
                        return load.operand->get() == buffer;
                      }) ||
         llvm::any_of(chain.members, [&](RowMember &member) {
           return llvm::any_of(
               llvm::zip_equal(member.op.getDpsInits(), member.isStored),
               [&](auto init) {
                 return std::get<0>(init) == buffer && std::get<1>(init);
               });
         });
}

/// One kernel for a chain, at the place of its last operation. Erases the
/// operations, and buffers that nothing needs any longer.
static LogicalResult buildChain(gpu::GPUModuleOp kernels, RowChain &chain) {
  SmallVector<linalg::LinalgOp> ops;
  SmallVector<Operation *> done;
  llvm::SmallSetVector<Value, 8> buffers;
  linalg::LinalgOp anchor = chain.members[chain.anchor].op;
  for (RowMember &member : chain.members) {
    contractProducts(member.op);
    ops.push_back(member.op);
    for (linalg::LinalgOp op : {member.op, member.fill})
      if (op && op != anchor)
        done.push_back(op);
    buffers.insert_range(member.op.getDpsInits());
  }
  Operation *last = ops.back();
  freeBehind(ops.front(), last);
  if (anchor != last)
    anchor->moveBefore(last);
  KernelBuilder kernel(kernels, anchor, getRowKernelName(kernels, ops));
  for (Value buffer : buffers)
    if (!isAccessed(chain, buffer))
      kernel.leaveOut(buffer);
  if (failed(kernel.importOperands()))
    return failure();
  for (linalg::LinalgOp op : ops)
    if (failed(kernel.importOperandsOf(op)))
      return failure();
  if (failed(buildRowKernel(kernel, chain)))
    return failure();
  for (Operation *op : done)
    op->erase();
  for (Value buffer : buffers)
    eraseUnused(buffer);
  return success();
}

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
    return buildContractionKernel(kernel);
  if (isReduction)
    return buildReductionKernel(kernel);
  if (isVectorElementwise(op))
    return buildElementwiseKernel(kernel);
  return buildGenericKernel(kernel);
}

/// Operations on device memory, in order.
static SmallVector<linalg::LinalgOp> findDeviceWork(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op.getNumDpsInits() != 0 &&
        !isOnHost(op.getDpsInits().front().getType()))
      ops.push_back(op);
  });
  return ops;
}

/// The bytes of parameters that a kernel may have. LLVM chooses the PTX version
/// that the chip needs, which is 8.6 or later from sm_100 on.
static int64_t getParameterLimit(StringRef chip) {
  return getArchitecture(chip) >= 100 ? kManyParameterBytes : kParameterBytes;
}

/// Checks what the assembler would refuse without naming an operation.
static LogicalResult checkLimits(gpu::GPUModuleOp kernels, StringRef chip) {
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
    auto refuse = [&](StringRef what, int64_t count, int64_t limit) {
      return emitError(kernel.getLoc())
             << "the kernel '" << kernel.getName() << "' of this has " << count
             << " " << what << ", more than the " << limit << " of " << chip
             << "; place the operation on the cpu or split it";
    };
    int64_t parameters = 0, shared = 0;
    for (Type type : kernel.getArgumentTypes()) {
      int64_t bytes =
          type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 8;
      parameters = llvm::alignTo(parameters, bytes) + bytes;
    }
    // A tensor map is a parameter of 128 bytes.
    if (auto maps =
            kernel->getAttrOfType<DenseI32ArrayAttr>(kTensorMapsAttrName))
      parameters += 128 * maps.size();
    for (BlockArgument memory : kernel.getWorkgroupAttributions()) {
      auto type = cast<MemRefType>(memory.getType());
      Type element = type.getElementType();
      int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
      shared += type.getNumElements() * ((bits + 7) / 8);
    }
    if (parameters > getParameterLimit(chip))
      return refuse("bytes of parameters", parameters, getParameterLimit(chip));
    if (shared > kSharedBytes)
      return refuse("bytes of shared memory", shared, kSharedBytes);
  }
  return success();
}

static LogicalResult buildKernels(ModuleOp module, StringRef chip,
                                  bool allowTF32) {
  for (linalg::LinalgOp op : findDeviceWork(module))
    if (auto copy = dyn_cast<linalg::CopyOp>(*op))
      fillInsteadOfCopy(copy);
  SmallVector<linalg::LinalgOp> ops = findDeviceWork(module);
  if (ops.empty())
    return success();
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(module.getContext()));
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto kernels =
      gpu::GPUModuleOp::create(builder, module.getLoc(), kKernelModuleName);
  kernels.setTargetsAttr(
      builder.getArrayAttr({getNVVMTarget(module.getContext(), chip)}));
  for (linalg::LinalgOp op : ops)
    (void)widenBody(op);
  llvm::DenseMap<Operation *, PlannedProduct> products;
  llvm::SmallPtrSet<Operation *, 8> fused;
  for (linalg::LinalgOp op : ops) {
    if (getArchitecture(chip) < kTensorCoreArchitecture)
      continue;
    std::optional<TensorCorePlan> plan = planTensorCores(op, allowTF32);
    if (!plan)
      continue;
    ProductFusion fusion = findProductFusion(op);
    products[op] = {std::move(*plan), fusion};
    fused.insert(fusion.fill);
    fused.insert(fusion.epilogue);
  }
  std::vector<RowChain> chains;
  llvm::DenseMap<Operation *, unsigned> chainOf;
  llvm::SmallPtrSet<Operation *, 8> taken(fused);
  for (auto &[product, fusion] : products)
    taken.insert(product);
  for (linalg::LinalgOp op : ops) {
    if (taken.contains(op) || isTiledContraction(op))
      continue;
    std::optional<RowChain> chain = findRowChain(op, taken);
    if (!chain)
      continue;
    for (RowMember &member : chain->members) {
      taken.insert(member.op);
      fused.insert(member.op);
      fused.insert(member.fill);
    }
    chainOf[chain->members.back().op] = chains.size();
    chains.push_back(std::move(*chain));
  }
  for (linalg::LinalgOp op : ops) {
    if (auto it = chainOf.find(op); it != chainOf.end()) {
      if (failed(buildChain(kernels, chains[it->second])))
        return failure();
      continue;
    }
    if (fused.contains(op))
      continue;
    auto product = products.find(op);
    if (product == products.end()) {
      if (failed(buildKernel(kernels, op)))
        return failure();
      continue;
    }
    const PlannedProduct &planned = product->second;
    std::optional<WarpGroupPlan> groups;
    if (chip == kWarpGroupChip)
      groups = planWarpGroups(op, planned.plan);
    if (failed(groups
                   ? buildProduct(kernels, op, *groups, planned.fusion)
                   : buildProduct(kernels, op, planned.plan, planned.fusion)))
      return failure();
  }
  return checkLimits(kernels, chip);
}

namespace {
struct ConvertHeteroToGPUPass
    : public mlir::hetero::impl::ConvertHeteroToGPUPassBase<
          ConvertHeteroToGPUPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) >= Phase::GPU)
      return;
    std::string target = chooseChip(module, chip);
    prepareLibraryCalls(module);
    if (failed(verifyChip(module.getLoc(), target)) ||
        failed(lowerCopies(module, packCopies)) ||
        failed(buildKernels(module, target, allowTF32)))
      return signalPassFailure();
    mergeVariantKernels(module);
    lowerMemory(module);
    stripMemorySpaces(module);
    setPhase(module, Phase::GPU);
    remarkSummary(module, getArgument(),
                  {{"kernels", countOperations<gpu::GPUFuncOp>},
                   {"launches", countOperations<gpu::LaunchFuncOp>},
                   {"copies", countOperations<gpu::MemcpyOp>},
                   {"buffers", countOperations<gpu::AllocOp>},
                   {"residents", countOperations<ResidentOp>}});
  }
};
} // namespace
