//===- BufferizableOpInterfaceImpl.cpp - How copies bufferize -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// hetero.copy becomes an allocation in the destination's memory space and a
// memref.copy across memory spaces, which keeps the value's name:
//
//   %1 = hetero.copy %0 : tensor<4xf32> -> tensor<4xf32, gpu:0>
//     ->
//   %1 = memref.alloc() : memref<4xf32, gpu:0>
//   memref.copy %0, %1 {hetero.value = "%arg0"}
//
// On a unified link (`hetero.unified`) it becomes another name of the buffer,
// and the analysis finds out whether one side may overwrite it:
//
//   %1 = memref.memory_space_cast %0 : memref<4xf32> to memref<4xf32, gpu:0>
//
// hetero.library_call and hetero.invoke write to the buffers of their
// destinations.
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Buffers/BufferizableOpInterfaceImpl.h"

#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::bufferization;

namespace {
struct CopyOpInterface
    : public BufferizableOpInterface::ExternalModel<CopyOpInterface, CopyOp> {
  static bool isAlias(Operation *op) { return op->hasAttr(kUnifiedAttrName); }

  bool bufferizesToMemoryRead(Operation *op, OpOperand &,
                              const AnalysisState &) const {
    return !isAlias(op);
  }

  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }

  bool bufferizesToAllocation(Operation *op, Value) const {
    return !isAlias(op);
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    if (!isAlias(op))
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }

  FailureOr<BufferLikeType> getBufferType(Operation *op, Value value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &state,
                                          SmallVector<Value> &stack) const {
    auto type = cast<RankedTensorType>(value.getType());
    if (isAlias(op)) {
      FailureOr<BufferLikeType> source = bufferization::getBufferType(
          cast<CopyOp>(op).getSource(), options, state, stack);
      if (failed(source))
        return failure();
      return cast<BufferLikeType>(static_cast<Type>(
          onDevice(cast<MemRefType>(*source), type.getEncoding())));
    }
    return cast<BufferLikeType>(static_cast<Type>(
        getMemRefTypeWithStaticIdentityLayout(type, type.getEncoding())));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto copy = cast<CopyOp>(op);
    Location loc = op->getLoc();
    FailureOr<Value> source =
        getBuffer(rewriter, copy.getSource(), options, state);
    if (failed(source))
      return failure();
    if (isAlias(op)) {
      auto type =
          onDevice(cast<MemRefType>(source->getType()),
                   cast<RankedTensorType>(copy.getType()).getEncoding());
      replaceOpWithNewBufferizedOp<memref::MemorySpaceCastOp>(rewriter, op,
                                                              type, *source);
      return success();
    }
    auto tensorType = cast<RankedTensorType>(copy.getType());
    auto type =
        MemRefType::get(tensorType.getShape(), tensorType.getElementType(),
                        MemRefLayoutAttrInterface(), tensorType.getEncoding());
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        sizes.push_back(memref::DimOp::create(rewriter, loc, *source, i));
    FailureOr<Value> buffer = options.createAlloc(rewriter, loc, type, sizes);
    if (failed(buffer))
      return failure();
    auto memcpy = memref::CopyOp::create(rewriter, loc, *source, *buffer);
    if (Attribute name = op->getAttr(kValueAttrName))
      memcpy->setAttr(kValueAttrName, name);
    replaceOpWithBufferizedValues(rewriter, op, *buffer);
    return success();
  }

private:
  static MemRefType onDevice(MemRefType type, Attribute device) {
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout(), device);
  }
};

/// The buffer of a tensor, or what else an operand is.
static FailureOr<Value> getOperandBuffer(RewriterBase &rewriter, Value operand,
                                         const BufferizationOptions &options,
                                         const BufferizationState &state) {
  if (!isa<TensorType>(operand.getType()))
    return operand;
  return getBuffer(rewriter, operand, options, state);
}

