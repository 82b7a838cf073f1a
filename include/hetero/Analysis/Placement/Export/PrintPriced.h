//===- PrintPriced.h - A problem and its solution as JSON -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Visualizer.md describes what is printed.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPORT_PRINTPRICED_H
#define HETERO_ANALYSIS_PLACEMENT_EXPORT_PRINTPRICED_H

#include "hetero/Analysis/Placement/Export/ExportedPlacement.h"
#include "llvm/Support/JSON.h"

namespace mlir::hetero {

/// Print the attributes of an object that is open.
void printProblem(llvm::json::OStream &json, const PlacementProblem &problem);
void printSolution(llvm::json::OStream &json, const PricedSolution &solution);
/// The copies of constants that are streamed, by the read that has each.
void printStreams(llvm::json::OStream &json,
                  ArrayRef<StreamedConstants> streams);
/// Spans of reads are printed relative to the node that reads.
void printMemory(llvm::json::OStream &json, const PlacementProblem &problem);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPORT_PRINTPRICED_H
