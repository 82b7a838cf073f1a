//===- Unload.cpp - What a program does when it is unloaded ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime knows images, resident constants and what libraries keep by their
// addresses, at which another program may be once this one is closed. So each
// program ends with
//
//   llvm.mlir.global_dtors dtors = [@__hetero_unload], ...
//   llvm.func internal @__hetero_unload() {
//     llvm.call @heteroForget(%image, %bytes)
//     ...
//
//===----------------------------------------------------------------------===//

#include "Unload.h"

#include "Conversion/RuntimeABI/RuntimeFunctions.h"
#include "DeviceImages.h"
#include "LibraryCalls.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

void mlir::hetero::emitUnload(ModuleOp module,
                              const DeviceConstants &constants) {
  std::vector<std::string> symbols;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    symbols.push_back(getImageSymbol(binary.getName()));
  for (const DeviceConstant &constant : constants.all)
    symbols.push_back(constant.symbol);
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getSymName().starts_with(kLibraryStatePrefix))
      symbols.push_back(global.getSymName().str());
  if (symbols.empty())
    return;
  constexpr llvm::StringLiteral kName = "__hetero_unload";
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Type ptr = LLVM::LLVMPointerType::get(module.getContext());
  auto forget = declareRuntimeFunction(builder, module, "heteroForget",
                                       {ptr, builder.getI64Type()});
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), {});
  auto function = LLVM::LLVMFuncOp::create(builder, loc, kName, type,
                                           LLVM::Linkage::Internal);
  LLVM::GlobalDtorsOp::create(
      builder, loc, builder.getArrayAttr({FlatSymbolRefAttr::get(function)}),
      builder.getI32ArrayAttr({65535}),
      builder.getArrayAttr({LLVM::ZeroAttr::get(module.getContext())}));
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  DataLayout layout(module);
  for (const std::string &symbol : symbols) {
    auto global = module.lookupSymbol<LLVM::GlobalOp>(symbol);
    if (!global)
      continue;
    int64_t bytes = layout.getTypeSize(global.getType()).getFixedValue();
    Value address = LLVM::AddressOfOp::create(builder, loc, global);
    Value count = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                           builder.getI64IntegerAttr(bytes));
    LLVM::CallOp::create(builder, loc, forget, ValueRange{address, count});
  }
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}
