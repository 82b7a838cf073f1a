//===- LibrariesTest.cpp - Calls of libraries -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroLibraries.h"

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
      HETERO_ERROR_PROGRAM);
  EXPECT_STREQ(
      heteroLastError(),
      "the library nothing cannot be called: nobody has registered it, "
      "and HETERO_LIBRARIES names no file that does; ask "
      "heteroHasLibrary first");
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

/// A library of the test's own: adds the parameter to its only input.
static HeteroStatus addParameter(const HeteroLibraryCall *call) {
  if (std::string(call->function) != "add" || call->count != 2 ||
      call->numParameters != 1 || call->device != HETERO_HOST || call->stream)
    return HETERO_ERROR_INVALID_ARGUMENT;
  auto *input = static_cast<const float *>(call->values[0].data);
  auto *result = static_cast<float *>(call->values[1].data);
  for (int64_t i = 0; i < call->values[0].sizes[0]; ++i)
    result[i] = input[i] + float(call->parameters[0]);
  return HETERO_OK;
}

TEST_F(Libraries, CanBeRegistered) {
  float input[] = {1, 2, 3}, result[3] = {};
  HeteroValue values[2] = {};
  for (HeteroValue &value : values) {
    value.type = HETERO_TYPE_F32;
    value.rank = 1;
    value.sizes[0] = 3;
    value.strides[0] = 1;
  }
  values[0].data = input;
  values[1].data = result;
  int64_t parameter = 10;
  int32_t found = 1;
  auto call = [&](const char *function) {
    return heteroCallLibrary("mine", function, values, 2, 0, &parameter, 1,
                             nullptr);
  };
  // It may be asked for before it is there.
  ASSERT_EQ(heteroHasLibrary("mine", &found), HETERO_OK);
  EXPECT_EQ(found, 0);
  EXPECT_EQ(call("add"), HETERO_ERROR_PROGRAM);
  ASSERT_EQ(heteroRegisterLibrary("mine", addParameter, 0), HETERO_OK);
  ASSERT_EQ(heteroHasLibrary("mine", &found), HETERO_OK);
  EXPECT_EQ(found, 1);
  ASSERT_EQ(call("add"), HETERO_OK) << heteroLastError();
  EXPECT_EQ(result[0], 11);
  EXPECT_EQ(result[2], 13);
  EXPECT_NE(report().find("\"name\": \"mine\", \"path\": "), std::string::npos)
      << report();
  // What it does not like fails the call.
  EXPECT_EQ(call("subtract"), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(),
               "the library mine failed in 'subtract' with status 1");
  EXPECT_EQ(heteroCallDeviceLibrary(0, "label", "mine", "add", values, 2, 0,
                                    &parameter, 1, nullptr),
            HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(
      heteroLastError(),
      "the library mine computes on the host only; use heteroCallLibrary");
  // Taken back, it is there no more.
  ASSERT_EQ(heteroRegisterLibrary("mine", nullptr, 0), HETERO_OK);
  EXPECT_EQ(call("add"), HETERO_ERROR_PROGRAM);
  EXPECT_STREQ(heteroLastError(), "the library mine cannot be called: it was "
                                  "taken back; ask heteroHasLibrary first");
  // The runtime's own stay what they are.
  EXPECT_EQ(heteroRegisterLibrary("openblas", addParameter, 0),
            HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(),
               "the runtime has a library 'openblas' of its own; register "
               "yours under another name");
  EXPECT_EQ(heteroRegisterLibrary("", addParameter, 0),
            HETERO_ERROR_INVALID_ARGUMENT);
}
