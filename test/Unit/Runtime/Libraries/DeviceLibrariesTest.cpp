//===- DeviceLibrariesTest.cpp - Calls of cuBLAS and cuDNN ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random calls on the emulated device, computed by FakeCUBLAS.cpp and
// FakeCUDNN.cpp, against plain loops. Elements are small integers, so that
// results are equal in every type.
//
//===----------------------------------------------------------------------===//

#include "FakeDeviceLibrary.h"
#include "hetero/Runtime/HeteroLibraries.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace hetero;
using fake::Element;

namespace {
using Random = std::mt19937;

int64_t pick(Random &random, int64_t from, int64_t to) {
  return from + static_cast<int64_t>(random() % (to - from + 1));
}

class DeviceLibraries : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("HETERO_CUDA_DRIVER", "emulator", 1);
    setenv("HETERO_EMULATOR", "devices=2,memory=256MiB", 1);
    setenv("HETERO_LIBRARIES",
           "cublas=" HETERO_FAKE_CUBLAS ",cudnn=" HETERO_FAKE_CUDNN, 1);
  }
  void SetUp() override { ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK); }
  void TearDown() override {
    unsetenv("HETERO_FAKE_STATUS");
    unsetenv("HETERO_FAKE_LOG");
    EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
    EXPECT_EQ(heteroReset(), HETERO_OK);
  }
};

int32_t typeOf(Element element) {
  switch (element) {
  case Element::F16:
    return HETERO_TYPE_F16;
  case Element::BF16:
    return HETERO_TYPE_BF16;
  case Element::F32:
    return HETERO_TYPE_F32;
  case Element::F64:
    return HETERO_TYPE_F64;
  }
  return -1;
}

/// An array of small integers, on the host and on a device.
struct Tensor {
  Element element;
  HeteroValue value = {};
  std::vector<char> bytes;

  /// Dimensions from the outermost in memory to the innermost, with up to `gap`
  /// elements between rows.
  Tensor(Element element, const std::vector<int64_t> &sizes,
         const std::vector<int> &outermostFirst, int gap, Random &random,
         int32_t device = 0)
      : element(element) {
    value.type = typeOf(element);
    value.rank = sizes.size();
    int64_t stride = 1;
    for (auto it = outermostFirst.rbegin(); it != outermostFirst.rend(); ++it) {
      value.sizes[*it] = sizes[*it];
      value.strides[*it] = sizes[*it] == 1 ? 0 : stride;
      stride *= sizes[*it];
      if (gap)
        stride += random() % (gap + 1);
    }
    bytes.resize((stride + 1) * fake::getBytes(element));
    for (int64_t i = 0; i <= stride; ++i)
      fake::store(bytes.data(), i, element, pick(random, -3, 3));
    EXPECT_EQ(heteroAlloc(device, bytes.size(), 64, &value.data), HETERO_OK);
    EXPECT_EQ(heteroCopy(device, value.data, HETERO_HOST, bytes.data(),
                         bytes.size(), "x"),
              HETERO_OK);
  }

  int64_t at(const std::vector<int64_t> &index) const {
    int64_t place = 0;
    for (int dim = 0; dim < value.rank; ++dim)
      if (value.sizes[dim] != 1)
        place += index[dim] * value.strides[dim];
    return place;
  }
  double get(const std::vector<int64_t> &index) const {
    return fake::load(bytes.data(), at(index), element);
  }
  void set(const std::vector<int64_t> &index, double number) {
    fake::store(bytes.data(), at(index), element, number);
  }
  std::vector<char> download(int32_t device = 0) const {
    std::vector<char> result(bytes.size());
    EXPECT_EQ(heteroCopy(HETERO_HOST, result.data(), device, value.data,
                         result.size(), "y"),
              HETERO_OK);
    EXPECT_EQ(heteroWait(device), HETERO_OK) << heteroLastError();
    return result;
  }
};

