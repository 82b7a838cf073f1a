//===- Passes.td - Annotate and place ----------------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_PLACEMENTPASSES_TD
#define HETERO_DIALECT_HETERO_TRANSFORMS_PLACEMENTPASSES_TD

include "mlir/Pass/PassBase.td"

def LowerFrontendOpsPass
    : Pass<"hetero-lower-frontend-ops", "::mlir::ModuleOp"> {
  let summary = "Lowers control flow, state and shapes of front ends";
  let description = [{
    Afterwards loops and branches around operations on tensors are those of scf:
    `affine.for`, `affine.if`, `affine.parallel`, `tosa.cond_if` and
    `tosa.while_loop` are lowered, variables of TOSA are globals of ml_program,
    and no operation of the shape dialect is left. Requirements on shapes
    (`shape.cstr_eq` and the like) are checked when the program runs.

    Where what enters and what leaves a branch, loop or variable of TOSA know
    other sizes, all that follows from the program is inferred, and casts stand
    where types still differ; a condition of one element loses its dimensions.
    A `linalg.softmax` on memrefs, which upstream takes apart on tensors only,
    becomes loops.

    What stands in loops and branches keeps `hetero.device` and its origin, and
    an annotation of a loop goes to what replaces it. Other operations of TOSA
    stay, to be placed as they are; `--hetero-codegen` lowers them.

    ```mlir
    // hetero-opt --hetero-lower-frontend-ops
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = affine.for %i = 0 to 3 iter_args(%t = %x) -> tensor<4xf32> {
        %1 = arith.addf %t, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
        affine.yield %1 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    // becomes
    %0 = scf.for %arg1 = %c0 to %c3 step %c1 iter_args(%arg2 = %arg0) -> (tensor<4xf32>) {
      %1 = arith.addf %arg2, %arg0 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::ml_program::MLProgramDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
}

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

def EraseSignednessPass : Pass<"hetero-erase-signedness", "::mlir::ModuleOp"> {
  let summary = "Makes signed and unsigned integers signless";
  let description = [{
    Afterwards no type of the module holds a signed or an unsigned integer
    (`si8`, `ui8`). Arguments and results of public functions that did carry
    `hetero.element_type`, from which the entry point's check of its arguments,
    the types of its results and NumPy files have the sign. `tensor.bitcast` and
    `builtin.unrealized_conversion_cast` between integers that differ in nothing
    else are gone.

    Arithmetic is defined on signless integers only; buffers, vectors and kernels
    of others would need every pass to know of them. TOSA says by the type of its
    elements how it takes them, and is rewritten: what compares unsigned numbers
    compares signed ones whose highest bit is another, zero points change in the
    same way, and conversions go by a wider type. An `affine.parallel` that
    reduces signed or unsigned numbers becomes `scf.parallel`.

    ```mlir
    // hetero-opt --hetero-erase-signedness
    func.func @f(%a: tensor<4xui8>) -> tensor<4xui8> {
      return %a : tensor<4xui8>
    }
    // becomes
    func.func @f(%arg0: tensor<4xi8> {hetero.element_type = ui8})
        -> (tensor<4xi8> {hetero.element_type = ui8}) {
      return %arg0 : tensor<4xi8>
    }
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ApplySchedulePass : Pass<"hetero-apply-schedule", "::mlir::ModuleOp"> {
  let summary = "Runs a schedule of the transform dialect";
  let description = [{
    Afterwards the sequence `@__transform_main` of the file, or of the module
    itself where no file is given, has run on the module, and the module holds
    no schedule any more: the passes that follow would take its sequences for
    functions of the program. Without a schedule nothing changes. As for
    `--transform-interpreter`, the sequence may stand in a module inside the
    module; that one goes with it if it holds nothing else.

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

    What nested modules hold becomes the module's, since a program has one table
    of symbols: of two symbols of one name a private one gets another, and two
    public ones are an error.

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
           "File with a #hetero.topology, or its text, for a module without">,
    Option<"dynamicSize", "dynamic-size", "int64_t", "0",
           "What min_flops and min_bytes of rules take a dynamic dimension to "
           "be; 0: what the module says, or 128">
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

    The `trip-count` and the `dynamic-size` that costs assume stay on the module,
    for the phases that follow (`hetero.trip_count`, `hetero.dynamic_size`). An
    argument of a function may have `hetero.dynamic_sizes`, one number for each
    of its dynamic dimensions; sizes that the program computes from those of
    arguments follow.
    Times of a `profile` replace those of the model; a measurement that nothing
    in the program needs is a warning.

    No device of the module's topology holds more at once than its `memory`.
    Where the least cost would, a search takes the cheapest placement that it
    finds to fit, and the cost is above its bound; if it finds none, that is an
    error.

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
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"}
      ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.abs {hetero.device = #hetero.device<cpu:0>, hetero.origin = "cost"}
      ins(%0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
    ```

    Remarks of the category `hetero-place`: `fallback` (missed) for each
    operation that could not run where it should, `replicated` (passed) for each
    operation that `conflict=replicate` repeats, `placement` (analysis) with
    the cost, its lower bound, and the number of clones, of copies and of
    operations per device, `memory` (missed) for each device that is too small for
    what the least cost puts there, and `not-proven` (missed) where the cost is
    above the bound, so that a better placement may exist.
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
    Option<"workLimit", "work-limit", "unsigned", "100",
           "How often a minimum cut may look at each edge of its network, on "
           "average, before it stops with the best placement so far; 0: no limit">,
    Option<"profileFile", "profile", "std::string", "\"\"",
           "File with measured times (YAML), which replace those of the cost "
           "model">,
    Option<"tripCount", "trip-count", "int64_t", "0",
           "What costs assume of loops whose trip count is not static; 0: what "
           "the module says, or 10">,
    Option<"dynamicSize", "dynamic-size", "int64_t", "0",
           "What costs take a dynamic dimension to be of which nothing is "
           "known; 0: what the module says, or 128">,
    Option<"reportFile", "report", "std::string", "\"\"",
           "Write a JSON report of cost, copies, links and devices to this file">
  ];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

def ExplainPass : Pass<"hetero-explain", "::mlir::ModuleOp"> {
  let summary = "Says why operations stand where they do and what else costs";
  let description = [{
    Afterwards every operation of a placed module has `hetero.explain`: its
    origin, the time that it takes there, and by how much the cost of the
    program would change if this operation alone stood on the best other
    device, with the parts of that change that computing and copying have. For
    what an annotation, a rule or a default decided that is what obeying it
    costs. Times are those of docs/Design/Placement.md, of all executions.

    Nothing else changes, and later phases do not read the attribute. Control
    flow and what works on no tensors takes no time and has its origin only.
    What is cheap to repeat is made on every device that needs it.

    ```mlir
    // hetero-opt --hetero-place --hetero-explain
    func.func @f(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    %0 = linalg.exp {hetero.device = #hetero.device<cpu:0>,
        hetero.explain = "cost; ... on cpu:0; gpu:0 would cost ... more (compute +..., copies +...)",
        hetero.origin = "cost"} ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
    ```

    Remarks of the category `hetero-explain`: `explained` (analysis) for each
    operation, and `summary` with the number of operations that were explained
    and of those that would be cheaper elsewhere. `print` reports the former as
    diagnostics, whoever listens.
  }];
  let options = [
    Option<"print", "print", "bool", "false",
           "Report every explanation as a diagnostic as well">,
    Option<"profileFile", "profile", "std::string", "\"\"",
           "The file with measured times that hetero-place had">
  ];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_PLACEMENTPASSES_TD
