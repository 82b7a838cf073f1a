//===- Matrix.cpp - Matrices that a warp holds ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Matrices/Matrix.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

using namespace hetero::emulator;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

template <typename To, typename From> static To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

static float decodeHalf(uint32_t bits) {
  // The product moves the exponent and makes subnormal numbers normal.
  auto value = bitCast<float>((bits & 0x7fff) << 13) * 0x1p112f;
  if (value >= 65536)
    value = bitCast<float>(bitCast<uint32_t>(value) | 0x7f800000u);
  return bits & 0x8000 ? -value : value;
}

static uint32_t encodeHalf(double value) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return static_cast<uint32_t>(number.bitcastToAPInt().getZExtValue());
}

/// The number that a byte encodes in a format.
template <bool IsE4M3> static float decodeByte(uint64_t bits) {
  static const std::array<float, 256> numbers = [] {
    const llvm::fltSemantics &format =
        IsE4M3 ? llvm::APFloat::Float8E4M3FN() : llvm::APFloat::Float8E5M2();
    std::array<float, 256> all;
    for (unsigned byte = 0; byte < all.size(); ++byte)
      all[byte] = llvm::APFloat(format, llvm::APInt(8, byte)).convertToFloat();
    return all;
  }();
  return numbers[bits & 0xff];
}

double hetero::emulator::decodeFloat(MatrixElement element, uint64_t bits) {
  switch (element) {
  case MatrixElement::F16:
    return decodeHalf(static_cast<uint32_t>(bits));
  case MatrixElement::BF16:
    return bitCast<float>(static_cast<uint32_t>(bits) << 16);
  case MatrixElement::TF32:
    return bitCast<float>(static_cast<uint32_t>(bits) & ~0x1fffu);
  case MatrixElement::F32:
    return bitCast<float>(static_cast<uint32_t>(bits));
  case MatrixElement::E4M3:
    return decodeByte<true>(bits);
  case MatrixElement::E5M2:
    return decodeByte<false>(bits);
  default:
    return bitCast<double>(bits);
  }
}

uint64_t hetero::emulator::encodeFloat(MatrixElement element, double value) {
  switch (element) {
  case MatrixElement::F16:
    return encodeHalf(value);
  case MatrixElement::F64:
    return bitCast<uint64_t>(value);
  default:
    return bitCast<uint32_t>(static_cast<float>(value));
  }
}

namespace {
/// Integers as numbers whose products are added. A bit of XorBit is a sign:
/// x ^ y is (1 - X * Y) / 2. A sum that begins as -2 * c - depth ends as twice
/// the negative result.
struct IntegerCode {
  MatrixElement operand;
  unsigned depth;
  bool saturates;

  int64_t operator()(MatrixElement element, uint64_t bits) const {
    switch (element) {
    case MatrixElement::S8:
      return static_cast<int8_t>(bits);
    case MatrixElement::S4:
      return static_cast<int64_t>(bits ^ 8) - 8;
    case MatrixElement::XorBit:
      return bits ? -1 : 1;
    case MatrixElement::S32:
      return operand == MatrixElement::XorBit
                 ? -2 * int64_t(static_cast<int32_t>(bits)) - depth
                 : static_cast<int32_t>(bits);
    default:
      return static_cast<int64_t>(bits);
    }
  }
  uint64_t encode(int64_t sum) const {
    if (operand == MatrixElement::XorBit)
      sum = -sum / 2;
    if (saturates)
      sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
    return static_cast<uint32_t>(sum);
  }
};
} // namespace

/// Element `index` of those that a row of registers holds.
static uint64_t extract(const uint64_t *registers, unsigned index,
                        unsigned bits) {
  if (bits == 64)
    return registers[index];
  unsigned perRegister = 32 / bits;
  uint64_t word = registers[index / perRegister];
  return word >> index % perRegister * bits & ((uint64_t(1) << bits) - 1);
}

