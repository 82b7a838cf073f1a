//===- Passes.td - Passes of the hetero dialect ---------------------------------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_PASSES_TD
#define HETERO_DIALECT_HETERO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Prepare and place
//===----------------------------------------------------------------------===//

def ConvertElementwiseToLinalgPass
    : Pass<"hetero-convert-elementwise-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Converts elementwise arith and math on tensors to linalg";
  let description = [{
    Afterwards no elementwise operation of another dialect works on tensors. The
    `hetero.device` annotation and the location stay on the new operation.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def AnnotatePass : Pass<"hetero-annotate", "::mlir::ModuleOp"> {
  let summary = "Annotates operations with devices from a rules file";
  let description = [{
    Afterwards every operation that a rule matches carries `hetero.device` and
    `hetero.origin`. The first match wins; an annotation on the operation wins
    over every rule. A rule that matches nothing is a warning.
  }];
  let options = [
    Option<"rulesFile", "rules", "std::string", "\"\"",
           "The rules file (YAML), or the rules themselves in flow style">
  ];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

def PlacePass : Pass<"hetero-place", "::mlir::ModuleOp"> {
  let summary = "Chooses a device for every operation";
  let description = [{
    Afterwards every operation has exactly one device in `hetero.device` and the
    reason in `hetero.origin`. All explicit annotations hold.
  }];
  let options = [
    Option<"placement", "placement", "::mlir::hetero::PlacementStrategy",
           "::mlir::hetero::PlacementStrategy::Greedy",
           "How operations without an annotation are placed", [{::llvm::cl::values(
             clEnumValN(::mlir::hetero::PlacementStrategy::Greedy, "greedy",
                        "where most of the bytes around the operation are"),
             clEnumValN(::mlir::hetero::PlacementStrategy::AnnotatedOnly,
                        "annotated-only", "on the host"))}]>,
    Option<"defaultDevice", "default", "std::string", "\"\"",
           "Device of operations that nothing else places, or auto (by cost)">,
    Option<"reportFile", "report", "std::string", "\"\"",
           "Write a JSON report of cost, copies, links and devices to this file">
  ];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

def MaterializeCopiesPass
    : Pass<"hetero-materialize-copies", "::mlir::ModuleOp"> {
  let summary = "Puts devices into types and inserts copies";
  let description = [{
    Afterwards tensor types carry their device and a `hetero.copy` stands
    wherever a value crosses, one per value and destination.
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OptimizeCopiesPass : Pass<"hetero-optimize-copies", "::mlir::ModuleOp"> {
  let summary = "Removes redundant copies";
  let description = [{
    Afterwards no value is copied twice to one device, no copy returns a value
    to where it came from, and no copy is unused.
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

//===----------------------------------------------------------------------===//
// Partition and generate code
//===----------------------------------------------------------------------===//

def PartitionPass : Pass<"hetero-partition", "::mlir::ModuleOp"> {
  let summary = "Groups operations of one device into hetero.execute";
  let description = [{
    Afterwards the operations on tensors are in maximal convex regions of one
    device each.
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TargetPipelinePass : Pass<"hetero-target-pipeline", "::mlir::ModuleOp"> {
  let summary = "Runs a pass pipeline on the regions of one device";
  let description = [{
    Afterwards the body of every region of the device (and code generator) is
    what the pipeline made of it; signatures and other regions are unchanged.

    Each region is cloned into a `func.func` of a scratch module, since many
    passes refuse other roots, and put back when the pipeline is through. Symbols
    that the body refers to are there as declarations; symbols that the pipeline
    adds move to the module. A pipeline that changes the function's signature, or
    leaves several blocks, is an error and the region stays as it was.

    With `--hetero-target-pipeline="device=gpu pipeline=linalg-generalize-named-ops,cse"`:

    ```mlir
    %r = hetero.execute "main_gpu0_0" on #hetero.device<gpu:0>
        (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>)
        -> (tensor<4xf32, #hetero.device<gpu:0>>) {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      hetero.yield %0 : tensor<4xf32>
    }
    // becomes
    %r = hetero.execute "main_gpu0_0" on #hetero.device<gpu:0>
        (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>)
        -> (tensor<4xf32, #hetero.device<gpu:0>>) {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.generic {...} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {...}
      hetero.yield %0 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"device", "device", "std::string", "\"\"",
           "Regions of this device (gpu:0) or kind (gpu); empty for all">,
    Option<"codegen", "codegen", "std::string", "\"\"",
           "Regions of this code generator; empty for all">,
    Option<"pipeline", "pipeline", "std::string", "\"\"",
           "The textual pass pipeline, anchored on the module">
  ];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::func::FuncDialect"];
}

def CodegenPass : Pass<"hetero-codegen", "::mlir::ModuleOp"> {
  let summary = "Generates tiled and fused code in every region";
  let description = [{
    Hands each `hetero.execute` to the code generator registered for its
    device's kind (and `codegen`). The body stays on tensors.
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"];
}

//===----------------------------------------------------------------------===//
// Buffers, order, memory
//===----------------------------------------------------------------------===//

def BufferizePass : Pass<"hetero-bufferize", "::mlir::ModuleOp"> {
  let summary = "Turns tensors into memrefs in the memory of their device";
  let description = [{
    Inlines every `hetero.execute` (from here on the memory space says where an
    operation runs) and bufferizes the module.
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def SchedulePass : Pass<"hetero-schedule", "::mlir::ModuleOp"> {
  let summary = "Orders work and inserts the waits that the host needs";
  let description = [{
    Afterwards the host waits for a device before it touches memory that the
    device may still write, and nowhere else.
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

def PlanMemoryPass : Pass<"hetero-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Plans where buffers live and when they are freed";
  let description = [{
    Afterwards every buffer that does not leave its function is freed exactly
    once.
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Verify
//===----------------------------------------------------------------------===//

def VerifyPass : Pass<"hetero-verify", "::mlir::ModuleOp"> {
  let summary = "Verifies the contract of the module's phase";
  let description = [{
    Read-only. Names the first operation that breaks the contract of the phase
    in `hetero.phase`.
  }];
}

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_PASSES_TD
