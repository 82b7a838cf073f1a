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

def CheckSupportPass : Pass<"hetero-check-support", "::mlir::ModuleOp"> {
  let summary = "Lists what cannot be compiled";
  let description = [{
    Read-only. An error lists every kind of operation and type in the program
    that the pipeline has no code for, how often it stands where, and what to do
    about it, before any pass has changed anything. `--hetero-pipeline` begins
    with it, after the program's own schedule, where it goes further than
    `partitioned`: up to there any dialect may be placed and looked at. With
    `entry` it comes after `--hetero-annotate`, which has removed the rest. It is
    left out where `target-pipeline` brings passes of its own.

    ```mlir
    // error: not supported: 'shard.grid' op, type 'memref<4xf32, 3>'; the notes
    // say where each is, and what to do
    // note: 'shard.grid' op, 2 times, also at 4:1: it stands outside of a function; ...
    shard.grid @grid0(shape = 2)
    shard.grid @grid1(shape = 4)
    // note: type 'memref<4xf32, 3>', 1 time: memory spaces are devices; ...
    func.func @f(%m: memref<4xf32, 3>) {
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

def ConvertHeteroToGPUPass : Pass<"convert-hetero-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Outlines device code into gpu kernels";
  let description = [{
    Afterwards work on device memory is `gpu.launch_func`, `gpu.alloc`,
    `gpu.dealloc` and `gpu.memcpy`, each with its device in an attribute, and no
    type has a device memory space, which would mean nothing to upstream's
    lowerings. Constants on a device are `hetero.resident`.

    Every linalg operation becomes a kernel named after its region. Kernels take
    bare pointers and dynamic sizes, not descriptors: a launch passes fewer
    arguments, and LLVM sees that sizes are constant. Copies are of contiguous
    memory, or of rows a constant distance apart between the host and a device,
    which cross as they are; other strided memory is packed on its own device,
    as are a device's rows of less than 64 bytes, which copy engines are slow at.
    Kernels are for the chip that the topology has for their device. Where its
    devices have several chips there is a `gpu.module` for each, named after it,
    whose targets are that chip and the later ones that run the same code: a
    device takes what suits it when the program is loaded. An unknown chip is an
    error here, where upstream only warns and writes PTX that nothing loads.

    ```mlir
    // hetero-opt --convert-hetero-to-gpu
    func.func @f(%x: memref<4xf32>) {
      %d = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
      memref.copy %x, %d {hetero.value = "x"} : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
      linalg.exp {hetero.region = "f_gpu0_0"}
        ins(%d : memref<4xf32, #hetero.device<gpu:0>>)
        outs(%d : memref<4xf32, #hetero.device<gpu:0>>)
      memref.dealloc %d : memref<4xf32, #hetero.device<gpu:0>>
      return
    }
    // becomes
    gpu.module @hetero_kernels [#nvvm.target<O = 3, chip = "sm_80">] {
      gpu.func @f_gpu0_0_...(%arg0: !llvm.ptr...) kernel ... {
        ...
        math.exp
        ...
        gpu.return
      }
    }
    func.func @f(%arg0: memref<4xf32>) {
      %memref = gpu.alloc () {hetero.device = #hetero.device<gpu:0>} : memref<4xf32>
      gpu.memcpy %memref, %arg0 : memref<4xf32>, memref<4xf32>
        {hetero.from = #hetero.device<cpu:0>, hetero.to = #hetero.device<gpu:0>, hetero.value = "x"}
      ...
      gpu.launch_func @hetero_kernels::@f_gpu0_0_... blocks in ... threads in ...
        args(... : !llvm.ptr...) {hetero.device = #hetero.device<gpu:0>}
      gpu.dealloc %memref {hetero.device = #hetero.device<gpu:0>} : memref<4xf32>
      return
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"\"",
           "NVIDIA architecture to generate code for; default: of each device "
           "its own in the topology, or sm_80">,
    Option<"allowTF32", "allow-tf32", "bool", "false",
           "Round factors of f32 to tf32 where no attribute says whether that "
           "may be done">,
    Option<"packCopies", "pack-copies", "bool", "false",
           "Pack all strided memory that crosses, for lowerings that copy no "
           "rows, as upstream's">
  ];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def MarkNodesPass : Pass<"hetero-mark-nodes", "::mlir::ModuleOp"> {
  let summary = "Marks where the work of each operation of the source begins";
  let description = [{
    Afterwards a `hetero.node` stands before each kernel and library call of a
    device, and in host regions before each operation of the region's own block
    that works for other operations of the source than the one before, so that
    the runtime can measure each of them. Names are those of locations (what a
    front end calls a node), and places in the source where there is no name. What
    was fused has the names of all that it was fused from. A loop of the source
    within one host region is one piece.

    `--hetero-pipeline` runs it after `--convert-hetero-to-gpu` if `mark-nodes`
    asks for it: a mark takes a call when the program runs.

    ```mlir
    // hetero-opt --hetero-mark-nodes
    func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
      hetero.host_region "f_cpu0_0"
      linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) loc("Exp/a")
      linalg.tanh ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) loc("Tanh/b")
      linalg.abs ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) loc("Tanh/b")
      hetero.end_host_region
      return
    }
    // becomes
    func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
      hetero.host_region "f_cpu0_0"
      hetero.node ["Exp/a"]
      linalg.exp ...
      hetero.node ["Tanh/b"]
      linalg.tanh ...
      linalg.abs ...
      hetero.end_host_region
      return
    }
    ```

    Analysis remark `summary` of category `hetero-mark-nodes`: `marks`.
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

def PrepareForGPUToLLVMPass
    : Pass<"hetero-prepare-for-gpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Makes gpu operations what upstream's gpu-to-llvm takes";
  let description = [{
    For programs that upstream's passes finish instead of `hetero-to-llvm`: after
    `convert-hetero-to-gpu` and this pass, `gpu-to-llvm` and
    `gpu-module-to-binary` make code that runs on the `mgpu*` functions of
    `libhetero_runtime`, or on any other runtime that has them.

    Afterwards every operation on a device is asynchronous with one dependency,
    since `gpu-to-llvm` takes no other, and no operation of the hetero dialect is
    left. A run of operations on one device shares a stream and is waited for at
    its end, which keeps devices and host in order without an analysis; where the
    device changes, `gpu.set_default_device` says so. A constant on a device is
    copied there where it is used and freed at the end of its block.

    ```mlir
    // hetero-opt --hetero-prepare-for-gpu-to-llvm
    func.func @f(%x: memref<4xf32>) {
      %d = gpu.alloc () {hetero.device = #hetero.device<gpu:1>} : memref<4xf32>
      gpu.memcpy %d, %x : memref<4xf32>, memref<4xf32>
        {hetero.from = #hetero.device<cpu:0>, hetero.to = #hetero.device<gpu:1>}
      return
    }
    // becomes
    %c1_i32 = arith.constant 1 : i32
    gpu.set_default_device %c1_i32
    %0 = gpu.wait async
    %memref, %asyncToken = gpu.alloc async [%0] () : memref<4xf32>
    %1 = gpu.memcpy async [%asyncToken] %memref, %arg0 : memref<4xf32>, memref<4xf32>
    gpu.wait [%1]
    ```
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect"];
}

def ConvertHeteroToLLVMPass : Pass<"hetero-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lowers host code to the llvm dialect and kernels to binaries";
  let description = [{
    Afterwards the module has only the llvm dialect and `gpu.binary`. Every
    public function is an entry point with the C ABI of docs/Runtime.md.

    Memory, copies, launches and waits become calls of `libhetero_runtime`, whose
    status is checked each time: a failing call leaves the function with the
    status first in its result, and so on up to the entry point, which releases
    what is left. That is why upstream's lowering of host gpu operations is not
    used: its calls return nothing, and an error ends the process. Upstream does
    lower the kernels (`--mlir-print-ir-after=convert-gpu-to-nvvm` shows them in
    the nvvm dialect), host loops and vectors.

    A kernel's image is a constant of the program and not loaded by a static
    constructor, so that each device loads it when it first launches a kernel.
    Functions that are no entry points are internal: two compiled programs in one
    process do not meet. One that has the name of a function of the runtime
    or of the C library gets another; an entry point whose name the compiled code
    needs for such a call is an error.

    ```mlir
    // hetero-opt --hetero-to-llvm
    func.func private @f(%x: i32) -> i32 {
      hetero.wait on #hetero.device<gpu:0>
      return %x : i32
    }
    // becomes
    llvm.func @heteroWait(i32) -> i32
    llvm.func internal @f(%arg0: i32) -> !llvm.struct<(i32, i32)> ... {
      %0 = llvm.mlir.poison : !llvm.struct<(i32, i32)>
      %1 = llvm.mlir.constant(0 : i32) : i32
      %2 = llvm.call @heteroWait(%1) : (i32) -> i32
      %3 = llvm.icmp "ne" %2, %1 : i32
      llvm.cond_br %3, ^bb2(%2 : i32), ^bb1
    ^bb1: // pred: ^bb0
      %4 = llvm.insertvalue %1, %0[0] : !llvm.struct<(i32, i32)>
      %5 = llvm.insertvalue %arg0, %4[1] : !llvm.struct<(i32, i32)>
      llvm.return %5 : !llvm.struct<(i32, i32)>
    ^bb2(%6: i32): // pred: ^bb0
      %7 = llvm.insertvalue %6, %0[0] : !llvm.struct<(i32, i32)>
      llvm.return %7 : !llvm.struct<(i32, i32)>
    }
    ```
  }];
  let options = [
    Option<"cubins", "cubins", "bool", "true",
           "Assemble kernels where there is a ptxas, so that no driver has to "
           "compile their PTX">
  ];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
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
    // hetero-opt --convert-parallel-loops-to-runtime
    func.func @f(%m: memref<?xf32>, %n: index, %x: f32) {
      scf.forall (%i) in (%n) {
        memref.store %x, %m[%i] : memref<?xf32>
      }
      return
    }
    // becomes
    %0 = llvm.mlir.constant(1 : i64) : i64
    %1 = llvm.alloca %0 x !llvm.struct<(f32, ...
    llvm.store %arg2, ...
    %f = constant @f_loop : (!llvm.ptr, i64, i64) -> i32
    %9 = builtin.unrealized_conversion_cast %f : (!llvm.ptr, i64, i64) -> i32 to !llvm.ptr
    %10 = llvm.call @heteroParallelFor(%8, %c1_i64, %9, %1) {hetero.checked}
      : (i64, i64, !llvm.ptr, !llvm.ptr) -> i32
    ...
    func.func private @f_loop(%arg0: !llvm.ptr, %arg1: i64, %arg2: i64) -> i32 attributes {hetero.loop_body} {
      ...
      scf.for %arg3 = %8 to %9 step ... {
        memref.store %1, %4[%arg3] : memref<?xf32>
      }
    ...
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
    Copies whose rows are a vector or longer become loops over rows, each of
    which is a `memcpy`: the elements' loops would be unrolled into thousands of
    instructions, most of the time that a network with concatenations took to
    compile. Nor have they a `hetero.dot`: it becomes an instruction of the function's
    processor, or arithmetic on vectors where that has none. Conversions of
    floats to integers saturate, and give 0 for NaN; signed ones to fewer than 32
    bits give the low bits of an i32. No `memref.expand_shape` makes several dynamic sizes of one, which upstream's
    lowering of views cannot do: it becomes a `memref.reinterpret_cast`.

    ```mlir
    // hetero-opt --hetero-expand-host-operations
    func.func @f(%a: memref<4xf32, strided<[2]>>, %b: memref<4xf32>) {
      memref.copy %a, %b : memref<4xf32, strided<[2]>> to memref<4xf32>
      return
    }
    // becomes
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
        ins(%arg0 : memref<4xf32, strided<[2]>>) outs(%arg1 : memref<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ExpandMinMaxPass
    : Pass<"hetero-expand-min-max", "::mlir::func::FuncOp"> {
  let summary = "Expands minima and maxima of floats";
  let description = [{
    Afterwards a function has no `arith.maximumf`, `arith.minimumf`,
    `arith.maxnumf` or `arith.minnumf`, and no `vector.reduction` of them. All
    of them take -0 for less than +0, as GPUs and constants do; upstream's
    expansion gives the second of two zeros. The first two give NaN if an
    operand is NaN, the others the operand that is none. The selects that they
    become are one instruction of the host each.

    ```mlir
    // hetero-opt --hetero-expand-min-max
    func.func @f(%a: f32, %b: f32) -> f32 {
      %0 = arith.minimumf %a, %b : f32
      return %0 : f32
    }
    // becomes
    %0 = arith.cmpf olt, %arg0, %arg1 : f32
    %1 = arith.select %0, %arg0, %arg1 : f32
    %2 = arith.cmpf olt, %arg1, %arg0 : f32
    %3 = arith.select %2, %arg1, %arg0 : f32
    %4 = arith.bitcast %1 : f32 to i32
    %5 = arith.bitcast %3 : f32 to i32
    %6 = arith.ori %4, %5 : i32
    %7 = arith.bitcast %6 : i32 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def OutlineHostLoopsPass
    : Pass<"hetero-outline-host-loops", "::mlir::ModuleOp"> {
  let summary = "Makes functions of the loops of large functions";
  let description = [{
    Afterwards no function has more than `max-loops` outermost loops, or
    structured operations, but for those that hold what may fail at run time or
    whose results are no numbers. LLVM's loop passes take time with the square of
    the loops of a function. Equal loops become one function; none is inlined
    again.

    ```mlir
    // hetero-opt --hetero-outline-host-loops=max-loops=1
    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %x: f32) {
      linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
      linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
      return
    }
    // becomes
    call @f_serial(%arg2, %arg0) : (f32, memref<4xf32>) -> ()
    call @f_serial(%arg2, %arg1) : (f32, memref<4xf32>) -> ()
    ...
    func.func private @f_serial(%arg0: f32, %arg1: memref<4xf32>) attributes {passthrough = ["noinline"]} {
      linalg.fill ins(%arg0 : f32) outs(%arg1 : memref<4xf32>)
      return
    }
    ```
  }];
  let options = [
    Option<"maxLoops", "max-loops", "unsigned", "64",
           "Outermost loops that a function may keep">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // HETERO_CONVERSION_PASSES_TD
