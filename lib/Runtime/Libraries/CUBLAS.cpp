//===- CUBLAS.cpp - Products of matrices by cuBLAS ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLAS has columns next to each other: to it, the rows of a row-major matrix
// are the columns of the transposed one. So c = a * b is called as
// c^T = b^T * a^T, where "not transposed" means rows without gaps.
//
// The longest dimension of a batch is that of one call, the others are calls.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/CUBLAS.h"

#include "Runtime/Host/ElementType.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Libraries/DeviceLibrary.h"
#include "Runtime/Libraries/Matrices.h"

#include <numeric>

using namespace hetero;
using namespace hetero::runtime;

namespace {
/// cuBLAS for one unit of a device.
class CUBLASHandle : public LibraryHandle {
public:
  ~CUBLASHandle() override {
    if (handle)
      functions.destroy(handle);
  }
  HeteroStatus open(const LibraryCall &call);
  HeteroStatus check(const LibraryCall &call, int result, const char *function,
                     const std::string &detail = "") const;

  cublas::Functions functions;
  cublas::Handle handle = nullptr;
};

/// The product, as all of its calls have it.
struct Product {
  int types[3];
  int computeType;
  /// One and zero of the type that is computed in.
  const void *one, *beta;
};

using DeviceMatrix = Matrix<char>;

/// Matrices at a distance from each other, in elements.
struct Batch {
  int64_t count = 1;
  int64_t strides[3] = {};
};
} // namespace

//===----------------------------------------------------------------------===//
// The handle
//===----------------------------------------------------------------------===//

HeteroStatus CUBLASHandle::check(const LibraryCall &call, int result,
                                 const char *function,
                                 const std::string &detail) const {
  if (result == cublas::kSuccess)
    return HETERO_OK;
  HeteroStatus status =
      result == cublas::kAllocFailed       ? HETERO_ERROR_OUT_OF_MEMORY
      : result == cublas::kExecutionFailed ? HETERO_ERROR_LAUNCH
                                           : HETERO_ERROR_DRIVER;
  return failLibraryCall(call,
                         {function,
                          std::string(functions.getStatusName(result)) + " (" +
                              functions.getStatusString(result) + ")",
                          status, detail});
}

/// What cuBLAS recommends for its own memory, by the compute capability.
static int64_t getWorkspaceBytes(const Device &device) {
  return (device.getContext().getMajor() >= 9 ? int64_t(32) : int64_t(4)) << 20;
}

HeteroStatus CUBLASHandle::open(const LibraryCall &call) {
  HeteroStatus status = HETERO_OK;
#define HETERO_FIND(member, name, result, parameters)                          \
  if (status == HETERO_OK)                                                     \
    status = findFunction(call.library, #name,                                 \
                          reinterpret_cast<void **>(&functions.member));
  HETERO_CUBLAS_FUNCTIONS(HETERO_FIND)
#undef HETERO_FIND
  if (status == HETERO_OK)
    status = check(call, functions.create(&handle), "cublasCreate");
  if (status == HETERO_OK)
    status = check(call, functions.setStream(handle, call.stream),
                   "cublasSetStream");
  // Its own allocation would be one that nobody counts. This one goes with the
  // context.
  void *workspace = nullptr;
  int64_t bytes = getWorkspaceBytes(*call.device);
  if (status == HETERO_OK)
    status = call.device->allocate(bytes, /*isKept=*/true, &workspace);
  if (status == HETERO_OK)
    status = check(call, functions.setWorkspace(handle, workspace, bytes),
                   "cublasSetWorkspace");
  if (status == HETERO_OK)
    status = check(call,
                   functions.setMathMode(handle, cublas::kDefaultMath |
                                                     cublas::kNoReducedSums),
                   "cublasSetMathMode");
  if (status != HETERO_OK && workspace)
    call.device->free(workspace);
  return status;
}

//===----------------------------------------------------------------------===//
// One call
//===----------------------------------------------------------------------===//

/// Rows of zeros, one by one: cuBLAS does nothing where there are no summands.
static HeteroStatus fillWithZeros(const LibraryCall &call,
                                  const DeviceMatrix &c, int64_t bytes) {
  const cuda::Functions &driver = call.device->getContext().getFunctions();
  bool isByRow = c.columns == 1 || c.columnStride == 1;
  DeviceMatrix rows = isByRow ? c : c.transposed();
  for (int64_t row = 0; row < rows.rows; ++row) {
    auto address = reinterpret_cast<cuda::DevicePointer>(
        rows.data + row * rows.rowStride * bytes);
    HeteroStatus status = call.device->getContext().check(
        driver.memsetD8Async(address, 0, rows.columns * bytes, call.stream),
        "cuMemsetD8Async", call.unit);
    if (status != HETERO_OK)
      return status;
  }
  return HETERO_OK;
}