std::vector<int> identity(int rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Calls `visit` for all indices.
template <typename Visit>
void forEach(const std::vector<int64_t> &sizes, Visit visit) {
  std::vector<int64_t> index(sizes.size(), 0);
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
    return;
  while (true) {
    visit(index);
    int dim = static_cast<int>(sizes.size()) - 1;
    while (dim >= 0 && ++index[dim] == sizes[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

HeteroStatus multiply(const Tensor &a, const Tensor &b, const Tensor &c,
                      bool accumulate, int64_t mayRound = 0, int32_t unit = 0) {
  HeteroValue values[] = {a.value, b.value, c.value};
  return heteroCallDeviceLibrary(unit, "test_gemm", "cublas", "gemm", values, 3,
                                 accumulate, &mayRound, 1, nullptr);
}

/// One product of random shapes, types and strides against plain loops.
void multiplyAtRandom(unsigned seed) {
  Random random(seed);
  const std::pair<Element, Element> types[] = {
      {Element::F32, Element::F32},   {Element::F64, Element::F64},
      {Element::F16, Element::F16},   {Element::F16, Element::F32},
      {Element::BF16, Element::BF16}, {Element::BF16, Element::F32}};
  auto [input, result] = types[random() % std::size(types)];
  int batches = pick(random, 0, 2);
  std::vector<int64_t> batch;
  for (int i = 0; i < batches; ++i)
    batch.push_back(pick(random, 1, 3));
  int64_t m = pick(random, 1, 8), n = pick(random, 1, 8),
          k = pick(random, 0, 8);
  auto make = [&](Element element, int64_t rows, int64_t columns,
                  bool mayShare) {
    std::vector<int64_t> sizes = batch;
    for (int64_t &size : sizes)
      if (mayShare && random() % 4 == 0)
        size = 1;
    sizes.push_back(rows);
    sizes.push_back(columns);
    std::vector<int> order = identity(sizes.size());
    if (random() % 2)
      std::swap(order[sizes.size() - 1], order[sizes.size() - 2]);
    return Tensor(element, sizes, order, 2, random);
  };
  Tensor a = make(input, m, k, true), b = make(input, k, n, true),
         c = make(result, m, n, false);
  bool accumulate = random() % 2;
  ASSERT_EQ(multiply(a, b, c, accumulate), HETERO_OK) << heteroLastError();
  std::vector<int64_t> sizes(c.value.sizes, c.value.sizes + c.value.rank);
  forEach(sizes, [&](std::vector<int64_t> index) {
    double sum = accumulate ? c.get(index) : 0;
    std::vector<int64_t> left = index, right = index;
    for (int64_t x = 0; x < k; ++x) {
      left[batches + 1] = right[batches] = x;
      sum += a.get(left) * b.get(right);
    }
    c.set(index, sum);
  });
  // What is between the rows stays as it is.
  EXPECT_EQ(c.download(), c.bytes);
}
} // namespace

TEST_F(DeviceLibraries, MultiplyShapesTypesAndStrides) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    multiplyAtRandom(seed);
  }
}

TEST_F(DeviceLibraries, TakeTheLongestOfABatchInOneCall) {
  Random random(1);
  setenv("HETERO_FAKE_LOG", "1", 1);
  Tensor a(Element::F32, {2, 5, 3, 4}, identity(4), 0, random),
      b(Element::F32, {2, 5, 4, 2}, identity(4), 0, random),
      c(Element::F32, {2, 5, 3, 2}, identity(4), 0, random);
  testing::internal::CaptureStderr();
  ASSERT_EQ(multiply(a, b, c, false), HETERO_OK) << heteroLastError();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "cublasCreate\n"
            "cublasGemmStridedBatchedEx NN m=2 n=3 k=4 type=0 result=0 "
            "compute=68 batch=5\n"
            "cublasGemmStridedBatchedEx NN m=2 n=3 k=4 type=0 result=0 "
            "compute=68 batch=5\n");
}

TEST_F(DeviceLibraries, RoundOnlyWhereTheyMay) {
  Random random(1);
  Tensor a(Element::F32, {3, 4}, identity(2), 0, random),
      b(Element::F32, {4, 2}, identity(2), 0, random),
      c(Element::F32, {3, 2}, identity(2), 0, random);
  setenv("HETERO_FAKE_LOG", "1", 1);
  testing::internal::CaptureStderr();
  ASSERT_EQ(multiply(a, b, c, false, /*mayRound=*/0), HETERO_OK);
  ASSERT_EQ(multiply(a, b, c, false, /*mayRound=*/1), HETERO_OK);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "cublasCreate\n"
            "cublasGemmEx NN m=2 n=3 k=4 type=0 result=0 compute=68\n"
            "cublasGemmEx NN m=2 n=3 k=4 type=0 result=0 compute=77\n");
}

