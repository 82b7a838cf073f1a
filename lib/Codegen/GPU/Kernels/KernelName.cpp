//===- KernelName.cpp - Names kernels by what they compute ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report or a profile shows kernels by name. A named operation gives its own;
// a linalg.generic, which is what fusion leaves, is named by its body:
//
//   main_gpu0_1_3_matmul        region main_gpu0_1, kernel 3
//   main_gpu0_1_4_add_maximum   one linalg.generic with both in its body
//   main_gpu0_1_5_reduce_add
//
//===----------------------------------------------------------------------===//

#include "KernelName.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// The part of a name that lists operations is cut at this length.
static constexpr size_t kLongestList = 48;

/// "add" of arith.addf, "max" of arith.maxsi, "exp" of math.exp.
static StringRef getVerb(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (!isa<arith::ArithDialect>(op->getDialect()) || isa<arith::SelectOp>(op))
    return name;
  for (StringRef suffix : {"si", "ui", "f", "i"})
    if (name.consume_back(suffix))
      break;
  return name;
}

/// True for what a body does besides its work: to carry, convert and place
/// values.
static bool isAuxiliary(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         isa<CastOpInterface, linalg::IndexOp>(op) ||
         isa<scf::SCFDialect>(op->getDialect()) ||
         (op->getNumResults() != 0 &&
          llvm::all_of(op->getResultTypes(),
                       [](Type type) { return type.isIndex(); }));
}

/// The verbs of a body in order, without immediate repetitions.
static SmallVector<StringRef> listVerbs(linalg::LinalgOp op) {
  SmallVector<StringRef> verbs;
  op.getBlock()->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isAuxiliary(inner))
      return;
    StringRef verb = getVerb(inner);
    if (verbs.empty() || verbs.back() != verb)
      verbs.push_back(verb);
  });
  return verbs;
}

/// "add_sub_exp". The end of a long list is left out, and the name says so. No
/// part is a number, so that the kernel's number stays the last one.
static std::string joinVerbs(ArrayRef<StringRef> verbs) {
  std::string name;
  for (StringRef verb : verbs) {
    if (name.size() + verb.size() > kLongestList)
      return name.empty() ? verb.take_front(kLongestList).str()
                          : name + "_and_more";
    name += (name.empty() ? "" : "_") + verb.str();
  }
  return name;
}

/// What a body without work of its own does with its input.
static StringRef nameMove(linalg::LinalgOp op) {
  AffineMap target = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<ShapedType>(input->get().getType()) ||
        !op.payloadUsesValueFromOperand(input))
      continue;
    AffineMap source = op.getMatchingIndexingMap(input);
    if (source == target)
      return "copy";
    return source.getNumResults() < target.getNumResults() ? "broadcast"
           : source.isPermutation()                        ? "transpose"
                                                           : "copy";
  }
  return "fill";
}

/// The usual names of products.
static StringRef nameContraction(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->k.size() != 1 || dims->m.size() > 1 ||
      dims->n.size() > 1)
    return "contraction";
  bool isBatched = !dims->batch.empty();
  if (dims->m.empty() && dims->n.empty())
    return isBatched ? "batch_dot" : "dot";
  if (dims->m.empty() || dims->n.empty())
    return isBatched ? "batch_matvec" : "matvec";
  return isBatched ? "batch_matmul" : "matmul";
}

/// What a linalg.generic computes.
static std::string nameBody(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op))
    return nameContraction(op).str();
  SmallVector<StringRef> verbs = listVerbs(op);
  if (verbs == ArrayRef<StringRef>{"mul", "add"} &&
      linalg::isaConvolutionOpInterface(op))
    return "conv";
  std::string name = verbs.empty() ? nameMove(op).str() : joinVerbs(verbs);
  return (op.getNumReductionLoops() ? "reduce_" : "") + name;
}

/// The region of an operation and the number of its kernel.
static std::string getPrefix(gpu::GPUModuleOp module, linalg::LinalgOp op) {
  auto region = op->getAttrOfType<StringAttr>(kRegionAttrName);
  std::string name = region ? region.getValue().str() : "kernel";
  return name + "_" +
         llvm::utostr(llvm::range_size(module.getOps<gpu::GPUFuncOp>())) + "_";
}

/// A region is named after a function, which in MLIR may be any string; LLVM
/// does not rename what is visible, and ptxas takes C's identifiers only.
static std::string makeIdentifier(std::string name) {
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  return llvm::isDigit(name.front()) ? "_" + name : name;
}

std::string mlir::hetero::getKernelName(gpu::GPUModuleOp module,
                                        linalg::LinalgOp op,
                                        linalg::LinalgOp epilogue) {
  std::string name = getPrefix(module, op);
  name += isa<linalg::GenericOp>(op) ? nameBody(op)
                                     : op->getName().stripDialect().str();
  if (epilogue)
    name += "_" + nameBody(epilogue);
  return makeIdentifier(name);
}

std::string mlir::hetero::getRowKernelName(gpu::GPUModuleOp module,
                                           ArrayRef<linalg::LinalgOp> ops) {
  SmallVector<StringRef> verbs;
  for (linalg::LinalgOp op : ops)
    for (StringRef verb : listVerbs(op))
      if (verbs.empty() || verbs.back() != verb)
        verbs.push_back(verb);
  return makeIdentifier(getPrefix(module, ops.front()) + "rows_" +
                        joinVerbs(verbs));
}
