//===- EntryPoints.cpp - The functions that callers may call --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoints.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

/// The HETERO_TYPE_* of an element type, or -1.
static int32_t elementTypeOf(Type type) {
  if (type.isIndex())
    return HETERO_TYPE_INDEX;
  if (type.isBF16())
    return HETERO_TYPE_BF16;
  if (type.isF16())
    return HETERO_TYPE_F16;
  if (type.isF32())
    return HETERO_TYPE_F32;
  if (type.isF64())
    return HETERO_TYPE_F64;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return -1;
  switch (integer.getWidth()) {
  case 1:
    return HETERO_TYPE_I1;
  case 8:
    return HETERO_TYPE_I8;
  case 16:
    return HETERO_TYPE_I16;
  case 32:
    return HETERO_TYPE_I32;
  case 64:
    return HETERO_TYPE_I64;
  default:
    return -1;
  }
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
  value.type = elementTypeOf(element);
  if (value.type >= 0 && value.rank <= HETERO_MAX_RANK)
    return value;
  return function.emitError()
         << "the type " << type
         << " cannot cross an entry point; expected a ranked tensor of rank at "
            "most "
         << HETERO_MAX_RANK
         << " or a scalar of i1, i8, i16, i32, i64, f16, bf16, f32, f64 or "
            "index, or make the function private";
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
mlir::hetero::collectEntryPoints(ModuleOp module) {
  std::vector<EntryPoint> entries;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isDeclaration())
      continue;
    FailureOr<EntryPoint> entry = describe(function);
    if (failed(entry))
      return failure();
    entries.push_back(*entry);
  }
  return entries;
}

//===----------------------------------------------------------------------===//
// EntryTable
//===----------------------------------------------------------------------===//

const HeteroSignatureValue *
EntryTable::addSignature(ArrayRef<EntryValue> values) {
  std::vector<HeteroSignatureValue> signature;
  for (const EntryValue &value : values)
    signature.push_back({value.type, value.rank, value.device, value.isDonated,
                         value.sizes.data()});
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
