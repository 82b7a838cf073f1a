//===- HostValueTest.cpp - Tests of values on a command line --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/HostValue.h"
#include "Runner/ElementType.h"
#include "hetero/Runner/CompareValues.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace hetero::runner;

static HostValue parse(const char *text) {
  HostValue value;
  std::string error;
  EXPECT_TRUE(parseValue(text, value, error)) << error;
  return value;
}

static std::string parseError(const char *text) {
  HostValue value;
  std::string error;
  EXPECT_FALSE(parseValue(text, value, error)) << text;
  return error;
}

static std::string print(const char *text) {
  return formatValue(parse(text), 1024);
}

TEST(HostValue, ParsesAndPrints) {
  EXPECT_EQ(print("2x3xf32=1,2,3,4,5,6.5"), "2x3xf32=[1 2 3][4 5 6.5]");
  EXPECT_EQ(print("2x2xi8=1"), "2x2xi8=[1 1][1 1]");
  EXPECT_EQ(print("1x2x2xi32=iota"), "1x2x2xi32=[[0 1][2 3]]");
  EXPECT_EQ(print("3xi1=true,false,1"), "3xi1=1 0 1");
  EXPECT_EQ(print("i32=-7"), "i32=-7");
  EXPECT_EQ(print("f64=0.1"), "f64=0.1");
  EXPECT_EQ(print("2xf32=nan,inf"), "2xf32=nan inf");
  EXPECT_EQ(print("2xi8=255,-1"), "2xi8=-1 -1");
  EXPECT_EQ(print("0x3xf32=1"), "0x3xf32=[]");
  EXPECT_EQ(print("2xbf16=1.5,-2"), "2xbf16=1.5 -2");
  EXPECT_EQ(print("2xindex=3"), "2xindex=3 3");
  EXPECT_EQ(print("3xui8=0,255,7"), "3xui8=0 255 7");
  EXPECT_EQ(print("2xsi8=-128,127"), "2xsi8=-128 127");
  EXPECT_EQ(print("ui64=18446744073709551615"), "ui64=18446744073709551615");
  EXPECT_EQ(print("i64=18446744073709551615"), "i64=-1");
  EXPECT_EQ(print("4xf8E4M3FN=448,-0.5,1e9,nan"),
            "4xf8E4M3FN=448 -0.5 nan nan");
  EXPECT_EQ(print("3xf8E5M2=1.25,inf,1e9"), "3xf8E5M2=1.2 inf inf");
}

TEST(HostValue, ParsesComplexNumbers) {
  EXPECT_EQ(print("4xcomplex<f32>=1+2j,-1.5-2i,(3,-4),2"),
            "4xcomplex<f32>=1+2j -1.5-2j 3-4j 2+0j");
  EXPECT_EQ(print("2xcomplex<f64>=2j"), "2xcomplex<f64>=0+2j 0+2j");
  EXPECT_EQ(print("complex<f16>=5e-1+infj"), "complex<f16>=0.5+infj");
  EXPECT_NE(parseError("2xcomplex<f32>=1+2").find("'1+2' is not a value"),
            std::string::npos);
  EXPECT_NE(parseError("2xcomplex<f32>=(1,2").find("is not a value"),
            std::string::npos);
  EXPECT_EQ(print("2xcomplex<f32>=iota"), "2xcomplex<f32>=0+0j 1+0j");
}

TEST(HostValue, ScalarsOfAllSizesCrossTheABI) {
  for (const char *text :
       {"i8=-3", "f64=0.5", "complex<f32>=1-2j", "complex<f64>=1-2j"}) {
    HostValue value = parse(text), back = value;
    ASSERT_TRUE(back.allocate());
    back.unpackScalar(value.toArgument());
    EXPECT_EQ(formatValue(back, 1), text);
  }
}

TEST(HostValue, UnsignedIntegersHaveNoSign) {
  EXPECT_EQ(parseError("2xui8=1,-1"),
            "'-1' is not a value of type ui8; separate "
            "values by commas, or give one for all");
  EXPECT_EQ(parseError("2xui8=256"),
            "'256' is not a value of type ui8; separate "
            "values by commas, or give one for all");
  EXPECT_EQ(parseError("2xsi8=128"),
            "'128' is not a value of type si8; separate "
            "values by commas, or give one for all");
}

