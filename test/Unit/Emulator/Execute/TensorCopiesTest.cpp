//===- TensorCopiesTest.cpp - Tests of bulk copies and tensor maps --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"
#include "TensorMaps.h"

namespace {
struct TensorCopiesFamily {
  static constexpr const char *kName = "TensorCopies";
};

/// A box at these coordinates.
struct Box {
  TensorShape shape;
  std::array<int, 5> at;

  size_t count(size_t i) const {
    size_t step = i ? shape.steps[i] : 1;
    return (shape.box[i] + step - 1) / step;
  }
  size_t rowBytes() const { return count(0) * shape.elementBytes(); }
  size_t rows() const {
    size_t result = 1;
    for (size_t i = 1; i < shape.sizes.size(); ++i)
      result *= count(i);
    return result;
  }
  /// From row to row in shared memory.
  size_t pitch() const {
    return shape.swizzle ? size_t(16) << shape.swizzle : rowBytes();
  }
  size_t bytes() const { return rows() * pitch(); }
  /// Rows may overlap.
  size_t tensorBytes() const {
    size_t bytes = shape.sizes[0] * shape.elementBytes();
    for (size_t i = 1; i < shape.sizes.size(); ++i)
      bytes += shape.strides[i - 1] * (shape.sizes[i] - 1);
    return bytes;
  }

  /// Calls each(offset in shared memory, offset in the tensor or -1) for each
  /// byte of the box.
  template <typename Each> void forEachByte(Each each) const {
    for (size_t row = 0; row < rows(); ++row)
      for (size_t byte = 0; byte < rowBytes(); ++byte)
        each(placeInShared(row * pitch() + byte), placeInTensor(row, byte));
  }

private:
  /// As the table "Swizzling modes" of the PTX ISA says: of eight rows of 128
  /// bytes, chunk c of row r is at c ^ r, or half or a quarter of that.
  size_t placeInShared(size_t offset) const {
    static const size_t turns[] = {1, 2, 4, 8};
    size_t line = offset / 128, chunk = offset % 128 / 16;
    return line * 128 + (chunk ^ line % turns[shape.swizzle]) * 16 +
           offset % 16;
  }
  int64_t placeInTensor(size_t row, size_t byte) const {
    int64_t x = at[0] + int64_t(byte / shape.elementBytes());
    bool exists = x >= 0 && x < int64_t(shape.sizes[0]);
    int64_t offset = x * int64_t(shape.elementBytes()) +
                     int64_t(byte % shape.elementBytes());
    for (size_t i = 1; i < shape.sizes.size(); ++i) {
      int64_t y = at[i] + int64_t(row % count(i) * shape.steps[i]);
      row /= count(i);
      exists &= y >= 0 && y < int64_t(shape.sizes[i]);
      offset += y * int64_t(shape.strides[i - 1]);
    }
    return exists ? offset : -1;
  }
};

class TensorCopies : public CUDATest<TensorCopiesFamily> {
protected:
  /// What is in shared memory after a load.
  void testLoad(const Box &box) {
    std::vector<uint8_t> tensor = draw<uint8_t>(box.tensorBytes(), 1, 255);
    DeviceArray<uint8_t> from(tensor), to(box.bytes());
    TensorMap map;
    ASSERT_OK(box.shape.encode(from.pointer, &map));
    std::string kernel = "loadBox" + std::to_string(box.shape.sizes.size());
    int bytes = int(box.bytes()), boxed = int(box.rows() * box.rowBytes());
    runWithShared(kernel.c_str(), {1, 1, 1}, {32, 1, 1}, bytes, map, box.at, to,
                  bytes, boxed);
    std::vector<uint8_t> expected(box.bytes(), 0xee);
    box.forEachByte([&](size_t shared, int64_t offset) {
      expected[shared] = offset < 0 ? 0 : tensor[offset];
    });
    EXPECT_EQ(to.download(), expected);
  }
  /// What is in the tensor after a store.
  void testStore(const Box &box) {
    std::vector<uint8_t> tensor = draw<uint8_t>(box.tensorBytes(), 1, 255),
                         shared = draw<uint8_t>(box.bytes(), 1, 255);
    DeviceArray<uint8_t> to(tensor), from(shared);
    TensorMap map;
    ASSERT_OK(box.shape.encode(to.pointer, &map));
    std::string kernel = "storeBox" + std::to_string(box.shape.sizes.size());
    int bytes = int(box.bytes());
    runWithShared(kernel.c_str(), {1, 1, 1}, {32, 1, 1}, bytes, map, box.at,
                  from, bytes);
    box.forEachByte([&](size_t place, int64_t offset) {
      if (offset >= 0)
        tensor[offset] = shared[place];
    });
    EXPECT_EQ(to.download(), tensor);
  }
  void test(const Box &box) {
    testLoad(box);
    testStore(box);
  }
};
} // namespace

