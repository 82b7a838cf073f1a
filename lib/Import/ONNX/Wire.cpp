//===- Wire.cpp - Protobuf's wire format over mapped bytes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Wire.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

using namespace mlir::hetero::onnx::wire;
using llvm::StringRef;
using llvm::Twine;

bool Reader::fail(const char *at, const Twine &message) {
  if (error.empty())
    error = ("the file is damaged at byte " + Twine(at - file.data()) + ": " +
             message)
                .str();
  return false;
}

bool Reader::enter(StringRef message, unsigned depth) {
  return depth < kMaxDepth || fail(message.data(), "messages nest too deep");
}

std::optional<uint64_t> Reader::readVarint(StringRef &rest) {
  uint64_t value = 0;
  for (unsigned i = 0; i < 10 && i < rest.size(); ++i) {
    uint8_t byte = rest[i];
    value |= uint64_t(byte & 127) << (7 * i);
    if (byte < 128) {
      rest = rest.drop_front(i + 1);
      return value;
    }
  }
  fail(rest.data(), "a number does not end");
  return std::nullopt;
}

std::optional<uint64_t> Reader::readFixed(StringRef &rest, unsigned size) {
  if (rest.size() < size) {
    fail(rest.data(), "a number of " + Twine(size) + " bytes does not end");
    return std::nullopt;
  }
  uint64_t value = size == 4 ? llvm::support::endian::read32le(rest.data())
                             : llvm::support::endian::read64le(rest.data());
  rest = rest.drop_front(size);
  return value;
}

std::optional<Field> Reader::next(StringRef &rest) {
  const char *start = rest.data();
  std::optional<uint64_t> tag = readVarint(rest);
  if (!tag)
    return std::nullopt;
  if (*tag >> 3 == 0 || *tag >> 32) {
    fail(start, "a field has no number");
    return std::nullopt;
  }
  Field field{uint32_t(*tag >> 3), Kind(*tag & 7), 0, rest};
  std::optional<uint64_t> value;
  switch (field.kind) {
  case Kind::Varint:
    value = readVarint(rest);
    break;
  case Kind::Fixed64:
    value = readFixed(rest, 8);
    break;
  case Kind::Fixed32:
    value = readFixed(rest, 4);
    break;
  case Kind::Bytes:
    value = readVarint(rest);
    if (value && *value > rest.size()) {
      fail(start, "a field of " + Twine(*value) + " bytes has only " +
                      Twine(rest.size()));
      return std::nullopt;
    }
    if (value) {
      field.bytes = rest.take_front(*value);
      rest = rest.drop_front(*value);
    }
    break;
  default:
    fail(start, "a field has an unknown kind " + Twine(*tag & 7));
  }
  if (!value)
    return std::nullopt;
  if (field.kind != Kind::Bytes)
    field.bytes = field.bytes.drop_back(rest.size());
  field.value = *value;
  return field;
}

bool Reader::readNumbers(const Field &field, Kind element,
                         llvm::function_ref<void(uint64_t)> take) {
  if (field.kind == element) {
    take(field.value);
    return true;
  }
  if (field.kind != Kind::Bytes)
    return fail(field.bytes.data(),
                "field " + Twine(field.number) + " has another kind of value");
  StringRef rest = field.bytes;
  while (!rest.empty()) {
    std::optional<uint64_t> value =
        element == Kind::Varint
            ? readVarint(rest)
            : readFixed(rest, element == Kind::Fixed32 ? 4 : 8);
    if (!value)
      return false;
    take(*value);
  }
  return true;
}
