//===- CUDNNConvolution.cpp - Convolutions by cuDNN -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is prepared once for its sizes and strides: descriptors, the
// algorithm that cuDNN takes for the fastest, and how much memory that needs.
// Images and filters whose channels come first or last, without gaps, are used
// where they are. cudnnTransformTensor brings others into that layout, also
// images whose borders are not the same on both sides. A filter that never
// changes is brought there once.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/CUDNNConvolution.h"

#include "Runtime/Host/ElementType.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Libraries/CUDNN.h"
#include "Runtime/Libraries/Convolution.h"

#include <algorithm>
#include <climits>

using namespace hetero;
using namespace hetero::runtime;
using namespace hetero::runtime::cudnn;

namespace {
/// Sizes and strides of at least four dimensions, as cuDNN wants them.
struct Shape {
  std::vector<int> sizes, strides;

  /// The same sizes without gaps, with the channels first or last.
  Shape packed(int format) const;
  /// Whether the elements are where they are in packed(format).
  bool isPacked(int format) const;
  int64_t countElements() const;
};

/// A value between the caller's layout and the primitive's. Where both are the
/// same there is one only.
struct Side {
  Owned plain, wanted;
  bool isCopied = false;
  /// Of the copy.
  int64_t bytes = 0;
};
} // namespace

struct cudnn::Prepared {
  Side source, weights, result;
  /// The part of the copied source that is not border, and where it begins.
  Owned inner;
  bool hasBorder = false;
  int64_t innerOffset = 0;
  Owned bias, filter, convolution, relu;
  int algorithm = 0;
  int64_t workspaceBytes = 0;
};

UnitHandle::~UnitHandle() {
  // Descriptors need no handle, but the library.
  filters.clear();
  prepared.clear();
  if (handle)
    functions.destroy(handle);
}

void UnitHandle::forget(Device &device, const void *begin, const void *end) {
  auto first = filters.lower_bound({begin, nullptr});
  auto last = filters.lower_bound({end, nullptr});
  for (auto it = first; it != last; ++it)
    device.free(it->second);
  filters.erase(first, last);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Shape Shape::packed(int format) const {
  Shape result{sizes, std::vector<int>(sizes.size())};
  int rank = sizes.size(), stride = 1;
  auto add = [&](int dim) {
    result.strides[dim] = stride;
    stride *= std::max(sizes[dim], 1);
  };
  if (format == kChannelsLast)
    add(1);
  for (int dim = rank - 1; dim >= 2; --dim)
    add(dim);
  if (format == kChannelsFirst)
    add(1);
  add(0);
  return result;
}

bool Shape::isPacked(int format) const {
  Shape other = packed(format);
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] != 1 && strides[dim] != other.strides[dim])
      return false;
  return true;
}

int64_t Shape::countElements() const {
  int64_t count = 1;
  for (int size : sizes)
    count *= size;
  return count;
}

