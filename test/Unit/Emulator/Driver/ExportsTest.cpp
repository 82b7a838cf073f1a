//===- ExportsTest.cpp - All names of the driver API ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

#include <dlfcn.h>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

/// What the toolkit's header declares, under the names that a program links.
static std::set<std::string> declaredNames() {
  std::ifstream file(HETERO_CUDA_HEADER);
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  std::set<std::string> names;
  auto collect = [&](const char *pattern, auto add) {
    std::regex regex(pattern);
    for (std::sregex_iterator it(text.begin(), text.end(), regex), end;
         it != end; ++it)
      add((*it)[1].str());
  };
  collect(R"(CUDAAPI\s+(cu[A-Z]\w*)\s*\()",
          [&](const std::string &name) { names.insert(name); });
  collect(R"(#define\s+cu\w+\s+(cu\w+))",
          [&](const std::string &name) { names.insert(name); });
  for (const char *suffix : {"", "_ptds"})
    collect(R"(__CUDA_API_PTDS\((cu\w+)\))",
            [&](const std::string &name) { names.insert(name + suffix); });
  for (const char *suffix : {"", "_ptsz"})
    collect(R"(__CUDA_API_PTSZ\((cu\w+)\))",
            [&](const std::string &name) { names.insert(name + suffix); });
  return names;
}

TEST(ExportsTest, HasAllThatTheHeaderDeclares) {
  void *library = dlopen(HETERO_EMULATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library) << dlerror();
  std::set<std::string> names = declaredNames();
  EXPECT_GT(names.size(), 400u);
  for (const std::string &name : names)
    EXPECT_TRUE(dlsym(library, name.c_str())) << name;
  dlclose(library);
}

TEST_F(DriverAPITest, FindsTheVersionThatAProgramKnows) {
  auto find = [](const char *name, int version, cuuint64_t flags = 0) {
    void *function = nullptr;
    CUdriverProcAddressQueryResult status;
    CUresult result =
        cuGetProcAddress(name, &function, version, flags, &status);
    EXPECT_EQ(result == CUDA_SUCCESS, function != nullptr);
    EXPECT_EQ(status == CU_GET_PROC_ADDRESS_SUCCESS, function != nullptr);
    return function;
  };
  auto symbol = [](const char *name) { return dlsym(RTLD_DEFAULT, name); };
  EXPECT_EQ(find("cuMemAlloc", 12000), symbol("cuMemAlloc_v2"));
  EXPECT_EQ(find("cuMemAlloc", 2000), symbol("cuMemAlloc"));
  EXPECT_EQ(find("cuCtxCreate", 11000), symbol("cuCtxCreate_v2"));
  EXPECT_EQ(find("cuCtxCreate", 12000), symbol("cuCtxCreate_v3"));
  EXPECT_EQ(find("cuCtxCreate", 13000), symbol("cuCtxCreate_v4"));
  EXPECT_EQ(find("cuGraphInstantiate", 12000),
            symbol("cuGraphInstantiateWithFlags"));
  EXPECT_EQ(find("cuLaunchKernel", 4000), symbol("cuLaunchKernel"));
  EXPECT_EQ(find("cuNoSuchThing", 13000), nullptr);
  EXPECT_EQ(find("cuStreamSynchronize", 12000,
                 CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
            symbol("cuStreamSynchronize_ptsz"));
}

/// The versions that the toolkit has of each function, by its name.
static std::map<std::string, std::set<int>> versionsOfFunctions() {
  std::ifstream file(HETERO_CUDA_TYPEDEFS);
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  std::map<std::string, std::set<int>> versions;
  std::regex regex(R"(PFN_(cu\w+?)_v(\d+)\)\()");
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end;
       ++it)
    versions[(*it)[1].str()].insert(std::stoi((*it)[2].str()));
  return versions;
}

// A program finds of each function the last version that its CUDA has, and none
// that came later.
TEST_F(DriverAPITest, FindsNothingBeforeItCame) {
  auto functions = versionsOfFunctions();
  EXPECT_GT(functions.size(), 400u);
  for (const auto &[name, versions] : functions) {
    std::string symbol = name;
    int number = 1;
    for (int version : versions) {
      void *before = nullptr, *function = nullptr;
      CUdriverProcAddressQueryResult status;
      CUresult result =
          cuGetProcAddress(name.c_str(), &before, version - 1, 0, &status);
      EXPECT_EQ(result, number == 1 ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS)
          << name;
      EXPECT_EQ(status, number == 1 ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                    : CU_GET_PROC_ADDRESS_SUCCESS)
          << name;
      EXPECT_OK(cuGetProcAddress(name.c_str(), &function, version, 0, &status));
      if (number > 1)
        symbol = name + "_v" + std::to_string(number);
      EXPECT_EQ(function, dlsym(RTLD_DEFAULT, symbol.c_str())) << symbol;
      EXPECT_NE(function, before) << symbol;
      ++number;
    }
  }
  void *function = nullptr;
  CUdriverProcAddressQueryResult status;
  for (const char *name : {"malloc", "heteroEmulatorFail", "cuNoSuchThing"}) {
    EXPECT_EQ(cuGetProcAddress(name, &function, 13000, 0, &status),
              CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  }
}

TEST_F(DriverAPITest, NamesWhatIsMissing) {
  testing::internal::CaptureStderr();
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR descriptor = {4, 4, CU_AD_FORMAT_FLOAT, 1};
  EXPECT_EQ(cuArrayCreate(&array, &descriptor), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "hetero emulator: cuArrayCreate_v2 is not supported\n");
}
