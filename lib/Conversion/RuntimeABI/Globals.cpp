//===- Globals.cpp - Data that the runtime reads --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Globals.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

LLVM::GlobalOp
mlir::hetero::createStruct(OpBuilder &builder, Location loc, Type type,
                           StringRef symbol, bool isConstant,
                           llvm::function_ref<SmallVector<Value>()> fields) {
  auto global =
      LLVM::GlobalOp::create(builder, loc, type, isConstant,
                             LLVM::Linkage::Internal, symbol, Attribute());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  SmallVector<Value> values = fields();
  Value value = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [index, field] : llvm::enumerate(values))
    value = LLVM::InsertValueOp::create(builder, loc, value, field, index);
  LLVM::ReturnOp::create(builder, loc, value);
  return global;
}

Value mlir::hetero::getStringAddress(OpBuilder &builder, ModuleOp module,
                                     Location loc, StringRef text) {
  std::string bytes = text.str();
  bytes.push_back('\0');
  StringAttr value = builder.getStringAttr(bytes);
  LLVM::GlobalOp global;
  unsigned count = 0;
  std::string symbol =
      "__hetero_string_" + llvm::toHex(text.take_front(24), true);
  std::string candidate = symbol;
  while ((global = module.lookupSymbol<LLVM::GlobalOp>(candidate)) &&
         global.getValueAttr() != value)
    candidate = symbol + "_" + std::to_string(++count);
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    global = LLVM::GlobalOp::create(builder, module.getLoc(), type,
                                    /*isConstant=*/true,
                                    LLVM::Linkage::Internal, candidate, value);
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}
