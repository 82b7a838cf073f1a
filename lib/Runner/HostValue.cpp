//===- HostValue.cpp - Tensors and scalars in host memory -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/HostValue.h"

#include "ElementType.h"
#include "Npy.h"
#include "hetero/Runtime/ElementTypes.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace hetero;
using namespace hetero::runner;

/// What the vectorized code of the host likes best.
static constexpr size_t dataAlignment = 64;

//===----------------------------------------------------------------------===//
// HostValue
//===----------------------------------------------------------------------===//

int64_t HostValue::numElements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

int64_t HostValue::numBytes() const {
  return numElements() * elementBytes(type);
}

uint8_t *HostValue::element(int64_t index) const {
  return data.get() + index * elementBytes(type);
}

bool HostValue::allocate() {
  int64_t bytes = checkedBytes(type, sizes);
  if (bytes < 0)
    return false;
  size_t rounded = (bytes / dataAlignment + 1) * dataAlignment;
  void *memory = std::aligned_alloc(dataAlignment, rounded);
  if (!memory)
    return false;
  std::memset(memory, 0, rounded);
  data.reset(static_cast<uint8_t *>(memory), std::free);
  return true;
}

HeteroValue HostValue::toArgument() const {
  HeteroValue value;
  std::memset(&value, 0, sizeof(value));
  value.type = type;
  value.device = HETERO_HOST;
  if (scalar) {
    value.rank = HETERO_SCALAR;
    packScalar(value);
    return value;
  }
  value.data = data.get();
  value.rank = static_cast<int32_t>(sizes.size());
  int64_t stride = 1;
  for (int64_t i = value.rank - 1; i >= 0; --i) {
    value.sizes[i] = sizes[i];
    value.strides[i] = stride;
    stride *= sizes[i];
  }
  return value;
}

/// Bytes of a scalar that are in HeteroValue::scalar; more follow in sizes[0].
static constexpr int64_t scalarBytes = sizeof(HeteroValue::scalar);

void HostValue::packScalar(HeteroValue &value) const {
  int64_t bytes = elementBytes(type);
  std::memcpy(&value.scalar, data.get(), std::min(bytes, scalarBytes));
  if (bytes > scalarBytes)
    std::memcpy(value.sizes, data.get() + scalarBytes, bytes - scalarBytes);
}

void HostValue::unpackScalar(const HeteroValue &value) {
  int64_t bytes = elementBytes(type);
  std::memcpy(data.get(), &value.scalar, std::min(bytes, scalarBytes));
  if (bytes > scalarBytes)
    std::memcpy(data.get() + scalarBytes, value.sizes, bytes - scalarBytes);
}

int64_t runner::checkedBytes(int32_t type, const std::vector<int64_t> &sizes) {
  int64_t bytes = elementBytes(type);
  bool empty = false;
  for (int64_t size : sizes) {
    if (size < 0)
      return -1;
    empty |= size == 0;
    if (size && __builtin_mul_overflow(bytes, size, &bytes))
      return -1;
  }
  return empty ? 0 : bytes;
}

std::vector<std::vector<int64_t>>
runner::getShapes(const std::vector<HostValue> &values) {
  std::vector<std::vector<int64_t>> shapes;
  shapes.reserve(values.size());
  for (const HostValue &value : values)
    shapes.push_back(value.sizes);
  return shapes;
}

std::string runner::shapeText(const HostValue &value) {
  std::string text;
  for (int64_t size : value.sizes)
    text += std::to_string(size) + "x";
  return text + elementTypeName(value.type);
}

