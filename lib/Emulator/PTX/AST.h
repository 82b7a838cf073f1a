//===- AST.h - Syntax tree of a PTX module ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_AST_H
#define HETERO_LIB_EMULATOR_PTX_AST_H

#include "Emulator/ABI/SourceLines.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hetero::emulator::ptx {

/// Names refer to the PTX text, which must outlive the tree.
using Name = std::string_view;

/// A type of variables, registers and instructions.
struct ScalarType {
  enum Kind : uint8_t { Pred, Bits, Unsigned, Signed, Float, BFloat, TFloat };
  Kind kind = Bits;
  uint8_t bits = 32;    ///< Of one element.
  uint8_t elements = 1; ///< 2 for the packed types f16x2, u16x2, ...

  unsigned totalBits() const { return bits * elements; }
  unsigned bytes() const { return (totalBits() + 7) / 8; }
  bool isFloat() const { return kind >= Float; }
  bool isSigned() const { return kind == Signed; }
  bool operator==(const ScalarType &o) const {
    return kind == o.kind && bits == o.bits && elements == o.elements;
  }
  bool operator!=(const ScalarType &o) const { return !(*this == o); }
};

/// Reads "u32", "f16x2", ...; false when the text names no type.
bool parseScalarType(std::string_view text, ScalarType &type);
std::string toString(ScalarType type);

enum class Space : uint8_t {
  Generic,
  Reg,
  Param,
  Local,
  Shared,
  Global,
  Const
};

struct Operand {
  enum Kind : uint8_t {
    Identifier, ///< A register, variable, label or function; may have an offset
    Integer,
    Float32, ///< `integer` holds the bits
    Float64,
    Address, ///< [base + integer], `elements[0]` is the base
    Vector,  ///< {a, b, ...}
    List,    ///< (a, b, ...) of a call
    Pair,    ///< a|b
    Sink     ///< _
  };
  Kind kind = Integer;
  Name name;
  Name component;       ///< x, y, z, w of %tid.x
  bool negated = false; ///< !%p
  uint64_t integer = 0; ///< Value, or the offset of an address.
  std::vector<Operand> elements;
};

/// A value in the initializer of a variable.
struct InitValue {
  enum Kind : uint8_t { Integer, Float32, Float64, Symbol } kind = Integer;
  uint64_t integer = 0; ///< Value, bits, or offset added to the symbol.
  Name symbol;
  bool generic = false;  ///< generic(symbol)
  uint64_t mask = ~0ull; ///< 0xFF00(symbol): the masked bits, shifted down
};

struct Variable {
  Name name;
  Space space = Space::Reg;
  ScalarType type;
  unsigned vector = 1;        ///< .v2, .v4
  uint64_t align = 0;         ///< 0 for the natural one
  std::vector<uint64_t> dims; ///< Array bounds; 0 for [].
  bool isArray = false;
  bool isExtern = false;
  bool isManaged = false;      ///< .attribute(.managed)
  unsigned count = 0;          ///< %r<count> declares %r0 .. %r(count-1)
  std::vector<InitValue> init; ///< Flat, in memory order.
  unsigned line = 0;

  uint64_t numElements() const {
    uint64_t n = vector;
    for (uint64_t dim : dims)
      n *= dim;
    return n;
  }
  uint64_t bytes() const { return numElements() * type.bytes(); }
  uint64_t alignment() const {
    return align ? align : uint64_t(type.bytes()) * vector;
  }
};

struct Instruction {
  Name opcode;
  std::vector<Name> modifiers;
  std::vector<Operand> operands;
  Name guard; ///< @%p, or empty
  bool guardNegated = false;
  unsigned line = 0;

  std::string text() const; ///< opcode.mod.mod
};

struct Block;

/// A statement of a function body: exactly one of the members is set.
struct Statement {
  enum Kind : uint8_t { Op, Label, Declaration, Scope, Table, Prototype };

  Statement(Kind kind, unsigned line) : kind(kind), line(line) {}

  Kind kind;
  unsigned line;
  Instruction op;
  Name label;                            ///< Label, Table, Prototype
  Variable variable;                     ///< Declaration
  std::unique_ptr<Block> scope;          ///< Scope
  std::vector<Name> targets;             ///< .branchtargets or .calltargets
  std::vector<Variable> returns, params; ///< .callprototype
};

struct Block {
  std::vector<Statement> statements;
};

struct Function {
  Name name;
  bool isEntry = false;
  bool isExtern = false;
  bool hasBody = false;
  std::vector<Variable> returns, params;
  uint64_t maxThreads = 0; ///< Product of .maxntid or .reqntid.
  uint32_t reqThreads[3] = {};
  uint32_t minBlocks = 0;
  uint32_t reqCluster[3] = {}; ///< .reqnctapercluster, or zeros.
  Block body;
  unsigned line = 0;
};

struct Module {
  unsigned versionMajor = 0, versionMinor = 0;
  unsigned target = 0;       ///< 80 for sm_80
  bool targetExact = false;  ///< sm_90a: only that architecture
  bool targetFamily = false; ///< sm_100f: that architecture's family
  unsigned targetLine = 0;
  unsigned addressSize = 64;
  std::vector<Variable> variables;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::pair<Name, Name>> aliases;
  SourceLines lines;
  /// Names that are not in the text: of the elements of vector registers.
  std::deque<std::string> ownNames;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_AST_H
