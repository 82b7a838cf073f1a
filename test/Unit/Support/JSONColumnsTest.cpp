//===- JSONColumnsTest.cpp - Tables of numbers as JSON --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/JSONColumns.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir::hetero;

static std::string print(llvm::ArrayRef<int64_t> values,
                         bool hasNulls = false) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] {
    printColumn(
        json, "c", values.size(), [&](size_t i) { return values[i]; },
        hasNulls);
  });
  return text;
}

/// The values that a reader finds.
static std::vector<int64_t> read(llvm::StringRef text) {
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(text));
  const llvm::json::Value &column = *value.getAsObject()->get("c");
  auto number = [](const llvm::json::Value &entry) -> int64_t {
    if (auto text = entry.getAsString())
      return std::stoll(text->str());
    return entry.kind() == llvm::json::Value::Null ? INT64_MAX
                                                   : *entry.getAsInteger();
  };
  std::vector<int64_t> values;
  if (const llvm::json::Array *plain = column.getAsArray()) {
    for (const llvm::json::Value &entry : *plain)
      values.push_back(number(entry));
  } else if (auto *delta = column.getAsObject()->getArray("delta")) {
    for (const llvm::json::Value &entry : *delta)
      values.push_back((values.empty() ? 0 : values.back()) + number(entry));
  } else {
    const llvm::json::Array &runs = *column.getAsObject()->getArray("runs");
    for (size_t i = 0; i < runs.size(); i += 2)
      values.insert(values.end(), number(runs[i + 1]), number(runs[i]));
  }
  return values;
}

TEST(JSONColumnsTest, TakesTheShortestWay) {
  EXPECT_EQ(print({7, 1, 9}), R"({"c":[7,1,9]})");
  EXPECT_EQ(print({100, 101, 102, 103, 104, 105, 106}),
            R"({"c":{"delta":[100,1,1,1,1,1,1]}})");
  EXPECT_EQ(print(std::vector<int64_t>(40, -1)), R"({"c":{"runs":[-1,40]}})");
  EXPECT_EQ(print({}), R"({"c":[]})");
}

TEST(JSONColumnsTest, KeepsLargeNumbers) {
  int64_t safe = kLargestJSONNumber;
  EXPECT_EQ(print({safe, -safe, safe + 1, INT64_MAX}),
            R"({"c":[9007199254740991,-9007199254740991,"9007199254740992",)"
            R"("9223372036854775807"]})");
  EXPECT_EQ(print({1, INT64_MAX}, /*hasNulls=*/true), R"({"c":[1,null]})");
  EXPECT_EQ(read(print({INT64_MIN, INT64_MAX, 0})),
            (std::vector<int64_t>{INT64_MIN, INT64_MAX, 0}));
}

TEST(JSONColumnsTest, IsReadAsItWas) {
  std::mt19937_64 random(1);
  unsigned plain = 0, delta = 0, runs = 0;
  for (unsigned round = 0; round < 300; ++round) {
    std::vector<int64_t> values;
    int64_t value = int64_t(random() % 2000) - 1000;
    unsigned step = random() % 4, repeat = 1 + random() % 6;
    size_t count = random() % 50;
    for (size_t i = 0; i < count; ++i) {
      if (i % repeat == 0)
        value = step == 0 ? int64_t(random() % 2000) - 1000
                          : value + int64_t(random() % step);
      values.push_back(value);
    }
    std::string text = print(values);
    EXPECT_EQ(read(text), values);
    bool isDelta = text.find("delta") != std::string::npos;
    bool isRuns = text.find("runs") != std::string::npos;
    delta += isDelta;
    runs += isRuns;
    plain += !isDelta && !isRuns;
  }
  EXPECT_GT(plain, 10u);
  EXPECT_GT(delta, 10u);
  EXPECT_GT(runs, 10u);
}
