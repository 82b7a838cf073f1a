module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
    transform.yield
  }
}
