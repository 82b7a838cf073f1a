//===- Wire.h - Protobuf's wire format over mapped bytes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads protobuf's wire format over bytes that stay where they are. A message
// is a list of fields; a struct says what its fields are once, in a static
// function:
//
//   static void fields(Fields<Node> &f) {
//     f.at(1, &Node::inputs);
//     f.at(5, &Node::attributes);
//   }
//
// Strings, bytes and packed numbers are views into the file.

#ifndef HETERO_LIB_IMPORT_ONNX_WIRE_H
#define HETERO_LIB_IMPORT_ONNX_WIRE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::hetero::onnx::wire {

/// Messages may nest this deep: protobuf's own limit.
constexpr unsigned kMaxDepth = 100;

/// How a field is written.
enum class Kind : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// One field of a message: a view of bytes, which are those of a number or what
/// comes after their count.
struct Field {
  uint32_t number;
  Kind kind;
  uint64_t value = 0;
  llvm::StringRef bytes;
};

/// Many numbers, as they are in the file.
template <typename T> struct Numbers {
  void add(llvm::StringRef more) {
    if (bytes.empty()) {
      bytes = more;
      return;
    }
    if (!joined)
      joined = std::make_shared<std::string>(bytes);
    *joined += more;
    bytes = *joined;
  }

  llvm::StringRef bytes;
  /// Keeps the bytes of more than one field.
  std::shared_ptr<std::string> joined;
};

/// The place of an error and its one sentence; the first error is kept.
class Reader {
public:
  explicit Reader(llvm::StringRef file) : file(file) {}

  /// Records an error at bytes of the file. Always false.
  bool fail(const char *at, const llvm::Twine &message);
  const std::string &getError() const { return error; }

  /// Reads the next field, and takes it off `rest`; nullopt after an error.
  std::optional<Field> next(llvm::StringRef &rest);
  /// Reads the numbers of a packed field, or the one number of a field that is
  /// not packed, as varints or as elements of `Kind`.
  bool readNumbers(const Field &field, Kind element,
                   llvm::function_ref<void(uint64_t)> take);
  /// False, with an error, if messages nest too deep.
  bool enter(llvm::StringRef message, unsigned depth);

private:
  std::optional<uint64_t> readVarint(llvm::StringRef &rest);
  std::optional<uint64_t> readFixed(llvm::StringRef &rest, unsigned size);

  llvm::StringRef file;
  std::string error;
};

template <typename M>
bool readMessage(Reader &reader, llvm::StringRef bytes, M &message,
                 unsigned depth = 0);

/// Finds the field of a number among those that `M::fields` declares, and reads
/// it into its member.
template <typename M> class Fields {
public:
  Fields(Reader &reader, const Field &field, M &message, unsigned depth)
      : reader(reader), field(field), message(message), depth(depth) {}

  void at(uint32_t number, llvm::StringRef M::*member) {
    if (number == field.number)
      ok = expect(Kind::Bytes) && (message.*member = field.bytes, true);
  }
  void at(uint32_t number, std::vector<llvm::StringRef> M::*member) {
    if (number == field.number)
      ok = expect(Kind::Bytes) &&
           ((message.*member).push_back(field.bytes), true);
  }
  /// Bytes of which an empty view differs from no field.
  void at(uint32_t number, std::optional<llvm::StringRef> M::*member) {
    if (number == field.number)
      ok = expect(Kind::Bytes) && (message.*member = field.bytes, true);
  }
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  void at(uint32_t number, T M::*member) {
    if (number == field.number)
      ok = expect(kindOf<T>()) &&
           (message.*member = convert<T>(field.value), true);
  }
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  void at(uint32_t number, std::optional<T> M::*member) {
    if (number == field.number)
      ok = expect(kindOf<T>()) &&
           (message.*member = convert<T>(field.value), true);
  }
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  void at(uint32_t number, std::vector<T> M::*member) {
    if (number == field.number)
      ok = reader.readNumbers(field, kindOf<T>(), [&](uint64_t value) {
        (message.*member).push_back(convert<T>(value));
      });
  }
  template <typename T> void at(uint32_t number, Numbers<T> M::*member) {
    if (number != field.number)
      return;
    ok = field.kind == Kind::Bytes || expect(kindOf<T>());
    (message.*member).add(field.bytes);
  }
  /// A message, whose parts are joined if there are several.
  template <typename T>
  void at(uint32_t number, std::unique_ptr<T> M::*member) {
    if (number != field.number || !(ok = expect(Kind::Bytes)))
      return;
    if (!(message.*member))
      message.*member = std::make_unique<T>();
    ok = readMessage(reader, field.bytes, *(message.*member), depth + 1);
  }
  template <typename T, std::enable_if_t<std::is_class_v<T>, int> = 0>
  void at(uint32_t number, std::vector<T> M::*member) {
    if (number == field.number && (ok = expect(Kind::Bytes)))
      ok = readMessage(reader, field.bytes, (message.*member).emplace_back(),
                       depth + 1);
  }

  bool succeeded() const { return ok; }

private:
  bool expect(Kind kind) {
    return field.kind == kind ||
           reader.fail(field.bytes.data(), "field " +
                                               llvm::Twine(field.number) +
                                               " has another kind of value");
  }
  template <typename T> static constexpr Kind kindOf() {
    return std::is_same_v<T, float>    ? Kind::Fixed32
           : std::is_same_v<T, double> ? Kind::Fixed64
                                       : Kind::Varint;
  }
  template <typename T> static T convert(uint64_t value) {
    if constexpr (std::is_floating_point_v<T>)
      return llvm::bit_cast<T>(
          std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>(value));
    else
      return T(value);
  }

  Reader &reader;
  const Field &field;
  M &message;
  unsigned depth;
  bool ok = true;
};

/// Reads the fields of a message; those that it does not declare are skipped.
template <typename M>
bool readMessage(Reader &reader, llvm::StringRef bytes, M &message,
                 unsigned depth) {
  if (!reader.enter(bytes, depth))
    return false;
  while (!bytes.empty()) {
    std::optional<Field> field = reader.next(bytes);
    if (!field)
      return false;
    Fields<M> fields(reader, *field, message, depth);
    M::fields(fields);
    if (!fields.succeeded())
      return false;
  }
  return true;
}

} // namespace mlir::hetero::onnx::wire

#endif // HETERO_LIB_IMPORT_ONNX_WIRE_H
