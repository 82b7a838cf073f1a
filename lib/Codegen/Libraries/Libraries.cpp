//===- Libraries.cpp - Libraries as code generators -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Libraries/Libraries.h"

#include "BLAS.h"
#include "Choice.h"
#include "Codegen/CPU/CPUCodegen.h"
#include "Codegen/CPU/ExplainStrategy.h"
#include "Codegen/CPU/Layout/MoveChannelsLast.h"
#include "Codegen/CPU/Prepare/CollapseLoops.h"
#include "Codegen/CPU/Prepare/Pads.h"
#include "Codegen/CPU/Prepare/Softmax.h"
#include "Convolution.h"
#include "TimedLocations.h"
#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Codegen/Decompose/Decompose.h"
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

namespace {
/// What a name in `codegen` stands for.
struct Generator {
  StringRef codegen;
  /// Null for the choice between generated code and what there is.
  StringRef library;
  bool isOnDevice = false;
  /// f32 may be rounded to tf32.
  bool mayRound = false;
};
} // namespace

/// A name after which the permission to round may stand.
static Generator getGenerator(StringRef codegen) {
  Generator generator{codegen, codegen};
  generator.mayRound = generator.library.consume_back(kMayRound);
  generator.isOnDevice =
      generator.library == kCUBLAS || generator.library == kCUDNN;
  if (codegen == kAuto)
    generator.library = "";
  return generator;
}

/// Who computes a candidate.
static Choice choose(const Generator &generator, const Candidate &candidate,
                     Location loc, bool isHost) {
  if (generator.library.empty())
    return chooseGenerator(candidate, getMeasuredTimes(loc), !isHost);
  if (canCall(generator.library, candidate))
    return {generator.library, ""};
  return {kKindCodegen, generator.library.str() + " has no function for it"};
}

/// Tells a call on a device whether it may round.
static void allowRounding(Candidate &candidate, StringRef library,
                          bool mayRound) {
  constexpr int64_t kRelu = 1, kRounds = 2;
  if (library == kCUBLAS)
    candidate.parameters = {mayRound};
  else if (mayRound)
    candidate.parameters[kRelu] += kRounds;
}

/// The contractions of the region that a library is to compute become calls;
/// the number of calls.
static int64_t callLibraries(ExecuteOp region, const Generator &generator,
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
    bool isHost = region.getDevice().getKind() == kHostKind;
    Choice choice = choose(generator, *candidate, loc, isHost);
    StringRef what = candidate->function == "gemm" ? "product" : "convolution";
    report(loc, what.str() + " by " + choice.generator.str() +
                    (choice.reason.empty() ? "" : ", " + choice.reason));
    if (choice.generator == kKindCodegen)
      continue;
    remark::passed(loc, remarkNamed("library")) << remark::add(
        "a {0} is a call of {1}", what.str(), choice.generator.str());
    if (!isHost)
      allowRounding(*candidate, choice.generator, generator.mayRound);
    callLibrary(rewriter, *candidate, choice.generator);
    ++count;
  }
  return count;
}

/// Fails where the library does not compute on the region's device.
static LogicalResult checkDevice(ExecuteOp op, const Generator &generator) {
  DeviceAttr device = op.getDevice();
  bool isHost = device.getKind() == kHostKind;
  const DeviceKind *kind = lookupDeviceKind(op.getContext(), device.getKind());
  bool isGPU = kind && kind->getBackend() == KindBackend::Cuda;
  if (generator.library.empty() ? isHost || isGPU
      : generator.isOnDevice    ? isGPU
                                : isHost)
    return success();
  return op.emitOpError("region \"")
         << op.getName() << "\" is on " << device.str() << ", but "
         << generator.codegen << " computes on "
         << (generator.isOnDevice ? "gpus" : "the host")
         << " only; place it on " << (generator.isOnDevice ? "gpu:0" : "cpu:0")
         << " or leave codegen out";
}

/// Makes the calls; the rest of the region is as it was.
static LogicalResult prepare(ExecuteOp op, const Generator &generator,
                             CodegenReport report) {
  bool isHost = op.getDevice().getKind() == kHostKind;
  if (failed(checkDevice(op, generator)) ||
      (isHost && failed(decomposeSoftmax(op))) || failed(decomposeRegion(op)) ||
      failed(findPads(op)))
    return failure();
  // Where generated code is a choice, images are in the order that it likes.
  bool hasChoice = generator.library.empty();
  if (isHost && ((hasChoice && failed(moveChannelsLast(op))) ||
                 failed(collapseLoops(op))))
    return failure();
  int64_t calls = callLibraries(op, generator, report);
  if (calls == 0 && !generator.library.empty())
    remark::missed(op.getLoc(), remarkNamed("library"))
        << remark::add("{0} has nothing for region {1}",
                       generator.library.str(), op.getName().str())
        << remark::suggest("leave codegen out of its device");
  return success();
}

LogicalResult mlir::hetero::generateLibraryRegion(ExecuteOp op,
                                                  StringRef codegen) {
  auto ignore = [](Location, const std::string &) {};
  LogicalResult prepared = prepare(op, getGenerator(codegen), ignore);
  dropMeasuredTimes(op);
  if (failed(prepared))
    return failure();
  const DeviceKind *kind =
      lookupDeviceKind(op.getContext(), op.getDevice().getKind());
  return kind->generateRegion(op);
}

LogicalResult mlir::hetero::explainLibraryRegion(ExecuteOp op,
                                                 StringRef codegen,
                                                 CodegenReport report) {
  Generator generator = getGenerator(codegen);
  auto makeCalls = [&](ExecuteOp copy) {
    return prepare(copy, generator, report);
  };
  if (op.getDevice().getKind() == kHostKind)
    return explainCPURegion(op, report, makeCalls);
  OpBuilder builder(op);
  auto copy = cast<ExecuteOp>(builder.clone(*op));
  LogicalResult result = makeCalls(copy);
  copy->erase();
  return result;
}

void mlir::hetero::registerLibraryGenerators(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, HeteroDialect *dialect) {
    SmallVector<std::string> names{kOpenBLAS.str(), kOneDNN.str(), kAuto.str()};
    for (StringRef library : {kCUBLAS, kCUDNN}) {
      names.push_back(library.str());
      names.push_back((library + kMayRound).str());
    }
    for (const std::string &name : names)
      TargetRegistry::get(dialect).add(
          name,
          [name](ExecuteOp op) { return generateLibraryRegion(op, name); },
          [name](ExecuteOp op, CodegenReport report) {
            return explainLibraryRegion(op, name, report);
          });
  });
}
