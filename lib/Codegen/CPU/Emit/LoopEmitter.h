//===- LoopEmitter.h - Emits loops over vectors -----------------*- C++ -*-===//
//-*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LOOPEMITTER_H
#define HETERO_CODEGEN_CPU_EMIT_LOOPEMITTER_H

#include "Codegen/CPU/Plan/ConstantPanels.h"
#include "Codegen/CPU/Plan/Epilogue.h"
#include "Codegen/CPU/Plan/VectorPlan.h"
#include "Codegen/CPU/Plan/WindowPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace mlir::hetero {

/// Emits the loops of one operation as its plan says. Values that loops carry
/// (tensors, or accumulators) are passed around as a list.
class LoopEmitter {
public:
  LoopEmitter(RewriterBase &rewriter, linalg::GenericOp op,
              const VectorPlan &plan, ArrayRef<unsigned> prefetched = {});

  /// Lets what is computed go through `epilogue`. Everything is emitted before
  /// that, and the results are the epilogue's.
  void addEpilogue(const Epilogue &epilogue);

  /// Emits everything before the operation and returns its results' values.
  SmallVector<Value> emit();

private:
  using Values = SmallVector<Value>;
  /// By operand, row, vector and iteration of the inner loop.
  using Loads =
      llvm::DenseMap<std::tuple<unsigned, int64_t, int64_t, int64_t>, Value>;
  using BodyFn = llvm::function_ref<Values(Value, Values)>;

  /// Shape of the register tile of an innermost body.
  struct TileShape {
    int64_t rows = 1;
    int64_t vectors = 1;
    int64_t lanes = 1;
    Value mask;
    /// Iterations of the inner loop.
    int64_t inner = 1;
  };
  /// One vector (or scalar) of the register tile.
  struct Cell {
    int64_t row = 0;
    int64_t vector = 0;
    int64_t lanes = 1;
    Value mask;
    int64_t inner = 0;
  };

  /// Panels that the compiler has made: all of them, what a tile and what a
  /// vector takes, and where the current block begins and its width.
  struct Prepared {
    Value panels;
    ConstantPart part;
    int64_t tileElements = 0;
    Value begin;
    int64_t width = 0;
  };
  /// An input, and how far ahead its panels are asked for.
  struct Ahead {
    unsigned input = 0;
    Value distance;
  };

  /// The side of an image that rows go along: where the first row begins, the
  /// sizes of the image, and of both loops.
  struct KnownSide {
    int64_t begin = 0, size = 0, rows = 0, steps = 0;
  };

  void startFromFills();
  OpFoldResult getStepsEnd(unsigned loop);

  // Loops.
  Values emitLoop(OpFoldResult lower, OpFoldResult upper, int64_t step,
                  Values carried, BodyFn body);
  OpFoldResult roundDown(OpFoldResult size, int64_t step);
  Values emitParallel(unsigned position, Values tensors);
  Values emitVectorSegments(
      Values carried,
      llvm::function_ref<Values(Values, const TileShape &)> body);
  Value emitTailMask(Value index, int64_t lanes);
  Values emitRowSegments(Values tensors, OpFoldResult first, OpFoldResult end,
                         llvm::function_ref<Values(Values, int64_t)> body);
  Values emitInnerLoop(Values tensors, TileShape shape);
  Values emitPasses(Values tensors);
  Values emitReductions(ArrayRef<unsigned> loops, Values carried,
                        llvm::function_ref<Values(Values)> body);

  // Groups of steps of a reduction.
  Values emitGroups(OpFoldResult first, OpFoldResult end, Values carried,
                    BodyFn body);
  OpFoldResult countGroups(OpFoldResult steps);
  OpFoldResult getGroupPlace(OpFoldResult step);
  Values forEachStep(llvm::function_ref<Value()> load);
  Value bitcast(Value vector, int64_t count, Type element);
  Value interleave(ArrayRef<Value> vectors);
  Value loadInterleaved(OpOperand *input, const Cell &cell);
  Value readWord(OpOperand *input, const Cell &cell);
  Value loadWord(OpOperand *input, const Cell &cell);
  Value collectWords(OpOperand *input, const Cell &cell);
  Value loadGroup(OpOperand *input, const Cell &cell);
  bool isFlipped(OpOperand *input) const;
  Value flip(OpOperand *input, Value vector);
  Value emitDot(const Cell &cell, Value sums);
  Value addSteps(OpOperand *input, const Cell &cell, Value mask, Value sums);
  Values sumSteps(OpOperand *input, ArrayRef<Cell> cells);
  Value correct(Value sums, Value steps);
  Values correctTile(Values accumulators, ArrayRef<Cell> cells);
  Values correctLanes(Values accumulators, const TileShape &tile);

