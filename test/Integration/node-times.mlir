// Where the time of a call goes: what a loop or a kernel works for is one row, with
// all the operations that were fused in it, and the rows add up to the regions.

// DEFINE: %{run} = --input=64x64xf32=random:1 --input=64x64xf32=random:2 --input=64xf32=random:3 --print-max=1 --time=3 --report-nodes
// DEFINE: %{nodes} = MatMul/first Expand/bias Add/bias Exp/e MatMul/second Transpose/t Exp/f
// RUN: hetero-run %s %{run} --rules='default: cpu' --report-file=%t.json > %t.txt
// RUN: %python %S/node-times.py %t.json %t.txt %{nodes}
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t.txt
// RUN: env HETERO_CUDA_DRIVER=emulator hetero-run %s %{run} --rules='{default: "gpu:0"}' --report-file=%t.json > %t.txt
// RUN: %python %S/node-times.py %t.json %t.txt %{nodes}
// RUN: FileCheck %s --check-prefix=GPU --input-file=%t.txt
// RUN: env HETERO_CUDA_DRIVER=emulator hetero-run %s %{run} --rules='rules: [{name: "MatMul/.*", device: "gpu:0"}, {name: ".*", device: cpu}]' --report-file=%t.json > %t.txt
// RUN: %python %S/node-times.py %t.json %t.txt %{nodes}

// A trace has the names too.
// RUN: hetero-run %s --input=64x64xf32=1 --input=64x64xf32=2 --input=64xf32=3 --print-max=1 --rules='default: cpu' --mark-nodes --trace=%t.trace
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t.trace
// TRACE: "name": "{{[^"]*}}MatMul/first{{[^"]*}}", "cat": "region"

// HOST: a call by operations of the source, {{[0-9.]+}} us in all:
// HOST-NEXT: time {{ *}}share {{ *}}pieces  device  operations
// HOST-DAG: us {{ *}}{{[0-9.]+}} %  1.00 {{ *}}cpu:0 {{.*}}MatMul/first
// GPU: us {{ *}}{{[0-9.]+}} %  1.00 {{ *}}gpu:0   MatMul/first
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32> loc("MatMul/first")
  %bb = linalg.broadcast ins(%b : tensor<64xf32>) outs(%e : tensor<64x64xf32>) dimensions = [0] loc("Expand/bias")
  %s = linalg.add ins(%p, %bb : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32> loc("Add/bias")
  %t = linalg.exp ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32> loc("Exp/e")
  %q = linalg.matmul ins(%t, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32> loc("MatMul/second")
  %tr = linalg.transpose ins(%q : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0] loc("Transpose/t")
  %u = linalg.exp ins(%tr : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32> loc("Exp/f")
  return %u : tensor<64x64xf32>
}
