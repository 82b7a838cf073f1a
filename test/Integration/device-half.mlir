// Elements of 16 bits with sums of f32, f64, transposed operands, and slices
// with steps: by cuBLAS's functions and by generated code.

// RUN: hetero-run %s --entry=halves --input=24x40xf16=randint:1 --input=40x32xf16=randint:2 --input=24x32xf16=randint:3 --rules="{default: 'gpu:0'}" > %t.generated
// RUN: env HETERO_FAKE_LOG=1 HETERO_LIBRARIES=cublas=%hetero_lib/libhetero_fake_cublas.so hetero-run %s --entry=halves --input=24x40xf16=randint:1 --input=40x32xf16=randint:2 --input=24x32xf16=randint:3 --rules="{default: 'gpu:0', rules: [{op: '*', device: 'gpu:0', codegen: cublas}]}" > %t.library 2> %t.log
// RUN: diff %t.generated %t.library
// RUN: FileCheck %s --input-file=%t.log --check-prefix=HALVES
// HALVES: cublasGemmEx NN m=32 n=24 k=40 type=2 result=2 compute=68
// HALVES: cublasGemmEx NN m=32 n=24 k=40 type=2 result=0 compute=68
func.func @halves(%a: tensor<24x40xf16>, %b: tensor<40x32xf16>, %c: tensor<24x32xf16>) -> (tensor<24x32xf16>, tensor<24x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x32xf32>) -> tensor<24x32xf32>
  %d = linalg.matmul ins(%a, %b : tensor<24x40xf16>, tensor<40x32xf16>) outs(%c : tensor<24x32xf16>) -> tensor<24x32xf16>
  %f = linalg.matmul ins(%a, %b : tensor<24x40xf16>, tensor<40x32xf16>) outs(%z : tensor<24x32xf32>) -> tensor<24x32xf32>
  return %d, %f : tensor<24x32xf16>, tensor<24x32xf32>
}

// RUN: hetero-run %s --entry=orders --input=40x40xf64=randint:1 --input=48x40xf64=randint:2 --input=40x80xf64=randint:3 --rules="{default: 'gpu:0'}" > %t.generated
// RUN: env HETERO_FAKE_LOG=1 HETERO_LIBRARIES=cublas=%hetero_lib/libhetero_fake_cublas.so hetero-run %s --entry=orders --input=40x40xf64=randint:1 --input=48x40xf64=randint:2 --input=40x80xf64=randint:3 --rules="{default: 'gpu:0', rules: [{op: '*', device: 'gpu:0', codegen: cublas}]}" > %t.library 2> %t.log
// RUN: diff %t.generated %t.library
// RUN: FileCheck %s --input-file=%t.log --check-prefix=ORDERS
// ORDERS-DAG: cublasGemmEx TT m=48 n=40 k=40 type=1 result=1 compute=70
// ORDERS-DAG: cublasGemmEx TN m=48 n=40 k=40 type=1 result=1 compute=70
func.func @orders(%a: tensor<40x40xf64>, %b: tensor<48x40xf64>, %s: tensor<40x80xf64>) -> (tensor<40x48xf64>, tensor<40x48xf64>) {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<40x48xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<40x48xf64>) -> tensor<40x48xf64>
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<40x40xf64>, tensor<48x40xf64>) outs(%z : tensor<40x48xf64>) -> tensor<40x48xf64>
  %l = tensor.extract_slice %s[0, 0] [40, 40] [1, 2] : tensor<40x80xf64> to tensor<40x40xf64>
  %f = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%l, %b : tensor<40x40xf64>, tensor<48x40xf64>) outs(%z : tensor<40x48xf64>) -> tensor<40x48xf64>
  return %d, %f : tensor<40x48xf64>, tensor<40x48xf64>
}