static std::string describe(const LibraryCall &call) {
  const HeteroValue *values = call.values;
  return "product of " + describeSizes(values[0]) + " and " +
         describeSizes(values[1]) + " of " + nameType(values[0].type) +
         " into " + nameType(values[2].type);
}

/// c = a * b + beta * c, of which c has contiguous rows; false if a layout is
/// none that cuBLAS knows.
static bool multiplyRows(const LibraryCall &call, const CUBLASHandle &library,
                         const Product &product, const DeviceMatrix &a,
                         const DeviceMatrix &b, const DeviceMatrix &c,
                         const Batch &batch, bool isSwapped,
                         HeteroStatus &status) {
  MatrixLayout layoutA, layoutB;
  int64_t leading = 0;
  if (!hasContiguousRows(c, leading) || !findLayout(a, layoutA) ||
      !findLayout(b, layoutB))
    return false;
  int left = isSwapped ? 1 : 0, right = 1 - left;
  auto transpose = [](const MatrixLayout &layout) {
    return layout.isTransposed ? cublas::kTranspose : cublas::kNoTranspose;
  };
  int m = static_cast<int>(c.rows), n = static_cast<int>(c.columns),
      k = static_cast<int>(a.columns), ldc = static_cast<int>(leading);
  const cublas::Functions &functions = library.functions;
  if (batch.count == 1)
    status = library.check(
        call,
        functions.gemm(library.handle, transpose(layoutB), transpose(layoutA),
                       n, m, k, product.one, b.data, product.types[right],
                       layoutB.leading, a.data, product.types[left],
                       layoutA.leading, product.beta, c.data, product.types[2],
                       ldc, product.computeType, cublas::kDefaultAlgorithm),
        "cublasGemmEx", describe(call));
  else
    status = library.check(
        call,
        functions.gemmBatched(
            library.handle, transpose(layoutB), transpose(layoutA), n, m, k,
            product.one, b.data, product.types[right], layoutB.leading,
            batch.strides[right], a.data, product.types[left], layoutA.leading,
            batch.strides[left], product.beta, c.data, product.types[2], ldc,
            batch.strides[2], static_cast<int>(batch.count),
            product.computeType, cublas::kDefaultAlgorithm),
        "cublasGemmStridedBatchedEx", describe(call));
  return true;
}

//===----------------------------------------------------------------------===//
// The batch
//===----------------------------------------------------------------------===//

/// The longest dimension of the batch; -1 if there is none.
static int findLongest(const HeteroValue &result) {
  int longest = -1;
  for (int dim = 0; dim < result.rank - 2; ++dim)
    if (longest < 0 || result.sizes[dim] > result.sizes[longest])
      longest = dim;
  return longest;
}

/// The matrix of a value at a position of the batch.
static DeviceMatrix getMatrix(const HeteroValue &value, const int64_t *batch) {
  int last = value.rank - 1;
  int64_t offset = 0;
  for (int dim = 0; dim < last - 1; ++dim)
    if (value.sizes[dim] != 1)
      offset += batch[dim] * value.strides[dim];
  return {static_cast<char *>(value.data) +
              offset * getElementBytes(value.type),
          value.sizes[last - 1], value.sizes[last], value.strides[last - 1],
          value.strides[last]};
}

static HeteroStatus multiplyOne(const LibraryCall &call,
                                const CUBLASHandle &library,
                                const Product &product, const int64_t *position,
                                const Batch &batch) {
  DeviceMatrix a = getMatrix(call.values[0], position),
               b = getMatrix(call.values[1], position),
               c = getMatrix(call.values[2], position);
  HeteroStatus status = HETERO_OK;
  if (multiplyRows(call, library, product, a, b, c, batch, false, status) ||
      multiplyRows(call, library, product, b.transposed(), a.transposed(),
                   c.transposed(), batch, true, status))
    return status;
  return fail(HETERO_ERROR_PROGRAM,
              "cublas takes matrices whose rows or columns have no gaps, got " +
                  describe(call) +
                  " with gaps in both; copy it to a tensor of its own");
}