TEST(HostValue, StopsPrintingLongValues) {
  EXPECT_EQ(formatValue(parse("2x3xi32=iota"), 2), "2x3xi32=[0 1...]...");
}

TEST(HostValue, ScalarsAndTensorsOfRankOneDiffer) {
  EXPECT_TRUE(parse("f32=1").scalar);
  EXPECT_FALSE(parse("1xf32=1").scalar);
  EXPECT_EQ(typeText(parse("1xf32=1")), "tensor<1xf32>");
  EXPECT_EQ(typeText(parse("f32=1")), "f32");
}

TEST(HostValue, RejectsWhatItCannotRead) {
  EXPECT_NE(parseError("5x7xf31=1").find("unknown element type 'f31'"),
            std::string::npos);
  EXPECT_NE(parseError("5xx7xf32=1").find("5xx7xf32"), std::string::npos);
  EXPECT_EQ(parseError("2x2xf32=1,2,3"),
            "expected one value or 4 for 2x2xf32, got 3");
  EXPECT_EQ(parseError("2xf32=1,2,3"),
            "expected one value or 2 for 2xf32, got 3");
  EXPECT_EQ(parseError("2xi8=1,300"),
            "'300' is not a value of type i8; separate values "
            "by commas, or give one for all");
  EXPECT_EQ(parseError("2xi8=1,1.5"),
            "'1.5' is not a value of type i8; separate values "
            "by commas, or give one for all");
  EXPECT_EQ(parseError("2xf32=1,"),
            "'' is not a value of type f32; separate values "
            "by commas, or give one for all");
  EXPECT_NE(parseError("2xf32=random:x").find("expected a seed"),
            std::string::npos);
  EXPECT_NE(parseError("1.5").find("expected SHAPExTYPE=VALUES"),
            std::string::npos);
  EXPECT_NE(parseError("99999999999999999999xf32=1").find("is too large"),
            std::string::npos);
  EXPECT_NE(parseError("4611686018427387904x4xf32=1").find("not enough memory"),
            std::string::npos);
  EXPECT_NE(parseError("@/nowhere.npy").find("cannot read '/nowhere.npy'"),
            std::string::npos);
}

TEST(HostValue, RandomValuesAreTheSameEverywhere) {
  EXPECT_EQ(print("4xi32=randint:1"), print("4xi32=randint:1"));
  EXPECT_NE(print("9xf32=random:1"), print("9xf32=random:2"));
  HostValue value = parse("1000xf32=random:3");
  for (int64_t i = 0; i < 1000; ++i) {
    double number = loadDouble(value.type, value.element(i));
    EXPECT_GE(number, -1.0);
    EXPECT_LE(number, 1.0);
  }
}

TEST(HostValue, SmallFloatsRoundToNearestEven) {
  uint8_t bytes[2];
  auto bits = [&](int32_t type, double number) {
    storeDouble(type, bytes, number);
    uint16_t result;
    std::memcpy(&result, bytes, 2);
    return result;
  };
  EXPECT_EQ(bits(HETERO_TYPE_F16, 1.0), 0x3c00);
  EXPECT_EQ(bits(HETERO_TYPE_F16, 65504.0), 0x7bff);
  EXPECT_EQ(bits(HETERO_TYPE_F16, 65519.0), 0x7bff);
  EXPECT_EQ(bits(HETERO_TYPE_F16, 65520.0), 0x7c00);
  EXPECT_EQ(bits(HETERO_TYPE_F16, 0x1p-24), 0x0001);
  EXPECT_EQ(bits(HETERO_TYPE_F16, 0x1p-25), 0x0000);
  EXPECT_EQ(bits(HETERO_TYPE_F16, 0x1.8p-25), 0x0001);
  EXPECT_EQ(bits(HETERO_TYPE_F16, 1.0 + 0x1p-11), 0x3c00);
  EXPECT_EQ(bits(HETERO_TYPE_F16, 1.0 + 0x1.8p-10), 0x3c02);
  EXPECT_EQ(bits(HETERO_TYPE_F16, -0.0), 0x8000);
  EXPECT_EQ(bits(HETERO_TYPE_BF16, 1.0), 0x3f80);
  EXPECT_EQ(bits(HETERO_TYPE_BF16, 1.0 + 0x1p-8), 0x3f80);
  EXPECT_EQ(bits(HETERO_TYPE_BF16, std::numeric_limits<double>::infinity()),
            0x7f80);
}