  // Panels.
  void createPreparedPanels();
  void findPreparedBlock(const TileShape &shape);
  Value getPreparedPlace(OpOperand *input, const Cell &cell);
  Value loadPrepared(OpOperand *input, const Cell &cell);
  Value emitEmptyPanel(OpOperand *input, const TileShape &shape);
  Value emitPanel(OpOperand *input, const TileShape &shape);
  Value emitPanelBySteps(OpOperand *input, Value panel, const TileShape &shape);
  bool packsWithFirstRows();
  Values emitPackingTile(Values tensors, TileShape shape);
  Value storeStepToPanel(OpOperand *input, Value panel, const TileShape &shape);
  Values getPanelIndices(OpOperand *input, const Cell &cell);
  Value storeToPanel(OpOperand *input, Value panel, const Cell &cell);
  Value loadFromPanel(OpOperand *input, Value panel, const Cell &cell);

  // Panels of what is transposed.
  OpFoldResult countSteps(unsigned loop);
  void setGroup(unsigned loop, OpFoldResult group, int64_t offset);
  OpFoldResult getLanePlace(OpFoldResult first, int64_t lane, bool isMasked);
  Value loadWords(OpOperand *input, int64_t count);
  Value storeBlock(OpOperand *input, Value panel, const TileShape &shape,
                   OpFoldResult group, int64_t depth, Value column);
  Value storeBlocks(OpOperand *input, Value panel, const TileShape &shape,
                    int64_t depth, Value column);
  Value emitBlocks(OpOperand *input, Value panel, const TileShape &shape,
                   int64_t depth);
  Value emitTransposedPanel(OpOperand *input, Value panel,
                            const TileShape &shape);

  // Prefetching.
  int64_t countStepsOfPart(const Prepared &input);
  bool isFetchedAhead(const Prepared &input);
  void findBuffers();
  OpFoldResult countBlocksBefore(OpOperand *input);
  SmallVector<Ahead> planAhead(const TileShape &shape);
  void prefetchAhead(ArrayRef<Ahead> all);
  void prefetchForEpilogue(ArrayRef<Cell> cells);

  // Windows and borders.
  void findBorders();
  OpFoldResult clamp(OpFoldResult value, OpFoldResult lower,
                     OpFoldResult upper);
  std::pair<OpFoldResult, OpFoldResult> getSideBegin(const WindowSide &side);
  std::pair<OpFoldResult, OpFoldResult> getInnerRows(const WindowSide &side);
  std::pair<OpFoldResult, OpFoldResult> getInnerSteps(const WindowSide &side);
  const WindowSide *findOpenSide(unsigned loop);
  Values emitSideSteps(const WindowSide &side, Values carried,
                       llvm::function_ref<Values(Values)> body);
  bool isBorderNeutral();
  Value getBorderValue();
  Value getSource(OpOperand *input);
  void moveToImage(SmallVector<OpFoldResult> &places);
  Values emitSteps(unsigned loop, OpFoldResult from, OpFoldResult to,
                   Values carried, llvm::function_ref<Values(Values)> body);
  bool isStepOutside(int64_t place) const;
  Values accumulateWindow(Values accumulators, ArrayRef<Cell> cells);
  Values emitWindowVectors(Values tensors, int64_t rows);
  Values emitBorderRows(Values tensors, OpFoldResult from, OpFoldResult to);
  const WindowSide *findRowSide();
  std::optional<KnownSide> getKnownSide(const WindowSide &side);
  bool isOverBorder(const KnownSide &side, int64_t first, int64_t rows) const;
  Values emitKnownRows(const KnownSide &side, Values tensors);
  Values emitWindowRows(Values tensors);

