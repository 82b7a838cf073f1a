//===- MatrixMovesTest.cpp - ldmatrix, stmatrix and movmatrix -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../PTXLaunchHarness.h"

#include <cstdlib>
#include <utility>

using PTXMatrixMoves = PTXLaunchTest;

/// The second device has what came later.
[[maybe_unused]] static const int isSet =
    setenv("HETERO_EMULATOR", "cc=9.0/10.0", /*overwrite=*/1);

/// 32 rows of 8 numbers lie 48 bytes apart; lane i gives the address of row i.
static std::string makeLoad(int matrices, bool isTransposed, int offset = 0) {
  std::string count = std::to_string(matrices), registers = "{%r4";
  for (int i = 1; i < matrices; ++i)
    registers += ", %r" + std::to_string(4 + i);
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".visible .entry load(.param .u64 out) {\n"
                     ".shared .align 16 .b8 rows[1536];\n"
                     ".reg .b64 %p<3>;\n.reg .b32 %r<8>;\n.reg .b16 %h<2>;\n"
                     "ld.param.u64 %p0, [out];\nmov.u32 %r0, %tid.x;\n"
                     "mul.wide.u32 %p1, %r0, 4;\nadd.u64 %p0, %p0, %p1;\n"
                     "mov.u32 %r1, rows;\nmad.lo.u32 %r1, %r0, 48, %r1;\n"
                     "shl.b32 %r2, %r0, 4;\n";
  for (int i = 0; i < 8; ++i)
    text += "add.u32 %r3, %r2, " + std::to_string(i) +
            ";\ncvt.u16.u32 %h0, %r3;\nst.shared.u16 [%r1 + " +
            std::to_string(2 * i) + "], %h0;\n";
  text += "bar.sync 0;\nldmatrix.sync.aligned.m8n8.x" + count +
          (isTransposed ? ".trans" : "") + ".shared.b16 " + registers +
          "}, [%r1 + " + std::to_string(offset) + "];\n" +
          // Whoever is first must not change what others still read.
          "st.shared.u32 [%r1], 0;\n";
  for (int i = 0; i < matrices; ++i)
    text += "st.global.u32 [%p0 + " + std::to_string(128 * i) + "], %r" +
            std::to_string(4 + i) + ";\n";
  return text + "ret;\n}\n";
}

TEST_F(PTXMatrixMoves, LoadsRowsOrColumns) {
  for (int matrices : {1, 2, 4})
    for (bool isTransposed : {false, true}) {
      cuda::DevicePointer out = upload(std::vector<uint32_t>(32 * matrices));
      launchText(makeLoad(matrices, isTransposed), "load", 1, 32, {out});
      std::vector<uint32_t> got = download<uint32_t>(out, 32 * matrices);
      for (int matrix = 0; matrix < matrices; ++matrix)
        for (int lane = 0; lane < 32; ++lane)
          for (int i = 0; i < 2; ++i) {
            int row = lane / 4, column = lane % 4 * 2 + i;
            if (isTransposed)
              std::swap(row, column);
            EXPECT_EQ(got[matrix * 32 + lane] >> 16 * i & 0xffff,
                      unsigned((matrix * 8 + row) * 16 + column));
          }
    }
}

/// Register i of a lane holds elements of 16 bits: 64 * i + 2 * lane and the
/// next number; or of bytes. What then is in each row goes to `out`.
static std::string makeStore(int matrices, const std::string &form) {
  std::string count = std::to_string(matrices), registers = "{%r4";
  for (int i = 1; i < matrices; ++i)
    registers += ", %r" + std::to_string(4 + i);
  bool areBytes = form.find(".b8") != std::string::npos;
  std::string text = ".version 8.6\n.target sm_" +
                     std::string(areBytes ? "100a" : "90") +
                     "\n.address_size 64\n"
                     ".visible .entry store(.param .u64 out) {\n"
                     ".shared .align 16 .b8 rows[1536];\n"
                     ".reg .b64 %p<3>;\n.reg .b32 %r<12>;\n"
                     "ld.param.u64 %p0, [out];\nmov.u32 %r0, %tid.x;\n"
                     "mul.wide.u32 %p1, %r0, 16;\nadd.u64 %p0, %p0, %p1;\n"
                     "mov.u32 %r1, rows;\nmad.lo.u32 %r1, %r0, 48, %r1;\n"
                     "shl.b32 %r2, %r0, 1;\nmad.lo.u32 %r2, %r2, 65537, "
                     "65536;\nst.shared.v4.u32 [%r1], {0, 0, 0, 0};\n";
  for (int i = 0; i < matrices; ++i)
    text += "add.u32 %r" + std::to_string(4 + i) + ", %r2, " +
            std::to_string(64 * i * 65537) + ";\n";
  return text + "bar.sync 0;\nstmatrix.sync.aligned." + form + " [%r1 + 0], " +
         registers +
         "};\n"
         "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r1];\n"
         "st.global.v4.u32 [%p0], {%r4, %r5, %r6, %r7};\nret;\n}\n";
}

