//===- Matrices.cpp - Sizes of products of matrices -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/Matrices.h"

#include "Runtime/Host/Error.h"

using namespace hetero::runtime;

std::string hetero::runtime::describeSizes(const HeteroValue &value) {
  std::string text;
  for (int dim = 0; dim < value.rank; ++dim)
    text += (dim ? "x" : "") + std::to_string(value.sizes[dim]);
  return text;
}

/// The sizes of a, b and c agree and are ones that a BLAS can count to.
static bool haveSizesOfProduct(const HeteroValue *values) {
  const HeteroValue &a = values[0], &b = values[1], &c = values[2];
  int rows = c.rank - 2, columns = c.rank - 1;
  for (int dim = 0; dim < rows; ++dim)
    for (const HeteroValue *input : {&a, &b})
      if (input->sizes[dim] != c.sizes[dim] && input->sizes[dim] != 1)
        return false;
  for (int dim : {rows, columns})
    for (int i = 0; i < 3; ++i)
      if (values[i].sizes[dim] > INT_MAX)
        return false;
  return a.sizes[rows] == c.sizes[rows] && a.sizes[columns] == b.sizes[rows] &&
         b.sizes[columns] == c.sizes[columns];
}

HeteroStatus hetero::runtime::checkProduct(const LibraryCall &call) {
  const HeteroValue *values = call.values;
  if (call.count != 3)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "gemm takes 3 values, got " + std::to_string(call.count));
  int32_t rank = values[2].rank;
  for (int i = 0; i < 3; ++i)
    if (values[i].rank != rank || rank < 2 || rank > HETERO_MAX_RANK)
      return fail(HETERO_ERROR_INVALID_ARGUMENT,
                  "gemm takes values of one rank of at least 2");
  if (!haveSizesOfProduct(values))
    return fail(HETERO_ERROR_PROGRAM, "gemm of " + call.library.name +
                                          " cannot multiply " +
                                          describeSizes(values[0]) + " by " +
                                          describeSizes(values[1]) + " into " +
                                          describeSizes(values[2]));
  return HETERO_OK;
}