TEST(HostValue, FloatsOfEightBitsRoundToNearestEven) {
  uint8_t byte;
  auto bits = [&](int32_t type, double number) {
    storeDouble(type, &byte, number);
    return byte;
  };
  EXPECT_EQ(bits(HETERO_TYPE_F8E4M3FN, 1.0), 0x38);
  EXPECT_EQ(bits(HETERO_TYPE_F8E4M3FN, 448.0), 0x7e);
  EXPECT_EQ(bits(HETERO_TYPE_F8E4M3FN, 464.0), 0x7e); // a tie, to even
  EXPECT_EQ(bits(HETERO_TYPE_F8E4M3FN, 465.0), 0x7f);
  EXPECT_EQ(bits(HETERO_TYPE_F8E4M3FN, 0x1p-9), 0x01);
  EXPECT_EQ(bits(HETERO_TYPE_F8E4M3FN, 0x1p-10), 0x00);
  EXPECT_EQ(bits(HETERO_TYPE_F8E4M3FN, -0.0), 0x80);
  EXPECT_EQ(bits(HETERO_TYPE_F8E5M2, 57344.0), 0x7b);
  EXPECT_EQ(bits(HETERO_TYPE_F8E5M2, 61440.0), 0x7c);
  EXPECT_EQ(bits(HETERO_TYPE_F8E5M2, 61439.0), 0x7b);
}

TEST(HostValue, SmallFloatsReadBackAsWritten) {
  for (int32_t type : {HETERO_TYPE_F16, HETERO_TYPE_BF16, HETERO_TYPE_F8E4M3FN,
                       HETERO_TYPE_F8E5M2}) {
    unsigned patterns = 1u << (8 * elementBytes(type));
    for (unsigned bits = 0; bits < patterns; ++bits) {
      uint16_t before = bits, after = 0;
      double number = loadDouble(type, reinterpret_cast<uint8_t *>(&before));
      if (std::isnan(number))
        continue;
      storeDouble(type, reinterpret_cast<uint8_t *>(&after), number);
      ASSERT_EQ(before, after);
    }
  }
}

TEST(CompareValues, SaysWhereAndHowMuch) {
  std::string error;
  EXPECT_TRUE(
      compareValues(parse("2xf32=1,2"), parse("2xf32=1,2.000001"), {}, error));
  EXPECT_FALSE(compareValues(parse("2x2xf32=1,2,3,4"), parse("2x2xf32=1,2,5,4"),
                             {}, error));
  EXPECT_EQ(error, "expected 5 at [1, 0], got 3; 1 of 4 elements differ, the "
                   "largest difference is 2");
  EXPECT_FALSE(compareValues(parse("2xf32=1"), parse("3xf32=1"), {}, error));
  EXPECT_EQ(error, "expected tensor<3xf32>, got tensor<2xf32>");
  EXPECT_FALSE(compareValues(parse("f32=nan"), parse("f32=1"), {}, error));
  EXPECT_TRUE(compareValues(parse("f32=nan"), parse("f32=nan"), {}, error));
  EXPECT_FALSE(compareValues(parse("f32=inf"), parse("f32=-inf"), {}, error));
  EXPECT_FALSE(compareValues(parse("complex<f32>=1+2j"),
                             parse("complex<f32>=1-2j"), {}, error));
  EXPECT_EQ(error, "expected 1-2j at [], got 1+2j; 1 of 1 elements differ, the "
                   "largest difference is 4");
  EXPECT_TRUE(compareValues(parse("f32=1"), parse("f32=1.5"), {0.5, 0}, error));
}

/// What cancels out leaves the rounding of large elements.
TEST(CompareValues, AllowsRoundingOfTheLargest) {
  std::string error;
  HostValue want = parse("3xf32=1000,0.001,-inf");
  EXPECT_TRUE(compareRounded(parse("3xf32=1000,0.002,-inf"), want, {}, error));
  EXPECT_FALSE(compareRounded(parse("3xf32=1000,0.2,-inf"), want, {}, error));
  EXPECT_FALSE(
      compareRounded(parse("3xf32=1000,0.002,-inf"), want, {0.1, -1}, error));
  EXPECT_FALSE(
      compareRounded(parse("2xi32=1000,2"), parse("2xi32=1000,1"), {}, error));
}
