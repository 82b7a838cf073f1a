//===- EntrySignatures.cpp - Public functions as callers see them ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntrySignatures.h"

#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Conversion/RuntimeABI/ABITypes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::hetero;

/// Fails unless values of the type can cross the ABI.
static LogicalResult checkType(func::FuncOp function, Type type, StringRef what,
                               unsigned index) {
  Type element = type;
  if (auto memref = dyn_cast<MemRefType>(type)) {
    element = memref.getElementType();
    if (memref.getRank() > HETERO_MAX_RANK)
      return function.emitError("expected ")
             << what << " " << index << " of at most rank " << HETERO_MAX_RANK
             << ", got rank " << memref.getRank()
             << "; collapse dimensions before the boundary";
  }
  if (!getABIType(element))
    return function.emitError("type ")
           << element << " of " << what << " " << index
           << " cannot cross an entry point; use " << listABITypes()
           << ", or make the function private";
  return success();
}

/// The HETERO_TYPE_* that callers see.
static int32_t getElementNumber(Type type, Attribute element) {
  if (auto attr = dyn_cast_if_present<TypeAttr>(element))
    return *getABIType(attr.getValue());
  auto memref = dyn_cast<MemRefType>(type);
  return *getABIType(memref ? memref.getElementType() : type);
}

static DeviceAttr deviceOr(DeviceAttr device, MLIRContext *context) {
  return device ? device : DeviceAttr::getHost(context);
}

static EntrySignature::Implementation describeCode(func::FuncOp function) {
  const Processor *processor = getProcessor(function);
  return {("__hetero_impl_" + function.getName()).str(),
          processor ? processor->level : -1};
}

static EntrySignature describe(func::FuncOp function) {
  EntrySignature entry{function.getName().str(),
                       {describeCode(function)},
                       function.getLoc(),
                       function.getFunctionType(),
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       function->hasAttr(kFallbackOfAttrName)};
  MLIRContext *context = function.getContext();
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    entry.argumentDevices.push_back(deviceOr(
        function.getArgAttrOfType<DeviceAttr>(i, kDeviceAttrName), context));
    entry.argumentElements.push_back(
        getElementNumber(function.getArgumentTypes()[i],
                         function.getArgAttr(i, kElementTypeAttrName)));
    if (isDonated(function, i))
      entry.donated.push_back(i);
    entry.sharers.push_back(
        function.getArgAttrOfType<DeviceAttr>(i, kSharedAttrName));
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    entry.resultDevices.push_back(deviceOr(
        function.getResultAttrOfType<DeviceAttr>(i, kDeviceAttrName), context));
    entry.resultElements.push_back(
        getElementNumber(function.getResultTypes()[i],
                         function.getResultAttr(i, kElementTypeAttrName)));
  }
  return entry;
}

/// Tells entry points what stands in for them.
static void linkFallbacks(ArrayRef<func::FuncOp> functions,
                          const llvm::StringMap<unsigned> &numbers,
                          std::vector<EntrySignature> &entries) {
  for (func::FuncOp function : functions) {
    auto of = function->getAttrOfType<StringAttr>(kFallbackOfAttrName);
    if (!of || function->hasAttr(kVariantOfAttrName))
      continue;
    EntrySignature &entry = entries[numbers.lookup(of.getValue())];
    entry.fallback = function.getName().str();
    llvm::append_range(
        entry.fallbackDevices,
        function->getAttrOfType<ArrayAttr>(kFallbackDevicesAttrName)
            .getAsRange<DeviceAttr>());
  }
}

FailureOr<std::vector<EntrySignature>>
mlir::hetero::separateEntryPoints(ModuleOp module) {
  std::vector<EntrySignature> entries;
  llvm::StringMap<unsigned> numbers;
  SmallVector<func::FuncOp> functions, variants;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    functions.push_back(function);
    if (function->hasAttr(kVariantOfAttrName)) {
      variants.push_back(function);
      continue;
    }
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
      if (failed(checkType(function, type, "argument", index)))
        return failure();
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      if (failed(checkType(function, type, "result", index)))
        return failure();
    numbers[function.getName()] = entries.size();
    entries.push_back(describe(function));
  }
  for (func::FuncOp function : variants) {
    auto of = function->getAttrOfType<StringAttr>(kVariantOfAttrName);
    auto number = numbers.find(of.getValue());
    if (number == numbers.end())
      return function.emitError("expected a public function @")
             << of.getValue() << " of which this one is a variant; remove '"
             << kVariantOfAttrName << "'";
    entries[number->second].implementations.push_back(describeCode(function));
  }
  linkFallbacks(functions, numbers, entries);
  SymbolTableCollection symbols;
  SymbolUserMap users(symbols, module);
  for (func::FuncOp function : functions) {
    auto name =
        StringAttr::get(module.getContext(), describeCode(function).symbol);
    users.replaceAllUsesWith(function, name);
    function.setName(name);
    for (unsigned index = 0; index < function.getNumArguments(); ++index) {
      function.removeArgAttr(index, kDonatedAttrName);
      function.removeArgAttr(index, kElementTypeAttrName);
      function.removeArgAttr(index, kSharedAttrName);
    }
    for (unsigned index = 0; index < function.getNumResults(); ++index)
      function.removeResultAttr(
          index, StringAttr::get(module.getContext(), kElementTypeAttrName));
    function.setPrivate();
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(module.getContext(), LLVM::Linkage::Internal));
  }
  return entries;
}

llvm::SetVector<Operation *>
mlir::hetero::findReachable(const SymbolTable &symbols, StringRef root) {
  llvm::SetVector<Operation *> reachable;
  if (Operation *function = symbols.lookup(root))
    reachable.insert(function);
  for (size_t next = 0; next < reachable.size(); ++next) {
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(reachable[next]);
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses)
      if (auto function = symbols.lookup<func::FuncOp>(
              use.getSymbolRef().getRootReference()))
        reachable.insert(function);
  }
  return reachable;
}
