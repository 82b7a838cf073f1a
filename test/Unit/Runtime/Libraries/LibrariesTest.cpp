//===- LibrariesTest.cpp - Calls of libraries -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroRuntime.h"

#include "gtest/gtest.h"
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {
class Libraries : public ::testing::Test {
protected:
  void SetUp() override {
    setenv("HETERO_LIBRARIES",
           "openblas=" HETERO_FAKE_BLAS ",onednn=" HETERO_FAKE_BLAS, 1);
    heteroResetReport();
  }

  static std::string report() {
    char *text = heteroReport();
    std::string copy = text;
    heteroFreeString(text);
    return copy;
  }
};

/// A value in memory of its own, with strides that are chosen at random.
template <typename T> struct Tensor {
  std::vector<T> elements;
  HeteroValue value = {};

  Tensor(std::vector<int64_t> sizes, std::mt19937 &random) {
    value.type = sizeof(T) == 4 ? HETERO_TYPE_F32 : HETERO_TYPE_F64;
    value.rank = sizes.size();
    // The batch stays outermost; the rows may be apart, or be the columns.
    std::vector<int> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    if (random() % 2)
      std::swap(order[sizes.size() - 1], order[sizes.size() - 2]);
    int64_t stride = random() % 4 == 0 ? 2 : 1;
    for (int i = sizes.size() - 1; i >= 0; --i) {
      value.sizes[order[i]] = sizes[order[i]];
      value.strides[order[i]] = stride;
      stride *= sizes[order[i]];
      stride += random() % 3;
    }
    elements.resize(stride + 1);
    for (T &element : elements)
      element = T(random() % 2001) / 1000 - 1;
    value.data = elements.data();
  }

  T &at(int64_t batch, int64_t row, int64_t column) {
    int last = value.rank - 1;
    int64_t offset =
        row * value.strides[last - 1] + column * value.strides[last];
    if (last == 2 && value.sizes[0] != 1)
      offset += batch * value.strides[0];
    return elements[offset];
  }
};

/// One product of random sizes and strides against plain loops.
template <typename T>
void multiplyAtRandom(const char *library, unsigned seed) {
  std::mt19937 random(seed);
  auto size = [&] { return int64_t(random() % 4 == 0 ? 1 : random() % 9); };
  int64_t m = size(), n = size(), k = size(), batch = 1 + random() % 3;
  bool batched = random() % 2;
  auto sizes = [&](int64_t rows, int64_t columns, bool mayShare) {
    std::vector<int64_t> result = {rows, columns};
    if (batched)
      result.insert(result.begin(), mayShare && random() % 3 == 0 ? 1 : batch);
    return result;
  };
  Tensor<T> a(sizes(m, k, true), random), b(sizes(k, n, true), random),
      c(sizes(m, n, false), random);
  std::vector<T> before = c.elements;
  bool accumulate = random() % 2;
  HeteroValue values[] = {a.value, b.value, c.value};
  ASSERT_EQ(heteroCallLibrary(library, "gemm", values, 3, accumulate, nullptr,
                              0, nullptr),
            HETERO_OK)
      << heteroLastError();
  std::vector<T> after = c.elements;
  c.elements = before;
  for (int64_t i = 0; i < (batched ? batch : 1); ++i)
    for (int64_t row = 0; row < m; ++row)
      for (int64_t column = 0; column < n; ++column) {
        double sum = accumulate ? c.at(i, row, column) : 0;
        for (int64_t x = 0; x < k; ++x)
          sum += double(a.at(i, row, x)) * double(b.at(i, x, column));
        T &element = c.at(i, row, column);
        ASSERT_NEAR(after[&element - c.elements.data()], sum, 1e-5);
        element = after[&element - c.elements.data()];
      }
  // What is between the rows stays as it is.
  EXPECT_EQ(c.elements, after);
}
} // namespace

TEST_F(Libraries, AreFoundWhereTheEnvironmentSays) {
  int32_t found = 0;
  ASSERT_EQ(heteroHasLibrary("openblas", &found), HETERO_OK);
  EXPECT_EQ(found, 1);
  ASSERT_EQ(heteroHasLibrary("nothing", &found), HETERO_OK);
  EXPECT_EQ(found, 0);
}

TEST_F(Libraries, MultiplyWithAnyStrides) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    multiplyAtRandom<float>("openblas", seed);
    multiplyAtRandom<double>("openblas", seed);
    multiplyAtRandom<float>("onednn", seed);
  }
  EXPECT_NE(report().find("\"name\": \"openblas\", \"path\": "
                          "\"" HETERO_FAKE_BLAS "\", \"calls\": 800"),
            std::string::npos)
      << report();
}

TEST_F(Libraries, RefuseWhatTheyDoNotKnow) {
  std::mt19937 random(1);
  Tensor<float> a({2, 3}, random), b({4, 5}, random), c({2, 5}, random);
  HeteroValue values[] = {a.value, b.value, c.value};
  EXPECT_EQ(
      heteroCallLibrary("nothing", "gemm", values, 3, 0, nullptr, 0, nullptr),
      HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(), "the runtime knows no library 'nothing'");
  EXPECT_EQ(
      heteroCallLibrary("openblas", "getrf", values, 3, 0, nullptr, 0, nullptr),
      HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(),
               "the runtime knows no function 'getrf' of the library openblas");
  EXPECT_EQ(
      heteroCallLibrary("openblas", "gemm", values, 2, 0, nullptr, 0, nullptr),
      HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(), "gemm takes 3 values, got 2");
  EXPECT_EQ(
      heteroCallLibrary("openblas", "gemm", values, 3, 0, nullptr, 0, nullptr),
      HETERO_ERROR_PROGRAM);
  EXPECT_STREQ(heteroLastError(),
               "gemm of openblas cannot multiply 2x3 by 4x5 into 2x5");
  values[1].type = HETERO_TYPE_I32;
  EXPECT_EQ(
      heteroCallLibrary("openblas", "gemm", values, 3, 0, nullptr, 0, nullptr),
      HETERO_ERROR_INVALID_ARGUMENT);
}
