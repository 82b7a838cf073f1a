//===- FakeCUDNN.cpp - A cuDNN for the tests ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loops on the memory of the emulated device as the functions of
// cuDNN that the runtime calls, with the settings of FakeCUBLAS.cpp. Algorithm
// 1 of the two that it has rounds f32 to tf32, and images with the channels
// last are not for f64.
//
//===----------------------------------------------------------------------===//

#include "FakeDeviceLibrary.h"

#include <algorithm>
#include <cstdlib>

using namespace hetero;
using namespace hetero::fake;

#define EXPORT extern "C" __attribute__((visibility("default")))

struct cudnnContext {
  cuda::Stream stream = nullptr;
  Jobs jobs;
};

namespace {
struct Tensor {
  int type = 0;
  std::vector<int> sizes, strides;

  int64_t countElements() const {
    int64_t last = 0;
    for (size_t i = 0; i < sizes.size(); ++i)
      last += int64_t(sizes[i] - 1) * strides[i];
    return last + 1;
  }
  int64_t at(const std::vector<int> &index) const {
    int64_t place = 0;
    for (size_t i = 0; i < sizes.size(); ++i)
      place += int64_t(sizes[i] == 1 ? 0 : index[i]) * strides[i];
    return place;
  }
};

struct Filter {
  int type = 0, format = 0;
  std::vector<int> sizes;
};

struct Window {
  std::vector<int> pads, strides, dilations;
  int compute = 0, groups = 1, math = 0;
};

struct Activation {
  int mode = 0, nan = 0;
};

struct AlgorithmResult {
  int algorithm, status;
  float time;
  size_t memory;
  int determinism, math;
  int reserved[3];
};
} // namespace

static constexpr size_t kWorkspace = 4096;
static constexpr int kBadParameter = 2000, kNotSupported = 3000;

static Element typeOf(int type) {
  require(type == 0 || type == 1 || type == 2 || type == 9, "unknown type");
  return type == 0   ? Element::F32
         : type == 1 ? Element::F64
         : type == 2 ? Element::F16
                     : Element::BF16;
}

static Array arrayOf(const void *address, const Tensor &tensor) {
  return {address, tensor.countElements(), typeOf(tensor.type)};
}

static double loadFactor(const void *factor, int type) {
  return type == 1 ? *static_cast<const double *>(factor)
                   : *static_cast<const float *>(factor);
}