TEST_F(TensorCopies, Lines) {
  for (int count : {4, 32, 512})
    for (int rounds : {1, 2, 5}) {
      std::vector<float> in = draw<float>(3 * rounds * count, -1, 1);
      DeviceArray<float> from(in), to(in.size());
      runWithShared("doubleLines", {3, 1, 1}, {64, 1, 1}, 8 * count, from, to,
                    count, rounds);
      for (float &value : in)
        value *= 2;
      EXPECT_EQ(to.download(), in);
    }
}

/// Boxes of all ranks, within the tensor and beyond each of its sides.
TEST_F(TensorCopies, Ranks) {
  using S = TensorShape;
  for (int from : {-3, 0, 2, 100}) {
    test({{S::F32, {40}, {16}}, {from}});
    test({{S::U8, {50, 7}, {32, 4}}, {from, 1}});
    test({{S::U8, {50, 7}, {32, 4}}, {0, from}});
    test({{S::F16, {20, 5, 3}, {8, 3, 2}}, {1, from, 2}});
    test({{S::F64, {9, 4, 3, 5}, {6, 2, 3, 2}}, {from, 3, -1, 4}});
    test({{S::S32, {9, 4, 3, 2, 6}, {4, 2, 3, 2, 2}}, {6, from, -1, 1, 5}});
  }
}

/// Rows as long as the span of the swizzle, and shorter ones.
TEST_F(TensorCopies, Swizzles) {
  using S = TensorShape;
  for (int swizzle : {1, 2, 3})
    for (uint32_t chunks = 1; chunks <= 1u << swizzle; ++chunks)
      for (int y : {0, -5, 30})
        test({{S::BF16, {70, 40}, {8 * chunks, 24}, swizzle}, {3, y}});
  test({{S::F32, {64, 16, 4}, {32, 8, 2}, 3}, {20, 12, 1}});
}

TEST_F(TensorCopies, Steps) {
  using S = TensorShape;
  test({{S::F16, {24, 30}, {8, 13}, 0, {1, 3}}, {8, 1}});
  test({{S::F16, {24, 30, 20}, {16, 8, 9}, 1, {5, 2, 8}}, {-4, 20, 6}});
}

TEST_F(TensorCopies, Strides) {
  using S = TensorShape;
  // Every other row of a matrix, and rows that overlap.
  test({{S::F32, {6, 8}, {8, 8}, 1, {1, 1}, {64}}, {0, 2}});
  testLoad({{S::F32, {16, 8}, {8, 8}, 0, {1, 1}, {16}}, {0, 0}});
}

/// A map may be encoded at any address.
TEST_F(TensorCopies, MapsAnywhere) {
  TensorShape shape{TensorShape::F32, {64}, {16}};
  TensorMap map, maps[2];
  ASSERT_OK(shape.encode(4096, &map));
  uint8_t *place = reinterpret_cast<uint8_t *>(maps) + 16;
  ASSERT_OK(shape.encode(4096, place));
  EXPECT_EQ(std::memcmp(place, &map, sizeof map), 0);
}

namespace {
/// The arguments of `loadReplaced`.
struct Replaced {
  cuda::DevicePointer address;
  uint64_t stride;
  unsigned sizes[2], box[2], steps[2];
  int at[2];
};
} // namespace

/// A map that a kernel makes of zeros, in shared memory or in global.
TEST_F(TensorCopies, ReplacedMaps) {
  const unsigned width = 24, height = 10;
  std::vector<uint16_t> tensor = draw<uint16_t>(width * height, 1, 999);
  for (const char *kernel :
       {"loadReplaced", "loadReplacedGeneric", "loadReplacedInGlobal"})
    for (int y : {0, 3, -2}) {
      DeviceArray<uint16_t> from(tensor), to(16 * 4);
      Replaced map = {from.pointer, 2 * width, {width - 4, height},
                      {16, 7},      {1, 2},    {8, y}};
      DeviceArray<uint8_t> maps(256);
      run(kernel, {1, 1, 1}, {32, 1, 1}, map, maps, to);
      std::vector<uint16_t> got = to.download();
      for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 16; ++column) {
          int line = y + 2 * int(row), place = 8 + int(column);
          bool exists = line >= 0 && line < int(height) && place < 20;
          // Rows of 32 bytes: every other line has its chunks in turn.
          unsigned chunk = (column / 8) ^ (row / 4 % 2);
          EXPECT_EQ(got[row * 16 + chunk * 8 + column % 8],
                    exists ? tensor[line * width + place] : 0x7fff)
              << kernel << " " << y << " " << row << " " << column;
        }
    }
}

