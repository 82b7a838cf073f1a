//===- jit.cpp - Links PTX with what it calls, and loads libraries ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <cstring>

/// What a text needs to be PTX of its own.
#define PTX ".version 8.0\n.target sm_80\n.address_size 64\n"

static const char user[] = PTX R"(
.extern .func (.param .b32 out) square(.param .b32 in);
.visible .entry run(.param .u64 to, .param .u32 number)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  .param .b32 in, out;
  ld.param.u32 %r1, [number];
  st.param.b32 [in], %r1;
  call (out), square, (in);
  ld.param.b32 %r2, [out];
  ld.param.u64 %rd1, [to];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
static const char provider[] = PTX R"(
.visible .func (.param .b32 out) square(.param .b32 in)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [in];
  mul.lo.u32 %r2, %r1, %r1;
  st.param.b32 [out], %r2;
  ret;
}
)";

int main() {
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, nullptr, 0, 0));
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  CUlinkState state;
  CHECK(cuLinkCreate(2, options, values, &state));
  for (const char *text : {user, provider})
    CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char *>(text),
                        std::strlen(text) + 1, "text", 0, nullptr, nullptr));
  void *image;
  size_t bytes;
  CHECK(cuLinkComplete(state, &image, &bytes));
  CUlibrary library;
  CUkernel run;
  CHECK(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr,
                          nullptr, 0));
  CHECK(cuLinkDestroy(state));
  CHECK(cuLibraryGetKernel(&run, library, "run"));
  CUdeviceptr pointer;
  CHECK(cuMemAlloc(&pointer, 4));
  unsigned number = 12, result = 0;
  void *params[] = {&pointer, &number};
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  CHECK(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(run), params,
                         nullptr));
  CHECK(cuMemcpyDtoH(&result, pointer, 4));
  CHECK(cuLibraryUnload(library));
  CHECK(cuCtxDestroy(context));
  return report("jit", result != 144);
}
