//===- Instructions.cpp - The instructions that are translated ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table says which types, modifiers and numbers of operands an opcode may
// have. What is not in it is refused, so that no modifier is ever ignored by
// accident.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include <unordered_map>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

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
  "global shared shared::cta local param param::func param::entry const "      \
  "generic"
#define SCOPES "cta cluster gpu sys"
// What only says how likely something is to be used again.
#define HINTS                                                                  \
  "nc ca cg cs lu cv wb wt L1::evict_normal L1::evict_unchanged "              \
  "L1::evict_first L1::evict_last L1::no_allocate L2::cache_hint L2::64B "     \
  "L2::128B L2::256B L2::evict_normal L2::evict_first L2::evict_last"
#define POLICIES                                                               \
  "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged"
#define ATOMIC                                                                 \
  "global shared shared::cta noftz relaxed acquire release acq_rel cta "       \
  "cluster gpu sys L2::cache_hint"
#define FRAGMENT_SPACES "global shared shared::cta"
#define MAP_SPACES "global shared::cta"
#define RANKS "1d 2d 3d 4d 5d"
#define MMA "sync|aligned|row|col"
#define BLOCK_SPACES "shared shared::cta shared::cluster"
#define ORDERS "weak volatile relaxed acquire release acq_rel mmio"

using K = KernelTranslator;

