//===- Passes.td - Generate code in regions ----------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_PASSES_PASSES_TD
#define HETERO_CODEGEN_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

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

    ```mlir
    // hetero-opt --hetero-target-pipeline="device=gpu pipeline=linalg-generalize-named-ops,cse"
    func.func @f(%x: tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>> {
      %r = hetero.execute "f_gpu0_0" on #hetero.device<gpu:0>
          (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>)
          -> (tensor<4xf32, #hetero.device<gpu:0>>) {
        %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
        hetero.yield %0 : tensor<4xf32>
      }
      return %r : tensor<4xf32, #hetero.device<gpu:0>>
    }
    // becomes
    %0 = hetero.execute "f_gpu0_0" on #hetero.device<gpu:0>
        (%arg1 = %arg0 : tensor<4xf32, #hetero.device<gpu:0>>)
        -> (tensor<4xf32, #hetero.device<gpu:0>>) {
      %1 = linalg.generic {...} ins(%arg1 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = math.exp %in : f32
        linalg.yield %2 : f32
      } -> tensor<4xf32>
      hetero.yield %1 : tensor<4xf32>
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

def CloneForProcessorsPass : Pass<"hetero-clone-for-processors", "::mlir::ModuleOp"> {
  let summary = "Gives each processor host code of its own";
  let description = [{
    Afterwards each function with a region on the host whose code this project
    generates, and each that calls one, is there once per processor, and says
    which in `hetero.processor`. The original is for the best; a clone names it
    in `hetero.variant_of`, and calls the clones for its own processor.
    `--hetero-codegen` takes the width of vectors and the register tile from the
    attribute, and `--hetero-to-llvm` the instructions. Entry points choose when
    they are called (`heteroChooseProcessor`).

    Functions without code for the host stay as they are. Constants are the same
    attributes, and equal kernels become one, so that neither is there twice.

    ```mlir
    // hetero-opt --hetero-clone-for-processors=processors=baseline
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %r = hetero.execute "f_cpu0_0" on #hetero.device<cpu:0>
          (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) {
        %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
        hetero.yield %0 : tensor<8xf32>
      }
      return %r : tensor<8xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {hetero.processor = "baseline"} {
    ```
  }];
  let options = [
    Option<"processors", "processors", "std::string", "\"\"",
           "Names by commas (of x86-64: avx512bf16, avx512, avx2, baseline), all, or native: "
           "no clones">
  ];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

def CodegenPass : Pass<"hetero-codegen", "::mlir::ModuleOp"> {
  let summary = "Generates tiled and fused code in every region";
  let description = [{
    Afterwards the body of every `hetero.execute` is what the code generator
    registered for its device's kind (and `codegen`) makes of it: vectorized
    loops on the CPU, fused and decomposed linalg operations, one per kernel, on
    the GPU. The body stays on tensors, because fusing and tiling values needs no
    analysis of memory, and signatures stay as they are. Dynamic sizes that meet
    in one operation are compared before the region, by `cf.assert`, so that a
    mismatch is an error with a location and not an access out of bounds. An
    index that is computed per element, as that of a `tensor.extract` in a body,
    is compared where it is used, on every device, unless its range is known to
    fit, and so is that of an access to memory that the program has itself
    (`memref.load`, `memref.store`, those of affine, and vectors, of which only
    the lanes that are on count), and the sizes of its parts, views, copies and
    casts. So is the
    divisor of a division of integers, which must not be 0, nor -1 where the
    least number is divided: `arith.divsi` and its like in regions and outside,
    in bodies of named operations, on vectors, and divisors that are operands of
    affine maps. `bounds-checks=false` leaves all of that out.

    Kernels that regions of the host have more than once become one private
    function, which `hetero.invoke` calls in each place. The remark of the pass
    counts the functions (`kernels`) and the calls (`kernel-calls`).

    ```mlir
    // hetero-opt --hetero-codegen
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %r = hetero.execute "f_cpu0_0" on #hetero.device<cpu:0>
          (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) {
        %e = tensor.empty() : tensor<8xf32>
        %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
        hetero.yield %0 : tensor<8xf32>
      }
      return %r : tensor<8xf32>
    }
    // becomes
    %0 = hetero.execute "f_cpu0_0" on #hetero.device<cpu:0>
        (%arg1 = %arg0 : tensor<8xf32>) -> (tensor<8xf32>) {
      ...
      %2 = vector.transfer_read %arg1[%c0], %cst ... : tensor<8xf32>, vector<8xf32>
      %3 = arith.negf %2 : vector<8xf32>
      %4 = vector.transfer_write %3, %1[%c0] ... : vector<8xf32>, tensor<8xf32>
      hetero.yield %4 : tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"profileFile", "profile", "std::string", "\"\"",
           "File with measured times (YAML), by which the code generator auto "
           "chooses">,
    Option<"boundsChecks", "bounds-checks", "bool", "true",
           "Compare dynamic sizes and indices with those that there are, and "
           "divisors with 0, which makes an error of an access out of bounds "
           "and of a division by zero">
  ];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"];
}

def ExplainCodegenPass : Pass<"hetero-explain-codegen", "::mlir::ModuleOp"> {
  let summary = "Says how the code of the regions of the host is generated";
  let description = [{
    Reports for each operation that `--hetero-codegen` will make of a region on
    the host, after fusion, a remark at its location: its loops, the tile that a
    thread computes, the loop whose iterations are lanes of vectors, the register
    tile, what is packed into panels, and why. Nothing changes.

    ```
    // hetero-opt --hetero-pipeline=stop-after=partitioned --hetero-explain-codegen
    "main_cpu0_0": contraction of 256 x 64 x 512 in tiles with steps of 256 x 64:
    vectors of 16 along loop 1, register tile of 6 rows along loop 0 by 4 vectors,
    because the rows share what is loaded, operand 1 in panels of 512 x 64,
    because its rows are far apart
    ```
  }];
  let options = [
    Option<"profileFile", "profile", "std::string", "\"\"",
           "The file with measured times that hetero-codegen will have">
  ];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // HETERO_CODEGEN_PASSES_PASSES_TD
