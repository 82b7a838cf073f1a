//===- MergeConstants.cpp - Writes equal elements once --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization makes a memref.global for each type of a constant, and the
// device is in the type: a weight that the host and a device use is there
// twice. What a device uploads is read from the host's memory, so that all
// globals of the same bytes are one:
//
//   memref.global "private" constant @w : memref<4xf32> = dense<...>
//   memref.global "private" constant @w_0 : memref<4xf32, gpu:0> = dense<...>
//     ->
//   llvm.mlir.global private constant @w(dense<...>)
//
// LLVM keeps an array of arrays as a constant for each row, and writes one of
// floats element by element. Where constants are large, or resources that
// upstream does not translate, they are bytes:
//
//   llvm.mlir.global private constant @w(dense_resource<w> : tensor<8x512xf32>)
//     : !llvm.array<8 x array<512 x f32>>
//     ->
//   llvm.mlir.global private constant @w(dense_resource<w> : tensor<16384xi8>)
//     : !llvm.array<16384 x i8>
//
//===----------------------------------------------------------------------===//

#include "MergeConstants.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// What a global is made of. Two with the same are the same memory.
struct Elements {
  ArrayRef<char> bytes;
  int64_t count = 0;
  /// Null if each element is as many whole bytes as it has in `bytes`.
  Type type;
  unsigned width = 0;
  bool isSplat = false;

  bool operator==(const Elements &other) const {
    return std::tie(count, type, width, isSplat) ==
               std::tie(other.count, other.type, other.width, other.isSplat) &&
           bytes == other.bytes;
  }
};
} // namespace

static std::optional<Elements> getElements(memref::GlobalOp global) {
  auto value = dyn_cast_or_null<ElementsAttr>(global.getConstantInitValue());
  if (!value || !global.isPrivate())
    return std::nullopt;
  Type type = value.getElementType();
  Elements elements;
  elements.count = value.getNumElements();
  bool isWhole = type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0;
  elements.type = isWhole ? Type() : type;
  elements.width = isWhole ? type.getIntOrFloatBitWidth() : 0;
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value)) {
    elements.bytes = dense.getRawData();
    elements.isSplat = dense.isSplat();
    return elements;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob)
    return std::nullopt;
  elements.bytes = blob->getData();
  return elements;
}

EqualConstants mlir::hetero::findEqualConstants(ModuleOp module) {
  EqualConstants equal;
  llvm::DenseMap<uint64_t, SmallVector<std::pair<Elements, StringAttr>, 1>>
      byHash;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    std::optional<Elements> elements = getElements(global);
    if (!elements)
      continue;
    auto &known = byHash[llvm::xxh3_64bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(elements->bytes.data()),
                 elements->bytes.size()))];
    auto *same = llvm::find_if(
        known, [&](auto &entry) { return entry.first == *elements; });
    if (same == known.end())
      known.push_back({*elements, global.getSymNameAttr()});
    else
      equal[global.getSymNameAttr()] = same->second;
  }
  return equal;
}

void mlir::hetero::mergeConstants(ModuleOp module,
                                  const EqualConstants &equal) {
  if (equal.empty())
    return;
  llvm::DenseMap<StringAttr, LLVM::GlobalOp> globals;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    globals[global.getSymNameAttr()] = global;
  module.walk([&](LLVM::AddressOfOp op) {
    if (StringAttr kept = equal.lookup(op.getGlobalNameAttr().getAttr()))
      op.setGlobalName(kept);
  });
  for (auto [dropped, kept] : equal) {
    LLVM::GlobalOp from = globals.lookup(dropped), to = globals.lookup(kept);
    uint64_t alignment = std::max(from.getAlignment().value_or(0),
                                  to.getAlignment().value_or(0));
    if (alignment != 0)
      to.setAlignment(alignment);
    from.erase();
  }
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// True for a resource that upstream does not translate to a constant of LLVM:
/// of complex numbers, and of elements of less than a byte, each of which is in
/// one.
static bool isBeyondUpstream(DenseResourceElementsAttr resource,
                             ArrayRef<char> bytes) {
  Type type = resource.getElementType();
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().getIntOrFloatBitWidth() % 8 == 0;
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() < 8 &&
         static_cast<int64_t>(bytes.size()) == resource.getNumElements();
}

/// The bytes of the elements in memory, if they are to be written as such.
static ArrayRef<char> getBytesToWrite(LLVM::GlobalOp global) {
  constexpr size_t kMany = 4096;
  auto value = dyn_cast_or_null<ElementsAttr>(global.getValueOrNull());
  if (!value)
    return {};
  ArrayRef<char> bytes;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      bytes = blob->getData();
    if (isBeyondUpstream(resource, bytes))
      return bytes;
  } else if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value)) {
    if (!dense.isSplat())
      bytes = dense.getRawData();
  }
  Type type = value.getElementType();
  bool isWritten = global.getConstant() && bytes.size() >= kMany &&
                   type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0;
  return isWritten ? bytes : ArrayRef<char>();
}

/// The bytes as elements of their own, without a copy of them.
static ElementsAttr viewAsBytes(ElementsAttr value, ArrayRef<char> bytes) {
  Builder builder(value.getContext());
  auto type = RankedTensorType::get({static_cast<int64_t>(bytes.size())},
                                    builder.getI8Type());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  // The context owns them.
  return DenseResourceElementsAttr::get(
      type, "bytes",
      UnmanagedAsmResourceBlob::allocateWithAlign(bytes, alignof(uint64_t)));
}

void mlir::hetero::writeConstantsAsBytes(ModuleOp module) {
  // What loads of vectors may ask for.
  constexpr uint64_t kAlignment = 64;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    ArrayRef<char> bytes = getBytesToWrite(global);
    if (bytes.empty())
      continue;
    ElementsAttr value =
        viewAsBytes(cast<ElementsAttr>(global.getValueAttr()), bytes);
    global.setValueAttr(value);
    global.setGlobalType(
        LLVM::LLVMArrayType::get(value.getElementType(), bytes.size()));
    global.setAlignment(
        std::max(global.getAlignment().value_or(0), kAlignment));
  }
}