TEST_F(DeviceLibraries, HaveOneHandleForEachUnit) {
  Random random(2);
  Tensor a(Element::F64, {3, 4}, identity(2), 0, random),
      b(Element::F64, {4, 2}, identity(2), 0, random),
      c(Element::F64, {3, 2}, identity(2), 0, random),
      d(Element::F64, {3, 2}, identity(2), 0, random);
  setenv("HETERO_FAKE_LOG", "1", 1);
  testing::internal::CaptureStderr();
  // The second unit starts from what the first one makes.
  ASSERT_EQ(heteroOrder(HETERO_UNIT(0, 1), 0), HETERO_OK);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(multiply(a, b, c, false), HETERO_OK);
    ASSERT_EQ(multiply(a, b, d, false, 0, HETERO_UNIT(0, 1)), HETERO_OK);
  }
  ASSERT_EQ(heteroWaitUnit(HETERO_UNIT(0, 1)), HETERO_OK);
  std::vector<char> first = c.download(), second = d.download();
  constexpr size_t kBytes = 3 * 2 * sizeof(double);
  EXPECT_TRUE(
      std::equal(first.begin(), first.begin() + kBytes, second.begin()));
  ASSERT_EQ(heteroReset(), HETERO_OK);
  std::string log = testing::internal::GetCapturedStderr();
  auto count = [&](const std::string &word) {
    int64_t found = 0;
    for (size_t at = 0; (at = log.find(word, at)) != std::string::npos; ++at)
      ++found;
    return found;
  };
  EXPECT_EQ(count("cublasCreate"), 2) << log;
  EXPECT_EQ(count("cublasDestroy"), 2) << log;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// A convolution with random numbers.
struct RandomConvolution {
  Random random;
  Element element;
  int spatial;
  bool grouped, accumulate, relu, biased;
  std::vector<int64_t> source, weights, result, parameters;

  explicit RandomConvolution(unsigned seed) : random(seed) {
    const Element elements[] = {Element::F32, Element::F64, Element::F16,
                                Element::BF16};
    element = elements[random() % 4];
    spatial = pick(random, 1, 3);
    grouped = random() % 3 == 0;
    accumulate = random() % 2;
    relu = random() % 2;
    biased = random() % 2;
    int64_t images = pick(random, 1, 2), channels = pick(random, 1, 4);
    int64_t filters = grouped ? channels : pick(random, 1, 4);
    source = {images, channels};
    weights = {filters, grouped ? 1 : channels};
    result = {images, filters};
    parameters = {grouped, relu};
    std::vector<int64_t> strides, dilations, low;
    for (int i = 0; i < spatial; ++i)
      addDimension(strides, dilations, low);
    for (const auto *numbers : {&strides, &dilations, &low})
      parameters.insert(parameters.end(), numbers->begin(), numbers->end());
  }

  /// Rows after the image may count as zeros, or be read by no window.
  void addDimension(std::vector<int64_t> &strides,
                    std::vector<int64_t> &dilations,
                    std::vector<int64_t> &low) {
    int64_t stride = pick(random, 1, 2), dilation = pick(random, 1, 2),
            taps = pick(random, 1, 3), rows = pick(random, 1, 3),
            before = pick(random, 0, 2);
    int64_t reach = (rows - 1) * stride + (taps - 1) * dilation + 1;
    int64_t after = pick(random, -1, 2);
    // Windows that read nothing but zeros are no convolution to cuDNN.
    before = std::min(before, reach - 1);
    source.push_back(std::max<int64_t>(reach - before - after, 1));
    weights.push_back(taps);
    result.push_back(rows);
    strides.push_back(stride);
    dilations.push_back(dilation);
    low.push_back(before);
  }

