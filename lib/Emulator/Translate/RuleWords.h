//===- RuleWords.h - Lists of types and modifiers ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_RULEWORDS_H
#define HETERO_LIB_EMULATOR_TRANSLATE_RULEWORDS_H

// What rules of several families name; strings that stand side by side join.

#define INTEGERS "u16 s16 u32 s32 u64 s64"
#define PACKED_INTEGERS "u16x2 s16x2"
#define WORDS "u32 s32 u64 s64"
#define BITS "b16 b32 b64"
#define HALVES "f16 f16x2"
#define BHALVES "bf16 bf16x2"
#define SCALARS "b16 b32 b64 " INTEGERS " f16 bf16 f32 f64"
#define MEMORY_TYPES "b8 u8 s8 b16 b32 b64 b128 " INTEGERS " f16 bf16 f32 f64"
#define RELATIONS                                                              \
  "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"
#define SPACES                                                                 \
  "global shared shared::cta shared::cluster local param param::func "         \
  "param::entry const generic"
#define SCOPES "cta cluster gpu sys"
// What only says how likely something is to be used again.
#define HINTS                                                                  \
  "nc ca cg cs lu cv wb wt L1::evict_normal L1::evict_unchanged "              \
  "L1::evict_first L1::evict_last L1::no_allocate L2::cache_hint L2::64B "     \
  "L2::128B L2::256B L2::evict_normal L2::evict_first L2::evict_last"
#define POLICIES                                                               \
  "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged"
#define ATOMIC                                                                 \
  "global shared shared::cta shared::cluster noftz relaxed acquire release "   \
  "acq_rel cta cluster gpu sys L2::cache_hint"
#define VECTOR_ATOMIC                                                          \
  "global relaxed acquire release acq_rel cta cluster gpu sys L2::cache_hint"
#define FRAGMENT_SPACES "global shared shared::cta"
#define MAP_SPACES "global shared::cta"
#define RANKS "1d 2d 3d 4d 5d"
#define MMA "sync|aligned|row|col"
#define BLOCK_SPACES "shared shared::cta shared::cluster"
#define ORDERS "weak volatile relaxed acquire release acq_rel mmio"

#endif // HETERO_LIB_EMULATOR_TRANSLATE_RULEWORDS_H
