// Strided memory crosses as rows, in one transfer and without a packed buffer on
// the device; what is not rows is packed where it is.

// Columns of the host's matrix there, and columns of the device's back into the
// host's: 4 * 100 * 20 bytes each.
// RUN: rm -f %t.log %t.back %t.short
// RUN: env HETERO_EMULATOR=log=%t.log hetero-run %s --entry=columns --input=100x50xf32=iota --print-max=1 --report | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t.log
// CHECK: 100x50xf32=[0...]
// CHECK: 100x20xf32=[-15...]
// CHECK: copies: 2, 16000 bytes
// CHECK: slice of %arg0 of @columns {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}8000 {{ *}}1
// LOG-NOT: kernel_{{[0-9]+}}_copy
// LOG: "kind": "h2d", "bytes": 8000
// LOG-NOT: kernel_{{[0-9]+}}_copy
// LOG: "kind": "d2h", "bytes": 8000
// LOG-NOT: memcpy

// Columns of the device's matrix come back as rows of the driver's 2-D copy: no
// kernel packs them.
// RUN: env HETERO_EMULATOR=log=%t.back hetero-run %s --entry=back --input=100x50xf32=iota --output=%t.npy --print-max=1 --report | FileCheck %s --check-prefix=BACK
// RUN: hetero-run %s --entry=back_on_host --input=100x50xf32=iota --expected=@%t.npy --print-max=1 | FileCheck %s --check-prefix=SAME
// RUN: FileCheck %s --check-prefix=BACKLOG --input-file=%t.back
// BACK: copies: 2, 28000 bytes
// SAME: as expected
// BACKLOG-NOT: kernel_{{[0-9]+}}_copy
// BACKLOG: "kind": "d2h", "bytes": 8000
// BACKLOG-NOT: memcpy

// Every third plane, from one that only run time knows: 128 bytes 384 apart.
// RUN: hetero-run %s --entry=planes --input=12x4x8xf32=iota --input=index=1 --print-max=2 --report | FileCheck %s --check-prefix=PLANES
// PLANES: 4x4x8xf32=[{{.}}-32 -33...
// PLANES: slice of %arg0 of @planes {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}512 {{ *}}1

// Short rows of a device are packed there by a kernel; gaps in two dimensions
// are no rows. The numbers are the same.
// RUN: env HETERO_EMULATOR=log=%t.short hetero-run %s --entry=short --input=8x8xf32=iota --expected=8x2xf32=-3,-4,-11,-12,-19,-20,-27,-28,-35,-36,-43,-44,-51,-52,-59,-60 | FileCheck %s --check-prefix=SAME
// RUN: FileCheck %s --check-prefix=PACKED --input-file=%t.short
// RUN: hetero-run %s --entry=gaps --input=4x4x4xf32=iota --expected=2x2x2xf32=-21,-23,-25,-27,-53,-55,-57,-59 --report | FileCheck %s --check-prefix=SAME
// PACKED: kernel_{{[0-9]+}}_copy

#gpu = #hetero.device<gpu:0>
#cpu = #hetero.device<cpu:0>
!m = tensor<100x50xf32>
!c = tensor<100x20xf32>

func.func @columns(%x: !m) -> (!m, !c) {
  %e = tensor.empty() : !c
  %s = tensor.extract_slice %x[0, 15] [100, 20] [1, 1] {hetero.device = #gpu} : !m to !c
  %r = linalg.negf {hetero.device = #gpu} ins(%s : !c) outs(%e : !c) -> !c
  %y = tensor.insert_slice %r into %x[0, 15] [100, 20] [1, 1] {hetero.device = #cpu} : !c into !m
  return %y, %r : !m, !c
}

func.func @back(%x: !m) -> !c {
  %e = tensor.empty() : !m
  %r = linalg.negf {hetero.device = #gpu} ins(%x : !m) outs(%e : !m) -> !m
  %s = tensor.extract_slice %r[0, 15] [100, 20] [1, 1] {hetero.device = #gpu} : !m to !c
  return %s : !c
}

func.func @back_on_host(%x: !m) -> !c {
  %e = tensor.empty() : !m
  %r = linalg.negf {hetero.device = #cpu} ins(%x : !m) outs(%e : !m) -> !m
  %s = tensor.extract_slice %r[0, 15] [100, 20] [1, 1] {hetero.device = #cpu} : !m to !c
  return %s : !c
}

func.func @planes(%x: tensor<12x4x8xf32>, %i: index) -> tensor<4x4x8xf32> {
  %e = tensor.empty() : tensor<4x4x8xf32>
  %s = tensor.extract_slice %x[%i, 0, 0] [4, 4, 8] [3, 1, 1] {hetero.device = #gpu} : tensor<12x4x8xf32> to tensor<4x4x8xf32>
  %r = linalg.negf {hetero.device = #gpu} ins(%s : tensor<4x4x8xf32>) outs(%e : tensor<4x4x8xf32>) -> tensor<4x4x8xf32>
  return %r : tensor<4x4x8xf32>
}

func.func @short(%x: tensor<8x8xf32>) -> tensor<8x2xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.negf {hetero.device = #gpu} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %r[0, 3] [8, 2] [1, 1] {hetero.device = #gpu} : tensor<8x8xf32> to tensor<8x2xf32>
  return %s : tensor<8x2xf32>
}

func.func @gaps(%x: tensor<4x4x4xf32>) -> tensor<2x2x2xf32> {
  %e = tensor.empty() : tensor<2x2x2xf32>
  %s = tensor.extract_slice %x[1, 1, 1] [2, 2, 2] [2, 1, 2] {hetero.device = #gpu} : tensor<4x4x4xf32> to tensor<2x2x2xf32>
  %r = linalg.negf {hetero.device = #gpu} ins(%s : tensor<2x2x2xf32>) outs(%e : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}
