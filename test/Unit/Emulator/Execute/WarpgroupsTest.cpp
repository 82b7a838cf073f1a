//===- WarpgroupsTest.cpp - Tests of products by warpgroups ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"
#include "TensorMaps.h"

namespace {
struct WarpgroupsFamily {
  static constexpr const char *kName = "Warpgroups";
};

constexpr int kEdge = 64;

/// What Kernels/Warpgroups.cu declares.
struct Tile {
  uint64_t descriptor;
  int boxes, moveX, moveY, boxBytes;
  int steps[8];
};

/// How an operand of 64 lines (rows of A, columns of B) lies in memory.
struct Layout {
  int swizzle;       ///< 0 to 3: none, 32, 64 and 128 bytes.
  bool isTransposed; ///< Neighbours are lines, else elements of depth.
  int depth = kEdge;
  TensorShape::Type type = TensorShape::F16;

  int elementBytes() const {
    return int(TensorShape{type, {1}, {1}}.elementBytes());
  }
  int perSpan() const { return (16 << swizzle) / elementBytes(); }
  /// Sizes along neighbours, and across.
  int inner() const { return isTransposed ? kEdge : depth; }
  int outer() const { return isTransposed ? depth : kEdge; }

  TensorShape shape() const {
    return {type,
            {uint64_t(inner()), uint64_t(outer())},
            {uint32_t(perSpan()), uint32_t(outer())},
            swizzle};
  }
  /// The boxes' rows are as long as a span of the swizzle.
  Tile tile() const {
    Tile tile = {};
    int span = 16 << swizzle, chunk = 16 / elementBytes();
    tile.boxes = inner() / perSpan();
    tile.moveX = perSpan();
    tile.boxBytes = span * outer();
    // Of 32 bytes of depth each.
    for (int i = 0; i < depth * elementBytes() / 32; ++i) {
      int element = i * 2 * chunk;
      tile.steps[i] = isTransposed ? element * span
                                   : element / perSpan() * tile.boxBytes +
                                         element % perSpan() * elementBytes();
    }
    uint64_t eight = 8 * span, next = tile.boxBytes;
    // To the next eight lines, or the next of several rows of chunks.
    uint64_t leading = swizzle == 0 && isTransposed ? eight : next;
    uint64_t stride = swizzle == 0 && isTransposed ? next : eight;
    tile.descriptor = leading >> 4 << 16 | stride >> 4 << 32 |
                      uint64_t(swizzle ? 4 - swizzle : 0) << 62;
    return tile;
  }
};

class Warpgroups : public CUDATest<WarpgroupsFamily> {
protected:
  static float halfToFloat(uint16_t bits) {
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    float value = exponent ? std::ldexp(float(1024 + mantissa), exponent - 25)
                           : std::ldexp(float(mantissa), -24);
    return bits & 0x8000 ? -value : value;
  }
  /// Of integers up to 2048.
  static uint16_t toHalf(int value) {
    int exponent = 0, magnitude = std::abs(value);
    if (magnitude == 0)
      return 0;
    while (magnitude >> (exponent + 1))
      ++exponent;
    return uint16_t((value < 0) << 15 | (exponent + 15) << 10 |
                    ((magnitude << 10 >> exponent) & 1023));
  }
  static uint16_t toBrain(int value) {
    float number = float(value);
    uint32_t bits;
    std::memcpy(&bits, &number, 4);
    return uint16_t(bits >> 16);
  }

  /// lines x depth numbers as the layout has them in memory.
  template <typename T, typename Convert>
  std::vector<T> lay(const std::vector<int> &numbers, const Layout &layout,
                     Convert convert) {
    std::vector<T> result(numbers.size());
    for (int line = 0; line < kEdge; ++line)
      for (int k = 0; k < layout.depth; ++k)
        result[layout.isTransposed ? k * kEdge + line
                                   : line * layout.depth + k] =
            convert(numbers[line * layout.depth + k]);
    return result;
  }

