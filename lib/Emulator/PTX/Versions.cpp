//===- Versions.cpp - What PTX had when -----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/Versions.h"

#include "Emulator/PTX/Lexer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace hetero::emulator::ptx;

namespace {
enum Targets : uint8_t {
  AndLater,
  WithSuffix, ///< sm_90a and later ones with a suffix.
  Only90a
};

/// An instruction of one of the opcodes that has one word of each group, in the
/// version and the target that PTX's documentation names. The groups are
/// separated by '|'.
struct Requirement {
  const char *opcodes, *words;
  unsigned version, target;
  Targets targets = AndLater;
};
} // namespace

static constexpr Requirement kRequirements[] = {
    // Arithmetic.
    {"dp4a dp2a", "", 50, 61},
    {"lop3", "", 43, 50},
    {"lop3", "and or", 82, 70},
    {"szext bmsk", "", 76, 70},
    {"fns", "", 60, 30},
    {"add sub min max", "u16x2 s16x2", 80, 90},
    {"min max", "relu", 80, 90},
    {"add sub mul fma", "f16 f16x2", 42, 53},
    {"add sub mul", "bf16 bf16x2", 78, 90},
    {"fma", "bf16 bf16x2 relu", 70, 80},
    {"ex2 tanh", "f16 f16x2", 70, 75},
    {"tanh", "f32", 70, 75},
    {"ex2 tanh", "bf16 bf16x2", 78, 90},
    {"min max", "f16 f16x2 bf16 bf16x2 NaN", 70, 80},
    {"min max", "xorsign", 72, 86},
    {"abs", "f16 f16x2", 65, 53},
    {"neg", "f16 f16x2", 60, 53},
    {"abs neg", "bf16 bf16x2", 70, 80},
    {"setp set", "f16 f16x2", 42, 53},
    {"set", "f16|u16 s16 u32 s32", 65, 53},
    {"setp set", "bf16 bf16x2", 78, 90},
    // Conversions.
    {"cvt", "bf16 bf16x2 tf32 relu", 70, 80},
    {"cvt", "f16x2|f32", 70, 80},
    {"cvt", "bf16|u8 s8 u16 s16 u32 s32 u64 s64 f16 f64", 78, 90},
    {"cvt", "tf32|rn rz", 78, 90},
    {"cvt", "satfinite", 81, 80},
    {"cvt", "e4m3x2 e5m2x2", 81, 89},
    {"cvt", "e2m1x2 e2m3x2 e3m2x2 ue8m0x2", 86, 100, WithSuffix},
    {"cvt", "pack", 65, 72},
    {"cvt", "pack|u2 s2 u4 s4", 65, 75},
    // Memory.
    {"ld st atom red ldmatrix stmatrix mbarrier cvta isspacep", "shared::cta",
     78, 30},
    {"ld st", "weak relaxed acquire release", 60, 70},
    {"ld st", "mmio", 82, 70},
    {"ld st mov", "b128", 83, 70},
    {"ld st", "v8", 88, 100},
    {"ld st", "v4|b64 u64 s64 f64", 88, 100},
    {"ld st",
     "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last "
     "L1::no_allocate",
     74, 70},
    {"ld", "L2::64B L2::128B", 74, 75},
    {"ld", "L2::256B", 74, 80},
    {"ld st atom red", "L2::cache_hint", 74, 80},
    {"ld st", "param::entry param::func", 83, 30},
    {"isspacep cvta", "param", 77, 70},
    {"alloca stacksave stackrestore", "", 73, 52},
    {"prefetch", "tensormap", 80, 90},
    {"prefetch", "L2::evict_last L2::evict_normal", 74, 80},
    {"discard applypriority createpolicy", "", 74, 80},
    // Atomic operations and fences.
    {"atom red", "cta gpu sys", 50, 60},
    {"atom red", "relaxed acquire release acq_rel", 60, 70},
    {"atom red", "f64", 50, 60},
    {"atom red", "f16x2", 62, 60},
    {"atom red", "f16 b16", 63, 70},
    {"atom red", "bf16 bf16x2", 78, 90},
    {"atom red", "v2 v4 v8", 81, 90},
    {"atom", "b128", 83, 90},
    {"fence", "", 60, 70},
    {"fence membar", "proxy|alias", 75, 70},
    {"fence membar", "proxy|async", 80, 90},
    {"fence", "proxy|tensormap::generic", 83, 90},
    {"fence", "mbarrier_init", 80, 90},
    // Copies that go on by themselves.
    {"cp", "async", 70, 80},
    {"cp", "async|L2::64B L2::128B L2::256B L2::cache_hint", 74, 80},
    {"cp", "bulk", 80, 90},
    {"cp", "bulk|shared::cta|mbarrier::complete_tx::bytes", 86, 90},
    {"tensormap", "replace", 83, 90, WithSuffix},
    {"tensormap", "cp_fenceproxy", 83, 90},
    {"griddepcontrol", "", 78, 90},
    {"mbarrier", "", 70, 80},
    {"mbarrier", "parity", 71, 80},
    {"mbarrier", "acquire release", 80, 80},
    {"mbarrier", "try_wait", 78, 90},
    {"mbarrier", "expect_tx complete_tx", 80, 90},
    {"mbarrier", "arrive arrive_drop test_wait try_wait|relaxed", 86, 90},
    // Threads that meet.
    {"shfl vote", "sync", 60, 30},
    {"bar", "warp", 60, 30},
    {"barrier", "", 60, 30},
    {"bar barrier", "cta", 78, 30},
    {"barrier", "cluster|release relaxed acquire", 80, 90},
    {"activemask", "", 62, 30},
    {"nanosleep", "", 63, 70},
    {"match", "", 60, 70},
    {"redux", "", 70, 80},
    {"elect", "", 80, 90},
    {"mapa getctarank", "", 78, 90},
    {"setmaxnreg", "", 80, 90, WithSuffix},
    // Matrices.
    {"ldmatrix", "", 65, 75},
    {"movmatrix", "", 78, 75},
    {"stmatrix", "", 78, 90},
    {"ldmatrix stmatrix", "b8", 86, 100, WithSuffix},
    {"wmma", "", 60, 70},
    {"wmma", "m8n32k16 m32n8k16", 61, 70},
    {"wmma", "s8 u8", 63, 72},
    {"wmma", "s4 u4 b1", 63, 75},
    {"wmma", "bf16 tf32 f64", 70, 80},
    {"mma", "", 64, 70},
    {"mma", "m16n8k8 m8n8k16 m8n8k32", 65, 75},
    {"mma", "m8n8k128", 70, 75},
    {"mma",
     "m16n8k4 m16n8k16 m16n8k32 m16n8k64 m16n8k128 m16n8k256 bf16 tf32 f64", 70,
     80},
    {"mma", "and|popc", 71, 80},
    {"mma", "f64|m16n8k4 m16n8k8 m16n8k16", 78, 90},
    {"mma", "e4m3 e5m2", 84, 89},
    {"mma", "e4m3 e5m2|m16n8k16 f16", 87, 89},
    {"wgmma", "", 80, 90, Only90a},
    // Clusters, in any instruction.
    {"*", "cluster shared::cluster", 78, 90},
    // Registers.
    {"%clusterid %nclusterid %cluster_ctaid %cluster_nctaid %cluster_ctarank "
     "%cluster_nctarank %is_explicit_cluster",
     "", 78, 90},
    {"%aggr_smem_size", "", 81, 90},
    {"%reserved_smem_offset_begin %reserved_smem_offset_end "
     "%reserved_smem_offset_cap %reserved_smem_offset_0 "
     "%reserved_smem_offset_1",
     "", 76, 80},
    {"%current_graph_exec", "", 80, 50},
    // Directives.
    {".explicitcluster .reqnctapercluster .maxclusterrank", "", 78, 90},
    {".blocksareclusters", "", 90, 90},
    {".noreturn", "", 64, 30},
    {".alias", "", 63, 30},
};

