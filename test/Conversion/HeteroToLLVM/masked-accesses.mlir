// RUN: hetero-opt %s --hetero-to-llvm | FileCheck %s --enable-var-scope

// A masked access to bf16 moves integers: LLVM ends the process when it splits
// one of 97 elements into 64, 32 and a single bf16.
// CHECK-LABEL: @narrow
// CHECK:         %[[BITS:.*]] = llvm.intr.masked.load %{{.*}} -> vector<64xi16>
// CHECK:         llvm.bitcast %[[BITS]] : vector<64xi16> to vector<64xbf16>
// CHECK:         %[[BACK:.*]] = llvm.bitcast %{{.*}} : vector<64xbf16> to vector<64xi16>
// CHECK:         llvm.intr.masked.store %[[BACK]], {{.*}} : vector<64xi16>
func.func private @narrow(%a: memref<97xbf16>, %b: memref<97xbf16>) {
  %c64 = arith.constant 64 : index
  %mask = vector.constant_mask [33] : vector<64xi1>
  %zero = arith.constant dense<0.0> : vector<64xbf16>
  %0 = vector.maskedload %a[%c64], %mask, %zero : memref<97xbf16>, vector<64xi1>, vector<64xbf16> into vector<64xbf16>
  %1 = vector.shuffle %0, %zero [0, 65, 2, 67, 4, 69, 6, 71, 8, 73, 10, 75, 12, 77, 14, 79, 16, 81, 18, 83, 20, 85, 22, 87, 24, 89, 26, 91, 28, 93, 30, 95,
      32, 97, 34, 99, 36, 101, 38, 103, 40, 105, 42, 107, 44, 109, 46, 111, 48, 113, 50, 115, 52, 117, 54, 119, 56, 121, 58, 123, 60, 125, 62, 127]
      : vector<64xbf16>, vector<64xbf16>
  vector.maskedstore %b[%c64], %mask, %1 : memref<97xbf16>, vector<64xi1>, vector<64xbf16>
  return
}

// Others are left alone.
// CHECK-LABEL: @wide
// CHECK-NOT:     llvm.bitcast
// CHECK:         llvm.intr.masked.load %{{.*}} -> vector<16xf32>
// CHECK-NOT:     llvm.bitcast
// CHECK:         llvm.intr.masked.store
func.func private @wide(%a: memref<9xf32>, %b: memref<9xf32>) {
  %c0 = arith.constant 0 : index
  %mask = vector.constant_mask [9] : vector<16xi1>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %0 = vector.maskedload %a[%c0], %mask, %zero : memref<9xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  vector.maskedstore %b[%c0], %mask, %0 : memref<9xf32>, vector<16xi1>, vector<16xf32>
  return
}
