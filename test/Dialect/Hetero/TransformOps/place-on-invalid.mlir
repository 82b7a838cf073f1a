// RUN: hetero-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// Conflict: the program says something else.

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note @below {{the operation with gpu:1}}
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:1>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot place 'linalg.exp' op on gpu:0, because gpu:1 stands on it; remove one of the two}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
    transform.yield
  }
}

// -----

// Conflict: the schedule says something else earlier.

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note @below {{the operation with gpu:1 (schedule at place-on-invalid.mlir:31:5)}}
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %0 {device = #hetero.device<gpu:1>} : !transform.any_op
    // expected-error @below {{cannot place 'linalg.exp' op on gpu:0, because gpu:1 stands on it; remove one of the two}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
    transform.yield
  }
}

// -----

// A conflict of one operation of several.

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    // expected-note @below {{the operation with cpu}}
    %1 = linalg.exp {hetero.device = #hetero.device<cpu>} ins(%0 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot place 'linalg.exp' op on gpu, because cpu stands on it; remove one of the two}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu>} : !transform.any_op
    transform.yield
  }
}

// -----

// The topology has no such device.

// expected-note @below {{the topology stands here}}
module attributes {transform.with_named_sequence, hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>]>} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{the topology has no device gpu:0 (cpu:0); add a device_spec for it or name another device}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
    transform.yield
  }
}

// -----

// The module is placed already.

// expected-note @below {{the module stands here}}
module attributes {transform.with_named_sequence, hetero.phase = #hetero.phase<placed>} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp {hetero.device = #hetero.device<cpu:0>, hetero.origin = "cost"} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a module before placement, got phase 'placed'; run the schedule earlier}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
    transform.yield
  }
}

// -----

// The device cannot run it: no code for the kind, no kernel for the type, and
// what the host alone runs.

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note @below {{the operation stands here}}
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot place 'linalg.exp' op on npu:0: it cannot run there: no npu code for linalg.exp}}
    transform.hetero.place_on %0 {device = #hetero.device<npu:0>} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xi4>) -> tensor<4xi4> {
    // expected-note @below {{the operation stands here}}
    %0 = linalg.add ins(%a, %a : tensor<4xi4>, tensor<4xi4>) outs(%a : tensor<4xi4>) -> tensor<4xi4>
    return %0 : tensor<4xi4>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot place 'linalg.add' op on gpu: it cannot run there: no gpu kernel for linalg.add on elements of type i4}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu>} : !transform.any_op
    transform.yield
  }
}

// -----

// What is in a parallel loop is the host's.

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = scf.forall (%i) in (4) shared_outs(%o = %a) -> tensor<4xf32> {
      // expected-note @below {{the operation stands here}}
      %1 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %1 into %o[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
      }
    }
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot place 'linalg.exp' op on gpu: it cannot run there: linalg.exp is in a parallel loop, which the host runs}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu>} : !transform.any_op
    transform.yield
  }
}

// -----

// Operations that get no device of their own.

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    // expected-note @below {{the operation stands here}}
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.return"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot place 'func.return' op on gpu: it is a terminator, which has no device}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu>} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note @below {{the operation stands here}}
    %c = arith.constant 1 : index
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot place 'arith.constant' op on cpu: it has no tensor that must be where it runs}}
    transform.hetero.place_on %0 {device = #hetero.device<cpu>} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>, %b: tensor<4x4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
    ^bb0(%x: f32):
      %c = arith.constant 0 : index
      // expected-note @below {{the operation stands here}}
      %s = tensor.extract_slice %b[0, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
      %y = tensor.extract %s[%c] : tensor<4xf32>
      linalg.yield %y : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.extract_slice"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot place 'tensor.extract_slice' op on gpu: it is in the body of 'linalg.generic', which has one device; place that instead}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu>} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-note @below {{the operation stands here}}
  %e = tensor.empty() : tensor<4xf32>
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot place 'tensor.empty' op on gpu: it is not in a function}}
    transform.hetero.place_on %0 {device = #hetero.device<gpu>} : !transform.any_op
    transform.yield
  }
}

// -----

// Parameters that are no devices, and too many of them.

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    // expected-error @below {{expected the parameter to be a device, got 1 : i64}}
    transform.hetero.place_on %0 on %1 : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.param.constant #hetero.device<gpu:0> -> !transform.any_param
    %2 = transform.merge_handles %1, %1 : !transform.any_param
    // expected-error @below {{expected one device, or one for each of 1 operations, got 2}}
    transform.hetero.place_on %0 on %2 : !transform.any_op, !transform.any_param
    transform.yield
  }
}

// -----

// (C1) the attribute or a parameter.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @c1_none(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{expected a device either as an attribute or as a parameter, got none; write {device = #hetero.device<gpu:0>}, or on %param}}
    transform.hetero.place_on %root : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @c1_both(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.param.constant #hetero.device<gpu:0> -> !transform.any_param
    // expected-error @below {{expected a device either as an attribute or as a parameter, got both}}
    transform.hetero.place_on %root on %0 {device = #hetero.device<gpu:0>} : !transform.any_op, !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @no_device(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{attribute 'device' failed to satisfy constraint: Names a device}}
    transform.hetero.place_on %root {device = 1} : !transform.any_op
    transform.yield
  }
}
