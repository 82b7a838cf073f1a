//===- dsp-library.c - What the plugin's programs call when they run ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library that registers itself with libhetero_runtime when it is loaded:
// by --shared-libs of hetero-run and hetero-compile, or by
// HETERO_LIBRARIES=dsp=FILE,vendor=FILE.
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroLibraries.h"

#include <stdlib.h>
#include <string.h>

static int64_t countElements(const HeteroValue *value) {
  int64_t count = 1;
  for (int i = 0; i < value->rank; ++i)
    count *= value->sizes[i];
  return count;
}

/* Where the element of this number is, by rows. */
static float *elementOf(const HeteroValue *value, int64_t number) {
  int64_t offset = 0;
  for (int i = value->rank - 1; i >= 0; --i) {
    offset += number % value->sizes[i] * value->strides[i];
    number /= value->sizes[i];
  }
  return (float *)value->data + offset;
}

/* Of the operations that dsp-plugin.cpp writes. */
static float compute(int64_t opcode, float left, float right) {
  return opcode == 1 ? left * right : left + right;
}

/* One element of all results. The words are the number of operations, three
   for each, and which values are the results. */
static void runElement(const HeteroLibraryCall *call, int64_t number,
                       float *computed) {
  const int64_t *words = call->parameters;
  int64_t operations = *words++, numResults;
#define VALUE(word)                                                            \
  ((word) < 0 ? computed[-(word) - 1] : *elementOf(&call->values[word], number))
  for (int64_t i = 0; i < operations; ++i, words += 3)
    if (words[0] == 0)
      memcpy(&computed[i], &words[1], sizeof *computed);
    else
      computed[i] = compute(words[0], VALUE(words[1]), VALUE(words[2]));
  numResults = call->parameters + call->numParameters - words;
  for (int64_t i = 0; i < numResults; ++i)
    *elementOf(&call->values[call->count - numResults + i], number) =
        VALUE(words[i]);
#undef VALUE
}

/* A region of a dsp. */
static HeteroStatus runRegion(const HeteroLibraryCall *call) {
  float *computed;
  if (strcmp(call->function, "run") != 0 || call->numParameters < 1 ||
      call->values[0].type != HETERO_TYPE_F32)
    return HETERO_ERROR_INVALID_ARGUMENT;
  computed = malloc((call->parameters[0] + 1) * sizeof *computed);
  if (!computed)
    return HETERO_ERROR_OUT_OF_MEMORY;
  for (int64_t i = 0; i < countElements(&call->values[0]); ++i)
    runElement(call, i, computed);
  free(computed);
  return HETERO_OK;
}

/* Adds the product of the first two to the third. */
static HeteroStatus multiply(const HeteroLibraryCall *call) {
  const HeteroValue *a = call->values, *b = a + 1, *c = a + 2;
  if (strcmp(call->function, "gemm") != 0 || call->count != 3 ||
      !call->accumulate)
    return HETERO_ERROR_INVALID_ARGUMENT;
#define AT(value, i, j)                                                        \
  ((float *)(value)                                                            \
       ->data)[(i) * (value)->strides[0] + (j) * (value)->strides[1]]
  for (int64_t i = 0; i < c->sizes[0]; ++i)
    for (int64_t k = 0; k < a->sizes[1]; ++k)
      for (int64_t j = 0; j < c->sizes[1]; ++j)
        AT(c, i, j) += AT(a, i, k) * AT(b, k, j);
#undef AT
  return HETERO_OK;
}

__attribute__((constructor)) static void registerLibraries(void) {
  heteroRegisterLibrary("dsp", runRegion, /*isOnDevice=*/0);
  heteroRegisterLibrary("vendor", multiply, /*isOnDevice=*/0);
}
