//===- Passes.td - Passes of the hetero dialect ------------*- tablegen -*-===//
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
    Afterwards no elementwise operation of another dialect works on ranked
    tensors, and no operation is left whose result type cannot carry a device:
    `tensor.splat`, `tensor.generate`, `tensor.concat`, `tensor.pad`,
    `linalg.pack` and `linalg.unpack` are taken apart into linalg and slices.

    The location, `hetero.device` and `hetero.origin` stay on what replaces an
    operation, on each part of it. Upstream's `--convert-elementwise-to-linalg`
    moves the annotation into the body or drops it, and a folding driver may
    remove an annotated operation before it is placed, so this pass is one walk
    that folds nothing.

    A splat constant becomes a scalar in the body, a scalar operand an operand.

    ```mlir
    // hetero-opt --hetero-convert-elementwise-to-linalg
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %0 = arith.addf %a, %b {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    %0 = tensor.empty() {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
        ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>)
        attrs = {hetero.device = #hetero.device<gpu:0>} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.addf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def ApplySchedulePass : Pass<"hetero-apply-schedule", "::mlir::ModuleOp"> {
  let summary = "Runs a schedule of the transform dialect";
  let description = [{
    Afterwards the sequence `@__transform_main` of the file, or of the module
    itself where no file is given, has run on the module, and the module holds
    no schedule any more: the passes that follow would take its sequences for
    functions of the program. Without a schedule nothing changes.

    `--transform-interpreter` runs schedules as well, and leaves them where they
    are. See `transform.hetero.place_on` for how a schedule places operations.

    ```mlir
    // hetero-opt --hetero-apply-schedule
    module attributes {transform.with_named_sequence} {
      func.func @main(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
        %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
        %0 = transform.structured.match ops{["linalg.exp"]} in %root
            : (!transform.any_op) -> !transform.any_op
        transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
        transform.yield
      }
    }
    // becomes
    module {
      func.func @main(...) -> tensor<4xf32> {
        %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "schedule at ..."}
            ins(...) outs(...) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"",
           "File with the schedule; default: the module itself">
  ];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

