//===- Values.cpp - Values that cross an entry point ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Copies.h"
#include "Runtime/Device/Device.h"
#include "Runtime/Device/Devices.h"
#include "Runtime/Device/Memory/Allocations.h"
#include "Runtime/Device/Memory/SharedMemory.h"
#include "Runtime/Host/ElementType.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/Frame.h"
#include "Runtime/Host/Rank.h"
#include "Runtime/Report/Report.h"
#include "hetero/Runtime/ElementTypes.h"

#include <algorithm>
#include <cstring>
#include <functional>

using namespace hetero;
using namespace hetero::runtime;

/// "tensor<5x?xf32>" or "f32"; HETERO_DYNAMIC prints as '?'.
static std::string typeText(int32_t type, int32_t rank, const int64_t *sizes) {
  std::string element = nameType(type);
  if (rank == HETERO_SCALAR)
    return element;
  std::string text = "tensor<";
  for (int32_t i = 0; i < rank; ++i)
    text += (sizes[i] == HETERO_DYNAMIC ? "?" : std::to_string(sizes[i])) + "x";
  return text + element + ">";
}

static HeteroStatus refuse(int32_t index, const std::string &expected,
                           const std::string &got) {
  return fail(HETERO_ERROR_INVALID_ARGUMENT,
              "argument " + std::to_string(index) + ": expected " + expected +
                  ", got " + got + "; pass a value that fits the entry point");
}

static bool isContiguous(const HeteroValue &value) {
  // Strides of a tensor without elements mean nothing.
  for (int32_t i = 0; i < value.rank; ++i)
    if (value.sizes[i] == 0)
      return true;
  int64_t stride = 1;
  for (int32_t i = value.rank - 1; i >= 0; --i) {
    if (value.sizes[i] != 1 && value.strides[i] != stride)
      return false;
    stride *= value.sizes[i];
  }
  return true;
}

/// Bytes of a tensor, or -1 when that does not fit.
static int64_t numBytes(const HeteroValue &value) {
  int64_t bytes = getElementBytes(value.type);
  for (int32_t i = 0; i < value.rank; ++i)
    if (value.sizes[i] < 0 ||
        __builtin_mul_overflow(bytes, value.sizes[i], &bytes))
      return -1;
  return bytes;
}

static bool sizesMatch(const HeteroValue &value, const int64_t *sizes) {
  for (int32_t i = 0; i < value.rank; ++i)
    if (sizes[i] != HETERO_DYNAMIC && sizes[i] != value.sizes[i])
      return false;
  return true;
}

HeteroStatus heteroCheckArgument(const HeteroValue *value, int32_t index,
                                 int32_t type, int32_t rank,
                                 const int64_t *sizes, int32_t device) {
  bool isSane = findElementType(value->type) && value->rank >= HETERO_SCALAR &&
                value->rank <= HETERO_MAX_RANK;
  if (!isSane || value->type != type || value->rank != rank ||
      (rank > 0 && !sizesMatch(*value, sizes)))
    return refuse(index, typeText(type, rank, sizes),
                  isSane ? typeText(value->type, value->rank, value->sizes)
                         : "a value with an unknown type or rank");
  if (rank == HETERO_SCALAR)
    return HETERO_OK;
  if (value->device != device)
    return refuse(index, "a tensor on " + deviceName(device),
                  "one on " + deviceName(value->device));
  int64_t bytes = numBytes(*value);
  if (bytes < 0)
    return refuse(index, "sizes that fit into memory",
                  typeText(value->type, value->rank, value->sizes));
  if (!isContiguous(*value))
    return refuse(index, "a contiguous tensor", "one with other strides");
  if (!value->data && bytes != 0)
    return refuse(index, "the address of its data",
                  "NULL, which a value has that was released or donated to a "
                  "call before");
  return HETERO_OK;
}

HeteroStatus heteroCheckCounts(int32_t gotArguments, int32_t wantArguments,
                               int32_t gotResults, int32_t wantResults) {
  if (gotArguments == wantArguments && gotResults == wantResults)
    return HETERO_OK;
  return fail(HETERO_ERROR_INVALID_ARGUMENT,
              "expected " + std::to_string(wantArguments) +
                  " argument(s) and room for " + std::to_string(wantResults) +
                  " result(s), got " + std::to_string(gotArguments) + " and " +
                  std::to_string(gotResults) +
                  "; the entry point's header lists them");
}

HeteroStatus heteroReleaseValue(HeteroValue *value) {
  if (!value->allocation)
    return HETERO_OK;
  int64_t bytes;
  int32_t owner = ownerOf(inProcess(value->device), value->allocation);
  if (!takeDetached(owner, value->allocation, bytes))
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "the value's allocation on " + deviceName(value->device) +
                    " is not one of the runtime's; release a value once, and "
                    "before heteroReset() if it is on a gpu");
  HeteroStatus status = release(owner, value->allocation, bytes);
  value->allocation = nullptr;
  value->data = nullptr;
  return status;
}

/// True if two tensors have a byte in common.
static bool share(const HeteroValue &a, const HeteroValue &b) {
  if (a.rank == HETERO_SCALAR || b.rank == HETERO_SCALAR ||
      a.device != b.device)
    return false;
  auto *beginA = static_cast<const char *>(a.data);
  auto *beginB = static_cast<const char *>(b.data);
  return std::less<>()(beginA, beginB + numBytes(b)) &&
         std::less<>()(beginB, beginA + numBytes(a));
}