/// Writes element `index`; the others of its register stay.
static void insert(uint64_t *registers, unsigned index, unsigned bits,
                   uint64_t value) {
  if (bits >= 32) {
    registers[index] = value;
    return;
  }
  unsigned perRegister = 32 / bits, shift = index % perRegister * bits;
  uint64_t &word = registers[index / perRegister];
  word &= ~(((uint64_t(1) << bits) - 1) << shift);
  word |= value << shift;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Elements of A or B in one register.
static unsigned elementsPerRegister(MatrixElement element) {
  return bitsOf(element) == 64 ? 1 : 32 / bitsOf(element);
}

unsigned MatrixMultiply::registersOfB() const {
  return depth / (4 * elementsPerRegister(b));
}

/// The four lanes of a row of A hold its even registers, or, in the `upper`
/// half of 16 rows, its odd ones.
template <typename Number, typename Decode>
Number MatrixMultiply::sumProducts(const MatrixOperand *rowOfA, unsigned upper,
                                   const MatrixOperand *columnOfB, Number start,
                                   Decode decode) const {
  unsigned perRegister = elementsPerRegister(a), step = rows / 8;
  Number sum = start;
  for (unsigned block = 0; block < registersOfB(); ++block)
    for (unsigned lane = 0; lane < 4; ++lane)
      for (unsigned i = 0; i < perRegister; ++i) {
        uint64_t x = extract(&rowOfA[lane].registers[block * step + upper], i,
                             bitsOf(a));
        uint64_t y = extract(&columnOfB[lane].registers[block], i, bitsOf(b));
        sum += decode(a, x) * decode(b, y);
      }
  return sum;
}

void MatrixMultiply::compute(unsigned lane, const MatrixOperand (&lanesA)[32],
                             const MatrixOperand (&lanesB)[32],
                             const uint64_t *from, uint64_t *to) const {
  unsigned group = lane / 4, bits = bitsOf(c);
  IntegerCode code{a, depth, saturates};
  std::fill(to, to + rows / 4, 0);
  for (unsigned i = 0; i < rows / 4; ++i) {
    const MatrixOperand *row = &lanesA[group * 4];
    const MatrixOperand *column = &lanesB[(lane % 4 * 2 + i % 2) * 4];
    uint64_t start = extract(from, i, bits);
    uint64_t result =
        isInteger(a)
            ? code.encode(sumProducts(row, i / 2, column, code(c, start), code))
            : encodeFloat(c, sumProducts(row, i / 2, column,
                                         decodeFloat(c, start), decodeFloat));
    insert(to, i, bits, result);
  }
}

/// The rows of A, or the columns of B, element after element. `step` is the
/// number of registers for which a lane has one of `part`.
template <typename Number, typename Decode>
static void decodeLines(MatrixElement element, const MatrixOperand (&lanes)[32],
                        unsigned registers, unsigned step, unsigned part,
                        Decode decode, Number *to, unsigned distance,
                        unsigned next) {
  unsigned count = elementsPerRegister(element), bits = bitsOf(element);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned block = 0; block < registers; ++block)
      for (unsigned i = 0; i < count; ++i)
        to[lane / 4 * distance + ((block * 4 + lane % 4) * count + i) * next] =
            decode(element, extract(&lanes[lane].registers[block * step + part],
                                    i, bits));
}

template <typename Number, typename Decode, typename Encode>
void MatrixMultiply::computeLines(const MatrixOperand (&lanesA)[32],
                                  const MatrixOperand (&lanesB)[32],
                                  const Words<const uint64_t> &from,
                                  const Words<uint64_t> &to, Decode decode,
                                  Encode encode) const {
  constexpr unsigned kDeepest = 256;
  Number lines[8 * kDeepest], columns[kDeepest * 8];
  unsigned step = rows / 8, bits = bitsOf(c);
  decodeLines(b, lanesB, registersOfB(), 1, 0, decode, columns, 1, 8);
  for (unsigned part = 0; part < step; ++part) {
    decodeLines(a, lanesA, registersOfB(), step, part, decode, lines, depth, 1);
    for (unsigned row = 0; row < 8; ++row) {
      Number sums[8];
      for (unsigned column = 0; column < 8; ++column)
        sums[column] = decode(c, extract(from.of(row * 4 + column / 2),
                                         2 * part + column % 2, bits));
      for (unsigned k = 0; k < depth; ++k)
        for (unsigned column = 0; column < 8; ++column)
          sums[column] += lines[row * depth + k] * columns[k * 8 + column];
      for (unsigned column = 0; column < 8; ++column)
        insert(to.of(row * 4 + column / 2), 2 * part + column % 2, bits,
               encode(sums[column]));
    }
  }
}