  // Pixels at borders.
  const WindowSide *findPixelSide();
  Values emitPixelRows(Values tensors, const WindowSide &side,
                       llvm::function_ref<Values(Values, int64_t)> body);
  Values emitPixelSteps(const WindowSide &side, Values carried,
                        llvm::function_ref<Values(Values)> body);

  // Epilogues.
  void moveEpilogue();
  Value emitEpilogue(Value value, Value tensor, const Cell &cell);
  Values storeThroughEpilogue(Values accumulators, Values tensors,
                              ArrayRef<Cell> cells);
  Values emitEpilogueRow(Value row, Values tensors, ArrayRef<Cell> cells);

  // Register tiles.
  SmallVector<Cell> getCells(const TileShape &shape) const;
  Values loadTile(Values tensors, ArrayRef<Cell> cells);
  Values storeTile(Values accumulators, Values tensors, ArrayRef<Cell> cells);
  Values emitTile(Values tensors, const TileShape &shape);
  Values emitLaneReduction(Values tensors, const TileShape &tile);
  Values emitScalarStep(Values tensors, const TileShape &tile);
  Values accumulate(Values accumulators, ArrayRef<Cell> cells);
  Values accumulateLanes(Values accumulators, const TileShape &tile,
                         const TileShape &shape);
  Values reduceLanes(Values accumulators, Values tensors,
                     const TileShape &tile);

  // One cell.
  Values emitBody(const Cell &cell, ArrayRef<Value> accumulators);
  Value emitOperation(Operation *inner, const Cell &cell,
                      llvm::DenseMap<Value, Value> &values);
  Value load(OpOperand *operand, Value source, const Cell &cell);
  Value loadInit(unsigned result, Value tensor, const Cell &cell);
  Value loadLanes(OpOperand *operand, Value source, const Cell &cell);
  Value loadStrided(OpOperand *operand, Value source, const Cell &cell);
  bool isTransposedBlock(OpOperand *input, const Cell &cell);
  void loadTransposed(OpOperand *input, const Cell &cell);
  Value cachedLoad(OpOperand *input, const Cell &cell);
  Value store(OpOperand *init, Value value, Value tensor, const Cell &cell);
  Value broadcast(Value value, int64_t lanes);
  OpFoldResult getIndex(unsigned loop, const Cell &cell, int64_t lane = 0);
  Values getIndices(OpOperand *operand, const Cell &cell, int64_t lane = 0);
  Value zero(Type type);

  RewriterBase &rewriter;
  linalg::GenericOp op;
  VectorPlan plan;
  /// Inputs of an epilogue of which the register tile's rows are asked for
  /// before the sums that it follows.
  SmallVector<unsigned> prefetched;
  Location loc;
  SmallVector<OpFoldResult> sizes;
  /// The first of the steps of the outermost reduction that are done now.
  OpFoldResult firstStep;
  /// For each result the tensor that it is written to, and what all of its
  /// elements are before; null where that must be loaded.
  Values destinations, startValues;
  /// Induction variable of each loop around the insertion point.
  SmallVector<OpFoldResult> indices;
  SmallVector<unsigned> parallelLoops, reductionLoops;
  /// Packed inputs by operand, for the current block of vectors.
  llvm::DenseMap<unsigned, Value> panels;
  /// Panels that the compiler has made by operand.
  llvm::MapVector<unsigned, Prepared> prepared;
  /// What is asked for ahead of its use, by operand.
  llvm::DenseMap<unsigned, Value> buffers;
  /// Rows of the current innermost body, and those of them that the steps are
  /// not in the border for; all if there are none.
  int64_t tileRows = 1;
  SmallVector<int64_t> insideRows;
  /// Steps of the current group; the others of a group are zeros.
  int64_t groupSteps = 1;
  /// Loads of the current innermost body.
  Loads loads;
  /// What windows read without its border.
  std::optional<Border> border;
  /// The current steps are in the border; the current row is at one.
  bool isOutside = false, isAtBorder = false;
  /// Of a block of rows at a border that is known, the side and the first row.
  std::optional<std::pair<KnownSide, int64_t>> knownBlock;
  /// Steps of a window that are all in the current innermost body.
  SmallVector<int64_t> windowSteps;
  /// Emits what each register tile goes through before the next; null for none.
  std::unique_ptr<LoopEmitter> epilogue;
  std::optional<Epilogue> epilogueOf;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LOOPEMITTER_H
