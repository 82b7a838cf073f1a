//===- Emitter.h - A family of instructions and its rules -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_EMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_EMITTER_H

#include "Emulator/Translate/FunctionBuilder.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>

namespace hetero::emulator::ptx {

/// Translates the instructions of one family, for one function. What derives
/// from it has
///
///   static llvm::ArrayRef<Rule> rules();
///
/// which names a method for each instruction that it takes.
class Emitter {
public:
  using Op = const Instruction &;

  explicit Emitter(FunctionBuilder &f) : f(f), b(f.b) {}
  virtual ~Emitter() = default;

  /// For what changes no result, such as hints.
  void emitNothing(Op) {}

protected:
  using Value = llvm::Value;
  using Type = llvm::Type;
  using Symbol = FunctionState::Symbol;

  FunctionBuilder &f;
  llvm::IRBuilder<> &b;
};

/// What an instruction may look like, and what translates it. Lists are
/// separated by blanks.
struct Rule {
  template <typename E>
  Rule(const char *opcodes, const char *types, const char *required,
       const char *modifiers, unsigned least, unsigned most,
       void (E::*emit)(Emitter::Op), unsigned numTypes = 1)
      : opcodes(opcodes), types(types), required(required),
        modifiers(modifiers), least(least), most(most),
        emit(static_cast<void (Emitter::*)(Emitter::Op)>(emit)),
        numTypes(numTypes) {}

  const char *opcodes;
  const char *types;     ///< Each type is one of these.
  const char *required;  ///< One of these; groups are separated by '|'.
  const char *modifiers; ///< Any of these.
  unsigned least, most;  ///< Operands.
  void (Emitter::*emit)(Emitter::Op);
  unsigned numTypes; ///< When there are types.
};

/// How the emitter of a family is made, and the rules that it follows.
struct Family {
  llvm::ArrayRef<Rule> rules;
  std::unique_ptr<Emitter> (*make)(FunctionBuilder &f);
};

template <typename E> Family familyOf() {
  return {E::rules(), [](FunctionBuilder &f) -> std::unique_ptr<Emitter> {
            return std::make_unique<E>(f);
          }};
}

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_EMITTER_H