std::string runner::typeText(const HostValue &value) {
  return value.scalar ? shapeText(value) : "tensor<" + shapeText(value) + ">";
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// "i1, i8, ... or complex<f64>".
static std::string elementTypeNames() {
  std::string names;
  for (int32_t type = 0; type < kNumElementTypes; ++type) {
    if (type > 0)
      names += type + 1 < kNumElementTypes ? ", " : " or ";
    names += kElementTypes[type].name;
  }
  return names;
}

/// Parses "5x7xf32" into the type and sizes of `value`.
static bool parseShape(std::string_view text, HostValue &value,
                       std::string &error) {
  std::string whole(text);
  size_t cross;
  while ((cross = text.find('x')) != std::string_view::npos && !text.empty() &&
         text[0] >= '0' && text[0] <= '9') {
    int64_t size = 0;
    auto [end, code] = std::from_chars(text.data(), text.data() + cross, size);
    if (code == std::errc::result_out_of_range) {
      error = "the size " + std::string(text.substr(0, cross)) + " in '" +
              whole + "' is too large; a size is at most " +
              std::to_string(std::numeric_limits<int64_t>::max());
      return false;
    }
    if (code != std::errc() || end != text.data() + cross) {
      error = "expected a shape such as 5x7xf32, got '" + whole + "'";
      return false;
    }
    value.sizes.push_back(size);
    text.remove_prefix(cross + 1);
  }
  value.type = parseElementType(text);
  if (value.type < 0) {
    error = "unknown element type '" + std::string(text) + "' in '" + whole +
            "'; expected " + elementTypeNames();
    return false;
  }
  value.scalar = value.sizes.empty();
  if (value.sizes.size() > HETERO_MAX_RANK) {
    error = "the rank of '" + whole + "' is above " +
            std::to_string(HETERO_MAX_RANK);
    return false;
  }
  if (value.allocate())
    return true;
  error = "not enough memory for '" + whole + "'";
  return false;
}

static bool parseInteger(const std::string &text, int32_t type,
                         uint8_t *element) {
  bool isNegative = !text.empty() && text[0] == '-';
  errno = 0;
  char *end = nullptr;
  uint64_t number =
      isNegative ? static_cast<uint64_t>(std::strtoll(text.c_str(), &end, 0))
                 : std::strtoull(text.c_str(), &end, 0);
  if (errno || end == text.c_str() || *end)
    return false;
  ElementClass kind = kElementTypes[type].kind;
  int64_t bits = type == HETERO_TYPE_I1 ? 1 : 8 * elementBytes(type);
  // Signless: 255 and -1 are the same i8.
  uint64_t highest = ~uint64_t(0) >> (64 - bits);
  if (isNegative && kind == ElementClass::Unsigned)
    return number == 0;
  if (isNegative
          ? static_cast<int64_t>(number) < -1 - int64_t(highest >> 1)
          : number > (kind == ElementClass::Signed ? highest >> 1 : highest))
    return false;
  if (type == HETERO_TYPE_I1)
    number &= 1;
  std::memcpy(element, &number, elementBytes(type));
  return true;
}

/// Takes a number off the front of `text`.
static bool takeNumber(std::string &text, double &number) {
  char *end = nullptr;
  number = std::strtod(text.c_str(), &end);
  size_t length = end - text.c_str();
  text.erase(0, length);
  return length != 0;
}

/// Parses "1", "1+2j", "2j" (or i) and "(1,2)".
static bool parseComplex(std::string text, int32_t type, uint8_t *element) {
  double parts[2] = {0, 0};
  bool isPair = text.size() > 1 && text.front() == '(' && text.back() == ')';
  if (isPair)
    text = text.substr(1, text.size() - 2);
  if (!takeNumber(text, parts[0]))
    return false;
  if (isPair && text[0] == ',') {
    text.erase(0, 1);
    if (!takeNumber(text, parts[1]) || !text.empty())
      return false;
  } else if (text == "i" || text == "j") {
    std::swap(parts[0], parts[1]);
  } else if (!text.empty() &&
             (!takeNumber(text, parts[1]) || (text != "i" && text != "j"))) {
    return false;
  }
  int32_t part = partType(type);
  storeDouble(part, element, parts[0]);
  storeDouble(part, element + elementBytes(part), parts[1]);
  return true;
}

static bool parseElement(std::string text, int32_t type, uint8_t *element) {
  while (!text.empty() && text.front() == ' ')
    text.erase(0, 1);
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  if (type == HETERO_TYPE_I1 && (text == "true" || text == "false")) {
    *element = text == "true";
    return true;
  }
  if (isComplex(type))
    return parseComplex(text, type, element);
  if (!isFloat(type))
    return parseInteger(text, type, element);
  double number;
  if (!takeNumber(text, number) || !text.empty())
    return false;
  storeDouble(type, element, number);
  return true;
}

/// Where the next element ends: at a comma that is not between parentheses.
static size_t findComma(std::string_view text) {
  size_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(')
      ++depth;
    else if (text[i] == ')' && depth > 0)
      --depth;
    else if (text[i] == ',' && depth == 0)
      return i;
  }
  return std::string_view::npos;
}

static bool parseList(std::string_view text, HostValue &value,
                      std::string &error) {
  int64_t count = value.numElements(), got = 0;
  while (true) {
    size_t comma = findComma(text);
    std::string item(text.substr(0, comma));
    uint8_t scratch[16];
    uint8_t *target = got < count ? value.element(got) : scratch;
    if (!parseElement(item, value.type, target)) {
      error = "'" + item + "' is not a value of type " +
              elementTypeName(value.type) +
              "; separate values by commas, or give one for all";
      return false;
    }
    ++got;
    if (comma == std::string_view::npos)
      break;
    text.remove_prefix(comma + 1);
  }
  if (got == 1) {
    for (int64_t i = 1; i < count; ++i)
      std::memcpy(value.element(i), value.element(0), elementBytes(value.type));
    return true;
  }
  if (got == count)
    return true;
  error = "expected one value or " + std::to_string(count) + " for " +
          shapeText(value) + ", got " + std::to_string(got);
  return false;
}

/// The next number of the splitmix64 sequence: small, and the same everywhere.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static bool fillRandom(std::string_view seedText, bool integers,
                       HostValue &value, std::string &error) {
  uint64_t state = 0;
  const char *last = seedText.data() + seedText.size();
  auto [end, code] = std::from_chars(seedText.data(), last, state);
  if (code != std::errc() || end != last) {
    error = "expected a seed, a number, after 'random:', got '" +
            std::string(seedText) + "'";
    return false;
  }
  int32_t part = partType(value.type);
  int64_t bytes = elementBytes(part);
  for (int64_t i = 0, e = value.numBytes(); i < e; i += bytes) {
    uint64_t bits = nextRandom(state);
    double number = static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
    if (part == HETERO_TYPE_I1)
      number = bits & 1;
    else if (isUnsigned(part))
      number = static_cast<double>(bits % 9);
    else if (integers || !isFloat(part))
      number = static_cast<double>(bits % 9) - 4;
    storeDouble(part, value.data.get() + i, number);
  }
  return true;
}

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool runner::parseValue(std::string_view text, HostValue &value,
                        std::string &error) {
  value = HostValue();
  if (startsWith(text, "@"))
    return readNpy(std::string(text.substr(1)), value, error);
  size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    error = "expected SHAPExTYPE=VALUES or @FILE.npy, got '" +
            std::string(text) + "'; for example 5x7xf32=1.5";
    return false;
  }
  if (!parseShape(text.substr(0, equals), value, error))
    return false;
  text.remove_prefix(equals + 1);
  if (startsWith(text, "random:"))
    return fillRandom(text.substr(7), /*integers=*/false, value, error);
  if (startsWith(text, "randint:"))
    return fillRandom(text.substr(8), /*integers=*/true, value, error);
  if (text != "iota")
    return parseList(text, value, error);
  for (int64_t i = 0, e = value.numElements(); i < e; ++i)
    storeDouble(partType(value.type), value.element(i), static_cast<double>(i));
  return true;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Decimal digits that tell all numbers of a small type apart.
