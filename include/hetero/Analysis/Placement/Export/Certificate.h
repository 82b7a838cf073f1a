//===- Certificate.h - A placement and its proof as a file ---- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `scripts/check-certificate` reads: the problem, where everything stands,
// what that costs, and why nothing costs less than the bound.
// docs/Design/Placement.md describes it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPORT_CERTIFICATE_H
#define HETERO_ANALYSIS_PLACEMENT_EXPORT_CERTIFICATE_H

#include "hetero/Analysis/Placement/Placement.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::hetero {
struct PlacementSolution;

/// Prints the certificate of a placement that was decided by cost.
void printCertificate(const PlacementSolution &solution,
                      const PlacementPrice &price, llvm::raw_ostream &stream);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPORT_CERTIFICATE_H
