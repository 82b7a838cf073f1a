//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An .npy file is a magic, a version, the length of a header, and the header: a
// Python dictionary literal with exactly the keys descr, fortran_order and
// shape. The parser below takes that literal and nothing more.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "hetero/Runner/Files.h"

#include "ElementType.h"
#include "hetero/Runtime/ElementTypes.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>

using namespace hetero;
using namespace hetero::runner;

namespace {
/// What the header says.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Reads the header's dictionary literal.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}

  /// A size that was read does not fit into 64 bits.
  bool hasTooLargeSize() const { return isTooLarge; }

  bool parse(Header &header) {
    bool seen[3] = {false, false, false};
    if (!eat('{'))
      return false;
    while (!eat('}')) {
      std::string key;
      if (!parseString(key) || !eat(':') || !parseEntry(key, header, seen))
        return false;
      if (!eat(',') && peek() != '}')
        return false;
    }
    return seen[0] && seen[1] && seen[2];
  }

private:
  bool parseEntry(const std::string &key, Header &header, bool (&seen)[3]) {
    if (key == "descr")
      return seen[0] = parseString(header.descr);
    if (key == "fortran_order")
      return seen[1] = parseBool(header.fortranOrder);
    if (key == "shape")
      return seen[2] = parseShape(header.shape);
    return false;
  }

  char peek() {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\n'))
      text.remove_prefix(1);
    return text.empty() ? '\0' : text[0];
  }

  bool eat(char c) {
    if (peek() != c)
      return false;
    text.remove_prefix(1);
    return true;
  }

  bool parseString(std::string &string) {
    char quote = peek();
    if ((quote != '\'' && quote != '"') || !eat(quote))
      return false;
    size_t end = text.find(quote);
    if (end == std::string_view::npos)
      return false;
    string = text.substr(0, end);
    text.remove_prefix(end + 1);
    return true;
  }

  bool parseBool(bool &value) {
    peek();
    value = text.substr(0, 4) == "True";
    if (!value && text.substr(0, 5) != "False")
      return false;
    text.remove_prefix(value ? 4 : 5);
    return true;
  }

  bool parseShape(std::vector<int64_t> &shape) {
    if (!eat('('))
      return false;
    while (!eat(')')) {
      int64_t size = 0, digits = 0;
      for (char c = peek(); c >= '0' && c <= '9'; c = peek(), ++digits) {
        isTooLarge |= __builtin_mul_overflow(size, 10, &size) ||
                      __builtin_add_overflow(size, c - '0', &size);
        text.remove_prefix(1);
      }
      if (!digits || (!eat(',') && peek() != ')'))
        return false;
      shape.push_back(size);
    }
    return true;
  }

  std::string_view text;
  bool isTooLarge = false;
};
} // namespace

/// The element type of a NumPy type string, or nothing. Of several types of the
/// same code, the first.
static std::optional<int32_t> typeOfDescr(const std::string &descr) {
  if (descr.empty() || (descr[0] != '<' && descr[0] != '|'))
    return std::nullopt;
  for (int32_t type = 0; type < kNumElementTypes; ++type)
    if (descr.compare(1, std::string::npos, kElementTypes[type].numpy + 1) == 0)
      return type;
  return std::nullopt;
}

/// Reads up to the end of the header. Returns an empty text on success.
static std::string readHeader(std::ifstream &file, Header &header) {
  unsigned char start[12];
  if (!file.read(reinterpret_cast<char *>(start), 10) ||
      std::memcmp(start, "\x93NUMPY", 6) != 0)
    return "is not an .npy file; write it with numpy.save";
  unsigned version = start[6];
  if (version < 1 || version > 3)
    return "has the .npy format version " + std::to_string(version) +
           ", expected 1, 2 or 3";
  size_t length = start[8] | start[9] << 8;
  if (version > 1) {
    if (!file.read(reinterpret_cast<char *>(start) + 10, 2))
      return "ends within its header";
    length |= static_cast<size_t>(start[10]) << 16;
    length |= static_cast<size_t>(start[11]) << 24;
  }
  // NumPy itself refuses to read headers above 10,000 characters.
  if (length > 10000)
    return "has a header of " + std::to_string(length) +
           " bytes, expected at most 10000";
  std::string text(length, '\0');
  if (!file.read(text.data(), length))
    return "ends within its header";
  HeaderParser parser(text);
  if (!parser.parse(header))
    return "has a header that is not a dictionary of descr, fortran_order and "
           "shape";
  if (parser.hasTooLargeSize())
    return "has a size that is too large; a size is at most " +
           std::to_string(std::numeric_limits<int64_t>::max());
  return "";
}

