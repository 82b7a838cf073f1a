//===- Tensors.cpp - Constants of the file --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tensors.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Constants of at most so many bytes are attributes, which passes fold.
static constexpr uint64_t kMaxDenseBytes = 1024;
/// Sparse tensors become dense ones of at most so many bytes.
static constexpr int64_t kMaxSparseBytes = int64_t(1) << 28;
/// TensorProto.DataLocation of tensors in other files.
static constexpr int32_t kExternal = 1;

LogicalResult TensorReader::fail(const TensorProto &proto,
                                 const Twine &message) {
  error = ("tensor \"" + proto.name + "\": " + message).str();
  return failure();
}

FailureOr<int64_t> TensorReader::count(const TensorProto &proto) {
  int64_t product = 1;
  bool isEmpty = llvm::is_contained(proto.dims, 0);
  for (int64_t size : proto.dims) {
    if (size < 0)
      return fail(proto, "a size is negative (" + Twine(size) + ")");
    // Elements have at least two bits, and bytes are counted in 64 bits.
    if (!isEmpty && (llvm::MulOverflow(product, size, product) ||
                     product > (int64_t(1) << 56)))
      return fail(proto, "the product of its sizes is too large");
  }
  return isEmpty ? 0 : product;
}

FailureOr<SharedBytes> TensorReader::openExternal(const TensorProto &proto,
                                                  StringRef location) {
  if (SharedBytes known = externalFiles.lookup(location))
    return known;
  if (location.empty() || llvm::sys::path::is_absolute(location) ||
      location.contains('\0'))
    return fail(proto, "external data is in '" + location +
                           "'; only a path relative to the model is allowed");
  auto leaves = [&] {
    return fail(proto, "external data '" + location +
                           "' leaves the folder of the model");
  };
  SmallString<256> path(location), real, realFolder;
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  if (StringRef(path).starts_with(".."))
    return leaves();
  path = folder;
  llvm::sys::path::append(path, location);
  if (std::error_code code = llvm::sys::fs::real_path(path, real))
    return fail(proto, "external data '" + path +
                           "' cannot be read: " + code.message());
  if (llvm::sys::fs::real_path(folder.empty() ? "." : folder, realFolder))
    return leaves();
  // Links may lead elsewhere.
  if (realFolder != "/")
    realFolder += "/";
  if (!StringRef(real).starts_with(realFolder))
    return leaves();
  if (!llvm::sys::fs::is_regular_file(real))
    return fail(proto, "external data '" + path + "' is no file");
  auto buffer = llvm::MemoryBuffer::getFile(real, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(proto, "external data '" + path +
                           "' cannot be read: " + buffer.getError().message());
  return externalFiles[location] = SharedBytes(std::move(*buffer));
}

LogicalResult TensorReader::readExternal(const TensorProto &proto, Raw &raw,
                                         uint64_t size) {
  StringRef location;
  uint64_t offset = 0;
  for (const StringStringEntryProto &entry : proto.externalData) {
    uint64_t number = 0;
    bool isNumber = entry.key == "offset" || entry.key == "length";
    if (isNumber && entry.value.getAsInteger(10, number))
      return fail(proto, entry.key + " of external data is '" + entry.value +
                             "', which is no number");
    if (entry.key == "location")
      location = entry.value;
    else if (entry.key == "offset")
      offset = number;
    else if (entry.key == "length")
      size = number;
  }
  FailureOr<SharedBytes> external = openExternal(proto, location);
  if (failed(external))
    return failure();
  StringRef bytes = (*external)->getBuffer();
  if (offset > bytes.size() || size > bytes.size() - offset)
    return fail(proto, "external data '" + location + "' has " +
                           Twine(bytes.size()) + " bytes; it needs " +
                           Twine(size) + " from byte " + Twine(offset));
  raw.bytes = bytes.substr(offset, size);
  raw.keeper = *external;
  return success();
}

LogicalResult TensorReader::readNumbers(const TensorProto &proto, Raw &raw) {
  auto view = [&](const auto &numbers) {
    raw.bytes = numbers.bytes;
    raw.keeper = file;
    if (numbers.joined)
      raw.keeper = numbers.joined;
    return success();
  };
  auto decode = [&](const auto &numbers, unsigned width) -> LogicalResult {
    std::string decoded;
    // A number has a byte at least.
    decoded.reserve(std::min<uint64_t>(raw.count, numbers.bytes.size()) *
                    width);
    wire::Reader reader(numbers.bytes);
    wire::Field field{0, wire::Kind::Bytes, 0, numbers.bytes};
    if (!reader.readNumbers(field, wire::Kind::Varint, [&](uint64_t number) {
          decoded.append(reinterpret_cast<const char *>(&number), width);
        }))
      return fail(proto, "its data is damaged: a number does not end");
    raw.keep(std::move(decoded));
    return success();
  };
  auto type = ElementType(proto.dataType);
  switch (type) {
  case ElementType::F32:
  case ElementType::C64:
    return view(proto.floats);
  case ElementType::F64:
  case ElementType::C128:
    return view(proto.doubles);
  case ElementType::I64:
    return decode(proto.int64s, 8);
  case ElementType::U32:
  case ElementType::U64:
    return decode(proto.uint64s, getBitWidth(type) / 8);
  default:
    // Elements of less than a byte are packed in each number.
    return decode(proto.int32s, std::max(getBitWidth(type) / 8, 1u));
  }
}

/// The elements of a packed type, one a byte, the low bits first.
static std::string unpack(StringRef bytes, unsigned bits, int64_t count,
                          bool hasSign) {
  std::string unpacked(count, 0);
  if (bits == 6) {
    for (int64_t i = 0; i < count; ++i) {
      unsigned at = i * 6 / 8, shift = i * 6 % 8;
      unsigned pair = uint8_t(bytes[at]);
      if (at + 1 < bytes.size())
        pair |= unsigned(uint8_t(bytes[at + 1])) << 8;
      unpacked[i] = char((pair >> shift) & 63);
    }
    return unpacked;
  }
  unsigned perByte = 8 / bits;
  for (int64_t i = 0; i < count; ++i) {
    uint8_t byte = uint8_t(bytes[i / perByte]) >> (i % perByte * bits);
    byte = uint8_t(byte << (8 - bits));
    unpacked[i] =
        hasSign ? char(int8_t(byte) >> (8 - bits)) : char(byte >> (8 - bits));
  }
  return unpacked;
}

/// The largest power of two, up to 64, that an address is a multiple of.
static size_t getAlignment(const void *address) {
  auto number = reinterpret_cast<uintptr_t>(address);
  return number ? std::min<size_t>(number & -number, 64) : 64;
}

/// A resource over bytes that `keeper` keeps.
static ElementsAttr makeResource(RankedTensorType type, StringRef name,
                                 StringRef bytes,
                                 std::shared_ptr<void> keeper) {
  return DenseResourceElementsAttr::get(
      type, name,
      UnmanagedAsmResourceBlob::allocateWithAlign(
          ArrayRef<char>(bytes.data(), bytes.size()),
          getAlignment(bytes.data()),
          [keeper](void *, size_t, size_t) mutable { keeper.reset(); },
          /*dataIsMutable=*/false));
}

/// A dense attribute of elements that each have whole bytes.
static ElementsAttr makeDense(RankedTensorType type, ElementType element,
                              StringRef bytes) {
  if (element == ElementType::Bool) {
    SmallVector<bool> bits;
    for (char byte : bytes)
      bits.push_back(byte != 0);
    return DenseElementsAttr::get(type, bits);
  }
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(bytes.data(), bytes.size()));
}