  /// Channels first, last, or anything.
  Tensor makeTensor(const std::vector<int64_t> &sizes) {
    std::vector<int> order = identity(sizes.size());
    int kind = random() % 3, gap = kind == 2 ? 2 : 0;
    if (kind == 1)
      std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    else if (kind == 2)
      std::shuffle(order.begin(), order.end(), random);
    return Tensor(element, sizes, order, gap, random);
  }

  double sum(const Tensor &x, const Tensor &w,
             const std::vector<int64_t> &index) const {
    double total = 0;
    std::vector<int64_t> taps(weights.begin() + 1, weights.end());
    forEach(taps, [&](const std::vector<int64_t> &tap) {
      std::vector<int64_t> from = index, by = {index[1]};
      by.insert(by.end(), tap.begin(), tap.end());
      from[1] = grouped ? index[1] : tap[0];
      for (int i = 0; i < spatial; ++i) {
        from[2 + i] = index[2 + i] * parameters[2 + i] +
                      tap[1 + i] * parameters[2 + spatial + i] -
                      parameters[2 + 2 * spatial + i];
        if (from[2 + i] < 0 || from[2 + i] >= source[2 + i])
          return;
      }
      total += x.get(from) * w.get(by);
    });
    return total;
  }

  void run() {
    Tensor x = makeTensor(source), w = makeTensor(weights),
           y = makeTensor(result);
    std::vector<int64_t> biasSizes(2 + spatial, 1);
    biasSizes[1] = result[1];
    Tensor bias(element, biasSizes, identity(2 + spatial), 0, random);
    std::vector<HeteroValue> values = {x.value, w.value};
    if (biased)
      values.push_back(bias.value);
    values.push_back(y.value);
    ASSERT_EQ(
        heteroCallDeviceLibrary(0, "test_convolution", "cudnn", "convolution",
                                values.data(), values.size(), accumulate,
                                parameters.data(), parameters.size(), nullptr),
        HETERO_OK)
        << heteroLastError();
    forEach(result, [&](const std::vector<int64_t> &index) {
      double value = sum(x, w, index) + (accumulate ? y.get(index) : 0);
      std::vector<int64_t> biasIndex(2 + spatial, 0);
      biasIndex[1] = index[1];
      value += biased ? bias.get(biasIndex) : 0;
      y.set(index, relu ? std::max(value, 0.0) : value);
    });
    EXPECT_EQ(y.download(), y.bytes);
  }
};
} // namespace

TEST_F(DeviceLibraries, ConvolveShapesTypesAndLayouts) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomConvolution(seed).run();
  }
}

