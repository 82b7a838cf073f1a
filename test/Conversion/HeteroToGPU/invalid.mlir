// RUN: hetero-opt %s --convert-hetero-to-gpu --split-input-file --verify-diagnostics

#gpu0 = #hetero.device<gpu:0>

// Iterations of a reduction share their result; one that the reduction's own
// loop indexes would be written by nobody or by all.
func.func @indexed_by_reduction(%x: memref<4xf32, #gpu0>, %y: memref<4xf32, #gpu0>) {
  // expected-error @below {{'linalg.generic' op has no gpu kernel: a result is indexed by a reduction loop; place it on the cpu}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["reduction"]}
      ins(%x : memref<4xf32, #gpu0>) outs(%y : memref<4xf32, #gpu0>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#gpu0 = #hetero.device<gpu:0>

// Arguments of kernels are buffers and scalars.
func.func @captured_vector(%v: vector<2xf32>, %y: memref<4xf32, #gpu0>) {
  // expected-error @below {{'linalg.generic' op captures a value of type 'vector<2xf32>', which a kernel cannot take; make it an input of the operation, or place that on the host}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%y : memref<4xf32, #gpu0>) {
  ^bb0(%out: f32):
    %0 = vector.extract %v[0] : f32 from vector<2xf32>
    linalg.yield %0 : f32
  }
  return
}