FailureOr<TensorReader::Raw> TensorReader::readRaw(const TensorProto &proto) {
  auto element = ElementType(proto.dataType);
  if (!getStorageType(context, element))
    return fail(proto, "its elements are of type " + getName(element) + " (" +
                           Twine(proto.dataType) + "), which is not supported");
  FailureOr<int64_t> elements = count(proto);
  if (failed(elements))
    return failure();
  unsigned bits = getBitWidth(element);
  uint64_t size = llvm::divideCeil(uint64_t(*elements) * bits, 8);
  Raw raw{*elements, {}, {}};
  if (proto.dataLocation == kExternal) {
    if (failed(readExternal(proto, raw, size)))
      return failure();
  } else if (proto.raw) {
    raw.bytes = *proto.raw;
    raw.keeper = file;
  } else if (failed(readNumbers(proto, raw))) {
    return failure();
  }
  if (raw.bytes.size() != size)
    return fail(proto, "it has " + Twine(raw.bytes.size()) +
                           " bytes of data, and its type needs " + Twine(size));
  return raw;
}

void TensorReader::unpackBytes(Raw &raw, ElementType type) {
  if (getBitWidth(type) < 8)
    raw.keep(unpack(raw.bytes, getBitWidth(type), raw.count,
                    isInteger(type) && !isUnsigned(type)));
}