/// The version that a target came with.
static constexpr unsigned kTargets[][2] = {
    {60, 50},  {61, 50},  {62, 50},  {70, 60},  {72, 61},  {75, 63},
    {80, 70},  {86, 71},  {87, 74},  {88, 90},  {89, 78},  {90, 78},
    {100, 86}, {101, 86}, {103, 88}, {110, 90}, {120, 87}, {121, 88}};

static bool hasWord(llvm::StringRef list, Name name) {
  while (!list.empty()) {
    auto [word, rest] = list.split(' ');
    if (word == llvm::StringRef(name))
      return true;
    list = rest;
  }
  return false;
}

static bool hasWords(llvm::ArrayRef<Name> modifiers, llvm::StringRef groups) {
  while (!groups.empty()) {
    auto [group, rest] = groups.split('|');
    if (llvm::none_of(modifiers, [&, group = group](Name name) {
          return hasWord(group, name);
        }))
      return false;
    groups = rest;
  }
  return true;
}

static bool hasTarget(const Module &module, const Requirement &requirement) {
  if (module.target < requirement.target)
    return false;
  switch (requirement.targets) {
  case AndLater:
    return true;
  case WithSuffix:
    return module.targetExact || module.targetFamily;
  default:
    return module.target == requirement.target && module.targetExact;
  }
}

