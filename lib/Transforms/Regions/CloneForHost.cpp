//===- CloneForHost.cpp - What runs where a device is missing -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func @main(...) { hetero.execute on gpu:0 ...; call @part(...) }
//     ->
//   func.func @main(...) { hetero.execute on gpu:0 ...; call @part(...) }
//   func.func @main_on_host(...)
//       attributes {fallback_of = "main", fallback_devices = [gpu:0]} {
//     hetero.execute on cpu:0 ...; call @part_on_host(...)
//   }
//
// Functions are cloned whole after all is decided about the program: what is
// placed, and what it costs, stays as it was.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Regions/CloneFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CLONEFORHOSTPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

using Devices = llvm::SmallSetVector<Attribute, 4>;

/// Notes the devices other than the host that the operation names, in types and
/// attributes, and all in it.
static void collectDevices(Operation *root, Devices &devices) {
  AttrTypeWalker walker;
  walker.addWalk([&](DeviceAttr device) {
    if (device.getKind() != kHostKind || device.getNode() != 0)
      devices.insert(device.getBare());
  });
  root->walk([&](Operation *op) {
    walker.walk(op->getAttrDictionary());
    for (Type type : op->getResultTypes())
      walker.walk(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          walker.walk(type);
  });
}

static bool hasDevices(Operation *op) {
  Devices devices;
  collectDevices(op, devices);
  return !devices.empty();
}

namespace {
/// What an entry point needs.
struct Needs {
  Devices devices;
  /// Variables on devices.
  SmallVector<Operation *> variables;
};
} // namespace

/// Those of the function and of all that it refers to.
static Needs collectNeeds(func::FuncOp function, const SymbolTable &symbols) {
  Needs needs;
  llvm::SetVector<Operation *> reached;
  reached.insert(function);
  for (size_t next = 0; next < reached.size(); ++next) {
    collectDevices(reached[next], needs.devices);
    if (!isa<FunctionOpInterface>(reached[next]) && hasDevices(reached[next]))
      needs.variables.push_back(reached[next]);
    if (auto uses = SymbolTable::getSymbolUses(reached[next]))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (Operation *symbol =
                symbols.lookup(use.getSymbolRef().getRootReference()))
          reached.insert(symbol);
  }
  return needs;
}

/// Entry points that share a variable are on the host together, where it is
/// then. Returns the devices that decide it, by variable.
static llvm::DenseMap<Operation *, Devices>
shareNeeds(MutableArrayRef<Needs> entries) {
  llvm::DenseMap<Operation *, Devices> shared;
  for (bool changes = true; changes;) {
    changes = false;
    for (Needs &entry : entries)
      for (Operation *variable : entry.variables) {
        Devices &devices = shared[variable];
        size_t before = devices.size() + entry.devices.size();
        devices.insert(entry.devices.begin(), entry.devices.end());
        entry.devices.insert(devices.begin(), devices.end());
        changes |= devices.size() + entry.devices.size() != before;
      }
  }
  return shared;
}

/// A device that the program uses on another node than its host, or null.
static DeviceAttr findOtherNode(ModuleOp module) {
  Devices devices;
  for (Operation &op : *module.getBody())
    collectDevices(&op, devices);
  for (Attribute device : devices)
    if (cast<DeviceAttr>(device).getNode() != 0)
      return cast<DeviceAttr>(device);
  return {};
}

/// Why the host cannot run the function; empty if it can.
static StringRef findReason(func::FuncOp function) {
  bool crosses = false;
  auto look = [&](Type type) {
    DeviceAttr device = getTypeDevice(type);
    crosses |= device && device.getKind() != kHostKind;
  };
  llvm::for_each(function.getArgumentTypes(), look);
  llvm::for_each(function.getResultTypes(), look);
  if (function.isPublic() && crosses)
    return "its caller has values on a device";
  WalkResult walk = function.walk([](Operation *op) {
    return isa<gpu::GPUDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
  });
  return walk.wasInterrupted() ? "it has kernels of its own" : "";
}

//===----------------------------------------------------------------------===//
// To the host
//===----------------------------------------------------------------------===//

/// Everything that a device had is the host's, which has no copies.
static void moveToHost(Operation *root) {
  root->walk([](CopyOp op) {
    op.replaceAllUsesWith(op.getSource());
    op.erase();
  });
  root->walk([](arith::ConstantOp op) {
    if (auto type = dyn_cast<ShapedType>(op.getType()))
      if (Attribute elements = retypeElements(
              op.getValue(), cast<ShapedType>(withoutDevice(type))))
        op.setValueAttr(cast<TypedAttr>(elements));
  });
  AttrTypeReplacer replacer;
  replacer.addReplacement([](DeviceAttr device) -> Attribute {
    return device.getKind() == kHostKind
               ? device
               : DeviceAttr::getHost(device.getContext());
  });
  replacer.addReplacement(
      [](RankedTensorType type) -> Type { return withoutDevice(type); });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Variables on devices, of which the clones have their own on the host.
/// `needed` has the devices of which one is missing then.
static void cloneVariables(ModuleOp module, ArrayRef<func::FuncOp> clones,
                           const llvm::DenseMap<Operation *, Devices> &needed,
                           SymbolTable &symbols) {
  Builder builder(module.getContext());
  RenamedSymbols renamed;
  for (Operation &op :
       llvm::make_early_inc_range(module.getBody()->getOperations())) {
    if (isa<FunctionOpInterface>(op) || !isa<SymbolOpInterface>(op) ||
        !hasDevices(&op))
      continue;
    Operation *clone = op.clone();
    StringAttr name = SymbolTable::getSymbolName(&op);
    SymbolTable::setSymbolName(clone, name.str() + "_on_host");
    symbols.insert(clone, std::next(Block::iterator(op)));
    moveToHost(clone);
    for (NamedAttribute attr : llvm::to_vector(clone->getAttrs()))
      if (auto elements = dyn_cast<ElementsAttr>(attr.getValue()))
        if (Attribute moved = retypeElements(
                elements,
                cast<ShapedType>(withoutDevice(elements.getShapedType()))))
          clone->setAttr(attr.getName(), moved);
    if (auto devices = needed.find(&op); devices != needed.end()) {
      clone->setAttr(kFallbackOfAttrName, name);
      clone->setAttr(kFallbackDevicesAttrName,
                     builder.getArrayAttr(devices->second.getArrayRef()));
    }
    renamed[FlatSymbolRefAttr::get(name)] = FlatSymbolRefAttr::get(clone);
  }
  for (func::FuncOp clone : clones)
    renameReferences(clone, renamed);
}

/// What stays without a variant, with a remark: who refers to what the host
/// cannot run.
static llvm::SetVector<func::FuncOp> findBound(ModuleOp module) {
  return findWithUsers(module, [](func::FuncOp function) {
    StringRef reason = hasDevices(function) ? findReason(function) : "";
    if (!reason.empty())
      function.emitRemark("no variant for the host: ") << reason;
    return !reason.empty();
  });
}

namespace {
struct CloneForHostPass
    : public mlir::hetero::impl::CloneForHostPassBase<CloneForHostPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) >= Phase::Codegen || hasVariants(module))
      return;
    if (DeviceAttr other = findOtherNode(module)) {
      module.emitError()
          << "expected a program of one node, got one that uses " << other.str()
          << "; each node would decide by itself whether its devices are "
             "there: run it without fallback=cpu";
      return signalPassFailure();
    }
    llvm::SetVector<func::FuncOp> functions =
        findWithUsers(module, [](func::FuncOp op) { return hasDevices(op); });
    functions.set_subtract(findBound(module));
    SymbolTable symbols(module);
    SmallVector<func::FuncOp> clones =
        cloneFunctions(functions, "on_host", symbols);
    SmallVector<func::FuncOp> entries;
    SmallVector<Needs> needs;
    for (auto [original, clone] : llvm::zip_equal(functions, clones)) {
      func::FuncOp function = original;
      clone->removeAttr(kVariantOfAttrName);
      moveToHost(clone);
      if (!function.isPublic())
        continue;
      entries.push_back(clone);
      needs.push_back(collectNeeds(function, symbols));
      clone->setAttr(kFallbackOfAttrName, function.getSymNameAttr());
    }
    llvm::DenseMap<Operation *, Devices> shared = shareNeeds(needs);
    Builder builder(module.getContext());
    for (auto [clone, needed] : llvm::zip_equal(entries, needs))
      clone->setAttr(kFallbackDevicesAttrName,
                     builder.getArrayAttr(needed.devices.getArrayRef()));
    cloneVariables(module, clones, shared, symbols);
    remarkSummary(
        module, getArgument(),
        {{"entry-points", entries.size()}, {"functions", clones.size()}});
  }

  static bool hasVariants(ModuleOp module) {
    return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp op) {
      return op->hasAttr(kFallbackOfAttrName);
    });
  }
};
} // namespace
