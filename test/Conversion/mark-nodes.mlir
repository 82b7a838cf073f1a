// RUN: hetero-opt %s -split-input-file --hetero-mark-nodes | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s -split-input-file --hetero-mark-nodes --hetero-mark-nodes | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s -split-input-file --hetero-mark-nodes --remarks-filter=hetero-mark-nodes -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s -split-input-file --hetero-mark-nodes --hetero-to-llvm | FileCheck %s --check-prefix=LOWERED

// REMARK: [Analysis] summary | Category:hetero-mark-nodes | marks=5
// REMARK: [Analysis] summary | Category:hetero-mark-nodes | marks=1


// Acts: each piece of a region has the names of what it works for; the first mark
// begins with the region, and what works for the same goes on with it.
// CHECK-LABEL: func.func private @host
// CHECK-NEXT:    hetero.host_region "f_cpu0_0"
// CHECK-NEXT:    hetero.node ["Exp/a"]
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    linalg.exp
// CHECK-NEXT:    hetero.node ["Tanh/b", "Neg/c"]
// CHECK-NEXT:    linalg.tanh
// CHECK-NEXT:    linalg.abs
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    hetero.end_host_region
// LOWERED-LABEL: llvm.func internal @host
// LOWERED: llvm.call @heteroHostRegion(
// LOWERED: llvm.call @heteroNode(
// LOWERED: llvm.call @heteroNode(
// LOWERED: llvm.call @heteroHostRegionEnd(
func.func private @host(%x: memref<4xf32>, %y: memref<4xf32>) {
  hetero.host_region "f_cpu0_0"
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%t : memref<4xf32>) loc("Exp/a")
  linalg.tanh ins(%t : memref<4xf32>) outs(%t : memref<4xf32>) loc(fused["Tanh/b", "Neg/c"])
  linalg.abs ins(%t : memref<4xf32>) outs(%y : memref<4xf32>) loc(fused["Tanh/b", "Neg/c"])
  memref.dealloc %t : memref<4xf32>
  hetero.end_host_region
  return
}

// Acts, in control flow: a loop has the names of what is in it, and what has no
// name is called by its place. Constants, which may be several made one, say
// nothing.
// CHECK-LABEL: func.func private @loop
// CHECK:         scf.if
// CHECK-NEXT:      hetero.host_region
// CHECK-NEXT:      hetero.node ["source.mlir:3:4", "Exp/a"]
// CHECK-NEXT:      scf.for
// CHECK-NOT:       hetero.node
func.func private @loop(%x: memref<4xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    hetero.host_region "f_cpu0_1"
    scf.for %i = %c0 to %n step %c1 {
      %one = arith.constant 1.0 : f32 loc("Constant/one")
      memref.store %one, %x[%i] : memref<4xf32> loc("Exp/a")
    } loc("source.mlir":3:4)
    hetero.end_host_region
  }
  return
}

// Call: of one of a kernel, which others call too, the call's names count.
// CHECK-LABEL: func.func private @calls
// CHECK:         hetero.node ["Conv/1"]
// CHECK-NEXT:    hetero.invoke @kernel
// CHECK:         hetero.node ["Conv/2"]
// CHECK-NEXT:    hetero.invoke @kernel
func.func private @kernel(%x: memref<4xf32>, %y: memref<4xf32>) attributes {hetero.kernel} {
  linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) loc("Conv/1")
  return
}
func.func private @calls(%x: memref<4xf32>, %y: memref<4xf32>) {
  hetero.host_region "f_cpu0_2"
  hetero.invoke @kernel ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) loc("Conv/1")
  hetero.invoke @kernel ins(%y : memref<4xf32>) outs(%x : memref<4xf32>) loc("Conv/2")
  hetero.end_host_region
  return
}

// -----

// A kernel of a device works for what its launch and its body name.
// CHECK-LABEL: func.func private @device
// CHECK:         hetero.node ["Add/d", "Relu/e"]
// CHECK-NEXT:    gpu.launch_func
// CHECK-NOT:     hetero.node
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
    gpu.func @f_gpu0_0() kernel {
      %0 = arith.constant 1.0 : f32 loc("Constant/one")
      %1 = math.absf %0 : f32 loc("Relu/e")
      gpu.return loc("Add/d")
    } loc("Add/d")
  }
  func.func private @device() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@f_gpu0_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {hetero.device = #hetero.device<gpu:0>} loc("Add/d")
    return
  }
}