HeteroStatus heteroDonate(const HeteroValue *arguments, int32_t count,
                          int32_t index) {
  // The caller has the value in memory of its own, and says that it is donated.
  HeteroValue &value = const_cast<HeteroValue &>(arguments[index]);
  for (int32_t i = 0; i < count; ++i)
    if (i != index && share(value, arguments[i]))
      return fail(HETERO_ERROR_INVALID_ARGUMENT,
                  "argument " + std::to_string(index) +
                      " is donated, but argument " + std::to_string(i) +
                      " has the same memory; pass a copy");
  int64_t bytes;
  int32_t owner = ownerOf(inProcess(value.device), value.allocation);
  if (value.data != value.allocation || !value.allocation ||
      !takeDetached(owner, value.allocation, bytes))
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "argument " + std::to_string(index) +
                    " is donated, but does not own memory of the runtime; pass "
                    "a value of heteroAllocateValue, or the result of a call");
  HeteroStatus status = holdInFrame(owner, value.allocation, bytes);
  value.data = value.allocation = nullptr;
  return status;
}

HeteroStatus heteroAllocateValue(HeteroValue *value, int32_t device) {
  if (!findElementType(value->type) || value->rank < 0 ||
      value->rank > HETERO_MAX_RANK || numBytes(*value) < 0)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "expected a tensor type, rank and sizes that fit into memory; "
                "fill them in before allocating");
  int64_t bytes = numBytes(*value), stride = 1;
  HeteroStatus status =
      allocate(inProcess(device), bytes, 64, &value->allocation);
  if (status != HETERO_OK)
    return status;
  value->device = std::max(device, HETERO_HOST);
  rememberDetached(inProcess(value->device), value->allocation, bytes);
  value->data = value->allocation;
  for (int32_t i = value->rank - 1; i >= 0; --i) {
    value->strides[i] = stride;
    stride *= value->sizes[i];
  }
  return HETERO_OK;
}

HeteroStatus heteroCopyValue(HeteroValue *destination,
                             const HeteroValue *source) {
  bool isSame = destination->type == source->type &&
                destination->rank == source->rank &&
                findElementType(source->type) && source->rank >= 0 &&
                source->rank <= HETERO_MAX_RANK &&
                sizesMatch(*source, destination->sizes);
  if (!isSame || numBytes(*source) < 0 || !isContiguous(*source) ||
      !isContiguous(*destination))
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "expected two contiguous tensors of the same type and sizes; "
                "allocate the destination like the source");
  HeteroStatus status =
      copyBetween(destination->device, destination->data, source->device,
                  source->data, numBytes(*source), "value of the caller");
  for (int32_t device : {source->device, destination->device})
    if (status == HETERO_OK && device != HETERO_HOST)
      status = waitForDevice(inProcess(device));
  return status;
}

/// Copies the elements of a value into an allocation of its own.
static HeteroStatus unshare(HeteroValue &value) {
  HeteroValue source = value;
  HeteroStatus status = heteroAllocateValue(&value, value.device);
  // What fills the source may be on another stream of the device.
  if (status == HETERO_OK && value.device != HETERO_HOST)
    status = waitForDevice(inProcess(value.device));
  return status == HETERO_OK ? heteroCopyValue(&value, &source) : status;
}

HeteroStatus heteroDetachResult(HeteroValue *results, int32_t index,
                                void *allocation) {
  HeteroValue &value = results[index];
  for (int32_t i = 0; i < index; ++i)
    if (results[i].allocation == allocation &&
        results[i].device == value.device && results[i].rank != HETERO_SCALAR)
      return unshare(value);
  HeteroStatus status = heteroDetach(value.device, allocation);
  if (status == HETERO_OK)
    value.allocation = allocation;
  return status;
}

/// Copies what the caller passes into shared memory, which the frame holds.
static HeteroStatus copyToShared(const HeteroValue &value, int32_t gpu,
                                 int64_t bytes, const char *name,
                                 void **pointer) {
  int32_t device = HETERO_SHARED(gpu);
  HeteroStatus status = allocate(device, bytes, 64, pointer);
  if (status == HETERO_OK)
    status = holdInFrame(HETERO_HOST, *pointer, bytes);
  if (status == HETERO_OK)
    status = copyBetween(HETERO_HOST, *pointer, value.device, value.data, bytes,
                         name);
  if (status == HETERO_OK && value.device != HETERO_HOST)
    status = waitForDevice(inProcess(value.device));
  if (status == HETERO_OK)
    countCopy(name, inProcess(value.device),
              value.device == HETERO_HOST ? gpu : HETERO_HOST, bytes);
  return status;
}

HeteroStatus heteroShareArgument(const HeteroValue *value, int32_t gpu,
                                 const char *name, void **pointer) {
  int64_t bytes = getElementBytes(value->type);
  for (int32_t i = 0; i < value->rank; ++i)
    bytes *= value->sizes[i];
  *pointer = value->data;
  gpu = inProcess(gpu);
  useInFrame(gpu);
  if (bytes == 0 || isShared(value->data, bytes))
    return HETERO_OK;
  Device *device;
  if (HeteroStatus status = getDevice(gpu, &device))
    return status;
  if (value->device == HETERO_HOST &&
      device->getContext().hasProperty(cuda::kPageableMemoryAccess))
    return HETERO_OK;
  return copyToShared(*value, gpu, bytes, name, pointer);
}
