// RUN: hetero-opt %s --convert-hetero-to-gpu --split-input-file --verify-diagnostics

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
