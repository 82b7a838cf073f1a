//===- WarpAnalysis.h - How the lanes of a warp differ ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analyses the function of one PTX thread, before all lanes of a warp run it
// together. Blocks stand in an order in which branches lead forward, but for
// those to the header of a loop, and the blocks of a loop stand together: lanes
// that part wait in the later block for those in the earlier one, so that they
// meet again as early as they can.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_WARPANALYSIS_H
#define HETERO_LIB_EMULATOR_VECTORIZE_WARPANALYSIS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace hetero::emulator::ptx {

/// Lanes are looked at in rows of eight: where a block's x dimension is a
/// multiple of eight, the threads of such a row are neighbours in x.
constexpr unsigned kLanes = 32, kRow = 8, kRows = kLanes / kRow;

/// How a value differs among lanes.
struct Shape {
  enum Kind : uint8_t {
    Uniform, ///< It does not.
    Strided, ///< By `stride` from a lane to the next of its row; a claim.
    Varying
  } kind = Uniform;
  int64_t stride = 0;

  bool isUniform() const { return kind == Uniform; }
  /// Same, or the same in each row.
  bool isConstantInRows() const { return kind != Varying && stride == 0; }
  bool operator==(const Shape &other) const {
    return kind == other.kind && stride == other.stride;
  }
};

/// Offset in the ThreadContext that an instruction loads, or -1.
int64_t contextOffset(const llvm::Instruction &load);
/// The name of the function that an instruction calls, or nothing.
llvm::StringRef calleeName(const llvm::Instruction &call);

/// The blocks in an order in which only the branch back to a loop leads to an
/// earlier one, unless loops have several ways in. Those of a loop are
/// neighbours.
std::vector<llvm::BasicBlock *> orderBlocks(llvm::Function &function,
                                            const llvm::LoopInfo &loops);

class WarpAnalysis {
public:
  /// False, with the reason in `why`, when lanes cannot run it together.
  bool run(llvm::Function &function, std::string &why);

  /// In their order.
  std::vector<llvm::BasicBlock *> blocks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> number;
  /// Blocks that some of the live lanes may not run.
  llvm::BitVector isDivergent;
  /// Headers of the loops whose last block this is, inner ones first.
  std::vector<std::vector<unsigned>> loopsThatEnd;

  const Shape &shape(const llvm::Value *value) const;
  bool isUniform(const llvm::Value *value) const {
    return shape(value).isUniform();
  }
  bool isVarying(const llvm::Value *value) const { return !isUniform(value); }
  /// The block does nothing but return.
  static bool isReturn(const llvm::BasicBlock &block);

private:
  bool numberBlocks(llvm::Function &function, std::string &why);
  void findPostDominators();
  void gatherLoops(const llvm::LoopInfo &loops);
  void propagate();
  bool raise(const llvm::Value *value, Shape shape);
  Shape transfer(const llvm::Instruction &op) const;
  Shape transferBinary(const llvm::BinaryOperator &op) const;
  Shape transferCall(const llvm::CallInst &call) const;
  Shape transferPhi(const llvm::PHINode &phi) const;
  bool diverge(unsigned block);
  bool check(std::string &why) const;
  /// Whether a warp can do it as one.
  bool isCollectiveOfAll(const llvm::CallInst &call) const;
  /// Where lanes that go on continue: not the returns of a branch that has
  /// another way.
  std::vector<unsigned> successors(unsigned block) const;

  struct LoopBlocks {
    unsigned header;
    llvm::BitVector blocks;
  };

  std::vector<int> postDominator; ///< Number of a block, or -1.
  std::vector<LoopBlocks> loops;
  llvm::BitVector hasDiverged;  ///< Blocks whose branch lanes take differently.
  llvm::BitVector joins;        ///< Lanes come from several sides.
  llvm::BitVector isLoopHeader; ///< With one way in and one way back.
  std::vector<bool> exitsDiverge; ///< By loop: lanes leave it at other times.
  llvm::DenseMap<const llvm::Value *, Shape> shapes;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_WARPANALYSIS_H
