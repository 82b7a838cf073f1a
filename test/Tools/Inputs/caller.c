//===- caller.c - Calls an entry point through its header -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That of examples/shared-operand.mlir, in plain C.
//
//===----------------------------------------------------------------------===//

#include HEADER

#include <stdio.h>

static void describe(HeteroValue *value, float *data) {
  value->data = data;
  value->allocation = NULL;
  value->type = HETERO_TYPE_F32;
  value->rank = 2;
  value->device = HETERO_HOST;
  value->sizes[0] = 5;
  value->sizes[1] = 7;
  value->strides[0] = 7;
  value->strides[1] = 1;
}

int main(void) {
  static float a[35], b[35], c[35];
  HeteroValue arguments[3], result;
  const float *numbers;
  int i;
  for (i = 0; i < 35; ++i) {
    a[i] = (float)i;
    b[i] = 2.5F;
    c[i] = 1.0F;
  }
  describe(&arguments[0], a);
  describe(&arguments[1], b);
  describe(&arguments[2], c);
  if (hetero_main(arguments, 3, &result, 1) != HETERO_OK) {
    fprintf(stderr, "%s\n", heteroLastError());
    return 1;
  }
  numbers = (const float *)result.data;
  printf("%g %g %g %g\n", numbers[0], numbers[1], numbers[2], numbers[34]);
  return heteroReleaseValue(&result) != HETERO_OK;
}
