//===- Passes.td - Annotate and place ----------------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_PASSES_TD
#define HETERO_TRANSFORMS_PLACEMENT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplySchedulePass : Pass<"hetero-apply-schedule", "::mlir::ModuleOp"> {
  let summary = "Runs a schedule of the transform dialect";
  let description = [{
    Afterwards the sequence `@__transform_main` of the file, or of the module
    itself where no file is given, has run on the module, and the module holds
    no schedule any more: the passes that follow would take its sequences for
    functions of the program. Without a schedule nothing changes. As for
    `--transform-interpreter`, the sequence may stand in a module inside the
    module; that one goes with it if it holds nothing else.

    Transforms do not know of annotations. What comes in the place of an annotated
    operation, which its location tells, gets its annotation where it can run
    there; where nothing does, a warning says so. The remark `summary` counts both
    (`carried`, `dropped`).

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
    over every rule, which says only what it leaves out (`gpu` and `gpu:1`).
    A rule that matches nothing is a warning; a key that does
    not exist, a device outside the topology and the like are errors with line
    and column. docs/Design/Rules.md describes the file.

    Rules match operations on tensors in function bodies and in control flow,
    and control flow itself, whose annotation is the default for the operations
    inside. Bodies of linalg operations are not looked into.

    What nested modules hold becomes the module's, since a program has one table
    of symbols: of two symbols of one name a private one gets another, and two
    public ones are an error.

    With `entry`, the symbols that this public function does not reach are
    removed after that, so that what a rule means does not depend on it.

    The module remembers what later phases need: the file's default
    (`hetero.default`), the devices that it names (`hetero.devices`), what
    becomes of conflicts (`hetero.conflict`), and how
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
    Option<"dynamicSize", "dynamic-size", "::mlir::hetero::AssumedCount",
           "::mlir::hetero::AssumedCount()",
           "What min_flops and min_bytes of rules take a dynamic dimension to "
           "be; auto: what the module says, or as for placement">,
    Option<"entry", "entry", "std::string", "\"\"",
           "Public function to keep, with what it calls; default: all">
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
    passes have a device of their own (`hetero.carried`), and so have those of
    private functions, of which clones remain where calls differ.

    That is for `objective=sum`, one request of which nothing overlaps. With
    `objective=latency` devices and links work at the same time: the cost is when
    the schedule of the program ends, by the engines and the list schedule of
    `hetero-schedule`. With `objective=throughput` it is how long the busiest
    device or link works on a request, when requests follow each other. Each has
    a lower bound and a gap in the report, and costs no more than all on one
    device that can hold it; annotations, groups, memory and what devices can do
    hold for all of them. `certificate` writes a proof.

    The `trip-count` and the `dynamic-size` that costs assume stay on the module,
    for the phases that follow (`hetero.trip_count`, `hetero.dynamic_size`). An
    argument of a function may have `hetero.dynamic_sizes`, one number for each
    of its dynamic dimensions; sizes that the program computes from those of
    arguments follow. Without either, the pass writes what it takes them for,
    by the names of dimensions (`hetero.dimension_names`) and by what reads them:

    ```mlir
    func.func @main(%x: tensor<?x3x?x?xf32>, %w: tensor<8x3x3x3xf32>, ...) {
      %y = linalg.conv_2d_nchw_fchw ins(%x, %w : ...) ...
    // after: a batch of 1, images of 224 by 224
    func.func @main(%x: tensor<?x3x?x?xf32>
                    {hetero.dynamic_sizes = array<i64: 1, 224, 224>}, ...) {
    ```
    Times of a `profile` replace those of the model; a measurement that nothing
    in the program needs is a warning.

    No device of the module's topology holds more at once than its `memory`.
    Where the least cost would, a search takes the cheapest placement that it
    finds to fit, and the cost is above its bound; if it finds none, that is an
    error.

    A value that nobody pinned and whose pinned users stand on several devices
    is copied, made on each of them, or an error, as `hetero.conflict` on or
    around what makes it says, else the option `conflict`.

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
           "How operations without an annotation are placed",
           [{::mlir::hetero::ChoicesOf<::mlir::hetero::PlacementStrategy>()}]>,
    Option<"objective", "objective", "::mlir::hetero::PlacementObjective",
           "::mlir::hetero::PlacementObjective::Sum",
           "What placement by cost makes as small as it can",
           [{::mlir::hetero::ChoicesOf<::mlir::hetero::PlacementObjective>()}]>,
    Option<"defaultDevice", "default", "std::string", "\"\"",
           "Device of operations that nothing else places, or auto (by cost)">,
    Option<"conflict", "conflict", "::mlir::hetero::ConflictMode",
           "::mlir::hetero::ConflictMode::Copy",
           "What becomes of what annotations leave open: a value that nobody "
           "pins and whose pinned users stand on several devices, and an "
           "operation that pins further away pull to several; hetero.conflict "
           "on or around them wins",
           [{::mlir::hetero::ChoicesOf<::mlir::hetero::ConflictMode>()}]>,
    Option<"workLimit", "work-limit", "unsigned", "100",
           "How often a minimum cut may look at each edge of its network, on "
           "average, before it stops with the best placement so far; 0: no limit">,
    Option<"profileFile", "profile", "std::string", "\"\"",
           "File with measured times (YAML), which replace those of the cost "
           "model">,
    Option<"tripCount", "trip-count", "::mlir::hetero::AssumedCount",
           "::mlir::hetero::AssumedCount()",
           "What costs assume of loops whose trip count is not static; auto: "
           "what the module says, or 10">,
    Option<"dynamicSize", "dynamic-size", "::mlir::hetero::AssumedCount",
           "::mlir::hetero::AssumedCount()",
           "What costs take a dynamic dimension to be of which nothing is "
           "known; auto: what the module says, or by what reads it">,
    Option<"memoryBudget", "memory-budget", "std::string", "\"\"",
           "Most memory to use of devices, as gpu:0=4GiB,gpu:1=512MiB; default: "
           "what the topology gives them">,
    Option<"reportFile", "report", "std::string", "\"\"",
           "Write a JSON report of cost, copies, links and devices to this file">,
    Option<"certificateFile", "certificate", "std::string", "\"\"",
           "Write the problem, the placement and a proof of the bound to this "
           "file, for scripts/check-certificate">
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

def WriteSystemSpecPass
    : Pass<"hetero-write-system-spec", "::mlir::ModuleOp"> {
  let summary = "Describes the machine of the module in the terms of DLTI";
  let description = [{
    Afterwards a module with `hetero.topology` has the same devices and links in
    `dlti.target_system_spec`, for passes and schedules that know upstream's
    description of machines only (`transform.dlti.query`). What that had of other
    devices and under keys of others stays; what it said under keys of this
    dialect is replaced. docs/Topology.md has the keys. The other way round
    needs no pass: a module without `hetero.topology` is placed on the devices
    of its system spec that have such keys.

    A module without `hetero.topology` stays as it is, since the numbers of the
    default topology are of no particular machine.

    ```mlir
    // hetero-opt --hetero-write-system-spec
    module attributes {hetero.topology = #hetero.topology<
      devices = [#hetero.device_spec<device = #hetero.device<cpu:0>,
                                     compute = 5, bandwidth = 6>]>} {}
    // becomes
    module attributes {
      dlti.target_system_spec = #dlti.target_system_spec<"cpu:0" =
        #dlti.target_device_spec<"hetero.compute" = 5 : i64,
        "hetero.bandwidth" = 6 : i64, "hetero.launch" = 0 : i64,
        "hetero.links" = #dlti.map<>>>, ...} {
    }
    ```

    The remark `summary` (analysis) has the number of devices written.
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::DLTIDialect"];
}

#endif // HETERO_TRANSFORMS_PLACEMENT_PASSES_TD
