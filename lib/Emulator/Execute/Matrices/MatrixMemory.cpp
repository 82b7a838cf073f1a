//===- MatrixMemory.cpp - Matrices in memory and registers ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Matrices/MatrixMemory.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/Execute/Matrices/Matrix.h"

#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

uint32_t hetero::emulator::pickElements(const uint64_t *rows, uint32_t lane,
                                        bool isTransposed) {
  uint16_t elements[2];
  for (uint32_t i = 0; i < 2; ++i) {
    uint32_t row = lane / 4, column = lane % 4 * 2 + i;
    if (isTransposed)
      std::swap(row, column);
    std::memcpy(&elements[i],
                reinterpret_cast<const uint8_t *>(rows[row]) + 2 * column, 2);
  }
  return elements[0] | uint32_t(elements[1]) << 16;
}

void hetero::emulator::placeElements(const uint64_t *rows, uint32_t lane,
                                     MatrixLayout layout, uint32_t value) {
  uint32_t outer = lane / 4, inner = lane % 4 * 2;
  auto place = [&](uint32_t row, uint32_t at, uint32_t element,
                   unsigned bytes) {
    std::memcpy(reinterpret_cast<uint8_t *>(rows[row]) + at * bytes, &element,
                bytes);
  };
  for (uint32_t i = 0; i < 2; ++i) {
    if (layout == MatrixLayout::Bytes) {
      place(inner + i, outer, value >> 8 * i, 1);
      place(inner + i, outer + 8, value >> (16 + 8 * i), 1);
    } else if (layout == MatrixLayout::Transposed) {
      place(inner + i, outer, value >> 16 * i, 2);
    } else {
      place(outer, inner + i, value >> 16 * i, 2);
    }
  }
}

/// `address` is an offset in shared memory if `isShared`.
static uint8_t *hostAddress(ThreadContext *context, bool isShared,
                            uint64_t address, uint32_t bytes, uint32_t isStore,
                            uint32_t line) {
  AccessWindow window;
  return isShared ? heteroEmuShared(context, address, bytes, isStore, line)
                  : heteroEmuTranslate(context, address, bytes, isStore, line,
                                       &window);
}

uint8_t *hetero::emulator::matrixRow(ThreadContext *context, bool isShared,
                                     uint64_t address, uint32_t line,
                                     uint32_t kind) {
  constexpr uint32_t kRowBytes = 16;
  return hostAddress(context, isShared, address, kRowBytes, kind, line);
}

/// Elements of less than a byte: those of a register are neighbours in memory,
/// and are only loaded.
static void accessWords(ThreadContext *context, const FragmentAccess &access,
                        uint64_t address, uint32_t stride,
                        uint64_t *registers) {
  Fragment fragment(access.type);
  for (unsigned i = 0; i < fragment.numRegisters; ++i) {
    auto [row, column] =
        fragment.place(context->laneid, i * (32 / fragment.bits()));
    uint64_t index = access.isColumnMajor ? uint64_t(column) * stride + row
                                          : uint64_t(row) * stride + column;
    uint32_t word;
    std::memcpy(&word,
                hostAddress(context, access.isShared,
                            address + index * fragment.bits() / 8, sizeof word,
                            /*isStore=*/0, access.line),
                sizeof word);
    registers[i] = word;
  }
}

void hetero::emulator::accessFragment(ThreadContext *context,
                                      const FragmentAccess &access,
                                      uint64_t address, uint32_t stride,
                                      uint64_t *registers) {
  Fragment fragment(access.type);
  uint32_t bytes = fragment.bits() / 8;
  if (bytes == 0)
    return accessWords(context, access, address, stride, registers);
  for (unsigned i = 0; i < fragment.perLane(); ++i) {
    auto [row, column] = fragment.place(context->laneid, i);
    uint64_t index = access.isColumnMajor ? uint64_t(column) * stride + row
                                          : uint64_t(row) * stride + column;
    uint8_t *host =
        hostAddress(context, access.isShared, address + index * bytes, bytes,
                    access.isStore, access.line);
    uint64_t value = 0;
    if (access.isStore) {
      value = fragment.get(registers, i);
      std::memcpy(host, &value, bytes);
    } else {
      std::memcpy(&value, host, bytes);
      fragment.set(registers, i, value);
    }
  }
}