void MatrixMultiply::computeAll(const MatrixOperand (&lanesA)[32],
                                const MatrixOperand (&lanesB)[32],
                                const Words<const uint64_t> &from,
                                const Words<uint64_t> &to) const {
  for (unsigned lane = 0; lane < 32; ++lane)
    std::fill_n(to.of(lane), bitsOf(c) == 16 ? rows / 8 : rows / 4, 0);
  IntegerCode code{a, depth, saturates};
  if (isInteger(a))
    computeLines<int64_t>(lanesA, lanesB, from, to, code,
                          [&](int64_t sum) { return code.encode(sum); });
  else
    computeLines<double>(lanesA, lanesB, from, to, decodeFloat,
                         [&](double sum) { return encodeFloat(c, sum); });
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

std::array<unsigned, 2> Fragment::place(unsigned lane, unsigned i) const {
  unsigned index = (lane * perLane() + i) % (rows * columns);
  if (isByColumn)
    return {index % rows, index / rows};
  return {index / columns, index % columns};
}

uint64_t Fragment::get(const uint64_t *registers, unsigned i) const {
  return extract(registers, i, bits());
}

void Fragment::set(uint64_t *registers, unsigned i, uint64_t value) const {
  insert(registers, i, bits(), value);
}

uint64_t Fragment::get(const MatrixOperand (&lanes)[32], unsigned row,
                       unsigned column) const {
  unsigned index = isByColumn ? column * rows + row : row * columns + column;
  return get(lanes[index / perLane()].registers.data(), index % perLane());
}

/// Row and column of a lane's element `i` of C or D.
static std::array<unsigned, 2> placeInQuads(unsigned lane, unsigned i,
                                            MatrixElement element) {
  unsigned upper = lane < 16 ? 0 : 4;
  if (element == MatrixElement::F16)
    return {lane % 4 + upper, i};
  return {(lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)};
}

/// C and D may have different types, and their elements be in other lanes: all
/// lanes' of C are there.
void QuadMultiply::compute(unsigned lane, const MatrixOperand (&lanesA)[32],
                           const MatrixOperand (&lanesB)[32],
                           const MatrixOperand (&lanesC)[32],
                           uint64_t *to) const {
  unsigned first = lane % 16 / 4 * 4;
  // Of A and B alike: one of eight lines, and a place in it.
  auto element = [&](const MatrixOperand(&lanes)[32], bool isAcross,
                     unsigned line, unsigned k) {
    unsigned upper = line / 4 * 16, own = line % 4;
    unsigned holder = first + upper + (isAcross ? k : own);
    return decodeHalf(static_cast<uint32_t>(
        extract(lanes[holder].registers.data(), isAcross ? own : k, 16)));
  };
  double sums[8][8];
  for (unsigned part = 0; part < 8; ++part) {
    unsigned holder = first + part % 4 + part / 4 * 16;
    for (unsigned i = 0; i < 8; ++i) {
      auto [row, column] = placeInQuads(holder, i, c);
      sums[row][column] = decodeFloat(
          c, extract(lanesC[holder].registers.data(), i, bitsOf(c)));
    }
  }
  std::fill(to, to + 8, 0);
  for (unsigned i = 0; i < 8; ++i) {
    auto [row, column] = placeInQuads(lane, i, d);
    double sum = sums[row][column];
    for (unsigned k = 0; k < 4; ++k)
      sum += double(element(lanesA, isColumnsOfA, row, k)) *
             element(lanesB, isRowsOfB, column, k);
    insert(to, i, bitsOf(d), encodeFloat(d, sum));
  }
}

void FragmentMultiply::compute(unsigned lane, const MatrixOperand (&lanesA)[32],
                               const MatrixOperand (&lanesB)[32],
                               const uint64_t *from, uint64_t *to) const {
  auto sum = [&](auto start, auto decode, std::array<unsigned, 2> place) {
    for (unsigned k = 0; k < a.columns; ++k)
      start += decode(a.element, a.get(lanesA, place[0], k)) *
               decode(b.element, b.get(lanesB, k, place[1]));
    return start;
  };
  IntegerCode code{a.element, a.columns, saturates};
  for (unsigned i = 0; i < d.perLane(); ++i) {
    uint64_t start = c.get(from, i);
    std::array<unsigned, 2> place = d.place(lane, i);
    d.set(to, i,
          isInteger(a.element)
              ? code.encode(sum(code(c.element, start), code, place))
              : encodeFloat(d.element, sum(decodeFloat(c.element, start),
                                           decodeFloat, place)));
  }
}
