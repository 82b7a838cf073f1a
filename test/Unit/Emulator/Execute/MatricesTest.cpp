//===- MatricesTest.cpp - Products, with and without tensor cores ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

namespace {
struct Sizes {
  int m, n, k;
};
constexpr Sizes kAny[] = {{1, 1, 1}, {17, 5, 33}, {40, 31, 64}};
/// Multiples of what one block computes.
constexpr Sizes kWhole[] = {{32, 16, 16}, {64, 48, 80}};

struct MatricesFamily {
  static constexpr const char *kName = "Matrices";
};

class Matrices : public CUDATest<MatricesFamily> {
protected:
  /// Small whole numbers, so that every order of additions gives the same.
  template <typename T> std::vector<T> whole(size_t size) {
    std::vector<T> values;
    for (int value : draw(size, -8, 8))
      values.push_back(static_cast<T>(value));
    return values;
  }

  /// With the columns of `b` contiguous if `isTransposed`.
  template <typename Sum, typename T>
  static std::vector<Sum> multiply(const std::vector<T> &a,
                                   const std::vector<T> &b, Sizes s,
                                   bool isTransposed = false) {
    std::vector<Sum> c(s.m * s.n);
    for (int row = 0; row < s.m; ++row)
      for (int column = 0; column < s.n; ++column)
        for (int i = 0; i < s.k; ++i)
          c[row * s.n + column] +=
              static_cast<Sum>(a[row * s.k + i]) *
              static_cast<Sum>(
                  b[isTransposed ? column * s.k + i : i * s.n + column]);
    return c;
  }

  template <typename T> void checkAny(const char *kernel) {
    for (Sizes s : kAny) {
      std::vector<T> a = whole<T>(s.m * s.k), b = whole<T>(s.k * s.n);
      DeviceArray<T> x(a), y(b), z(s.m * s.n);
      run(kernel, {cover(s.n, 16), cover(s.m, 16), 1}, {16, 16, 1}, x, y, z,
          s.m, s.n, s.k);
      EXPECT_EQ(z.download(), multiply<T>(a, b, s));
    }
  }

  /// One warp computes `rows` x `columns` elements; T is coded by `encode`.
  template <typename Sum, typename T, typename Encode>
  void checkTensorCores(const char *kernel, unsigned rows, unsigned columns,
                        Encode encode) {
    for (Sizes s : kWhole) {
      std::vector<int> a = whole<int>(s.m * s.k), b = whole<int>(s.k * s.n);
      std::vector<T> codedA, codedB;
      for (int value : a)
        codedA.push_back(encode(value));
      for (int value : b)
        codedB.push_back(encode(value));
      DeviceArray<T> x(codedA), y(codedB);
      DeviceArray<Sum> z(s.m * s.n);
      run(kernel, {s.n / columns, s.m / rows, 1}, {32, 1, 1}, x, y, z, s.n,
          s.k);
      EXPECT_EQ(z.download(), multiply<Sum>(a, b, s, /*isTransposed=*/true));
    }
  }
};

/// The bits of a whole number of at most 8 bits.
uint32_t bitsOfFloat(int value) {
  auto single = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &single, 4);
  return bits;
}
uint16_t encodeHalf(int value) {
  uint32_t bits = bitsOfFloat(value);
  if (value == 0)
    return 0;
  uint32_t exponent = (bits >> 23 & 255) - 127 + 15;
  return static_cast<uint16_t>(bits >> 16 & 0x8000) | exponent << 10 |
         (bits >> 13 & 1023);
}
} // namespace

TEST_F(Matrices, Plain) { checkAny<float>("multiplyPlain"); }
TEST_F(Matrices, Shared) { checkAny<float>("multiplyShared"); }
TEST_F(Matrices, Double) { checkAny<double>("multiplyDouble"); }
TEST_F(Matrices, Integer) { checkAny<int>("multiplyInteger"); }

TEST_F(Matrices, Registers) {
  for (Sizes s : kWhole) {
    std::vector<float> a = whole<float>(s.m * s.k), b = whole<float>(s.k * s.n);
    DeviceArray<float> x(a), y(b), z(s.m * s.n);
    run("multiplyRegisters", {s.n / 16u, s.m / 16u, 1}, {4, 4, 1}, x, y, z, s.n,
        s.k);
    EXPECT_EQ(z.download(), multiply<float>(a, b, s));
  }
}

TEST_F(Matrices, Pipelined) {
  for (Sizes s : kWhole) {
    std::vector<float> a = whole<float>(s.m * s.k), b = whole<float>(s.k * s.n);
    DeviceArray<float> x(a), y(b), z(s.m * s.n);
    run("multiplyPipelined", {s.n / 16u, s.m / 16u, 1}, {16, 16, 1}, x, y, z,
        s.n, s.k);
    EXPECT_EQ(z.download(), multiply<float>(a, b, s));
  }
}

TEST_F(Matrices, TensorCoresOfHalf) {
  checkTensorCores<float, uint16_t>("multiplyHalf", 16, 16, encodeHalf);
}

