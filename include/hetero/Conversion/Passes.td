//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_PASSES_TD
#define HETERO_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertHeteroToGPUPass : Pass<"convert-hetero-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Outlines device code into gpu kernels";
  let description = [{
    Afterwards work on device memory is `gpu.launch_func`, `gpu.alloc`,
    `gpu.dealloc` and `gpu.memcpy`, and no type has a device memory space.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_80\"",
           "NVIDIA architecture to generate code for">
  ];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect"];
}

def ConvertHeteroToLLVMPass : Pass<"hetero-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lowers host code to the llvm dialect and kernels to binaries";
  let description = [{
    Afterwards the module has only the llvm dialect and `gpu.binary`. Every
    public function is an entry point with the C ABI of docs/Runtime.md.
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ConvertParallelLoopsToRuntimePass
    : Pass<"convert-parallel-loops-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Outlines parallel loops into bodies that the runtime calls";
  let description = [{
    Afterwards no `scf.forall` is left, nor an outermost `scf.parallel` without
    results: each is a call of `heteroParallelFor` with a private function
    `(closure, begin, end) -> i32` marked `hetero.loop_body`. What the body uses
    from outside is in the closure, a struct on the caller's stack. The call's
    result is the status to check.

    ```mlir
    scf.forall (%i) in (%n) { memref.store %x, %m[%i] : memref<?xf32> }
    // becomes
    %f = func.constant @main_loop : (!llvm.ptr, i64, i64) -> i32
    %p = builtin.unrealized_conversion_cast %f to !llvm.ptr
    %s = llvm.call @heteroParallelFor(%count, %grain, %p, %closure)
           {hetero.checked} : (i64, i64, !llvm.ptr, !llvm.ptr) -> i32
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ExpandHostOperationsPass
    : Pass<"hetero-expand-host-operations", "::mlir::ModuleOp"> {
  let summary = "Expands host operations that would become library calls";
  let description = [{
    Afterwards functions have no `memref.copy` between strided buffers and no
    f32 math function that MLIR has a polynomial approximation for. Without it
    the first needs MLIR's C runner library and the second one call per lane.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // HETERO_CONVERSION_PASSES_TD
