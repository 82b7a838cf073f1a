module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %one, %two = transform.split_handle %product : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