  /// numbers[line][k]; both operands have 64 lines.
  template <typename Sum>
  static std::vector<Sum> multiply(const std::vector<int> &a,
                                   const std::vector<int> &b, int depth,
                                   Sum before) {
    std::vector<Sum> result(kEdge * kEdge, before);
    for (int i = 0; i < kEdge; ++i)
      for (int j = 0; j < kEdge; ++j)
        for (int k = 0; k < depth; ++k)
          result[i * kEdge + j] += a[i * depth + k] * b[j * depth + k];
    return result;
  }

  /// Launches a kernel with both operands and what follows them.
  template <typename T, typename Convert, typename... Rest>
  void launch(const char *kernel, const std::vector<int> &a,
              const Layout &layoutA, const std::vector<int> &b,
              const Layout &layoutB, Convert convert, const Rest &...rest) {
    DeviceArray<T> inA(lay<T>(a, layoutA, convert)),
        inB(lay<T>(b, layoutB, convert));
    TensorMap mapA, mapB;
    ASSERT_OK(layoutA.shape().encode(inA.pointer, &mapA));
    ASSERT_OK(layoutB.shape().encode(inB.pointer, &mapB));
    Tile tileA = layoutA.tile(), tileB = layoutB.tile();
    unsigned shared =
        tileA.boxes * tileA.boxBytes + tileB.boxes * tileB.boxBytes;
    runWithShared(kernel, {1, 1, 1}, {128, 1, 1}, shared, mapA, mapB, tileA,
                  tileB, rest...);
  }

  std::vector<int> drawMatrix(int depth, int from = -8, int to = 8) {
    return draw<int>(size_t(kEdge) * depth, from, to);
  }
};
} // namespace

/// All swizzles of both operands, by rows and by columns.
TEST_F(Warpgroups, Halves) {
  const char *kernels[] = {"halfRowsRows", "halfRowsColumns", "halfColumnsRows",
                           "halfColumnsColumns"};
  for (int orders = 0; orders < 4; ++orders)
    for (int swizzleA = 0; swizzleA < 4; ++swizzleA)
      for (int swizzleB = 0; swizzleB < 4; ++swizzleB) {
        Layout layoutA{swizzleA, orders >= 2},
            layoutB{swizzleB, orders % 2 == 1};
        std::vector<int> a = drawMatrix(kEdge), b = drawMatrix(kEdge);
        DeviceArray<float> out(kEdge * kEdge);
        int isKept = swizzleB % 2;
        launch<uint16_t>(kernels[orders], a, layoutA, b, layoutB, toHalf,
                         kEdge / 16, isKept, out);
        EXPECT_EQ(out.download(), multiply<float>(a, b, kEdge, float(isKept)))
            << kernels[orders] << " " << swizzleA << " " << swizzleB;
      }
}

TEST_F(Warpgroups, BrainFloats) {
  for (bool isTransposed : {false, true})
    for (int swizzle = 0; swizzle < 4; ++swizzle) {
      Layout layout{swizzle, isTransposed, kEdge, TensorShape::BF16};
      std::vector<int> a = drawMatrix(kEdge), b = drawMatrix(kEdge);
      DeviceArray<float> out(kEdge * kEdge);
      launch<uint16_t>(isTransposed ? "brainColumnsColumns" : "brainRowsRows",
                       a, layout, b, layout, toBrain, kEdge / 16, 0, out);
      EXPECT_EQ(out.download(), multiply<float>(a, b, kEdge, 0));
    }
}

/// (-A) * (-B) of the first half of the depth, A * (-B) of the second.
TEST_F(Warpgroups, NegatedOperands) {
  Layout layout{2, false, 32};
  std::vector<int> a = drawMatrix(32), b = drawMatrix(32);
  DeviceArray<float> out(kEdge * kEdge);
  launch<uint16_t>("negatedProducts", a, layout, b, layout, toHalf, out);
  for (int i = 0; i < kEdge; ++i)
    for (int k = 16; k < 32; ++k)
      a[i * 32 + k] *= -1;
  EXPECT_EQ(out.download(), multiply<float>(a, b, 32, 0));
}

