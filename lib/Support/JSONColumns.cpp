//===- JSONColumns.cpp - Tables of numbers as JSON ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/JSONColumns.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isSafe(int64_t value) {
  return value >= -kLargestJSONNumber && value <= kLargestJSONNumber;
}

/// Characters of a number and what separates it from the next.
static size_t getLength(int64_t value) {
  size_t length = value < 0 ? 3 : 2;
  for (value /= 10; value != 0; value /= 10)
    ++length;
  return length;
}

namespace {
/// What a column takes in each of the ways.
struct ColumnLengths {
  size_t plain = 0, delta = 10, runs = 9;
  bool hasOnlySafe = true;
};
} // namespace

static ColumnLengths measure(llvm::ArrayRef<int64_t> values) {
  ColumnLengths lengths;
  int64_t last = 0;
  size_t count = 0;
  for (auto [index, value] : llvm::enumerate(values)) {
    if (!isSafe(value)) {
      lengths.hasOnlySafe = false;
      return lengths;
    }
    lengths.plain += getLength(value);
    lengths.delta += getLength(value - last);
    if (index != 0 && value == last) {
      ++count;
    } else {
      lengths.runs += getLength(value) + (index != 0 ? getLength(count) : 0);
      count = 1;
    }
    last = value;
  }
  lengths.runs += getLength(count);
  return lengths;
}

static void printValue(llvm::raw_ostream &os, int64_t value, bool hasNulls) {
  if (hasNulls && value == INT64_MAX)
    os << "null";
  else if (isSafe(value))
    os << value;
  else
    os << '"' << value << '"';
}

static void printPlain(llvm::raw_ostream &os, llvm::ArrayRef<int64_t> values,
                       bool hasNulls) {
  os << '[';
  for (auto [index, value] : llvm::enumerate(values)) {
    if (index != 0)
      os << ',';
    printValue(os, value, hasNulls);
  }
  os << ']';
}

static void printDelta(llvm::raw_ostream &os, llvm::ArrayRef<int64_t> values) {
  os << "{\"delta\":[";
  int64_t last = 0;
  for (auto [index, value] : llvm::enumerate(values)) {
    if (index != 0)
      os << ',';
    os << value - last;
    last = value;
  }
  os << "]}";
}

static void printRuns(llvm::raw_ostream &os, llvm::ArrayRef<int64_t> values) {
  os << "{\"runs\":[";
  for (size_t begin = 0, end; begin < values.size(); begin = end) {
    end = begin + 1;
    while (end < values.size() && values[end] == values[begin])
      ++end;
    if (begin != 0)
      os << ',';
    os << values[begin] << ',' << end - begin;
  }
  os << "]}";
}

void mlir::hetero::printColumn(llvm::json::OStream &json, llvm::StringRef key,
                               size_t count,
                               llvm::function_ref<int64_t(size_t)> get,
                               bool hasNulls) {
  std::vector<int64_t> values(count);
  for (size_t index = 0; index < count; ++index)
    values[index] = get(index);
  ColumnLengths lengths = measure(values);
  size_t least = std::min({lengths.plain, lengths.delta, lengths.runs});
  json.attributeBegin(key);
  json.rawValue([&](llvm::raw_ostream &os) {
    if (!lengths.hasOnlySafe || least == lengths.plain)
      printPlain(os, values, hasNulls);
    else if (least == lengths.runs)
      printRuns(os, values);
    else
      printDelta(os, values);
  });
  json.attributeEnd();
}

void mlir::hetero::printNumber(llvm::json::OStream &json, llvm::StringRef key,
                               int64_t value) {
  json.attributeBegin(key);
  json.rawValue([&](llvm::raw_ostream &os) {
    printValue(os, value, /*hasNulls=*/false);
  });
  json.attributeEnd();
}

void StringTable::print(llvm::json::OStream &json, llvm::StringRef key) const {
  json.attributeArray(key, [&] {
    for (llvm::StringRef text : texts)
      json.value(llvm::json::isUTF8(text) ? llvm::json::Value(text)
                                          : llvm::json::fixUTF8(text));
  });
}
