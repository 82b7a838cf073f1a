//===- Capability.cpp - Limits of a compute capability --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Device/Capability.h"

using namespace hetero::emulator;

static constexpr Capability kCapabilities[] = {
    // version, blocks, warps, shared, of a block, registers, f32 to f64
    {50, 32, 64, 64, 48, 65536, 32},    {52, 32, 64, 96, 48, 65536, 32},
    {53, 32, 64, 64, 48, 32768, 32},    {60, 32, 64, 64, 48, 65536, 2},
    {61, 32, 64, 96, 48, 65536, 32},    {62, 32, 64, 64, 48, 32768, 32},
    {70, 32, 64, 96, 96, 65536, 2},     {72, 32, 64, 96, 96, 65536, 32},
    {75, 16, 32, 64, 64, 65536, 32},    {80, 32, 64, 164, 163, 65536, 2},
    {86, 16, 48, 100, 99, 65536, 64},   {87, 16, 48, 164, 163, 65536, 64},
    {89, 24, 48, 100, 99, 65536, 64},   {90, 32, 64, 228, 227, 65536, 2},
    {100, 32, 64, 228, 227, 65536, 2},  {101, 24, 48, 228, 227, 65536, 64},
    {103, 32, 64, 228, 227, 65536, 64}, {110, 24, 48, 228, 227, 65536, 64},
    {120, 24, 48, 100, 99, 65536, 64},
};

const Capability &hetero::emulator::capabilityOf(int major, int minor) {
  const Capability *result = kCapabilities;
  for (const Capability &row : kCapabilities)
    if (row.version <= 10 * major + minor)
      result = &row;
  return *result;
}
