// Products by a library, by generated code where it is not found, and as
// placed without one: the same numbers. The tests' library shows that it was
// called by what it adds to each product.

// RUN: hetero-run %s --input=3x17x40xf32=randint:1 --input=3x40x50xf32=randint:2 --input=50xf32=randint:3 --rules="{default: cpu, rules: [{op: 'linalg.*mat*', device: 'cpu:0', codegen: mlir}]}" > %t.generated
// RUN: env HETERO_LIBRARIES=openblas=%hetero_lib/libhetero_fake_blas.so hetero-run %s --input=3x17x40xf32=randint:1 --input=3x40x50xf32=randint:2 --input=50xf32=randint:3 --rules="{default: cpu, rules: [{op: 'linalg.*mat*', device: 'cpu:0', codegen: openblas}]}" > %t.library
// RUN: diff %t.generated %t.library
// RUN: env HETERO_LIBRARIES=onednn=%hetero_lib/libhetero_fake_blas.so hetero-run %s --input=3x17x40xf32=randint:1 --input=3x40x50xf32=randint:2 --input=50xf32=randint:3 --rules="{default: cpu, rules: [{op: 'linalg.*mat*', device: 'cpu:0', codegen: onednn}]}" > %t.onednn
// RUN: diff %t.generated %t.onednn
// RUN: env HETERO_LIBRARIES=openblas=off hetero-run %s --input=3x17x40xf32=randint:1 --input=3x40x50xf32=randint:2 --input=50xf32=randint:3 --rules="{default: cpu, rules: [{op: 'linalg.*mat*', device: 'cpu:0', codegen: openblas}]}" > %t.fallback
// RUN: diff %t.generated %t.fallback
// RUN: hetero-run %s --input=3x17x40xf32=randint:1 --input=3x40x50xf32=randint:2 --input=50xf32=randint:3 --rules="{default: 'gpu:0', rules: [{op: linalg.matvec, device: 'cpu:0', codegen: openblas}]}" > %t.mixed
// RUN: diff %t.generated %t.mixed

// RUN: env HETERO_LIBRARIES=openblas=%hetero_lib/libhetero_fake_blas.so HETERO_FAKE_BLAS_OFFSET=1000000 hetero-run %s --input=3x17x40xf32=0 --input=3x40x50xf32=0 --input=50xf32=0 --print-max=2 --report --rules="{default: cpu, rules: [{op: 'linalg.*mat*', device: 'cpu:0', codegen: openblas}]}" | FileCheck %s
// CHECK: 3x17x50xf32={{.*}}1e+06 1e+06
// CHECK: 17xf32=1e+06 1e+06
// CHECK: libraries:
// CHECK-NEXT: name {{ *}}calls {{ *}}file
// CHECK-NEXT: openblas {{ *}}2 {{.*}}libhetero_fake_blas.so

// RUN: env HETERO_LIBRARIES=openblas=/nowhere/libopenblas.so hetero-run %s --input=3x17x40xf32=0 --input=3x40x50xf32=0 --input=50xf32=0 --print-max=2 --report --rules="{default: cpu, rules: [{op: 'linalg.*mat*', device: 'cpu:0', codegen: openblas}]}" | FileCheck %s --check-prefix=MISSING
// MISSING: openblas {{ *}}0 {{ *}}not found: /nowhere/libopenblas.so: cannot open shared object file

// A profile says who made the code that was measured.
// RUN: env HETERO_LIBRARIES=openblas=%hetero_lib/libhetero_fake_blas.so hetero-run %s --input=3x17x40xf32=0 --input=3x40x50xf32=0 --input=50xf32=0 --print-max=0 --write-profile=%t.yaml --rules="{default: cpu, rules: [{op: linalg.batch_matmul, device: 'cpu:0', codegen: openblas}]}"
// RUN: FileCheck %s --check-prefix=PROFILE --input-file=%t.yaml
// PROFILE-DAG: - {op: linalg.batch_matmul, {{.*}}, device: 'cpu:0', codegen: 'openblas', seconds:
// PROFILE-DAG: - {op: linalg.matvec, {{.*}}, device: 'cpu:0', seconds:

func.func @main(%a: tensor<3x17x40xf32>, %b: tensor<3x40x50xf32>, %v: tensor<50xf32>) -> (tensor<3x17x50xf32>, tensor<17xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x17x50xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x17x50xf32>) -> tensor<3x17x50xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<3x17x40xf32>, tensor<3x40x50xf32>) outs(%z : tensor<3x17x50xf32>) -> tensor<3x17x50xf32>
  %s = tensor.extract_slice %c[1, 0, 0] [1, 17, 50] [1, 1, 1] : tensor<3x17x50xf32> to tensor<17x50xf32>
  %e2 = tensor.empty() : tensor<17xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<17xf32>) -> tensor<17xf32>
  %y = linalg.matvec ins(%s, %v : tensor<17x50xf32>, tensor<50xf32>) outs(%z2 : tensor<17xf32>) -> tensor<17xf32>
  return %c, %y : tensor<3x17x50xf32>, tensor<17xf32>
}
