// The body of an operation reads the size and the elements of a tensor that
// another device made: both of the copy that it captures.

// RUN: hetero-run %s --entry=main --input=5xf32=1,2,3,4,5 --input=2xf32=10,20 --expected=5xf32=21,42,23,44,25
// RUN: hetero-run %s --entry=main --input=5xf32=1,2,3,4,5 --input=2xf32=10,20 --rules='{rules: [{op: linalg.generic, device: "cpu"}], default: "gpu:0"}' --expected=5xf32=21,42,23,44,25

#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %v = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%y, %y : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {hetero.device = #hetero.device<cpu:0>} {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %zero = arith.constant 0 : index
    %size = tensor.dim %v, %zero : tensor<?xf32>
    %at = arith.remui %i, %size : index
    %w = tensor.extract %v[%at] : tensor<?xf32>
    %s = arith.addf %in, %w : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
