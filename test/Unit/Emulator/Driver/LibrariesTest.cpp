//===- LibrariesTest.cpp - Libraries, linking, JIT options ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

#include <cstring>
#include <string>

namespace {
using LibrariesTest = DriverAPITest;

const char kHeader[] = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// store(to): *to = twice(base), of which each is elsewhere. `secret` is in
/// both modules, and is not the same.
const std::string kUser = std::string(kHeader) + R"(
.extern .func (.param .u32 result) twice(.param .u32 number);
.extern .global .align 4 .u32 base;
.global .align 4 .u32 secret = 1;
.visible .entry store(.param .u64 to)
{
  .reg .u32 %r<4>;
  .reg .u64 %rd<2>;
  ld.global.u32 %r1, [base];
  .param .u32 number;
  .param .u32 result;
  st.param.u32 [number], %r1;
  call.uni (result), twice, (number);
  ld.param.u32 %r2, [result];
  ld.global.u32 %r3, [secret];
  add.u32 %r2, %r2, %r3;
  ld.param.u64 %rd1, [to];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
const std::string kProvider = std::string(kHeader) + R"(
.visible .global .align 4 .u32 base = 20;
.global .align 4 .u32 secret = 500;
.visible .func (.param .u32 result) twice(.param .u32 number)
{
  .reg .u32 %r<3>;
  ld.param.u32 %r1, [number];
  add.u32 %r2, %r1, %r1;
  st.param.u32 [result], %r2;
  ret;
}
)";
} // namespace

TEST_F(LibrariesTest, LoadsIntoEachContext) {
  CUlibrary library;
  CUkernel add;
  ASSERT_OK(cuLibraryLoadData(&library, kPTX, nullptr, nullptr, 0, nullptr,
                              nullptr, 0));
  ASSERT_OK(cuLibraryGetKernel(&add, library, "add"));
  EXPECT_EQ(cuLibraryGetKernel(&add, library, "none"), CUDA_ERROR_NOT_FOUND);
  unsigned count = 0;
  EXPECT_OK(cuLibraryGetKernelCount(&count, library));
  EXPECT_EQ(count, 2u);
  CUdeviceptr array = upload(countFrom(0, 8));
  // A kernel stands for its function in the context of the launch.
  EXPECT_OK(launchAdd(reinterpret_cast<CUfunction>(add), array, array, 1, 8));
  CUdeviceptr first, second;
  size_t bytes;
  EXPECT_OK(cuLibraryGetGlobal(&first, &bytes, library, "counter"));
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(download(first, 1).front(), 7u);
  CUcontext context;
  CUfunction function;
  ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
  EXPECT_OK(cuKernelGetFunction(&function, add));
  EXPECT_OK(launchAdd(function, array, array, 2, 8));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(download(array, 8), countFrom(3, 8));
  EXPECT_OK(cuLibraryGetGlobal(&second, &bytes, library, "counter"));
  EXPECT_NE(first, second);
  // A reset takes the module away, and the next use brings another.
  EXPECT_OK(cuCtxSetCurrent(primary));
  EXPECT_OK(cuDevicePrimaryCtxReset(0));
  array = upload(countFrom(0, 8));
  EXPECT_OK(launchAdd(reinterpret_cast<CUfunction>(add), array, array, 3, 8));
  EXPECT_EQ(download(array, 8), countFrom(3, 8));
  EXPECT_OK(cuCtxDestroy(context));
  EXPECT_OK(cuLibraryUnload(library));
  EXPECT_EQ(cuKernelGetFunction(&function, add), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(LibrariesTest, LinksPTX) {
  CUlinkState state;
  ASSERT_OK(cuLinkCreate(0, nullptr, nullptr, &state));
  EXPECT_OK(cuLinkAddData(state, CU_JIT_INPUT_PTX,
                          const_cast<char *>(kUser.c_str()), kUser.size() + 1,
                          "user", 0, nullptr, nullptr));
  EXPECT_OK(cuLinkAddData(
      state, CU_JIT_INPUT_PTX, const_cast<char *>(kProvider.c_str()),
      kProvider.size() + 1, "provider", 0, nullptr, nullptr));
  void *image;
  size_t bytes;
  ASSERT_OK(cuLinkComplete(state, &image, &bytes));
  EXPECT_GT(bytes, 0u);
  CUmodule module;
  CUfunction store;
  ASSERT_OK(cuModuleLoadData(&module, image));
  EXPECT_OK(cuLinkDestroy(state));
  ASSERT_OK(cuModuleGetFunction(&store, module, "store"));
  CUdeviceptr result = upload({0});
  void *params[] = {&result};
  EXPECT_OK(
      cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
  EXPECT_EQ(download(result, 1).front(), 41u);
}

TEST_F(LibrariesTest, SaysWhyItCannotLink) {
  char log[256] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_WALL_TIME};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log), nullptr};
  CUlinkState state;
  ASSERT_OK(cuLinkCreate(3, options, values, &state));
  char bad[] = "\n.visible";
  EXPECT_EQ(cuLinkAddData(state, CU_JIT_INPUT_PTX, bad, sizeof bad, "bad.ptx",
                          0, nullptr, nullptr),
            CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(std::string(log).rfind("bad.ptx: line 2: ", 0), 0u) << log;
  EXPECT_EQ(reinterpret_cast<size_t>(values[1]), std::strlen(log));
  EXPECT_OK(cuLinkAddData(state, CU_JIT_INPUT_PTX,
                          const_cast<char *>(kUser.c_str()), kUser.size() + 1,
                          "user", 0, nullptr, nullptr));
  void *image;
  EXPECT_EQ(cuLinkComplete(state, &image, nullptr), CUDA_ERROR_INVALID_PTX);
  EXPECT_OK(cuLinkDestroy(state));
}

TEST_F(LibrariesTest, ListsWhatAModuleHas) {
  CUmodule module;
  CUfunction functions[2];
  unsigned count = 0;
  ASSERT_OK(cuModuleLoadData(&module, kPTX));
  EXPECT_OK(cuModuleGetFunctionCount(&count, module));
  EXPECT_EQ(count, 2u);
  EXPECT_OK(cuModuleEnumerateFunctions(functions, 2, module));
  const char *name = nullptr;
  EXPECT_OK(cuFuncGetName(&name, functions[1]));
  EXPECT_EQ(std::string(name), "fail");
  int value = 0;
  EXPECT_OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_BINARY_VERSION,
                               functions[0]));
  EXPECT_EQ(value, 90);
  EXPECT_EQ(cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(20),
                               functions[0]),
            CUDA_ERROR_INVALID_VALUE);
  CUjit_option unknown[] = {static_cast<CUjit_option>(60)};
  void *values[] = {nullptr};
  EXPECT_EQ(cuModuleLoadDataEx(&module, kPTX, 1, unknown, values),
            CUDA_ERROR_INVALID_VALUE);
}
