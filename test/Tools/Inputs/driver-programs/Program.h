//===- Program.h - What the programs have in common ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_TOOLS_DRIVERPROGRAMS_PROGRAM_H
#define HETERO_TEST_TOOLS_DRIVERPROGRAMS_PROGRAM_H

#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <vector>

inline void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *name = "?";
  cuGetErrorName(result, &name);
  std::printf("%s: %s\n", what, name);
  std::exit(1);
}
#define CHECK(call) check(call, #call)

/// Ends the program: all is well if nothing is wrong.
inline int report(const char *name, int wrong) {
  std::printf("%s: %d wrong\n", name, wrong);
  return wrong != 0;
}

inline CUfunction load(const char *path, const char *name) {
  CUmodule module;
  CUfunction function;
  CHECK(cuModuleLoad(&module, path));
  CHECK(cuModuleGetFunction(&function, module, name));
  return function;
}

#endif // HETERO_TEST_TOOLS_DRIVERPROGRAMS_PROGRAM_H