def AnnotatePass : Pass<"hetero-annotate", "::mlir::ModuleOp"> {
  let summary = "Annotates operations with devices from a rules file";
  let description = [{
    Afterwards every operation that a rule matches carries `hetero.device` and
    `hetero.origin`. The first match wins; an annotation on the operation wins
    over every rule. A rule that matches nothing is a warning; a key that does
    not exist, a device outside the topology and the like are errors with line
    and column. docs/Design/Rules.md describes the file.

    Rules match operations on tensors in function bodies and in control flow,
    and control flow itself, whose annotation is the default for the operations
    inside. Bodies of linalg operations are not looked into.

    The module remembers what later phases need: the file's default
    (`hetero.default`), the devices that it names (`hetero.devices`), and how
    many operations are annotated (`hetero.pins`), so that `--hetero-place` can
    tell that none got lost.

    ```mlir
    // hetero-opt '--hetero-annotate=rules={rules: [{op: "linalg.conv_2d*", nth: 0, device: "gpu:0"} ]}'
    func.func @f(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>,
                 %i: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
      %0 = linalg.conv_2d_nchw_fchw
        ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)
        outs(%i : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
      return %0 : tensor<1x4x6x6xf32>
    }
    // becomes
    %0 = linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
      ins(%arg0, %arg1 : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)
      outs(%arg2 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
    ```
  }];
  let options = [
    Option<"rulesFile", "rules", "std::string", "\"\"",
           "The rules file (YAML), or the rules themselves in flow style">,
    Option<"topology", "topology", "std::string", "\"\"",
           "File with a #hetero.topology, or its text, for a module without">
  ];
  // A device_spec may have an #nvvm.target.
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def PlacePass : Pass<"hetero-place", "::mlir::ModuleOp"> {
  let summary = "Chooses a device for every operation";
  let description = [{
    Afterwards every operation of a function body or of control flow in it,
    terminators excepted, has exactly one device with an ordinal in
    `hetero.device` and the reason in `hetero.origin`. All explicit annotations
    hold.

    In order of priority: the annotation on the operation, the first matching
    rule, the annotation of the operation around, the default, the cost. An
    annotation that the device cannot meet is an error; a rule is a warning and
    a default a remark, and the operation falls back to the host. What the host
    alone runs (control flow, calls, scalars, shape queries) is on `cpu:0`.

    By cost means: so that all compute and transfer times together are the
    least, as docs/Design/Placement.md models them. Values that control flow
    hands on have a device of their own (`hetero.carried`), and so have those of
    private functions, of which clones remain where calls differ.

    A value that nobody pinned and whose pinned users stand on several devices
    is copied, made on each of them, or an error, as `conflict` says.

    ```mlir
    // hetero-opt --hetero-place
    func.func @f(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.exp {hetero.device = #hetero.device<gpu>}
        ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %1 = linalg.abs ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    // becomes
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned at ...:2:8"}
      ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.abs {hetero.device = #hetero.device<cpu:0>, hetero.origin = "cost"}
      ins(%0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
    ```

    Remarks of the category `hetero-place`: `fallback` (missed) for each
    operation that could not run where it should, and `placement` (analysis)
    with the cost, its lower bound, and the number of clones, of copies and of
    operations per device.
  }];
  let options = [
    Option<"placement", "placement", "::mlir::hetero::PlacementStrategy",
           "::mlir::hetero::PlacementStrategy::Optimal",
           "How operations without an annotation are placed", [{::llvm::cl::values(
             clEnumValN(::mlir::hetero::PlacementStrategy::Optimal, "optimal",
                        "where compute and transfer times add up to the least"),
             clEnumValN(::mlir::hetero::PlacementStrategy::Greedy, "greedy",
                        "where the fewest bytes have to be copied"),
             clEnumValN(::mlir::hetero::PlacementStrategy::AnnotatedOnly,
                        "annotated-only", "on the host"))}]>,
    Option<"defaultDevice", "default", "std::string", "\"\"",
           "Device of operations that nothing else places, or auto (by cost)">,
    Option<"conflict", "conflict", "::mlir::hetero::ConflictMode",
           "::mlir::hetero::ConflictMode::Copy",
           "What becomes of a value that nobody pins and whose pinned users "
           "stand on several devices", [{::llvm::cl::values(
             clEnumValN(::mlir::hetero::ConflictMode::Copy, "copy",
                        "it is made once and copied"),
             clEnumValN(::mlir::hetero::ConflictMode::Replicate, "replicate",
                        "what makes it is repeated on each device"),
             clEnumValN(::mlir::hetero::ConflictMode::Error, "error",
                        "each use is reported"))}]>,
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
    Afterwards every tensor type says where the tensor is, and a `hetero.copy`
    stands wherever a value crosses: one per value, destination and site. The
    sites are those that placement priced: right behind the value's definition
    if its own block wants the copy, else in the blocks that together run the
    least often (outside of loops, inside of the only branch that wants it), and
    there right before the first use. Tensors that control flow carries are
    where `hetero.carried`, `hetero.carried_inits` and `hetero.block_arguments`
    say, with copies before the loops, branches and yields that hand on
    something else; the attributes go, since the types say it now.

    ```mlir
    // hetero-opt --hetero-place --hetero-materialize-copies
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>}
        ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    %0 = hetero.copy %arg0 {hetero.value = "%arg0 of @f"}
      : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
    %1 = tensor.empty() {...} : tensor<4xf32, #hetero.device<gpu:0>>
    %2 = linalg.exp {hetero.device = #hetero.device<gpu:0>...}
      ins(%0 : tensor<4xf32, #hetero.device<gpu:0>>)
      outs(%1 : tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>>
    %3 = hetero.copy %2 {hetero.value = "linalg.exp at 3:8"}
      : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
    return %3 : tensor<4xf32>
    ```

    Not everything that crosses is copied:

    - a destination whose old value nobody reads is a `tensor.empty` on the
      device;
    - what is cheap to repeat (constants, fills) is repeated on each device,
      unless an annotation pins it;
    - `tensor.extract` of a device's tensor moves the one element, unless the
      host has all of it anyway;
    - `tensor.dim` reads the type and moves nothing.

    Function arguments and results have the device of their annotation, else the
    host, and calls follow them. The values that control flow carries are on the
    host. A copy that the user wrote is one with ours; one whose source is
    elsewhere than it says is an error, as is a tensor with an encoding of
    another dialect.
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OptimizeCopiesPass : Pass<"hetero-optimize-copies", "::mlir::ModuleOp"> {
  let summary = "Removes redundant copies";
  let description = [{
    Afterwards no value is copied to a device where an earlier copy of it serves,
    no copy reads a copy, no copy returns a value to where it came from, and none
    is unused. Copies leave loops that do not change their source, and those in
    all arms of a branch become one above it; in some arms they stay, as
    `--hetero-materialize-copies` puts them, since an arm runs less often. Each
    change is a remark (`--remarks-filter=hetero-optimize-copies`), with a summary
    at the end.

    ```mlir
    // hetero-opt --hetero-optimize-copies
    func.func @f(%x: tensor<4xf32, #hetero.device<gpu:0>>)
        -> (tensor<4xf32, #hetero.device<gpu:1>>, tensor<4xf32, #hetero.device<gpu:1>>) {
      %0 = hetero.copy %x : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
      %1 = hetero.copy %0 : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:1>>
      %2 = hetero.copy %x : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
      return %1, %2 : tensor<4xf32, #hetero.device<gpu:1>>, tensor<4xf32, #hetero.device<gpu:1>>
    }
    // becomes
    %0 = hetero.copy %arg0
      : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
    return %0, %0
    ```
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
    device each: no region waits for itself, no two wait for each other, and no
    two of one device (and unit, and code generator) in a block could be one.
    Copies, control flow, calls, sizes, scalars and what has side effects stay
    outside; what a region reads is an operand, and constants and empty tensors
    are repeated inside. Work that nobody reads is dropped.

    ```mlir
    // hetero-opt --hetero-partition
    #gpu = #hetero.device<gpu:0>
    func.func @f(%x: tensor<4xf32, #gpu>) -> (tensor<4xf32, #gpu> {hetero.device = #gpu}) {
      %e = tensor.empty() : tensor<4xf32, #gpu>
      %0 = linalg.exp {hetero.device = #gpu}
        ins(%x : tensor<4xf32, #gpu>) outs(%e : tensor<4xf32, #gpu>) -> tensor<4xf32, #gpu>
      %1 = linalg.abs {hetero.device = #gpu}
        ins(%0 : tensor<4xf32, #gpu>) outs(%e : tensor<4xf32, #gpu>) -> tensor<4xf32, #gpu>
      return %1 : tensor<4xf32, #gpu>
    }
    // becomes
    %0 = hetero.execute "f_gpu0_0" on #hetero.device<gpu:0>
        (%arg1 = %arg0 : tensor<4xf32, #hetero.device<gpu:0>>)
        -> (tensor<4xf32, #hetero.device<gpu:0>>) {
      %1 = tensor.empty() : tensor<4xf32>
      %2 = linalg.exp {...} ins(%arg1 : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
      %3 = linalg.abs {...} ins(%2 : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
      hetero.yield %3 : tensor<4xf32>
    }
    ```
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

def CodegenPass : Pass<"hetero-codegen", "::mlir::ModuleOp"> {
  let summary = "Generates tiled and fused code in every region";
  let description = [{
    Afterwards the body of every `hetero.execute` is what the code generator
    registered for its device's kind (and `codegen`) makes of it: vectorized
    loops on the CPU, fused and decomposed linalg operations, one per kernel, on
    the GPU. The body stays on tensors, because fusing and tiling values needs no
    analysis of memory, and signatures stay as they are. Dynamic sizes that meet
    in one operation are compared before the region, by `cf.assert`, so that a
    mismatch is an error with a location and not an access out of bounds.

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
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
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
    Afterwards the module works on memrefs whose memory space is their device
    (none: the host), and every `hetero.execute` is gone: from here on the memory
    says where an operation runs. The region's name stays in `hetero.region`, or
    in a `hetero.host_region`, for the report.

    The device of a region is written into the tensor types of its body first,
    since One-Shot Bufferize takes the memory space from the type alone. Results
    are written in place where the analysis allows it; arguments of public
    functions belong to their callers and are never written to.

    ```mlir
    // hetero-opt --hetero-bufferize
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
      %1 = hetero.execute "f_gpu0_0" on #hetero.device<gpu:0>
          (%a = %0 : tensor<4xf32, #hetero.device<gpu:0>>)
          -> (tensor<4xf32, #hetero.device<gpu:0>>) {
        %e = tensor.empty() : tensor<4xf32>
        %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        hetero.yield %2 : tensor<4xf32>
      }
      %3 = hetero.copy %1 : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
      return %3 : tensor<4xf32>
    }
    // becomes
    func.func @f(%arg0: memref<4xf32>) -> memref<4xf32> {
      %alloc = memref.alloc() ... : memref<4xf32, #hetero.device<gpu:0>>
      memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
      %alloc_0 = memref.alloc() ... : memref<4xf32, #hetero.device<gpu:0>>
      linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.region = "f_gpu0_0"}
          ins(%alloc : memref<4xf32, #hetero.device<gpu:0>>)
          outs(%alloc_0 : memref<4xf32, #hetero.device<gpu:0>>)
      %alloc_1 = memref.alloc() ... : memref<4xf32>
      memref.copy %alloc_0, %alloc_1 : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
      return %alloc_1 : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def SchedulePass : Pass<"hetero-schedule", "::mlir::ModuleOp"> {
  let summary = "Orders work and inserts the waits that the host needs";
  let description = [{
    Afterwards the host waits for a device before it touches memory that the
    device may still write, and nowhere else.

    Kernels and copies are only enqueued, and a device's work is in order, so the
    one thing to wait for is a copy to the host. The wait stands in front of the
    first operation that touches host memory, not behind the copy: the host
    enqueues what comes next in the meantime. No wait crosses a block, which
    keeps the order the same on every path.

    ```mlir
    // hetero-opt --hetero-schedule
    func.func @f(%d: memref<4xf32, #hetero.device<gpu:0>>, %h: memref<4xf32>) {
      memref.copy %d, %h : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
      linalg.exp ins(%d : memref<4xf32, #hetero.device<gpu:0>>)
        outs(%d : memref<4xf32, #hetero.device<gpu:0>>)
      linalg.abs ins(%h : memref<4xf32>) outs(%h : memref<4xf32>)
      return
    }
    // becomes
    memref.copy %arg0, %arg1 : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
    linalg.exp ins(%arg0 : memref<4xf32, #hetero.device<gpu:0>>)
      outs(%arg0 : memref<4xf32, #hetero.device<gpu:0>>)
    hetero.wait on #hetero.device<gpu:0>
    linalg.abs ins(%arg1 : memref<4xf32>) outs(%arg1 : memref<4xf32>)
    return
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

def PlanMemoryPass : Pass<"hetero-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Plans where buffers live and when they are freed";
  let description = [{
    Afterwards every buffer that does not leave its function is freed exactly
    once, on the host and on devices, and those that control flow or private
    functions hand on as well. Loops of blocks become `scf.while`, and
    switches between blocks `scf.index_switch`, since ownership is followed
    through structured ones only.

    Memory of a device is freed right behind its last use, although that use is
    only enqueued: the free is enqueued behind it, and what is allocated next may
    have the same memory. Host memory is freed at the end of its block, behind
    the waits of the schedule, because nothing keeps the host in order with a
    device.

    ```mlir
    // hetero-opt --hetero-plan-memory
    func.func @f(%x: memref<4xf32>) {
      %d = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
      memref.copy %x, %d : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
      %e = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
      linalg.exp ins(%d : memref<4xf32, #hetero.device<gpu:0>>)
        outs(%e : memref<4xf32, #hetero.device<gpu:0>>)
      memref.copy %e, %x : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
      hetero.wait on #hetero.device<gpu:0>
      return
    }
    // becomes
    linalg.exp ins(%alloc : memref<4xf32, #hetero.device<gpu:0>>)
      outs(%alloc_0 : memref<4xf32, #hetero.device<gpu:0>>)
    memref.dealloc %alloc : memref<4xf32, #hetero.device<gpu:0>>
    memref.copy %alloc_0, %arg0 : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
    memref.dealloc %alloc_0 : memref<4xf32, #hetero.device<gpu:0>>
    hetero.wait on #hetero.device<gpu:0>
    return
    ```
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

//===----------------------------------------------------------------------===//
// Verify
//===----------------------------------------------------------------------===//

def VerifyPass : Pass<"hetero-verify", "::mlir::ModuleOp"> {
  let summary = "Verifies the contract of the module's phase";
  let description = [{
    Read-only. Names the first operation that breaks the contract of the phase
    in `hetero.phase`; upstream verifiers ignore the encodings of tensors, so
    nothing else notices a pass that mixes devices.

    | phase | contract |
    |---|---|
    | none, `annotated` | none |
    | `placed` | every operation has one device that can run it; control flow and calls are on the host |
    | `materialized` | every tensor is where its operation runs; only `hetero.copy` and `hetero.execute` stand between devices, sizes (`tensor.dim`) are read from anywhere; signatures have their annotated devices |
    | `copies-optimized` | and no copy repeats one that dominates it, none is of a copy, none to where the value is |
    | `partitioned`, `codegen` | and all work on tensors is in a `hetero.execute` of its device |
    | `bufferized`, `scheduled`, `planned` | no tensors; each operation works on the memory of one device, host code on that of the host |
    | `gpu` | and no memory space is a device |
    | `llvm` | the llvm dialect and gpu modules or binaries |

    C1, from `materialized` to `codegen`: control flow carries tensors on any
    device, but hands each on where it is. An operand of a loop, a branch or a
    yield and the arguments and results that it becomes are on one device.

    ```mlir
    // error: 'linalg.exp' op breaks the contract of phase 'materialized':
    // expected operand 0 on gpu:0, got 'tensor<4xf32>'; insert a hetero.copy
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf32>) ...
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_PASSES_TD