static int digitsOf(int32_t type) {
  switch (type) {
  case HETERO_TYPE_F16:
    return 5;
  case HETERO_TYPE_BF16:
    return 4;
  case HETERO_TYPE_F8E4M3FN:
    return 3;
  default:
    return 2;
  }
}

/// The shortest text that reads back as the same value of the type.
static std::string formatElement(int32_t type, const uint8_t *element) {
  char buffer[64];
  if (isComplex(type)) {
    int32_t part = partType(type);
    std::string imaginary = formatElement(part, element + elementBytes(part));
    return formatElement(part, element) + (imaginary[0] == '-' ? "" : "+") +
           imaginary + "j";
  }
  if (isUnsigned(type))
    return std::to_string(static_cast<uint64_t>(loadInteger(type, element)));
  if (!isFloat(type))
    return std::to_string(loadInteger(type, element));
  double number = loadDouble(type, element);
  if (std::isnan(number))
    return "nan";
  std::to_chars_result result;
  if (type == HETERO_TYPE_F64)
    result = std::to_chars(buffer, buffer + sizeof(buffer), number);
  else if (type == HETERO_TYPE_F32)
    result = std::to_chars(buffer, buffer + sizeof(buffer),
                           static_cast<float>(number));
  else
    result = std::to_chars(buffer, buffer + sizeof(buffer), number,
                           std::chars_format::general, digitsOf(type));
  return std::string(buffer, result.ptr);
}

static void formatDimension(const HostValue &value, size_t dimension,
                            int64_t &index, int64_t maxElements,
                            std::string &text) {
  if (dimension == value.sizes.size()) {
    text += formatElement(value.type, value.element(index++));
    return;
  }
  bool innermost = dimension + 1 == value.sizes.size();
  for (int64_t i = 0; i < value.sizes[dimension]; ++i) {
    if (index >= maxElements) {
      text += "...";
      return;
    }
    if (innermost && i)
      text += " ";
    if (!innermost)
      text += "[";
    formatDimension(value, dimension + 1, index, maxElements, text);
    if (!innermost)
      text += "]";
  }
}

std::string runner::formatValue(const HostValue &value, int64_t maxElements) {
  std::string text = shapeText(value) + "=";
  int64_t index = 0;
  if (value.numElements() == 0)
    return text + "[]";
  formatDimension(value, 0, index, maxElements, text);
  return text;
}
