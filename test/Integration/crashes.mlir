// A program that crashes is one error, soon, and not the stack of the tool.

// RUN: not hetero-run %s --entry=forever --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=STACK --implicit-check-not='Stack dump' --implicit-check-not=bug
// STACK: hetero-run: error: the program crashed: 'forever' ran out of stack; a recursion may never end, or ulimit -s may be too low
// RUN: hetero-compile %s -o %t.exe
// RUN: not %t.exe --entry=forever --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=EXE
// EXE: {{.*}}.exe: error: the program crashed: 'forever' ran out of stack;
// RUN: not hetero-run %s --entry=divide --bounds-checks=false --input=i32=7 --input=i32=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: hetero-run: error: the program crashed: 'divide' divided an integer by zero, or overflowed in it

func.func private @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  %1 = call @again(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = arith.addf %1, %x : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @forever(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @divide(%a: i32, %b: i32) -> i32 {
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}
