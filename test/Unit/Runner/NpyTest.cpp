//===- NpyTest.cpp - Tests of NumPy's array files -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner/Npy.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace hetero::runner;

namespace {
/// A file that goes away with the test.
struct TemporaryFile {
  TemporaryFile() {
    char name[] = "/tmp/hetero-npy-XXXXXX";
    int file = mkstemp(name);
    if (file >= 0)
      close(file);
    path = name;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};
} // namespace

static std::string makeNpy(std::string header, const std::string &data,
                           char version = 1) {
  std::string bytes("\x93NUMPY", 6);
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  if (version > 1)
    bytes += std::string(2, '\0');
  return bytes + header + data;
}

static bool readBytes(const std::string &bytes, HostValue &value,
                      std::string &error) {
  TemporaryFile file;
  std::ofstream(file.path, std::ios::binary) << bytes;
  return readNpy(file.path, value, error);
}

static std::string readError(const std::string &bytes) {
  HostValue value;
  std::string error;
  EXPECT_FALSE(readBytes(bytes, value, error));
  return error;
}

static void expectError(const std::string &bytes, const char *part) {
  std::string error = readError(bytes);
  EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(Npy, WritesWhatItReads) {
  for (const char *text :
       {"2x3xf32=iota", "4xi1=1,0,0,1", "2xi8=-3", "3x1x2xi16=iota",
        "5xi32=randint:1", "5xi64=randint:1", "2xf16=1.5", "2xbf16=-2.5",
        "3xf64=random:4", "0x3xf32=0", "f32=7", "3xui8=iota", "2xui16=65535",
        "2xui32=4294967295", "2xui64=18446744073709551615",
        "4xf8E4M3FN=random:5", "3xcomplex<f16>=1-2j", "3xcomplex<f32>=random:6",
        "3xcomplex<f64>=random:7"}) {
    HostValue before, after;
    std::string error;
    TemporaryFile file;
    ASSERT_TRUE(parseValue(text, before, error)) << error;
    ASSERT_TRUE(writeNpy(file.path, before, error)) << error;
    ASSERT_TRUE(readNpy(file.path, after, error)) << error;
    after.scalar = before.scalar;
    EXPECT_EQ(formatValue(before, 100), formatValue(after, 100));
  }
}

TEST(Npy, HeaderIsAlignedAsNumPyDoes) {
  HostValue value;
  std::string error;
  TemporaryFile file;
  ASSERT_TRUE(parseValue("7xf32=1", value, error));
  ASSERT_TRUE(writeNpy(file.path, value, error));
  std::ifstream stream(file.path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_EQ((bytes.size() - 28) % 64, 0u);
  EXPECT_NE(bytes.find("'shape': (7,), }"), std::string::npos);
}

TEST(Npy, TransposesFortranOrder) {
  std::string data;
  for (int i = 0; i < 6; ++i)
    data += static_cast<char>(i);
  HostValue value;
  std::string error;
  ASSERT_TRUE(readBytes(makeNpy("{'descr': '|i1', 'fortran_order': True, "
                                "'shape': (2, 3), }\n",
                                data),
                        value, error))
      << error;
  EXPECT_EQ(formatValue(value, 100), "2x3xi8=[0 2 4][1 3 5]");
}

TEST(Npy, ReadsOtherVersionsAndKeyOrders) {
  HostValue value;
  std::string error;
  EXPECT_TRUE(readBytes(makeNpy("{\"shape\":(),\"fortran_order\":False,"
                                "\"descr\":\"<i2\"}",
                                std::string("\x05\x00", 2), 2),
                        value, error))
      << error;
  EXPECT_EQ(formatValue(value, 100), "i16=5");
}

/// What a file does not say, the type that is wanted does.
TEST(Npy, MarksElementsOfWhichOnlyTheSizeIsKnown) {
  HostValue value;
  std::string error;
  for (auto [descr, isRaw] : {std::pair("<V1", true), std::pair("|u1", true),
                              std::pair("|i1", false)}) {
    std::string header = std::string("{'descr': '") + descr +
                         "', 'fortran_order': False, 'shape': (1,), }";
    ASSERT_TRUE(readBytes(makeNpy(header, "8"), value, error)) << error;
    EXPECT_EQ(value.isRaw, isRaw) << descr;
  }
}

TEST(Npy, RefusesBadFiles) {
  std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
  expectError("", "is not an .npy file");
  expectError("PK\x03\x04 something else entirely", "is not an .npy file");
  expectError(makeNpy(good, "12345678", 9), "format version 9");
  expectError(makeNpy(good, "1234567"), "has 7 bytes of data, expected 8");
  expectError(makeNpy(good, "123456789"), "has 9 bytes of data, expected 8");
  expectError(
      makeNpy("{'descr': '>f4', 'fortran_order': False, 'shape': ()}", "1234"),
      "elements of type '>f4'");
  expectError(makeNpy("{'descr': '<c32', 'fortran_order': False, 'shape': ()}",
                      "12345678"),
              "elements of type '<c32'");
  expectError(makeNpy("{'fortran_order': False, 'shape': ()}", ""),
              "has a header that is not");
  expectError(
      makeNpy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", ""),
      "has a header that is not");
  expectError(makeNpy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                      "(9223372036854775807, 9223372036854775807)}",
                      ""),
              "more than memory can hold");
  expectError(makeNpy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                      "(99999999999999999999,)}",
                      ""),
              "has a size that is too large");
  expectError(makeNpy(std::string(20000, ' '), ""), "has a header of 20000");
  // Every truncation is an error, none a crash.
  std::string whole = makeNpy(good, "12345678");
  for (size_t size = 0; size < whole.size(); ++size)
    readError(whole.substr(0, size));
}

TEST(Npy, LeavesNoFileWhenItCannotWrite) {
  HostValue value;
  std::string error;
  ASSERT_TRUE(parseValue("2xf32=1", value, error));
  EXPECT_FALSE(writeNpy("/nowhere/x.npy", value, error));
  EXPECT_NE(error.find("cannot write '/nowhere/x.npy'"), std::string::npos);
}
