//===- Choice.cpp - Generated code or which library -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts is which of the times is the least, so that they are those of one
// thread of some processor with vectors of 512 bits. Each generator has a share
// of the peak that depends on the shape, and a library a time for each call and
// for bringing values into its layouts. `benchmarks/cpu-kernels/run.py
// --products` prints what the shares of products follow from.
//
//===----------------------------------------------------------------------===//

#include "Choice.h"

#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Codegen/Libraries/Libraries.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::hetero;

/// Operations and bytes per second, and seconds of a call.
static constexpr double kPeak = 110e9, kReorder = 10e9, kCall = 0.3e-6;
/// Bytes per second of a pass over results that have just been written.
static constexpr double kPass = 40e9;
/// Half of the second cache: what is read again and again should fit.
static constexpr int64_t kNearBytes = 512 * 1024;
/// A call has to be this much faster than what can be one with the code around.
static constexpr double kMargin = 0.97;

bool mlir::hetero::canCall(StringRef library, const Candidate &candidate) {
  bool isProduct = candidate.function == "gemm";
  Type result = getElementTypeOrSelf(candidate.init);
  Type type = getElementTypeOrSelf(candidate.inputs.front());
  if (llvm::any_of(candidate.inputs, [&](Value input) {
        return getElementTypeOrSelf(input) != type;
      }))
    return false;
  bool isHalf = type.isF16() || type.isBF16();
  // Sums of 16 bits may stay in 32.
  if (library == kCUBLAS && isProduct && isHalf && result.isF32())
    return true;
  if (result != type)
    return false;
  if (library == kCUBLAS || library == kCUDNN)
    return isProduct == (library == kCUBLAS) &&
           (isHalf || type.isF32() || type.isF64());
  if (library == kOpenBLAS)
    return isProduct && (type.isF32() || type.isF64());
  return type.isF32();
}

namespace {
/// Seconds of each generator; none for one that cannot.
struct Times {
  double generated = 0;
  std::optional<double> openblas, onednn;
};

/// Sizes of a product.
struct Product {
  int64_t batch = 1, m, n, k;
  bool isDouble;

  double flops() const { return 2.0 * batch * m * n * k; }
  int64_t rightBytes() const { return k * n * (isDouble ? 8 : 4); }
};
} // namespace

/// A size that is not known counts as some.
static int64_t getSize(Value value, int64_t dim) {
  constexpr int64_t kUnknown = 128;
  if (dim < 0)
    return 1;
  int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(dim);
  return ShapedType::isDynamic(size) ? kUnknown : size;
}

static Product getProduct(const Candidate &candidate) {
  Product product;
  ArrayRef<int64_t> left = candidate.orders[0], result = candidate.orders[2];
  size_t rank = result.size();
  for (int64_t dim : result.drop_back(2))
    product.batch *= getSize(candidate.init, dim);
  product.m = getSize(candidate.init, result[rank - 2]);
  product.n = getSize(candidate.init, result[rank - 1]);
  product.k = getSize(candidate.inputs[0], left[rank - 1]);
  product.isDouble = getElementTypeOrSelf(candidate.init).isF64();
  return product;
}

static double countElements(Value value) {
  double count = 1;
  for (int64_t dim = 0; dim < cast<RankedTensorType>(value.getType()).getRank();
       ++dim)
    count *= getSize(value, dim);
  return count;
}

/// True if all that reads the result does something with each element, which
/// generated code does before it stores the element.
static bool hasEpilogue(const Candidate &candidate) {
  Operation *root = candidate.getRoot();
  if (!root->hasOneUse())
    return false;
  OpOperand &use = *root->use_begin();
  auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
  return user && user->getBlock() == root->getBlock() &&
         user.getNumReductionLoops() == 0 &&
         user.getMatchingIndexingMap(&use).isPermutation();
}

/// Bytes that a call writes and the operation after it reads, which generated
/// code does not.
static double getPassedBytes(const Candidate &candidate) {
  return hasEpilogue(candidate) ? 2 * 4 * countElements(candidate.init) : 0;
}

static Times estimateProduct(const Candidate &candidate) {
  Product product = getProduct(candidate);
  bool isFar = product.rightBytes() > kNearBytes;
  bool isNarrow = product.n <= 16;
  // Panels of constants are there before the program runs.
  bool isPrepared = llvm::any_of(candidate.inputs, isConstant);
  double best = product.flops() / kPeak * (product.isDouble ? 2 : 1);
  double calls = kCall * product.batch + getPassedBytes(candidate) / kPass;
  Times times;
  // One column of a matrix: its elements are not along the vectors.
  bool isColumn = product.n == 1 && candidate.orders[1].back() >= 0;
  times.generated = best / (isColumn                                  ? 0.02
                            : isNarrow && product.k >= 1024           ? 0.6
                            : isFar && product.m >= 16 && !isPrepared ? 0.95
                                                                      : 1.0);
  times.onednn = calls + best / (isNarrow ? 0.75 : 0.99);
  times.openblas = calls + best / (isFar ? 0.85 : isNarrow ? 0.75 : 0.95);
  return times;
}

