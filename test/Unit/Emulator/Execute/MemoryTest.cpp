//===- MemoryTest.cpp - How threads reach memory --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include <algorithm>
#include <complex>

namespace {
struct MemoryFamily {
  static constexpr const char *kName = "Memory";
};

class Memory : public CUDATest<MemoryFamily> {};
} // namespace

TEST_F(Memory, Convolves) {
  for (int width : {1, 17, 40}) {
    int height = width + 3, planes = 2;
    std::vector<float> image = draw(planes * height * width, -1.0f, 1.0f),
                       filter = draw(9, -1.0f, 1.0f), expected;
    for (int plane = 0; plane < planes; ++plane)
      for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
          double sum = 0;
          for (int i = -1; i <= 1; ++i)
            for (int j = -1; j <= 1; ++j)
              if (row + i >= 0 && row + i < height && column + j >= 0 &&
                  column + j < width)
                sum += double(image[(plane * height + row + i) * width +
                                    column + j]) *
                       filter[(i + 1) * 3 + j + 1];
          expected.push_back(static_cast<float>(sum));
        }
    DeviceArray<float> from(image), with(filter), to(image.size());
    run("convolve", {cover(width, 8), cover(height, 8), unsigned(planes)},
        {8, 8, 1}, from, with, to, height, width);
    expectNear(to.download(), expected, 1e-6);
  }
}

TEST_F(Memory, MultipliesSparse) {
  for (int size : kSizes) {
    std::vector<int> rows = {0}, columns;
    std::vector<float> values, x = draw(size, -2.0f, 2.0f), expected(size);
    for (int row = 0; row < size; ++row) {
      double sum = 0;
      for (int i = static_cast<int>(random() % 7); i > 0; --i) {
        columns.push_back(static_cast<int>(random() % size));
        values.push_back(draw(1, -2.0f, 2.0f).front());
        sum += double(values.back()) * x[columns.back()];
      }
      rows.push_back(static_cast<int>(columns.size()));
      expected[row] = static_cast<float>(sum);
    }
    expectNear(map<float>("multiplySparse", size, 1, DeviceArray<int>(rows),
                          DeviceArray<int>(columns), DeviceArray<float>(values),
                          DeviceArray<float>(x)),
               expected, 1e-5);
  }
}

TEST_F(Memory, Attracts) {
  for (int size : {1, 30, 100}) {
    std::vector<float> bodies = draw(4 * size, 0.1f, 2.0f), expected;
    for (int i = 0; i < size; ++i) {
      double force[3] = {};
      for (int j = 0; j < size; ++j) {
        double offset[3], square = 0.01f;
        for (int axis = 0; axis < 3; ++axis) {
          offset[axis] = double(bodies[4 * j + axis]) - bodies[4 * i + axis];
          square += offset[axis] * offset[axis];
        }
        for (int axis = 0; axis < 3; ++axis)
          force[axis] +=
              offset[axis] * bodies[4 * j + 3] / (square * std::sqrt(square));
      }
      expected.insert(expected.end(), force, force + 3);
    }
    expectNear(map<float>("attract", size, 3, DeviceArray<float>(bodies)),
               expected, 1e-4);
  }
}

TEST_F(Memory, CopiesVectors) {
  for (int size : kSizes) {
    std::vector<unsigned> from = anyBits(4 * size);
    std::vector<uint8_t> bytes = draw<uint8_t>(4 * size, 0, 255);
    DeviceArray<unsigned> words(from), to(4 * size);
    DeviceArray<uint8_t> four(bytes);
    DeviceArray<uint16_t> pairs(2 * size);
    run("copyVectors", {cover(size, kBlock), 1, 1}, {kBlock, 1, 1}, words, to,
        four, pairs, size);
    std::reverse(from.begin(), from.end());
    EXPECT_EQ(to.download(), from);
    std::vector<uint16_t> expected;
    for (size_t i = 0; i < bytes.size(); i += 2)
      expected.push_back(static_cast<uint16_t>(bytes[i] * 256 + bytes[i + 1]));
    EXPECT_EQ(pairs.download(), expected);
  }
}

TEST_F(Memory, LivesOn) {
  for (int size : {1, 16, 37}) {
    std::vector<uint8_t> cells = draw<uint8_t>(size * size, 0, 1), expected;
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        int count = 0;
        for (int i = -1; i <= 1; ++i)
          for (int j = -1; j <= 1; ++j)
            count += (i || j) && cells[(row + i + size) % size * size +
                                       (column + j + size) % size];
        expected.push_back(count == 3 ||
                           (count == 2 && cells[row * size + column]));
      }
    DeviceArray<uint8_t> from(cells), to(cells.size());
    run("liveOn", {cover(size, 16), cover(size, 16), 1}, {16, 16, 1}, from, to,
        size);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_F(Memory, Transforms) {
  for (int size : {2, 32, 256}) {
    std::vector<float> values = draw(2 * size, -1.0f, 1.0f), expected;
    for (int k = 0; k < size; ++k) {
      std::complex<double> sum = 0;
      for (int j = 0; j < size; ++j)
        sum += std::complex<double>(values[2 * j], values[2 * j + 1]) *
               std::polar(1.0, -2 * M_PI * double(j) * k / size);
      expected.push_back(static_cast<float>(sum.real()));
      expected.push_back(static_cast<float>(sum.imag()));
    }
    DeviceArray<float> array(values);
    runWithShared("transform", {1, 1, 1}, {unsigned(size) / 2, 1, 1}, 8 * size,
                  array, size);
    expectNear(array.download(), expected, 1e-5);
  }
}
