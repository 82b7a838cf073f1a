//===- CallBuilder.cpp - Emits calls of the runtime -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallBuilder.h"

#include "Globals.h"
#include "RuntimeFunctions.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

CallBuilder::CallBuilder(OpBuilder &builder, Operation *op)
    : builder(builder), op(op), loc(op->getLoc()),
      module(op->getParentOfType<ModuleOp>()) {}

Type CallBuilder::i32() { return builder.getI32Type(); }

Type CallBuilder::i64() { return builder.getI64Type(); }

Type CallBuilder::ptr() {
  return LLVM::LLVMPointerType::get(builder.getContext());
}

Value CallBuilder::constant32(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, i32(),
                                  builder.getI32IntegerAttr(value));
}

Value CallBuilder::constant64(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, i64(),
                                  builder.getI64IntegerAttr(value));
}

Value CallBuilder::device(DeviceAttr device) {
  return constant32(getDeviceId(device));
}

Value CallBuilder::stream(DeviceAttr device) {
  int32_t id = getDeviceId(device), unit = 0;
  if (auto units = module->getAttrOfType<ArrayAttr>(kUnitsAttrName);
      units && id != HETERO_HOST && !device.getUnit().empty())
    for (auto [index, name] : llvm::enumerate(units))
      if (cast<StringAttr>(name).getValue() == device.getUnit())
        unit = index + 1;
  return constant32(id == HETERO_HOST ? id : HETERO_UNIT(id, unit));
}

Value CallBuilder::string(StringRef text) {
  return getStringAddress(builder, module, loc, text);
}

Value CallBuilder::stackSlot(Type type, int64_t count, unsigned alignment) {
  OpBuilder::InsertionGuard guard(builder);
  auto function = op->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  return LLVM::AllocaOp::create(builder, loc, ptr(), type, constant64(count),
                                alignment);
}

void CallBuilder::call(StringRef name, ValueRange arguments) {
  auto function = declareRuntimeFunction(builder, module, name,
                                         llvm::to_vector(arguments.getTypes()));
  auto call = LLVM::CallOp::create(builder, loc, function, arguments);
  call->setAttr(kCheckedAttrName, builder.getUnitAttr());
}

Value CallBuilder::alloc(Value place, Value bytes, int64_t alignment) {
  Value slot = stackSlot(ptr());
  call("heteroAlloc", {place, bytes, constant64(alignment), slot});
  return LLVM::LoadOp::create(builder, loc, ptr(), slot);
}