TEST_F(Warpgroups, HalfSums) {
  Layout layout{3, false};
  std::vector<int> a = drawMatrix(kEdge, -3, 3), b = drawMatrix(kEdge, -3, 3);
  DeviceArray<uint32_t> out(kEdge * kEdge / 2);
  launch<uint16_t>("halfSums", a, layout, b, layout, toHalf, kEdge / 16, out);
  std::vector<float> got;
  for (uint32_t pair : out.download())
    for (int half : {0, 1})
      got.push_back(halfToFloat(uint16_t(pair >> 16 * half)));
  EXPECT_EQ(got, multiply<float>(a, b, kEdge, 0));
}

TEST_F(Warpgroups, RegistersOfA) {
  for (bool isTransposed : {false, true})
    for (int swizzle = 0; swizzle < 4; ++swizzle) {
      Layout layout{swizzle, isTransposed}, rows{0, false};
      std::vector<int> a = drawMatrix(kEdge), b = drawMatrix(kEdge);
      DeviceArray<uint16_t> in(lay<uint16_t>(a, rows, toHalf));
      DeviceArray<float> out(kEdge * kEdge);
      launch<uint16_t>(isTransposed ? "registersColumns" : "registersRows", b,
                       layout, b, layout, toHalf, kEdge / 16, in, out);
      EXPECT_EQ(out.download(), multiply<float>(a, b, kEdge, 0));
    }
}

TEST_F(Warpgroups, TensorFloats) {
  for (int swizzle = 0; swizzle < 4; ++swizzle) {
    Layout layout{swizzle, false, 32, TensorShape::F32};
    std::vector<int> a = drawMatrix(32, -900, 900), b = drawMatrix(32);
    DeviceArray<float> out(kEdge * kEdge);
    launch<float>(
        "tensorFloats", a, layout, b, layout,
        [](int value) { return float(value); }, 4, out);
    EXPECT_EQ(out.download(), multiply<float>(a, b, 32, 0));
  }
}

TEST_F(Warpgroups, Bytes) {
  struct Case {
    const char *kernel;
    int fromA, fromB;
  };
  for (const Case &c :
       {Case{"signedBytes", -128, -128}, Case{"unsignedBytes", 0, 0},
        Case{"mixedBytes", -128, 0}})
    for (int swizzle = 0; swizzle < 4; ++swizzle) {
      Layout layout{swizzle, false, 128, TensorShape::U8};
      std::vector<int> a = drawMatrix(128, c.fromA, c.fromA + 255),
                       b = drawMatrix(128, c.fromB, c.fromB + 255);
      DeviceArray<int> out(kEdge * kEdge);
      launch<uint8_t>(
          c.kernel, a, layout, b, layout,
          [](int value) { return uint8_t(value); }, 4, out);
      EXPECT_EQ(out.download(), multiply<int>(a, b, 128, 0)) << c.kernel;
    }
}

/// Floating point of 8 bits, with a negated operand.
TEST_F(Warpgroups, SmallFloats) {
  struct Case {
    const char *kernel;
    int bias, mantissa;
  };
  for (const Case &c : {Case{"fineBytes", 7, 3}, Case{"wideBytes", 15, 2}}) {
    auto convert = [&](int value) {
      int exponent = 0, magnitude = std::abs(value);
      while (magnitude >> (exponent + 1))
        ++exponent;
      int fraction =
          (magnitude << c.mantissa >> exponent) & ((1 << c.mantissa) - 1);
      return magnitude ? uint8_t((value < 0) << 7 |
                                 (exponent + c.bias) << c.mantissa | fraction)
                       : uint8_t(0);
    };
    Layout layout{3, false, 128, TensorShape::U8};
    std::vector<int> a = drawMatrix(128, -4, 4), b = drawMatrix(128, -4, 4);
    DeviceArray<float> out(kEdge * kEdge);
    launch<uint8_t>(c.kernel, a, layout, b, layout, convert, 4, out);
    std::vector<float> expected = multiply<float>(a, b, 128, 0);
    for (float &number : expected)
      number = -number;
    EXPECT_EQ(out.download(), expected) << c.kernel;
  }
}