struct LibraryCallOpInterface
    : public DstBufferizableOpInterfaceExternalModel<LibraryCallOpInterface,
                                                     LibraryCallOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto call = cast<LibraryCallOp>(op);
    return call.isDpsInput(&operand) || call.getAccumulate();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto call = cast<LibraryCallOp>(op);
    SmallVector<Value> inputs, outputs;
    auto add = [&](OperandRange operands, SmallVector<Value> &buffers) {
      for (Value operand : operands) {
        FailureOr<Value> buffer =
            getOperandBuffer(rewriter, operand, options, state);
        if (failed(buffer))
          return failure();
        buffers.push_back(*buffer);
      }
      return success();
    };
    if (failed(add(call.getInputs(), inputs)) ||
        failed(add(call.getOutputs(), outputs)))
      return failure();
    auto onBuffers = LibraryCallOp::create(
        rewriter, op->getLoc(), TypeRange(), call.getLibrary(),
        call.getFunction(), inputs, outputs, call.getOrders(),
        call.getAccumulate(), call.getParameters(), call.getConstants());
    // The device, its unit and the region.
    onBuffers->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    replaceOpWithBufferizedValues(rewriter, op, outputs);
    return success();
  }
};

/// Kernels take buffers whose elements are next to each other. Codegen calls
/// them with no others; a view in a program that was written by hand is copied.
struct InvokeOpInterface
    : public DstBufferizableOpInterfaceExternalModel<InvokeOpInterface,
                                                     InvokeOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto call = cast<InvokeOp>(op);
    auto kernel = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        op, call.getKernelAttr());
    SmallVector<Value> operands, passed, buffers;
    for (auto [operand, type] :
         llvm::zip(call->getOperands(), kernel.getArgumentTypes())) {
      FailureOr<Value> buffer =
          getOperandBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
      FailureOr<Value> whole = makeWhole(rewriter, *buffer, options);
      if (failed(whole))
        return failure();
      operands.push_back(*whole);
      passed.push_back(forgetSizes(rewriter, *whole, type));
    }
    unsigned inputs = call.getInputs().size();
    InvokeOp::create(rewriter, op->getLoc(), TypeRange(), call.getKernelAttr(),
                     ArrayRef(passed).take_front(inputs),
                     ArrayRef(passed).drop_front(inputs));
    for (unsigned i = inputs; i < operands.size(); ++i)
      if (operands[i] != buffers[i] &&
          failed(options.createMemCpy(rewriter, op->getLoc(), operands[i],
                                      buffers[i])))
        return failure();
    replaceOpWithBufferizedValues(rewriter, op,
                                  ArrayRef(buffers).drop_front(inputs));
    return success();
  }

private:
  /// The buffer with the sizes that the kernel's argument says: a value may
  /// have more of them.
  static Value forgetSizes(RewriterBase &rewriter, Value buffer,
                           Type argument) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    auto declared = dyn_cast<ShapedType>(argument);
    if (!type || !declared || type.getShape() == declared.getShape())
      return buffer;
    auto cast = MemRefType::Builder(type).setShape(declared.getShape());
    return memref::CastOp::create(rewriter, buffer.getLoc(), MemRefType(cast),
                                  buffer);
  }

  /// The buffer, or a copy of one that is a view.
  static FailureOr<Value> makeWhole(RewriterBase &rewriter, Value buffer,
                                    const BufferizationOptions &options) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || type.getLayout().isIdentity())
      return buffer;
    Location loc = buffer.getLoc();
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        sizes.push_back(memref::DimOp::create(rewriter, loc, buffer, i));
    auto whole =
        MemRefType::get(type.getShape(), type.getElementType(),
                        MemRefLayoutAttrInterface(), type.getMemorySpace());
    FailureOr<Value> copy = options.createAlloc(rewriter, loc, whole, sizes);
    if (failed(copy) ||
        failed(options.createMemCpy(rewriter, loc, buffer, *copy)))
      return failure();
    return copy;
  }
};
} // namespace

void mlir::hetero::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, HeteroDialect *) {
    CopyOp::attachInterface<CopyOpInterface>(*context);
    InvokeOp::attachInterface<InvokeOpInterface>(*context);
    LibraryCallOp::attachInterface<LibraryCallOpInterface>(*context);
  });
}