static HeteroStatus multiplyAll(const LibraryCall &call,
                                const CUBLASHandle &library,
                                const Product &product) {
  const HeteroValue &result = call.values[2];
  int inner = findLongest(result), rows = result.rank - 2;
  Batch batch;
  // More than cuBLAS can count to are calls of their own.
  if (inner >= 0 && result.sizes[inner] > INT_MAX)
    inner = -1;
  if (inner >= 0) {
    batch.count = result.sizes[inner];
    for (int i = 0; i < 3; ++i)
      if (call.values[i].sizes[inner] != 1)
        batch.strides[i] = call.values[i].strides[inner];
  }
  int64_t position[HETERO_MAX_RANK] = {}, outer = 1;
  for (int dim = 0; dim < rows; ++dim)
    if (dim != inner)
      outer *= result.sizes[dim];
  for (int64_t i = 0; i < outer; ++i) {
    if (HeteroStatus status =
            multiplyOne(call, library, product, position, batch))
      return status;
    for (int dim = rows - 1; dim >= 0; --dim) {
      if (dim == inner)
        continue;
      if (++position[dim] < result.sizes[dim])
        break;
      position[dim] = 0;
    }
  }
  return HETERO_OK;
}

/// Without summands: what is not added to becomes zero.
static HeteroStatus clearAll(const LibraryCall &call) {
  const HeteroValue &result = call.values[2];
  int64_t position[HETERO_MAX_RANK] = {};
  int64_t count = std::accumulate(result.sizes, result.sizes + result.rank - 2,
                                  int64_t(1), std::multiplies<int64_t>());
  for (int64_t i = 0; i < count; ++i) {
    if (HeteroStatus status = fillWithZeros(call, getMatrix(result, position),
                                            getElementBytes(result.type)))
      return status;
    for (int dim = result.rank - 3;
         dim >= 0 && ++position[dim] == result.sizes[dim]; --dim)
      position[dim] = 0;
  }
  return HETERO_OK;
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

static int typeOf(int32_t type) {
  switch (type) {
  case HETERO_TYPE_F16:
    return cublas::kF16;
  case HETERO_TYPE_BF16:
    return cublas::kBF16;
  case HETERO_TYPE_F32:
    return cublas::kF32;
  case HETERO_TYPE_F64:
    return cublas::kF64;
  default:
    return -1;
  }
}

/// Values of one type; those of 16 bits may have a result of 32.
static bool haveTypes(const HeteroValue *values) {
  int32_t type = values[0].type, result = values[2].type;
  bool isHalf = type == HETERO_TYPE_F16 || type == HETERO_TYPE_BF16;
  return typeOf(type) >= 0 && values[1].type == type &&
         (result == type || (isHalf && result == HETERO_TYPE_F32));
}

static HeteroStatus checkCall(const LibraryCall &call) {
  if (HeteroStatus status = checkProduct(call))
    return status;
  if (!haveTypes(call.values))
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "gemm of cublas takes values of one type of f16, bf16, f32 and "
                "f64, of 16 bits with a result of the same or of f32, got " +
                    describe(call));
  if (call.numParameters != 1)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "gemm of cublas takes 1 parameter, got " +
                    std::to_string(call.numParameters));
  return HETERO_OK;
}

HeteroStatus hetero::runtime::callGemmOfCUBLAS(const LibraryCall &call) {
  static const float kOneF32 = 1, kZeroF32 = 0;
  static const double kOneF64 = 1, kZeroF64 = 0;
  if (HeteroStatus status = checkCall(call))
    return status;
  const HeteroValue &left = call.values[0], &result = call.values[2];
  if (isEmpty(result))
    return HETERO_OK;
  if (left.sizes[left.rank - 1] == 0)
    return call.accumulate ? HETERO_OK : clearAll(call);
  CUBLASHandle *library = nullptr;
  if (HeteroStatus status = getHandle(call, library))
    return status;
  bool isDouble = left.type == HETERO_TYPE_F64;
  bool mayRound = call.parameters[0] != 0 && left.type == HETERO_TYPE_F32;
  Product product;
  for (int i = 0; i < 3; ++i)
    product.types[i] = typeOf(call.values[i].type);
  product.computeType = isDouble   ? cublas::kComputeF64
                        : mayRound ? cublas::kComputeTF32
                                   : cublas::kComputeF32;
  const void *one = isDouble ? static_cast<const void *>(&kOneF64) : &kOneF32;
  const void *zero =
      isDouble ? static_cast<const void *>(&kZeroF64) : &kZeroF32;
  product.one = one;
  product.beta = call.accumulate ? one : zero;
  return multiplyAll(call, *library, product);
}
