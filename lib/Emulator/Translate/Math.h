//===- Math.h - Arithmetic that compiled PTX calls --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM IR rounds to nearest. These functions round in PTX's other directions,
// and to formats and in steps for which LLVM has no single rounding; and they
// do what takes a loop.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MATH_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MATH_H

#include <cstdint>
#include <functional>

namespace hetero::emulator::ptx {

enum class Rounding : uint32_t { Nearest, Zero, Down, Up, NearestAway };
enum class Format : uint32_t { F16, BF16, TF32, F32 };
/// Of less than 16 bits: a sign, an exponent, a mantissa. UE8M0 is an exponent.
enum class SmallFormat : uint32_t { E4M3, E5M2, E2M1, E2M3, E3M2, UE8M0 };
/// Negative numbers become 0; away from zero (UE8M0, else to zero); infinity
/// becomes the largest number, as it always does in other formats.
enum : uint32_t { kSmallRelu = 1, kSmallUp = 2, kSmallFinite = 4 };
enum class Arithmetic : uint32_t { Add, Sub, Mul, Fma, Div, Sqrt };

/// Calls `add` with the name and the address of each function that compiled
/// code may call.
void forEachMathFunction(const std::function<void(const char *, void *)> &add);

} // namespace hetero::emulator::ptx

extern "C" {

/// An operation of hetero::emulator::ptx::Arithmetic in a direction.
float heteroPtxArithmetic32(uint32_t operation, uint32_t rounding, float x,
                            float y, float z);
double heteroPtxArithmetic64(uint32_t operation, uint32_t rounding, double x,
                             double y, double z);

/// x * y + z of numbers with at most 11 significant bits, rounded to odd: a
/// second rounding, to such a number, is then exact.
float heteroPtxFmaToOdd(float x, float y, float z);

/// The number of the format next to `x` in a direction, as a double.
double heteroPtxRound(double x, uint32_t rounding, uint32_t format);

/// Integers as doubles, in a direction.
double heteroPtxFromSigned(int64_t x, uint32_t rounding);
double heteroPtxFromUnsigned(uint64_t x, uint32_t rounding);

/// The bits of the number of a SmallFormat next to `x`, and the number of bits.
uint32_t heteroPtxToSmall(float x, uint32_t format, uint32_t flags);
float heteroPtxFromSmall(uint32_t bits, uint32_t format);

/// fns: the place of the set bit that is `offset` set bits from `base` on, up
/// or down; all ones where there is none.
uint32_t heteroPtxFindSet(uint32_t mask, uint32_t base, int32_t offset);

/// Integers as doubles rounded to odd.
double heteroPtxSignedToOdd(int64_t x);
double heteroPtxUnsignedToOdd(uint64_t x);
}

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MATH_H
