//===- PropagateStatus.cpp - Checks the status of every runtime call ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code has no exceptions: a runtime call that fails returns a status, and
// every function on the way up returns it in turn, until the entry point, whose
// frame frees what is left.
//
//   llvm.func @f() -> !desc {
//     %s = llvm.call @heteroAlloc(...) {hetero.checked} : ... -> i32
//     ...
//     llvm.return %d : !desc
//   }
//     ->
//   llvm.func @f() -> !llvm.struct<(i32, !desc)> {
//     %s = llvm.call @heteroAlloc(...)
//     %failed = llvm.icmp "ne" %s, %zero
//     llvm.cond_br %failed, ^failure(%s : i32), ^next
//   ^next: ...
//     llvm.return {0, %d}
//   ^failure(%status: i32):
//     llvm.return {%status, poison}
//   }
//
//===----------------------------------------------------------------------===//

#include "PropagateStatus.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Rewrites the functions of one module.
class StatusPropagation {
public:
  explicit StatusPropagation(ModuleOp module)
      : module(module), builder(module.getContext()) {}

  void run() {
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal())
        functions.push_back(function);
    for (LLVM::LLVMFuncOp function : functions)
      if (!function->hasAttr(kLoopBodyAttrName))
        original[function.getSymName()] =
            function.getFunctionType().getReturnType();
    for (LLVM::LLVMFuncOp function : functions)
      rewriteFunction(function);
  }

private:
  /// i32 for a function without result, else a struct with the status first.
  Type withStatus(Type result) {
    Type status = builder.getI32Type();
    if (isa<LLVM::LLVMVoidType>(result))
      return status;
    return LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                            {status, result});
  }

  /// The value that returns `status` and, where the function has one, `result`.
  Value packResult(Location loc, Type type, Value status, Value result) {
    if (!isa<LLVM::LLVMStructType>(type) || type == status.getType())
      return status;
    Value pack = LLVM::PoisonOp::create(builder, loc, type);
    pack = LLVM::InsertValueOp::create(builder, loc, pack, status,
                                       ArrayRef<int64_t>{0});
    if (result)
      pack = LLVM::InsertValueOp::create(builder, loc, pack, result,
                                         ArrayRef<int64_t>{1});
    return pack;
  }

  void rewriteFunction(LLVM::LLVMFuncOp function) {
    bool isLoopBody = function->hasAttr(kLoopBodyAttrName);
    SmallVector<LLVM::CallOp> calls;
    SmallVector<LLVM::ReturnOp> returns;
    function.walk([&](Operation *op) {
      if (auto call = dyn_cast<LLVM::CallOp>(op))
        calls.push_back(call);
      else if (auto ret = dyn_cast<LLVM::ReturnOp>(op))
        returns.push_back(ret);
    });
    Type result = builder.getI32Type();
    if (!isLoopBody) {
      result = withStatus(function.getFunctionType().getReturnType());
      function.setFunctionType(LLVM::LLVMFunctionType::get(
          result, function.getFunctionType().getParams()));
      // Attributes of the old result do not fit the new one.
      function.removeResAttrsAttr();
      for (LLVM::ReturnOp ret : returns)
        rewriteReturn(ret, result);
    }
    Block *failure = nullptr;
    // From the end: each check moves what follows it to a block of its own.
    for (LLVM::CallOp call : llvm::reverse(calls))
      rewriteCall(call, function, result, failure);
  }

  void rewriteReturn(LLVM::ReturnOp ret, Type result) {
    builder.setInsertionPoint(ret);
    Value zero = LLVM::ConstantOp::create(builder, ret.getLoc(),
                                          builder.getI32IntegerAttr(0));
    Value value = ret.getNumOperands() ? ret.getOperand(0) : Value();
    Value pack = packResult(ret.getLoc(), result, zero, value);
    ret->setOperands(pack);
  }

  void rewriteCall(LLVM::CallOp call, LLVM::LLVMFuncOp function, Type result,
                   Block *&failure) {
    std::optional<StringRef> callee = call.getCallee();
    if (!callee)
      return;
    if (call->hasAttr(kCheckedAttrName)) {
      call->removeAttr(kCheckedAttrName);
      check(call, call.getResult(), function, result, failure);
      return;
    }
    auto it = original.find(*callee);
    if (it == original.end())
      return;
    builder.setInsertionPoint(call);
    Type returned = withStatus(it->second);
    auto replacement =
        LLVM::CallOp::create(builder, call.getLoc(), TypeRange(returned),
                             call.getCalleeAttr(), call.getCalleeOperands());
    Value status = replacement.getResult();
    if (returned != status.getType() || isa<LLVM::LLVMStructType>(returned)) {
      Value pack = replacement.getResult();
      status = LLVM::ExtractValueOp::create(builder, call.getLoc(), pack, 0);
      Value value =
          LLVM::ExtractValueOp::create(builder, call.getLoc(), pack, 1);
      call.getResult().replaceAllUsesWith(value);
    }
    Operation *last = call->getPrevNode();
    call->erase();
    check(last, status, function, result, failure);
  }

  /// Branches to the function's failure block after `op` unless the status is
  /// zero.
  void check(Operation *op, Value status, LLVM::LLVMFuncOp function,
             Type result, Block *&failure) {
    Location loc = op->getLoc();
    Block *next = op->getBlock()->splitBlock(std::next(op->getIterator()));
    if (!failure)
      failure = createFailureBlock(function, result);
    builder.setInsertionPointAfter(op);
    Value zero =
        LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                        status, zero);
    LLVM::CondBrOp::create(builder, loc, failed, failure, ValueRange(status),
                           next, ValueRange());
  }

  Block *createFailureBlock(LLVM::LLVMFuncOp function, Type result) {
    Location loc = function.getLoc();
    Block *block =
        builder.createBlock(&function.getBody(), function.getBody().end(),
                            {builder.getI32Type()}, {loc});
    Value pack = packResult(loc, result, block->getArgument(0), Value());
    LLVM::ReturnOp::create(builder, loc, pack);
    return block;
  }

  ModuleOp module;
  OpBuilder builder;
  /// The result types that functions had before, by name.
  llvm::DenseMap<StringRef, Type> original;
};
} // namespace

void mlir::hetero::propagateStatus(ModuleOp module) {
  StatusPropagation(module).run();
}
