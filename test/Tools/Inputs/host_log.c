//===- host_log.c - What host-log.mlir calls ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>

struct MemRef {
  float *allocated, *aligned;
  int64_t offset, size, stride;
};

void host_log(float *allocated, float *aligned, int64_t offset, int64_t size,
              int64_t stride) {
  (void)allocated;
  printf("host_log:");
  for (int64_t i = 0; i < size; ++i)
    printf(" %g", aligned[offset + i * stride]);
  printf("\n");
}

void _mlir_ciface_host_sum(const struct MemRef *memref) {
  float sum = 0;
  for (int64_t i = 0; i < memref->size; ++i)
    sum += memref->aligned[memref->offset + i * memref->stride];
  printf("host_sum: %g\n", sum);
}
