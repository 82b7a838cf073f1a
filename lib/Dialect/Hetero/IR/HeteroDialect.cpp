//===- HeteroDialect.cpp - The hetero dialect -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/AllowTF32.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroVectorOps.h"

#include "hetero/Dialect/Hetero/IR/BranchWeights.h"
#include "hetero/Dialect/Hetero/IR/CarriedDevices.h"
#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::hetero;

#include "hetero/Dialect/Hetero/IR/HeteroDialect.cpp.inc"

namespace {
/// Functions that hold this dialect's operations can be inlined.
struct HeteroInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

/// System specs of DLTI may have keys of this dialect.
struct HeteroSystemSpecInterface : public DataLayoutDialectInterface {
  using DataLayoutDialectInterface::DataLayoutDialectInterface;
  using DataLayoutDialectInterface::verifyEntry;
  LogicalResult verifyEntry(DataLayoutEntryInterface entry,
                            Location loc) const final {
    return verifySystemSpecEntry(entry, [&] { return emitError(loc); });
  }
};
} // namespace

void HeteroDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "hetero/Dialect/Hetero/IR/HeteroOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "hetero/Dialect/Hetero/IR/HeteroVectorOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.cpp.inc"
      >();
  addInterfaces<HeteroInlinerInterface, HeteroSystemSpecInterface>();
}

//===----------------------------------------------------------------------===//
// Names of attributes
//===----------------------------------------------------------------------===//

/// What a misspelt attribute would have said is lost without a word otherwise.
static LogicalResult verifyName(Operation *op, NamedAttribute attr) {
  StringRef name = attr.getName().strref();
  if (llvm::is_contained(kAttributeNames, name))
    return success();
  StringRef nearest;
  unsigned least = ~0u;
  for (StringRef candidate : kAttributeNames) {
    unsigned distance = name.edit_distance(candidate);
    if (distance < least)
      nearest = candidate;
    least = std::min(least, distance);
  }
  return op->emitOpError("has an unknown attribute '")
         << name << "'; did you mean '" << nearest << "'?";
}

//===----------------------------------------------------------------------===//
// Contents of attributes
//===----------------------------------------------------------------------===//

static LogicalResult verifyDeviceAttr(Operation *op, NamedAttribute attr) {
  if (attr.getName() == kDeviceAttrName && !isa<DeviceAttr>(attr.getValue()))
    return op->emitOpError("'")
           << kDeviceAttrName << "' expects a #hetero.device attribute, got "
           << attr.getValue() << "; write #hetero.device<gpu:0>, for example";
  return success();
}

static LogicalResult verifyConflictAttr(Operation *op, NamedAttribute attr) {
  if (attr.getName() != kConflictAttrName ||
      isa<ConflictModeAttr>(attr.getValue()))
    return success();
  return op->emitOpError("'")
         << kConflictAttrName << "' expects a #hetero.conflict attribute, got "
         << attr.getValue()
         << "; write #hetero.conflict<copy>, or replicate, warn or error";
}

/// (C1) on tensors.
static LogicalResult verifyMemoryAttr(Operation *op, NamedAttribute attr,
                                      TypeRange types) {
  if (attr.getName() != kMemoryAttrName)
    return success();
  if (!isa<MemoryScopeAttr>(attr.getValue()))
    return op->emitOpError("'")
           << kMemoryAttrName << "' expects a #hetero.memory attribute, got "
           << attr.getValue() << "; write #hetero.memory<unified>";
  if (!types.empty() &&
      llvm::all_of(types, llvm::IsaPred<TensorType, BaseMemRefType>))
    return success();
  return op->emitOpError("'")
         << kMemoryAttrName << "' expects tensors; remove it, other values are "
         << "on the host";
}

