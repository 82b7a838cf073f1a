//===- Libraries.cpp - Libraries as code generators -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Libraries.h"

#include "Candidate.h"
#include "Choice.h"
#include "hetero/Codegen/CPU/CPUCodegen.h"
#include "hetero/Codegen/Decompose.h"
#include "hetero/Codegen/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::hetero;

static remark::RemarkOpts remarkNamed(StringRef name) {
  return remark::RemarkOpts::name(name).category("hetero-codegen");
}

static std::optional<Candidate> match(linalg::GenericOp op) {
  if (std::optional<Candidate> product = matchProduct(op))
    return product;
  return matchConvolution(op);
}

/// Who computes a candidate.
using Chooser = llvm::function_ref<Choice(const Candidate &)>;

/// The contractions of the region that a library is to compute become calls;
/// the number of calls.
static int64_t callLibraries(ExecuteOp region, Chooser choose,
                             CodegenReport report) {
  SmallVector<linalg::GenericOp> ops;
  region->walk([&](linalg::GenericOp op) {
    if (match(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(region.getContext());
  int64_t count = 0;
  for (linalg::GenericOp op : ops) {
    // Matched again, for the calls before it have replaced operands.
    std::optional<Candidate> candidate = match(op);
    if (!candidate)
      continue;
    Location loc = op.getLoc();
    Choice choice = choose(*candidate);
    StringRef what = candidate->function == "gemm" ? "product" : "convolution";
    report(loc, what.str() + " by " + choice.generator.str() +
                    (choice.reason.empty() ? "" : ", " + choice.reason));
    if (choice.generator == kKindCodegen)
      continue;
    remark::passed(loc, remarkNamed("library")) << remark::add(
        "a {0} is a call of {1}", what.str(), choice.generator.str());
    callLibrary(rewriter, *candidate, choice.generator);
    ++count;
  }
  return count;
}

/// The chooser of a generator by its name.
static Choice choose(StringRef codegen, const Candidate &candidate) {
  if (codegen == kAuto)
    return chooseGenerator(candidate);
  if (canCall(codegen, candidate))
    return {codegen, ""};
  return {kKindCodegen, codegen.str() + " has no function for it"};
}

/// Makes the calls; the rest of the region is as it was.
static LogicalResult prepare(ExecuteOp op, StringRef codegen,
                             CodegenReport report) {
  if (op.getDevice().getKind() != kHostKind)
    return op.emitOpError("region \"")
           << op.getName() << "\" is on " << op.getDevice().str() << ", but "
           << codegen
           << " computes on the host only; place it on cpu:0 or leave codegen "
              "out";
  if (failed(decomposeRegion(op)) || failed(findPads(op)) ||
      failed(collapseLoops(op)))
    return failure();
  int64_t calls = callLibraries(
      op,
      [&](const Candidate &candidate) { return choose(codegen, candidate); },
      report);
  if (calls == 0 && codegen != kAuto)
    remark::missed(op.getLoc(), remarkNamed("library"))
        << remark::add("{0} has nothing for region {1}", codegen.str(),
                       op.getName().str())
        << remark::suggest("leave codegen out of its device");
  return success();
}

LogicalResult mlir::hetero::generateLibraryRegion(ExecuteOp op,
                                                  StringRef codegen) {
  auto ignore = [](Location, const std::string &) {};
  if (failed(prepare(op, codegen, ignore)))
    return failure();
  return generateCPURegion(op);
}

LogicalResult mlir::hetero::explainLibraryRegion(ExecuteOp op,
                                                 StringRef codegen,
                                                 CodegenReport report) {
  OpBuilder builder(op);
  auto copy = cast<ExecuteOp>(builder.clone(*op));
  LogicalResult result = prepare(copy, codegen, report);
  if (succeeded(result))
    result = explainCPURegion(copy, report);
  copy->erase();
  return result;
}

void mlir::hetero::registerLibraryGenerators(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, HeteroDialect *dialect) {
    for (StringRef codegen : {kOpenBLAS, kOneDNN, kAuto})
      TargetRegistry::get(dialect).add(
          codegen,
          [codegen](ExecuteOp op) {
            return generateLibraryRegion(op, codegen);
          },
          [codegen](ExecuteOp op, CodegenReport report) {
            return explainLibraryRegion(op, codegen, report);
          });
  });
}
