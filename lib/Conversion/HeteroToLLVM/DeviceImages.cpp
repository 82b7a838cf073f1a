//===- DeviceImages.cpp - Embeds device code in the host program ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every gpu.binary becomes a constant HeteroImage (HeteroRuntime.h) with its
// PTX and, where there is one, its cubin. The runtime loads it when a device
// first needs it.
//
//===----------------------------------------------------------------------===//

#include "DeviceImages.h"

#include "Conversion/RuntimeABI/Globals.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::hetero;

std::string mlir::hetero::getImageSymbol(StringRef binary) {
  return ("__hetero_image_" + binary).str();
}

namespace {
/// What a gpu.binary holds.
struct Objects {
  std::string ptx, cubin;
  int32_t major = 0, minor = 0;
};
} // namespace

/// "sm_90a" is compute capability 9.0.
static void parseChip(Attribute target, Objects &objects) {
  auto nvvm = dyn_cast_or_null<NVVM::NVVMTargetAttr>(target);
  if (!nvvm)
    return;
  int32_t number = 0;
  StringRef digits = nvvm.getChip();
  digits.consume_front("sm_");
  digits.consumeInteger(10, number);
  objects.major = number / 10;
  objects.minor = number % 10;
}

static Objects readObjects(gpu::BinaryOp binary) {
  Objects objects;
  for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
    StringRef bytes = object.getObject().getValue();
    parseChip(object.getTarget(), objects);
    if (object.getFormat() == gpu::CompilationTarget::Assembly)
      objects.ptx = bytes.rtrim('\0').str();
    else if (object.getFormat() == gpu::CompilationTarget::Binary)
      objects.cubin = bytes.str();
  }
  return objects;
}

/// Tells images apart.
static int64_t hash(const Objects &objects) {
  return static_cast<int64_t>(llvm::xxh3_64bits(objects.ptx) ^
                              llvm::xxh3_64bits(objects.cubin));
}

static LLVM::GlobalOp createBytes(OpBuilder &builder, Location loc,
                                  StringRef symbol, StringRef bytes) {
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, symbol,
                                builder.getStringAttr(bytes), /*alignment=*/16);
}

/// The fields of HeteroImage, in order.
static LLVM::LLVMStructType getImageType(OpBuilder &builder) {
  Type ptr = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  return LLVM::LLVMStructType::getLiteral(
      builder.getContext(), {ptr, ptr, i64, ptr, i64, i32, i32, i64});
}

static void createImage(OpBuilder &builder, Location loc, StringRef name,
                        const Objects &objects) {
  std::string symbol = getImageSymbol(name);
  auto nameBytes =
      createBytes(builder, loc, symbol + "_name", name.str() + '\0');
  auto ptx = createBytes(builder, loc, symbol + "_ptx", objects.ptx + '\0');
  LLVM::GlobalOp cubin;
  if (!objects.cubin.empty())
    cubin = createBytes(builder, loc, symbol + "_cubin", objects.cubin);
  auto number = [&](Type type, int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  };
  auto address = [&](LLVM::GlobalOp global) -> Value {
    if (global)
      return LLVM::AddressOfOp::create(builder, loc, global);
    return LLVM::ZeroOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
  };
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  createStruct(builder, loc, getImageType(builder), symbol,
               /*isConstant=*/true, [&]() -> SmallVector<Value> {
                 return {address(nameBytes),
                         address(ptx),
                         number(i64, objects.ptx.size()),
                         address(cubin),
                         number(i64, objects.cubin.size()),
                         number(i32, objects.major),
                         number(i32, objects.minor),
                         number(i64, hash(objects))};
               });
}

LogicalResult mlir::hetero::emitDeviceImages(ModuleOp module) {
  OpBuilder builder(module.getContext());
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    Objects objects = readObjects(binary);
    if (objects.ptx.empty())
      return binary.emitOpError("has no PTX; serialize it with format=isa");
    builder.setInsertionPointToStart(module.getBody());
    createImage(builder, binary.getLoc(), binary.getName(), objects);
  }
  return success();
}