/// (C1) a unit attribute (C2) on an operation that makes tensors (C3) and does
/// nothing else.
static LogicalResult verifyRepeated(Operation *op, NamedAttribute attr) {
  auto refuse = [&](const Twine &expected) {
    return op->emitOpError("'")
           << kRepeatedAttrName << "' expects " << expected
           << "; remove it to make the results once and copy them";
  };
  if (!isa<UnitAttr>(attr.getValue()))
    return refuse("a unit attribute");
  if (op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return refuse("an operation whose results are ranked tensors");
  if (!isMemoryEffectFree(op))
    return refuse("an operation without side effects");
  return success();
}

LogicalResult HeteroDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  if (failed(verifyName(op, attr)))
    return failure();
  if (attr.getName() == kPhaseAttrName && !isa<PhaseAttr>(attr.getValue()))
    return op->emitOpError("'")
           << kPhaseAttrName << "' expects a #hetero.phase attribute, got "
           << attr.getValue() << "; remove it to start from the first phase";
  auto name = dyn_cast<StringAttr>(attr.getValue());
  if (attr.getName() == kColocateAttrName && (!name || name.empty()))
    return op->emitOpError("'")
           << kColocateAttrName << "' expects a name, got " << attr.getValue()
           << "; operations with the same name stand on one device";
  if (attr.getName() == kAllowTF32AttrName &&
      !isa<UnitAttr, BoolAttr>(attr.getValue()))
    return op->emitOpError("'")
           << kAllowTF32AttrName << "' expects true or false, got "
           << attr.getValue() << "; remove it to keep all bits of f32";
  if (attr.getName() == kRepeatedAttrName && failed(verifyRepeated(op, attr)))
    return failure();
  if (failed(verifyConflictAttr(op, attr)) ||
      failed(verifyMemoryAttr(op, attr, op->getResultTypes())))
    return failure();
  if (attr.getName() == kTopologyAttrName &&
      !isa<TopologyAttr>(attr.getValue()))
    return op->emitOpError("'")
           << kTopologyAttrName
           << "' expects a #hetero.topology attribute, got " << attr.getValue()
           << "; remove it for the default topology";
  if (attr.getName() == kBranchWeightsAttrName &&
      failed(verifyRegionWeights(op, attr.getValue())))
    return failure();
  if (failed(verifyCarriedDevices(op, attr)))
    return failure();
  return verifyDeviceAttr(op, attr);
}

/// One positive number for each dynamic dimension of the argument.
static LogicalResult verifyDynamicSizes(Operation *op, Type type,
                                        Attribute attr) {
  auto shaped = dyn_cast<ShapedType>(type);
  int64_t expected =
      shaped && shaped.hasRank() ? shaped.getNumDynamicDims() : 0;
  auto sizes = dyn_cast<DenseI64ArrayAttr>(attr);
  if (expected != 0 && sizes && sizes.size() == expected &&
      llvm::all_of(sizes.asArrayRef(), [](int64_t size) { return size > 0; }))
    return success();
  InFlightDiagnostic error = op->emitOpError("'") << kDynamicSizesAttrName;
  if (expected == 0)
    return error << "' expects an argument with dynamic dimensions, got "
                 << type << "; remove it";
  SmallVector<int64_t> example(expected, 64);
  return error << "' expects an array of a positive number for each of the "
               << expected << " dynamic dimensions of " << type << ", got "
               << attr << "; write "
               << DenseI64ArrayAttr::get(op->getContext(), example)
               << ", for example";
}

/// One text for each dynamic dimension of the argument.
static LogicalResult verifyDimensionNames(Operation *op, Type type,
                                          Attribute attr) {
  auto shaped = dyn_cast<ShapedType>(type);
  auto names = dyn_cast<ArrayAttr>(attr);
  if (shaped && shaped.hasRank() && names &&
      int64_t(names.size()) == shaped.getNumDynamicDims() &&
      llvm::all_of(names, llvm::IsaPred<StringAttr>))
    return success();
  return op->emitOpError("'")
         << kDimensionNamesAttrName
         << "' expects a text for each dynamic dimension of a tensor, got "
         << attr << " for " << type << "; write [\"batch\", \"\"], for example";
}

/// (C1) a unit attribute (C2) on a tensor or a memref (C3) of an entry point.
static LogicalResult verifyDonated(Operation *op, unsigned index,
                                   Attribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto refuse = [&](const Twine &got, StringRef remedy) {
    return op->emitOpError("'")
           << kDonatedAttrName << "' expects a tensor argument of a public "
           << "function, got " << got << "; " << remedy;
  };
  if (!isa<UnitAttr>(attr))
    return refuse("a value for it", "write the name alone");
  if (!function)
    return refuse("another operation", "remove it");
  if (!isa<ShapedType>(function.getArgumentTypes()[index]))
    return refuse("argument " + Twine(index) + ", which is no tensor",
                  "remove it, scalars are passed by value");
  if (function.isPrivate())
    return refuse("a private function",
                  "remove it, its callers are compiled with it");
  return success();
}