TEST_F(PTXMatrixMoves, StoresRowsOrColumns) {
  for (int matrices : {1, 2, 4})
    for (bool isTransposed : {false, true}) {
      std::vector<uint16_t> expected(32 * 8);
      for (int matrix = 0; matrix < matrices; ++matrix)
        for (int lane = 0; lane < 32; ++lane)
          for (int i = 0; i < 2; ++i) {
            int row = lane / 4, column = lane % 4 * 2 + i;
            if (isTransposed)
              std::swap(row, column);
            expected[(matrix * 8 + row) * 8 + column] =
                uint16_t(64 * matrix + 2 * lane + i);
          }
      cuda::DevicePointer out = upload(std::vector<uint16_t>(32 * 8));
      std::string form =
          "m8n8.x" + std::to_string(matrices) + (isTransposed ? ".trans" : "");
      launchText(makeStore(matrices, form + ".shared.b16"), "store", 1, 32,
                 {out});
      EXPECT_EQ(download<uint16_t>(out, 32 * 8), expected) << form;
    }
}

/// A matrix of 16 x 8 bytes is stored by columns.
TEST_F(PTXMatrixMoves, StoresBytes) {
  cuda::Context newer;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&newer, 1));
  ASSERT_OK(cuCtxSetCurrent(newer));
  for (int matrices : {1, 2, 4}) {
    std::vector<uint8_t> expected(32 * 16);
    for (int matrix = 0; matrix < matrices; ++matrix)
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < 4; ++i) {
          uint32_t pair = (64 * matrix + 2 * lane) * 65537 + 65536;
          int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
          expected[(matrix * 8 + column) * 16 + row] = uint8_t(pair >> 8 * i);
        }
    cuda::DevicePointer out = upload(std::vector<uint8_t>(32 * 16));
    launchText(makeStore(matrices, "m16n8.x" + std::to_string(matrices) +
                                       ".trans.shared::cta.b8"),
               "store", 1, 32, {out});
    EXPECT_EQ(download<uint8_t>(out, 32 * 16), expected) << matrices;
  }
  EXPECT_NE(compileLog(makeStore(1, "m16n8.x1.shared.b8")), "");
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(1), cuda::kSuccess);
}

TEST_F(PTXMatrixMoves, MovesTranspose) {
  std::vector<uint32_t> in(32);
  for (uint32_t lane = 0; lane < 32; ++lane)
    in[lane] = lane * 2 | (lane * 2 + 1) << 16; // Element 8 * row + column.
  cuda::DevicePointer out = upload(std::vector<uint32_t>(32));
  launchText(".version 8.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry move(.param .u64 in, .param .u64 out) {\n"
             ".reg .b64 %p<3>;\n.reg .b32 %r<3>;\n"
             "ld.param.u64 %p0, [in];\nld.param.u64 %p1, [out];\n"
             "mov.u32 %r0, %tid.x;\nmul.wide.u32 %p2, %r0, 4;\n"
             "add.u64 %p0, %p0, %p2;\nadd.u64 %p1, %p1, %p2;\n"
             "ld.global.b32 %r1, [%p0];\n"
             "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;\n"
             "st.global.b32 [%p1], %r2;\nret;\n}\n",
             "move", 1, 32, {upload(in), out});
  std::vector<uint32_t> got = download<uint32_t>(out, 32);
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t i = 0; i < 2; ++i)
      EXPECT_EQ(got[lane] >> 16 * i & 0xffff,
                (lane % 4 * 2 + i) * 8 + lane / 4);
}

TEST_F(PTXMatrixMoves, RowsAreAligned) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(128));
  launchText(makeLoad(4, false, 8), "load", 1, 32, {out},
             cuda::kMisalignedAddress);
}
