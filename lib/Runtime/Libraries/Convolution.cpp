//===- Convolution.cpp - A call of a convolution, taken apart -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/Convolution.h"

#include "Runtime/Host/ElementType.h"
#include "Runtime/Host/Error.h"

#include <algorithm>

using namespace hetero::runtime;

static HeteroStatus refuse(const std::string &what) {
  return fail(HETERO_ERROR_INVALID_ARGUMENT, "convolution takes " + what);
}

static std::string printTypes(const std::vector<int32_t> &types) {
  std::string text;
  for (int32_t type : types)
    text += (text.empty() ? "" : " or ") + nameType(type);
  return text;
}

static HeteroStatus checkValues(const LibraryCall &call,
                                const std::vector<int32_t> &types) {
  if (call.count != 3 && call.count != 4)
    return refuse("3 or 4 values, got " + std::to_string(call.count));
  int32_t rank = call.values[0].rank, type = call.values[0].type;
  bool isKnown = std::find(types.begin(), types.end(), type) != types.end();
  for (int i = 0; i < call.count; ++i)
    if (!isKnown || call.values[i].type != type ||
        call.values[i].rank != rank || rank < 3 || rank > 5)
      return refuse("values of " + printTypes(types) +
                    " and of one rank from 3 to 5");
  if (call.numParameters != 2 + 3 * (rank - 2))
    return refuse(std::to_string(2 + 3 * (rank - 2)) + " parameters, got " +
                  std::to_string(call.numParameters));
  const HeteroValue &source = call.values[0], &weights = call.values[1];
  const HeteroValue &result = call.values[call.count - 1];
  bool grouped = call.parameters[0] != 0;
  if (source.sizes[0] != result.sizes[0] ||
      weights.sizes[0] != result.sizes[1] ||
      source.sizes[1] != (grouped ? result.sizes[1] : weights.sizes[1]) ||
      (call.count == 4 && call.values[2].sizes[1] != result.sizes[1]))
    return fail(HETERO_ERROR_PROGRAM,
                "the sizes of a convolution by " + call.library.name +
                    " do not agree; check the shapes of its input, filter and "
                    "result");
  return HETERO_OK;
}

/// False where windows reach over the end of what the parameters say.
static bool readWindows(const int64_t *parameters, Convolution &op) {
  bool fits = true;
  for (int i = 0; i < op.spatial; ++i) {
    int64_t stride = parameters[i], dilation = parameters[op.spatial + i];
    int64_t low = parameters[2 * op.spatial + i];
    int64_t taps = op.weights.sizes[2 + i];
    int64_t reach =
        (op.result.sizes[2 + i] - 1) * stride + (taps - 1) * dilation + 1;
    int64_t high = reach - low - op.source.sizes[2 + i];
    fits &= stride > 0 && dilation > 0 && low >= 0;
    // The last rows may be read by no window.
    if (high < 0)
      op.source.sizes[2 + i] = std::max<int64_t>(reach - low, 0);
    op.windows.strides[i] = stride;
    op.windows.dilations[i] = dilation;
    op.windows.low[i] = low;
    op.windows.high[i] = std::max<int64_t>(high, 0);
  }
  return fits;
}

HeteroStatus hetero::runtime::readConvolution(const LibraryCall &call,
                                              const std::vector<int32_t> &types,
                                              Convolution &op) {
  if (HeteroStatus status = checkValues(call, types))
    return status;
  op.source = call.values[0];
  op.weights = call.values[1];
  op.result = call.values[call.count - 1];
  op.isGrouped = call.parameters[0] != 0;
  op.relu = call.parameters[1] & 1;
  op.mayRound = call.parameters[1] & 2;
  op.accumulate = call.accumulate;
  op.spatial = op.source.rank - 2;
  op.hasBias = call.count == 4;
  if (op.hasBias) {
    op.bias = call.values[2];
    op.bias.rank = 1;
    op.bias.sizes[0] = call.values[2].sizes[1];
    op.bias.strides[0] = call.values[2].strides[1];
  }
  return readWindows(call.parameters + 2, op)
             ? HETERO_OK
             : refuse("positive strides and dilations, and no negative "
                      "padding");
}
