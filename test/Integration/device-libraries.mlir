// Products and convolutions on a gpu by libraries of devices, by generated code
// where they are not found, and as placed without one: the same numbers. The
// tests' libraries compute on the emulated device's memory.

// RUN: hetero-run %s --input=3x17x40xf32=randint:1 --input=3x40x50xf32=randint:2 --input=50xf32=randint:3 --rules="{default: 'gpu:0'}" > %t.generated
// RUN: env HETERO_LIBRARIES=cublas=%hetero_lib/libhetero_fake_cublas.so hetero-run %s --input=3x17x40xf32=randint:1 --input=3x40x50xf32=randint:2 --input=50xf32=randint:3 --rules="{default: 'gpu:0', rules: [{op: 'linalg.*mat*', device: 'gpu:0', codegen: cublas}]}" > %t.library
// RUN: diff %t.generated %t.library
// RUN: env HETERO_LIBRARIES=cublas=off hetero-run %s --input=3x17x40xf32=randint:1 --input=3x40x50xf32=randint:2 --input=50xf32=randint:3 --rules="{default: 'gpu:0', rules: [{op: 'linalg.*mat*', device: 'gpu:0', codegen: cublas}]}" > %t.fallback
// RUN: diff %t.generated %t.fallback

// Kernels of the rest and the calls are in the report of the device, and the
// library in that of libraries.
// RUN: env HETERO_FAKE_LOG=1 HETERO_LIBRARIES=cublas=%hetero_lib/libhetero_fake_cublas.so HETERO_FAKE_OFFSET=1000 hetero-run %s --input=3x17x40xf32=0 --input=3x40x50xf32=0 --input=50xf32=0 --print-max=2 --report --rules="{default: 'gpu:0', rules: [{op: 'linalg.*mat*', device: 'gpu:0', codegen: cublas}]}" 2>&1 | FileCheck %s
// CHECK: cublasGemmStridedBatchedEx NN m=50 n=17 k=40 type=0 result=0 compute=68 batch=3
// CHECK: cublasGemmEx
// CHECK: 3x17x50xf32={{.*}}1000 1000
// CHECK: cublas_gemm
// CHECK: libraries:
// CHECK-NEXT: name {{ *}}calls {{ *}}file
// CHECK-NEXT: cublas {{ *}}2 {{.*}}libhetero_fake_cublas.so

// tf32 is what a program has to ask for.
// RUN: env HETERO_FAKE_LOG=1 HETERO_LIBRARIES=cublas=%hetero_lib/libhetero_fake_cublas.so hetero-run %s --input=3x17x40xf32=0 --input=3x40x50xf32=0 --input=50xf32=0 --print-max=0 --rules="{default: 'gpu:0', rules: [{op: 'linalg.*mat*', device: 'gpu:0', codegen: 'cublas:tf32'}]}" 2>&1 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: compute=77 batch=3

// The emulator runs no library of NVIDIA's.
// RUN: hetero-run %s --input=3x17x40xf32=0 --input=3x40x50xf32=0 --input=50xf32=0 --print-max=0 --report --rules="{default: 'gpu:0', rules: [{op: 'linalg.*mat*', device: 'gpu:0', codegen: cublas}]}" | FileCheck %s --check-prefix=EMULATED
// EMULATED: cublas {{ *}}0 {{ *}}not found: the emulator runs PTX only

// What the library says becomes the program's error.
// RUN: not env HETERO_FAKE_STATUS=15 HETERO_LIBRARIES=cublas=%hetero_lib/libhetero_fake_cublas.so hetero-run %s --input=3x17x40xf32=0 --input=3x40x50xf32=0 --input=50xf32=0 --rules="{default: 'gpu:0', rules: [{op: 'linalg.*mat*', device: 'gpu:0', codegen: cublas}]}" 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: cublasGemmStridedBatchedEx failed on gpu:0: CUBLAS_STATUS_NOT_SUPPORTED (as the test wants): product of 3x17x40 and 3x40x50 of f32 into f32; check that the library fits the driver and the device, or set HETERO_LIBRARIES=cublas=off to run generated code

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
