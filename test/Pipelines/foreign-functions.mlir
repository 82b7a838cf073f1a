// RUN: hetero-opt %s --hetero-pipeline | FileCheck %s

// Functions of the llvm dialect keep their blocks: loops of their own, and
// branches that give one block several sets of values.

// CHECK-LABEL: llvm.func {{.*}}@count
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP:bb[0-9]+]](%{{.*}} : i64), ^bb
llvm.func @count(%n: i64, %c: i1) -> i64 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.cond_br %c, ^loop(%zero : i64), ^loop(%one : i64)
^loop(%i: i64):
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^exit
^exit:
  llvm.return %next : i64
}

// CHECK-LABEL: llvm.func {{.*}}@main
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