LogicalResult HeteroDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                      unsigned index,
                                                      NamedAttribute attr) {
  if (failed(verifyName(op, attr)))
    return failure();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (attr.getName() == kDynamicSizesAttrName && function)
    return verifyDynamicSizes(op, function.getArgumentTypes()[index],
                              attr.getValue());
  if (attr.getName() == kDimensionNamesAttrName && function)
    return verifyDimensionNames(op, function.getArgumentTypes()[index],
                                attr.getValue());
  if (attr.getName() == kDonatedAttrName)
    return verifyDonated(op, index, attr.getValue());
  Type type = function ? function.getArgumentTypes()[index] : Type();
  if (failed(verifyConflictAttr(op, attr)) ||
      failed(verifyMemoryAttr(op, attr, type ? TypeRange(type) : TypeRange())))
    return failure();
  return verifyDeviceAttr(op, attr);
}

LogicalResult HeteroDialect::verifyRegionResultAttribute(Operation *op,
                                                         unsigned, unsigned,
                                                         NamedAttribute attr) {
  if (failed(verifyName(op, attr)))
    return failure();
  return verifyDeviceAttr(op, attr);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

Phase mlir::hetero::getPhase(Operation *module) {
  auto phase = module->getAttrOfType<PhaseAttr>(kPhaseAttrName);
  return phase ? phase.getValue() : Phase::None;
}

void mlir::hetero::setPhase(Operation *module, Phase phase) {
  module->setAttr(kPhaseAttrName, PhaseAttr::get(module->getContext(), phase));
}

//===----------------------------------------------------------------------===//
// Devices of types and operations
//===----------------------------------------------------------------------===//

DeviceAttr mlir::hetero::getTypeDevice(Type type) {
  Attribute place;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    place = tensor.getEncoding();
  else if (auto memref = dyn_cast<BaseMemRefType>(type))
    place = memref.getMemorySpace();
  else if (!isa<UnrankedTensorType>(type))
    return {};
  if (!place)
    return DeviceAttr::getHost(type.getContext());
  return dyn_cast<DeviceAttr>(place);
}

Type mlir::hetero::withDevice(Type type, DeviceAttr device) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  Attribute encoding;
  if (!device.isHost())
    encoding = device.getBare();
  if (encoding == tensor.getEncoding())
    return type;
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               encoding);
}

Type mlir::hetero::withoutDevice(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isa_and_nonnull<DeviceAttr>(tensor.getEncoding()))
    return type;
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType());
}

Attribute mlir::hetero::retypeElements(Attribute value, ShapedType type) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.reshape(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return {};
}

DeviceAttr mlir::hetero::getDevice(Operation *op) {
  return dyn_cast_or_null<DeviceAttr>(op->getDiscardableAttr(kDeviceAttrName));
}

void mlir::hetero::setDevice(Operation *op, DeviceAttr device) {
  op->setDiscardableAttr(kDeviceAttrName, device);
}

ConflictMode mlir::hetero::getConflictMode(Operation *op,
                                           ConflictMode otherwise) {
  for (; op; op = op->getParentOp())
    if (auto own = dyn_cast_or_null<ConflictModeAttr>(
            op->getDiscardableAttr(kConflictAttrName)))
      return own.getValue();
  return otherwise;
}

ConflictMode mlir::hetero::getConflictMode(Value value,
                                           ConflictMode otherwise) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return getConflictMode(value.getDefiningOp(), otherwise);
  Operation *parent = argument.getOwner()->getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(parent);
  if (function && argument.getOwner()->isEntryBlock())
    if (auto own = function.getArgAttrOfType<ConflictModeAttr>(
            argument.getArgNumber(), kConflictAttrName))
      return own.getValue();
  return getConflictMode(parent, otherwise);
}

bool mlir::hetero::isInUnifiedMemory(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  // What a loop carries is where its results are.
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  Attribute scope;
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(op)) {
    if (argument.getOwner()->isEntryBlock())
      scope = function.getArgAttr(argument.getArgNumber(), kMemoryAttrName);
  } else if (op) {
    scope = op->getDiscardableAttr(kMemoryAttrName);
  }
  auto memory = dyn_cast_or_null<MemoryScopeAttr>(scope);
  return memory && memory.getValue() == MemoryScope::Unified;
}

void mlir::hetero::removeOwnAttributes(Operation *op) {
  auto isOwn = [](NamedAttribute attribute) {
    return attribute.getName().strref().starts_with("hetero.");
  };
  for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
    if (isOwn(attribute))
      op->removeDiscardableAttr(attribute.getName());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attribute : llvm::to_vector(function.getArgAttrs(i)))
      if (isOwn(attribute))
        function.removeArgAttr(i, attribute.getName());
}
