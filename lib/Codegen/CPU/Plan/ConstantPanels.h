//===- ConstantPanels.h - Panels made by the compiler -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the constants that an operation reads along its vectors, and lays them
// out as the register tile reads them. In a kernel that several places share, a
// constant is an argument, and so are its panels, of which each place has its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_CONSTANTPANELS_H
#define HETERO_CODEGEN_CPU_PLAN_CONSTANTPANELS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir {
class FunctionOpInterface;
} // namespace mlir

namespace mlir::hetero {

/// The part of a constant of the program that an operation reads: all steps of
/// the reduction, and along the other loops what a tile does.
struct ConstantPart {
  /// A dimension that follows a parallel loop other than that of the vectors.
  struct Outer {
    unsigned dimension, loop;
    /// Where the part begins.
    OpFoldResult offset;
  };
  /// The result of an arith.constant, or an argument that is a constant.
  Value constant;
  /// The constant as the operand sees it, maybe reshaped.
  SmallVector<int64_t> shape;
  /// The operand's dimension that follows the vector loop, and those of the
  /// reduction loops, in the order of these.
  unsigned dimension = 0;
  SmallVector<unsigned> reduced;
  SmallVector<Outer> outer;
  /// Where the part begins along the vectors, a multiple of its length.
  OpFoldResult offset;
  int64_t length = 0;

  /// Steps of the reduction that are next to each other in a lane, and the
  /// dimension that they are along; what is left of them is zero.
  int64_t group = 1;
  unsigned grouped = 0;
  /// True if the uppermost bit of each element is inverted.
  bool isFlipped = false;

  /// Steps of the reduction, with those that fill groups up.
  int64_t getDepth() const;
};

/// Takes the steps of the operand's reduction along `loop` in groups.
void groupSteps(ConstantPart &part, linalg::GenericOp op, OpOperand *operand,
                unsigned loop, int64_t group);

/// The constant that a value is, maybe reshaped, which leaves the order of its
/// elements as it is; null if it is none.
arith::ConstantOp findConstant(Value value);

/// True if the elements of the constant take so much memory that panels may
/// pay.
bool areWorthPanels(arith::ConstantOp constant);

/// True if panels of the constant may be there besides the constant itself,
/// which something else may read.
bool mayBeTwice(arith::ConstantOp constant);

/// The elements in row-major order; nothing for those that are all the same, or
/// not there.
ArrayRef<char> getConstantElements(arith::ConstantOp constant);

/// What `operand` reads of a constant if its panels of vectors along `loop` can
/// be made at compile time: its elements are known and differ. None for what is
/// in a page of memory.
std::optional<ConstantPart> findConstantPart(linalg::GenericOp op,
                                             OpOperand *operand, unsigned loop);

/// Elements of the panels of one part whose blocks of vectors have these
/// widths; the last may be wider than what is left.
int64_t countPanelElements(const ConstantPart &part, ArrayRef<int64_t> widths);

/// The constant's elements in the order in which blocks of these widths read
/// them: by outer dimensions, part, block, step of the reduction and lane. What
/// is past the end of a part is zero. Stands after the constant. Of an
/// argument they are another argument, before those for results.
Value createPanels(OpBuilder &builder, const ConstantPart &part,
                   ArrayRef<int64_t> widths);

/// How the panels that an argument is for are made of a constant.
struct ArgumentPanels {
  /// The argument that is the constant.
  unsigned source;
  /// How its elements are laid out.
  DictionaryAttr layout;
};

/// What an argument is the panels of; nothing for others.
std::optional<ArgumentPanels> getArgumentPanels(FunctionOpInterface kernel,
                                                unsigned argument);

/// The panels of one place's constant, after it.
Value createPanels(OpBuilder &builder, arith::ConstantOp constant,
                   DictionaryAttr layout);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_CONSTANTPANELS_H