const K::Rule K::kRules[] = {
    // Integers.
    {"add sub", INTEGERS " " PACKED_INTEGERS, "", "", 3, 3, &K::emitInteger},
    {"add sub", "s32", "sat", "", 3, 3, &K::emitInteger},
    {"div rem", INTEGERS, "", "", 3, 3, &K::emitInteger},
    {"min max", INTEGERS " " PACKED_INTEGERS, "", "", 3, 3, &K::emitInteger},
    {"min max", "s32 s16x2", "relu", "", 3, 3, &K::emitInteger},
    {"abs neg", "s16 s32 s64", "", "", 2, 2, &K::emitInteger},
    {"sad", INTEGERS, "", "", 4, 4, &K::emitInteger},
    {"mul", INTEGERS, "lo hi", "", 3, 3, &K::emitMultiply},
    {"mul", "u16 s16 u32 s32", "wide", "", 3, 3, &K::emitMultiply},
    {"mad", INTEGERS, "lo hi", "", 4, 4, &K::emitMultiply},
    {"mad", "u16 s16 u32 s32", "wide", "", 4, 4, &K::emitMultiply},
    {"mad mad24", "s32", "hi|sat", "", 4, 4, &K::emitMultiply},
    {"mul24", "u32 s32", "lo hi", "", 3, 3, &K::emitMultiply},
    {"mad24", "u32 s32", "lo hi", "", 4, 4, &K::emitMultiply},
    {"add sub", WORDS, "cc", "", 3, 3, &K::emitCarry},
    {"addc subc", WORDS, "", "cc", 3, 3, &K::emitCarry},
    {"mad", WORDS, "lo hi|cc", "", 4, 4, &K::emitCarry},
    {"madc", WORDS, "lo hi", "cc", 4, 4, &K::emitCarry},
    {"dp4a", "u32 s32", "", "", 4, 4, &K::emitDotProduct, 2},
    {"dp2a", "u32 s32", "lo hi", "", 4, 4, &K::emitDotProduct, 2},
    {"vabsdiff2 vabsdiff4", "u32 s32", "", "add", 4, 4,
     &K::emitAbsoluteDifferences, 3},
    // Bits.
    {"and or xor", "pred " BITS, "", "", 3, 3, &K::emitLogic},
    {"not", "pred " BITS, "", "", 2, 2, &K::emitLogic},
    {"cnot", BITS, "", "", 2, 2, &K::emitLogic},
    {"shl", BITS, "", "", 3, 3, &K::emitShift},
    {"shr", BITS " " INTEGERS, "", "", 3, 3, &K::emitShift},
    {"clz popc", "b32 b64", "", "", 2, 2, &K::emitCount},
    {"brev", "b32 b64", "", "", 2, 2, &K::emitCount},
    {"bfind", WORDS, "", "shiftamt", 2, 2, &K::emitCount},
    {"fns", "b32", "", "", 4, 4, &K::emitFindSet},
    {"bfe", WORDS, "", "", 4, 4, &K::emitBitFieldExtract},
    {"bfi", "b32 b64", "", "", 5, 5, &K::emitBitFieldInsert},
    {"lop3", "b32", "", "", 5, 5, &K::emitLop3},
    {"lop3", "b32", "and or", "", 6, 6, &K::emitLop3},
    {"prmt", "b32", "", "f4e b4e rc8 ecl ecr rc16", 4, 4, &K::emitPermute},
    {"shf", "b32", "l r|wrap clamp", "", 4, 4, &K::emitFunnelShift},
    {"bmsk", "b32", "clamp wrap", "", 3, 3, &K::emitMask},
    {"szext", "u32 s32", "clamp wrap", "", 3, 3, &K::emitExtend},
    // Floating point.
    {"add sub mul", "f32", "", "rn ftz sat", 3, 3, &K::emitFloat},
    {"add sub mul", "f64", "", "rn", 3, 3, &K::emitFloat},
    {"add sub mul", HALVES, "", "rn ftz sat", 3, 3, &K::emitFloat},
    {"add sub mul", BHALVES, "", "rn", 3, 3, &K::emitFloat},
    {"fma mad", "f32", "rn", "ftz sat", 4, 4, &K::emitFloat},
    {"fma mad", "f64", "rn", "", 4, 4, &K::emitFloat},
    {"fma", HALVES, "rn", "ftz sat", 4, 4, &K::emitFloat},
    {"fma", HALVES, "rn|relu", "ftz", 4, 4, &K::emitFloat},
    {"fma", BHALVES, "rn", "relu ftz sat", 4, 4, &K::emitFloat},
    {"div", "f32", "rn approx full", "ftz", 3, 3, &K::emitFloat},
    {"div", "f64", "rn", "", 3, 3, &K::emitFloat},
    {"rcp sqrt", "f32", "rn approx", "ftz", 2, 2, &K::emitFloat},
    {"rcp sqrt", "f64", "rn", "", 2, 2, &K::emitFloat},
    {"rcp rsqrt", "f64", "approx|ftz", "", 2, 2, &K::emitFloat},
    {"rsqrt", "f32", "approx", "ftz", 2, 2, &K::emitFloat},
    {"rsqrt", "f64", "approx", "", 2, 2, &K::emitFloat},
    {"sin cos lg2 ex2", "f32", "approx", "ftz", 2, 2, &K::emitFloat},
    {"ex2", HALVES, "approx", "", 2, 2, &K::emitFloat},
    {"ex2", BHALVES, "approx|ftz", "", 2, 2, &K::emitFloat},
    {"tanh", "f32 " HALVES " " BHALVES, "approx", "", 2, 2, &K::emitFloat},
    {"min max", "f32 " HALVES, "", "ftz NaN", 3, 3, &K::emitFloat},
    {"min max", BHALVES, "", "NaN", 3, 3, &K::emitFloat},
    {"min max", "f64", "", "", 3, 3, &K::emitFloat},
    {"min max", "f32 " HALVES, "xorsign|abs", "ftz NaN", 3, 3, &K::emitXorSign},
    {"min max", BHALVES, "xorsign|abs", "NaN", 3, 3, &K::emitXorSign},
    {"add sub mul", "f32", "rz rm rp", "ftz sat", 3, 3, &K::emitDirected},
    {"fma mad", "f32", "rz rm rp", "ftz sat", 4, 4, &K::emitDirected},
    {"div", "f32", "rz rm rp", "ftz", 3, 3, &K::emitDirected},
    {"rcp sqrt", "f32", "rz rm rp", "ftz", 2, 2, &K::emitDirected},
    {"add sub mul div", "f64", "rz rm rp", "", 3, 3, &K::emitDirected},
    {"fma mad", "f64", "rz rm rp", "", 4, 4, &K::emitDirected},
    {"rcp sqrt", "f64", "rz rm rp", "", 2, 2, &K::emitDirected},
    {"abs neg", "f32 " HALVES, "", "ftz", 2, 2, &K::emitSign},
    {"abs neg", "f64 " BHALVES, "", "", 2, 2, &K::emitSign},
    {"copysign", "f32 f64", "", "", 3, 3, &K::emitSign},
    // Comparison and conversion.
    {"setp", SCALARS " " HALVES " " BHALVES, RELATIONS, "and or xor ftz", 3, 4,
     &K::emitSetp},
    {"set", SCALARS " " HALVES " " BHALVES, RELATIONS, "and or xor ftz", 3, 4,
     &K::emitSet, 2},
    {"selp", SCALARS, "", "", 4, 4, &K::emitSelp},
    {"slct", SCALARS, "", "ftz", 4, 4, &K::emitSlct, 2},
    {"testp", "f32 f64", "finite infinite number notanumber normal subnormal",
     "", 2, 2, &K::emitTestp},
    {"cvt", "u8 s8 " INTEGERS " f32 f64 tf32 " HALVES " " BHALVES, "",
     "rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu", 2, 3,
     &K::emitCvt, 2},
    {"cvt", "e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 f32", "rn|satfinite", "relu", 3,
     3, &K::emitToSmall, 2},
    {"cvt", "e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 f16x2", "rn|satfinite", "relu",
     2, 2, &K::emitToSmall, 2},
    {"cvt", "ue8m0x2 f32", "rz rp", "satfinite", 3, 3, &K::emitToSmall, 2},
    {"cvt", "ue8m0x2 bf16x2", "rz rp", "satfinite", 2, 2, &K::emitToSmall, 2},
    {"cvt", "e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 f16x2", "rn", "relu", 2, 2,
     &K::emitFromSmall, 2},
    {"cvt", "ue8m0x2 bf16x2", "rn", "", 2, 2, &K::emitFromSmall, 2},
    {"cvt", "u16 s16 s32", "pack|sat", "", 3, 3, &K::emitPack, 2},
    {"cvt", "u2 s2 u4 s4 u8 s8 s32 b32", "pack|sat", "", 4, 4, &K::emitPack, 3},
    // Memory.
    {"mov", "pred b8 b128 " SCALARS, "", "", 2, 2, &K::emitMov},
    {"cvta", "u32 u64", "global " BLOCK_SPACES " local param const", "to", 2, 2,
     &K::emitCvta},
    {"isspacep", "", "global const " BLOCK_SPACES " local param", "", 2, 2,
     &K::emitIsSpace},
    {"ld ldu", MEMORY_TYPES, "",
     SPACES " " SCOPES " " ORDERS " " HINTS " v2 v4 v8", 2, 3, &K::emitLoad},
    {"st", MEMORY_TYPES, "", SPACES " " SCOPES " " ORDERS " " HINTS " v2 v4 v8",
     2, 3, &K::emitStore},
    {"atom", "u32 s32 u64 s64 f32 f64 " HALVES " " BHALVES, "add", ATOMIC, 3, 4,
     &K::emitAtom},
    {"atom", WORDS, "min max", ATOMIC, 3, 4, &K::emitAtom},
    {"atom", "u32", "inc dec", ATOMIC, 3, 4, &K::emitAtom},
    {"atom", "b32 b64", "and or xor exch", ATOMIC, 3, 4, &K::emitAtom},
    {"atom", "b16 b32 b64", "cas", ATOMIC, 4, 5, &K::emitAtom},
    {"red", "u32 s32 u64 s64 f32 f64 " HALVES " " BHALVES, "add", ATOMIC, 2, 3,
     &K::emitAtom},
    {"red", WORDS, "min max", ATOMIC, 2, 3, &K::emitAtom},
    {"red", "u32", "inc dec", ATOMIC, 2, 3, &K::emitAtom},
    {"red", "b32 b64", "and or xor", ATOMIC, 2, 3, &K::emitAtom},
    {"cp", "", "async|ca cg|shared shared::cta|global",
     "L2::cache_hint L2::64B L2::128B L2::256B", 3, 5, &K::emitAsyncCopy},
    {"cp", "", "async|commit_group wait_all", "", 0, 0, &K::emitNothing},
    {"cp", "", "async|wait_group", "", 1, 1, &K::emitNothing},
    {"cp", "",
     "async|bulk|shared::cta shared::cluster|global|"
     "mbarrier::complete_tx::bytes",
     "L2::cache_hint", 4, 5, &K::emitBulkCopy},
    {"cp", "", "async|bulk|shared::cta|global|bulk_group", "L2::cache_hint", 3,
     4, &K::emitBulkCopy},
    {"cp", "",
     "async|bulk|tensor|" RANKS "|shared::cta shared::cluster|global|"
     "mbarrier::complete_tx::bytes",
     "tile L2::cache_hint", 3, 4, &K::emitTensorCopy},
    {"cp", "", "async|bulk|tensor|" RANKS "|shared::cta|global|bulk_group",
     "tile L2::cache_hint", 2, 3, &K::emitTensorCopy},
    {"cp", "", "async|bulk|prefetch|L2|global", "L2::cache_hint", 2, 3,
     &K::emitNothing},
    {"cp", "", "async|bulk|prefetch|tensor|" RANKS "|L2|global",
     "tile L2::cache_hint", 1, 2, &K::emitNothing},
    {"cp", "", "async|bulk|commit_group", "", 0, 0, &K::emitGroups},
    {"cp", "", "async|bulk|wait_group", "read", 1, 1, &K::emitGroups},
    {"prefetch", "", "tensormap", "param const", 1, 1, &K::emitNothing},
    {"prefetch prefetchu", "", "L1 L2 L2::evict_last L2::evict_normal",
     "global local", 1, 1, &K::emitNothing},
    {"tensormap", "b64", "replace|tile|b1024|global_address", MAP_SPACES, 2, 2,
     &K::emitReplaceMap},
    {"tensormap", "b64", "replace|tile|b1024|global_stride", MAP_SPACES, 3, 3,
     &K::emitReplaceMap},
    {"tensormap", "b32", "replace|tile|b1024|rank", MAP_SPACES, 2, 2,
     &K::emitReplaceMap},
    {"tensormap", "b32", "replace|tile|b1024|box_dim global_dim element_stride",
     MAP_SPACES, 3, 3, &K::emitReplaceMap},
    {"tensormap", "b32",
     "replace|tile|b1024|elemtype interleave_layout swizzle_mode "
     "swizzle_atomicity fill_mode",
     MAP_SPACES, 2, 2, &K::emitReplaceMap},
    {"tensormap", "",
     "cp_fenceproxy|global|shared::cta|tensormap::generic|release|" SCOPES
     "|sync|aligned",
     "", 3, 3, &K::emitCopyMap},
    {"discard", "", "L2", "global", 2, 2, &K::emitNothing},
    {"applypriority", "", "L2::evict_normal", "global", 2, 2, &K::emitNothing},
    {"createpolicy", "b64", "fractional", POLICIES, 1, 2, &K::emitPolicy},
    {"createpolicy", "b64", "range|global", POLICIES, 4, 4, &K::emitPolicy},
    {"createpolicy", "b64", "cvt|L2", "", 2, 2, &K::emitPolicy},
    {"fence", "", "sc acq_rel acquire release|" SCOPES, "", 0, 0,
     &K::emitFence},
    {"fence", "", SCOPES, "", 0, 0, &K::emitFence},
    {"fence", "", "proxy|alias async", "global shared::cta shared::cluster", 0,
     0, &K::emitFence},
    {"fence", "", "proxy|tensormap::generic|release|" SCOPES, "", 0, 0,
     &K::emitFence},
    {"fence", "", "proxy|tensormap::generic|acquire|" SCOPES, "", 2, 2,
     &K::emitFence},
    {"fence", "", "mbarrier_init|release|cluster", "", 0, 0, &K::emitFence},
    {"membar", "", "cta gl sys", "", 0, 0, &K::emitFence},
    {"membar", "", "proxy|alias async", "", 0, 0, &K::emitFence},
    // Control.
    {"bra", "", "", "uni", 1, 1, &K::emitBranch},
    {"brx", "", "idx", "uni", 2, 2, &K::emitIndexedBranch},
    {"call", "", "", "uni", 1, 4, &K::emitCall},
    {"alloca", "u32 u64", "", "", 2, 3, &K::emitAlloca},
    {"stacksave", "u32 u64", "", "", 1, 1, &K::emitStackPointer},
    {"stackrestore", "u32 u64", "", "", 1, 1, &K::emitStackPointer},
    {"ret", "", "", "uni", 0, 0, &K::emitReturn},
    {"exit", "", "", "", 0, 0, &K::emitReturn},
    {"trap brkpt", "", "", "", 0, 0, &K::emitTrap},
    {"nanosleep", "u32", "", "", 1, 1, &K::emitSleep},
    {"griddepcontrol", "", "launch_dependents wait", "", 0, 0, &K::emitNothing},
    {"pragma", "", "", "", 1, 1, &K::emitNothing},
    {"setmaxnreg", "u32", "inc dec|sync|aligned", "", 1, 1,
     &K::emitRegisterCount},
    {"pmevent", "", "", "mask", 1, 1, &K::emitNothing},
    // Threads meet.
    {"bar barrier", "", "sync", "cta aligned", 1, 2, &K::emitBarrier},
    {"bar barrier", "", "arrive", "cta aligned", 2, 2, &K::emitBarrier},
    {"bar barrier", "u32", "red|popc", "cta aligned", 3, 4,
     &K::emitBarrierReduce},
    {"bar barrier", "pred", "red|and or", "cta aligned", 3, 4,
     &K::emitBarrierReduce},
    {"bar", "", "warp|sync", "", 1, 1, &K::emitWarpSync},
    {"shfl", "b32", "sync|up down bfly idx", "", 5, 5, &K::emitShuffle},
    {"shfl", "b32", "up down bfly idx", "", 4, 4, &K::emitShuffle},
    {"vote", "b32", "sync|ballot", "", 3, 3, &K::emitVote},
    {"vote", "pred", "sync|all any uni", "", 3, 3, &K::emitVote},
    {"vote", "b32", "ballot", "", 2, 2, &K::emitVote},
    {"vote", "pred", "all any uni", "", 2, 2, &K::emitVote},
    {"match", "b32 b64", "sync|any all", "", 3, 3, &K::emitMatch},
    {"redux", "u32 s32", "sync|add min max", "", 3, 3, &K::emitRedux},
    {"redux", "b32", "sync|and or xor", "", 3, 3, &K::emitRedux},
    {"activemask", "b32", "", "", 1, 1, &K::emitActiveMask},
    {"elect", "", "sync", "", 2, 2, &K::emitElect},
    {"mbarrier", "b64", "init inval", "shared shared::cta", 1, 2,
     &K::emitPhaseObject},
    {"mbarrier", "b64", "arrive arrive_drop",
     "noComplete release relaxed cta cluster " BLOCK_SPACES, 2, 3,
     &K::emitPhaseArrive},
    {"mbarrier", "b64", "arrive|expect_tx",
     "release relaxed cta cluster " BLOCK_SPACES, 3, 3, &K::emitPhaseArrive},
    {"mbarrier", "b64", "expect_tx complete_tx",
     "relaxed cta cluster " BLOCK_SPACES, 2, 2, &K::emitPhaseBytes},
    {"mbarrier", "b64", "test_wait",
     "parity acquire relaxed cta cluster shared shared::cta", 3, 3,
     &K::emitPhaseTest},
    {"mbarrier", "b64", "try_wait",
     "parity acquire relaxed cta cluster shared shared::cta", 3, 4,
     &K::emitPhaseTest},
    {"mbarrier", "b64", "pending_count", "", 2, 2, &K::emitPhaseCount},
    {"cp", "b64", "async|mbarrier|arrive", "noinc shared shared::cta", 1, 1,
     &K::emitPhaseOfCopies},
    // Matrices.
    {"mma", "f16 f32", MMA "|m16n8k8 m16n8k16", "", 4, 4,
     &K::emitMatrixMultiply, 4},
    {"mma", "f16 f32", "sync|aligned|m8n8k4", "row col", 4, 4,
     &K::emitQuadMultiply, 4},
    {"mma", "bf16 f32", MMA "|m16n8k8 m16n8k16", "", 4, 4,
     &K::emitMatrixMultiply, 4},
    {"mma", "tf32 f32", MMA "|m16n8k4 m16n8k8", "", 4, 4,
     &K::emitMatrixMultiply, 4},
    {"mma", "f64", MMA "|m8n8k4 m16n8k4 m16n8k8 m16n8k16", "rn", 4, 4,
     &K::emitMatrixMultiply, 4},
    {"mma", "s8 u8 s32", MMA "|m8n8k16 m16n8k16 m16n8k32", "satfinite", 4, 4,
     &K::emitMatrixMultiply, 4},
    {"mma", "s4 u4 s32", MMA "|m8n8k32 m16n8k32 m16n8k64", "satfinite", 4, 4,
     &K::emitMatrixMultiply, 4},
    {"mma", "b1 s32", MMA "|m8n8k128 m16n8k128 m16n8k256|xor and|popc", "", 4,
     4, &K::emitMatrixMultiply, 4},
    {"wmma", "s4 u4", "load|a b|sync|aligned|row col|m8n8k32", FRAGMENT_SPACES,
     2, 3, &K::emitFragmentLoad},
    {"wmma", "b1", "load|a b|sync|aligned|row col|m8n8k128", FRAGMENT_SPACES, 2,
     3, &K::emitFragmentLoad},
    {"wmma", "s32", "load|c|sync|aligned|row col|m8n8k32 m8n8k128",
     FRAGMENT_SPACES, 2, 3, &K::emitFragmentLoad},
    {"wmma", "s32", "store|d|sync|aligned|row col|m8n8k32 m8n8k128",
     FRAGMENT_SPACES, 2, 3, &K::emitFragmentStore},
    {"wmma", "s4 u4 s32", "mma|sync|aligned|row|col|m8n8k32", "satfinite", 4, 4,
     &K::emitFragmentMultiply, 4},
    {"wmma", "b1 s32", "mma|sync|aligned|row|col|m8n8k128|xor and|popc", "", 4,
     4, &K::emitFragmentMultiply, 4},
    {"wmma", "f16 bf16 s8 u8",
     "load|a b|sync|aligned|row col|m16n16k16 m8n32k16 m32n8k16",
     FRAGMENT_SPACES, 2, 3, &K::emitFragmentLoad},
    {"wmma", "tf32", "load|a b|sync|aligned|row col|m16n16k8", FRAGMENT_SPACES,
     2, 3, &K::emitFragmentLoad},
    {"wmma", "f64", "load|a b c|sync|aligned|row col|m8n8k4", FRAGMENT_SPACES,
     2, 3, &K::emitFragmentLoad},
    {"wmma", "f16 f32 s32",
     "load|c|sync|aligned|row col|m16n16k16 m8n32k16 m32n8k16 m16n16k8",
     FRAGMENT_SPACES, 2, 3, &K::emitFragmentLoad},
    {"wmma", "f16 f32 s32",
     "store|d|sync|aligned|row col|m16n16k16 m8n32k16 m32n8k16 m16n16k8",
     FRAGMENT_SPACES, 2, 3, &K::emitFragmentStore},
    {"wmma", "f64", "store|d|sync|aligned|row col|m8n8k4", FRAGMENT_SPACES, 2,
     3, &K::emitFragmentStore},
    {"wmma", "f16 f32", "mma|sync|aligned|m16n16k16 m8n32k16 m32n8k16",
     "row col", 4, 4, &K::emitFragmentMultiply, 2},
    {"wmma", "bf16 s8 u8 f32 s32",
     "mma|sync|aligned|m16n16k16 m8n32k16 m32n8k16", "row col satfinite", 4, 4,
     &K::emitFragmentMultiply, 4},
    {"wmma", "tf32 f32", "mma|sync|aligned|m16n16k8", "row col", 4, 4,
     &K::emitFragmentMultiply, 4},
    {"wmma", "f64", "mma|sync|aligned|m8n8k4", "row col rn", 4, 4,
     &K::emitFragmentMultiply, 4},
    {"ldmatrix", "b16", "sync|aligned|m8n8|x1 x2 x4",
     "trans shared shared::cta", 2, 2, &K::emitLoadMatrix},
    {"stmatrix", "b16", "sync|aligned|m8n8|x1 x2 x4",
     "trans shared shared::cta", 2, 2, &K::emitStoreMatrix},
    {"stmatrix", "b8", "sync|aligned|m16n8|x1 x2 x4|trans",
     "shared shared::cta", 2, 2, &K::emitStoreMatrix},
    {"wgmma", "f16 f32", "mma_async|sync|aligned|m64nNk16", "", 6, 8,
     &K::emitGroupMultiply, 3},
    {"wgmma", "bf16 f32", "mma_async|sync|aligned|m64nNk16", "", 6, 8,
     &K::emitGroupMultiply, 3},
    {"wgmma", "tf32 f32", "mma_async|sync|aligned|m64nNk8", "", 6, 6,
     &K::emitGroupMultiply, 3},
    {"wgmma", "s8 u8 s32", "mma_async|sync|aligned|m64nNk32", "satfinite", 4, 4,
     &K::emitGroupMultiply, 3},
    {"wgmma", "", "fence commit_group|sync|aligned", "", 0, 0, &K::emitGroups},
    {"wgmma", "", "wait_group|sync|aligned", "", 1, 1, &K::emitGroups},
    {"movmatrix", "b16", "sync|aligned|m8n8|trans", "", 2, 2,
     &K::emitMoveMatrix},
};

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Calls `each` with the words of a list until it returns true.
template <typename Each>
static bool anyWord(std::string_view list, char separator, Each each) {
  while (!list.empty()) {
    size_t end = std::min(list.find(separator), list.size());
    if (each(list.substr(0, end)))
      return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// Whether the name is the word, or has a number where that has an N.
static bool isWord(Name name, Name word) {
  if (name == word)
    return true;
  size_t place = word.find('N'), digits = name.size() + 1 - word.size();
  if (place == Name::npos || name.size() < word.size() ||
      name.substr(0, place) != word.substr(0, place) ||
      name.substr(place + digits) != word.substr(place + 1))
    return false;
  Name number = name.substr(place, digits);
  return number.find_first_not_of("0123456789") == Name::npos;
}

static bool contains(std::string_view list, Name name) {
  return anyWord(list, ' ', [&](Name word) { return isWord(name, word); });
}

static std::string quoted(Name name) { return "'." + std::string(name) + "'"; }

/// Why the instruction is not one of the rule, and how far it got: which check
/// failed and, among modifiers, how many are known.
std::string KernelTranslator::mismatch(Op op, const Rule &rule,
                                       unsigned &progress) {
  ScalarType unused;
  unsigned numTypes = 0;
  std::string_view required = rule.required;
  auto isRequired = [&](Name name) {
    return anyWord(required, '|',
                   [&](Name group) { return contains(group, name); });
  };
  progress = 0;
  std::vector<Name> others;
  for (Name name : op.modifiers) {
    bool isType = contains(rule.types, name);
    numTypes += isType;
    if (!isType && parseScalarType(name, unused))
      return "the type " + quoted(name);
    if (!isType)
      others.push_back(name);
  }
  if (numTypes != (*rule.types ? rule.numTypes : 0))
    return "expected " + std::to_string(rule.numTypes) + " types, got " +
           std::to_string(numTypes);
  constexpr unsigned kModifiers = 100;
  progress = 1;
  std::string why;
  for (Name name : others) {
    bool isKnown = isRequired(name) || contains(rule.modifiers, name);
    progress += isKnown;
    if (!isKnown && why.empty())
      why = "the modifier " + quoted(name);
  }
  if (!why.empty())
    return why;
  progress = kModifiers;
  anyWord(required, '|', [&](Name group) {
    unsigned found = 0;
    for (Name name : others)
      found += contains(group, name);
    if (found != 1)
      why = "expected one of the modifiers '" + std::string(group) + "', got " +
            std::to_string(found);
    return found != 1;
  });
  if (!why.empty())
    return why;
  ++progress;
  if (op.operands.size() < rule.least || op.operands.size() > rule.most)
    return "expected " + std::to_string(rule.least) +
           (rule.least == rule.most ? "" : " to " + std::to_string(rule.most)) +
           " operands, got " + std::to_string(op.operands.size());
  return "";
}

const KernelTranslator::Rule *KernelTranslator::findRule(Op op,
                                                         std::string &why) {
  using Index = std::unordered_map<std::string_view, std::vector<const Rule *>>;
  static const Index index = [] {
    Index result;
    for (const Rule &rule : kRules)
      anyWord(rule.opcodes, ' ', [&](Name opcode) {
        result[opcode].push_back(&rule);
        return false;
      });
    return result;
  }();
  auto it = index.find(op.opcode);
  unsigned best = 0;
  for (size_t i = 0; it != index.end() && i < it->second.size(); ++i) {
    unsigned progress = 0;
    std::string reason = mismatch(op, *it->second[i], progress);
    if (reason.empty())
      return it->second[i];
    if (why.empty() || progress > best)
      why = reason;
    best = std::max(best, progress);
  }
  return nullptr;
}