TEST_F(DeviceLibraries, BringAConstantFilterIntoItsLayoutOnce) {
  Random random(3);
  // (filter, channel, taps...) with the filters innermost.
  Tensor x(Element::F32, {1, 2, 4, 4}, {0, 2, 3, 1}, 0, random),
      w(Element::F32, {3, 2, 2, 2}, {2, 3, 1, 0}, 0, random),
      y(Element::F32, {1, 3, 3, 3}, {0, 2, 3, 1}, 0, random);
  HeteroValue values[] = {x.value, w.value, y.value};
  int64_t parameters[] = {0, 0, 1, 1, 1, 1, 0, 0};
  void *state[2] = {nullptr, nullptr};
  auto convolve = [&] {
    return heteroCallDeviceLibrary(0, "test_convolution", "cudnn",
                                   "convolution", values, 3, 0, parameters, 8,
                                   &state[0]);
  };
  setenv("HETERO_FAKE_LOG", "1", 1);
  testing::internal::CaptureStderr();
  ASSERT_EQ(convolve(), HETERO_OK) << heteroLastError();
  std::vector<char> first = y.download();
  ASSERT_EQ(convolve(), HETERO_OK) << heteroLastError();
  EXPECT_EQ(y.download(), first);
  std::string call = "cudnnConvolutionForward 1x2x4x4 by 3x2x2x2 NHWC pad 0x0 "
                     "groups 1 type 0 algorithm 0\n";
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "cudnnCreate\ncudnnTransformTensor 3x2x2x2\n" + call + call);
  ASSERT_EQ(heteroForget(state, sizeof state), HETERO_OK);
  testing::internal::CaptureStderr();
  ASSERT_EQ(convolve(), HETERO_OK) << heteroLastError();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "cudnnTransformTensor 3x2x2x2\n" + call);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(DeviceLibraries, SayWhatFailedWhereAndWhy) {
  Random random(4);
  Tensor a(Element::F32, {3, 4}, identity(2), 0, random),
      b(Element::F32, {4, 2}, identity(2), 0, random),
      c(Element::F32, {3, 2}, identity(2), 0, random);
  ASSERT_EQ(multiply(a, b, c, false), HETERO_OK);
  setenv("HETERO_FAKE_STATUS", "15", 1);
  EXPECT_EQ(multiply(a, b, c, false), HETERO_ERROR_DRIVER);
  EXPECT_STREQ(heteroLastError(),
               "cublasGemmEx failed on gpu:0: CUBLAS_STATUS_NOT_SUPPORTED (as "
               "the test wants): product of 3x4 and 4x2 of f32 into f32; check "
               "that the library fits the driver and the device, or set "
               "HETERO_LIBRARIES=cublas=off to run generated code");
  setenv("HETERO_FAKE_STATUS", "3", 1);
  EXPECT_EQ(multiply(a, b, c, false, 0, HETERO_UNIT(0, 1)),
            HETERO_ERROR_OUT_OF_MEMORY);
  EXPECT_STREQ(heteroLastError(),
               "cublasGemmEx failed on gpu:0, stream 1: "
               "CUBLAS_STATUS_ALLOC_FAILED (as the test wants): product of 3x4 "
               "and 4x2 of f32 into f32; free memory on the device, or set "
               "HETERO_LIBRARIES=cublas=off to run generated code");
  unsetenv("HETERO_FAKE_STATUS");
  // The device is not lost.
  EXPECT_EQ(multiply(a, b, c, false), HETERO_OK);
}

TEST_F(DeviceLibraries, RefuseWhatTheyDoNotKnow) {
  Random random(5);
  Tensor a(Element::F32, {3, 4}, identity(2), 0, random),
      b(Element::F64, {4, 2}, identity(2), 0, random),
      c(Element::F32, {3, 2}, identity(2), 0, random);
  EXPECT_EQ(multiply(a, b, c, false), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(),
               "gemm of cublas takes values of one type of f16, bf16, f32 and "
               "f64, of 16 bits with a result of the same or of f32, got "
               "product of 3x4 and 4x2 of f32 into f32");
  HeteroValue values[] = {a.value, c.value, c.value};
  int64_t parameter = 0;
  EXPECT_EQ(
      heteroCallLibrary("cublas", "gemm", values, 3, 0, &parameter, 1, nullptr),
      HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(),
               "the library cublas computes on devices only; use "
               "heteroCallDeviceLibrary");
  EXPECT_EQ(heteroCallDeviceLibrary(0, "x", "openblas", "gemm", values, 3, 0,
                                    &parameter, 1, nullptr),
            HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(), "the library openblas computes on the host "
                                  "only; use heteroCallLibrary");
  EXPECT_EQ(heteroCallDeviceLibrary(0, "x", "cudnn", "gemm", values, 3, 0,
                                    &parameter, 1, nullptr),
            HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(),
               "the runtime knows no function 'gemm' of the library cudnn");
  Tensor d(Element::F32, {5, 2}, identity(2), 0, random);
  EXPECT_EQ(multiply(a, d, c, false), HETERO_ERROR_PROGRAM);
  EXPECT_STREQ(heteroLastError(),
               "gemm of cublas cannot multiply 3x4 by 5x2 into 3x2");
}
