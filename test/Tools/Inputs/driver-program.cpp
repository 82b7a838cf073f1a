//===- driver-program.cpp - Knows the CUDA driver API and nothing else ----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver-programs/Program.h"

int main(int, char **arguments) {
  CHECK(cuInit(0));
  CUdevice device;
  CHECK(cuDeviceGet(&device, 0));
  char name[100];
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CUcontext context;
  CHECK(cuCtxCreate(&context, nullptr, 0, device));
  CUmodule module;
  CHECK(cuModuleLoad(&module, arguments[1]));
  CUfunction function;
  CHECK(cuModuleGetFunction(&function, module, "scale"));

  int size = 1000;
  std::vector<float> values(size);
  for (int i = 0; i < size; ++i)
    values[i] = float(i);
  CUdeviceptr from, to;
  CHECK(cuMemAlloc(&from, size * sizeof(float)));
  CHECK(cuMemAlloc(&to, size * sizeof(float)));
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUevent first, second;
  CHECK(cuEventCreate(&first, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&second, CU_EVENT_DEFAULT));
  CHECK(cuEventRecord(first, stream));
  CHECK(cuMemcpyHtoDAsync(from, values.data(), size * sizeof(float), stream));
  float by = 0.5f;
  void *parameters[] = {&from, &to, &by, &size};
  CHECK(cuLaunchKernel(function, (size + 127) / 128, 1, 1, 128, 1, 1, 0, stream,
                       parameters, nullptr));
  CHECK(cuEventRecord(second, stream));
  CHECK(cuStreamSynchronize(stream));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, first, second));
  CHECK(cuMemcpyDtoH(values.data(), to, size * sizeof(float)));
  int wrong = 0;
  for (int i = 0; i < size; ++i)
    wrong += values[i] != 0.5f * i;
  std::printf("%s: %d wrong, %s\n", name, wrong,
              milliseconds >= 0 ? "timed" : "not timed");

  CUtexref texture;
  CUresult result = cuTexRefCreate(&texture);
  std::printf("textures: %d\n", result);
  CHECK(cuMemFree(from));
  CHECK(cuMemFree(to));
  CHECK(cuCtxDestroy(context));
}