static std::string versionOf(unsigned number) {
  return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

static unsigned versionOf(const Module &module) {
  return module.versionMajor * 10 + module.versionMinor;
}

[[noreturn]] static void fail(const Module &module, const std::string &what,
                              unsigned line, unsigned version,
                              const Requirement &target) {
  const char *suffix = target.targets == AndLater ? "" : "a";
  throw PTXError{line, what + " requires .version " + versionOf(version) +
                           " and .target sm_" + std::to_string(target.target) +
                           suffix +
                           (target.targets == Only90a ? "" : " or higher") +
                           ", got " + versionOf(versionOf(module)) +
                           " and sm_" + std::to_string(module.target) +
                           (module.targetExact    ? "a"
                            : module.targetFamily ? "f"
                                                  : "") +
                           "; compile for what it requires"};
}

static void check(const Module &module, Name opcode,
                  llvm::ArrayRef<Name> modifiers, const std::string &what,
                  unsigned line) {
  unsigned version = 0;
  const Requirement *highest = nullptr;
  bool isGood = true;
  for (const Requirement &row : kRequirements) {
    bool isOpcode = row.opcodes[0] == '*' ? opcode[0] != '%' && opcode[0] != '.'
                                          : hasWord(row.opcodes, opcode);
    if (!isOpcode || !hasWords(modifiers, row.words))
      continue;
    version = std::max(version, row.version);
    if (!highest || row.target >= highest->target)
      highest = &row;
    isGood &= row.version <= versionOf(module) && hasTarget(module, row);
  }
  if (!isGood)
    fail(module, what, line, version, *highest);
}

void hetero::emulator::ptx::checkVersion(const Module &module,
                                         const Instruction &op) {
  check(module, op.opcode, op.modifiers, "instruction '" + op.text() + "'",
        op.line);
  // A number of arrivals in any phase.
  constexpr Requirement counted = {"", "", 78, 90};
  if (op.opcode == "mbarrier" && op.operands.size() == 3 &&
      hasWords(op.modifiers, "arrive arrive_drop") &&
      !hasWords(op.modifiers, "noComplete expect_tx") &&
      (versionOf(module) < counted.version || module.target < counted.target))
    fail(module, "instruction '" + op.text() + "' with a number of arrivals",
         op.line, counted.version, counted);
}

void hetero::emulator::ptx::checkVersion(const Module &module, Name name,
                                         unsigned line) {
  check(module, name, {}, "'" + std::string(name) + "'", line);
}

void hetero::emulator::ptx::checkTarget(const Module &module) {
  unsigned version = versionOf(module);
  for (auto [target, since] : kTargets) {
    bool isSuffixed = target == 90 && module.targetExact;
    unsigned least = isSuffixed ? 80 : since;
    if (module.target == target && version < least)
      throw PTXError{module.targetLine,
                     ".target sm_" + std::to_string(target) +
                         (isSuffixed ? "a" : "") + " requires .version " +
                         versionOf(least) + ", got " + versionOf(version) +
                         "; raise the version"};
  }
}