/// A constant of these bytes, fewer than its elements where they are packed.
static Tensor makeTensor(MLIRContext *context, ElementType element,
                         ArrayRef<int64_t> dims, StringRef name,
                         StringRef bytes, std::shared_ptr<void> keeper) {
  Tensor tensor{element};
  tensor.name = name;
  Builder builder(context);
  for (int64_t dim : dims)
    tensor.sizes.push_back(builder.getIndexAttr(dim));
  auto type = RankedTensorType::get(dims, getStorageType(context, element));
  bool isDense = bytes.size() <= kMaxDenseBytes || element == ElementType::Bool;
  if (name.empty())
    name = "constant";
  int64_t size = bytes.size();
  if (isDense)
    tensor.constant = makeDense(type, element, bytes);
  else if (size < type.getNumElements())
    tensor.packed =
        makeResource(RankedTensorType::get(size, type.getElementType()), name,
                     bytes, std::move(keeper));
  else
    tensor.constant = makeResource(type, name, bytes, std::move(keeper));
  return tensor;
}

FailureOr<Tensor> TensorReader::read(const TensorProto &proto) {
  FailureOr<Raw> raw = readRaw(proto);
  if (failed(raw))
    return failure();
  auto element = ElementType(proto.dataType);
  bool isPacked = getBitWidth(element) == 2 || getBitWidth(element) == 4;
  if (!isPacked || raw->bytes.size() <= kMaxDenseBytes)
    unpackBytes(*raw, element);
  return makeTensor(context, element, proto.dims, proto.name, raw->bytes,
                    raw->keeper);
}

/// The place of an element from its indices, one of all elements or one for
/// each dimension; nullopt if it is outside.
static std::optional<int64_t> findPlace(ArrayRef<int64_t> indices,
                                        ArrayRef<int64_t> dims, int64_t count) {
  int64_t place = 0;
  if (indices.size() == dims.size())
    for (auto [index, size] : llvm::zip_equal(indices, dims)) {
      if (index < 0 || index >= size)
        return std::nullopt;
      place = place * size + index;
    }
  else
    place = indices[0];
  return place >= 0 && place < count ? std::optional(place) : std::nullopt;
}

FailureOr<Tensor> TensorReader::read(const SparseTensorProto &proto) {
  if (!proto.values || !proto.indices)
    return fail({}, "a sparse tensor has no values or no indices");
  const TensorProto &values = *proto.values;
  FailureOr<Raw> stored = readRaw(values), places = readRaw(*proto.indices);
  if (failed(stored) || failed(places))
    return failure();
  unpackBytes(*stored, ElementType(values.dataType));
  TensorProto shape;
  shape.dims = proto.dims;
  shape.name = values.name;
  FailureOr<int64_t> elements = count(shape);
  if (failed(elements))
    return failure();
  int64_t width = stored->count ? stored->bytes.size() / stored->count : 1;
  int64_t each = stored->count ? places->count / stored->count : 1;
  if (*elements > kMaxSparseBytes / width)
    return fail(shape, "as a dense tensor it has more than 256 MiB");
  if (ElementType(proto.indices->dataType) != ElementType::I64 ||
      each * stored->count != places->count ||
      (each != 1 && each != int64_t(proto.dims.size())))
    return fail(shape, "its indices do not fit its values");
  std::string bytes(*elements * width, 0);
  for (int64_t i = 0; i < stored->count; ++i) {
    SmallVector<int64_t> indices(each);
    memcpy(indices.data(), places->bytes.data() + i * each * 8, each * 8);
    std::optional<int64_t> place = findPlace(indices, proto.dims, *elements);
    if (!place)
      return fail(shape, "an index of a value is outside of its sizes");
    memcpy(&bytes[*place * width], stored->bytes.data() + i * width, width);
  }
  Raw dense{*elements, {}, {}};
  dense.keep(std::move(bytes));
  return makeTensor(context, ElementType(values.dataType), proto.dims,
                    values.name, dense.bytes, dense.keeper);
}