TEST_F(Matrices, TensorCoresOfBytes) {
  checkTensorCores<int, int8_t>("multiplyBytes", 32, 8, [](int value) {
    return static_cast<int8_t>(value);
  });
}

TEST_F(Matrices, TensorCoresOfLoadedMatrices) {
  checkTensorCores<float, uint16_t>("multiplyLoaded", 16, 8, [](int value) {
    return static_cast<uint16_t>(bitsOfFloat(value) >> 16);
  });
}

TEST_F(Matrices, PackedBytes) {
  for (Sizes s : kAny) {
    s.k *= 4;
    std::vector<int8_t> a = draw<int8_t>(s.m * s.k, -128, 127),
                        b = draw<int8_t>(s.k * s.n, -128, 127);
    DeviceArray<int8_t> x(a), y(b);
    DeviceArray<int> z(s.m * s.n);
    run("multiplyPacked", {cover(s.n, 8), cover(s.m, 8), 1}, {8, 8, 1}, x, y, z,
        s.m, s.n, s.k / 4);
    EXPECT_EQ(z.download(), multiply<int>(a, b, s, /*isTransposed=*/true));
  }
}

/// Rows of A and columns of B are words of eight numbers, or of 32 bits.
TEST_F(Matrices, NibblesAndBits) {
  for (int steps : {1, 2, 5}) {
    size_t words = 4 * steps;
    std::vector<int> a = draw<int>(8 * words, INT32_MIN, INT32_MAX);
    std::vector<int> b = draw<int>(8 * words, INT32_MIN, INT32_MAX);
    std::vector<int> sums(64), both(64), different(64);
    // The bits go to the top first, so that the shift back extends the sign.
    auto nibble = [](unsigned word, int i) {
      return static_cast<int>(word << (28 - 4 * i)) >> 28;
    };
    for (size_t row = 0; row < 8; ++row)
      for (size_t column = 0; column < 8; ++column)
        for (size_t word = 0; word < words; ++word) {
          int x = a[row * words + word], y = b[column * words + word];
          size_t place = row * 8 + column;
          for (int i = 0; i < 8; ++i)
            sums[place] += nibble(x, i) * nibble(y, i);
          both[place] += __builtin_popcount(x & y);
          different[place] += __builtin_popcount(x ^ y);
        }
    DeviceArray<int> left(a), right(b), out(64);
    run("multiplyNibbles", {1, 1, 1}, {32, 1, 1}, left, right, out, 32 * steps);
    EXPECT_EQ(out.download(), sums);
    run("multiplyBits", {1, 1, 1}, {32, 1, 1}, left, right, out, 128 * steps,
        0);
    EXPECT_EQ(out.download(), both);
    run("multiplyBits", {1, 1, 1}, {32, 1, 1}, left, right, out, 128 * steps,
        1);
    EXPECT_EQ(out.download(), different);
  }
}

TEST_F(Matrices, Transpose) {
  for (Sizes s : kAny) {
    std::vector<float> in = draw(s.m * s.k, -1.0f, 1.0f), expected(in.size());
    for (int row = 0; row < s.m; ++row)
      for (int column = 0; column < s.k; ++column)
        expected[column * s.m + row] = in[row * s.k + column];
    DeviceArray<float> from(in), to(in.size());
    run("transpose", {cover(s.k, 32), cover(s.m, 32), 1}, {32, 8, 1}, from, to,
        s.m, s.k);
    EXPECT_EQ(to.download(), expected);
  }
}

/// Each quarter of a warp has a product of its own; whatever the layouts are.
TEST_F(Matrices, QuartersOfWarps) {
  std::vector<int> a = draw(4 * 32, -8, 8), b = draw(4 * 32, -8, 8);
  std::vector<float> c = whole<float>(4 * 64), sums = c;
  std::vector<uint16_t> left, right, halves;
  for (int i = 0; i < 4 * 32; ++i) {
    left.push_back(encodeHalf(a[i]));
    right.push_back(encodeHalf(b[i]));
  }
  for (int i = 0; i < 4 * 64; ++i) {
    int product = i / 64, row = i / 8 % 8, column = i % 8;
    for (int k = 0; k < 4; ++k)
      sums[i] += static_cast<float>(a[product * 32 + row * 4 + k] *
                                    b[product * 32 + k * 8 + column]);
    halves.push_back(encodeHalf(static_cast<int>(sums[i])));
  }
  DeviceArray<uint16_t> x(left), y(right);
  DeviceArray<float> from(c);
  for (const char *kernel :
       {"quads_rowRow", "quads_rowCol", "quads_colRow", "quads_colCol"}) {
    DeviceArray<float> to(4 * 64);
    DeviceArray<uint16_t> half(4 * 64);
    run(kernel, {1, 1, 1}, {32, 1, 1}, x, y, from, to, half);
    EXPECT_EQ(to.download(), sums) << kernel;
    EXPECT_EQ(half.download(), halves) << kernel;
  }
}
