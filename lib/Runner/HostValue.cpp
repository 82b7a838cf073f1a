//===- HostValue.cpp - Tensors and scalars in host memory -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/HostValue.h"
#include "hetero/Runner/Npy.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

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
    std::memcpy(&value.scalar, data.get(), elementBytes(type));
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

/// Parses "5x7xf32" into the type and sizes of `value`.
static bool parseShape(std::string_view text, HostValue &value,
                       std::string &error) {
  std::string whole(text);
  size_t cross;
  while ((cross = text.find('x')) != std::string_view::npos && !text.empty() &&
         text[0] >= '0' && text[0] <= '9') {
    int64_t size = 0;
    auto [end, code] = std::from_chars(text.data(), text.data() + cross, size);
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
            "'; expected i1, i8, i16, i32, i64, f16, bf16, f32, f64 or index";
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
  errno = 0;
  char *end = nullptr;
  int64_t number = std::strtoll(text.c_str(), &end, 0);
  if (errno || end == text.c_str() || *end)
    return false;
  int64_t bits = type == HETERO_TYPE_I1 ? 1 : 8 * elementBytes(type);
  // Signless: 255 and -1 are the same i8.
  if (bits < 64 &&
      (number < -(int64_t(1) << (bits - 1)) || number >= int64_t(1) << bits))
    return false;
  if (type == HETERO_TYPE_I1)
    number &= 1;
  std::memcpy(element, &number, elementBytes(type));
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
  if (!isFloat(type))
    return parseInteger(text, type, element);
  char *end = nullptr;
  double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end)
    return false;
  storeDouble(type, element, number);
  return true;
}

static bool parseList(std::string_view text, HostValue &value,
                      std::string &error) {
  int64_t count = value.numElements(), got = 0;
  std::string first;
  while (true) {
    size_t comma = text.find(',');
    std::string item(text.substr(0, comma));
    uint8_t scratch[8];
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
  for (int64_t i = 0, e = value.numElements(); i < e; ++i) {
    uint64_t bits = nextRandom(state);
    double number = static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
    if (value.type == HETERO_TYPE_I1)
      number = bits & 1;
    else if (integers || !isFloat(value.type))
      number = static_cast<double>(bits % 9) - 4;
    storeDouble(value.type, value.element(i), number);
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
    storeDouble(value.type, value.element(i), static_cast<double>(i));
  return true;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The shortest text that reads back as the same value of the type.
static std::string formatElement(int32_t type, const uint8_t *element) {
  char buffer[64];
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
                           std::chars_format::general,
                           type == HETERO_TYPE_F16 ? 5 : 4);
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
