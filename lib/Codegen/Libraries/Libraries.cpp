//===- Libraries.cpp - Libraries as code generators -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Libraries.h"

#include "Candidate.h"
#include "hetero/Codegen/CPU/CPUCodegen.h"
#include "hetero/Codegen/Decompose.h"
#include "hetero/Codegen/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if the library has the candidate's function for its element type.
static bool canCall(StringRef library, const Candidate &candidate) {
  Type type = getElementTypeOrSelf(candidate.init);
  return type.isF32() || (type.isF64() && library == kOpenBLAS);
}

static remark::RemarkOpts remarkNamed(StringRef name) {
  return remark::RemarkOpts::name(name).category("hetero-codegen");
}

/// The contractions of the region that a library computes become calls; their
/// number.
static int64_t callLibraries(ExecuteOp region, StringRef library) {
  SmallVector<linalg::GenericOp> ops;
  region->walk([&](linalg::GenericOp op) {
    if (matchProduct(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(region.getContext());
  int64_t count = 0;
  for (linalg::GenericOp op : ops) {
    // Matched again, for the calls before it have replaced operands.
    std::optional<Candidate> candidate = matchProduct(op);
    if (!candidate || !canCall(library, *candidate))
      continue;
    remark::passed(op.getLoc(), remarkNamed("library"))
        << remark::add("a product is a call of {0}", library.str());
    callLibrary(rewriter, *candidate, library);
    ++count;
  }
  return count;
}

LogicalResult mlir::hetero::generateLibraryRegion(ExecuteOp op,
                                                  StringRef library) {
  if (op.getDevice().getKind() != kHostKind)
    return op.emitOpError("region \"")
           << op.getName() << "\" is on " << op.getDevice().str() << ", but "
           << library
           << " computes on the host only; place it on cpu:0 or leave codegen "
              "out";
  if (failed(decomposeRegion(op)) || failed(collapseLoops(op)))
    return failure();
  if (callLibraries(op, library) == 0)
    remark::missed(op.getLoc(), remarkNamed("library"))
        << remark::add("{0} has nothing for region {1}", library.str(),
                       op.getName().str())
        << remark::suggest("leave codegen out of its device");
  return generateCPURegion(op);
}

void mlir::hetero::registerLibraryGenerators(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, HeteroDialect *dialect) {
    for (StringRef library : {kOpenBLAS, kOneDNN})
      TargetRegistry::get(dialect).add(
          library, [library = library.str()](ExecuteOp op) {
            return generateLibraryRegion(op, library);
          });
  });
}
