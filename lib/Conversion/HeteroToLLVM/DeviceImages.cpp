//===- DeviceImages.cpp - Embeds device code in the host program ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every gpu.binary becomes a constant HeteroImage (HeteroRuntime.h) with its
// code for each chip: PTX and, where there is one, the cubin. The runtime loads
// what suits the device when that first needs it.
//
//===----------------------------------------------------------------------===//

#include "DeviceImages.h"

#include "Conversion/RuntimeABI/Globals.h"
#include "hetero/Codegen/GPU/Plan/Chip.h"
#include "hetero/Runtime/HeteroRuntime.h"
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
/// HeteroCode.
struct Code {
  std::string bytes;
  HeteroCodeFormat format;
  int32_t major = 0, minor = 0;
  HeteroCodeReach reach = HETERO_REACH_LATER;
};
} // namespace

/// "sm_90a" is compute capability 9.0 and nothing else.
static void parseChip(Attribute target, Code &code) {
  auto nvvm = dyn_cast_or_null<NVVM::NVVMTargetAttr>(target);
  if (!nvvm)
    return;
  StringRef chip = nvvm.getChip();
  int32_t number = getArchitecture(chip);
  code.major = number / 10;
  code.minor = number % 10;
  if (isOfOneChip(chip))
    code.reach = HETERO_REACH_SAME;
  else if (chip.ends_with("f"))
    code.reach = HETERO_REACH_MAJOR;
}

static SmallVector<Code> readCodes(gpu::BinaryOp binary) {
  SmallVector<Code> codes;
  for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
    Code code;
    bool isPTX = object.getFormat() == gpu::CompilationTarget::Assembly;
    if (!isPTX && object.getFormat() != gpu::CompilationTarget::Binary)
      continue;
    code.format = isPTX ? HETERO_CODE_PTX : HETERO_CODE_CUBIN;
    code.bytes = object.getObject().getValue().str();
    if (isPTX)
      code.bytes = StringRef(code.bytes).rtrim('\0').str() + '\0';
    parseChip(object.getTarget(), code);
    codes.push_back(std::move(code));
  }
  return codes;
}

/// Tells images apart.
static uint64_t hash(ArrayRef<Code> codes) {
  uint64_t result = 0;
  for (const Code &code : codes)
    result = result * 31 + llvm::xxh3_64bits(code.bytes);
  return result;
}

namespace {
/// Emits the runtime's structs for a gpu.binary.
class ImageEmitter {
public:
  ImageEmitter(OpBuilder &builder, gpu::BinaryOp binary)
      : builder(builder), loc(binary.getLoc()), name(binary.getName()),
        i32(builder.getI32Type()), i64(builder.getI64Type()),
        ptr(LLVM::LLVMPointerType::get(builder.getContext())) {}

  void emit(ArrayRef<Code> codes) {
    std::string symbol = getImageSymbol(name);
    auto nameBytes = createBytes(symbol + "_name", name.str() + '\0');
    LLVM::GlobalOp list = emitCodes(symbol + "_code", codes);
    Type type = getStruct({ptr, ptr, i64, i64});
    createStruct(builder, loc, type, symbol, /*isConstant=*/true,
                 [&]() -> SmallVector<Value> {
                   return {address(nameBytes), address(list),
                           number(i64, codes.size()),
                           number(i64, static_cast<int64_t>(hash(codes)))};
                 });
  }

private:
  LLVM::GlobalOp emitCodes(StringRef symbol, ArrayRef<Code> codes) {
    SmallVector<LLVM::GlobalOp> bytes;
    for (auto [index, code] : llvm::enumerate(codes))
      bytes.push_back(
          createBytes((symbol + "_" + Twine(index)).str(), code.bytes));
    Type type = getStruct({ptr, i64, i32, i32, i32, i32});
    return createStruct(
        builder, loc, LLVM::LLVMArrayType::get(type, codes.size()), symbol,
        /*isConstant=*/true, [&] {
          SmallVector<Value> elements;
          for (auto [code, global] : llvm::zip_equal(codes, bytes))
            elements.push_back(emitCode(type, code, global));
          return elements;
        });
  }

  /// A HeteroCode.
  Value emitCode(Type type, const Code &code, LLVM::GlobalOp bytes) {
    Value fields[] = {address(bytes),           number(i64, code.bytes.size()),
                      number(i32, code.format), number(i32, code.major),
                      number(i32, code.minor),  number(i32, code.reach)};
    Value result = LLVM::PoisonOp::create(builder, loc, type);
    for (auto [index, field] : llvm::enumerate(fields))
      result = LLVM::InsertValueOp::create(builder, loc, result, field, index);
    return result;
  }

  LLVM::GlobalOp createBytes(StringRef symbol, StringRef bytes) {
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    return LLVM::GlobalOp::create(
        builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
        symbol, builder.getStringAttr(bytes), /*alignment=*/16);
  }
  Type getStruct(ArrayRef<Type> fields) {
    return LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
  }
  Value number(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  Value address(LLVM::GlobalOp global) {
    return LLVM::AddressOfOp::create(builder, loc, global);
  }

  OpBuilder &builder;
  Location loc;
  StringRef name;
  Type i32, i64, ptr;
};
} // namespace

LogicalResult mlir::hetero::emitDeviceImages(ModuleOp module) {
  OpBuilder builder(module.getContext());
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    SmallVector<Code> codes = readCodes(binary);
    if (llvm::none_of(codes, [](const Code &code) {
          return code.format == HETERO_CODE_PTX;
        }))
      return binary.emitOpError("has no PTX; serialize it with format=isa");
    builder.setInsertionPointToStart(module.getBody());
    ImageEmitter(builder, binary).emit(codes);
  }
  return success();
}