//===----------------------------------------------------------------------===//
// What the driver refuses
//===----------------------------------------------------------------------===//

namespace {
/// Arguments of which each test changes one.
struct Encoding {
  int type = TensorShape::F16;
  uint32_t rank = 3;
  uint64_t address = 4096;
  uint64_t sizes[6] = {64, 32, 16, 1, 1, 1};
  uint64_t strides[5] = {128, 4096, 65536, 65536, 65536};
  uint32_t box[6] = {64, 32, 1, 1, 1, 1}, steps[6] = {1, 1, 1, 1, 1, 1};
  int interleave = 0, swizzle = 3, promotion = 2, fill = 0;
  cuda::Result encode() {
    TensorMap map = {};
    return cuTensorMapEncodeTiled(
        &map, type, rank, reinterpret_cast<void *>(address), sizes, strides,
        box, steps, interleave, swizzle, promotion, fill);
  }
};
} // namespace

TEST_F(TensorCopies, InvalidMaps) {
  EXPECT_OK(Encoding().encode());
  auto expectInvalid = [](const char *what, auto change) {
    Encoding encoding;
    change(encoding);
    EXPECT_EQ(encoding.encode(), cuda::kInvalidValue) << what;
  };
  expectInvalid("type", [](Encoding &e) { e.type = 16; });
  expectInvalid("no rank", [](Encoding &e) { e.rank = 0; });
  expectInvalid("rank", [](Encoding &e) { e.rank = 6; });
  expectInvalid("address", [](Encoding &e) { e.address = 4104; });
  expectInvalid("no size", [](Encoding &e) { e.sizes[2] = 0; });
  expectInvalid("size", [](Encoding &e) { e.sizes[1] = (1ull << 32) + 1; });
  expectInvalid("stride", [](Encoding &e) { e.strides[0] = 136; });
  expectInvalid("long stride", [](Encoding &e) { e.strides[1] = 1ull << 40; });
  expectInvalid("no box", [](Encoding &e) { e.box[1] = 0; });
  expectInvalid("box", [](Encoding &e) { e.box[1] = 257; });
  expectInvalid("row of the box", [](Encoding &e) { e.box[0] = 12; });
  expectInvalid("span", [](Encoding &e) { e.swizzle = 2; });
  expectInvalid("no step", [](Encoding &e) { e.steps[1] = 0; });
  expectInvalid("step", [](Encoding &e) { e.steps[2] = 9; });
  expectInvalid("interleave", [](Encoding &e) { e.interleave = 3; });
  expectInvalid("swizzle", [](Encoding &e) { e.swizzle = 7; });
  expectInvalid("promotion", [](Encoding &e) { e.promotion = 4; });
  expectInvalid("fill", [](Encoding &e) { e.fill = 2; });
  expectInvalid("fill of integers", [](Encoding &e) {
    e.type = TensorShape::U16;
    e.fill = 1;
  });
  expectInvalid("interleave of 32 bytes", [](Encoding &e) {
    e.interleave = 2;
    e.swizzle = 3;
  });
  expectInvalid("interleave of a matrix", [](Encoding &e) {
    e.interleave = 1;
    e.rank = 2;
  });
  expectInvalid("packed size", [](Encoding &e) {
    e.type = 14;
    e.box[0] = 128;
    e.sizes[0] = 64;
  });
}

/// Valid, but nothing of the emulator.
TEST_F(TensorCopies, UnsupportedMaps) {
  auto expectUnsupported = [](const char *what, auto change) {
    Encoding encoding;
    change(encoding);
    testing::internal::CaptureStderr();
    EXPECT_EQ(encoding.encode(), cuda::kNotSupported);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "hetero emulator: a tensor map " + std::string(what) +
                  " is not supported\n");
  };
  expectUnsupported("with interleaved dimensions",
                    [](Encoding &e) { e.interleave = 1; });
  expectUnsupported("that swizzles chunks of more than 16 bytes",
                    [](Encoding &e) { e.swizzle = 4; });
  expectUnsupported("whose elements are packed or rounded", [](Encoding &e) {
    e.type = 11;
    e.box[0] = 32;
  });
}
