//===- EntryPoints.cpp - The functions that callers may call --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/EntryPoints.h"

#include "hetero/Conversion/RuntimeABI/ABITypes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

/// Nodes besides the first have symbols of their own.
static std::string addNode(const std::string &symbol, int32_t node) {
  return node == 0 ? symbol : symbol + "_node" + std::to_string(node);
}

std::string EntryPoint::getSymbol() const {
  return addNode(name == "main" ? "hetero_main" : name, node);
}

std::string mlir::hetero::getStateTableSymbol(int32_t node) {
  return addNode(kStateTableSymbol.str(), node);
}

/// The runtime's number of a device that the attribute or the type names.
static int32_t deviceNumber(Attribute attribute, Type type) {
  auto device = dyn_cast_if_present<DeviceAttr>(attribute);
  if (!device)
    device = getTypeDevice(type);
  if (isHostAccessible(device))
    return HETERO_HOST;
  return device.hasOrdinal() ? static_cast<int32_t>(device.getOrdinal()) : 0;
}

static FailureOr<EntryValue> describe(func::FuncOp function, Type type,
                                      Attribute device) {
  EntryValue value;
  llvm::raw_string_ostream(value.text) << withoutDevice(type);
  value.rank = HETERO_SCALAR;
  value.device = HETERO_HOST;
  Type element = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    element = tensor.getElementType();
    value.rank = static_cast<int32_t>(tensor.getRank());
    value.device = deviceNumber(device, type);
    for (int64_t size : tensor.getShape())
      value.sizes.push_back(ShapedType::isDynamic(size) ? HETERO_DYNAMIC
                                                        : size);
  }
  value.type = getABIType(element).value_or(-1);
  if (value.type >= 0 && value.rank <= HETERO_MAX_RANK)
    return value;
  return function.emitError()
         << "the type " << type
         << " cannot cross an entry point; expected a ranked tensor of rank at "
            "most "
         << HETERO_MAX_RANK << " or a scalar of " << listABITypes()
         << ", or make the function private";
}

static FailureOr<EntryPoint> describe(func::FuncOp function) {
  EntryPoint entry;
  entry.name = function.getName().str();
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto value =
        describe(function, type, function.getArgAttr(index, kDeviceAttrName));
    if (failed(value))
      return failure();
    entry.arguments.push_back(*value);
    entry.arguments.back().isDonated = isDonated(function, index);
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    auto value = describe(function, type,
                          function.getResultAttr(index, kDeviceAttrName));
    if (failed(value))
      return failure();
    entry.results.push_back(*value);
  }
  return entry;
}

FailureOr<std::vector<EntryPoint>>
mlir::hetero::collectEntryPoints(ModuleOp module, StringRef wanted) {
  std::vector<EntryPoint> entries;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isDeclaration())
      continue;
    std::optional<ScopedDiagnosticHandler> quiet;
    bool isOther = !wanted.empty() && function.getName() != wanted;
    if (isOther)
      quiet.emplace(module.getContext(),
                    [](Diagnostic &) { return success(); });
    FailureOr<EntryPoint> entry = describe(function);
    if (failed(entry) && !isOther)
      return failure();
    if (succeeded(entry))
      entries.push_back(*entry);
  }
  return entries;
}

void mlir::hetero::readSharers(ModuleOp lowered,
                               std::vector<EntryPoint> &entries) {
  for (EntryPoint &entry : entries) {
    auto function = lowered.lookupSymbol<LLVM::LLVMFuncOp>(entry.name);
    auto sharers =
        function ? function->getAttrOfType<DenseI32ArrayAttr>(kSharedAttrName)
                 : DenseI32ArrayAttr();
    if (!sharers)
      continue;
    for (auto [value, sharer] :
         llvm::zip(entry.arguments, sharers.asArrayRef()))
      value.sharer = sharer;
  }
}

//===----------------------------------------------------------------------===//
// EntryTable
//===----------------------------------------------------------------------===//

const HeteroSignatureValue *
EntryTable::addSignature(ArrayRef<EntryValue> values) {
  std::vector<HeteroSignatureValue> signature;
  for (const EntryValue &value : values)
    signature.push_back({value.type, value.rank, value.getPlace(),
                         value.isDonated, value.sizes.data()});
  signatures.push_back(std::move(signature));
  return signatures.back().data();
}

EntryTable::EntryTable(ArrayRef<EntryPoint> entries)
    : entries(entries.begin(), entries.end()) {
  // Names and sizes are those of the copy, which stays where it is.
  for (const EntryPoint &entry : this->entries)
    table.push_back({entry.name.c_str(), nullptr,
                     static_cast<int64_t>(entry.arguments.size()),
                     addSignature(entry.arguments),
                     static_cast<int64_t>(entry.results.size()),
                     addSignature(entry.results)});
}
