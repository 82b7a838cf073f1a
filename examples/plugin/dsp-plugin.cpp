//===- dsp-plugin.cpp - A kind, a code generator: a plugin of the tools ---===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `--load-dialect-plugin` of hetero-opt, hetero-run and hetero-compile
// takes. It registers
//
//  * the kind `dsp`, whose regions are each one call of a C function, which
//  gets
//    what to compute as a list of numbers;
//  * `codegen = "vendor"` for the host, which has products computed by a
//    library, and leaves the rest to the host's own code generator.
//
// dsp-library.c has the functions, which programs call when they run. So
//
//   %0 = linalg.mul ins(%a, %b) ...
//   %1 = linalg.add ins(%0, %a) ...
//
// in a region of dsp:0 becomes
//
//   %1 = hetero.library_call "dsp" "run" ins(%a, %b) outs(%e)
//       {parameters = array<i64: 2, 1, 0, 1, 2, -1, 0, -2>, ...}
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

/// Each operand's dimensions in their order.
static ArrayAttr ordersOf(Builder &builder, ValueRange operands) {
  SmallVector<Attribute> orders;
  for (Value operand : operands)
    orders.push_back(builder.getDenseI64ArrayAttr(llvm::to_vector(
        llvm::seq<int64_t>(cast<ShapedType>(operand.getType()).getRank()))));
  return builder.getArrayAttr(orders);
}

//===----------------------------------------------------------------------===//
// The kind
//===----------------------------------------------------------------------===//

/// The operations of the processor; dsp-library.c knows them too.
enum Opcode : int64_t { Constant = 0, Multiply = 1, Add = 2, None = 3 };

static Opcode opcodeOf(Operation &op) {
  return isa<arith::ConstantOp>(op) ? Constant
         : isa<arith::MulFOp>(op)   ? Multiply
         : isa<arith::AddFOp>(op)   ? Add
                                    : None;
}

namespace {
/// A region as numbers: how many operations, three words for each, and which
/// values are results. A value is an input, from 0, or the result of an
/// operation, from -1 downwards.
class DspProgram {
public:
  /// What the operation computes for each element.
  void add(linalg::LinalgOp op) {
    for (OpOperand &operand : op->getOpOperands())
      if (op.payloadUsesValueFromOperand(&operand))
        numbers[op.getMatchingBlockArgument(&operand)] = read(operand.get());
    for (Operation &inner : op.getBlock()->without_terminator())
      numbers[inner.getResult(0)] = add(inner);
    for (auto [result, value] : llvm::zip(
             op->getResults(), op.getBlock()->getTerminator()->getOperands()))
      numbers[result] = numbers.lookup(value);
  }
  void addResult(Value value) { results.push_back(read(value)); }

  bool isEmpty() const { return code.empty(); }
  ArrayRef<Value> getInputs() const { return inputs; }
  SmallVector<int64_t> getWords() const {
    SmallVector<int64_t> words = {static_cast<int64_t>(code.size() / 3)};
    words.append(code);
    words.append(results);
    return words;
  }

private:
  int64_t read(Value value) {
    auto [it, isNew] = numbers.try_emplace(value, inputs.size());
    if (isNew)
      inputs.push_back(value);
    return it->second;
  }

  int64_t add(Operation &op) {
    Opcode opcode = opcodeOf(op);
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto value = cast<FloatAttr>(constant.getValue()).getValue();
      int64_t bits = value.bitcastToAPInt().getZExtValue();
      code.append({opcode, bits, 0});
    } else {
      code.append({opcode, numbers.lookup(op.getOperand(0)),
                   numbers.lookup(op.getOperand(1))});
    }
    return -static_cast<int64_t>(code.size() / 3);
  }

  SmallVector<Value> inputs;
  SmallVector<int64_t> code, results;
  llvm::DenseMap<Value, int64_t> numbers;
};

/// Multiplies and adds f32 elements.
class DspKind : public hetero::DeviceKind {
public:
  DspKind() : DeviceKind("dsp") {
    capabilities.hasElementType = [](Type type) { return type.isF32(); };
    capabilities.hasScalarOp = [](Operation &op) {
      return opcodeOf(op) != None;
    };
    capabilities.hasTensorOp = hetero::isNoWork;
    capabilities.hasReductions = false;
  }

  LogicalResult canRun(Operation *op, std::string &reason) const override {
    if (failed(hetero::checkCapabilities(op, getName(), capabilities, reason)))
      return failure();
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured)
      return success();
    if (isElementByElement(structured))
      return success();
    reason = "a dsp takes tensors of one shape, element by element";
    return failure();
  }

  LogicalResult generateRegion(hetero::ExecuteOp region) const override;

private:
  /// Nothing from elsewhere, neither of other elements nor scalars.
  static bool isElementByElement(linalg::LinalgOp op) {
    bool isClosed = true;
    op.getBlock()->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        isClosed &= operand.getParentBlock() == op.getBlock();
    });
    return isClosed &&
           llvm::all_of(op->getOperandTypes(),
                        llvm::IsaPred<RankedTensorType>) &&
           llvm::all_of(op.getIndexingMapsArray(),
                        [](AffineMap map) { return map.isIdentity(); });
  }

  hetero::KernelCapabilities capabilities;
};
} // namespace