static bool hasChannelsLast(const Candidate &candidate) {
  int64_t last = cast<RankedTensorType>(candidate.init.getType()).getRank() - 1;
  return candidate.orders.front()[1] == last &&
         candidate.orders.back()[1] == last;
}

static Times estimateConvolution(const Candidate &candidate) {
  Value source = candidate.inputs[0], filter = candidate.inputs[1];
  ArrayRef<int64_t> order = candidate.orders[0];
  size_t spatial = order.size() - 2;
  bool grouped = candidate.parameters[0] != 0;
  double results = countElements(candidate.init);
  double flops = 2 * results * countElements(filter) /
                 getSize(filter, candidate.orders[1][0]);
  double best = flops / kPeak;
  // The rows of a small image share few vectors, unless these are along filters
  // that are constants; and a stride leaves gaps.
  bool isSmall = getSize(candidate.init, candidate.orders.back().back()) < 14;
  bool isStrided =
      llvm::any_of(ArrayRef(candidate.parameters).slice(2, spatial),
                   [](int64_t stride) { return stride > 1; });
  bool isFlat = !grouped && getSize(source, order[1]) < 16;
  // Generated code likes channels last as much as the library does.
  bool isLast = hasChannelsLast(candidate);
  Times times;
  times.generated = best / (isLast      ? 1.03
                            : grouped   ? 0.4
                            : isSmall   ? (isConstant(filter) ? 0.86 : 0.65)
                            : isStrided ? 0.82
                                        : 0.9);
  // The library takes images with channels last as they are.
  double moved = isLast ? 0 : 2 * 4 * (countElements(source) + results);
  times.onednn = kCall + moved / kReorder +
                 best / (grouped || isFlat ? 0.9
                         : isStrided       ? 0.98
                                           : 1.03);
  return times;
}

static std::string printTime(std::optional<double> seconds) {
  return seconds ? llvm::formatv("{0:f1} us", *seconds * 1e6).str()
                 : std::string("none");
}

/// The least of the measured times; none if there is nothing to compare.
static std::optional<Choice> chooseMeasured(const Candidate &candidate,
                                            DictionaryAttr measured,
                                            ArrayRef<StringRef> libraries) {
  auto getSeconds = [&](StringRef generator) -> std::optional<double> {
    auto time =
        measured ? measured.getAs<IntegerAttr>(generator) : IntegerAttr();
    return time ? std::optional(time.getInt() * 1e-12) : std::nullopt;
  };
  std::optional<double> best = getSeconds(kKindCodegen);
  if (!best)
    return std::nullopt;
  Choice choice{kKindCodegen, "measured times: mlir " + printTime(best)};
  bool isCompared = false;
  for (StringRef library : libraries) {
    std::optional<double> time;
    if (canCall(library, candidate))
      time = getSeconds(library);
    isCompared |= time.has_value();
    choice.reason += ", " + library.str() + " " + printTime(time);
    if (time && *time < *best) {
      best = time;
      choice.generator = library;
    }
  }
  return isCompared ? std::optional(choice) : std::nullopt;
}

Choice mlir::hetero::chooseGenerator(const Candidate &candidate,
                                     DictionaryAttr measured, bool isOnDevice) {
  SmallVector<StringRef> libraries{kOneDNN, kOpenBLAS};
  if (isOnDevice)
    libraries = {kCUBLAS, kCUDNN};
  if (std::optional<Choice> choice =
          chooseMeasured(candidate, measured, libraries))
    return *choice;
  if (isOnDevice)
    return {kKindCodegen, "no times of it and a library were measured"};
  Times times = candidate.function == "gemm" ? estimateProduct(candidate)
                                             : estimateConvolution(candidate);
  if (!canCall(kOneDNN, candidate))
    times.onednn.reset();
  if (!canCall(kOpenBLAS, candidate))
    times.openblas.reset();
  Choice choice{kKindCodegen, ""};
  double best = times.generated * kMargin;
  for (auto [library, time] : {std::pair(StringRef(kOneDNN), times.onednn),
                               {kOpenBLAS, times.openblas}})
    if (time && *time < best) {
      best = *time;
      choice.generator = library;
    }
  choice.reason = "estimated times: mlir " + printTime(times.generated) +
                  ", onednn " + printTime(times.onednn) + ", openblas " +
                  printTime(times.openblas);
  return choice;
}
