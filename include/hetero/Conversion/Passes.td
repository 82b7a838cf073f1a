//===- Passes.td - Conversion passes ---------------------------------------*- tablegen -*-===//
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

#endif // HETERO_CONVERSION_PASSES_TD