/// Where a result goes, of the sizes of `like`.
static Value makeDestination(OpBuilder &builder, Value result, Value like) {
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(tensor::DimOp::create(builder, result.getLoc(), like, i));
  return tensor::EmptyOp::create(builder, result.getLoc(), type, sizes);
}

LogicalResult DspKind::generateRegion(hetero::ExecuteOp region) const {
  Block &body = *region.getBodyBlock();
  DspProgram program;
  SmallVector<Operation *> done;
  for (auto op : body.getOps<linalg::LinalgOp>()) {
    program.add(op);
    done.push_back(op);
  }
  if (program.isEmpty())
    return success();
  // What the region gives back and one of them has made.
  OpBuilder builder(body.getTerminator());
  SmallVector<OpOperand *> uses;
  SmallVector<Value> operands, destinations;
  SmallVector<Type> types;
  for (OpOperand &use : body.getTerminator()->getOpOperands())
    if (llvm::is_contained(done, use.get().getDefiningOp())) {
      uses.push_back(&use);
      types.push_back(use.get().getType());
      program.addResult(use.get());
    }
  operands.assign(program.getInputs().begin(), program.getInputs().end());
  if (operands.empty() || uses.empty())
    return region.emitOpError("expected tensors that \"")
           << region.getName()
           << "\" reads and makes; place what is constant on the host";
  for (OpOperand *use : uses)
    destinations.push_back(makeDestination(builder, use->get(), operands[0]));
  size_t numInputs = operands.size();
  operands.append(destinations);
  auto call = hetero::LibraryCallOp::create(
      builder, region.getLoc(), types, "dsp", "run",
      ArrayRef(operands).take_front(numInputs), destinations,
      ordersOf(builder, operands), /*accumulate=*/false, program.getWords(),
      /*constants=*/ArrayRef<int64_t>());
  for (auto [use, result] : llvm::zip(uses, call.getResults()))
    use->set(result);
  for (Operation *op : llvm::reverse(done))
    op->erase();
  // Destinations that nobody writes any more.
  SmallVector<Operation *> rest;
  for (Operation &op : body.without_terminator())
    rest.push_back(&op);
  for (Operation *op : llvm::reverse(rest))
    if (isOpTriviallyDead(op))
      op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The code generator
//===----------------------------------------------------------------------===//

/// Whether the library has a function for it: f32, rows by columns.
static bool isProduct(linalg::MatmulOp op) {
  return !op.hasUserDefinedMaps() &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           return getElementTypeOrSelf(type).isF32();
         });
}

/// A call of the library, or where the program does not find it, as it was.
static void callVendor(linalg::MatmulOp op) {
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  Value has = hetero::HasLibraryOp::create(rewriter, loc, rewriter.getI1Type(),
                                           "vendor");
  auto choice = scf::IfOp::create(rewriter, loc, op->getResultTypes(), has,
                                  /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  auto call = hetero::LibraryCallOp::create(
      rewriter, loc, op->getResultTypes(), "vendor", "gemm", op.getInputs(),
      op.getOutputs(), ordersOf(rewriter, op->getOperands()),
      /*accumulate=*/true, /*parameters=*/ArrayRef<int64_t>(),
      /*constants=*/ArrayRef<int64_t>());
  scf::YieldOp::create(rewriter, loc, call.getResults());
  rewriter.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(rewriter, loc, rewriter.clone(*op)->getResults());
  rewriter.replaceOp(op, choice.getResults());
}

static LogicalResult generateVendorRegion(hetero::ExecuteOp region) {
  hetero::DeviceAttr device = region.getDevice();
  if (device.getKind() != hetero::kHostKind)
    return region.emitOpError("region \"")
           << region.getName() << "\" is on " << device.str()
           << ", but vendor computes on the host only; place it on cpu:0 or "
              "leave codegen out";
  SmallVector<linalg::MatmulOp> products;
  region->walk([&](linalg::MatmulOp op) {
    if (isProduct(op))
      products.push_back(op);
  });
  llvm::for_each(products, callVendor);
  return hetero::lookupDeviceKind(region.getContext(), hetero::kHostKind)
      ->generateRegion(region);
}

/// For --hetero-explain-codegen.
static LogicalResult explainVendorRegion(hetero::ExecuteOp region,
                                         hetero::CodegenReport report) {
  region->walk([&](linalg::MatmulOp op) {
    if (isProduct(op))
      report(op.getLoc(), "product by vendor");
  });
  return success();
}

//===----------------------------------------------------------------------===//
// The plugin
//===----------------------------------------------------------------------===//

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "dsp", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) {
            hetero::registerDeviceKind<DspKind>(*registry);
            registry->addExtension(
                +[](MLIRContext *, hetero::HeteroDialect *dialect) {
                  hetero::TargetRegistry::get(dialect).add(
                      "vendor", generateVendorRegion, explainVendorRegion);
                });
          }};
}

/// What `--load-pass-plugin` takes: passes for --target-pipeline, here some of
/// upstream's.
extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "dsp", LLVM_VERSION_STRING,
          [] { registerTransformsPasses(); }};
}
