//===- CPUCodegen.h - Code generation for the host --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of generateCPURegion that only the host has, each a free function
// on its own. All of them keep the body on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_CPUCODEGEN_H
#define HETERO_CODEGEN_CPU_CPUCODEGEN_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace mlir {
class Operation;
class RewriterBase;
namespace linalg {
class GenericOp;
class LinalgOp;
} // namespace linalg
} // namespace mlir

namespace mlir::hetero {

/// As `codegen`: convolutions may round more than sums of products do.
inline constexpr llvm::StringLiteral kWinogradCodegen = "winograd";

/// What the generated code may use of the processor.
struct CPUTarget {
  int64_t vectorBits = 256;
  int64_t vectorRegisters = 16;
  /// Instructions for dot products that are worth using: AVX512_BF16 and
  /// AVX512_VNNI or AVX_VNNI.
  bool dotsBF16 = false, dotsI8 = false;

  /// The target that the module of `op` asks for.
  static CPUTarget get(Operation *op);
};

/// Takes each linalg.softmax apart, with a product where upstream divides.
LogicalResult decomposeSoftmax(Operation *root);

/// Lets the products of softmax with a matrix be multiplied by the reciprocals
/// of the sums, instead of softmax's elements.
LogicalResult normalizeProducts(Operation *root);

/// Makes a tensor.pad of a fill and an insertion, so that tiles can share it.
LogicalResult findPads(Operation *root);

/// Puts the channels of images last where convolutions and what is around them
/// are faster for it, transpositions included.
LogicalResult moveChannelsLast(Operation *root);

/// The same without costs: `choose` is true for channels last, and asked once
/// for each operation on images, twice for a convolution. Whatever it says,
/// results are the same.
void moveChannelsAnywhere(Operation *root, llvm::function_ref<bool()> choose);

/// Makes one loop of those of contractions that all operands follow alike, and
/// of the operations around them.
LogicalResult collapseLoops(Operation *root);

/// Computes sums of products with constants in an order of the result's
/// dimensions in which the constants fill the vectors, where the elements that
/// are next to each other in the result do not.
LogicalResult moveFiltersToLanes(Operation *root);

/// Computes convolutions of a region whose device has `codegen = "winograd"`
/// with fewer products and more rounding, where that is faster by estimate.
LogicalResult applyWinograd(Operation *root);

/// Makes one loop of those along a row of a window and over the channels, where
/// the channels of an image are next to each other.
LogicalResult collapseWindows(Operation *root);

/// Makes one loop of those of elementwise operations that read something in
/// another order than they write.
LogicalResult collapseTransposes(Operation *root);

/// Tiles each group of operations that can share tiles with an `scf.forall`,
/// unless the group is too small to be worth a second thread.
LogicalResult tileCPURegion(Operation *root);

/// Replaces each tensor.pad by fills of its borders.
LogicalResult expandPads(Operation *root);

/// The steps before vectorizeCPURegion: those above, and those that other kinds
/// have, too.
LogicalResult prepareCPURegion(Operation *root);

/// Generates the code of all regions that have been prepared. What several of
/// them have in common, or one has several times, is a function of its own that
/// hetero.invoke calls.
LogicalResult generatePreparedRegions(ModuleOp module);

/// The steps behind prepareCPURegion for one region.
LogicalResult vectorizePreparedRegion(ExecuteOp op);

/// Reports for each operation that generateCPURegion makes of the region's body
/// how it is tiled and vectorized, and why. The region stays as it is. `before`
/// may change the copy of it that is looked at first.
LogicalResult
explainCPURegion(ExecuteOp region,
                 llvm::function_ref<void(Location, const std::string &)> report,
                 llvm::function_ref<LogicalResult(ExecuteOp)> before = nullptr);

/// Code generation for a cpu region with Winograd's algorithm.
LogicalResult generateWinogradRegion(ExecuteOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_CPUCODEGEN_H