/// Reorders column-major data in place of the value's memory.
static bool transposeFortran(HostValue &value) {
  HostValue result = value;
  if (!result.allocate())
    return false;
  int64_t bytes = elementBytes(value.type);
  std::vector<int64_t> index(value.sizes.size(), 0);
  for (int64_t from = 0, e = value.numElements(); from < e; ++from) {
    int64_t to = 0;
    for (size_t i = 0; i < index.size(); ++i)
      to = to * value.sizes[i] + index[i];
    std::memcpy(result.element(to), value.element(from), bytes);
    // The first index runs fastest.
    for (size_t i = 0; i < index.size() && ++index[i] == value.sizes[i]; ++i)
      index[i] = 0;
  }
  value = result;
  return true;
}

/// Fills in type, sizes and data. Returns an empty text on success.
static std::string readArray(std::ifstream &file, HostValue &value) {
  Header header;
  if (std::string error = readHeader(file, header); !error.empty())
    return error;
  std::optional<int32_t> type = typeOfDescr(header.descr);
  if (!type)
    return "has elements of type '" + header.descr +
           "'; expected little-endian booleans, integers, floats, complex "
           "numbers, V1 for f8, V2 for bf16 or V4 for complex<f16>";
  if (header.shape.size() > HETERO_MAX_RANK)
    return "has rank " + std::to_string(header.shape.size()) +
           ", expected at most " + std::to_string(HETERO_MAX_RANK);
  value.type = *type;
  value.isRaw = header.descr[1] == 'V' || *type == HETERO_TYPE_UI8;
  value.sizes = header.shape;
  int64_t bytes = checkedBytes(value.type, value.sizes);
  std::streamoff start = file.tellg();
  file.seekg(0, std::ios::end);
  int64_t present = static_cast<int64_t>(file.tellg() - start);
  file.seekg(start);
  if (bytes != present)
    return "has " + std::to_string(present) + " bytes of data, expected " +
           (bytes < 0 ? std::string("more than memory can hold")
                      : std::to_string(bytes)) +
           " for " + typeText(value) +
           (present < bytes ? "; the file is cut off, write it again"
                            : "; write it again with numpy.save");
  if (!value.allocate() ||
      !file.read(reinterpret_cast<char *>(value.data.get()), bytes))
    return "could not be read into memory";
  if (header.fortranOrder && !transposeFortran(value))
    return "could not be read into memory";
  return "";
}

bool runner::readNpy(const std::string &path, HostValue &value,
                     std::string &error) {
  value = HostValue();
  if (isFolder(path)) {
    error = "cannot read '" + path + "': it is a folder; name a file in it";
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    error = "cannot read '" + path + "': " + std::strerror(errno);
    return false;
  }
  error = readArray(file, value);
  if (error.empty())
    return true;
  error = "'" + path + "' " + error;
  return false;
}

static std::string headerText(const HostValue &value) {
  std::string text = "{'descr': '" +
                     std::string(kElementTypes[value.type].numpy) +
                     "', 'fortran_order': False, 'shape': (";
  for (int64_t size : value.sizes)
    text += std::to_string(size) + ", ";
  // A tuple of one needs its comma; longer ones look better without.
  if (value.sizes.size() > 1)
    text.erase(text.size() - 2);
  else if (value.sizes.size() == 1)
    text.pop_back();
  text += "), }";
  size_t total = (10 + text.size() + 1 + 63) / 64 * 64;
  text.append(total - 10 - text.size() - 1, ' ');
  return text + "\n";
}

bool runner::writeNpy(const std::string &path, const HostValue &value,
                      std::string &error) {
  std::string header = headerText(value);
  char start[10] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
  start[8] = static_cast<char>(header.size() & 0xff);
  start[9] = static_cast<char>(header.size() >> 8);
  return writeFile(
      path,
      {std::string_view(start, sizeof(start)), header,
       std::string_view(reinterpret_cast<const char *>(value.data.get()),
                        value.numBytes())},
      error);
}