/// Calls `visit` for all indices.
template <typename Visit>
static void forEach(const std::vector<int> &sizes, Visit visit) {
  std::vector<int> index(sizes.size(), 0);
  while (true) {
    visit(index);
    int dim = sizes.size() - 1;
    while (dim >= 0 && ++index[dim] == sizes[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

/// The strides of an array without gaps.
static std::vector<int> pack(const std::vector<int> &sizes, int format) {
  std::vector<int> strides(sizes.size());
  int stride = 1;
  auto add = [&](int dim) {
    strides[dim] = stride;
    stride *= sizes[dim];
  };
  if (format == 1)
    add(1);
  for (int dim = sizes.size() - 1; dim > 1; --dim)
    add(dim);
  if (format == 0)
    add(1);
  add(0);
  return strides;
}

static bool isPacked(const Tensor &tensor, int format) {
  std::vector<int> strides = pack(tensor.sizes, format);
  for (size_t i = 0; i < strides.size(); ++i)
    if (tensor.sizes[i] != 1 && tensor.strides[i] != strides[i])
      return false;
  return true;
}

static std::string print(const std::vector<int> &numbers) {
  std::string text;
  for (int number : numbers)
    text += (text.empty() ? "" : "x") + std::to_string(number);
  return text;
}

//===----------------------------------------------------------------------===//
// Handles and descriptors
//===----------------------------------------------------------------------===//

EXPORT int cudnnCreate(cudnnContext **handle) {
  *handle = new cudnnContext;
  log("cudnnCreate");
  return 0;
}

EXPORT int cudnnDestroy(cudnnContext *handle) {
  delete handle;
  log("cudnnDestroy");
  return 0;
}

EXPORT int cudnnSetStream(cudnnContext *handle, cuda::Stream stream) {
  handle->stream = stream;
  return 0;
}

EXPORT const char *cudnnGetErrorString(int status) {
  return status == kNotSupported   ? "CUDNN_STATUS_NOT_SUPPORTED"
         : status == kBadParameter ? "CUDNN_STATUS_BAD_PARAM"
                                   : "CUDNN_STATUS_INTERNAL_ERROR";
}

template <typename T> static int create(T **descriptor) {
  *descriptor = new T;
  return 0;
}

template <typename T> static int destroy(T *descriptor) {
  delete descriptor;
  return 0;
}

EXPORT int cudnnCreateTensorDescriptor(Tensor **tensor) {
  return create(tensor);
}
EXPORT int cudnnDestroyTensorDescriptor(Tensor *tensor) {
  return destroy(tensor);
}
EXPORT int cudnnCreateFilterDescriptor(Filter **filter) {
  return create(filter);
}
EXPORT int cudnnDestroyFilterDescriptor(Filter *filter) {
  return destroy(filter);
}
EXPORT int cudnnCreateConvolutionDescriptor(Window **window) {
  return create(window);
}
EXPORT int cudnnDestroyConvolutionDescriptor(Window *window) {
  return destroy(window);
}
EXPORT int cudnnCreateActivationDescriptor(Activation **activation) {
  return create(activation);
}
EXPORT int cudnnDestroyActivationDescriptor(Activation *activation) {
  return destroy(activation);
}

EXPORT int cudnnSetTensorNdDescriptor(Tensor *tensor, int type, int rank,
                                      const int *sizes, const int *strides) {
  if (rank < 4 || rank > 8 ||
      std::any_of(sizes, sizes + rank, [](int size) { return size < 1; }) ||
      std::any_of(strides, strides + rank,
                  [](int stride) { return stride < 1; }))
    return kBadParameter;
  *tensor = {type, {sizes, sizes + rank}, {strides, strides + rank}};
  return 0;
}

EXPORT int cudnnSetFilterNdDescriptor(Filter *filter, int type, int format,
                                      int rank, const int *sizes) {
  *filter = {type, format, {sizes, sizes + rank}};
  return rank < 4 ? kBadParameter : 0;
}

EXPORT int cudnnSetConvolutionNdDescriptor(Window *window, int rank,
                                           const int *pads, const int *strides,
                                           const int *dilations, int mode,
                                           int compute) {
  window->pads.assign(pads, pads + rank);
  window->strides.assign(strides, strides + rank);
  window->dilations.assign(dilations, dilations + rank);
  window->compute = compute;
  return mode == 1 ? 0 : kBadParameter;
}

EXPORT int cudnnSetConvolutionGroupCount(Window *window, int groups) {
  window->groups = groups;
  return 0;
}

EXPORT int cudnnSetConvolutionMathType(Window *window, int math) {
  window->math = math;
  return 0;
}

EXPORT int cudnnSetActivationDescriptor(Activation *activation, int mode,
                                        int nan, double) {
  *activation = {mode, nan};
  return 0;
}

//===----------------------------------------------------------------------===//
// Elementwise work
//===----------------------------------------------------------------------===//

/// y = alpha * x + beta * y, of which x may have dimensions of size one.
static int addScaled(cudnnContext *handle, const void *alpha, Tensor *x,
                     const void *from, const void *beta, Tensor *y, void *to,
                     bool isRelu = false) {
  double scale = loadFactor(alpha, x->type), keep = loadFactor(beta, x->type);
  handle->jobs.enqueue(
      handle->stream, {arrayOf(from, *x), arrayOf(to, *y)},
      [=, x = *x, y = *y](const std::vector<char *> &arrays) {
        forEach(y.sizes, [&](const std::vector<int> &index) {
          double value = scale * load(arrays[0], x.at(index), typeOf(x.type));
          if (keep)
            value += keep * load(arrays[1], y.at(index), typeOf(y.type));
          if (isRelu && value < 0)
            value = 0;
          store(arrays[1], y.at(index), typeOf(y.type), value);
        });
      });
  return 0;
}

EXPORT int cudnnTransformTensor(cudnnContext *handle, const void *alpha,
                                Tensor *x, const void *from, const void *beta,
                                Tensor *y, void *to) {
  log("cudnnTransformTensor " + print(x->sizes));
  return x->sizes == y->sizes && x->type == y->type
             ? addScaled(handle, alpha, x, from, beta, y, to)
             : kBadParameter;
}

EXPORT int cudnnAddTensor(cudnnContext *handle, const void *alpha, Tensor *a,
                          const void *from, const void *beta, Tensor *c,
                          void *to) {
  log("cudnnAddTensor " + print(a->sizes));
  for (size_t i = 0; i < c->sizes.size(); ++i)
    if (a->sizes[i] != 1 && a->sizes[i] != c->sizes[i])
      return kBadParameter;
  return addScaled(handle, alpha, a, from, beta, c, to);
}

EXPORT int cudnnActivationForward(cudnnContext *handle, Activation *activation,
                                  const void *alpha, Tensor *x,
                                  const void *from, const void *beta, Tensor *y,
                                  void *to) {
  log("cudnnActivationForward " + print(x->sizes));
  return activation->mode == 1 && x->sizes == y->sizes
             ? addScaled(handle, alpha, x, from, beta, y, to, /*isRelu=*/true)
             : kBadParameter;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// What cuDNN says of shapes and layouts.
static int check(const Tensor &x, const Filter &w, const Window &window,
                 const Tensor &y) {
  size_t rank = x.sizes.size();
  if (w.sizes.size() != rank || y.sizes.size() != rank ||
      window.pads.size() != rank - 2 || x.type != w.type || y.type != w.type ||
      x.sizes[1] != w.sizes[1] * window.groups || y.sizes[1] != w.sizes[0] ||
      y.sizes[1] % window.groups || x.sizes[0] != y.sizes[0] ||
      window.compute != (x.type == 1 ? 1 : 0))
    return kBadParameter;
  for (size_t i = 2; i < rank; ++i) {
    int reach = (w.sizes[i] - 1) * window.dilations[i - 2] + 1;
    int room = x.sizes[i] + 2 * window.pads[i - 2] - reach;
    if (room < 0 || room / window.strides[i - 2] + 1 != y.sizes[i])
      return kBadParameter;
  }
  return isPacked(x, w.format) && isPacked(y, w.format) &&
                 !(w.format == 1 && x.type == 1)
             ? 0
             : kNotSupported;
}

EXPORT int cudnnGetConvolutionForwardAlgorithm_v7(cudnnContext *, Tensor *x,
                                                  Filter *w, Window *window,
                                                  Tensor *y, int wanted,
                                                  int *count,
                                                  AlgorithmResult *results) {
  int status = check(*x, *w, *window, *y);
  if (status == kBadParameter)
    return status;
  results[0] = {1, status, 1, kWorkspace, 1, 1, {}};
  results[1] = {0, status, 2, kWorkspace, 1, 3, {}};
  *count = std::min(wanted, 2);
  return 0;
}

EXPORT int cudnnGetConvolutionForwardWorkspaceSize(cudnnContext *, Tensor *,
                                                   Filter *, Window *, Tensor *,
                                                   int, size_t *bytes) {
  *bytes = kWorkspace;
  return 0;
}

namespace {
/// What a convolution does at the end.
struct End {
  double beta = 0;
  const void *bias = nullptr;
  Tensor biasTensor;
  bool relu = false;
};
} // namespace

static double sumWindow(const Tensor &x, const Tensor &w, const Window &window,
                        const std::vector<int> &index,
                        const std::vector<char *> &arrays) {
  double sum = 0;
  int perGroup = w.sizes[0] / window.groups;
  int first = index[1] / perGroup * w.sizes[1];
  std::vector<int> taps(w.sizes.begin() + 1, w.sizes.end());
  forEach(taps, [&](const std::vector<int> &tap) {
    std::vector<int> from = index, by = {index[1]};
    by.insert(by.end(), tap.begin(), tap.end());
    from[1] = first + tap[0];
    for (size_t i = 2; i < index.size(); ++i) {
      from[i] = index[i] * window.strides[i - 2] +
                tap[i - 1] * window.dilations[i - 2] - window.pads[i - 2];
      if (from[i] < 0 || from[i] >= x.sizes[i])
        return;
    }
    sum += load(arrays[0], x.at(from), typeOf(x.type)) *
           load(arrays[1], w.at(by), typeOf(w.type));
  });
  return sum;
}

static int convolve(cudnnContext *handle, const Tensor &x, const void *from,
                    const Filter &filter, const void *weights,
                    const Window &window, int algorithm, void *workspace,
                    size_t bytes, const End &end, const Tensor &y, void *to) {
  if (int status = static_cast<int>(getSetting("HETERO_FAKE_STATUS")))
    return status;
  if (int status = check(x, filter, window, y))
    return status;
  require(algorithm == 0 ? window.math == 3 : window.math == 1,
          "an algorithm with another math type");
  require(workspace && bytes >= kWorkspace, "too small a workspace");
  double offset = getSetting("HETERO_FAKE_OFFSET");
  Tensor w{filter.type, filter.sizes, pack(filter.sizes, filter.format)};
  std::vector<Array> arrays = {arrayOf(from, x), arrayOf(weights, w)};
  if (end.bias)
    arrays.push_back(arrayOf(end.bias, end.biasTensor));
  arrays.push_back(arrayOf(to, y));
  handle->jobs.enqueue(
      handle->stream, arrays, [=](const std::vector<char *> &copies) {
        forEach(y.sizes, [&](const std::vector<int> &index) {
          double value = offset + sumWindow(x, w, window, index, copies);
          int64_t place = y.at(index);
          if (end.beta)
            value += end.beta * load(copies.back(), place, typeOf(y.type));
          if (end.bias)
            value += load(copies[2], end.biasTensor.at(index), typeOf(y.type));
          if (end.relu && value < 0)
            value = 0;
          store(copies.back(), place, typeOf(y.type), value);
        });
      });
  return 0;
}

static std::string describe(const Tensor &x, const Filter &w,
                            const Window &window, int algorithm) {
  return print(x.sizes) + " by " + print(w.sizes) +
         (w.format ? " NHWC" : " NCHW") + " pad " + print(window.pads) +
         " groups " + std::to_string(window.groups) + " type " +
         std::to_string(x.type) + " algorithm " + std::to_string(algorithm);
}

EXPORT int cudnnConvolutionForward(cudnnContext *handle, const void *alpha,
                                   Tensor *x, const void *from, Filter *w,
                                   const void *weights, Window *window,
                                   int algorithm, void *workspace, size_t bytes,
                                   const void *beta, Tensor *y, void *to) {
  log("cudnnConvolutionForward " + describe(*x, *w, *window, algorithm));
  require(loadFactor(alpha, x->type) == 1, "alpha");
  End end;
  end.beta = loadFactor(beta, x->type);
  return convolve(handle, *x, from, *w, weights, *window, algorithm, workspace,
                  bytes, end, *y, to);
}

EXPORT int cudnnConvolutionBiasActivationForward(
    cudnnContext *handle, const void *alpha1, Tensor *x, const void *from,
    Filter *w, const void *weights, Window *window, int algorithm,
    void *workspace, size_t bytes, const void *alpha2, Tensor *z,
    const void *side, Tensor *bias, const void *biasData,
    Activation *activation, Tensor *y, void *to) {
  log("cudnnConvolutionBiasActivationForward " +
      describe(*x, *w, *window, algorithm));
  require(loadFactor(alpha1, x->type) == 1, "alpha1");
  require(side && z->sizes == y->sizes, "z has to have the shape of y");
  require(activation->mode == 1, "the activation");
  End end;
  end.bias = biasData;
  end.biasTensor = *bias;
  end.relu = true;
  require(loadFactor(alpha2, x->type) == 0, "alpha2");
  return convolve(handle, *x, from, *w, weights, *window, algorithm, workspace,
                  bytes, end, *y, to);
}