/// False for sizes or strides that cuDNN cannot count to. Images of one
/// dimension are rows of one.
static bool toShape(const HeteroValue &value, Shape &shape) {
  int64_t elements = 1;
  for (int dim = 0; dim < value.rank; ++dim) {
    bool isOne = value.sizes[dim] == 1;
    if (value.rank == 3 && dim == 2) {
      shape.sizes.push_back(1);
      shape.strides.push_back(1);
    }
    if (value.sizes[dim] > INT_MAX ||
        (!isOne && (value.strides[dim] > INT_MAX || value.strides[dim] < 1)))
      return false;
    elements *= value.sizes[dim];
    if (elements > INT_MAX)
      return false;
    shape.sizes.push_back(static_cast<int>(value.sizes[dim]));
    shape.strides.push_back(isOne ? 1 : static_cast<int>(value.strides[dim]));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

namespace {
/// Makes what a convolution needs, in one format.
class Preparer {
public:
  Preparer(const LibraryCall &call, const UnitHandle &library,
           const Convolution &op, Prepared &prepared, int format)
      : library(library), functions(library.functions), op(op),
        prepared(prepared), format(format), calls(call, functions) {}

  HeteroStatus run(const Shape &source, const Shape &weights,
                   const Shape &result);
  /// Whether as many zeros after the image as before it make the same windows.
  bool isCentered(const Shape &source, const Shape &weights,
                  const Shape &result) const;
  /// Whether cuDNN says that it has nothing in this format.
  bool isUnsupported() const {
    return calls.result / 1000 == kNotSupported / 1000 || !isFound;
  }

private:
  void makeTensor(Owned &tensor, const Shape &shape);
  void makeSide(Side &side, const Shape &plain, const Shape &wanted);
  void makeBorder(const Shape &source, const Shape &wanted);
  void makeConvolution(const std::vector<int> &low, int groups);
  void makeEpilogue(int filters);
  HeteroStatus chooseAlgorithm();
  /// A number of a window's dimension, where an image has `dims` of them.
  int getWindow(const int64_t *numbers, int dims, int index, int none) const {
    int own = index - (dims - op.spatial);
    return own < 0 ? none : static_cast<int>(numbers[own]);
  }

  const UnitHandle &library;
  const Functions &functions;
  const Convolution &op;
  Prepared &prepared;
  int format;
  Calls calls;
  bool isFound = true;
};
} // namespace

static int typeOf(int32_t type) {
  switch (type) {
  case HETERO_TYPE_F16:
    return kF16;
  case HETERO_TYPE_BF16:
    return kBF16;
  case HETERO_TYPE_F64:
    return kF64;
  default:
    return kF32;
  }
}

void Preparer::makeTensor(Owned &tensor, const Shape &shape) {
  calls
      .run("cudnnCreateTensorDescriptor", functions.createTensor,
           tensor.slot(functions.destroyTensor))
      .run("cudnnSetTensorNdDescriptor", functions.setTensor, tensor.get(),
           typeOf(op.source.type), static_cast<int>(shape.sizes.size()),
           shape.sizes.data(), shape.strides.data());
}

void Preparer::makeSide(Side &side, const Shape &plain, const Shape &wanted) {
  side.isCopied = plain.sizes != wanted.sizes || !plain.isPacked(format);
  makeTensor(side.wanted, wanted);
  if (!side.isCopied)
    return;
  makeTensor(side.plain, plain);
  side.bytes = wanted.countElements() * getElementBytes(op.source.type);
}

bool Preparer::isCentered(const Shape &source, const Shape &weights,
                          const Shape &result) const {
  int dims = source.sizes.size() - 2;
  for (int i = 0; i < dims; ++i) {
    int64_t stride = getWindow(op.windows.strides, dims, i, 1);
    int64_t dilation = getWindow(op.windows.dilations, dims, i, 1);
    int64_t low = getWindow(op.windows.low, dims, i, 0);
    int64_t reach = (weights.sizes[2 + i] - 1) * dilation + 1;
    int64_t room = source.sizes[2 + i] + 2 * low - reach;
    if (room < 0 || room / stride + 1 != result.sizes[2 + i])
      return false;
  }
  return true;
}

/// The source's elements in the middle of zeros.
void Preparer::makeBorder(const Shape &source, const Shape &wanted) {
  prepared.hasBorder = true;
  Shape inner = wanted;
  int dims = source.sizes.size() - 2;
  for (int i = 0; i < dims; ++i) {
    inner.sizes[2 + i] = source.sizes[2 + i];
    prepared.innerOffset +=
        int64_t(wanted.strides[2 + i]) * getWindow(op.windows.low, dims, i, 0);
  }
  prepared.innerOffset *= getElementBytes(op.source.type);
  makeTensor(prepared.inner, inner);
}

void Preparer::makeConvolution(const std::vector<int> &low, int groups) {
  int dims = low.size();
  std::vector<int> strides, dilations;
  for (int i = 0; i < dims; ++i) {
    strides.push_back(getWindow(op.windows.strides, dims, i, 1));
    dilations.push_back(getWindow(op.windows.dilations, dims, i, 1));
  }
  bool isDouble = op.source.type == HETERO_TYPE_F64;
  bool isFloat = op.source.type == HETERO_TYPE_F32;
  // Products of 16 bits are exact in f32, those of f32 are not in tf32.
  int math = isDouble                  ? kDefaultMath
             : isFloat && !op.mayRound ? kFMAMath
                                       : kTensorOpMath;
  calls
      .run("cudnnCreateConvolutionDescriptor", functions.createConvolution,
           prepared.convolution.slot(functions.destroyConvolution))
      .run("cudnnSetConvolutionNdDescriptor", functions.setConvolution,
           prepared.convolution.get(), dims, low.data(), strides.data(),
           dilations.data(), int(kCrossCorrelation), isDouble ? kF64 : kF32)
      .run("cudnnSetConvolutionGroupCount", functions.setGroups,
           prepared.convolution.get(), groups)
      .run("cudnnSetConvolutionMathType", functions.setMathType,
           prepared.convolution.get(), math);
}

void Preparer::makeEpilogue(int filters) {
  if (op.hasBias) {
    int stride = op.bias.sizes[0] == 1 ? 1 : op.bias.strides[0];
    int dims = op.spatial == 1 ? 2 : op.spatial;
    Shape bias{{1, filters}, {filters * stride, stride}};
    bias.sizes.resize(2 + dims, 1);
    bias.strides.resize(2 + dims, 1);
    makeTensor(prepared.bias, bias);
  }
  if (op.relu)
    calls
        .run("cudnnCreateActivationDescriptor", functions.createActivation,
             prepared.relu.slot(functions.destroyActivation))
        .run("cudnnSetActivationDescriptor", functions.setActivation,
             prepared.relu.get(), int(kRelu), int(kPropagateNaN), 0.0);
}

/// The first that works, does not round more than it may, and needs no memory
/// beyond reason.
HeteroStatus Preparer::chooseAlgorithm() {
  constexpr int kMost = 16;
  constexpr size_t kMostBytes = size_t(1) << 30;
  AlgorithmResult results[kMost] = {};
  int count = 0;
  Descriptor source = prepared.source.wanted.get(),
             result = prepared.result.wanted.get(),
             filter = prepared.filter.get(),
             convolution = prepared.convolution.get();
  calls.run("cudnnGetConvolutionForwardAlgorithm_v7", functions.findAlgorithms,
            library.handle, source, filter, convolution, result, kMost, &count,
            results);
  if (calls.status != HETERO_OK)
    return calls.status;
  bool mayConvert = op.source.type != HETERO_TYPE_F32 || op.mayRound;
  auto isUsable = [&](const AlgorithmResult &each) {
    bool converts =
        each.mathType == kTensorOpMath || each.mathType == kConvertingMath;
    return each.status == kSuccess && each.memory <= kMostBytes &&
           (mayConvert || !converts);
  };
  auto *best = std::find_if(results, results + count, isUsable);
  isFound = best != results + count;
  if (!isFound)
    return fail(HETERO_ERROR_DRIVER,
                "cudnn has no algorithm for a convolution; set "
                "HETERO_LIBRARIES=cudnn=off to run generated code");
  prepared.algorithm = best->algorithm;
  size_t bytes = 0;
  calls
      .run("cudnnSetConvolutionMathType", functions.setMathType, convolution,
           best->mathType)
      .run("cudnnGetConvolutionForwardWorkspaceSize",
           functions.getWorkspaceSize, library.handle, source, filter,
           convolution, result, best->algorithm, &bytes);
  prepared.workspaceBytes = bytes;
  return calls.status;
}

HeteroStatus Preparer::run(const Shape &source, const Shape &weights,
                           const Shape &result) {
  int dims = source.sizes.size() - 2;
  std::vector<int> low(dims);
  Shape wanted = source;
  if (isCentered(source, weights, result))
    for (int i = 0; i < dims; ++i)
      low[i] = getWindow(op.windows.low, dims, i, 0);
  else
    for (int i = 0; i < dims; ++i)
      wanted.sizes[2 + i] += getWindow(op.windows.low, dims, i, 0) +
                             getWindow(op.windows.high, dims, i, 0);
  wanted = wanted.packed(format);
  makeSide(prepared.source, source, wanted);
  makeSide(prepared.weights, weights, weights.packed(format));
  makeSide(prepared.result, result, result.packed(format));
  if (wanted.sizes != source.sizes)
    makeBorder(source, wanted);
  calls
      .run("cudnnCreateFilterDescriptor", functions.createFilter,
           prepared.filter.slot(functions.destroyFilter))
      .run("cudnnSetFilterNdDescriptor", functions.setFilter,
           prepared.filter.get(), typeOf(op.source.type), format,
           static_cast<int>(weights.sizes.size()), weights.sizes.data());
  makeConvolution(low, op.isGrouped ? source.sizes[1] : 1);
  makeEpilogue(result.sizes[1]);
  return calls.status == HETERO_OK ? chooseAlgorithm() : calls.status;
}

/// With the channels where the result has them, else first, for which cuDNN has
/// most.
static HeteroStatus prepare(const LibraryCall &call, const UnitHandle &library,
                            const Convolution &op,
                            std::shared_ptr<Prepared> &prepared) {
  Shape all, source, weights, result;
  if (!toShape(call.values[0], all) || !toShape(op.source, source) ||
      !toShape(op.weights, weights) || !toShape(op.result, result))
    return fail(HETERO_ERROR_PROGRAM,
                "cudnn takes tensors of less than 2^31 elements; set "
                "HETERO_LIBRARIES=cudnn=off to run generated code");
  int preferred =
      result.isPacked(kChannelsLast) && !result.isPacked(kChannelsFirst)
          ? kChannelsLast
          : kChannelsFirst;
  for (int format : {preferred, int(kChannelsFirst)}) {
    prepared = std::make_shared<Prepared>();
    Preparer preparer(call, library, op, *prepared, format);
    // Rows that no window reads need not be left out of the whole image.
    const Shape &image =
        preparer.isCentered(all, weights, result) ? all : source;
    HeteroStatus status = preparer.run(image, weights, result);
    if (status == HETERO_OK || format == kChannelsFirst ||
        !preparer.isUnsupported())
      return status;
  }
  return HETERO_OK;
}

static HeteroStatus getPrepared(const LibraryCall &call, UnitHandle &library,
                                const Convolution &op,
                                std::shared_ptr<Prepared> &prepared) {
  constexpr size_t kMostPrepared = 1024;
  std::vector<int64_t> key = getCallKey(call);
  auto it = library.prepared.find(key);
  if (it != library.prepared.end()) {
    prepared = it->second;
    return HETERO_OK;
  }
  if (HeteroStatus status = prepare(call, library, op, prepared))
    return status;
  // Sizes that change with each call must not fill the memory.
  if (library.prepared.size() == kMostPrepared)
    library.prepared.clear();
  library.prepared[std::move(key)] = prepared;
  return HETERO_OK;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

namespace {
/// The numbers one and zero in the type of the factors.
struct Factors {
  float one = 1, zero = 0;
  double oneF64 = 1, zeroF64 = 0;
  bool isDouble;

  const void *getOne() const {
    return isDouble ? static_cast<const void *>(&oneF64) : &one;
  }
  const void *getZero() const {
    return isDouble ? static_cast<const void *>(&zeroF64) : &zero;
  }
};

/// Enqueues one convolution.
class Execution {
public:
  Execution(const LibraryCall &call, UnitHandle &library, const Convolution &op,
            std::shared_ptr<Prepared> prepared)
      : call(call), library(library), functions(library.functions), op(op),
        prepared(std::move(prepared)), calls(call, functions), workspace(call) {
    factors.isDouble = op.source.type == HETERO_TYPE_F64;
  }

  HeteroStatus run();

private:
  void copy(Descriptor fromLayout, const void *from, Descriptor toLayout,
            void *to);
  void *prepareSource(char *place);
  void *prepareWeights(char *place);
  void *keepWeights();
  void compute(void *source, void *weights, void *result, void *memory);

  const LibraryCall &call;
  UnitHandle &library;
  const Functions &functions;
  const Convolution &op;
  std::shared_ptr<Prepared> prepared;
  Calls calls;
  Workspace workspace;
  Factors factors;
};
} // namespace

static int64_t roundUp(int64_t bytes) {
  constexpr int64_t kAlignment = 256;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

void Execution::copy(Descriptor fromLayout, const void *from,
                     Descriptor toLayout, void *to) {
  calls.run("cudnnTransformTensor", functions.transform, library.handle,
            factors.getOne(), fromLayout, from, factors.getZero(), toLayout,
            to);
}

void *Execution::prepareSource(char *place) {
  Side &side = prepared->source;
  if (!side.isCopied)
    return op.source.data;
  if (prepared->hasBorder && calls.status == HETERO_OK)
    calls.status = call.device->getContext().check(
        call.device->getContext().getFunctions().memsetD8Async(
            reinterpret_cast<cuda::DevicePointer>(place), 0, side.bytes,
            call.stream),
        "cuMemsetD8Async", call.unit);
  copy(side.plain.get(), op.source.data,
       prepared->hasBorder ? prepared->inner.get() : side.wanted.get(),
       place + prepared->innerOffset);
  return place;
}

/// The filter in its layout, for as long as the program is loaded; null where
/// it cannot be kept.
void *Execution::keepWeights() {
  constexpr size_t kMostKept = 1024;
  if (!call.state)
    return nullptr;
  auto key = std::make_pair(static_cast<const void *>(call.state), prepared);
  auto it = library.filters.find(key);
  if (it != library.filters.end())
    return it->second;
  void *memory = nullptr;
  if (library.filters.size() == kMostKept ||
      call.device->allocate(prepared->weights.bytes, /*isKept=*/true,
                            &memory) != HETERO_OK)
    return nullptr;
  copy(prepared->weights.plain.get(), op.weights.data,
       prepared->weights.wanted.get(), memory);
  if (calls.status == HETERO_OK)
    library.filters[key] = memory;
  else
    call.device->free(memory);
  return memory;
}

void *Execution::prepareWeights(char *place) {
  Side &side = prepared->weights;
  if (!side.isCopied)
    return op.weights.data;
  if (void *kept = keepWeights())
    return kept;
  copy(side.plain.get(), op.weights.data, side.wanted.get(), place);
  return place;
}

void Execution::compute(void *source, void *weights, void *result,
                        void *memory) {
  const Prepared &p = *prepared;
  Descriptor x = p.source.wanted.get(), y = p.result.wanted.get();
  size_t bytes = p.workspaceBytes;
  const void *one = factors.getOne(), *zero = factors.getZero();
  if (op.hasBias && op.relu && !op.accumulate) {
    // A sum with nothing still needs the result's own layout.
    calls.run("cudnnConvolutionBiasActivationForward",
              functions.convolveBiasActivate, library.handle, one, x, source,
              p.filter.get(), weights, p.convolution.get(), p.algorithm, memory,
              bytes, zero, y, result, p.bias.get(), op.bias.data, p.relu.get(),
              y, result);
    return;
  }
  calls.run("cudnnConvolutionForward", functions.convolve, library.handle, one,
            x, source, p.filter.get(), weights, p.convolution.get(),
            p.algorithm, memory, bytes, op.accumulate ? one : zero, y, result);
  if (op.hasBias)
    calls.run("cudnnAddTensor", functions.addTensor, library.handle, one,
              p.bias.get(), op.bias.data, one, y, result);
  if (op.relu)
    calls.run("cudnnActivationForward", functions.activate, library.handle,
              p.relu.get(), one, y, result, zero, y, result);
}

HeteroStatus Execution::run() {
  const Prepared &p = *prepared;
  int64_t sourceBytes = roundUp(p.source.bytes),
          weightBytes = roundUp(p.weights.bytes),
          resultBytes = roundUp(p.result.bytes);
  if (HeteroStatus status = workspace.allocate(sourceBytes + weightBytes +
                                               resultBytes + p.workspaceBytes))
    return status;
  char *place = workspace.get();
  void *source = prepareSource(place);
  void *weights = prepareWeights(place + sourceBytes);
  void *result = op.result.data;
  if (p.result.isCopied) {
    result = place + sourceBytes + weightBytes;
    if (op.accumulate)
      copy(p.result.plain.get(), op.result.data, p.result.wanted.get(), result);
  }
  compute(source, weights, result,
          place + sourceBytes + weightBytes + resultBytes);
  if (p.result.isCopied)
    copy(p.result.wanted.get(), result, p.result.plain.get(), op.result.data);
  return calls.status;
}

HeteroStatus hetero::runtime::callConvolutionOfCUDNN(const LibraryCall &call) {
  Convolution op = {};
  if (HeteroStatus status = readConvolution(
          call,
          {HETERO_TYPE_F16, HETERO_TYPE_BF16, HETERO_TYPE_F32, HETERO_TYPE_F64},
          op))
    return status;
  if (isEmpty(op.result))
    return HETERO_OK;
  if (isEmpty(op.source) || isEmpty(op.weights))
    return fail(HETERO_ERROR_PROGRAM,
                "cudnn takes no convolution without summands; set "
                "HETERO_LIBRARIES=cudnn=off to run generated code");
  UnitHandle *library = nullptr;
  if (HeteroStatus status = getHandle(call, library))
    return status;
  std::shared_ptr<Prepared> prepared;
  if (HeteroStatus status = getPrepared(call, *library, op, prepared))
    return status;
  return Execution(call, *library, op, prepared).run();
}
